//! The type-erased interface of a game: a position is its packed key, a move is its place in the rules' order.

use super::view::View;
use super::{Board, Game, Notation, Tags};
use crate::vocabulary::{Answer, BadPosition, Key, Value};

/// Any game, for code that need not be compiled once per game.
///
/// Every [`Board`] is one. A position is its packed [`Key`], widened; it must come from the game itself, by
/// [`initial`](AnyGame::initial), [`read`](AnyGame::read), a move or a database. A move has no type: it is identified by its
/// place among the moves of its position, from 0.
///
/// ```
/// use kanzen_core::rules::AnyGame;
/// # use kanzen_core::{BadPosition, Board, Game, Notation};
/// # struct Stones;
/// # impl Game for Stones {
/// #     type Position = u32;
/// #     type Move = u32;
/// #     type Key = u32;
/// #     fn initial(&self) -> u32 { 3 }
/// #     fn moves(&self, pile: u32, play: &mut impl FnMut(u32, u32)) {
/// #         (1..=pile.min(3)).for_each(|take| play(take, pile - take));
/// #     }
/// #     fn show_move(&self, _: u32, take: u32) -> String { format!("take{take}") }
/// #     fn pack(&self, pile: u32) -> u32 { pile }
/// #     fn unpack(&self, key: u32) -> u32 { key }
/// # }
/// # impl Notation for Stones {
/// #     fn read(&self, text: &str) -> Result<u32, BadPosition> { text.parse().map_err(|_| BadPosition::new("no number")) }
/// # }
/// # impl Board for Stones {}
/// let game: &dyn AnyGame = &Stones;
/// let mut children = Vec::new();
/// assert_eq!(game.expand(game.initial(), &mut children), None);
/// assert_eq!(children, [2, 1, 0]);
/// assert_eq!(game.move_texts(game.initial()), ["take1", "take2", "take3"]);
/// ```
pub trait AnyGame: Send + Sync {
    /// Where the game starts.
    fn initial(&self) -> u128;

    /// The position a text stands for.
    fn read(&self, text: &str) -> Result<u128, BadPosition>;

    /// The position as text.
    fn show(&self, position: u128) -> String;

    /// The position as a board for the terminal, so many plies into a game.
    fn draw_at(&self, position: u128, ply: u64) -> String;

    /// What the board looks like on a page.
    fn view(&self) -> View;

    /// How positions and moves are written, in words.
    fn notation(&self) -> String;

    /// The side to move, as the notation names it.
    fn to_move(&self, position: u128) -> &'static str;

    /// The mover's answer where the game is over.
    fn ended(&self, position: u128) -> Option<Answer>;

    /// The mover's answer in a position without moves.
    fn stuck(&self, position: u128) -> Answer;

    /// The mover's value if play never ends.
    fn endless(&self, position: u128) -> Value;

    /// Appends where the moves lead, in the rules' order. Where the game is over, returns its answer and appends nothing.
    fn expand(&self, position: u128, children: &mut Vec<u128>) -> Option<Answer>;

    /// The moves of a position that has not ended, as text.
    fn move_texts(&self, position: u128) -> Vec<String>;

    /// The kinds of each move of a position that has not ended.
    fn move_tags(&self, position: u128) -> Vec<Tags>;

    /// The kinds of moves that the game knows.
    fn known_tags(&self) -> Tags;

    /// The position if the mover could pass; nothing where that means nothing.
    fn passed(&self, position: u128) -> Option<u128>;

    /// Whether passing means something.
    fn has_passing(&self) -> bool;

    /// The position that stands for all mirror images of this one.
    fn canonical(&self, position: u128) -> u128;

    /// Whether a census counts this position.
    fn counted(&self, position: u128) -> bool;

    /// The material class.
    fn class(&self, position: u128) -> u32;

    /// What a census calls a class.
    fn class_label(&self, class: u32) -> Vec<(&'static str, u32)>;

    /// The mover's material less the opponent's.
    fn material(&self, position: u128) -> i32;

    /// The positions to start from when all are listed.
    fn roots(&self, visit: &mut dyn FnMut(u128));
}

/// The answer of a finished game.
pub fn ended<G: Game>(game: &G, position: G::Position) -> Option<Answer> {
    let value = game.ended(position)?;
    Some(Answer { value, score: game.final_score(position) })
}

impl<G: Board> AnyGame for G {
    fn initial(&self) -> u128 {
        key(self, Game::initial(self))
    }

    fn read(&self, text: &str) -> Result<u128, BadPosition> {
        Ok(key(self, Notation::read(self, text)?))
    }

    fn show(&self, position: u128) -> String {
        Game::show(self, typed(self, position))
    }

    fn draw_at(&self, position: u128, ply: u64) -> String {
        Board::draw_at(self, typed(self, position), ply)
    }

    fn view(&self) -> View {
        Board::view(self)
    }

    fn notation(&self) -> String {
        Notation::notation(self)
    }

    fn to_move(&self, position: u128) -> &'static str {
        Game::to_move(self, typed(self, position))
    }

    fn ended(&self, position: u128) -> Option<Answer> {
        ended(self, typed(self, position))
    }

    fn stuck(&self, position: u128) -> Answer {
        let position = typed(self, position);
        Answer { value: Game::stuck(self, position), score: self.final_score(position) }
    }

    fn endless(&self, position: u128) -> Value {
        Game::endless(self, typed(self, position))
    }

    fn expand(&self, position: u128, children: &mut Vec<u128>) -> Option<Answer> {
        let position = typed(self, position);
        let ended = ended(self, position);
        if ended.is_none() {
            self.moves(position, &mut |_, child| children.push(key(self, child)));
        }
        ended
    }

    fn move_texts(&self, position: u128) -> Vec<String> {
        let position = typed(self, position);
        let mut texts = Vec::new();
        self.moves(position, &mut |mv, _| texts.push(self.show_move(position, mv)));
        texts
    }

    fn move_tags(&self, position: u128) -> Vec<Tags> {
        let position = typed(self, position);
        let mut tags = Vec::new();
        self.moves(position, &mut |mv, child| tags.push(self.tags(position, mv, child)));
        tags
    }

    fn known_tags(&self) -> Tags {
        Game::known_tags(self)
    }

    fn passed(&self, position: u128) -> Option<u128> {
        Game::passed(self, typed(self, position)).map(|passed| key(self, passed))
    }

    fn has_passing(&self) -> bool {
        Game::has_passing(self)
    }

    fn canonical(&self, position: u128) -> u128 {
        key(self, Game::canonical(self, typed(self, position)))
    }

    fn counted(&self, position: u128) -> bool {
        Game::counted(self, typed(self, position))
    }

    fn class(&self, position: u128) -> u32 {
        Game::class(self, typed(self, position))
    }

    fn class_label(&self, class: u32) -> Vec<(&'static str, u32)> {
        Game::class_label(self, class)
    }

    fn material(&self, position: u128) -> i32 {
        Game::material(self, typed(self, position))
    }

    fn roots(&self, visit: &mut dyn FnMut(u128)) {
        Game::roots(self, &mut |root| visit(key(self, root)));
    }
}

/// The number a position packs into, widened.
#[inline]
pub fn key<G: Game>(game: &G, position: G::Position) -> u128 {
    game.pack(position).wide()
}

/// The position of a number that [`key`] has made.
#[inline]
pub fn typed<G: Game>(game: &G, position: u128) -> G::Position {
    game.unpack(G::Key::from_wide(position))
}
