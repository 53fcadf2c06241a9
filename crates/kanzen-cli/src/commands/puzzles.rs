//! `kanzen puzzles`: composes positions with one right move at each turn.

use std::path::PathBuf;

use kanzen::Error;
use kanzen::catalogue::{Entry, sheet};
use kanzen::progress::Silent;
use kanzen_query::Puzzle;

use crate::args::GameArg;
use crate::exit::Ending;
use crate::files::write_beside;
use crate::open_game::open_entry;
use crate::settings::Settings;
use crate::words;

const EXAMPLES: &str = "\
The mover has exactly one move that keeps the win (or the draw), and again at each of his next
turns, whichever best reply he meets. Difficulty is the number of plies and of wrong moves that
a search of four plies does not refute, captures counted twice. The same seed gives the same
puzzles; none is an image of another.

Examples:
  kanzen puzzles tictactoe
  kanzen puzzles nocca-3x4 --count 6 --seed 1
  kanzen puzzles nocca-3x4 --svg puzzles.svg
  kanzen puzzles nocca-3x4 --json";

/// Boards in a row of a sheet.
const COLUMNS: usize = 5;

/// Compose puzzles: positions with one right move at each turn
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Puzzles {
    #[command(flatten)]
    game: GameArg,

    /// How many
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1000))]
    count: u64,

    /// Which ones
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Draw them on a sheet
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Puzzles {
    /// Prints the puzzles, one after the other, or as JSON, one a line.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let entry = self.game.entry(settings)?;
        let solved = open_entry(&entry, settings)?;
        let puzzles = solved.puzzles(self.count as usize, self.seed, &Silent)?;
        if let Some(path) = &self.svg {
            write_beside(path, puzzle_sheet(&entry, self.seed, &puzzles)?.as_bytes())?;
        }
        if settings.json {
            let lines: Result<Vec<String>, _> = puzzles.iter().map(serde_json::to_string).collect();
            settings.output.print(lines?.into_iter().map(|line| line + "\n").collect::<String>())?;
            return Ok(Ending::Done);
        }
        let mut text = String::new();
        for (number, puzzle) in puzzles.iter().enumerate() {
            let board = solved.at(Some(&puzzle.position))?.draw(0);
            text += &format!("{}. {}\n", number + 1, task(puzzle));
            text += &board.lines().map(|line| format!("  {line}\n")).collect::<String>();
            text += &format!("  {}\n  {}\n\n", puzzle.position, puzzle.solution.join(" "));
        }
        if puzzles.is_empty() {
            text = "no puzzles found: this game has few positions with one right move at each turn\n".to_owned();
        }
        settings.output.print(text)?;
        Ok(Ending::Done)
    }
}

fn task(puzzle: &Puzzle) -> String {
    let value = words::value(puzzle.value, puzzle.distance, None);
    // A solution has three plies at least.
    format!("{value}, {} plies to find, difficulty {}", puzzle.plies, puzzle.difficulty)
}

/// A sheet of puzzles that were found with a seed: the boards, the solutions below them.
pub fn puzzle_sheet(entry: &Entry, seed: u64, puzzles: &[Puzzle]) -> Result<String, Error> {
    let mut boards = Vec::new();
    for (number, puzzle) in puzzles.iter().enumerate() {
        let mut lines = vec![format!("{}. {}", number + 1, task(puzzle))];
        lines.extend(puzzle.solution.chunks(6).map(|moves| moves.join(" ")));
        boards.push((puzzle.position.as_str(), lines));
    }
    sheet(entry, &format!("{}, seed {seed}", entry.info().title), &boards, COLUMNS)
}
