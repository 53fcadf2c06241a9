//! A query: as the caller gives it, and as it is parsed.

use super::column::{Cell, Column, Cost, Kind, Schema};
use super::expression::Expression;
use super::parse;
use crate::{Answer, Oracle, Scan, Wanted, scan};
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::{Census, Error, Value};

/// A query as the caller gives it.
///
/// ```
/// use kanzen_query::Find;
/// let find = Find { condition: "value = 'win' AND distance > 60".into(), limit: Some(10), ..Find::default() };
/// assert!(find.part.is_none());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Find {
    /// The WHERE clause of SQL, over the columns of the game. Empty for all positions.
    pub condition: String,
    /// The columns of the answer, separated by commas: `position, value, distance` unless it names others.
    pub columns: Option<String>,
    /// The column by which rows are ordered, the least first, or with a `-` before it the greatest; NULL comes last.
    /// Without one, rows come in the order of the database.
    pub order: Option<String>,
    /// The most rows.
    pub limit: Option<u64>,
    /// Whether rows are only counted.
    pub count: bool,
    /// Instead of all positions, so many drawn at random with this seed, uniformly and each at most once.
    pub sample: Option<(u64, u64)>,
    /// One part of so many, from 1: together the parts are the whole.
    pub part: Option<(u64, u64)>,
    /// From where to go on: what the answer before said.
    pub after: Option<Cursor>,
    /// Whether it may take more than an hour.
    pub all: bool,
}

impl Find {
    /// Whether it ends with the first few rows that are found.
    pub(super) fn is_for_few(&self) -> bool {
        self.limit.is_some() && self.order.is_none() && !self.count && self.sample.is_none()
    }

    /// Refuses what no database with these columns can answer, before any work starts; several processes then need not
    /// synchronise.
    pub fn check(&self, schema: Schema) -> Result<(), Error> {
        Question::new(self, schema)?;
        super::run::check(self)
    }
}

/// A place between two rows, from which a query resumes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cursor {
    /// The stretch of the database.
    pub stretch: u64,
    /// Positions of it that are done with.
    pub done: u64,
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.stretch, self.done)
    }
}

impl std::str::FromStr for Cursor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Cursor, Error> {
        let numbers =
            text.split_once('.').and_then(|(stretch, done)| Some((stretch.parse().ok()?, done.parse().ok()?)));
        let (stretch, done) = numbers.ok_or_else(|| Error::BadRequest(format!("{text:?} is no cursor")))?;
        Ok(Cursor { stretch, done })
    }
}

/// A parsed query.
pub(super) struct Question {
    /// All columns that it needs.
    pub columns: Vec<Column>,
    pub condition: Expression,
    /// Those of the answer, by their numbers.
    pub shown: Vec<usize>,
    /// The one that orders rows, and whether the greatest comes first.
    pub order: Option<(usize, bool)>,
    /// What the condition needs.
    pub condition_cost: Cost,
    /// What everything needs.
    pub cost: Cost,
    /// Whether the condition depends on more than the answer of a position, even where moves do not matter.
    pub by_position: bool,
    pub schema: Schema,
}

/// What is shown unless other columns are asked for.
pub(super) const SHOWN: &str = "position, value, distance";

impl Question {
    pub fn new(find: &Find, schema: Schema) -> Result<Question, Error> {
        let mut columns = Vec::new();
        let condition = match find.condition.trim() {
            "" => Expression::And(Vec::new()),
            _ => parse::condition(&find.condition, &schema, &mut columns)?,
        };
        let dearest =
            |columns: &[Column]| columns.iter().map(|column| schema.cost(column)).max().unwrap_or(Cost::Census);
        let condition_cost = dearest(&columns);
        let by_position = columns.iter().any(|column| matches!(column, Column::Field(_) | Column::ToMove));
        let add = |column: Column, columns: &mut Vec<Column>| {
            columns.iter().position(|other| *other == column).unwrap_or_else(|| {
                columns.push(column);
                columns.len() - 1
            })
        };
        let (mut shown, mut order) = (Vec::new(), None);
        if !find.count {
            for column in parse::column_list(find.columns.as_deref().unwrap_or(SHOWN), &schema)? {
                shown.push(add(column, &mut columns));
            }
            if let Some(text) = &find.order {
                let (text, falling) = text.strip_prefix('-').map_or((text.as_str(), false), |text| (text, true));
                let [column] = &parse::column_list(text, &schema)?[..] else {
                    return Err(Error::BadRequest(format!("rows are ordered by one column, not by {text:?}")));
                };
                order = Some((add(column.clone(), &mut columns), falling));
            }
        }
        let cost = dearest(&columns);
        Ok(Question { columns, condition, shown, order, condition_cost, cost, by_position, schema })
    }

    /// The names of the columns of the answer and what their cells are.
    pub fn heading(&self) -> Vec<(String, Kind)> {
        self.shown.iter().map(|&column| (self.columns[column].to_string(), self.columns[column].kind())).collect()
    }

    fn cells(&self, cell: impl Fn(&Column) -> Option<Cell>) -> Vec<Option<Cell>> {
        self.columns.iter().map(cell).collect()
    }

    /// Whether a position with this answer can match, whatever else it is.
    pub fn may_match(&self, answer: Answer) -> bool {
        self.condition.outcomes(&self.cells(|column| of_answer(column, answer))).may_hold()
    }

    /// The way through the database for it.
    pub fn scan<'a>(&self, oracle: &'a dyn Oracle, wanted: Wanted<'a>) -> Result<Box<dyn Scan + 'a>, Error> {
        let mut scan = scan(oracle, wanted)?;
        scan.narrow(&|name, number| self.may_have(name, number));
        Ok(scan)
    }

    /// Whether a position with this number can match, whatever else it is.
    pub fn may_have(&self, name: &str, number: i64) -> bool {
        let cells = self.cells(|column| match column {
            Column::Field(field) if field == name => Some(Cell::number(Some(number))),
            _ => None,
        });
        self.condition.outcomes(&cells).may_hold()
    }

    /// What is known of a position without its moves.
    pub fn known(&self, game: &dyn AnyGame, oracle: &dyn Oracle, position: u128, answer: Answer) -> Vec<Option<Cell>> {
        let fields = match self.columns.iter().any(|column| matches!(column, Column::Field(_))) {
            true => oracle.fields(position),
            false => Vec::new(),
        };
        self.cells(|column| match column {
            Column::Position => Some(Cell::Null), // written when it is shown
            Column::ToMove => Some(Cell::Word(game.to_move(position))),
            Column::Field(name) => {
                Some(Cell::number(fields.iter().find(|(field, _)| field == name).map(|(_, number)| *number)))
            }
            _ => of_answer(column, answer),
        })
    }

    /// How many positions of the census match, if the census decides that; else how many may.
    pub fn in_census(&self, census: &Census) -> u64 {
        let mut count = 0;
        for (label, tally) in &census.classes {
            for (value, positions) in tally.iter() {
                let cells = self.cells(|column| match column {
                    Column::Value | Column::Distance => of_answer(column, value.into()),
                    Column::Field(name) if self.schema.cost(column) == Cost::Census => {
                        Some(Cell::number(label.get(name).and_then(|number| number.as_i64())))
                    }
                    _ => None,
                });
                count += if self.condition.outcomes(&cells).may_hold() { positions } else { 0 };
            }
        }
        count
    }
}

fn of_answer(column: &Column, answer: Answer) -> Option<Cell> {
    let Answer { value, score } = answer;
    match column {
        Column::Value => Some(Cell::Word(word(value))),
        Column::Distance => Some(Cell::number(value.distance())),
        Column::Score => Some(Cell::number(score)),
        _ => None,
    }
}

fn word(value: Value) -> &'static str {
    match value.outcome() {
        kanzen_core::vocabulary::Outcome::Win => "win",
        kanzen_core::vocabulary::Outcome::Draw => "draw",
        kanzen_core::vocabulary::Outcome::Loss => "loss",
    }
}

/// The columns of a solved game.
pub fn schema(id: &str, game: &dyn AnyGame, oracle: &dyn Oracle) -> Result<Schema, Error> {
    let counted = oracle.contents()?.census.field_names();
    let own: Vec<String> = oracle.field_names().iter().map(|&name| name.to_owned()).collect();
    let names = if own.is_empty() { counted.clone() } else { own };
    let fields = names.into_iter().map(|name| {
        let in_census = counted.contains(&name);
        (name, in_census)
    });
    Ok(Schema {
        game: id.to_owned(),
        fields: fields.collect(),
        tags: game.known_tags(),
        scored: oracle.answer(game.initial())?.score.is_some(),
        passing: game.has_passing(),
    })
}
