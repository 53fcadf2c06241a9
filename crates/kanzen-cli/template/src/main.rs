//! The program: your game, with every command of Kanzen.

mod rules;
#[cfg(test)]
mod tests;

use std::process::ExitCode;
use std::sync::Arc;

use kanzen::RulesOnly;
use kanzen::catalogue::{Catalogue, Entry, GameInfo};
use kanzen_cli::Program;

use rules::Hexapawn;

/// The name of the program, and of the game in its commands and files.
const NAME: &str = env!("CARGO_PKG_NAME");

/// The games of this program. More of them, or other sizes of the board, are more entries.
struct Games;

impl Catalogue for Games {
    fn all(&self) -> Vec<Arc<Entry>> {
        vec![Arc::new(hexapawn())]
    }
}

/// What the game is called, its rules, and the way it is solved.
fn hexapawn() -> Entry {
    let info = GameInfo {
        id: NAME.into(),
        title: "Hexapawn".into(),
        rules: "A pawn steps ahead or takes diagonally ahead. Who reaches the far row wins; who cannot move loses."
            .into(),
    };
    // Positions are counted before a forecast. If the cost of a solve is known, pass it to `RulesOnly::new`.
    Entry::new(info, Hexapawn, RulesOnly::counting())
}

fn main() -> ExitCode {
    Program::new(NAME, Games).run()
}
