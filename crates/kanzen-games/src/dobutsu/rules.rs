//! The rules of animal shogi: moves, un-moves, the end of the game and the position key.

use kanzen::view::View;
use kanzen::{BadPosition, Colour, Game, Notation, Value};
use kanzen_core::rules::{Tag, Tags};

use super::board::{COLUMNS, Kind, Mask, Piece, Position, Squares, far_row};
use super::text;

/// Animal shogi on its board of three columns and four rows.
pub struct Dobutsu;

/// A move: a step on the board, or a drop from the hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// From one square to another.
    Step(usize, usize),
    /// Drops an animal from the hand on a square.
    Drop(Kind, usize),
}

/// Returns the position after an animal stepped from one square to another.
#[inline]
fn stepped(board: &Position, piece: Piece, from: usize, to: usize) -> Position {
    let reaches_end = to / COLUMNS == far_row(piece.side);
    let kind = if piece.kind == Kind::Chick && reaches_end { Kind::Hen } else { piece.kind };
    let squares = board.squares.with(from, None).with(to, Some(Piece { kind, ..piece }));
    let mut next = Position { squares, hands: board.hands, to_move: board.to_move.other() };
    if let Some(held) = board.squares.at(to).and_then(|taken| as_held(taken.kind)) {
        next.hands[piece.side as usize][held] += 1;
    }
    next
}

/// The slot of a captured animal in the hand: a hen reverts to a chick.
fn as_held(kind: Kind) -> Option<usize> {
    match kind {
        Kind::Lion => None,
        Kind::Giraffe => Some(0),
        Kind::Elephant => Some(1),
        Kind::Chick | Kind::Hen => Some(2),
    }
}

/// Whether the mover can capture the opponent's lion.
#[inline]
fn lion_can_be_taken(board: &Position) -> bool {
    board.lion(board.to_move.other()).is_some_and(|lion| !attackers(board, board.to_move, lion).is_empty())
}

/// The squares from which animals of `side` attack `square`.
#[inline]
fn attackers(board: &Position, side: Colour, square: usize) -> Mask {
    // A lion reaches every square that any other animal reaches.
    let near = Piece { side, kind: Kind::Lion }.reach(square).and(board.squares.of(side));
    let attacks = |from: &usize| board.squares.at(*from).is_some_and(|piece| piece.reach(*from).has(square));
    near.squares().filter(attacks).fold(Mask::EMPTY, |mask, from| mask.or(Mask::of(from)))
}

/// Visits the squares that the animal on `to` may have stepped from, with its kind before the step.
fn origins(board: &Position, piece: Piece, to: usize, visit: &mut impl FnMut(Piece, usize)) {
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
        back.reach(to).and(board.squares.empty()).squares().for_each(|from| visit(piece, from));
    }
}

/// Visits the positions before `piece` stepped from one square to another: it captured nothing, or one of the animals
/// that its side now holds.
fn stepped_back(board: &Position, piece: Piece, from: usize, to: usize, visit: &mut impl FnMut(Position)) {
    let squares = board.squares.with(from, Some(piece)).with(to, None);
    let mut before = Position { squares, hands: board.hands, to_move: piece.side };
    visit(before);
    for (held, kind) in Kind::IN_HAND.into_iter().enumerate() {
        if board.hands[piece.side as usize][held] == 0 {
            continue;
        }
        before.hands[piece.side as usize][held] -= 1;
        for kind in [kind, Kind::Hen].into_iter().take(if kind == Kind::Chick { 2 } else { 1 }) {
            visit(Position { squares: squares.with(to, Some(Piece { side: board.to_move, kind })), ..before });
        }
        before.hands[piece.side as usize][held] += 1;
    }
}

impl Game for Dobutsu {
    type Position = Position;
    type Move = Action;
    type Key = u64;

    fn initial(&self) -> Position {
        text::read("gle/.c./.C./ELG b -").expect("the initial position is valid")
    }

    /// If the mover can capture the lion, only captures of the lion are generated, as in Tanaka's count.
    fn moves(&self, board: Position, play: &mut impl FnMut(Action, Position)) {
        let side = board.to_move;
        let lion = board.squares.with_piece(Piece { side: side.other(), kind: Kind::Lion });
        let catching = lion_can_be_taken(&board);
        let own = board.squares.of(side);
        for from in own.squares() {
            let Some(piece) = board.squares.at(from) else { continue };
            let free = piece.reach(from).without(own);
            let targets = if catching { free.and(lion) } else { free };
            for to in targets.squares() {
                play(Action::Step(from, to), stepped(&board, piece, from, to));
            }
        }
        if catching {
            return;
        }
        for (held, kind) in Kind::IN_HAND.into_iter().enumerate() {
            if board.hands[side as usize][held] == 0 {
                continue;
            }
            let mut next = Position { to_move: side.other(), ..board };
            next.hands[side as usize][held] -= 1;
            for square in board.squares.empty().squares() {
                let squares = board.squares.with(square, Some(Piece { side, kind }));
                play(Action::Drop(kind, square), Position { squares, ..next });
            }
        }
    }

    /// The mover has lost if its lion was captured, or if the opponent's lion stands on its far row unattacked.
    fn ended(&self, board: Position) -> Option<Value> {
        let (mover, other) = (board.to_move, board.to_move.other());
        if board.lion(mover).is_none() {
            return Some(Value::loss(0));
        }
        let arrived = board.lion(other).is_some_and(|lion| lion / COLUMNS == far_row(other));
        (arrived && !lion_can_be_taken(&board)).then_some(Value::loss(0))
    }

    /// Boards without the mover's lion end the game and are not counted as positions.
    fn counted(&self, board: Position) -> bool {
        board.lion(board.to_move).is_some()
    }

    /// Animals on the board and in hand; a hen counts as a chick.
    fn material(&self, board: Position) -> i32 {
        let owned = |side: Colour, hand: &[u8; 3]| {
            let standing = board.squares.of(side).squares().count();
            standing as i32 + hand.iter().map(|&animals| i32::from(animals)).sum::<i32>()
        };
        let [black, white] = [owned(Colour::Black, &board.hands[0]), owned(Colour::White, &board.hands[1])];
        if board.to_move == Colour::Black { black - white } else { white - black }
    }

    /// The first player to move, and the lesser of the two mirror images.
    #[inline]
    fn canonical(&self, board: Position) -> Position {
        let seen_by_mover = if board.to_move == Colour::Black { board } else { board.turned() };
        // Words of squares order like their digits in the key.
        Position { squares: seen_by_mover.squares.min(seen_by_mover.squares.mirrored()), ..seen_by_mover }
    }

    /// Takes back steps and drops. In the parent, the mover's lion was not attacked, or it would have been captured, and
    /// it was not on its far row.
    fn unmoves(&self, board: Position, visit: &mut impl FnMut(Position)) -> bool {
        let (mover, last) = (board.to_move, board.to_move.other());
        let squares = board.squares;
        let moved = squares.of(last).squares().filter_map(move |to| Some((to, squares.at(to)?)));
        let Some(lion) = board.lion(mover) else {
            for (to, piece) in moved {
                origins(&board, piece, to, &mut |piece, from| {
                    let taken = Piece { side: mover, kind: Kind::Lion };
                    let squares = board.squares.with(from, Some(piece)).with(to, Some(taken));
                    visit(Position { squares, hands: board.hands, to_move: last });
                });
            }
            return true;
        };
        if lion / COLUMNS == far_row(mover) {
            return true;
        }
        let attackers = attackers(&board, last, lion);
        for (to, piece) in moved {
            if !attackers.without(Mask::of(to)).is_empty() {
                continue; // another animal attacks the lion, and did so in the parent
            }
            origins(&board, piece, to, &mut |piece, from| {
                if !piece.reach(from).has(lion) {
                    stepped_back(&board, piece, from, to, visit);
                }
            });
            if let Some(held) = Kind::IN_HAND.iter().position(|kind| *kind == piece.kind) {
                let squares = board.squares.with(to, None);
                let mut before = Position { squares, hands: board.hands, to_move: last };
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
                    .with_if(Tag::Takes, board.squares.at(to).is_some())
                    .with_if(Tag::Promotes, kind(board.squares.at(from)) != kind(child.squares.at(to)))
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

    fn show_move(&self, _: Position, action: Action) -> String {
        text::show_action(action)
    }

    /// The side to move, the squares in base 11, and the first player's hand in base 3; the second player holds the rest.
    #[inline]
    fn pack(&self, board: Position) -> u64 {
        let key = board.squares.number(board.to_move as u64);
        board.hands[0].iter().fold(key, |key, held| 3 * key + u64::from(*held))
    }

    #[inline]
    fn unpack(&self, key: u64) -> Position {
        let hand = key % 27;
        let held = [hand / 9, hand / 3 % 3, hand % 3].map(|held| held as u8);
        let (squares, above, standing) = Squares::of_number(key / 27);
        let to_move = Colour::of_bit(above % 2 == 1);
        let others = [0, 1, 2].map(|kind: usize| 2u8.saturating_sub(standing[kind]).saturating_sub(held[kind]));
        Position { squares, hands: [held, others], to_move }
    }
}

impl Notation for Dobutsu {
    fn notation(&self) -> String {
        text::NOTATION.to_owned()
    }

    fn read(&self, text: &str) -> Result<Position, BadPosition> {
        text::read(text)
    }
}

impl kanzen::Board for Dobutsu {
    fn view(&self) -> View {
        text::view()
    }
}
