//! The games by name.

use kanzen::catalogue::{Card, Catalogued, Entry, Forecast, RulesOnly, Scored};

use crate::nocca::{self, Nocca};
use crate::othello::{self, BySearch, Othello, Start};
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
    if let Some(board) = id.strip_prefix("othello-") {
        return othello(board).ok_or_else(|| {
            member("othello-RxC has at least 3 rows and 3 columns and at most 64 squares; -parallel may follow")
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
    let boards = ["4x4", "4x5", "4x6", "4x8", "5x5", "5x6", "6x6", "6x6-parallel"];
    games.extend(boards.iter().filter_map(|board| othello(board)));
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

fn othello(board: &str) -> Option<Box<dyn Entry>> {
    let (size, start, note) = match board.strip_suffix("-parallel") {
        Some(size) => (size, Start::Parallel, " from the parallel start"),
        None => (board, Start::Cross, ""),
    };
    let (rows, columns) = size.split_once('x')?;
    let (rows, columns) = (u32::try_from(number(rows)?).ok()?, u32::try_from(number(columns)?).ok()?);
    let game = Othello::new(rows, columns, start)?;
    let listed = rows * columns <= 16;
    let card = Card {
        id: format!("othello-{board}"),
        title: format!("Othello {rows}x{columns}{note}"),
        rules: "Put a disc so that it and another of yours enclose a line of the other side's discs, which become \
                yours; pass if you cannot. When neither can move, more discs win, and empty squares go to the winner."
            .into(),
        positions: (board == "4x4").then_some(12_351),
        forecast: othello::forecast(&game),
    };
    Some(if listed {
        Box::new(Catalogued::new(card, game, Scored))
    } else {
        Box::new(Catalogued::new(card, game, BySearch))
    })
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
            seconds: 0.1 + canonical as f64 * 4e-6,
            memory_bytes: (1 << 20) + 100 * canonical,
            data_bytes: 5 * canonical + (32 << 10),
        },
    };
    Some(Box::new(Catalogued::new(card, game, RulesOnly)))
}
