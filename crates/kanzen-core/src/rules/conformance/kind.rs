//! The kind of a move, as its text shows it.

use std::fmt;

use crate::rules::Game;

/// The shape of a move's text, and whether the move leaves its class.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::conformance::MoveKind;
/// assert_eq!(MoveKind::shape("a1-b2xc3"), "a0-a0xa0");
/// assert_eq!(MoveKind::shape("take12"), "take0");
/// assert_eq!(MoveKind::shape("pass"), "pass");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MoveKind {
    /// The text with every single letter as `a` and every number as `0`. Words stay, and so does the `x` of a capture.
    pub shape: String,
    /// Whether the position after it is in another class.
    pub leaves_class: bool,
}

impl MoveKind {
    /// The kind of a move from `position` to `child`.
    pub fn of<G: Game>(game: &G, position: G::Position, mv: G::Move, child: G::Position) -> MoveKind {
        let shape = MoveKind::shape(&game.show_move(position, mv));
        MoveKind { shape, leaves_class: game.class(child) != game.class(position) }
    }

    /// The shape of a text.
    pub fn shape(text: &str) -> String {
        let mut shape = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let alike = |letter: char| match first {
                _ if first.is_numeric() => letter.is_numeric(),
                _ if first.is_alphabetic() => letter.is_alphabetic(),
                _ => letter == first,
            };
            let (run, others) = rest.split_at(rest.find(|letter| !alike(letter)).unwrap_or(rest.len()));
            match first {
                _ if first.is_numeric() => shape.push('0'),
                _ if first.is_alphabetic() && run.split('x').all(|part| part.chars().count() <= 1) => {
                    shape.extend(run.chars().map(|letter| if letter == 'x' { 'x' } else { 'a' }));
                }
                _ => shape.push_str(run),
            }
            rest = others;
        }
        shape
    }
}

impl fmt::Display for MoveKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shape)?;
        if self.leaves_class { f.write_str(" into another class") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_numbers_are_alike_and_words_stay() {
        let shapes = [
            ("d3", "a0"),
            ("a1-b2", "a0-a0"),
            ("h12-g11", "a0-a0"),
            ("a-cxd", "a-axa"),
            ("c1-off-left", "a0-off-left"),
            ("C*b2", "a*a0"),
            ("b2-b3+", "a0-a0+"),
            ("next", "next"),
            ("1-0", "0-0"),
            ("", ""),
        ];
        for (text, shape) in shapes {
            assert_eq!(MoveKind::shape(text), shape);
        }
    }
}
