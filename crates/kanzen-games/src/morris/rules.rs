//! The rules of N men's morris.

use std::sync::Arc;

use kanzen::view::View;
use kanzen::{BadPosition, Colour, Game, Notation, Value};
use kanzen_core::rules::{Tag, Tags};

use super::board::Board;
use super::text;

/// One side's pieces: on the board as a mask of points, and in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Men {
    /// Pieces on the board.
    pub board: u32,
    /// Pieces in hand.
    pub hand: u32,
}

impl Men {
    /// Returns the number of pieces on the board and in hand.
    pub fn count(self) -> u32 {
        self.board.count_ones() + self.hand
    }
}

/// A position: both sides' pieces and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The side to move. White places first.
    pub to_move: Colour,
    /// The pieces of the side to move.
    pub mover: Men,
    /// The pieces of the other side.
    pub opponent: Men,
}

impl Position {
    /// Returns the pieces of a side.
    pub fn of(self, side: Colour) -> Men {
        if side == self.to_move { self.mover } else { self.opponent }
    }

    /// Returns the pieces of both sides that are still to be placed.
    pub fn in_hand(self) -> u32 {
        self.mover.hand + self.opponent.hand
    }
}

/// A placement or a move, and the piece it takes.
#[derive(Clone, Copy, Debug)]
pub struct Play {
    /// The origin, or `None` if the piece is placed from the hand.
    pub from: Option<u32>,
    /// The target.
    pub to: u32,
    /// The enemy piece taken, if a mill is closed.
    pub take: Option<u32>,
}

/// Three, five, six, seven, nine, eleven or twelve men's morris.
#[derive(Clone, Debug)]
pub struct Morris {
    men: u32,
    board: Arc<Board>,
}

impl Morris {
    /// The numbers of men for which there is a game.
    pub const MEN: [u32; 7] = [3, 5, 6, 7, 9, 11, 12];

    /// Returns the game with `men` men a side, if there is one.
    ///
    /// ```
    /// use kanzen_games::morris::Morris;
    /// assert!(Morris::new(9).is_some());
    /// assert!(Morris::new(8).is_none());
    /// ```
    pub fn new(men: u32) -> Option<Morris> {
        Some(Morris { men, board: Arc::new(Board::of(men)?) })
    }

    /// Returns the number of men a side.
    pub fn men(&self) -> u32 {
        self.men
    }

    /// Returns the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether a side with three men may fly.
    pub fn has_flying(&self) -> bool {
        self.men >= 9
    }

    /// Whether a side with `men` men on the board and none in hand flies.
    pub fn flies(&self, men: u32) -> bool {
        self.has_flying() && men == 3
    }

    /// Whether positions without men in hand have the same moves in another game, as far as both have that many men.
    pub fn moves_like(&self, other: &Morris) -> bool {
        let lines = |game: &Morris| (game.board.points, game.board.mills, game.board.neighbours.clone());
        self.has_flying() == other.has_flying() && lines(self) == lines(other)
    }

    /// Plays a placement or a move, once per piece that it may take.
    fn plays(&self, position: Position, from: Option<u32>, to: u32, play: &mut impl FnMut(Play, Position)) {
        let Position { to_move, mover, opponent } = position;
        let others = from.map_or(mover.board, |from| mover.board ^ 1 << from);
        let hand = if from.is_none() { mover.hand - 1 } else { mover.hand };
        let moved = Men { board: others | 1 << to, hand };
        let mut reply = |take: Option<u32>| {
            let left = Men { board: take.map_or(opponent.board, |point| opponent.board ^ 1 << point), ..opponent };
            play(Play { from, to, take }, Position { to_move: to_move.other(), mover: left, opponent: moved });
        };
        let takes = if self.board.closes(others, to) { self.board.removable(opponent.board) } else { 0 };
        if takes == 0 {
            return reply(None);
        }
        self.board.in_order(takes).for_each(|point| reply(Some(point)));
    }

    fn image(&self, position: Position, symmetry: &kanzen_core::index::Permutation) -> Position {
        let map = |men: Men| Men { board: symmetry.apply(men.board.into()) as u32, ..men };
        Position { mover: map(position.mover), opponent: map(position.opponent), ..position }
    }
}

impl Game for Morris {
    type Position = Position;
    type Move = Play;
    type Key = u64;

    fn initial(&self) -> Position {
        let men = Men { board: 0, hand: self.men };
        Position { to_move: Colour::White, mover: men, opponent: men }
    }

    fn moves(&self, position: Position, play: &mut impl FnMut(Play, Position)) {
        let own = position.mover;
        let empty = self.board.all() & !(own.board | position.opponent.board);
        if own.hand > 0 {
            return self.board.in_order(empty).for_each(|to| self.plays(position, None, to, play));
        }
        for from in self.board.in_order(own.board) {
            let reach = if self.flies(own.count()) { empty } else { self.board.neighbours[from as usize] & empty };
            self.board.in_order(reach).for_each(|to| self.plays(position, Some(from), to, play));
        }
    }

    /// A side that cannot have three men any more loses, and so does a side without a move, but a full board is a draw.
    fn ended(&self, position: Position) -> Option<Value> {
        if position.mover.count() < 3 {
            return Some(Value::loss(0));
        }
        if position.opponent.count() < 3 {
            return Some(Value::win(0));
        }
        let full = position.mover.board | position.opponent.board == self.board.all();
        (full && position.in_hand() == 0).then_some(Value::DRAW)
    }

    /// Published counts include only boards with three or more men a side.
    fn counted(&self, position: Position) -> bool {
        position.mover.count() >= 3 && position.opponent.count() >= 3
    }

    fn canonical(&self, position: Position) -> Position {
        // With pieces in hand, their number determines the side to move.
        let to_move = if position.in_hand() == 0 { Colour::White } else { position.to_move };
        let position = Position { to_move, ..position };
        let both_fly = position.in_hand() == 0
            && self.flies(position.mover.board.count_ones())
            && self.flies(position.opponent.board.count_ones());
        let symmetries = if both_fly { &self.board.flying_symmetries } else { &self.board.symmetries };
        let images = symmetries.symmetries().iter().map(|symmetry| self.image(position, symmetry));
        images.min_by_key(|image| (image.opponent.board, image.mover.board)).expect("the identity is a symmetry")
    }

    fn class(&self, position: Position) -> u32 {
        let (own, other) = (position.mover.board.count_ones(), position.opponent.board.count_ones());
        // Placing lowers the first part. Later, taking lowers the sum, and nothing else changes the counts.
        let material = if position.in_hand() > 0 { own * 32 + other } else { (own + other) * 32 + own.max(other) };
        position.in_hand() << 10 | material
    }

    fn class_label(&self, class: u32) -> Vec<(&'static str, u32)> {
        let (in_hand, high, low) = (class >> 10, class >> 5 & 31, class & 31);
        match in_hand {
            0 => vec![("white", low), ("black", high - low)],
            _ => vec![("in_hand", in_hand), ("mover", high), ("opponent", low)],
        }
    }

    fn known_tags(&self) -> Tags {
        Tags::of(&[Tag::Takes, Tag::Drop, Tag::Mill]).with_if(Tag::Flies, self.has_flying())
    }

    fn tags(&self, position: Position, play: Play, child: Position) -> Tags {
        let others = child.opponent.board ^ 1 << play.to;
        Tags::NONE
            .with_if(Tag::Takes, play.take.is_some())
            .with_if(Tag::Mill, self.board.closes(others, play.to))
            .with_if(Tag::Drop, play.from.is_none())
            .with_if(Tag::Flies, play.from.is_some() && self.flies(position.mover.count()))
    }

    /// While men are placed, their number determines the side to move: no side can pass.
    fn passed(&self, position: Position) -> Option<Position> {
        let Position { to_move, mover, opponent } = position;
        let other = Position { to_move: to_move.other(), mover: opponent, opponent: mover };
        (position.in_hand() == 0).then_some(other)
    }

    fn has_passing(&self) -> bool {
        true
    }

    fn material(&self, position: Position) -> i32 {
        position.mover.count() as i32 - position.opponent.count() as i32
    }

    fn to_move(&self, position: Position) -> &'static str {
        position.to_move.letter()
    }

    /// Every placement that the piece counts allow is a root, reachable or not.
    fn roots(&self, visit: &mut impl FnMut(Position)) {
        for in_hand in 0..=2 * self.men {
            let (mover_hand, opponent_hand) = (in_hand.div_ceil(2), in_hand / 2);
            let to_move = Colour::of_bit(in_hand % 2 == 0);
            for own in 0..=self.board.all() {
                let mover = Men { board: own, hand: mover_hand };
                let free = self.board.all() & !own;
                let mut other = free;
                while mover.count() <= self.men {
                    let opponent = Men { board: other, hand: opponent_hand };
                    let position = Position { to_move, mover, opponent };
                    if opponent.count() <= self.men && self.counted(position) {
                        visit(position);
                    }
                    if other == 0 {
                        break;
                    }
                    other = (other - 1) & free;
                }
            }
        }
    }

    fn show(&self, position: Position) -> String {
        text::show(self, position)
    }

    fn show_move(&self, _: Position, play: Play) -> String {
        text::show_play(self, play)
    }

    fn pack(&self, position: Position) -> u64 {
        let side = u64::from(position.to_move == Colour::White);
        let [mover, opponent] =
            [position.mover, position.opponent].map(|men| u64::from(men.hand) << 24 | u64::from(men.board));
        side << 56 | opponent << 28 | mover
    }

    fn unpack(&self, key: u64) -> Position {
        let men = |bits: u64| Men { board: bits as u32 & 0xff_ffff, hand: (bits >> 24) as u32 & 15 };
        let to_move = Colour::of_bit(key >> 56 == 1);
        Position { to_move, mover: men(key), opponent: men(key >> 28) }
    }
}

impl Notation for Morris {
    fn notation(&self) -> String {
        text::NOTATION.to_owned()
    }

    fn read(&self, text: &str) -> Result<Position, BadPosition> {
        text::read(self, text)
    }
}

impl kanzen::Board for Morris {
    fn draw(&self, position: Position) -> String {
        text::draw(self, position)
    }

    fn view(&self) -> View {
        text::view(self)
    }
}
