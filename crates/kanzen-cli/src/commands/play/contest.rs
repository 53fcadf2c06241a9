//! A game in progress: the positions so far, and who plays which side.

use kanzen::Error;
use kanzen::catalogue::Solved;
use kanzen::query::{Probe, ProbedMove};

use super::opponent::Computer;

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
    /// The position of a text, or the initial one.
    pub fn of(solved: &dyn Solved, position: Option<&str>) -> Result<Shown, Error> {
        let position = solved.at(position)?;
        Ok(Shown { probe: position.probe()?, board: position.draw() })
    }
}

/// A game in progress.
pub struct Contest<'a> {
    solved: &'a dyn Solved,
    /// The positions so far, the one now last; never empty.
    history: Vec<Shown>,
    you: Player,
}

impl<'a> Contest<'a> {
    /// A game from a position.
    pub fn new(solved: &'a dyn Solved, start: Shown, you: Player) -> Contest<'a> {
        Contest { solved, history: vec![start], you }
    }

    /// The position now, with its moves.
    pub fn now(&self) -> &Probe {
        &self.shown().probe
    }

    /// The position now, drawn.
    pub fn board(&self) -> &str {
        &self.shown().board
    }

    fn shown(&self) -> &Shown {
        self.history.last().expect("there is always a position")
    }

    /// How many moves were made.
    pub fn plies(&self) -> usize {
        self.history.len() - 1
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
        self.history[..self.plies()].iter().any(|earlier| earlier.probe.position == self.now().position)
    }

    /// The move of a text: as it is listed, or but for capitals if that is clear.
    pub fn choice(&self, text: &str) -> Option<&ProbedMove> {
        let moves = &self.now().moves;
        if let Some(exact) = moves.iter().find(|choice| choice.mv == text) {
            return Some(exact);
        }
        let mut alike = moves.iter().filter(|choice| choice.mv.eq_ignore_ascii_case(text));
        alike.next().filter(|_| alike.next().is_none())
    }

    /// The computer's move.
    pub fn reply(&self, computer: &Computer) -> Result<Option<ProbedMove>, Error> {
        let positions: Vec<&str> = self.history.iter().map(|shown| shown.probe.position.as_str()).collect();
        computer.reply(self.solved, &positions)
    }

    /// Goes on to the position that a move leads to.
    pub fn advance(&mut self, position: &str) -> Result<(), Error> {
        self.history.push(Shown::of(self.solved, Some(position))?);
        Ok(())
    }

    /// Takes back your last move and what came after it; `false` if you have not moved yet.
    pub fn undo(&mut self) -> bool {
        let yours = (0..self.plies()).rev().find(|&ply| self.you.moves_at(ply));
        if let Some(ply) = yours {
            self.history.truncate(ply + 1);
        }
        yours.is_some()
    }

    /// Changes sides; who plays both keeps them.
    pub fn change_sides(&mut self) {
        self.you = match self.you {
            Player::First => Player::Second,
            Player::Second => Player::First,
            Player::Both => Player::Both,
        };
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
