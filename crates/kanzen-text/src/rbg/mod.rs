//! Reads `.rbg` files: Regular Boardgames 1.0 (Kowalski, Mika, Sutowicz, Szykuła, AAAI 2019).
//!
//! A file is a list of sections that start with `#`: `#players`, `#pieces`, `#variables`, `#board`, `#rules`, and macros,
//! which are replaced as text. What is read here: boards by `rectangle(..)`, `hexagon(..)` and as a graph of vertices;
//! two players. What is not: more or fewer players, `cuboid(..)`, the dot (a pause within a move).
//!
//! ```
//! use kanzen_text::interpreter::Interpreter;
//! let text = "
//!     #players = left(1), right(1)   // who cannot move has lost
//!     #pieces = e, x
//!     #variables =
//!     #board = rectangle(up,down,west,east, [x,e] [e,x])
//!     #any = ((up* + down*)(west* + east*))
//!     #turn(me; opp) = ->me any {x} [e] (east + down) {e} [x] [$ me = 1, opp = 0]
//!     #rules = (turn(left; right) turn(right; left))*
//! ";
//! let game = kanzen_text::rbg::read(text)?;
//! let play = Interpreter::new(&game)?;
//! assert_eq!(play.perft(&play.initial()?, 1)?, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod macros;
mod rules;
mod tokens;

use std::collections::BTreeMap;
use std::fmt;

use crate::core::{
    CoreError, Definition, Ends, Expression, Label, MAX_LABELS, MAX_PIECES, MAX_VARIABLES, Outcome, Piece, Variable,
    VariableId,
};
use macros::Macros;
use tokens::{Token, Tokens};

/// The longest text.
pub const MAX_TEXT: usize = 1 << 20;
/// The most tokens after all macros are replaced.
pub const MAX_TOKENS: usize = 1 << 20;

/// Why a text is no game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RbgError {
    /// The byte of the text at which it was noticed.
    pub at: usize,
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for RbgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.reason)
    }
}

impl std::error::Error for RbgError {}

/// A mistake at a byte of the text.
#[derive(Clone, Debug)]
struct Wrong {
    at: usize,
    reason: String,
}

impl Wrong {
    fn new(at: usize, reason: impl Into<String>) -> Wrong {
        Wrong { at, reason: reason.into() }
    }
}

type Result<T> = std::result::Result<T, Wrong>;

/// Reads a game.
///
/// # Errors
/// What is wrong first, and where. Texts beyond [`MAX_TEXT`] and [`MAX_TOKENS`] are refused.
pub fn read(text: &str) -> std::result::Result<Definition, RbgError> {
    definition(text).map_err(|wrong| {
        let before = text.get(..wrong.at).unwrap_or(text);
        RbgError {
            at: wrong.at,
            line: before.matches('\n').count() + 1,
            column: before.rsplit('\n').next().unwrap_or("").chars().count() + 1,
            reason: wrong.reason,
        }
    })
}

/// What names stand for.
struct Names {
    pieces: BTreeMap<String, Piece>,
    variables: BTreeMap<String, VariableId>,
    labels: BTreeMap<String, Label>,
    players: [String; 2],
}

impl Names {
    /// Whether a name is taken.
    fn has(&self, name: &str) -> bool {
        self.pieces.contains_key(name) || self.variables.contains_key(name) || self.labels.contains_key(name)
    }
}

fn definition(text: &str) -> Result<Definition> {
    if text.len() > MAX_TEXT {
        return Err(Wrong::new(MAX_TEXT, format!("the text is longer than {MAX_TEXT} bytes")));
    }
    let tokens = tokens::split(text)?;
    let mut macros = Macros::default();
    let mut sections: BTreeMap<&str, Vec<Token>> = BTreeMap::new();
    if tokens.first().is_some_and(|token| !token.is("#")) {
        return Err(Wrong::new(tokens[0].at, "a text starts with #"));
    }
    for section in tokens.split(|token| token.is("#")).skip(1) {
        let Some(name) = section.first() else {
            return Err(Wrong::new(text.len(), "a # without a name"));
        };
        match ["players", "pieces", "variables", "board", "rules"].into_iter().find(|known| name.is(known)) {
            Some(known) => {
                let body = match section.get(1) {
                    Some(equal) if equal.is("=") => macros.replace(&section[2..])?,
                    _ => return Err(Wrong::new(name.at, format!("= is missing after {}", name.text))),
                };
                if sections.insert(known, body).is_some() {
                    return Err(Wrong::new(name.at, format!("there are two sections {known}")));
                }
            }
            None => macros.add(section)?,
        }
    }
    let end = text.len();
    let mut section =
        |name: &str| sections.remove(name).ok_or_else(|| Wrong::new(end, format!("there is no section #{name}")));

    let mut names = Names {
        pieces: BTreeMap::new(),
        variables: BTreeMap::new(),
        labels: BTreeMap::new(),
        players: [String::new(), String::new()],
    };
    let players = bounded(&mut Tokens::new(section("players")?, end))?;
    if players.len() != 2 {
        return Err(Wrong::new(end, format!("{} players; two are possible", players.len())));
    }
    names.players = [players[0].0.text.to_string(), players[1].0.text.to_string()];
    let mut variables = Vec::new();
    for (name, max) in players.into_iter().chain(bounded(&mut Tokens::new(section("variables")?, end))?) {
        fresh(&names, &name)?;
        if variables.len() == MAX_VARIABLES {
            return Err(Wrong::new(name.at, format!("more than {MAX_VARIABLES} variables and players")));
        }
        names.variables.insert(name.text.to_string(), VariableId(variables.len() as u8));
        variables.push(Variable { name: name.text.to_string(), start: 0, max });
    }
    let mut pieces = Vec::new();
    let mut list = Tokens::new(section("pieces")?, end);
    while list.peek().is_some() {
        let name = list.name("a piece")?;
        fresh(&names, &name)?;
        if pieces.len() == MAX_PIECES {
            return Err(Wrong::new(name.at, format!("more than {MAX_PIECES} pieces")));
        }
        names.pieces.insert(name.text.to_string(), Piece(pieces.len() as u8));
        pieces.push(name.text.to_string());
        list.take(",");
    }
    let (board, start) = board::read(&mut Tokens::new(section("board")?, end), &mut names)?;
    let rules = rules::read(&mut Tokens::new(section("rules")?, end), &names)?;
    let score = |player| Expression::Variable(VariableId(player));
    let game = Definition {
        board,
        pieces,
        sides: names.players,
        variables,
        start,
        rules,
        ends: Ends { checks: Vec::new(), stuck: Outcome::Score(score(0), score(1)), endless: Outcome::Draw },
    };
    game.check().map_err(|error| Wrong::new(end, error.to_string()))?;
    Ok(game)
}

/// A list of names with bounds: `white(100), black(100)`.
fn bounded(tokens: &mut Tokens) -> Result<Vec<(Token, i32)>> {
    let mut list = Vec::new();
    while tokens.peek().is_some() {
        let name = tokens.name("a name")?;
        tokens.expect("(")?;
        let max = tokens.number()?;
        tokens.expect(")")?;
        list.push((name, max));
        tokens.take(",");
    }
    Ok(list)
}

fn fresh(names: &Names, name: &Token) -> Result<()> {
    match names.has(&name.text) {
        true => Err(Wrong::new(name.at, format!("{} stands for something already", name.text))),
        false => Ok(()),
    }
}

/// The number of a label, new if it is.
fn label(names: &mut Names, board: &mut crate::core::Board, name: &Token) -> Result<Label> {
    if let Some(label) = names.labels.get(&*name.text) {
        return Ok(*label);
    }
    fresh(names, name)?;
    let label = board
        .add_label(&*name.text)
        .map_err(|_: CoreError| Wrong::new(name.at, format!("more than {MAX_LABELS} directions")))?;
    names.labels.insert(name.text.to_string(), label);
    Ok(label)
}
