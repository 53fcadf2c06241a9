//! The program: your game, with every command of Kanzen.

mod rules;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use kanzen::catalogue::{Catalogue, Catalogued, Entry, GameInfo};
use kanzen::solve::{Forecast, RulesOnly};
use kanzen_cli::Program;

use rules::Hexapawn;

/// The name of the program, and of the game in its commands and files.
const NAME: &str = env!("CARGO_PKG_NAME");

/// The games of this program. More of them, or other sizes of the board, are more entries.
struct Games;

impl Catalogue for Games {
    fn all(&self) -> Vec<Box<dyn Entry>> {
        vec![Box::new(hexapawn())]
    }
}

/// What the game is called, its rules, and the way it is solved.
fn hexapawn() -> Catalogued<Hexapawn, RulesOnly> {
    let info = GameInfo {
        id: NAME.into(),
        title: "Hexapawn".into(),
        rules: "A pawn steps ahead or takes diagonally ahead. Who reaches the far row wins; who cannot move loses."
            .into(),
    };
    // Shown by `games`, and compared with the memory and the disk there are before a solve. A game of at most 20 seconds
    // is solved when it is first asked for.
    let forecast = Forecast {
        positions: None, // nobody has counted them yet
        seconds: 0.1,
        memory_bytes: 1 << 20,
        data_bytes: 64 << 10,  // of the finished database
        disk_bytes: 128 << 10, // while it is made
    };
    Catalogued::new(info, Hexapawn, RulesOnly::new(forecast))
}

fn main() -> ExitCode {
    Program::new(NAME, Games).run()
}
