//! The command `kanzen`: the games of Kanzen, the explorer as a static site, and a template for a new game.

mod new;
mod site;

use std::process::ExitCode;

use kanzen_cli::{Command, Program};
use kanzen_papers::Papers;

fn main() -> ExitCode {
    Program::new("kanzen", Papers)
        .with(Command::new("site", site::Site::run))
        .with(Command::new("new", new::New::run))
        .run()
}
