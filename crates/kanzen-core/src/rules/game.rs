//! What the author of a game writes: its rules, and apart from them its text and its board.

use std::fmt::Debug;

use crate::rules::Tags;
use crate::rules::view::View;
use crate::vocabulary::{BadPosition, Key, Value};

/// A two-player game of perfect information: all that a solver needs.
///
/// Required: where it starts, which moves there are, and how a position packs into a number and back. The rest is optional.
/// A game whose positions people type is also a [`Notation`]; one that the command and the page show, a [`Board`].
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::Game;
///
/// /// Take one, two or three stones; the player who cannot take loses.
/// struct Stones { pile: u32 }
///
/// impl Game for Stones {
///     type Position = u32;
///     type Move = u32;
///     type Key = u32;
///
///     fn initial(&self) -> u32 { self.pile }
///
///     fn moves(&self, pile: u32, play: &mut impl FnMut(u32, u32)) {
///         for take in 1..=pile.min(3) {
///             play(take, pile - take);
///         }
///     }
///
///     fn pack(&self, pile: u32) -> u32 { pile }
///     fn unpack(&self, key: u32) -> u32 { key }
/// }
///
/// let mut moves = Vec::new();
/// Stones { pile: 2 }.moves(2, &mut |take, left| moves.push((take, left)));
/// assert_eq!(moves, [(1, 1), (2, 0)]);
/// ```
pub trait Game: Send + Sync {
    /// A position, the side to move included.
    type Position: Copy + Eq + Debug + Send + Sync;
    /// A move of the game, distinct from the other moves of its position.
    type Move: Copy + Debug + Send + Sync;
    /// The number a position packs into: `u32`, `u64` or `u128`.
    type Key: Key;

    /// Where the game starts.
    fn initial(&self) -> Self::Position;

    /// Every legal move with the position it leads to. Not called on a position that has [`ended`](Game::ended).
    fn moves(&self, position: Self::Position, play: &mut impl FnMut(Self::Move, Self::Position));

    /// The position as a number, different for each position.
    fn pack(&self, position: Self::Position) -> Self::Key;

    /// The position of a number that [`pack`](Game::pack) made.
    fn unpack(&self, key: Self::Key) -> Self::Position;

    /// The position in messages and in the fingerprint: its `Debug` form, unless the game has a notation.
    fn show(&self, position: Self::Position) -> String {
        format!("{position:?}")
    }

    /// The move in messages and in the fingerprint, such as `a1-b2`: its `Debug` form, unless the game has a notation.
    fn show_move(&self, _position: Self::Position, mv: Self::Move) -> String {
        format!("{mv:?}")
    }

    /// The name of the side to move.
    fn to_move(&self, _position: Self::Position) -> &'static str {
        "mover"
    }

    /// The mover's value where the game is over whatever moves the pieces could make.
    fn ended(&self, _position: Self::Position) -> Option<Value> {
        None
    }

    /// The mover's value of a position without moves: lost, unless the rules say otherwise.
    fn stuck(&self, _position: Self::Position) -> Value {
        Value::loss(0)
    }

    /// The mover's value if play never ends: a draw, unless the rules give it to a side. Then it is
    /// [`Value::UNTIMED_WIN`] or [`Value::UNTIMED_LOSS`], and in every position the same side's.
    fn endless(&self, _position: Self::Position) -> Value {
        Value::DRAW
    }

    /// The mover's score where the game is over, for games that count more than win and loss (discs in Othello).
    fn final_score(&self, _position: Self::Position) -> Option<i16> {
        None
    }

    /// One position that stands for all its mirror images, with the same value for its mover.
    fn canonical(&self, position: Self::Position) -> Self::Position {
        position
    }

    /// Whether a census counts this position. A finished game that the published counts leave out (a piece has
    /// walked off the board) returns false; such a position must have [`ended`](Game::ended).
    fn counted(&self, _position: Self::Position) -> bool {
        true
    }

    /// The material class: no move leads to a class with a higher number, so that classes are solved one by one.
    fn class(&self, _position: Self::Position) -> u32 {
        0
    }

    /// What a class is called in a census, such as `{"white": 5, "black": 4}`.
    fn class_label(&self, class: u32) -> Vec<(&'static str, u32)> {
        vec![("class", class)]
    }

    /// The mover's material less the opponent's, in pieces: 0 where nothing is ever taken. A class does not determine it,
    /// since colours may share one. Only a style of play that prefers to be ahead in a draw uses it.
    fn material(&self, _position: Self::Position) -> i32 {
        0
    }

    /// Positions to start from when all are listed. The initial one by default: then the positions of the game are
    /// those reachable from it. A game that counts every placement, reachable or not, names them all.
    fn roots(&self, visit: &mut impl FnMut(Self::Position)) {
        visit(self.initial());
    }

    /// The kinds of moves that queries over the database can distinguish
    /// ([`tags`](Game::tags)): none, unless the rules name some.
    fn known_tags(&self) -> Tags {
        Tags::NONE
    }

    /// Which of the [`known_tags`](Game::known_tags) a move from `position` to `child` has.
    ///
    /// Tags are for queries only: they are no part of the fingerprint, and a database stays what it is when a game
    /// names its moves better.
    fn tags(&self, _position: Self::Position, _mv: Self::Move, _child: Self::Position) -> Tags {
        Tags::NONE
    }

    /// The position if the mover could pass: the other side to move, nothing else changed. It detects
    /// zugzwang. Nothing where the rules give passing no meaning, or none in this position.
    fn passed(&self, _position: Self::Position) -> Option<Self::Position> {
        None
    }

    /// Whether [`passed`](Game::passed) means something in this game.
    fn has_passing(&self) -> bool {
        false
    }

    /// The positions from which a move leads here, if the game can tell: `true` when it has named them all
    /// (it may name more: positions that are not reachable, or more than once).
    fn unmoves(&self, _position: Self::Position, _visit: &mut impl FnMut(Self::Position)) -> bool {
        false
    }
}

/// A game whose positions people type and read.
///
/// Required: [`read`](Notation::read), the inverse of [`Game::show`]. `show` and `show_move` then write what people read.
pub trait Notation: Game {
    /// The position a text stands for, or an error message.
    fn read(&self, text: &str) -> Result<Self::Position, BadPosition>;

    /// How positions and moves are written, in a few sentences for people; empty, if examples suffice.
    fn notation(&self) -> String {
        String::new()
    }
}

/// A game with a picture of its board: what the command and the page show.
///
/// Nothing is required: `impl Board for MyGame {}` draws the rows of the text in the terminal, and has the page list the
/// moves as buttons.
pub trait Board: Notation {
    /// The position as a board for the terminal: the rows of its notation, unless the game draws a better one.
    fn draw(&self, position: Self::Position) -> String {
        crate::rules::drawing::board(&self.show(position))
    }

    /// The same board so many plies into a game. Where a position is seen by its mover and names no side, the number of
    /// plies decides whose pieces are whose, so that a player keeps one letter through the whole game. Elsewhere it
    /// changes nothing.
    fn draw_at(&self, position: Self::Position, _ply: u64) -> String {
        self.draw(position)
    }

    /// What the board looks like on a page, and how texts map to it: text only, unless the game declares more.
    fn view(&self) -> View {
        View::text()
    }
}

/// A move and where it leads.
pub type Successor<G> = (<G as Game>::Move, <G as Game>::Position);
