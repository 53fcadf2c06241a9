//! The state of a game in progress: the positions so far, and who plays which side.

use kanzen::catalogue::{Entry, Solved};
use kanzen::{Error, Outcome};
use kanzen_query::{MoveTo, Probe, ProbedMove};

use super::opponent::Computer;
use super::record::Record;
use crate::args::{Reached, chosen, played};

/// Which turns are yours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// The one who moves first.
    First,
    /// The one who moves second.
    Second,
    /// Both: the computer only watches.
    Both,
}

impl Player {
    /// The player of a word.
    pub fn named(word: &str) -> Option<Player> {
        match word.to_ascii_lowercase().as_str() {
            "first" => Some(Player::First),
            "second" => Some(Player::Second),
            "both" => Some(Player::Both),
            _ => None,
        }
    }

    fn moves_at(self, ply: usize) -> bool {
        match self {
            Player::First => ply.is_multiple_of(2),
            Player::Second => !ply.is_multiple_of(2),
            Player::Both => true,
        }
    }
}

/// A position that the players see: read once.
pub struct Shown {
    /// Its value and its moves.
    pub probe: Probe,
    /// The board, drawn.
    pub board: String,
}

impl Shown {
    /// The position of a text, or the initial one, so many plies into a game.
    pub fn of(solved: &Solved, position: Option<&str>, ply: u64) -> Result<Shown, Error> {
        let position = solved.at(position)?;
        Ok(Shown { probe: position.probe()?, board: position.draw(ply) })
    }
}

/// A game in progress.
pub struct Contest<'a> {
    entry: &'a Entry,
    solved: &'a Solved,
    /// Where it began.
    start: String,
    /// The moves so far, each with the position after it.
    moves: Vec<MoveTo>,
    now: Shown,
    you: Player,
}

impl<'a> Contest<'a> {
    /// A game from a position, with the moves that were played before.
    pub fn new(entry: &'a Entry, solved: &'a Solved, reached: Reached, you: Player) -> Result<Self, Error> {
        let now = Shown::of(solved, reached.position(), reached.ply())?;
        let start = reached.start.unwrap_or_else(|| entry.initial());
        Ok(Contest { entry, solved, start, moves: reached.moves, now, you })
    }

    /// The position now, with its moves.
    pub fn now(&self) -> &Probe {
        &self.now.probe
    }

    /// The position now, drawn.
    pub fn board(&self) -> &str {
        &self.now.board
    }

    /// How many moves were made.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The rules in a few sentences.
    pub fn rules(&self) -> &str {
        &self.entry.info().rules
    }

    /// How positions and moves are written, in words; empty if the game has no description.
    pub fn notation(&self) -> String {
        self.entry.notation()
    }

    /// Which turns are yours.
    pub fn you(&self) -> Player {
        self.you
    }

    /// Whether it is your turn.
    pub fn your_turn(&self) -> bool {
        self.you.moves_at(self.plies())
    }

    /// Whether nothing can be played any more.
    pub fn over(&self) -> bool {
        self.now().moves.is_empty()
    }

    /// Whether the position now has been there before.
    pub fn repeated(&self) -> bool {
        let now = &self.now().position;
        let Some((_, earlier)) = self.moves.split_last() else { return false };
        self.start == *now || earlier.iter().any(|step| step.position == *now)
    }

    /// The move of a text: as it is listed, or but for capitals if that is clear.
    pub fn choice(&self, text: &str) -> Option<&ProbedMove> {
        chosen(&self.now().moves, text, |choice| &choice.mv)
    }

    /// The computer's move.
    pub fn reply(&self, computer: &Computer) -> Result<Option<ProbedMove>, Error> {
        let now = self.now();
        let has_an_order = now.value != Outcome::Win || now.distance.is_some() || now.score.is_some();
        if computer.takes_the_first() && has_an_order {
            return Ok(now.moves.first().cloned()); // known already, where asking again may be a long search
        }
        let moved = self.moves.iter().map(|step| step.position.as_str());
        let positions: Vec<&str> = [self.start.as_str()].into_iter().chain(moved).collect();
        computer.reply(self.solved, &positions)
    }

    /// Plays a move.
    pub fn advance(&mut self, choice: &ProbedMove) -> Result<(), Error> {
        self.moves.push(MoveTo { mv: choice.mv.clone(), position: choice.position.clone() });
        self.look()
    }

    /// Shows the position that the moves lead to.
    fn look(&mut self) -> Result<(), Error> {
        let position = self.moves.last().map_or(&self.start, |last| &last.position);
        self.now = Shown::of(self.solved, Some(position), self.moves.len() as u64)?;
        Ok(())
    }

    /// Takes back your last move and what came after it; `false` if you have not moved yet.
    pub fn undo(&mut self) -> Result<bool, Error> {
        let yours = (0..self.plies()).rev().find(|&ply| self.you.moves_at(ply));
        if let Some(ply) = yours {
            self.moves.truncate(ply);
            self.look()?;
        }
        Ok(yours.is_some())
    }

    /// Changes sides; who plays both keeps them.
    pub fn change_sides(&mut self) {
        self.you = match self.you {
            Player::First => Player::Second,
            Player::Second => Player::First,
            Player::Both => Player::Both,
        };
    }

    /// The record of the game so far.
    pub fn record(&self) -> Record {
        let moves = self.moves.iter().map(|step| step.mv.clone()).collect();
        Record { game: self.now().game.clone(), start: self.start.clone(), moves }
    }

    /// Goes on with the game of a record instead.
    pub fn resume(&mut self, record: Record) -> anyhow::Result<()> {
        let game = &self.now().game;
        anyhow::ensure!(record.game == *game, "that is a game of {}, this is {game}", record.game);
        let reached = played(self.entry, Some(record.start), record.moves.iter().map(String::as_str))?;
        let resumed = Contest::new(self.entry, self.solved, reached, self.you)?;
        *self = resumed;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_alternate() {
        assert_eq!(Player::named("Second"), Some(Player::Second));
        assert_eq!(Player::named("b"), None);
        assert_eq!([0, 1, 2].map(|ply| Player::Second.moves_at(ply)), [false, true, false]);
        assert!([0, 1].iter().all(|&ply| Player::Both.moves_at(ply)));
    }
}
