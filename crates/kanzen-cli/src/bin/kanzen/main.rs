//! The command `kanzen`: the games of Kanzen, the explorer as files, and the way to a new game.

mod new;
mod site;

use std::process::ExitCode;

use kanzen_cli::Program;
use kanzen_games::catalogue::Games;

fn main() -> ExitCode {
    Program::new("kanzen", Games).with("site", site::Site::run).with("new", new::New::run).run()
}
