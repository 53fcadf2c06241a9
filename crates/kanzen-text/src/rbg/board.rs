//! Reads boards: rectangles, hexagons, graphs.

use std::collections::BTreeMap;

use super::tokens::{Token, Tokens};
use super::{Names, Result, Wrong, label};
use crate::core::{Board, Cell, Label, MAX_CELLS, Piece};

/// The board and the pieces on it.
pub(super) fn read(tokens: &mut Tokens, names: &mut Names) -> Result<(Board, Vec<Piece>)> {
    let made = if tokens.take("rectangle") {
        generated(tokens, names, 4, rectangle)
    } else if tokens.take("hexagon") {
        generated(tokens, names, 6, hexagon)
    } else {
        graph(tokens, names)
    }?;
    match tokens.peek() {
        Some(_) => Err(tokens.wrong("the end of the board")),
        None => Ok(made),
    }
}

/// A row of pieces with holes.
type Row = Vec<Option<Piece>>;
/// Where a direction leads from column and row, in the same units.
type Neighbour = fn(rows: &[Row], direction: usize, column: usize, row: usize) -> Option<(usize, usize)>;

/// `rectangle(up, down, left, right, [a, b] [c, d])`.
fn generated(
    tokens: &mut Tokens,
    names: &mut Names,
    directions: usize,
    neighbour: Neighbour,
) -> Result<(Board, Vec<Piece>)> {
    tokens.expect("(")?;
    let mut labels = Vec::new();
    for _ in 0..directions {
        labels.push(tokens.name("the name of a direction")?);
        tokens.expect(",")?;
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut growing = true;
    while tokens.at("[") {
        let row = row(tokens, names)?;
        if let Some(last) = rows.last() {
            let fits = match (directions, row.len() as i64 - last.len() as i64) {
                (4, difference) => difference == 0,
                (_, 1) => growing,
                (_, difference) => difference == -1,
            };
            growing &= row.len() > last.len();
            if !fits {
                return Err(tokens.wrong("a row of another length"));
            }
        }
        rows.push(row);
        if rows.len() > MAX_CELLS {
            return Err(tokens.wrong("the end of a board"));
        }
    }
    tokens.expect(")")?;
    let cells: Vec<(usize, usize, Piece)> = rows
        .iter()
        .enumerate()
        .flat_map(|(y, row)| row.iter().enumerate().filter_map(move |(x, piece)| piece.map(|piece| (x, y, piece))))
        .collect();
    let numbers: BTreeMap<(usize, usize), Cell> =
        cells.iter().enumerate().map(|(number, &(x, y, _))| ((x, y), Cell(number as u16))).collect();
    let mut board = Board::new(cells.iter().map(|(x, y, _)| format!("x{x}y{y}")))
        .map_err(|error| Wrong::new(tokens.wrong("").at, error.to_string()))?;
    for (direction, name) in labels.iter().enumerate() {
        let label = new_label(names, &mut board, name)?;
        for (&(x, y), &from) in &numbers {
            let to = neighbour(&rows, direction, x, y).and_then(|place| numbers.get(&place));
            if let Some(&to) = to {
                board.connect(label, from, to).map_err(|error| Wrong::new(name.at, error.to_string()))?;
            }
        }
    }
    Ok((board, cells.into_iter().map(|(.., piece)| piece).collect()))
}

fn new_label(names: &mut Names, board: &mut Board, name: &Token) -> Result<Label> {
    match names.labels.contains_key(&*name.text) {
        true => Err(Wrong::new(name.at, format!("there are two directions {}", name.text))),
        false => label(names, board, name),
    }
}

fn row(tokens: &mut Tokens, names: &Names) -> Result<Row> {
    tokens.expect("[")?;
    let mut row = Vec::new();
    loop {
        row.push(match tokens.at(",") || tokens.at("]") {
            true => None,
            false => Some(piece(tokens, names)?),
        });
        if row.len() > MAX_CELLS {
            return Err(tokens.wrong("the end of a row"));
        }
        if tokens.take("]") {
            return Ok(row);
        }
        tokens.expect(",")?;
    }
}

fn piece(tokens: &mut Tokens, names: &Names) -> Result<Piece> {
    let name = tokens.name("a piece")?;
    names.pieces.get(&*name.text).copied().ok_or_else(|| Wrong::new(name.at, format!("{} is no piece", name.text)))
}

/// Up, down, left, right.
fn rectangle(_: &[Row], direction: usize, x: usize, y: usize) -> Option<(usize, usize)> {
    match direction {
        0 => Some((x, y.checked_sub(1)?)),
        1 => Some((x, y + 1)),
        2 => Some((x.checked_sub(1)?, y)),
        _ => Some((x + 1, y)),
    }
}

/// North-west, north-east, east, south-east, south-west, west. Rows are centred: a longer row reaches half a cell further
/// on both sides.
fn hexagon(rows: &[Row], direction: usize, x: usize, y: usize) -> Option<(usize, usize)> {
    let other = match direction {
        0 | 1 => y.checked_sub(1)?,
        3 | 4 => y + 1,
        2 => return Some((x + 1, y)),
        _ => return Some((x.checked_sub(1)?, y)),
    };
    let east = matches!(direction, 1 | 3);
    match rows.get(other)?.len() > rows[y].len() {
        true => Some((x + usize::from(east), other)),
        false => Some((x.checked_sub(usize::from(!east))?, other)),
    }
}

/// `a [piece] {right: b, up: c} b [piece] {}`.
fn graph(tokens: &mut Tokens, names: &mut Names) -> Result<(Board, Vec<Piece>)> {
    let mut cells: Vec<(Token, Piece)> = Vec::new();
    let mut edges: Vec<(usize, Token, Token)> = Vec::new();
    while tokens.peek().is_some() {
        let name = tokens.name("the name of a cell")?;
        tokens.expect("[")?;
        cells.push((name, piece(tokens, names)?));
        tokens.expect("]")?;
        tokens.expect("{")?;
        while !tokens.take("}") {
            let direction = tokens.name("the name of a direction")?;
            tokens.expect(":")?;
            edges.push((cells.len() - 1, direction, tokens.name("the name of a cell")?));
            if !tokens.at("}") {
                tokens.expect(",")?;
            }
        }
    }
    let mut numbers = BTreeMap::new();
    for (number, (name, _)) in cells.iter().enumerate() {
        if numbers.insert(name.text.clone(), Cell(number as u16)).is_some() {
            return Err(Wrong::new(name.at, format!("there are two cells {}", name.text)));
        }
    }
    let mut board = Board::new(cells.iter().map(|(name, _)| &*name.text))
        .map_err(|error| Wrong::new(tokens.wrong("").at, error.to_string()))?;
    for (from, direction, to) in edges {
        let label = label(names, &mut board, &direction)?;
        let to = *numbers.get(&to.text).ok_or_else(|| Wrong::new(to.at, format!("there is no cell {}", to.text)))?;
        board.connect(label, Cell(from as u16), to).map_err(|error| Wrong::new(direction.at, error.to_string()))?;
    }
    Ok((board, cells.into_iter().map(|(_, piece)| piece).collect()))
}
