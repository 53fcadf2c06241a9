//! The colours of two sides.

/// A colour: whose piece, or whose turn. Which colour begins and where it plays to is for each game to say.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::Colour;
/// assert_eq!(Colour::Black.other(), Colour::White);
/// assert_eq!(Colour::BOTH.map(Colour::letter), ["b", "w"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Colour {
    /// Black.
    Black,
    /// White.
    White,
}

impl Colour {
    /// Both colours, in the order of their numbers.
    pub const BOTH: [Colour; 2] = [Colour::Black, Colour::White];

    /// Black of `false`, white of `true`: for boards that keep a colour in a bit.
    #[inline]
    pub const fn of_bit(is_white: bool) -> Colour {
        if is_white { Colour::White } else { Colour::Black }
    }

    /// The other colour.
    #[inline]
    pub const fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }

    /// As most notations write it: `b` or `w`.
    pub const fn letter(self) -> &'static str {
        match self {
            Colour::Black => "b",
            Colour::White => "w",
        }
    }
}
