//! The board of a text: cells, directions and areas, as cells and labels of the core.

use std::collections::HashMap;

use super::problem::{Problem, Span};
use super::tree::{BoardShape, Compass, Group, Name, Text};
use crate::core::{self, Cell, Label};

/// The most cells of a board, stacks included.
const MAX_CELLS: usize = 400;
/// The most lines of a board.
const MAX_LINES: usize = 60;

/// A cell: column and row from 0 at the bottom left, and its height in the stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Spot {
    pub column: usize,
    pub row: usize,
    pub level: usize,
}

/// Directions of the king, then of the knight.
const KING: [(i8, i8); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The board with its directions.
pub(super) struct Geometry {
    pub board: core::Board,
    pub columns: usize,
    pub rows: usize,
    pub spots: Vec<Spot>,
    /// Labels of directions by their step; of the knight's too.
    compass: HashMap<(i8, i8), Label>,
    /// The label that leads back.
    opposite: HashMap<Label, Label>,
    /// To a neighbour.
    neighbours: Vec<Label>,
    /// Along a line.
    lines: Vec<Label>,
    /// To the cell above and below in a stack.
    pub above: Option<Label>,
    pub below: Option<Label>,
    /// Labels that lead from the cells of an area to themselves.
    loops: HashMap<Vec<bool>, Label>,
    /// To the next cell in order, made when a condition counts.
    next: Option<Label>,
    /// Whether no `lines` are declared.
    grid: bool,
}

/// The column and row of a cell's name.
pub(super) fn place(name: &str) -> Option<(usize, usize)> {
    let column = name.bytes().next().filter(u8::is_ascii_lowercase)? - b'a';
    let row: usize = name[1..].parse().ok()?;
    Some((column.into(), row.checked_sub(1)?))
}

fn too_much(span: Span) -> impl Fn(core::CoreError) -> Problem {
    move |error| Problem::error(span, error.to_string())
}

impl Geometry {
    /// The cells: those of the drawing that are not `_`, or those on the lines.
    pub fn new(shape: &BoardShape, text: &Text) -> Result<Geometry, Problem> {
        let BoardShape { columns, rows, height, span, .. } = *shape;
        check_drawing(shape)?;
        let mut present = vec![text.lines.is_empty(); columns * rows];
        for name in text.lines.iter().flatten() {
            match place(&name.text) {
                Some((column, row)) if column < columns && row < rows => present[row * columns + column] = true,
                _ => return Err(Problem::error(name.span, format!("`{}` is not on the board", name.text))),
            }
        }
        for (down, line) in shape.drawing.iter().enumerate() {
            for (column, _) in line.text.chars().enumerate().filter(|(_, letter)| *letter == '_') {
                present[(rows - 1 - down) * columns + column] = false;
            }
        }
        let mut spots = Vec::new();
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            if present[row * columns + column] {
                spots.extend((0..height).map(|level| Spot { column, row, level }));
            }
        }
        if spots.len() > MAX_CELLS {
            let message = format!("the board has {} cells, at most {MAX_CELLS} are possible", spots.len());
            return Err(Problem::error(span, message));
        }
        let names = spots.iter().map(|spot| {
            let letter = char::from(b'a' + spot.column as u8);
            let level = if height > 1 { ".".to_owned() + &(spot.level + 1).to_string() } else { String::new() };
            format!("{letter}{}{level}", spot.row + 1)
        });
        let board = core::Board::new(names).map_err(too_much(span))?;
        let mut geometry = Geometry {
            board,
            columns,
            rows,
            spots,
            compass: HashMap::new(),
            opposite: HashMap::new(),
            neighbours: Vec::new(),
            lines: Vec::new(),
            above: None,
            below: None,
            loops: HashMap::new(),
            next: None,
            grid: text.lines.is_empty(),
        };
        if text.lines.is_empty() {
            geometry.add_grid(shape).map_err(too_much(span))?;
        } else {
            geometry.add_lines(&text.lines)?;
        }
        if height > 1 {
            geometry.add_stacks().map_err(too_much(span))?;
        }
        Ok(geometry)
    }

    fn cell(&self, column: usize, row: usize, level: usize) -> Option<Cell> {
        let spot = Spot { column, row, level };
        self.spots.iter().position(|other| *other == spot).map(|at| Cell(at as u16))
    }

    /// The cell with this name, the lowest of its stack.
    pub fn named(&self, name: &str) -> Option<Cell> {
        let (column, row) = place(name)?;
        self.cell(column, row, 0)
    }

    fn add_pair(&mut self, names: [String; 2]) -> Result<[Label; 2], core::CoreError> {
        let [there, back] = names;
        let (there, back) = (self.board.add_label(there)?, self.board.add_label(back)?);
        self.opposite.extend([(there, back), (back, there)]);
        Ok([there, back])
    }

    fn add_grid(&mut self, shape: &BoardShape) -> Result<(), core::CoreError> {
        let group = shape.neighbours.map_or(Group::Orthogonal, |(group, _)| group);
        let knight = group == Group::Knight;
        for (right, up) in KING.into_iter().chain(KNIGHT.into_iter().filter(|_| knight)) {
            self.compass_label((right, up))?;
        }
        self.neighbours = self.group(group);
        self.lines = self.group(if group == Group::Hex { Group::Hex } else { Group::King });
        Ok(())
    }

    /// The label of a step over columns and rows on a grid, and the one back, made when it is first asked for.
    fn compass_label(&mut self, step: (i8, i8)) -> Result<Label, core::CoreError> {
        if let Some(label) = self.compass.get(&step) {
            return Ok(*label);
        }
        let back = (-step.0, -step.1);
        let [there, label_back] = self.add_pair([way_name(step), way_name(back)])?;
        self.compass.extend([(step, there), (back, label_back)]);
        for (at, spot) in self.spots.clone().into_iter().enumerate() {
            for (label, step) in [(there, step), (label_back, back)] {
                let column = spot.column.checked_add_signed(step.0.into());
                let row = spot.row.checked_add_signed(step.1.into());
                let target = column.zip(row).and_then(|(column, row)| self.cell(column, row, 0));
                if let Some(target) = target {
                    self.board.connect(label, Cell(at as u16), target)?;
                }
            }
        }
        Ok(there)
    }

    /// Links along the lines: straight ones by their compass direction, others by the number of the line.
    fn add_lines(&mut self, lines: &[Vec<Name>]) -> Result<(), Problem> {
        if lines.len() > MAX_LINES {
            let span = lines[MAX_LINES][0].span;
            return Err(Problem::error(span, format!("more than {MAX_LINES} lines")));
        }
        for (number, line) in lines.iter().enumerate() {
            let mut bent: Option<[Label; 2]> = None;
            for pair in line.windows(2) {
                let span = pair[0].span.to(pair[1].span);
                let (Some(a), Some(b)) = (place(&pair[0].text), place(&pair[1].text)) else { continue };
                let (Some(from), Some(to)) = (self.cell(a.0, a.1, 0), self.cell(b.0, b.1, 0)) else { continue };
                let (right, up) = (b.0 as i32 - a.0 as i32, b.1 as i32 - a.1 as i32);
                let straight = right == 0 || up == 0 || right.abs() == up.abs();
                let whole =
                    line.windows(2).all(|other| direction(&other[0], &other[1]) == direction(&pair[0], &pair[1]));
                if from == to {
                    return Err(Problem::error(span, "a line joins a point to itself"));
                }
                let labels = if straight && whole {
                    let step = (right.signum() as i8, up.signum() as i8);
                    let back = (-step.0, -step.1);
                    match self.compass.get(&step) {
                        Some(label) => [*label, self.opposite[label]],
                        None => {
                            let labels = self.add_pair([way_name(step), way_name(back)]).map_err(too_much(span))?;
                            self.compass.extend([(step, labels[0]), (back, labels[1])]);
                            labels
                        }
                    }
                } else if let Some(labels) = bent {
                    labels
                } else {
                    let names = [format!("line {}", number + 1), format!("line {} back", number + 1)];
                    *bent.insert(self.add_pair(names).map_err(too_much(span))?)
                };
                for label in labels {
                    if !self.lines.contains(&label) {
                        self.lines.push(label);
                    }
                }
                let joined =
                    self.board.connect(labels[0], from, to).and_then(|()| self.board.connect(labels[1], to, from));
                joined.map_err(|_| Problem::error(span, "two lines leave this point in the same direction"))?;
            }
        }
        self.neighbours = self.lines.clone();
        Ok(())
    }

    fn add_stacks(&mut self) -> Result<(), core::CoreError> {
        let [above, below] = self.add_pair(["above".into(), "below".into()])?;
        for (at, spot) in self.spots.clone().into_iter().enumerate() {
            if let Some(higher) = self.cell(spot.column, spot.row, spot.level + 1) {
                self.board.connect(above, Cell(at as u16), higher)?;
                self.board.connect(below, higher, Cell(at as u16))?;
            }
        }
        (self.above, self.below) = (Some(above), Some(below));
        Ok(())
    }

    pub fn opposite(&self, label: Label) -> Label {
        self.opposite.get(&label).copied().unwrap_or(label)
    }

    pub fn neighbours(&self) -> Vec<Label> {
        self.neighbours.clone()
    }

    pub fn lines(&self) -> Vec<Label> {
        self.lines.clone()
    }

    /// Of each direction and its opposite only one.
    pub fn axes(&self, ways: &[Label]) -> Vec<Label> {
        let mut axes: Vec<Label> = Vec::new();
        for &way in ways {
            if !axes.contains(&way) && !axes.contains(&self.opposite(way)) {
                axes.push(way);
            }
        }
        axes
    }

    /// The label of a compass direction, if the board has it.
    pub fn way(&self, compass: Compass) -> Option<Label> {
        self.compass.get(&(compass.right, compass.up)).copied()
    }

    /// The labels of a group of directions that the board has.
    pub fn group(&mut self, group: Group) -> Vec<Label> {
        let steps: Vec<(i8, i8)> = match group {
            Group::Orthogonal => KING[..4].to_vec(),
            Group::Diagonal => KING[4..].to_vec(),
            Group::King => KING.to_vec(),
            Group::Knight => KNIGHT.to_vec(),
            Group::Hex => KING[..4].iter().copied().chain([(-1, 1), (1, -1)]).collect(),
        };
        if group == Group::Knight && self.grid {
            for step in KNIGHT {
                // A board with too many labels lacks the last of them; the core reports the limit elsewhere.
                let _ = self.compass_label(step);
            }
        }
        steps.iter().filter_map(|step| self.compass.get(step).copied()).collect()
    }

    /// Whether some cells lie `length` in a row along one of the ways.
    pub fn has_line(&self, ways: &[Label], length: u32) -> bool {
        let reaches = |way: Label, from: Cell| {
            let mut at = from;
            (1..length.min(1000)).all(|_| match self.board.neighbour(way, at) {
                Some(next) => {
                    at = next;
                    true
                }
                None => false,
            })
        };
        ways.iter().any(|way| self.board.cells().any(|from| reaches(*way, from)))
    }

    /// The label that leads from the cells of an area to themselves.
    pub fn stay_on(&mut self, area: &[bool], name: &str) -> Result<Label, core::CoreError> {
        if let Some(label) = self.loops.get(area) {
            return Ok(*label);
        }
        let label = self.board.add_label(name)?;
        for cell in self.board.cells().filter(|cell| area[cell.0 as usize]) {
            self.board.connect(label, cell, cell)?;
        }
        self.loops.insert(area.to_vec(), label);
        Ok(label)
    }

    /// The label that leads to the next cell in order.
    pub fn next(&mut self) -> Result<Label, core::CoreError> {
        if let Some(label) = self.next {
            return Ok(label);
        }
        let label = self.board.add_label("next cell")?;
        for at in 1..self.board.len() as u16 {
            self.board.connect(label, Cell(at - 1), Cell(at))?;
        }
        self.next = Some(label);
        Ok(label)
    }
}

fn direction(a: &Name, b: &Name) -> Option<(i32, i32)> {
    let (a, b) = (place(&a.text)?, place(&b.text)?);
    Some(((b.0 as i32 - a.0 as i32).signum(), (b.1 as i32 - a.1 as i32).signum()))
}

fn way_name((right, up): (i8, i8)) -> String {
    if right.abs().max(up.abs()) > 1 {
        return format!("knight {right} {up}");
    }
    let vertical = ["down", "", "up"][(up + 1) as usize];
    let horizontal = ["left", "", "right"][(right + 1) as usize];
    let dash = if vertical.is_empty() || horizontal.is_empty() { "" } else { "-" };
    format!("{vertical}{dash}{horizontal}")
}

fn check_drawing(shape: &BoardShape) -> Result<(), Problem> {
    let (Some(first), Some(last)) = (shape.drawing.first(), shape.drawing.last()) else { return Ok(()) };
    if shape.drawing.len() != shape.rows {
        let message = format!("the drawing has {} rows", shape.drawing.len());
        return Err(Problem::error(first.span.to(last.span), message).expecting(format!("{}", shape.rows)));
    }
    for row in &shape.drawing {
        let cells = row.text.chars().count();
        if cells != shape.columns {
            let message = format!("this row has {cells} cells");
            return Err(Problem::error(row.span, message).expecting(format!("{}", shape.columns)));
        }
    }
    Ok(())
}
