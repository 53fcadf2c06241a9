//! The rules.

use kanzen::rules::{Tag, Tags};
use kanzen::view::View;
use kanzen::{BadPosition, Game, Value};

use super::board::{Board, image};
use super::{text, view};

/// Sixteen Musashi on one of its boards.
///
/// Brown begins. A turn moves one piece along a line to an adjacent empty point. When black has moved, every pair of
/// brown pieces on opposite sides of black's new point is removed, all pairs at once. Black to move and stuck: brown
/// wins. Brown stuck, or a position that comes back: black wins.
#[derive(Clone, Debug)]
pub struct Musashi {
    board: Board,
}

/// A position: black's point, brown's points, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// Black's point.
    pub black: u8,
    /// Brown's points, a bit each.
    pub brown: u64,
    /// Whether it is brown's turn.
    pub brown_to_move: bool,
}

/// A step from one point to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// Where the piece was.
    pub from: u8,
    /// Where it is now.
    pub to: u8,
}

impl Musashi {
    /// The game on the board of 25, 31 or 33 points.
    pub fn new(points: usize) -> Option<Musashi> {
        Board::of_points(points).map(Musashi::on)
    }

    /// The game on any board.
    pub fn on(board: Board) -> Musashi {
        Musashi { board }
    }

    /// The board that the game is played on: points, lines and captures.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What is left of brown when black has moved to a point.
    pub fn captured(&self, brown: u64, black: u8) -> u64 {
        let pairs = self.board.captures(black).iter().map(|&(p, q)| 1 << p | 1 << q);
        pairs.filter(|pair| brown & pair == *pair).fold(brown, |left, pair: u64| left & !pair)
    }

    /// What brown can have had when black moved to a point and left this: with each choice of empty pairs across it.
    fn uncaptured(&self, left: u64, black: u8, mut visit: impl FnMut(u64)) {
        let pairs = self.board.captures(black).iter().map(|&(p, q)| 1 << p | 1 << q);
        let empty: Vec<u64> = pairs.filter(|pair| left & pair == 0).collect();
        for chosen in 0..1u32 << empty.len() {
            let taken = (0..).zip(&empty).filter(|(n, _)| chosen >> n & 1 == 1).fold(0, |all, (_, pair)| all | pair);
            if self.captured(left | taken, black) == left {
                visit(left | taken);
            }
        }
    }
}

impl Game for Musashi {
    type Position = Position;
    type Move = Move;
    type Key = u64;

    fn initial(&self) -> Position {
        Position { black: self.board.initial_black(), brown: self.board.initial_brown(), brown_to_move: true }
    }

    fn moves(&self, position: Position, play: &mut impl FnMut(Move, Position)) {
        let Position { black, brown, brown_to_move } = position;
        let empty = |&to: &u8| to != black && brown >> to & 1 == 0;
        if !brown_to_move {
            for to in self.board.neighbours(black).iter().copied().filter(empty) {
                let left = self.captured(brown, to);
                play(Move { from: black, to }, Position { black: to, brown: left, brown_to_move: true });
            }
            return;
        }
        for from in (0..self.board.points() as u8).filter(|from| brown >> from & 1 == 1) {
            for to in self.board.neighbours(from).iter().copied().filter(empty) {
                let moved = brown & !(1 << from) | 1 << to;
                play(Move { from, to }, Position { black, brown: moved, brown_to_move: false });
            }
        }
    }

    fn unmoves(&self, position: Position, visit: &mut impl FnMut(Position)) -> bool {
        let Position { black, brown, brown_to_move } = position;
        let empty = |&from: &u8| from != black && brown >> from & 1 == 0;
        if brown_to_move {
            for from in self.board.neighbours(black).iter().copied().filter(empty) {
                self.uncaptured(brown, black, |before| {
                    if before >> from & 1 == 0 {
                        visit(Position { black: from, brown: before, brown_to_move: false });
                    }
                });
            }
            return true;
        }
        for to in (0..self.board.points() as u8).filter(|to| brown >> to & 1 == 1) {
            for from in self.board.neighbours(to).iter().copied().filter(empty) {
                visit(Position { black, brown: brown & !(1 << to) | 1 << from, brown_to_move: true });
            }
        }
        true
    }

    fn known_tags(&self) -> Tags {
        Tags::of(&[Tag::Takes])
    }

    fn tags(&self, position: Position, _: Move, child: Position) -> Tags {
        Tags::NONE.with_if(Tag::Takes, child.brown.count_ones() < position.brown.count_ones())
    }

    fn passed(&self, position: Position) -> Option<Position> {
        Some(Position { brown_to_move: !position.brown_to_move, ..position })
    }

    fn has_passing(&self) -> bool {
        true
    }

    fn show(&self, position: Position) -> String {
        text::show(&self.board, position)
    }

    fn draw(&self, position: Position) -> String {
        kanzen::drawing::points(&self.view(), &self.show(position))
    }

    fn notation(&self) -> String {
        text::NOTATION.to_owned()
    }

    fn view(&self) -> View {
        view::view(&self.board)
    }

    fn read(&self, text: &str) -> Result<Position, BadPosition> {
        text::read(&self.board, text)
    }

    fn show_move(&self, _: Position, step: Move) -> String {
        format!("{}-{}", text::square(&self.board, step.from), text::square(&self.board, step.to))
    }

    // Brown's points below, then the side to move, then black's point.
    fn pack(&self, position: Position) -> u64 {
        position.brown | u64::from(position.brown_to_move) << 40 | u64::from(position.black) << 41
    }

    fn unpack(&self, key: u64) -> Position {
        Position { black: (key >> 41) as u8, brown: key & ((1 << 40) - 1), brown_to_move: key >> 40 & 1 == 1 }
    }

    fn to_move(&self, position: Position) -> &'static str {
        if position.brown_to_move { "o" } else { "X" }
    }

    // Brown without a move has lost, but like every win of black's it has no distance.
    fn stuck(&self, position: Position) -> Value {
        if position.brown_to_move { Value::UNTIMED_LOSS } else { Value::loss(0) }
    }

    fn endless(&self, position: Position) -> Value {
        if position.brown_to_move { Value::UNTIMED_LOSS } else { Value::UNTIMED_WIN }
    }

    fn canonical(&self, position: Position) -> Position {
        let images = self.board.symmetries().iter().map(|symmetry| Position {
            black: symmetry[usize::from(position.black)],
            brown: image(position.brown, symmetry),
            ..position
        });
        images.min().unwrap_or(position)
    }

    fn class(&self, position: Position) -> u32 {
        position.brown.count_ones()
    }

    fn class_label(&self, class: u32) -> Vec<(&'static str, u32)> {
        vec![("brown", class)]
    }

    fn material(&self, position: Position) -> i32 {
        let brown = position.brown.count_ones() as i32;
        if position.brown_to_move { brown } else { -brown }
    }

    fn roots(&self, visit: &mut impl FnMut(Position)) {
        for black in 0..self.board.points() as u8 {
            for brown in (0..1u64 << self.board.points()).filter(|brown| brown >> black & 1 == 0) {
                for brown_to_move in [false, true] {
                    visit(Position { black, brown, brown_to_move });
                }
            }
        }
    }
}
