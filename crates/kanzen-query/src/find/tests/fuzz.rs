//! Random conditions: valid ones agree with a naive evaluation, and any other text is refused quickly, in one line.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::schema;
use crate::find::column::{Cell, Column};
use crate::find::parse::{column_list, condition};

/// A condition as a tree of our own, with its text.
#[derive(Clone, Debug)]
enum Plain {
    Compare(&'static str, &'static str, i64),
    Between(&'static str, i64, i64, bool),
    In(&'static str, Vec<i64>, bool),
    IsNull(&'static str, bool),
    Value(&'static str, bool),
    Truth(&'static str),
    Not(Box<Plain>),
    And(Vec<Plain>),
    Or(Vec<Plain>),
}

const NUMBERS: [&str; 6] = ["distance", "white", "moves", "wins('hole')", "best", "gap"];
const TRUTHS: [&str; 2] = ["only_move", "zugzwang"];
const COMPARISONS: [&str; 6] = ["=", "<>", "<", "<=", ">", ">="];

impl Plain {
    fn text(&self) -> String {
        let not = |is: &bool| if *is { "" } else { "NOT " };
        let joined = |parts: &[Plain], word: &str| {
            parts.iter().map(|part| format!("({})", part.text())).collect::<Vec<_>>().join(word)
        };
        match self {
            Plain::Compare(column, how, with) => format!("{column} {how} {with}"),
            Plain::Between(column, low, high, is) => format!("{column} {}BETWEEN {low} AND {high}", not(is)),
            Plain::In(column, list, is) => {
                let list: Vec<String> = list.iter().map(i64::to_string).collect();
                format!("{column} {}IN ({})", not(is), list.join(", "))
            }
            Plain::IsNull(column, is) => format!("{column} IS {}NULL", not(is)),
            Plain::Value(value, is) => format!("value {} '{value}'", if *is { "=" } else { "<>" }),
            Plain::Truth(column) => (*column).to_owned(),
            Plain::Not(part) => format!("NOT ({})", part.text()),
            Plain::And(parts) => joined(parts, " AND "),
            Plain::Or(parts) => joined(parts, " OR "),
        }
    }

    /// What it comes to: true, false or neither.
    fn truth(&self, cell: &dyn Fn(&str) -> Cell) -> Option<bool> {
        let number = |column: &str| match cell(column) {
            Cell::Integer(number) => Some(number),
            _ => None,
        };
        match self {
            Plain::Compare(column, how, with) => number(column).map(|number| match *how {
                "=" => number == *with,
                "<>" => number != *with,
                "<" => number < *with,
                "<=" => number <= *with,
                ">" => number > *with,
                _ => number >= *with,
            }),
            Plain::Between(column, low, high, is) => {
                number(column).map(|number| (number >= *low && number <= *high) == *is)
            }
            Plain::In(column, list, is) => number(column).map(|number| list.contains(&number) == *is),
            Plain::IsNull(column, is) => Some((cell(column) == Cell::Null) == *is),
            Plain::Value(value, is) => cell("value").text().map(|own| (own == *value) == *is),
            Plain::Truth(column) => match cell(column) {
                Cell::Boolean(holds) => Some(holds),
                _ => None,
            },
            Plain::Not(part) => part.truth(cell).map(|holds| !holds),
            Plain::And(parts) => {
                let truths: Vec<Option<bool>> = parts.iter().map(|part| part.truth(cell)).collect();
                if truths.contains(&Some(false)) {
                    Some(false)
                } else {
                    truths.into_iter().collect::<Option<Vec<_>>>().map(|_| true)
                }
            }
            Plain::Or(parts) => {
                let truths: Vec<Option<bool>> = parts.iter().map(|part| part.truth(cell)).collect();
                if truths.contains(&Some(true)) {
                    Some(true)
                } else {
                    truths.into_iter().collect::<Option<Vec<_>>>().map(|_| false)
                }
            }
        }
    }
}

fn plain() -> impl Strategy<Value = Plain> {
    let column = || prop::sample::select(&NUMBERS[..]);
    let leaf = prop_oneof![
        (column(), prop::sample::select(&COMPARISONS[..]), -3..9i64)
            .prop_map(|(column, how, with)| Plain::Compare(column, how, with)),
        (column(), -3..9i64, -3..9i64, any::<bool>())
            .prop_map(|(column, low, high, is)| Plain::Between(column, low, high, is)),
        (column(), prop::collection::vec(-3..9i64, 1..4), any::<bool>())
            .prop_map(|(column, list, is)| Plain::In(column, list, is)),
        (column(), any::<bool>()).prop_map(|(column, is)| Plain::IsNull(column, is)),
        (prop::sample::select(&["win", "loss", "draw"][..]), any::<bool>())
            .prop_map(|(value, is)| Plain::Value(value, is)),
        prop::sample::select(&TRUTHS[..]).prop_map(Plain::Truth),
    ];
    leaf.prop_recursive(4, 24, 3, |part| {
        prop_oneof![
            part.clone().prop_map(|part| Plain::Not(Box::new(part))),
            prop::collection::vec(part.clone(), 1..4).prop_map(Plain::And),
            prop::collection::vec(part, 1..4).prop_map(Plain::Or),
        ]
    })
}

/// A row: a cell for each column that a condition can name, some of them NULL.
fn row() -> impl Strategy<Value = Vec<(String, Cell)>> {
    let number = || prop_oneof![1 => Just(Cell::Null), 4 => (-3..9i64).prop_map(Cell::Integer)];
    let truth = || prop_oneof![1 => Just(Cell::Null), 4 => any::<bool>().prop_map(Cell::Boolean)];
    let value = prop::sample::select(&["win", "loss", "draw"][..]).prop_map(Cell::Word);
    (prop::collection::vec(number(), NUMBERS.len()), prop::collection::vec(truth(), TRUTHS.len()), value).prop_map(
        |(numbers, truths, value)| {
            let names = NUMBERS.iter().chain(&TRUTHS).map(|name| (*name).to_owned());
            let mut row: Vec<(String, Cell)> = names.zip(numbers.into_iter().chain(truths)).collect();
            row.push(("value".to_owned(), value));
            row
        },
    )
}

proptest! {
    #[test]
    fn a_condition_agrees_with_naive_evaluation(plain in plain(), row in row(), known in any::<u16>()) {
        let text = plain.text();
        let mut columns = Vec::new();
        let parsed = condition(&text, &schema(), &mut columns).unwrap();
        let cell = |name: &str| row.iter().find(|(other, _)| other == name).unwrap().1.clone();
        let cells: Vec<Option<Cell>> = columns.iter().map(|column: &Column| Some(cell(&column.to_string()))).collect();
        let truth = plain.truth(&cell);
        prop_assert_eq!(parsed.outcomes(&cells).may_hold(), truth == Some(true), "{}", text);
        // With some of the cells it is never ruled out wrongly.
        let some = cells.iter().enumerate().map(|(at, cell)| cell.clone().filter(|_| known >> (at % 16) & 1 == 1));
        let some: Vec<Option<Cell>> = some.collect();
        prop_assert!(parsed.outcomes(&some).may_hold() || truth != Some(true), "{}", text);
    }

    #[test]
    fn a_condition_with_a_slip_of_the_pen_is_understood_or_refused_in_one_line(
        plain in plain(), at in any::<prop::sample::Index>(), with in "\\PC{0,3}", cut in 0..4usize,
    ) {
        let mut text: Vec<char> = plain.text().chars().collect();
        let at = at.index(text.len() + 1);
        text.splice(at..text.len().min(at + cut), with.chars());
        refused_or_not(&text.into_iter().collect::<String>())?;
    }

    #[test]
    fn any_text_is_understood_or_refused_in_one_line(text in "(?s).{0,80}") {
        refused_or_not(&text)?;
    }

    #[test]
    fn words_of_sql_in_any_order_are_understood_or_refused_in_one_line(words in prop::collection::vec(
        prop::sample::select(&[
            "value", "distance", "only_move", "wins", "(", ")", "'hole'", "'", "\"", ",", "AND", "OR", "NOT", "IN", "BETWEEN",
            "IS", "NULL", "TRUE", "UNKNOWN", "=", "<>", "<", "!=", "-", "+", "*", "1", "0.5", "9223372036854775808", "x'ff'",
            "CASE", "WHEN", "SELECT", "EXISTS", "LIKE", "ANY", "::", "--", "/*", ";", "INTERVAL", "CAST", "AS", "$1", "?", "[",
        ][..]), 0..14,
    )) {
        refused_or_not(&words.join(" "))?;
    }

    #[test]
    fn nested_openings_are_understood_or_refused_soon(
        openings in prop::collection::vec(prop::sample::select(&[
            "(", "NOT ", "POSITION(", "wins(", "wins('hole', ", "distance IN (", "distance BETWEEN ", "only_move AND (",
            "- ", "value = (", "distance > 3 IS TRUE IS TRUE OR ", "EXISTS(", "CASE WHEN ", "INTERVAL ", "CAST(", "only_move, ",
        ][..]), 1..200),
        times in 1..40usize, closings in 0..80usize,
    ) {
        let text = openings.concat() + &openings[0].repeat(times) + "only_move" + &")".repeat(closings);
        refused_or_not(&text.chars().take(4096).collect::<String>())?;
    }
}

/// Each production of the grammar, repeated: what is repeated, and what stands behind it.
const PRODUCTIONS: [(&str, &str); 22] = [
    ("only_move OR ", "only_move"),
    ("only_move AND ", "only_move"),
    ("NOT ", "only_move"),
    ("(", "only_move"),
    ("((only_move) AND ", "only_move"),
    ("(NOT (", "only_move"),
    ("distance IN (", "1"),
    ("distance IN (1, ", "1"),
    ("distance NOT BETWEEN 1 AND ", "2"),
    ("distance BETWEEN (", "2"),
    ("only_move IS NOT ", "TRUE"),
    ("IS NULL ", "IS NULL"),
    ("1, ", "1"),
    ("only_move, ", "only_move"),
    ("wins(", "'hole')"),
    ("wins('hole'), ", "wins('hole')"),
    ("POSITION(", "1"),
    ("- ", "1"),
    ("distance = ", "1"),
    ("''", "'"),
    ("\"", "\""),
    ("1 ", "1"),
];

/// The work is linear in the text: the longest texts of each production take far less than this, busy machine or not.
#[test]
fn the_longest_text_of_each_production_takes_no_time_to_speak_of() {
    for (opening, last) in PRODUCTIONS {
        for closing in ["", ")", "))", " IS NULL"] {
            let times = (4096 - last.len()) / (opening.len() + closing.len());
            for text in [
                opening.repeat(times) + last + &closing.repeat(times),
                format!("value = '{}", opening.repeat(times)),
                format!("only_move AND {}", opening.repeat(times / 2) + last + &closing.repeat(times)),
            ] {
                refused_or_not(&text).unwrap();
            }
        }
    }
}

/// No text takes longer than this, on a busy machine and compiled without much care.
const SOON: Duration = Duration::from_secs(1);

fn refused_or_not(text: &str) -> Result<(), TestCaseError> {
    let begun = Instant::now();
    let refusals = [
        condition(text, &schema(), &mut Vec::new()).err().map(|error| error.to_string()),
        column_list(text, &schema()).err().map(|error| error.to_string()),
    ];
    prop_assert!(begun.elapsed() < SOON, "{:?} takes {:?}", text, begun.elapsed());
    for refusal in refusals.into_iter().flatten() {
        prop_assert!(!refusal.is_empty() && !refusal.contains(['\n', '\r']), "{:?} gives {:?}", text, refusal);
        prop_assert!(refusal.len() < 1000 + 16 * text.len(), "{:?} gives {:?}", text, refusal);
    }
    Ok(())
}
