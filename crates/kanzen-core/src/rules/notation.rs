//! Helpers for notations: boards row by row, and the side to move.

use crate::vocabulary::BadPosition;

/// A board as text: rows of these lengths joined by '/', place by place.
///
/// ```
/// # use kanzen_core as kanzen;
/// let text = kanzen::notation::show_rows([2, 3], |place| if place == 3 { 'X' } else { '.' });
/// assert_eq!(text, "../.X.");
/// ```
pub fn show_rows(lengths: impl IntoIterator<Item = usize>, letter: impl Fn(usize) -> char) -> String {
    let (mut text, mut place) = (String::new(), 0);
    for length in lengths {
        if place > 0 {
            text.push('/');
        }
        text.extend((place..place + length).map(&letter));
        place += length;
    }
    text
}

/// The letters of a board, place by place, each with the number of its row from 1 on. `[row, squares]` are what
/// people call a row, and the places of one.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::notation::read_rows;
/// let read = |text| read_rows(text, ["row", "squares"], [2, 1]);
/// assert_eq!(read("X./O").unwrap(), [(1, 'X'), (1, '.'), (2, 'O')]);
/// assert_eq!(read("X./OO").unwrap_err().to_string(), "row 2 has 2 squares, expected 1");
/// assert_eq!(read("X.").unwrap_err().to_string(), "expected 2 rows, found 1");
/// ```
pub fn read_rows(
    text: &str,
    [row, squares]: [&str; 2],
    lengths: impl IntoIterator<Item = usize>,
) -> Result<Vec<(usize, char)>, BadPosition> {
    let (rows, lengths): (Vec<&str>, Vec<usize>) = (text.split('/').collect(), lengths.into_iter().collect());
    if rows.len() != lengths.len() {
        return Err(BadPosition::new(format!("expected {} {row}s, found {}", lengths.len(), rows.len())));
    }
    let mut letters = Vec::new();
    for (number, (text, length)) in (1..).zip(rows.into_iter().zip(lengths)) {
        let found = text.chars().count();
        if found != length {
            return Err(BadPosition::new(format!("{row} {number} has {found} {squares}, expected {length}")));
        }
        letters.extend(text.chars().map(|letter| (number, letter)));
    }
    Ok(letters)
}

/// A text cut at its first space: the board, and the side to move.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::notation::split_side;
/// assert_eq!(split_side("X./.. w", [("w", true), ("b", false)]), Ok(("X./..", true)));
/// let wrong = split_side("X./..", [("w", true), ("b", false)]).unwrap_err();
/// assert_eq!(wrong.to_string(), "expected rows joined by '/', a space and w or b to move");
/// ```
pub fn split_side<'t, S>(text: &'t str, sides: [(&str, S); 2]) -> Result<(&'t str, S), BadPosition> {
    let expected = |[one, other]: [&str; 2]| {
        BadPosition::new(format!("expected rows joined by '/', a space and {one} or {other} to move"))
    };
    let (board, side) = text.split_once(' ').ok_or_else(|| expected([sides[0].0, sides[1].0]))?;
    Ok((board, read_side(side, sides)?))
}

/// The name of a square or point: columns are letters from the left, ranks numbers from 1 on.
///
/// ```
/// # use kanzen_core as kanzen;
/// assert_eq!(kanzen::notation::square(2, 1), "c1");
/// ```
pub fn square(column: usize, rank: usize) -> String {
    format!("{}{rank}", char::from(b'a' + column as u8))
}

/// The side to move of a text.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::notation::read_side;
/// assert_eq!(read_side("w", [("w", true), ("b", false)]), Ok(true));
/// let wrong = read_side("x", [("w", true), ("b", false)]).unwrap_err();
/// assert_eq!(wrong.to_string(), r#"expected w or b to move, found "x""#);
/// ```
pub fn read_side<S>(text: &str, sides: [(&str, S); 2]) -> Result<S, BadPosition> {
    let [(one, side), (other, other_side)] = sides;
    match text {
        _ if text == one => Ok(side),
        _ if text == other => Ok(other_side),
        _ => Err(BadPosition::new(format!("expected {one} or {other} to move, found {text:?}"))),
    }
}
