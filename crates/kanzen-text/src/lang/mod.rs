//! The language that people type: one declaration a line, words before signs. `docs/language.md` is its specification.
//!
//! ```
//! let text = "
//! game    Tic-tac-toe
//! board   3x3
//! sides   cross X, nought O
//! turn    place own on empty
//! win     own line 3
//! stuck   draw
//! ";
//! let game = kanzen_text::lang::parse(text)?;
//! assert_eq!(game.turn.unwrap().len(), 1);
//! # Ok::<(), Vec<kanzen_text::lang::Problem>>(())
//! ```
//!
//! [`parse`] makes a syntax tree of a text, [`compile`] a game of the core:
//!
//! ```
//! use kanzen_text::interpreter::Interpreter;
//! # let text = "game Nim\nboard 3x1\nsides a A, b B\nturn place own on empty";
//! let game = kanzen_text::lang::compile(text).map_err(|problems| problems[0].show(text))?;
//! let play = Interpreter::new(&game.core).unwrap();
//! assert_eq!(play.moves(&play.initial().unwrap()).unwrap().len(), 3);
//! # Ok::<(), String>(())
//! ```

mod geometry;
mod lower;
mod parser;
mod pieces;
mod problem;
mod token;
pub mod tree;

pub use parser::parse;
pub use problem::{Problem, Severity, Span};
pub use token::{MAX_TEXT, MAX_TOKENS};

/// A game made of a text.
#[derive(Clone, Debug)]
pub struct TextGame {
    /// The title.
    pub title: String,
    /// `source`, `about`, `fact` and `look` lines: the keyword and what follows.
    pub headers: Vec<(String, String)>,
    /// The letter of each piece of the core; `.` is the empty cell.
    pub letters: Vec<char>,
    /// Column and row of each cell of the core from 0 at the bottom left, and its level in the stack.
    pub places: Vec<[usize; 3]>,
    /// The rules.
    pub core: crate::core::Definition,
    /// What its author should look at.
    pub warnings: Vec<Problem>,
}

/// Makes a game of a text.
///
/// # Errors
/// The problems of the text, at most twenty.
pub fn compile(text: &str) -> Result<TextGame, Vec<Problem>> {
    let tree = parse(text)?;
    let one = |problem| vec![problem];
    let missing = |what: &str| one(Problem::error(Span::default(), format!("the text has no `{what}`")));
    let title = tree.title.as_ref().ok_or_else(|| missing("game"))?;
    let shape = tree.board.as_ref().ok_or_else(|| missing("board"))?;
    let pieces = pieces::Pieces::new(&tree).map_err(one)?;
    let mut geometry = geometry::Geometry::new(shape, &tree).map_err(one)?;
    let lower::Outcomes { core, warnings } = lower::lower(&tree, &pieces, &mut geometry)?;
    core.check().map_err(|error| one(Problem::error(title.span, error.to_string())))?;
    Ok(TextGame {
        title: title.text.clone(),
        headers: tree.headers.iter().map(|(key, value)| (key.text.clone(), value.text.clone())).collect(),
        letters: pieces.letters,
        places: geometry.spots.iter().map(|spot| [spot.column, spot.row, spot.level]).collect(),
        core,
        warnings,
    })
}

#[cfg(test)]
mod tests;
