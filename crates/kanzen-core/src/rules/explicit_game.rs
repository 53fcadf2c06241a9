//! A game given as an explicit list: every position by its text, with its moves. For rules written in another language,
//! such as Python: they are called once for each position, and everything else uses the list.
//!
//! ```text
//! first text  --rules-->  its moves, ends, mirror image  --new texts-->  rules ...  --build-->  ExplicitGame
//! ```
//!
//! Positions are numbered in the order of their texts, and the moves of each are in the order of theirs: two programs
//! that list the same game in another order make the same database.

use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;

use crate::rules::view::{Shape, Side, Tone, View};
use crate::rules::{Board, Game, Notation};
use crate::vocabulary::{BadPosition, Error, Value};

/// What the rules return for one position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PositionRecord {
    /// The mover's value if the game is over.
    pub ended: Option<Value>,
    /// The side to move; nothing where sides have no names.
    pub to_move: Option<String>,
    /// The position that stands for all its mirror images, if it is another.
    pub canonical: Option<String>,
    /// Each legal move, and the position it leads to.
    pub moves: Vec<(String, String)>,
}

/// The board of a game whose texts are rows of cells joined by `/`, a space, and the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GridBoard {
    /// Rows of cells.
    pub rows: usize,
    /// Cells of a row.
    pub columns: usize,
    /// The letters of the pieces, and whose they are: the first side's (the one that begins), or the second's.
    pub pieces: Vec<(char, usize)>,
}

/// A game given as an explicit list of positions.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::Game;
/// use kanzen::rules::{ExplicitGame, PositionRecord};
/// let mut stones = ExplicitGame::builder("3");
/// while let Some(text) = stones.next() {
///     let pile: u32 = text.parse()?;
///     let moves = (1..=pile.min(2)).map(|take| (format!("take {take}"), (pile - take).to_string())).collect();
///     stones.push(PositionRecord { moves, ..PositionRecord::default() })?;
/// }
/// let stones = stones.build(None)?;
/// assert_eq!((stones.positions(), stones.show(stones.initial())), (4, "3".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ExplicitGame {
    texts: Vec<String>,
    numbers: HashMap<String, u32>,
    records: Vec<PositionRecord>,
    /// What follows is made at the end.
    places: Vec<Place>,
    moves: Vec<(u32, u32)>,
    move_texts: Vec<String>,
    initial: u32,
    stuck: Value,
    view: View,
}

/// A position of the finished list.
#[derive(Clone, Copy)]
struct Place {
    ended: Option<Value>,
    to_move: &'static str,
    canonical: u32,
    /// The end of its moves, which begin where those of the position before end.
    end: u32,
}

impl ExplicitGame {
    /// A game that starts with this text; no position is recorded yet.
    pub fn builder(initial: impl Into<String>) -> ExplicitGame {
        let mut game = ExplicitGame {
            texts: Vec::new(),
            numbers: HashMap::new(),
            records: Vec::new(),
            places: Vec::new(),
            moves: Vec::new(),
            move_texts: Vec::new(),
            initial: 0,
            stuck: Value::loss(0),
            view: View::text(),
        };
        game.number(initial.into());
        game
    }

    /// The value of a position without moves for its mover: lost, unless this sets another.
    pub fn stuck(self, stuck: Value) -> ExplicitGame {
        ExplicitGame { stuck, ..self }
    }

    /// How many positions have been named.
    pub fn positions(&self) -> usize {
        self.texts.len()
    }

    /// The next position to be recorded; nothing when all are.
    #[allow(clippy::should_implement_trait, reason = "the record of one position names the next")]
    pub fn next(&self) -> Option<&str> {
        self.texts.get(self.records.len()).map(String::as_str)
    }

    /// Records what the rules return for the [`next`](ExplicitGame::next) position.
    pub fn push(&mut self, mut record: PositionRecord) -> Result<(), Error> {
        let position = self.next().ok_or_else(|| Error::Rules("all positions are recorded".into()))?;
        let mut texts = BTreeSet::new();
        if let Some((twice, _)) = record.moves.iter().find(|(text, _)| !texts.insert(text.as_str())) {
            return Err(Error::Rules(format!("{position} has two moves {twice:?}")));
        }
        record.moves.sort();
        for (_, child) in &record.moves {
            self.number(child.clone());
        }
        if let Some(canonical) = &record.canonical {
            self.number(canonical.clone());
        }
        self.records.push(record);
        Ok(())
    }

    fn number(&mut self, text: String) -> u32 {
        if let Some(known) = self.numbers.get(&text) {
            return *known;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    /// The game, when all positions are recorded; its texts must fit the board, if it has one.
    pub fn build(mut self, board: Option<&GridBoard>) -> Result<ExplicitGame, Error> {
        if let Some(position) = self.next() {
            return Err(Error::Rules(format!("{position} is not recorded")));
        }
        let initial = self.texts[0].clone();
        let mut order: Vec<u32> = (0..self.texts.len() as u32).collect();
        order.sort_unstable_by(|&one, &other| self.texts[one as usize].cmp(&self.texts[other as usize]));
        let mut texts = std::mem::take(&mut self.texts);
        self.texts = order.iter().map(|&old| std::mem::take(&mut texts[old as usize])).collect();
        self.numbers = self.texts.iter().cloned().zip(0..).collect();
        self.initial = self.numbers[&initial];
        let mut records = std::mem::take(&mut self.records);
        let mut move_numbers: HashMap<String, u32> = HashMap::new();
        for (number, old) in (0..).zip(order) {
            let PositionRecord { ended, to_move, canonical, moves } = std::mem::take(&mut records[old as usize]);
            for (text, child) in moves {
                let next = move_numbers.len() as u32;
                let mv = *move_numbers.entry(text).or_insert_with_key(|text| {
                    self.move_texts.push(text.clone());
                    next
                });
                self.moves.push((mv, self.numbers[&child]));
            }
            let end = u32::try_from(self.moves.len()).map_err(|_| Error::Rules("too many moves".into()))?;
            let canonical = canonical.map_or(number, |text| self.numbers[&text]);
            let to_move = to_move.map_or(Ok("mover"), |name| side_name(&name))?;
            self.places.push(Place { ended, to_move, canonical, end });
        }
        if let Some(board) = board {
            self.view = self.seen(board)?;
            if let Some(text) = self.texts.iter().find(|text| self.view.read(text).is_err()) {
                let GridBoard { rows, columns, .. } = board;
                return Err(Error::Rules(format!(
                    "{text:?} does not fit a board of {rows} rows and {columns} columns, with rows joined by / and the \
                     side to move after a space"
                )));
            }
        }
        Ok(self)
    }

    /// The view of a board, with the side first that begins.
    fn seen(&self, board: &GridBoard) -> Result<View, Error> {
        let first = self.to_move(self.initial);
        let others = self.places.iter().map(|place| place.to_move).find(|&name| name != first);
        let side = |letter, name, japanese, tone| Side::new(letter, name, japanese, tone);
        let mut view = View::grid(board.rows, board.columns).sides(
            side(first, first, first, Tone::Dark),
            side(others.unwrap_or("?"), others.unwrap_or("?"), others.unwrap_or("?"), Tone::Light),
        );
        for &(letter, owner) in &board.pieces {
            let alone = board.pieces.iter().filter(|(_, other)| *other == owner).count() == 1;
            view = match alone {
                true => view.piece(letter, Some(owner.min(1)), Shape::Disc),
                false => view.marked_piece(letter, owner.min(1), Shape::Tile, side_name(&letter.to_string())?),
            };
        }
        Ok(view)
    }

    fn place(&self, position: u32) -> Place {
        self.places[position as usize]
    }
}

/// The most different names of sides and marks of pieces that a program may use.
const MOST_NAMES: usize = 256;

/// A name that stays for as long as the program runs. There are few of them, however many explicit games are made.
fn side_name(name: &str) -> Result<&'static str, Error> {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return Ok(known);
    }
    if names.len() >= MOST_NAMES {
        return Err(Error::Rules(format!("more than {MOST_NAMES} names of sides")));
    }
    let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(name);
    Ok(name)
}

impl Game for ExplicitGame {
    type Position = u32;
    type Move = u32;
    type Key = u32;

    fn initial(&self) -> u32 {
        self.initial
    }

    fn moves(&self, position: u32, play: &mut impl FnMut(u32, u32)) {
        let start = position.checked_sub(1).map_or(0, |before| self.place(before).end);
        for &(mv, child) in &self.moves[start as usize..self.place(position).end as usize] {
            play(mv, child);
        }
    }

    fn show(&self, position: u32) -> String {
        self.texts[position as usize].clone()
    }

    fn show_move(&self, _: u32, mv: u32) -> String {
        self.move_texts[mv as usize].clone()
    }

    fn pack(&self, position: u32) -> u32 {
        position
    }

    fn unpack(&self, key: u32) -> u32 {
        // A list may come from anywhere: a number too high is caught because it packs into another one.
        key.min(self.places.len().saturating_sub(1) as u32)
    }

    fn to_move(&self, position: u32) -> &'static str {
        self.place(position).to_move
    }

    fn ended(&self, position: u32) -> Option<Value> {
        self.place(position).ended
    }

    fn stuck(&self, _: u32) -> Value {
        self.stuck
    }

    fn canonical(&self, position: u32) -> u32 {
        self.place(position).canonical
    }
}

impl Notation for ExplicitGame {
    fn read(&self, text: &str) -> Result<u32, BadPosition> {
        let unknown = || BadPosition::new(format!("{text:?} cannot be reached by its rules"));
        self.numbers.get(text.trim()).copied().ok_or_else(unknown)
    }
}

impl Board for ExplicitGame {
    fn view(&self) -> View {
        self.view.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{conformance, fingerprint};

    /// Stones, listed with the moves in this order; mirrored, `b` stands for `a`.
    fn recorded(rising: bool) -> ExplicitGame {
        let mut game = ExplicitGame::builder("a4");
        while let Some(text) = game.next() {
            let (side, pile) = text.split_at(1);
            let pile: u32 = pile.parse().unwrap();
            let other = if side == "a" { "b" } else { "a" };
            let mut moves: Vec<(String, String)> =
                (1..=pile.min(3)).map(|take| (format!("take{take}"), format!("{other}{}", pile - take))).collect();
            if !rising {
                moves.reverse();
            }
            let canonical = Some(format!("a{pile}"));
            game.push(PositionRecord { moves, canonical, to_move: Some(side.to_owned()), ended: None }).unwrap();
        }
        game.build(None).unwrap()
    }

    #[test]
    fn the_order_of_records_changes_nothing() {
        let (one, other) = (recorded(true), recorded(false));
        assert_eq!(fingerprint("stones", &one, 0), fingerprint("stones", &other, 0));
        let report = conformance::check(&one, 1000).unwrap();
        assert!(report.values_compared);
        assert_eq!(report, conformance::check(&other, 1000).unwrap());
    }

    #[test]
    fn two_moves_of_one_name_are_a_fault() {
        let mut game = ExplicitGame::builder("x");
        let twice = vec![("m".to_owned(), "y".to_owned()), ("m".to_owned(), "z".to_owned())];
        let error = game.push(PositionRecord { moves: twice, ..PositionRecord::default() }).unwrap_err();
        assert_eq!(error.to_string(), r#"inconsistent game rules: x has two moves "m""#);
    }

    #[test]
    fn a_text_that_does_not_fit_the_board_is_a_fault() {
        let mut game = ExplicitGame::builder("X./.. O");
        game.push(PositionRecord { to_move: Some("O".into()), ..PositionRecord::default() }).unwrap();
        let pieces = vec![('X', 1), ('O', 0)];
        let error = game.build(Some(&GridBoard { rows: 3, columns: 3, pieces })).err().unwrap();
        assert!(error.to_string().contains("does not fit a board of 3 rows and 3 columns"), "{error}");
    }
}
