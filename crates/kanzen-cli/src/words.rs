//! Formats numbers, values and durations as text.

use std::time::Duration;

use kanzen::Outcome;
use kanzen_core::human_bytes;
use kanzen_query::{HowEnded, LineEnd};
use serde_json::{Map, Value as Json};

use crate::size::Size;

/// A whole number with separators.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and what it counts: `1 position`, `765 positions`, `2 processes`.
pub fn counted(number: u64, what: &str) -> String {
    let ending = match number {
        1 => "",
        _ if what.ends_with('s') => "es",
        _ => "s",
    };
    format!("{} {what}{ending}", count(number))
}

/// A part of a whole in percent. A few are not none, and nearly all are not all.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    match 100.0 * part as f64 / whole as f64 {
        share if part > 0 && share < 0.05 => "<0.1%".to_owned(),
        share if part < whole && share >= 99.95 => ">99.9%".to_owned(),
        share => format!("{share:.1}%"),
    }
}

/// A rate with two or three digits: `412 M/s`.
pub fn rate(per_second: f64) -> String {
    let mut rate = per_second;
    for unit in ["", " k", " M", " G"] {
        if rate < 999.5 || unit == " G" {
            let decimals = usize::from(!unit.is_empty() && rate < 9.95);
            return format!("{rate:.decimals$}{unit}/s");
        }
        rate /= 1000.0;
    }
    unreachable!("the last unit takes every rate")
}

/// A size that is enough for so many bytes: rounded up, so that who allows as much is not refused again.
pub fn bytes_or_more(bytes: u64) -> String {
    let coarser = (0..=18).map(|zeros| bytes.checked_next_multiple_of(10u64.pow(zeros)).unwrap_or(bytes));
    let enough = |text: &String| text.parse::<Size>().is_ok_and(|shown| shown.0 >= bytes);
    coarser.map(human_bytes).find(enough).unwrap_or_else(|| human_bytes(bytes))
}

/// A time as one plans by it: `0.3 s`, `42 s`, `4 min`, `3 h`, `12 days`.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s < 0.1 => "0.1 s".to_owned(),
        s if s < 9.95 => format!("{s:.1} s"),
        s if s < 99.5 => format!("{s:.0} s"),
        s if s < 99.5 * 60.0 => format!("{:.0} min", s / 60.0),
        s if s < 47.5 * 3600.0 => format!("{:.0} h", s / 3600.0),
        s if s < 999.5 * 86400.0 => format!("{:.0} days", s / 86400.0),
        s if s < 99.5 * YEAR => format!("{:.0} years", s / YEAR),
        s if s.is_finite() => ">99 years".to_owned(),
        _ => "?".to_owned(),
    }
}

const YEAR: f64 = 365.25 * 86400.0;

/// What is left of a piece of work of which `done` of `total` took so long; nothing while that would be a guess.
pub fn left(done: u64, total: u64, elapsed: Duration) -> Option<String> {
    let worth_saying = done >= total.div_ceil(50) && done < total && elapsed >= Duration::from_secs(2);
    worth_saying.then(|| format!("{} left", time(elapsed.as_secs_f64() * (total - done) as f64 / done as f64)))
}

/// A value for the side to move: `win in 13`, `draw`, `win by 4`.
pub fn value(outcome: Outcome, distance: Option<u16>, score: Option<i16>) -> String {
    let mut text = outcome.to_string();
    if let Some(score) = score.filter(|score| *score != 0) {
        text += &format!(" by {}", score.unsigned_abs());
    }
    if let Some(distance) = distance {
        text += &format!(" in {distance}");
    }
    text
}

/// A class in words: `5 white, 4 black`, `7 brown, black to move`.
pub fn class(label: &Map<String, Json>) -> String {
    let part = |(name, value): (&String, &Json)| match (name.as_str(), value) {
        ("class", value) => format!("class {value}"),
        ("to_move", Json::String(side)) => format!("{side} to move"),
        (name, Json::String(text)) => format!("{}: {text}", name.replace('_', " ")),
        (name, value) => format!("{value} {}", name.replace('_', " ")),
    };
    label.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// How a line of best play ended: `X wins by 10`, `a draw`.
pub fn line_end(end: &LineEnd) -> String {
    let result = match &end.winner {
        None => "a draw".to_owned(),
        Some(side) if side == "first" || side == "second" => format!("the {side} player wins"),
        Some(side) => format!("{side} wins"),
    };
    let margin = end.score.filter(|score| *score != 0).map_or(String::new(), |score| format!(" by {score}"));
    match end.how {
        HowEnded::Over => format!("The game is over: {result}{margin}."),
        HowEnded::Stuck => format!("No move is left: {result}{margin}."),
        HowEnded::Repeated => format!("The last position has been there before: play has no end, {result}."),
    }
}

/// A text in lines of at most so many letters, broken between words.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            *line += &format!(" {word}");
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}

/// Who is to move, where the sides have names.
pub fn to_move(side: &str) -> String {
    if side == "mover" { "to move".to_owned() } else { format!("{side} to move") }
}

/// A text on one line: control characters escaped, so that no input can break out of a message.
pub fn one_line(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_separators() {
        assert_eq!([0, 999, 1000, 1234567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([1, 765].map(|n| counted(n, "position")), ["1 position", "765 positions"]);
        assert_eq!([1, 2].map(|n| counted(n, "process")), ["1 process", "2 processes"]);
    }

    #[test]
    fn rates_and_times_have_units() {
        assert_eq!([0.0, 12.0, 5_400.0, 412e6, 3.21e9].map(rate), ["0/s", "12/s", "5.4 k/s", "412 M/s", "3.2 G/s"]);
        assert_eq!(
            [0.0, 3.06, 42.0, 240.0, 7200.0, 1e6, 1e9, 1.7e13, f64::INFINITY].map(time),
            ["0.1 s", "3.1 s", "42 s", "4 min", "2 h", "12 days", "32 years", ">99 years", "?"]
        );
        assert_eq!(left(1, 4, Duration::from_secs(80)).as_deref(), Some("4 min left"));
        assert_eq!(left(0, 4, Duration::from_secs(80)), None);
        assert_eq!(left(1, 400, Duration::from_secs(80)), None);
    }

    #[test]
    fn a_size_that_is_enough_is_not_less_than_asked() {
        let sizes = [0, 950, 999_600, 16_000_000_000, 16_000_000_001, 16_049_999_999, 128_400_000_000];
        let shown = ["0 B", "950 B", "1.0 MB", "16.0 GB", "16.1 GB", "16.1 GB", "129 GB"];
        assert_eq!(sizes.map(bytes_or_more), shown);
        assert!(bytes_or_more(u64::MAX).ends_with(" TB"));
    }

    #[test]
    fn shares_do_not_hide_a_few() {
        let shown = [(1, 3), (0, 9), (9, 9), (1, 99_999), (99_998, 99_999), (0, 0)].map(|(a, b)| percent(a, b));
        assert_eq!(shown, ["33.3%", "0.0%", "100.0%", "<0.1%", ">99.9%", "-"]);
    }

    #[test]
    fn values_say_how_much_and_how_soon() {
        assert_eq!(value(Outcome::Win, Some(13), None), "win in 13");
        assert_eq!(value(Outcome::Loss, None, Some(-4)), "loss by 4");
        assert_eq!(value(Outcome::Draw, None, Some(0)), "draw");
    }

    #[test]
    fn classes_are_formatted_as_words() {
        let text = |json: &str| class(&serde_json::from_str(json).unwrap());
        assert_eq!(text(r#"{"white": 5, "black": 4}"#), "5 white, 4 black");
        assert_eq!(text(r#"{"brown": 7, "to_move": "black"}"#), "7 brown, black to move");
        assert_eq!(text(r#"{"in_hand": 3, "mover": 2, "opponent": 1}"#), "3 in hand, 2 mover, 1 opponent");
        assert_eq!(text(r#"{"class": 0}"#), "class 0");
    }

    #[test]
    fn an_end_names_the_winner_and_the_reason() {
        let end =
            |how, winner: Option<&str>, score| line_end(&LineEnd { how, winner: winner.map(str::to_owned), score });
        assert_eq!(end(HowEnded::Over, Some("X"), Some(10)), "The game is over: X wins by 10.");
        assert_eq!(end(HowEnded::Stuck, Some("first"), None), "No move is left: the first player wins.");
        assert_eq!(end(HowEnded::Over, None, Some(0)), "The game is over: a draw.");
        let repeated = "The last position has been there before: play has no end, X wins.";
        assert_eq!(end(HowEnded::Repeated, Some("X"), None), repeated);
    }

    #[test]
    fn texts_break_between_words() {
        assert_eq!(wrapped("one two three", 7), "one two\nthree");
        assert_eq!(wrapped("a-very-long-word x", 5), "a-very-long-word\nx");
        assert_eq!(wrapped("", 5), "");
    }

    #[test]
    fn no_text_breaks_the_line() {
        assert_eq!(one_line("a\nb\x1b[31m\tc 完"), "a\\nb\\u{1b}[31m\\tc 完");
    }
}
