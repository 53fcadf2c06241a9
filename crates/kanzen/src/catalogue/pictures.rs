//! Draws positions from their text, for any game.

use super::Entry;
use crate::rules::view::svg::{self, Drawing};
use crate::vocabulary::Error;

fn drawing(entry: &Entry, position: &str) -> Result<Drawing, Error> {
    // Texts come from the game itself: a view that does not fit them is a bug.
    svg::draw(&entry.view(), position).map_err(Error::Rules)
}

/// A position as an SVG file.
pub fn picture(entry: &Entry, position: &str) -> Result<String, Error> {
    Ok(drawing(entry, position)?.to_svg())
}

/// Positions on a sheet, an SVG file: so many in a row, each with lines of text below it.
pub fn sheet(entry: &Entry, title: &str, positions: &[(&str, Vec<String>)], columns: usize) -> Result<String, Error> {
    let board = |(position, lines): &(&str, Vec<String>)| Ok((drawing(entry, position)?, lines.clone()));
    let boards: Vec<(Drawing, Vec<String>)> = positions.iter().map(board).collect::<Result<_, Error>>()?;
    Ok(svg::sheet(title, &boards, columns))
}
