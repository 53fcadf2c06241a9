//! The rules of Othello on a board of any shape: moves, passes, final scores, canonical form and position keys.

use kanzen::view::View;
use kanzen::{BadPosition, Colour, Game, Notation, Value};
use kanzen_core::rules::{Tag, Tags};

use super::flips::{Kernel, Portable};
use super::shape::Shape;
use super::text;

/// A position from the mover's view: own discs, the opponent's discs, and the colour to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The mover's discs.
    pub own: u64,
    /// The opponent's discs.
    pub others: u64,
    /// The colour to move. Black, `X`, moves first.
    pub to_move: Colour,
}

/// A turn: a disc on a square, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// A disc on the square with this number, counted along the rows from the top left.
    Put(u32),
    /// No square flips a disc: the opponent moves.
    Pass,
}

/// The arrangement of the four discs in the middle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// `OX/XO`: the standard start.
    Cross,
    /// `OO/XX`.
    Parallel,
}

/// Othello on a board of one shape.
///
/// ```
/// use kanzen::Game;
/// use kanzen_games::othello::{Othello, Start};
/// let game = Othello::new(4, 4, Start::Cross).unwrap();
/// assert_eq!(game.show(game.initial()), "..../.OX./.XO./.... X");
/// ```
pub struct Othello {
    shape: Shape,
    start: Start,
}

impl Othello {
    /// A board of at least 3 rows and 3 columns and at most 64 squares.
    pub fn new(rows: u32, columns: u32, start: Start) -> Option<Othello> {
        Some(Othello { shape: Shape::new(rows, columns)?, start })
    }

    /// How the game starts.
    pub fn start(&self) -> Start {
        self.start
    }

    /// The geometry of the board.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the position after a disc on `square`, or `None` if it flips nothing.
    fn put(&self, board: Position, square: u32) -> Option<Position> {
        let flips = Portable.flips(&self.shape, board.own, board.others, square);
        let own = board.own | flips | 1 << square;
        (flips != 0).then(|| Position { own: board.others & !flips, others: own, to_move: board.to_move.other() })
    }

    fn can_move(&self, own: u64, others: u64) -> bool {
        Portable.moves(&self.shape, own, others) != 0
    }
}

impl Game for Othello {
    type Position = Position;
    type Move = Move;
    type Key = u128;

    fn initial(&self) -> Position {
        // On a side of odd length the middle is rounded up and to the left.
        let (row, column) = (self.shape.rows / 2 - 1, self.shape.columns / 2 - 1);
        let disc = |down: u32, right: u32| 1u64 << ((row + down) * self.shape.columns + column + right);
        let own = match self.start {
            Start::Cross => disc(0, 1) | disc(1, 0),
            Start::Parallel => disc(1, 0) | disc(1, 1),
        };
        let others = (disc(0, 0) | disc(0, 1) | disc(1, 0) | disc(1, 1)) & !own;
        Position { own, others, to_move: Colour::Black }
    }

    fn moves(&self, board: Position, play: &mut impl FnMut(Move, Position)) {
        let mut none = true;
        for square in 0..self.shape.squares() {
            if (board.own | board.others) >> square & 1 == 0
                && let Some(next) = self.put(board, square)
            {
                play(Move::Put(square), next);
                none = false;
            }
        }
        if none {
            play(Move::Pass, Position { own: board.others, others: board.own, to_move: board.to_move.other() });
        }
    }

    fn ended(&self, board: Position) -> Option<Value> {
        self.final_score(board).map(Value::of_score)
    }

    fn final_score(&self, board: Position) -> Option<i16> {
        let over = !self.can_move(board.own, board.others) && !self.can_move(board.others, board.own);
        over.then(|| self.shape.final_score(board.own, board.others) as i16)
    }

    /// The least mirror image, with black to move.
    fn canonical(&self, board: Position) -> Position {
        let (own, others) = self.shape.canonical(board.own, board.others);
        Position { own, others, to_move: Colour::Black }
    }

    fn class(&self, board: Position) -> u32 {
        self.shape.empties(board.own, board.others).count_ones()
    }

    fn class_label(&self, class: u32) -> Vec<(&'static str, u32)> {
        vec![("discs", self.shape.squares() - class)]
    }

    fn known_tags(&self) -> Tags {
        Tags::of(&[Tag::Pass])
    }

    fn tags(&self, _: Position, turn: Move, _: Position) -> Tags {
        Tags::NONE.with_if(Tag::Pass, turn == Move::Pass)
    }

    fn passed(&self, board: Position) -> Option<Position> {
        Some(Position { own: board.others, others: board.own, to_move: board.to_move.other() })
    }

    fn has_passing(&self) -> bool {
        true
    }

    fn to_move(&self, board: Position) -> &'static str {
        text::letter(board.to_move)
    }

    fn show(&self, board: Position) -> String {
        text::show(&self.shape, board)
    }

    fn show_move(&self, _: Position, turn: Move) -> String {
        text::show_move(&self.shape, turn)
    }

    /// A base-3 digit for each square, and the side to move: 64 squares fit.
    fn pack(&self, board: Position) -> u128 {
        let digit = |square: u32| u128::from(board.own >> square & 1) + 2 * u128::from(board.others >> square & 1);
        let squares = (0..self.shape.squares()).fold(0, |key, square| 3 * key + digit(square));
        2 * squares + u128::from(board.to_move == Colour::White)
    }

    fn unpack(&self, key: u128) -> Position {
        let mut board = Position { own: 0, others: 0, to_move: [Colour::Black, Colour::White][(key & 1) as usize] };
        let mut squares = key >> 1;
        for square in (0..self.shape.squares()).rev() {
            match squares % 3 {
                1 => board.own |= 1 << square,
                2 => board.others |= 1 << square,
                _ => {}
            }
            squares /= 3;
        }
        board
    }
}

impl Notation for Othello {
    fn notation(&self) -> String {
        text::NOTATION.to_owned()
    }

    fn read(&self, text: &str) -> Result<Position, BadPosition> {
        text::read(&self.shape, text)
    }
}

impl kanzen::Board for Othello {
    /// Rows are numbered from the top.
    fn draw(&self, board: Position) -> String {
        text::draw(&self.shape, board)
    }

    fn view(&self) -> View {
        text::view(&self.shape)
    }
}
