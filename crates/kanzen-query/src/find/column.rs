//! The columns of a query: properties of a position, their types and their cells.

use std::fmt;

use serde::Serialize;

use kanzen_core::rules::{Tag, Tags};

/// A property of each position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Column {
    /// The text of the position.
    Position,
    /// The side to move.
    ToMove,
    /// `win`, `loss` or `draw`.
    Value,
    /// Plies to the end, where defined.
    Distance,
    /// The mover's score.
    Score,
    /// A number that distinguishes its class from others, such as the pieces of a side.
    Field(String),
    /// How many moves there are, of a kind or of any.
    Count(Moves, Option<Tag>),
    /// How many moves keep value and distance.
    Best,
    /// Whether exactly one move keeps the value.
    OnlyMove,
    /// Plies from the best to the second best move of the same value.
    Gap,
    /// Whether passing would be better.
    Zugzwang,
}

/// Which moves are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moves {
    /// All legal ones.
    All,
    /// Those that win.
    Wins,
    /// Those that draw.
    Draws,
    /// Those that lose.
    Losses,
}

impl Moves {
    const NAMED: [(&str, Moves); 4] =
        [("moves", Moves::All), ("wins", Moves::Wins), ("draws", Moves::Draws), ("losses", Moves::Losses)];

    fn name(self) -> &'static str {
        Moves::NAMED.iter().find(|(_, moves)| *moves == self).map_or("moves", |(name, _)| name)
    }
}

/// What the cells of a column are, unless they are NULL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A whole number.
    Integer,
    /// A text, or one of a few words.
    Text,
    /// True or false.
    Boolean,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Integer => "a number",
            Kind::Text => "a text",
            Kind::Boolean => "true or false",
        })
    }
}

/// What must be looked at for a column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cost {
    /// The census counts by it.
    Census,
    /// What is stored of a position, and the position.
    Stored,
    /// Its moves, with what is stored of each position they lead to.
    Moves,
}

/// What holds of one position in one column.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// What is not defined there, such as the distance of a draw.
    Null,
    /// True or false.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A word that is always the same.
    Word(&'static str),
    /// A text of its own, such as that of a position.
    Text(String),
}

impl Cell {
    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Cell::Word(word) => Some(word),
            Cell::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A number, or NULL.
    pub(super) fn number(number: Option<impl Into<i64>>) -> Cell {
        number.map_or(Cell::Null, |number| Cell::Integer(number.into()))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Null => Ok(()),
            Cell::Boolean(holds) => write!(f, "{holds}"),
            Cell::Integer(number) => write!(f, "{number}"),
            Cell::Word(word) => f.write_str(word),
            Cell::Text(text) => f.write_str(text),
        }
    }
}

impl Column {
    /// What its cells are.
    pub fn kind(&self) -> Kind {
        match self {
            Column::Position | Column::ToMove | Column::Value => Kind::Text,
            Column::Distance | Column::Score | Column::Field(_) | Column::Count(..) | Column::Best | Column::Gap => {
                Kind::Integer
            }
            Column::OnlyMove | Column::Zugzwang => Kind::Boolean,
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Column::Position => f.write_str("position"),
            Column::ToMove => f.write_str("to_move"),
            Column::Value => f.write_str("value"),
            Column::Distance => f.write_str("distance"),
            Column::Score => f.write_str("score"),
            Column::Field(name) => f.write_str(name),
            Column::Count(moves, None) => f.write_str(moves.name()),
            Column::Count(moves, Some(tag)) => write!(f, "{}('{tag}')", moves.name()),
            Column::Best => f.write_str("best"),
            Column::OnlyMove => f.write_str("only_move"),
            Column::Gap => f.write_str("gap"),
            Column::Zugzwang => f.write_str("zugzwang"),
        }
    }
}

/// The columns that a game has.
#[derive(Clone, PartialEq, Debug)]
pub struct Schema {
    /// The name of the game.
    pub game: String,
    /// The numbers that tell classes apart, and whether the census counts by each.
    pub fields: Vec<(String, bool)>,
    /// The kinds of moves it knows.
    pub tags: Tags,
    /// Whether it has scores.
    pub scored: bool,
    /// Whether passing means something.
    pub passing: bool,
}

impl Schema {
    /// The column of a name, perhaps of moves with a tag; else a sentence that lists the columns there are.
    pub fn column(&self, name: &str, tag: Option<&str>) -> Result<Column, String> {
        let lower = name.to_ascii_lowercase();
        if let Some(&(_, moves)) = Moves::NAMED.iter().find(|(known, _)| *known == lower) {
            return Ok(Column::Count(moves, tag.map(|tag| self.tag(tag)).transpose()?));
        }
        if tag.is_some() {
            return Err(format!("{name} is not counted by kinds of moves: moves, wins, draws and losses are"));
        }
        match lower.as_str() {
            "position" => return Ok(Column::Position),
            "to_move" => return Ok(Column::ToMove),
            "value" => return Ok(Column::Value),
            "distance" => return Ok(Column::Distance),
            "best" => return Ok(Column::Best),
            "only_move" => return Ok(Column::OnlyMove),
            "gap" => return Ok(Column::Gap),
            "score" if self.scored => return Ok(Column::Score),
            "score" => return Err(format!("{} has no scores", self.game)),
            "zugzwang" if self.passing => return Ok(Column::Zugzwang),
            "zugzwang" => return Err(format!("{} does not define passing", self.game)),
            _ => {}
        }
        match self.fields.iter().find(|(field, _)| *field == lower) {
            Some((field, _)) => Ok(Column::Field(field.clone())),
            None => Err(format!("there is no column {name} (there are {})", self.names().join(", "))),
        }
    }

    fn tag(&self, name: &str) -> Result<Tag, String> {
        let known: Vec<&str> = self.tags.iter().map(Tag::name).collect();
        match Tag::named(name).filter(|tag| self.tags.has(*tag)) {
            Some(tag) => Ok(tag),
            None if known.is_empty() => Err(format!("{} knows no kinds of moves", self.game)),
            None => Err(format!("{} knows no moves '{name}' (it knows {})", self.game, known.join(", "))),
        }
    }

    /// The names of all columns, without those that count moves of one kind.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = ["position", "to_move", "value", "distance"].map(str::to_owned).to_vec();
        names.extend(self.scored.then(|| "score".to_owned()));
        names.extend(self.fields.iter().map(|(name, _)| name.clone()));
        names.extend(["moves", "wins", "draws", "losses", "best", "only_move", "gap"].map(str::to_owned));
        names.extend(self.passing.then(|| "zugzwang".to_owned()));
        names
    }

    /// What must be looked at for a column.
    pub fn cost(&self, column: &Column) -> Cost {
        match column {
            // With scores the census counts only the value (WDL), which is a column of its own.
            Column::Value | Column::Distance => Cost::Census,
            Column::Field(name) if self.fields.contains(&(name.clone(), true)) => Cost::Census,
            Column::Position | Column::ToMove | Column::Score | Column::Field(_) => Cost::Stored,
            Column::Count(..) | Column::Best | Column::OnlyMove | Column::Gap | Column::Zugzwang => Cost::Moves,
        }
    }
}
