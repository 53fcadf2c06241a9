//! Scans the database chunk by chunk for positions with given answers.

use kanzen::Error;
use kanzen_core::machine::cpu::{Gather, Work, dispatch};
use kanzen_core::rules::key;
use kanzen_query::{Scan, Visit, Wanted};
use kanzen_solve::Exception;

use super::{Solution, SolvedClass};
use crate::ostle::index::{CanonicalSlot, Strip, canonical_hole};
use crate::ostle::ko;
use crate::ostle::rules::{Ostle, Position};
use crate::ostle::value;

/// The fields of a position: those of the published table, and whether a move is forbidden.
pub const FIELDS: [&str; 5] = ["hole_row", "hole_col", "mover", "opponent", "banned"];

/// The field values of a position.
pub fn fields(position: Position) -> Vec<(&'static str, i64)> {
    let board = &position.board;
    let hole = canonical_hole(board.hole);
    let numbers = [
        (hole / 5).into(),
        (hole % 5).into(),
        board.mover.count_ones().into(),
        board.opponent.count_ones().into(),
        position.previous.is_some().into(),
    ];
    FIELDS.into_iter().zip(numbers).collect()
}

/// A scan of the chunks of all classes.
pub struct Chunks<'a> {
    solution: &'a Solution,
    /// Indexed by level.
    wanted: [bool; 256],
    /// Whether positions without, and with, a forbidden move can match.
    bans: [bool; 2],
}

impl<'a> Chunks<'a> {
    pub fn new(solution: &'a Solution, wanted: Wanted<'_>) -> Chunks<'a> {
        let wanted = std::array::from_fn(|level| wanted(value(level as u8).into()));
        Chunks { solution, wanted, bans: [true; 2] }
    }

    /// The class of a chunk and its number in that class.
    fn chunk(&self, stretch: u64) -> Option<(&'a SolvedClass, u32)> {
        let mut chunk = stretch;
        for class in &self.solution.classes {
            let chunks = u64::from(class.file.chunks());
            if chunk < chunks {
                return Some((class, chunk as u32));
            }
            chunk -= chunks;
        }
        None
    }
}

impl Scan for Chunks<'_> {
    fn stretches(&self) -> u64 {
        self.solution.classes.iter().map(|class| u64::from(class.file.chunks())).sum()
    }

    /// Finding the moves that can be forbidden on a board takes most of the time.
    fn narrow(&mut self, may: &dyn Fn(&str, i64) -> bool) {
        self.bans = [0, 1].map(|banned| may("banned", banned));
    }

    fn may_match(&self, stretch: u64) -> Result<bool, Error> {
        self.chunk(stretch).map_or(Ok(false), |(class, chunk)| class.file.may_have(chunk, &self.wanted))
    }

    fn read(&self, stretch: u64, visit: &mut Visit<'_>) -> Result<(), Error> {
        let Some((class, chunk)) = self.chunk(stretch) else { return Ok(()) };
        let hits = class.file.matching(chunk, &self.wanted)?;
        dispatch(ReadChunk { chunks: self, class, hits: &hits, game: &self.solution.game, visit })
    }
}

/// The positions of the boards of a chunk.
struct ReadChunk<'r, 'a> {
    chunks: &'r Chunks<'a>,
    class: &'a SolvedClass,
    hits: &'r [(u32, Exception)],
    game: &'r Ostle,
    visit: &'r mut Visit<'r>,
}

impl Work for ReadChunk<'_, '_> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> Result<(), Error> {
        let ReadChunk { chunks, class, hits, game, visit } = self;
        let (army, wanted, [free, banned]) = (game.army(), &chunks.wanted, chunks.bans);
        let mut bans = Vec::new();
        // Slots ascend, so consecutive boards mostly share their strip.
        let mut strip: Option<Strip> = None;
        for &(slot, entry) in hits {
            let strip = match &mut strip {
                Some(strip) if slot - strip.first < strip.len => strip,
                strip => strip.insert(class.index.strip(class.index.strip_of(slot))),
            };
            let board = class.index.board_in(bits, strip, slot);
            if game.wins_at_once(&board) {
                continue;
            }
            let is_wanted = free && wanted[usize::from(entry.value)];
            if is_wanted && ko::arises_free(&board, game.ko(), army.least, army.most) {
                visit(key(game, Position { board, previous: None }), value(entry.value).into())?;
            }
            if !banned {
                continue;
            }
            bans.clear();
            game.each_ban(&board, |position| bans.push(position));
            let place = CanonicalSlot { slot, symmetry: 0 };
            for &position in &bans {
                let level = chunks.solution.level_at(class, position, place, entry)?;
                if wanted[usize::from(level)] {
                    visit(key(game, position), value(level).into())?;
                }
            }
        }
        Ok(())
    }
}
