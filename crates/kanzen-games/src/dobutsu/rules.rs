//! The rules of animal shogi.

use kanzen::index::points;
use kanzen::rules::{Tag, Tags};
use kanzen::view::View;
use kanzen::{BadPosition, Colour, Game, Value};

use super::board::{COLUMNS, Kind, Piece, Position, SQUARES, far_row};
use super::{text, view};

/// Animal shogi on its board of three columns and four rows.
pub struct Dobutsu;

/// A move: a step on the board, or a drop from the hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// From square to square.
    Step(usize, usize),
    /// An animal from the hand to a square.
    Drop(Kind, usize),
}

/// Where an animal of a side steps to from a square.
fn targets(piece: Piece, square: usize) -> impl Iterator<Item = usize> {
    points(piece.reach(square).into()).map(|square| square as usize)
}

/// Whether an animal on a square could step to another.
fn reaches(piece: Piece, from: usize, to: usize) -> bool {
    piece.reach(from) >> to & 1 == 1
}

/// Every step of the mover, whatever stands on the target (not an own animal).
fn steps(board: &Position, visit: &mut impl FnMut(Piece, usize, usize)) {
    for (from, piece) in board.squares.iter().enumerate() {
        let Some(piece) = piece.filter(|piece| piece.side == board.to_move) else { continue };
        for to in targets(piece, from) {
            if board.squares[to].is_none_or(|other| other.side != board.to_move) {
                visit(piece, from, to);
            }
        }
    }
}

fn stepped(board: &Position, piece: Piece, from: usize, to: usize) -> Position {
    let mut next = *board;
    next.to_move = board.to_move.other();
    next.squares[from] = None;
    let reaches_end = to / COLUMNS == far_row(piece.side);
    let kind = if piece.kind == Kind::Chick && reaches_end { Kind::Hen } else { piece.kind };
    next.squares[to] = Some(Piece { kind, ..piece });
    if let Some(taken) = board.squares[to] {
        let as_held = if taken.kind == Kind::Hen { Kind::Chick } else { taken.kind };
        if let Some(held) = Kind::IN_HAND.iter().position(|kind| *kind == as_held) {
            next.hands[piece.side as usize][held] += 1;
        }
    }
    next
}

/// Whether the mover can take the other lion.
fn lion_can_be_taken(board: &Position) -> bool {
    board.lion(board.to_move.other()).is_some_and(|lion| attackers(board, board.to_move, lion) != 0)
}

/// The squares from which a side's animals could step to a square, as a mask.
fn attackers(board: &Position, side: Colour, square: usize) -> u16 {
    let attacks = |&(from, piece): &(usize, &Option<Piece>)| {
        piece.is_some_and(|piece| piece.side == side && reaches(piece, from, square))
    };
    board.squares.iter().enumerate().filter(attacks).fold(0, |mask, (from, _)| mask | 1 << from)
}

/// The squares that the animal on `to` may have stepped from last, and what it was there.
fn origins(board: &Position, piece: Piece, to: usize, visit: &mut impl FnMut(Piece, usize)) {
    let on_far_row = to / COLUMNS == far_row(piece.side);
    let before = match piece.kind {
        Kind::Chick if on_far_row => [None, None], // it would be a hen: it was dropped there
        Kind::Hen if on_far_row => [Some(Kind::Hen), Some(Kind::Chick)],
        other => [Some(other), None],
    };
    for kind in before.into_iter().flatten() {
        let piece = Piece { kind, ..piece };
        // Steps are alike to both hands, so those of the other side lead back.
        let back = Piece { side: piece.side.other(), kind };
        targets(back, to).filter(|&from| board.squares[from].is_none()).for_each(|from| visit(piece, from));
    }
}

/// The boards before `piece` stepped from one square to another: it has taken nothing, or something its player holds.
fn stepped_back(board: &Position, piece: Piece, from: usize, to: usize, visit: &mut impl FnMut(Position)) {
    let mut before = Position { to_move: piece.side, ..*board };
    before.squares[from] = Some(piece);
    before.squares[to] = None;
    visit(before);
    for (held, kind) in Kind::IN_HAND.into_iter().enumerate() {
        if board.hands[piece.side as usize][held] == 0 {
            continue;
        }
        before.hands[piece.side as usize][held] -= 1;
        for kind in [kind, Kind::Hen].into_iter().take(if kind == Kind::Chick { 2 } else { 1 }) {
            before.squares[to] = Some(Piece { side: board.to_move, kind });
            visit(before);
        }
        before.hands[piece.side as usize][held] += 1;
    }
}

impl Game for Dobutsu {
    type Position = Position;
    type Move = Action;
    type Key = u64;

    fn initial(&self) -> Position {
        text::read("gle/.c./.C./ELG b -").expect("the initial position is written correctly")
    }

    /// A lion that can be taken is taken: the other moves of such a position are not listed, as in Tanaka's count.
    fn moves(&self, board: Position, play: &mut impl FnMut(Action, Position)) {
        let other_lion = board.lion(board.to_move.other());
        let catching = lion_can_be_taken(&board);
        steps(&board, &mut |piece, from, to| {
            if !catching || Some(to) == other_lion {
                play(Action::Step(from, to), stepped(&board, piece, from, to));
            }
        });
        if catching {
            return;
        }
        let side = board.to_move;
        for (held, kind) in Kind::IN_HAND.into_iter().enumerate() {
            if board.hands[side as usize][held] == 0 {
                continue;
            }
            for square in (0..SQUARES).filter(|&square| board.squares[square].is_none()) {
                let mut next = Position { to_move: side.other(), ..board };
                next.squares[square] = Some(Piece { side, kind });
                next.hands[side as usize][held] -= 1;
                play(Action::Drop(kind, square), next);
            }
        }
    }

    /// Lost: the own lion is taken, or the other lion stands on its far row and cannot be taken.
    fn ended(&self, board: Position) -> Option<Value> {
        let (mover, other) = (board.to_move, board.to_move.other());
        if board.lion(mover).is_none() {
            return Some(Value::loss(0));
        }
        let arrived = board.lion(other).is_some_and(|lion| lion / COLUMNS == far_row(other));
        (arrived && !lion_can_be_taken(&board)).then_some(Value::loss(0))
    }

    /// A board without a lion is the end of a game, not a position of it.
    fn counted(&self, board: Position) -> bool {
        board.lion(board.to_move).is_some()
    }

    /// The first player to move, and the smaller of the two mirror images.
    /// Animals on the board and in hand; a hen counts as the chick that it is when it is taken.
    fn material(&self, board: Position) -> i32 {
        let owned = |side: Colour, hand: &[u8; 3]| {
            let standing = board.squares.iter().flatten().filter(|piece| piece.side == side).count();
            standing as i32 + hand.iter().map(|&animals| i32::from(animals)).sum::<i32>()
        };
        let [black, white] = [owned(Colour::Black, &board.hands[0]), owned(Colour::White, &board.hands[1])];
        if board.to_move == Colour::Black { black - white } else { white - black }
    }

    fn canonical(&self, board: Position) -> Position {
        let seen_by_mover = if board.to_move == Colour::Black { board } else { board.turned() };
        // Squares rank as their digits in the key do.
        let mirrored = seen_by_mover.mirrored();
        if mirrored.squares < seen_by_mover.squares { mirrored } else { seen_by_mover }
    }

    /// Steps and drops taken back. In the position before, nobody could take the mover's lion, or it would have been
    /// taken; nor had that lion arrived on its far row.
    fn unmoves(&self, board: Position, visit: &mut impl FnMut(Position)) -> bool {
        let (mover, last) = (board.to_move, board.to_move.other());
        let unmoved = Position { to_move: last, ..board };
        let moved = board.squares.iter().enumerate().filter_map(|(to, piece)| Some((to, (*piece)?)));
        let moved = moved.filter(|(_, piece)| piece.side == last);
        let Some(lion) = board.lion(mover) else {
            for (to, piece) in moved {
                origins(&board, piece, to, &mut |piece, from| {
                    let mut before = unmoved;
                    before.squares[from] = Some(piece);
                    before.squares[to] = Some(Piece { side: mover, kind: Kind::Lion });
                    visit(before);
                });
            }
            return true;
        };
        if lion / COLUMNS == far_row(mover) {
            return true;
        }
        let attackers = attackers(&board, last, lion);
        for (to, piece) in moved.filter(|(to, _)| attackers & !(1 << to) == 0) {
            origins(&board, piece, to, &mut |piece, from| {
                if !reaches(piece, from, lion) {
                    stepped_back(&board, piece, from, to, visit);
                }
            });
            if let Some(held) = Kind::IN_HAND.iter().position(|kind| *kind == piece.kind) {
                let mut before = unmoved;
                before.squares[to] = None;
                before.hands[last as usize][held] += 1;
                visit(before);
            }
        }
        true
    }

    fn known_tags(&self) -> Tags {
        Tags::of(&[Tag::Takes, Tag::Drop, Tag::Promotes])
    }

    fn tags(&self, board: Position, action: Action, child: Position) -> Tags {
        match action {
            Action::Drop(..) => Tags::of(&[Tag::Drop]),
            Action::Step(from, to) => {
                let kind = |square: Option<Piece>| square.map(|piece| piece.kind);
                Tags::NONE
                    .with_if(Tag::Takes, board.squares[to].is_some())
                    .with_if(Tag::Promotes, kind(board.squares[from]) != kind(child.squares[to]))
            }
        }
    }

    fn passed(&self, board: Position) -> Option<Position> {
        Some(Position { to_move: board.to_move.other(), ..board })
    }

    fn has_passing(&self) -> bool {
        true
    }

    fn to_move(&self, board: Position) -> &'static str {
        board.to_move.letter()
    }

    fn show(&self, board: Position) -> String {
        text::show(&board)
    }

    fn notation(&self) -> String {
        text::NOTATION.to_owned()
    }

    fn view(&self) -> View {
        view::view()
    }

    fn read(&self, text: &str) -> Result<Position, BadPosition> {
        text::read(text)
    }

    fn show_move(&self, _: Position, action: Action) -> String {
        text::show_action(action)
    }

    /// Side, squares in base 11, and what the first player holds in base 3; the second holds what is left.
    fn pack(&self, board: Position) -> u64 {
        let mut key = board.to_move as u64;
        for square in board.squares {
            let digit = square.map_or(0, |piece| 1 + 5 * piece.side as u64 + piece.kind as u64);
            key = 11 * key + digit;
        }
        board.hands[0].iter().fold(key, |key, held| 3 * key + u64::from(*held))
    }

    fn unpack(&self, key: u64) -> Position {
        let mut rest = key;
        let mut digit = |base: u64| {
            let digit = rest % base;
            rest /= base;
            digit
        };
        let mut held = [0; 3];
        for count in held.iter_mut().rev() {
            *count = digit(3) as u8;
        }
        let mut squares = [None; SQUARES];
        let mut left = [2u8; 3];
        for square in squares.iter_mut().rev() {
            let code = digit(11) as usize;
            if code > 0 {
                let side = if code <= 5 { Colour::Black } else { Colour::White };
                let kind = Kind::ALL[(code - 1) % 5];
                *square = Some(Piece { side, kind });
                match kind {
                    Kind::Lion => {}
                    Kind::Giraffe => left[0] = left[0].saturating_sub(1),
                    Kind::Elephant => left[1] = left[1].saturating_sub(1),
                    Kind::Chick | Kind::Hen => left[2] = left[2].saturating_sub(1),
                }
            }
        }
        let to_move = if digit(2) == 0 { Colour::Black } else { Colour::White };
        let others = [0, 1, 2].map(|kind: usize| left[kind].saturating_sub(held[kind]));
        Position { squares, hands: [held, others], to_move }
    }
}
