//! A small game with a bit of everything: captures, exits, stalemates, scores, symmetries, classes, ends not counted.
#![allow(dead_code, reason = "each test takes what it needs")]

use kanzen::{BadPosition, Game, Notation, Value};

/// Two lanes of five cells, three white pieces at the left end and three black ones at the right end.
///
/// ```text
/// w w . . b
/// w . . b b
/// ```
///
/// A piece steps forward, or to the other lane, or jumps forward over a piece of the other side, which it captures. One
/// that is at the far end may walk off, and has won. Who cannot move, or has no pieces, has lost.
#[derive(Clone, Copy, Debug)]
pub struct Skirmish;

const LENGTH: usize = 5;
const CELLS: usize = 2 * LENGTH;

/// The pieces as masks, white's first, lane by lane; and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Board {
    pub sides: [u16; 2],
    pub black_to_move: bool,
    pub walked_off: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    from: usize,
    to: Option<usize>,
    over: Option<usize>,
}

impl Board {
    fn mover(self) -> usize {
        usize::from(self.black_to_move)
    }

    /// Seen from the other end, with the colours changed.
    fn turned(self) -> Board {
        let [white, black] = self.sides.map(|side| side.reverse_bits() >> (16 - CELLS));
        Board { sides: [black, white], black_to_move: !self.black_to_move, ..self }
    }

    /// With the lanes changed.
    fn mirrored(self) -> Board {
        let sides = self.sides.map(|side| side >> LENGTH | side << LENGTH & ((1 << CELLS) - 1));
        Board { sides, ..self }
    }
}

fn cell(number: usize) -> String {
    format!("{}{}", (b'a' + (number % LENGTH) as u8) as char, 1 + number / LENGTH)
}

impl Game for Skirmish {
    type Position = Board;
    type Move = Step;
    type Key = u32;

    fn initial(&self) -> Board {
        Board { sides: [0b00001_00011, 0b11000_10000], black_to_move: false, walked_off: false }
    }

    fn moves(&self, board: Board, play: &mut impl FnMut(Step, Board)) {
        let [own, other] = [board.mover(), 1 - board.mover()].map(|side| board.sides[side]);
        let has = |side: u16, at: usize| side >> at & 1 == 1;
        let ahead = |at: usize| match board.black_to_move {
            false => (at % LENGTH < LENGTH - 1).then_some(at + 1),
            true => (!at.is_multiple_of(LENGTH)).then(|| at - 1),
        };
        for from in (0..CELLS).filter(|&from| has(own, from)) {
            let mut go = |to: Option<usize>, over: Option<usize>| {
                let mut sides = [0; 2];
                sides[board.mover()] = own & !(1 << from) | to.map_or(0, |to| 1 << to);
                sides[1 - board.mover()] = other & !over.map_or(0, |over| 1 << over);
                let next = Board { sides, black_to_move: !board.black_to_move, walked_off: to.is_none() };
                play(Step { from, to, over }, next);
            };
            let empty = |at: usize| !has(own | other, at);
            match ahead(from) {
                None => go(None, None),
                Some(next) if empty(next) => go(Some(next), None),
                Some(next) => {
                    if let Some(beyond) = ahead(next).filter(|&beyond| has(other, next) && empty(beyond)) {
                        go(Some(beyond), Some(next));
                    }
                }
            }
            let beside = (from + LENGTH) % CELLS;
            if empty(beside) {
                go(Some(beside), None);
            }
        }
    }

    fn ended(&self, board: Board) -> Option<Value> {
        (board.walked_off || board.sides[board.mover()] == 0).then_some(Value::loss(0))
    }

    fn final_score(&self, board: Board) -> Option<i16> {
        let pieces = |side: usize| board.sides[side].count_ones() as i16;
        self.ended(board).map(|_| pieces(board.mover()) - pieces(1 - board.mover()) - 1)
    }

    fn counted(&self, board: Board) -> bool {
        !board.walked_off
    }

    fn canonical(&self, board: Board) -> Board {
        let board = if board.black_to_move { board.turned() } else { board };
        board.min(board.mirrored())
    }

    fn class(&self, board: Board) -> u32 {
        board.sides[0].count_ones() + board.sides[1].count_ones()
    }

    fn class_label(&self, class: u32) -> Vec<(&'static str, u32)> {
        vec![("pieces", class)]
    }

    fn to_move(&self, board: Board) -> &'static str {
        if board.black_to_move { "b" } else { "w" }
    }

    fn show(&self, board: Board) -> String {
        let letter = |at: usize| match board.sides.map(|side| side >> at & 1) {
            [1, _] => 'w',
            [_, 1] => 'b',
            _ => '.',
        };
        let cells: String = (0..CELLS).map(letter).collect();
        format!("{cells} {}{}", self.to_move(board), if board.walked_off { " off" } else { "" })
    }

    fn show_move(&self, _: Board, step: Step) -> String {
        let to = step.to.map_or("off".to_owned(), cell);
        let over = step.over.map_or(String::new(), |over| format!("x{}", cell(over)));
        format!("{}-{to}{over}", cell(step.from))
    }

    fn pack(&self, board: Board) -> u32 {
        let [white, black] = board.sides.map(u32::from);
        u32::from(board.walked_off) << 21 | u32::from(board.black_to_move) << 20 | white << 10 | black
    }

    fn unpack(&self, key: u32) -> Board {
        let sides = [key >> 10, key].map(|side| side as u16 & 0x3ff);
        Board { sides, black_to_move: key >> 20 & 1 == 1, walked_off: key >> 21 & 1 == 1 }
    }
}

impl Notation for Skirmish {
    fn read(&self, text: &str) -> Result<Board, BadPosition> {
        let wrong = || BadPosition::new("expected ten cells and the side to move");
        let mut words = text.split(' ');
        let cells = words.next().filter(|cells| cells.len() == CELLS).ok_or_else(wrong)?;
        let mask = |letter: char| cells.char_indices().filter(|(_, at)| *at == letter).map(|(at, _)| 1 << at).sum();
        let black_to_move = words.next().ok_or_else(wrong)? == "b";
        Ok(Board { sides: [mask('w'), mask('b')], black_to_move, walked_off: words.next().is_some() })
    }
}

impl kanzen::Board for Skirmish {}
