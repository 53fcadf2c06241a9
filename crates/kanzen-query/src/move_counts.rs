//! How many moves of a position win, draw and lose.

use kanzen_core::rules::{Tag, Tags};
use kanzen_core::vocabulary::Outcome;

/// How much detail a query needs: the less, the less an oracle must hold in memory for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// The value (WDL) after each move.
    Outcomes,
    /// How soon as well, or with which score.
    Answers,
}

/// Moves counted by what the mover gets.
///
/// ```
/// use kanzen_core::Outcome;
/// use kanzen_query::Counts;
/// let mut counts = Counts::default();
/// counts.add(Outcome::Win);
/// counts.add(Outcome::Draw);
/// assert_eq!((counts.all(), counts.kept()), (2, 1));
/// counts.remove(Outcome::Win);
/// assert_eq!((counts.all(), counts.kept()), (1, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Those that win.
    pub wins: u16,
    /// Those that draw.
    pub draws: u16,
    /// Those that lose.
    pub losses: u16,
}

impl Counts {
    /// Counts one more.
    #[inline(always)]
    pub fn add(&mut self, outcome: Outcome) {
        *self.of(outcome) += 1;
    }

    /// Counts one less of those that were added.
    #[inline(always)]
    pub fn remove(&mut self, outcome: Outcome) {
        *self.of(outcome) -= 1;
    }

    #[inline(always)]
    fn of(&mut self, outcome: Outcome) -> &mut u16 {
        match outcome {
            Outcome::Win => &mut self.wins,
            Outcome::Draw => &mut self.draws,
            Outcome::Loss => &mut self.losses,
        }
    }

    /// All of them.
    pub fn all(&self) -> u16 {
        self.wins + self.draws + self.losses
    }

    /// Those that keep the value: the ones with the best outcome that a move has.
    pub fn kept(&self) -> u16 {
        match (self.wins, self.draws) {
            (0, 0) => self.losses,
            (0, draws) => draws,
            (wins, _) => wins,
        }
    }
}

/// The moves of a position counted by what the mover gets, in all and by kind.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MoveCounts {
    /// Of all moves, whatever their kind.
    pub all: Counts,
    /// Those of each kind, in the order of [`Tag::ALL`].
    pub by_tag: [Counts; Tag::ALL.len()],
    /// What the mover would get by passing, where that was asked for and means something.
    pub passed: Option<Outcome>,
}

impl MoveCounts {
    /// Counts a move of these kinds.
    #[inline(always)]
    pub fn add(&mut self, tags: Tags, outcome: Outcome) {
        self.all.add(outcome);
        if tags != Tags::NONE {
            tags.iter().for_each(|tag| self.by_tag[tag as usize].add(outcome));
        }
    }

    /// Counts a move less that was added.
    #[inline(always)]
    pub fn remove(&mut self, tags: Tags, outcome: Outcome) {
        self.all.remove(outcome);
        if tags != Tags::NONE {
            tags.iter().for_each(|tag| self.by_tag[tag as usize].remove(outcome));
        }
    }
}

/// What is to be found out of moves besides the value (WDL) after each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveNeeds {
    /// Counts by kind.
    pub tags: bool,
    /// What passing would give.
    pub passing: bool,
}
