mod fuzz;

use super::column::{Cell, Column, Schema};
use super::parse::{column_list, condition};
use kanzen_core::rules::{Tag, Tags};

fn schema() -> Schema {
    Schema {
        game: "toy".into(),
        fields: vec![("white".into(), true), ("banned".into(), false)],
        tags: Tags::of(&[Tag::Takes, Tag::Hole]),
        scored: false,
        passing: true,
    }
}

/// Whether a condition holds where these columns have these cells.
fn holds(text: &str, known: &[(&str, Cell)]) -> bool {
    let mut columns = Vec::new();
    let condition = condition(text, &schema(), &mut columns).unwrap();
    let cell = |column: &Column| known.iter().find(|(name, _)| *name == column.to_string()).unwrap().1.clone();
    let cells: Vec<Option<Cell>> = columns.iter().map(|column| Some(cell(column))).collect();
    condition.holds(&cells)
}

fn refusal(text: &str) -> String {
    condition(text, &schema(), &mut Vec::new()).unwrap_err().to_string()
}

#[test]
fn conditions_mean_what_they_mean_in_sql() {
    let lost = [("value", Cell::Word("loss")), ("distance", Cell::Integer(6)), ("only_move", Cell::Boolean(true))];
    let drawn = [("value", Cell::Word("draw")), ("distance", Cell::Null), ("only_move", Cell::Boolean(false))];
    for text in [
        "value = 'loss'",
        "VALUE <> 'win' AND Distance >= 6",
        "distance BETWEEN 5 AND 7 and not distance between 7 and 9",
        "distance IN (2, 4, 6) AND value NOT IN ('win', 'draw')",
        "(value = 'win' OR distance < 7) AND only_move",
        "only_move = true AND distance IS NOT NULL AND distance > -1",
    ] {
        assert!(holds(text, &lost), "{text}");
        assert!(!holds(text, &drawn), "{text}");
    }
    // NULL is neither more nor less, nor is its opposite true.
    assert!(!holds("distance > 5", &drawn) && !holds("NOT distance > 5", &drawn));
    assert!(holds("distance > 5 IS UNKNOWN", &drawn) && holds("distance IS NULL OR distance > 5", &drawn));
    assert!(!holds("distance = NULL", &drawn) && !holds("distance NOT IN (1, NULL)", &lost));
}

#[test]
fn what_is_not_known_leaves_the_condition_open() {
    let mut columns = Vec::new();
    let condition = condition("value = 'win' AND wins('hole') = 1", &schema(), &mut columns).unwrap();
    let outcomes = |value: &'static str| condition.outcomes(&[Some(Cell::Word(value)), None]);
    assert!(outcomes("win").may_hold() && !outcomes("win").holds());
    assert!(!outcomes("draw").may_hold());
}

#[test]
fn a_syntax_error_is_reported_with_its_position() {
    let cases = [
        (
            "value = 'win' AND colour = 3",
            "there is no column colour (there are position, to_move, value, distance, \
          white, banned, moves, wins, draws, losses, best, only_move, gap, zugzwang), at character 19: \
          value = 'win' AND [here]colour = 3",
        ),
        ("distance > 'far'", "a number is compared with a text, at character 12: distance > [here]'far'"),
        ("value = 'won'", "a value is 'win', 'loss' or 'draw', never 'won', at character 9: value = [here]'won'"),
        ("value = 'win", "a quote is not closed, at character 9: value = [here]'win"),
        ("value > 'win'", "a text is neither more nor less than another, at character 1: [here]value > 'win'"),
        ("distance", "this is a number, not a condition, at character 1: [here]distance"),
        (
            "wins('flies') = 1",
            "toy knows no moves 'flies' (it knows takes, hole), at character 1: [here]wins('flies') = 1",
        ),
        (
            "gap('hole') = 1",
            "gap is not counted by kinds of moves: moves, wins, draws and losses are, at character 1: \
          [here]gap('hole') = 1",
        ),
        ("score > 2", "toy has no scores, at character 1: [here]score > 2"),
        ("distance > 1.5", "1.5 is not a whole number, at character 12: distance > [here]1.5"),
        ("value = 'win' value", "value is not expected, at character 15: value = 'win' [here]value"),
        ("", "there is nothing to look for, at character 1: [here]"),
        (
            "position = 'x'",
            "a position can be shown, not searched for: `probe` looks up a given one, at character 1: \
          [here]position = 'x'",
        ),
        ("distance >", "the condition stops after `>`: a value is missing, at character 11: distance >[here]"),
        (
            "only_move AND ",
            "the condition stops after `AND`: a condition is missing, at character 15: only_move AND [here]",
        ),
        ("(only_move", "the condition stops after `only_move`: `)` is missing, at character 11: (only_move[here]"),
        (
            "distance BETWEEN 1",
            "the condition stops after `1`: AND is missing, at character 19: distance BETWEEN 1[here]",
        ),
        ("distance IN (1 2)", "expected `)`, not `2`, at character 16: distance IN (1 [here]2)"),
        ("distance > > 3", "expected a value, not `>`, at character 12: distance > [here]> 3"),
        ("distance IS 3", "expected NULL, TRUE, FALSE or UNKNOWN, not `3`, at character 13: distance IS [here]3"),
        ("distance NOT 3", "expected BETWEEN or IN, not `3`, at character 14: distance NOT [here]3"),
        (
            "distance + 1 = 3",
            "+ is not understood (AND, OR, =, <>, <, <=, >, >= are), at character 10: distance [here]+ 1 = 3",
        ),
        ("distance = -'x'", "a sign stands before a number only, at character 13: distance = -[here]'x'"),
        (
            "(distance > 3) = only_move",
            "expected a column, a number or a text, at character 2: ([here]distance > 3) = only_move",
        ),
        (
            "\"win\" = value",
            "there is no column \"win\" (texts have single quotes), at character 1: [here]\"win\" = value",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(text), expected, "{text}");
    }
}

#[test]
fn parentheses_stand_around_columns_values_and_conditions() {
    let lost = [("value", Cell::Word("loss")), ("distance", Cell::Integer(6)), ("only_move", Cell::Boolean(true))];
    for text in [
        "((distance) = (6))",
        "NOT NOT only_move",
        "not (only_move) IS NOT true",
        "(distance) IN ((5), +6) AND -1 < distance",
        "\"distance\" == 6 AND `value` != 'win'",
        "distance\n>=\t6\rAND NULL IS NULL",
        "distance < 3 OR distance = 6 AND only_move",
    ] {
        assert!(holds(text, &lost), "{text}");
    }
    assert!(refusal("value = 'it''s'").starts_with("a value is 'win', 'loss' or 'draw', never 'it's'"));
    let deep = |levels: usize| "(".repeat(levels) + "only_move" + &")".repeat(levels);
    assert!(holds(&deep(64), &lost));
    assert!(refusal(&deep(65)).starts_with("too deeply nested (at most 64 levels), at character 66:"));
}

#[test]
fn hostile_questions_are_refused_in_one_line() {
    for text in [
        "(".repeat(2000) + "distance",
        "NOT ".repeat(1000) + "only_move",
        "- ".repeat(1500) + "1 = distance",
        "wins(".repeat(500),
        "POSITION(".repeat(34),
        "POSITION(".repeat(60) + "1" + &")".repeat(60),
        "((((((NOT ".repeat(300),
        "distance IN (".repeat(60) + &"1, ".repeat(900),
        "x".repeat(10_000),
        "distance = ".repeat(300),
        "value IN (".repeat(300),
        "case when ".repeat(200),
        "\u{0}\u{1}\"';--/*".to_owned(),
        "EXISTS (SELECT 1)".to_owned(),
        "distance IN (SELECT 1)".to_owned(),
        "interval ".repeat(400),
        "a.b.c.d = 1".to_owned(),
        "wins(DISTINCT 'hole') OVER () = 1".to_owned(),
    ] {
        let error = condition(&text, &schema(), &mut Vec::new()).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
    }
    // Long, but not deep.
    let long = vec!["distance = 3"; 250].join(" OR ");
    assert!(condition(&long, &schema(), &mut Vec::new()).is_ok());
}

#[test]
fn columns_are_listed_as_in_a_select() {
    let columns = column_list("position, wins('hole') ,GAP", &schema()).unwrap();
    let names: Vec<String> = columns.iter().map(Column::to_string).collect();
    assert_eq!(names, ["position", "wins('hole')", "gap"]);
    let refused = column_list("position, 3", &schema()).unwrap_err().to_string();
    assert_eq!(refused, "expected a column, a number or a text, at character 11: position, [here]3");
}
