//! The catalogue: builds a game with its solver or reader from a name such as `nocca-3x4`.

use std::sync::Arc;

use kanzen::catalogue::{Catalogue, Entry, GameInfo, GameOption, Reader, Scope, Variants};
use kanzen::{Board, Error};
use kanzen_query::Opener;
use kanzen_solve::{Forecast, RulesOnly, Solver};

use crate::dobutsu::Dobutsu;
use crate::morris::{Morris, MorrisSolver};
use crate::musashi::{Musashi, SetAtATime};
use crate::nocca::{Nocca, Sweeps};
use crate::ostle::{ByBoards, Ko, Ostle};
use crate::othello::{self, BySearch, Othello, Start};
use crate::recorded;
use crate::stones::Stones;
use crate::tictactoe::TicTacToe;

/// The catalogue of all games.
pub struct Games;

impl Catalogue for Games {
    fn all(&self) -> Vec<Arc<Entry>> {
        all()
    }

    fn find(&self, id: &str) -> Result<Arc<Entry>, Error> {
        find(id)
    }

    /// Without building all games for a query about one.
    fn options(&self) -> Vec<&'static GameOption> {
        vec![&KO]
    }
}

/// The ko rule.
static KO: GameOption = GameOption {
    name: "ko",
    scope: Scope::Variant,
    values: Some(("RULE", &["literal", "symmetric"])),
    help: "What may not come back in Ostle: the very board of two plies before, as the rules are printed, or a mirrored \
           or rotated copy of it either, as in the published tables [default: literal]",
    refusal: ["is a rule of ostle", "has none"],
};

/// Returns the game with a name such as `nocca-3x4` or `stones-21`.
///
/// ```
/// use kanzen_games::catalogue;
/// assert_eq!(catalogue::find("tictactoe").unwrap().info().id, "tictactoe");
/// assert_eq!(catalogue::find("chess").err().unwrap().to_string(), r#"unknown game "chess""#);
/// ```
pub fn find(id: &str) -> Result<Arc<Entry>, Error> {
    build::<Entries>(id)
}

/// Like [`find`], but builds a reader of databases: a program that uses only readers contains no solver.
pub fn reader(id: &str) -> Result<Arc<Reader>, Error> {
    build::<Readers>(id)
}

fn build<M: Maker>(id: &str) -> Result<Arc<M::Made>, Error> {
    let member = |family| Error::UnknownMember { id: id.to_owned(), family };
    if id == "tictactoe" {
        return Ok(tictactoe::<M>());
    }
    if id == "dobutsu" {
        return Ok(dobutsu::<M>());
    }
    if let Some(pile) = id.strip_prefix("stones-") {
        let game = number(pile).and_then(|pile| Stones::new(u32::try_from(pile).ok()?));
        return game.map(|game| stones::<M>(id, game)).ok_or_else(|| member("stones-N has N from 0 to 10000"));
    }
    if let Some(points) = id.strip_prefix("musashi-") {
        return number(points).and_then(musashi::<M>).ok_or_else(|| member("musashi-N has N = 25, 31 or 33 points"));
    }
    if id == "ostle" || id.starts_with("ostle-") {
        return ostle::<M>(id).ok_or_else(|| member(OSTLES));
    }
    if let Some(size) = id.strip_prefix("nocca-") {
        let size = size.split_once('x').and_then(|(rows, columns)| Some((number(rows)?, number(columns)?)));
        return size
            .and_then(|(rows, columns)| nocca::<M>(rows as usize, columns as usize))
            .ok_or_else(|| member("nocca-RxC has 3 to 6 rows and 2 to 5 columns"));
    }
    if id.starts_with("morris-") {
        return Ok(morris::<M>(find_morris(id)?));
    }
    if let Some(board) = id.strip_prefix("othello-") {
        return othello::<M>(board).ok_or_else(|| {
            member("othello-RxC has at least 3 rows and 3 columns and at most 64 squares; -parallel may follow")
        });
    }
    Err(Error::UnknownGame { id: id.to_owned() })
}

/// Returns the morris game with a name, for commands that support morris only.
pub fn find_morris(id: &str) -> Result<Morris, Error> {
    let Some(men) = id.strip_prefix("morris-") else { return Err(Error::UnknownGame { id: id.to_owned() }) };
    let game = number(men).and_then(|men| Morris::new(u32::try_from(men).ok()?));
    game.ok_or(Error::UnknownMember { id: id.to_owned(), family: "morris-N has N = 3, 5, 6, 7, 9, 11 or 12" })
}

/// The games to show in a list: all boards, and one member of each unbounded family.
pub fn all() -> Vec<Arc<Entry>> {
    let mut games = vec![tictactoe::<Entries>(), find("stones-21").expect("a pile within bounds")];
    games.extend([25, 31, 33].into_iter().filter_map(musashi::<Entries>));
    for columns in 2..=5 {
        games.extend((3..=6).filter_map(|rows| nocca::<Entries>(rows, columns)));
    }
    games.push(dobutsu::<Entries>());
    games.extend(Morris::MEN.map(|men| morris::<Entries>(Morris::new(men).expect("one of the games"))));
    let boards = ["4x4", "4x5", "4x6", "4x8", "5x5", "5x6", "6x6", "6x6-parallel", "8x8"];
    games.extend(boards.iter().filter_map(|board| othello::<Entries>(board)));
    for ko in ["", "-symmetric"] {
        games.extend(["ostle-8", "ostle-9", "ostle"].iter().filter_map(|id| ostle::<Entries>(&format!("{id}{ko}"))));
    }
    games
}

/// Parses a number without sign or leading zeros, so that each game has exactly one name.
fn number(text: &str) -> Option<u64> {
    let value = text.parse().ok()?;
    (format!("{value}") == text).then_some(value)
}

/// `id` is used in commands and file names, `title` is shown to users, `rules` is a summary in a few sentences.
fn info(id: impl Into<String>, title: impl Into<String>, rules: impl Into<String>) -> GameInfo {
    GameInfo { id: id.into(), title: title.into(), rules: rules.into() }
}

/// The forecast of a game that is solved within a moment.
fn tiny(positions: u64, data_bytes: u64) -> Forecast {
    // Nearly all of it is the program itself.
    let (seconds, memory_bytes) = (0.1, 10 << 20);
    Forecast { positions: Some(positions), seconds, memory_bytes, data_bytes, disk_bytes: data_bytes }
}

fn tictactoe<M: Maker>() -> Arc<M::Made> {
    let rules = "Three of one's own in a row, a column or a diagonal of a 3x3 board win; a full board is a draw.";
    let solver = RulesOnly::new(tiny(765, 16 << 10));
    M::entry(info("tictactoe", "Tic-tac-toe", rules), TicTacToe, solver)
}

fn dobutsu<M: Maker>() -> Arc<M::Made> {
    let rules = "Catch the lion, or bring yours safely to the far row. Taken animals are dropped again; a chick becomes a \
                 hen on the far row; endless play is a draw.";
    let forecast = Forecast {
        positions: Some(246_803_167),
        seconds: 600.0,
        memory_bytes: 2_200_000_000, // without the optional tables of positions
        data_bytes: 400 << 20,
        disk_bytes: 2 << 30, // keys and the state of a checkpoint
    };
    M::entry(info("dobutsu", "Animal shogi", rules), Dobutsu, RulesOnly::new(forecast))
}

fn stones<M: Maker>(id: &str, game: Stones) -> Arc<M::Made> {
    let info =
        info(id, "Take one, two or three stones", "Take 1, 2 or 3 stones from a pile in turn; who cannot take loses.");
    let forecast = tiny(u64::from(game.pile()) + 1, 64 << 10);
    M::entry(info, game, RulesOnly::new(forecast))
}

fn musashi<M: Maker>(points: u64) -> Option<Arc<M::Made>> {
    let game = Musashi::new(points as usize)?;
    let info = info(
        format!("musashi-{points}"),
        format!("Sixteen Musashi, {points} points"),
        "Brown (16 pieces, first) and black (one) step along lines; pairs of brown on opposite sides of black's new point \
         are taken. Black stuck: brown wins. Brown stuck or a position repeated: black wins.",
    );
    Some(M::entry(info, game, SetAtATime::default()))
}

fn othello<M: Maker>(board: &str) -> Option<Arc<M::Made>> {
    let (size, start, note) = match board.strip_suffix("-parallel") {
        Some(size) => (size, Start::Parallel, " from the parallel start"),
        None => (board, Start::Cross, ""),
    };
    let (rows, columns) = size.split_once('x')?;
    let (rows, columns) = (u32::try_from(number(rows)?).ok()?, u32::try_from(number(columns)?).ok()?);
    let game = Othello::new(rows, columns, start)?;
    let info = info(
        format!("othello-{board}"),
        format!("Othello {rows}x{columns}{note}"),
        "Put a disc so that it and another of yours enclose a line of the other side's discs, which become yours; pass if \
         you cannot. When neither can move, more discs win, and empty squares go to the winner.",
    );
    match othello::listed(&game) {
        Some(listed) => Some(M::entry(info, game, listed)),
        None => M::by_search(info, game),
    }
}

fn nocca<M: Maker>(rows: usize, columns: usize) -> Option<Arc<M::Made>> {
    let game = Nocca::new(rows, columns)?;
    let info = info(
        format!("nocca-{rows}x{columns}"),
        format!("NOCCA x NOCCA {rows}x{columns}"),
        "Move one of your top pieces to any of the 8 neighbours, onto a stack of at most 2; walk a top piece off the far \
         row to win. Who cannot move has lost; endless play is a draw.",
    );
    Some(M::entry(info, game, Sweeps))
}

fn morris<M: Maker>(game: Morris) -> Arc<M::Made> {
    let men = game.men();
    let names = ["Three", "Five", "Six", "Seven", "Nine", "Eleven", "Twelve"];
    let name = Morris::MEN.iter().zip(names).find(|(other, _)| **other == men).map_or("N", |(_, name)| name);
    let flying = if game.has_flying() { ", with three men to anywhere" } else { "" };
    let info = info(
        format!("morris-{men}"),
        format!("{name} men's morris"),
        format!(
            "Place {men} men each in turn, then move one along a line{flying}; three in a line, a mill, take an enemy man \
             that is in no mill, or any if all are. Fewer than three men or no move: lost; endless play is a draw."
        ),
    );
    M::entry(info, game, MorrisSolver::WHOLE)
}

const OSTLES: &str = "there are ostle, ostle-8 and ostle-9, and each with -symmetric after it";

/// Returns the rules of Ostle with a name such as `ostle-8-symmetric`.
///
/// ```
/// use kanzen_games::{catalogue, ostle::Ko};
/// assert_eq!(catalogue::ostle_named("ostle-symmetric").unwrap().ko(), Ko::Symmetric);
/// assert!(catalogue::ostle_named("ostle-7").is_err());
/// ```
pub fn ostle_named(id: &str) -> Result<Ostle, Error> {
    let (name, ko) = match id.strip_suffix("-symmetric") {
        Some(name) => (name, Ko::Symmetric),
        None => (id, Ko::Literal),
    };
    let pieces = match name {
        "ostle" => 10,
        "ostle-9" => 9,
        "ostle-8" => 8,
        _ => return Err(Error::UnknownMember { id: id.to_owned(), family: OSTLES }),
    };
    Ostle::new(pieces, ko).ok_or_else(|| Error::UnknownMember { id: id.to_owned(), family: OSTLES })
}

fn ostle<M: Maker>(id: &str) -> Option<Arc<M::Made>> {
    let game = ostle_named(id).ok()?;
    let (pieces, ko) = (game.pieces(), game.ko());
    let most = if pieces == 10 { String::new() } else { format!(", at most {pieces} pieces on the board") };
    let (rule, reading) = match ko {
        Ko::Literal => ("recreate the board of two plies before", ""),
        Ko::Symmetric => {
            ("recreate the board of two plies before, nor a mirrored or rotated copy of it", ", symmetric ko")
        }
    };
    let info = info(
        id,
        format!("Ostle{most}{reading}"),
        format!(
            "Move a piece one step, pushing what is in front of it, or the hole onto an empty square; a piece pushed off \
             the board or into the hole is out, and who has 3 left has lost. A move may not {rule}; endless play is a draw."
        ),
    );
    let id = info.id.clone();
    let names = match ko {
        Ko::Literal => vec![("literal", id.clone()), ("symmetric", format!("{id}-symmetric"))],
        Ko::Symmetric => vec![("symmetric", id)],
    };
    Some(M::made(info, game, ByBoards, |entry| entry.with_variants(Variants { option: &KO, names })))
}

/// Builds entries of one kind.
///
/// Required: [`made`](Maker::made) and [`by_search`](Maker::by_search).
trait Maker {
    /// The kind of entry.
    type Made;

    /// Builds the entry of a game from its solver; `options` adds what only an [`Entry`] has.
    fn made<G, S>(info: GameInfo, game: G, solver: S, options: impl FnOnce(Entry) -> Entry) -> Arc<Self::Made>
    where
        G: Board + 'static,
        S: Solver<G> + Opener<G> + 'static;

    /// Builds the entry of a game without options.
    fn entry<G, S>(info: GameInfo, game: G, solver: S) -> Arc<Self::Made>
    where
        G: Board + 'static,
        S: Solver<G> + Opener<G> + 'static,
    {
        Self::made(info, game, solver, |entry| entry)
    }

    /// Builds the entry of a board too large to list, or returns `None` without search.
    fn by_search(info: GameInfo, game: Othello) -> Option<Arc<Self::Made>>;
}

/// Builds entries that solve, with the recorded cost of a complete run.
enum Entries {}

impl Maker for Entries {
    type Made = Entry;

    fn made<G, S>(info: GameInfo, game: G, solver: S, options: impl FnOnce(Entry) -> Entry) -> Arc<Entry>
    where
        G: Board + 'static,
        S: Solver<G> + Opener<G> + 'static,
    {
        let (cost, run) = (recorded::of(&info.id), recorded::run(&info.id));
        Arc::new(options(Entry::new(info, game, solver).recorded(cost).recorded_run(run)))
    }

    fn by_search(info: GameInfo, game: Othello) -> Option<Arc<Entry>> {
        Some(Self::entry(info, game, BySearch))
    }
}

/// Builds readers of databases.
enum Readers {}

impl Maker for Readers {
    type Made = Reader;

    fn made<G, S>(info: GameInfo, game: G, opener: S, _: impl FnOnce(Entry) -> Entry) -> Arc<Reader>
    where
        G: Board + 'static,
        S: Solver<G> + Opener<G> + 'static,
    {
        Arc::new(Reader::new(info, game, opener))
    }

    fn by_search(_: GameInfo, _: Othello) -> Option<Arc<Reader>> {
        None
    }
}
