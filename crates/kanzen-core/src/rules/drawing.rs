//! Draws a position for the terminal: from its notation alone, or on the points and lines of its view.

mod points;

pub use points::points;

/// The rows of a notation under each other, the columns aligned; with squares named (`a1` bottom left) where every row
/// has the same number of cells. A text without rows stays as it is.
///
/// ```
/// # use kanzen_core as kanzen;
/// let board = kanzen::drawing::board("b,.,bw/.,.,./w,w,. w");
/// assert_eq!(board, "3  b  .  bw\n2  .  .  .\n1  w  w  .\n   a  b  c");
/// assert_eq!(kanzen::drawing::board("21"), "21");
/// ```
pub fn board(text: &str) -> String {
    let cells = text.split_once(' ').map_or(text, |(cells, _)| cells);
    if !cells.contains('/') {
        return text.to_owned();
    }
    let mut rows: Vec<Vec<String>> = cells.split('/').map(row).collect();
    let columns = rows[0].len();
    if columns <= 26 && rows.iter().all(|row| row.len() == columns) {
        let numbers = (1..=rows.len()).rev();
        rows.iter_mut().zip(numbers).for_each(|(row, number)| row.insert(0, number.to_string()));
        let letters = (b'a'..).take(columns).map(|letter| char::from(letter).to_string());
        rows.push(std::iter::once(String::new()).chain(letters).collect());
    }
    aligned(&rows)
}

fn row(text: &str) -> Vec<String> {
    if text.contains(',') {
        return text.split(',').map(str::to_owned).collect();
    }
    text.chars().map(String::from).collect()
}

fn aligned(rows: &[Vec<String>]) -> String {
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |row: &Vec<String>, column| row.get(column).map_or(0, |cell: &String| cell.chars().count());
    let widths: Vec<usize> =
        (0..widest).map(|column| rows.iter().map(|row| cell(row, column)).max().unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::board;

    #[test]
    fn rows_of_letters_are_boards_too() {
        assert_eq!(board("X.O/.X./..O X"), "3  X  .  O\n2  .  X  .\n1  .  .  O\n   a  b  c");
    }

    #[test]
    fn rows_of_other_lengths_have_no_squares() {
        assert_eq!(board("oo/ooo/.X o"), "o  o\no  o  o\n.  X");
    }

    #[test]
    fn any_text_can_be_drawn() {
        for text in ["", " ", "/", "//", ",/", "a/", "/,, x", "完/全 w"] {
            board(text);
        }
    }
}
