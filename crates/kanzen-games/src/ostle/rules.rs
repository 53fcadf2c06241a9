//! The rules of Ostle: legal moves under the ko rule, the end of the game, canonical form and position keys.

use kanzen::view::View;
use kanzen::{BadPosition, Game, Notation, Value};
use kanzen_core::rules::{Tag, Tags};

use super::board::Board;
use super::ko::Ko;
use super::moves::{Effect, Move};
use super::text;

/// The range of pieces that a side has while the game goes on.
///
/// Ostle is played with 4 or 5. Smaller armies follow the same rules and are small enough for tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Army {
    /// A side with fewer pieces has lost.
    pub least: u32,
    /// The pieces of a side at the start.
    pub most: u32,
}

impl Army {
    /// The army of the real game.
    pub const REAL: Army = Army { least: 4, most: 5 };
}

/// The game, with a limit on the pieces on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ostle {
    pub(super) army: Army,
    pub(super) pieces: u32,
    pub(super) ko: Ko,
}

/// A board, and the previous board if it forbids a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The board, from the mover's view.
    pub board: Board,
    /// The board before the last move, from the view of the side that made it.
    pub previous: Option<Board>,
}

impl Ostle {
    /// Ostle with at most `pieces` pieces on the board: 8, 9 or 10.
    pub fn new(pieces: u32, ko: Ko) -> Option<Ostle> {
        Ostle::with_army(Army::REAL, pieces, ko)
    }

    /// Ostle with another army; `None` if no board has that many pieces.
    pub fn with_army(army: Army, pieces: u32, ko: Ko) -> Option<Ostle> {
        let possible = 1 <= army.least && army.least <= army.most && army.most <= 5;
        let fits = (2 * army.least..=2 * army.most).contains(&pieces);
        (possible && fits).then_some(Ostle { army, pieces, ko })
    }

    /// The ko rule.
    pub fn ko(&self) -> Ko {
        self.ko
    }

    /// The range of pieces a side can have.
    pub fn army(&self) -> Army {
        self.army
    }

    /// The most pieces on the board.
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// Whether the piece counts of a board are legal while the game goes on.
    pub fn has(&self, board: &Board) -> bool {
        let (mover, opponent) = (board.mover.count_ones(), board.opponent.count_ones());
        let side = self.army.least..=self.army.most;
        side.contains(&mover) && side.contains(&opponent) && mover + opponent <= self.pieces
    }

    /// Whether a move with this effect is legal: a side may not push out its own piece if it has only `least` left.
    #[inline(always)]
    pub fn allows(&self, board: &Board, effect: Effect) -> bool {
        effect != Effect::Suicide || board.mover.count_ones() > self.army.least
    }

    /// Whether the mover can win in one ply.
    #[inline(always)]
    pub fn wins_at_once(&self, board: &Board) -> bool {
        board.opponent.count_ones() == self.army.least && board.can_capture()
    }

    /// Generates all moves of a board, without the ko rule.
    #[inline(always)]
    pub fn board_moves(&self, board: &Board, mut play: impl FnMut(Move, Board, Effect)) {
        board.each_move(|mv, next, effect| {
            if self.allows(board, effect) {
                play(mv, next, effect);
            }
        });
    }

    /// Returns the position after a move from `previous` to `board`.
    pub fn arrive(&self, board: Board, previous: Board, effect: Effect) -> Position {
        let previous = match effect {
            Effect::Quiet { reversible } => self.ko.normal(&board, previous, reversible),
            _ => None,
        };
        Position { board, previous }
    }

    /// Visits the positions of a board with a forbidden move, up to symmetry.
    pub fn each_ban(&self, board: &Board, mut visit: impl FnMut(Position)) {
        let mut seen: Vec<Board> = Vec::new();
        let mut keeping = None;
        board.each_quiet_parent(|before, _, way_back| {
            if let Some(previous) = self.ko.normal(board, before, way_back.is_some()) {
                // Few boards are symmetric: computed once, and only for boards with a ban.
                let keeping = *keeping.get_or_insert_with(|| board.symmetries());
                let twin = |symmetry| previous.under(symmetry);
                let known = (1..8).any(|symmetry| keeping >> symmetry & 1 == 1 && seen.contains(&twin(symmetry)));
                if !known && !seen.contains(&previous) {
                    seen.push(previous);
                    visit(Position { board: *board, previous: Some(previous) });
                }
            }
        });
    }
}

impl Game for Ostle {
    type Position = Position;
    type Move = Move;
    type Key = u128;

    /// The armies start on opposite end rows, with the hole in the centre. With fewer pieces the middles of the rows
    /// stay empty, the second player's first.
    fn initial(&self) -> Position {
        let row = |pieces: u32| match pieces {
            1 => 0b00100,
            2 => 0b01010,
            3 => 0b01110,
            4 => 0b11011,
            _ => 0b11111,
        };
        let mover = self.army.most.min(self.pieces - self.army.least.max(self.pieces / 2));
        let mover = mover.max(self.pieces.div_ceil(2)).min(self.army.most);
        let opponent = self.pieces - mover;
        Position { board: Board { hole: 12, mover: row(mover), opponent: row(opponent) << 20 }, previous: None }
    }

    fn moves(&self, position: Position, play: &mut impl FnMut(Move, Position)) {
        let Position { board, mut previous } = position;
        self.board_moves(&board, |mv, next, effect| {
            let forbidden = previous
                .is_some_and(|previous| matches!(effect, Effect::Quiet { .. }) && self.ko.recreates(&previous, &next));
            if forbidden {
                // Only the first such move is forbidden: see `ko`.
                previous = None;
            } else {
                play(mv, self.arrive(next, board, effect));
            }
        });
    }

    /// A side with fewer than `least` pieces has lost. It can only be the mover, whose piece was just pushed out.
    fn ended(&self, position: Position) -> Option<Value> {
        (position.board.mover.count_ones() < self.army.least).then_some(Value::loss(0))
    }

    fn counted(&self, position: Position) -> bool {
        self.ended(position).is_none()
    }

    fn canonical(&self, position: Position) -> Position {
        let images = (0..8).map(|symmetry| {
            let board = position.board.under(symmetry);
            let previous = position.previous.map(|previous| previous.under(symmetry));
            Position { board, previous: previous.and_then(|previous| self.normalised(&board, previous)) }
        });
        images.min().expect("there are eight")
    }

    fn class(&self, position: Position) -> u32 {
        position.board.pieces().count_ones().saturating_sub(2 * self.army.least)
    }

    fn class_label(&self, class: u32) -> Vec<(&'static str, u32)> {
        vec![("pieces", class + 2 * self.army.least)]
    }

    fn known_tags(&self) -> Tags {
        Tags::of(&[Tag::Takes, Tag::Gives, Tag::Hole])
    }

    /// The child's board is from the opponent's view.
    fn tags(&self, position: Position, mv: Move, child: Position) -> Tags {
        let (before, after) = (&position.board, &child.board);
        Tags::NONE
            .with_if(Tag::Takes, after.mover.count_ones() < before.opponent.count_ones())
            .with_if(Tag::Gives, after.opponent.count_ones() < before.mover.count_ones())
            .with_if(Tag::Hole, mv.from == before.hole)
    }

    /// Passing leaves the board unchanged, and nothing is forbidden after it.
    fn passed(&self, position: Position) -> Option<Position> {
        let Board { hole, mover, opponent } = position.board;
        Some(Position { board: Board { hole, mover: opponent, opponent: mover }, previous: None })
    }

    fn has_passing(&self) -> bool {
        true
    }

    fn material(&self, position: Position) -> i32 {
        position.board.mover.count_ones() as i32 - position.board.opponent.count_ones() as i32
    }

    fn show(&self, position: Position) -> String {
        text::show(position)
    }

    fn show_move(&self, _: Position, mv: Move) -> String {
        text::show_move(mv)
    }

    fn pack(&self, position: Position) -> u128 {
        let previous = position.previous.map_or(0, |previous| previous.code() + 1);
        u128::from(previous) << 64 | u128::from(position.board.code())
    }

    fn unpack(&self, key: u128) -> Position {
        let previous = (key >> 64) as u64;
        Position { board: Board::from_code(key as u64), previous: previous.checked_sub(1).map(Board::from_code) }
    }
}

impl Notation for Ostle {
    fn notation(&self) -> String {
        text::NOTATION.to_owned()
    }

    fn read(&self, text: &str) -> Result<Position, BadPosition> {
        text::read(self, text)
    }
}

impl kanzen::Board for Ostle {
    fn draw(&self, position: Position) -> String {
        self.draw_at(position, 0)
    }

    fn draw_at(&self, position: Position, ply: u64) -> String {
        text::draw(self, position, ply)
    }

    fn view(&self) -> View {
        text::view(self)
    }
}

impl Ostle {
    /// Normalises the previous board, from which a move must lead to `board`.
    pub(super) fn normalised(&self, board: &Board, previous: Board) -> Option<Board> {
        let mut reversible = false;
        board.each_quiet_parent(|before, _, way_back| reversible |= before == previous && way_back.is_some());
        self.ko.normal(board, previous, reversible)
    }
}
