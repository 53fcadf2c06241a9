//! A plain implementation of the rules on an array of squares, the reference for the packed word.

use kanzen::{Colour, Game, Value};

use super::super::board::{COLUMNS, Piece, SQUARES, far_row};
use super::super::{Action, Dobutsu, Kind, Position, Squares};

/// A position as an array of squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Board {
    pub squares: [Option<Piece>; SQUARES],
    pub hands: [[u8; 3]; 2],
    pub to_move: Colour,
}

impl Board {
    pub fn of(position: Position) -> Board {
        let mut squares = [None; SQUARES];
        squares.iter_mut().zip(position.squares.each()).for_each(|(to, from)| *to = from);
        Board { squares, hands: position.hands, to_move: position.to_move }
    }

    pub fn position(self) -> Position {
        let squares = (0..SQUARES).fold(Squares::default(), |all, at| all.with(at, self.squares[at]));
        Position { squares, hands: self.hands, to_move: self.to_move }
    }

    pub fn lion(&self, side: Colour) -> Option<usize> {
        self.squares.iter().position(|square| *square == Some(Piece { side, kind: Kind::Lion }))
    }

    /// Rotates the board by 180 degrees and exchanges the sides.
    pub fn turned(&self) -> Board {
        let mut turned = *self;
        turned.squares.reverse();
        for piece in turned.squares.iter_mut().flatten() {
            piece.side = piece.side.other();
        }
        turned.hands.reverse();
        turned.to_move = self.to_move.other();
        turned
    }

    /// Mirrors the board left to right.
    pub fn mirrored(&self) -> Board {
        let mut mirrored = *self;
        for row in mirrored.squares.chunks_mut(COLUMNS) {
            row.reverse();
        }
        mirrored
    }
}

/// The squares that a piece attacks, ascending.
fn targets(piece: Piece, square: usize) -> impl Iterator<Item = usize> {
    let (square, forward) = (square as isize, if piece.side == Colour::Black { -1 } else { 1 });
    let steps = piece.kind.steps().iter().filter_map(move |(ahead, right)| {
        let (row, column) = (square / 3 + forward * ahead, square % 3 + right);
        ((0..4).contains(&row) && (0..3).contains(&column)).then_some((3 * row + column) as usize)
    });
    let mut targets: Vec<usize> = steps.collect();
    targets.sort_unstable();
    targets.into_iter()
}

fn reaches(piece: Piece, from: usize, to: usize) -> bool {
    targets(piece, from).any(|target| target == to)
}

/// Visits every step of the mover, captures included.
fn steps(board: &Board, visit: &mut impl FnMut(Piece, usize, usize)) {
    for (from, piece) in board.squares.iter().enumerate() {
        let Some(piece) = piece.filter(|piece| piece.side == board.to_move) else { continue };
        for to in targets(piece, from) {
            if board.squares[to].is_none_or(|other| other.side != board.to_move) {
                visit(piece, from, to);
            }
        }
    }
}

fn stepped(board: &Board, piece: Piece, from: usize, to: usize) -> Board {
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

fn lion_can_be_taken(board: &Board) -> bool {
    board.lion(board.to_move.other()).is_some_and(|lion| attackers(board, board.to_move, lion) != 0)
}

/// The squares from which animals of `side` attack `square`, as a mask.
fn attackers(board: &Board, side: Colour, square: usize) -> u16 {
    let attacks = |&(from, piece): &(usize, &Option<Piece>)| {
        piece.is_some_and(|piece| piece.side == side && reaches(piece, from, square))
    };
    board.squares.iter().enumerate().filter(attacks).fold(0, |mask, (from, _)| mask | 1 << from)
}

/// Visits the squares that the animal on `to` may have stepped from, with its kind before the step.
fn origins(board: &Board, piece: Piece, to: usize, visit: &mut impl FnMut(Piece, usize)) {
    let on_far_row = to / COLUMNS == far_row(piece.side);
    let before = match piece.kind {
        Kind::Chick if on_far_row => [None, None], // a step would have promoted it: it was dropped there
        Kind::Hen if on_far_row => [Some(Kind::Hen), Some(Kind::Chick)],
        other => [Some(other), None],
    };
    for kind in before.into_iter().flatten() {
        let piece = Piece { kind, ..piece };
        // Steps are symmetric left to right, so the other side's steps are the reverse steps.
        let back = Piece { side: piece.side.other(), kind };
        targets(back, to).filter(|&from| board.squares[from].is_none()).for_each(|from| visit(piece, from));
    }
}

/// Visits the boards before `piece` stepped from one square to another.
fn stepped_back(board: &Board, piece: Piece, from: usize, to: usize, visit: &mut impl FnMut(Board)) {
    let mut before = Board { to_move: piece.side, ..*board };
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

pub fn moves(board: Board, play: &mut impl FnMut(Action, Board)) {
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
            let mut next = Board { to_move: side.other(), ..board };
            next.squares[square] = Some(Piece { side, kind });
            next.hands[side as usize][held] -= 1;
            play(Action::Drop(kind, square), next);
        }
    }
}

pub fn ended(board: Board) -> Option<Value> {
    let (mover, other) = (board.to_move, board.to_move.other());
    if board.lion(mover).is_none() {
        return Some(Value::loss(0));
    }
    let arrived = board.lion(other).is_some_and(|lion| lion / COLUMNS == far_row(other));
    (arrived && !lion_can_be_taken(&board)).then_some(Value::loss(0))
}

pub fn canonical(board: Board) -> Board {
    let seen_by_mover = if board.to_move == Colour::Black { board } else { board.turned() };
    let mirrored = seen_by_mover.mirrored();
    if mirrored.squares < seen_by_mover.squares { mirrored } else { seen_by_mover }
}

pub fn unmoves(board: Board, visit: &mut impl FnMut(Board)) -> bool {
    let (mover, last) = (board.to_move, board.to_move.other());
    let unmoved = Board { to_move: last, ..board };
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

pub fn pack(board: Board) -> u64 {
    let mut key = board.to_move as u64;
    for square in board.squares {
        let digit = square.map_or(0, |piece| 1 + 5 * piece.side as u64 + piece.kind as u64);
        key = 11 * key + digit;
    }
    board.hands[0].iter().fold(key, |key, held| 3 * key + u64::from(*held))
}

pub fn unpack(key: u64) -> Board {
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
    Board { squares, hands: [held, others], to_move }
}

/// Compares all positions of 400 seeded random playouts.
#[test]
fn the_packed_word_plays_like_the_array() {
    let mut random = 7u64;
    let mut seen = 0;
    for _ in 0..400 {
        let mut position = Dobutsu.initial();
        for _ in 0..60 {
            let board = Board::of(position);
            assert_eq!(board.position(), position);
            compare(position, board);
            for image in [position.mirrored(), position.turned()] {
                compare(image, Board::of(image));
            }
            assert_eq!(Board::of(position.mirrored()), board.mirrored());
            assert_eq!(Board::of(position.turned()), board.turned());
            seen += 1;
            let mut next = Vec::new();
            Dobutsu.moves(position, &mut |_, child| next.push(child));
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            if next.is_empty() || Dobutsu.ended(position).is_some() {
                break;
            }
            position = next[(random >> 33) as usize % next.len()];
        }
    }
    assert!(seen > 2_000, "{seen}");
}

fn compare(position: Position, board: Board) {
    let (mut one, mut other) = (Vec::new(), Vec::new());
    if Dobutsu.counted(position) {
        Dobutsu.moves(position, &mut |action, child| one.push((action, child)));
        moves(board, &mut |action, child| other.push((action, child.position())));
        assert_eq!(one, other, "moves in order: {position:?}");
    }
    let (mut one, mut other) = (Vec::new(), Vec::new());
    assert!(Dobutsu.unmoves(position, &mut |parent| one.push(parent)));
    unmoves(board, &mut |parent| other.push(parent.position()));
    one.sort_unstable();
    other.sort_unstable();
    assert_eq!(one, other, "un-moves: {position:?}");
    assert_eq!(Dobutsu.ended(position), ended(board));
    assert_eq!(Board::of(Dobutsu.canonical(position)), canonical(board));
    let key = pack(board);
    assert_eq!((Dobutsu.pack(position), Dobutsu.unpack(key)), (key, unpack(key).position()));
}

/// Includes keys that no position has: a damaged or foreign file may hold any number.
#[test]
fn both_implementations_unpack_any_key_alike() {
    let mut random = 3u64;
    for _ in 0..20_000 {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        for key in [random, random >> 17, random >> 40] {
            assert_eq!(Dobutsu.unpack(key), unpack(key).position(), "{key}");
        }
    }
}
