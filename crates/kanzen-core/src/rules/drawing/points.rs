//! Draws a board of points and lines in letters.
//!
//! ```text
//! 3  w---.---b      a place at every fourth column and every second row,
//!    | \ | / |      lines between them, and the coordinates on the left
//! 2  .---.---.      and below, as the view labels them
//!    | / | \ |
//! 1  .---.---.
//!    a   b   c
//! ```

use crate::rules::view::View;

/// Columns from one place to the next.
const ACROSS: usize = 4;
/// Rows from one place to the next.
const DOWN: usize = 2;

/// Draws a position on the points and lines of a view, with the coordinates beside them. A text that the view cannot
/// read stays as it is.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::view::{Point, Shape, Side, Tone, View};
/// let place = |name: &str, x: f32, y: f32| Point { name: name.into(), x, y };
/// let places = vec![place("a2", 0.0, 0.0), place("b2", 1.0, 0.0), place("a1", 0.0, 1.0)];
/// let view = View::points(places, vec![[0, 1], [0, 2], [1, 2]])
///     .sides(Side::new("r", "Red", "赤", Tone::Dark), Side::new("g", "Green", "緑", Tone::Light))
///     .piece('r', Some(0), Shape::Disc)
///     .piece('g', Some(1), Shape::Disc);
/// assert_eq!(kanzen::drawing::points(&view, "r./g r"), "2  r---.\n   | /\n1  g\n   a   b");
/// ```
pub fn points(view: &View, position: &str) -> String {
    let Ok(content) = view.read(position) else { return position.to_owned() };
    let at = |x: f32, y: f32| ((x * ACROSS as f32).round() as usize, (y * DOWN as f32).round() as usize);
    let spots: Vec<(usize, usize)> = view.places.iter().map(|place| at(place.x, place.y)).collect();
    let width = spots.iter().map(|spot| spot.0).max().unwrap_or(0) + 1;
    let height = spots.iter().map(|spot| spot.1).max().unwrap_or(0) + 1;
    let mut rows = vec![vec![' '; width]; height];
    for [one, other] in &view.lines {
        draw_line(&mut rows, spots[*one], spots[*other]);
    }
    for (&(x, y), cell) in spots.iter().zip(&content.cells) {
        rows[y][x] = cell.chars().last().unwrap_or('.');
    }
    let mut numbers = vec![String::new(); height];
    let mut letters = vec![' '; width];
    for label in &view.labels {
        let (x, y) = at(label.x.max(0.0), label.y);
        match label.text.chars().next() {
            _ if label.x < 0.0 && y < height => numbers[y].clone_from(&label.text),
            Some(letter) if y >= height && x < width => letters[x] = letter,
            _ => {}
        }
    }
    let margin = numbers.iter().map(String::len).max().unwrap_or(0);
    let lines = numbers.iter().zip(&rows).map(|(number, row)| (number.as_str(), row)).chain([("", &letters)]);
    let line = |(number, row): (&str, &Vec<char>)| {
        let row: String = row.iter().collect();
        format!("{number:margin$}  {row}").trim_end().to_owned()
    };
    lines.map(line).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

/// Draws what is between two places: level lines in each column, all others once in each row.
fn draw_line(rows: &mut [Vec<char>], (x, y): (usize, usize), (to_x, to_y): (usize, usize)) {
    let (letter, steps) = match (x == to_x, y == to_y, (x < to_x) == (y < to_y)) {
        (_, true, _) => ('-', to_x.abs_diff(x)),
        (true, _, _) => ('|', to_y.abs_diff(y)),
        (_, _, falls) => {
            let slanted = to_y.abs_diff(y).max(to_x.abs_diff(x) * DOWN / ACROSS);
            (if falls { '\\' } else { '/' }, slanted)
        }
    };
    for step in 1..steps {
        let between = |from: usize, to: usize| (from * (steps - step) + to * step) / steps;
        rows[between(y, to_y)][between(x, to_x)] = letter;
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::view::{Hands, Shape, Side, Tone, View};

    fn three_men() -> View {
        let spokes = (0..8).map(|place| [place, 8]);
        View::rings(1, true, spokes)
            .hands(Hands::Counts)
            .sides(Side::new("w", "White", "白", Tone::Light), Side::new("b", "Black", "黒", Tone::Dark))
            .piece('w', Some(0), Shape::Disc)
            .piece('b', Some(1), Shape::Disc)
    }

    #[test]
    fn rings_have_lines_and_coordinates() {
        let drawn = "\
3  w---.---b
   | \\ | / |
2  .---w---.
   | / | \\ |
1  .---.---.
   a   b   c";
        assert_eq!(super::points(&three_men(), "w.b...../w b 1-2"), drawn);
    }

    #[test]
    fn a_text_of_something_else_stays_as_it_is() {
        assert_eq!(super::points(&three_men(), "nonsense"), "nonsense");
    }
}
