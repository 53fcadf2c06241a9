//! The games by name.

use kanzen::catalogue::{Card, Catalogued, Entry, Forecast, RulesOnly};

use crate::dobutsu::Dobutsu;
use crate::nocca::{self, Nocca};
use crate::stones::Stones;
use crate::tictactoe::TicTacToe;

/// Why there is no game of a name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnknownGame {
    /// No such game at all.
    #[error("unknown game {id:?}: `kanzen games` lists those there are")]
    Name {
        /// The name asked for.
        id: String,
    },
    /// A family of games, but not this one of it.
    #[error("unknown game {id:?}: {family}")]
    Member {
        /// The name asked for.
        id: String,
        /// Which members the family has.
        family: &'static str,
    },
}

/// The game of a name such as `nocca-3x4` or `stones-21`.
///
/// ```
/// use kanzen_games::catalogue;
/// assert_eq!(catalogue::find("tictactoe").unwrap().card().id, "tictactoe");
/// assert_eq!(
///     catalogue::find("chess").err().unwrap().to_string(),
///     r#"unknown game "chess": `kanzen games` lists those there are"#
/// );
/// ```
pub fn find(id: &str) -> Result<Box<dyn Entry>, UnknownGame> {
    let member = |family| UnknownGame::Member { id: id.to_owned(), family };
    if id == "tictactoe" {
        return Ok(tictactoe());
    }
    if id == "dobutsu" {
        return Ok(dobutsu());
    }
    if let Some(pile) = id.strip_prefix("stones-") {
        let game = number(pile).and_then(|pile| Stones::new(pile as u32));
        return game.map(|game| stones(id, game)).ok_or_else(|| member("stones-N has N from 0 to 10000"));
    }
    if let Some(size) = id.strip_prefix("nocca-") {
        let size = size.split_once('x').and_then(|(rows, columns)| Some((number(rows)?, number(columns)?)));
        return size.and_then(|(rows, columns)| nocca(rows as usize, columns as usize)).ok_or_else(|| {
            member("nocca-RxC has 3 to 6 rows, 2 to 5 columns, and up to 12 cells or 3 columns so far")
        });
    }
    Err(UnknownGame::Name { id: id.to_owned() })
}

/// The games to show in a list: all boards, and one member of each endless family.
pub fn all() -> Vec<Box<dyn Entry>> {
    let mut games = vec![tictactoe(), find("stones-21").expect("a pile within bounds")];
    for columns in 2..=5 {
        games.extend((3..=6).filter_map(|rows| nocca(rows, columns)));
    }
    games.push(dobutsu());
    games
}

/// A number without sign or leading zeros, so that each game has one name only.
fn number(text: &str) -> Option<u64> {
    let value = text.parse().ok()?;
    (format!("{value}") == text).then_some(value)
}

fn tictactoe() -> Box<dyn Entry> {
    let card = Card {
        id: "tictactoe".into(),
        title: "Tic-tac-toe".into(),
        rules: "Three of one's own in a row, a column or a diagonal of a 3x3 board win; a full board is a draw.".into(),
        positions: Some(765),
        forecast: Forecast { seconds: 0.1, memory_bytes: 1 << 20, data_bytes: 16 << 10 },
    };
    Box::new(Catalogued::new(card, TicTacToe, RulesOnly))
}

fn dobutsu() -> Box<dyn Entry> {
    let card = Card {
        id: "dobutsu".into(),
        title: "Animal shogi".into(),
        rules:
            "Catch the lion, or bring yours safely to the far row. Taken animals are dropped again; a chick becomes a \
                hen on the far row; endless play is a draw."
                .into(),
        positions: Some(246_803_167),
        forecast: Forecast { seconds: 1500.0, memory_bytes: 14 << 30, data_bytes: 400 << 20 },
    };
    Box::new(Catalogued::new(card, Dobutsu, RulesOnly))
}

fn stones(id: &str, game: Stones) -> Box<dyn Entry> {
    let card = Card {
        id: id.into(),
        title: "Take one, two or three stones".into(),
        rules: "Take 1, 2 or 3 stones from a pile in turn; who cannot take loses.".into(),
        positions: Some(u64::from(game.pile()) + 1),
        forecast: Forecast { seconds: 0.1, memory_bytes: 1 << 20, data_bytes: 64 << 10 },
    };
    Box::new(Catalogued::new(card, game, RulesOnly))
}

fn nocca(rows: usize, columns: usize) -> Option<Box<dyn Entry>> {
    let game = Nocca::new(rows, columns)?;
    let positions = nocca::placements(rows, columns);
    // Boards beyond this want an engine of their own.
    if positions > 10_000_000 {
        return None;
    }
    let canonical = positions / 4;
    let card = Card {
        id: format!("nocca-{rows}x{columns}"),
        title: format!("NOCCA x NOCCA {rows}x{columns}"),
        rules:
            "Move one of your top pieces to any of the 8 neighbours, onto a stack of at most 2; walk a top piece off \
                the far row to win."
                .into(),
        positions: Some(positions),
        forecast: Forecast {
            seconds: 0.1 + canonical as f64 * 5e-6,
            memory_bytes: (8 << 20) + 180 * canonical,
            data_bytes: 5 * canonical + (32 << 10),
        },
    };
    Some(Box::new(Catalogued::new(card, game, RulesOnly)))
}
