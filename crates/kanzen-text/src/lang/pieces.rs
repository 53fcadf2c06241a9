//! The kinds of pieces of a text, as pieces of the core.

use super::problem::{Problem, Span};
use super::tree::{Letters, Name, Owner, PieceShape, Text};
use crate::core::{MAX_PIECES, Piece, PieceSet, Side};

/// The empty cell.
pub(super) const EMPTY: Piece = Piece(0);

/// Both sides in order.
pub(super) const SIDES: [Side; 2] = [Side::First, Side::Second];

/// A kind of pieces.
pub(super) struct Kind {
    /// The name; of the only kind of a side none.
    pub name: String,
    /// The piece of each side.
    pub of: [Option<Piece>; 2],
    /// The piece of no side.
    pub neutral: Option<Piece>,
    /// Its declaration among the pieces of the text.
    pub shape: Option<usize>,
}

/// All pieces.
pub(super) struct Pieces {
    pub kinds: Vec<Kind>,
    /// The letter of each piece; `.` for the empty cell.
    pub letters: Vec<char>,
    /// The kind of each piece but the empty one.
    kind: Vec<usize>,
}

/// The number of a side in arrays.
pub(super) fn index(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => 1,
    }
}

impl Pieces {
    pub fn new(text: &Text) -> Result<Pieces, Problem> {
        let mut pieces = Pieces { kinds: Vec::new(), letters: vec!['.'], kind: vec![usize::MAX] };
        let [first, second] = &text.sides[..] else {
            return Err(
                Problem::error(Span::default(), "the text declares no sides").expecting("`sides` and two names")
            );
        };
        let mut plain = Kind { name: String::new(), of: [None, None], neutral: None, shape: None };
        for (at, side) in [first, second].into_iter().enumerate() {
            if let Letters::One(letter) = side.letters {
                plain.of[at] = Some(pieces.add(letter, 0, side.name.span)?);
            }
        }
        if plain.of != [None, None] {
            pieces.kinds.push(plain);
        }
        for (number, shape) in text.pieces.iter().enumerate() {
            pieces.declare(text, number, shape)?;
        }
        match pieces.kinds.is_empty() {
            true => Err(Problem::error(first.name.span.to(second.name.span), "the sides have no pieces")
                .expecting("a letter after each side, or `piece` lines")),
            false => Ok(pieces),
        }
    }

    fn declare(&mut self, text: &Text, number: usize, shape: &PieceShape) -> Result<(), Problem> {
        let span = shape.letters.span;
        if self.kinds.iter().any(|kind| kind.name == shape.name.text) {
            return Err(Problem::error(shape.name.span, format!("a second piece `{}`", shape.name.text)));
        }
        let at = self.kinds.len();
        let mut kind = Kind { name: shape.name.text.clone(), of: [None, None], neutral: None, shape: Some(number) };
        let letters: Vec<char> = shape.letters.text.chars().collect();
        match (&shape.owner, &letters[..]) {
            (Owner::Neutral, [letter]) => kind.neutral = Some(self.add(*letter, at, span)?),
            (Owner::Side(side), [letter]) => {
                let owner = usize::from(text.sides[0].name.text != side.text);
                kind.of[owner] = Some(self.add(*letter, at, span)?);
            }
            (Owner::Both, [a, '/', b]) => {
                kind.of = [Some(self.add(*a, at, span)?), Some(self.add(*b, at, span)?)];
            }
            (Owner::Both, [letter]) => {
                for (owner, side) in text.sides.iter().enumerate() {
                    let letter = match side.letters {
                        Letters::Capital => letter.to_uppercase().next().unwrap_or(*letter),
                        Letters::Small => letter.to_lowercase().next().unwrap_or(*letter),
                        _ => {
                            let problem = Problem::error(span, "both sides have this piece and need a letter each");
                            return Err(problem.expecting("two letters such as `k/K`, `of` a side or `neutral`"));
                        }
                    };
                    kind.of[owner] = Some(self.add(letter, at, span)?);
                }
            }
            _ => return Err(Problem::error(span, "no letter of a piece").expecting("one letter, or two such as `k/K`")),
        }
        self.kinds.push(kind);
        Ok(())
    }

    fn add(&mut self, letter: char, kind: usize, span: Span) -> Result<Piece, Problem> {
        if self.letters.contains(&letter) || letter == '_' {
            return Err(Problem::error(span, format!("the letter `{letter}` stands for something else already")));
        }
        if self.letters.len() == MAX_PIECES {
            return Err(Problem::error(span, format!("more than {} pieces", MAX_PIECES - 1)));
        }
        self.letters.push(letter);
        self.kind.push(kind);
        Ok(Piece(self.letters.len() as u8 - 1))
    }

    pub fn len(&self) -> usize {
        self.letters.len()
    }

    pub fn all(&self) -> PieceSet {
        PieceSet::all(self.len())
    }

    /// All but the empty cell.
    pub fn solid(&self) -> PieceSet {
        self.all().without(PieceSet::of(EMPTY))
    }

    pub fn of_side(&self, side: Side) -> PieceSet {
        self.kinds.iter().filter_map(|kind| kind.of[index(side)]).collect()
    }

    pub fn neutral(&self) -> PieceSet {
        self.kinds.iter().filter_map(|kind| kind.neutral).collect()
    }

    pub fn kind_of(&self, piece: Piece) -> Option<usize> {
        self.kind.get(piece.0 as usize).copied().filter(|kind| *kind != usize::MAX)
    }

    pub fn owner(&self, piece: Piece) -> Option<Side> {
        SIDES.into_iter().find(|side| self.of_side(*side).contains(piece))
    }

    /// The piece of the same kind of another owner.
    pub fn of_other(&self, piece: Piece) -> Option<Piece> {
        let kind = &self.kinds[self.kind_of(piece)?];
        kind.of[index(self.owner(piece)?.other())]
    }

    pub fn lettered(&self, letter: char) -> Option<Piece> {
        self.letters.iter().position(|other| *other == letter).map(|at| Piece(at as u8))
    }

    /// The pieces that a word names: a kind by its name or letters, or the piece of one letter.
    pub fn named(&self, text: &Text, word: &str) -> PieceSet {
        for kind in &self.kinds {
            let letters = kind.shape.map(|number| text.pieces[number].letters.text.as_str());
            if kind.name == word || letters == Some(word) {
                return kind.of.into_iter().flatten().chain(kind.neutral).collect();
            }
        }
        let mut letters = word.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) if letter != '.' => self.lettered(letter).into_iter().collect(),
            _ => PieceSet::EMPTY,
        }
    }

    /// The kind that a word names.
    pub fn kind_named(&self, text: &Text, word: &Name) -> Result<usize, Problem> {
        let piece = self.named(text, &word.text).iter().next();
        piece
            .and_then(|piece| self.kind_of(piece))
            .ok_or_else(|| Problem::error(word.span, format!("`{}` is no piece", word.text)))
    }
}
