//! Numbers that look like results but come from no file: `8,297,520`, `27 min`, `18.8 GB`.
//!
//! Small numbers in prose are no figures, and neither is code; large ones and measured ones are.

use super::marks::{Mark, Wrong, fences, line_of};

const UNITS: [&str; 14] =
    ["MB", "GB", "TB", "ns", "µs", "us", "ms", "s", "sec", "seconds", "min", "minutes", "h", "hours"];

/// Every number of the page that should stand in a mark.
pub fn find(text: &str, marks: &[Mark]) -> Vec<Wrong> {
    let mut rest = text.as_bytes().to_vec();
    let blank = marks.iter().map(|mark| mark.body.clone()).chain(fences(text)).chain(spans(text)).chain(tested(text));
    for place in blank {
        rest[place].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    let rest = String::from_utf8(rest).expect("whole letters were blanked");
    let wrong = |(start, number): (usize, &str)| {
        let message = format!("`{number}` is typed in by hand: take it from a file under results/ (docs/figures.md)");
        (line_of(text, start), message)
    };
    numbers(&rest).into_iter().map(wrong).collect()
}

/// Where a table stands that a test makes and compares (docs/forecasts.md).
fn tested(text: &str) -> Option<std::ops::Range<usize>> {
    let start = text.find("<!-- forecasts -->")?;
    let end = text[start..].find("<!-- /forecasts -->")?;
    Some(start..start + end)
}

/// Where code stands within lines, and comments.
fn spans(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut spans = Vec::new();
    for (open, close) in [("`", "`"), ("<!--", "-->")] {
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let mut next = 0;
            while let Some(from) = line[next..].find(open).map(|found| next + found) {
                let inside = from + open.len();
                let Some(length) = line[inside..].find(close) else { break };
                next = inside + length + close.len();
                spans.push(start + from..start + next);
            }
            start += line.len();
        }
    }
    spans
}

/// Numbers with separators or with a unit, and where they start.
fn numbers(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(start) = text[next..].find(|letter: char| letter.is_ascii_digit()).map(|place| next + place) {
        let number =
            &text[start..start + length(&text[start..], |letter| letter.is_ascii_digit() || ",.".contains(letter))];
        let number = number.trim_end_matches([',', '.']);
        next = start + number.len();
        // The 3 of `x3` or of `3x4` counts nothing.
        if text[..start].ends_with(|letter: char| letter.is_alphanumeric() || letter == '-') {
            continue;
        }
        let after = text[next..].strip_prefix([' ', '\u{a0}']).unwrap_or(&text[next..]);
        let unit = &after[..length(after, char::is_alphanumeric)];
        if UNITS.contains(&unit) {
            next = text.len() - after.len() + unit.len();
            found.push((start, &text[start..next]));
        } else if separated(number) {
            found.push((start, number));
        }
    }
    found
}

fn length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|letter| !belongs(letter)).unwrap_or(text.len())
}

/// Whether there are three digits after each comma.
fn separated(number: &str) -> bool {
    let whole = number.split('.').next().unwrap_or("");
    let mut groups = whole.split(',');
    groups.next().is_some_and(|first| (1..=3).contains(&first.len()))
        && whole.contains(',')
        && groups.all(|group| group.len() == 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::marks;

    fn typed(text: &str) -> Vec<String> {
        let found = find(text, &marks::find(text).0);
        found.into_iter().map(|(line, message)| format!("{line} {}", message.split('`').nth(1).unwrap())).collect()
    }

    #[test]
    fn large_and_measured_numbers_are_found() {
        assert_eq!(
            typed("All 8,297,520 of them.\nIn 27 min, 0.3s\nand 18.8 GB."),
            ["1 8,297,520", "2 27 min", "2 0.3s", "3 18.8 GB"]
        );
    }

    #[test]
    fn marked_numbers_and_code_are_not() {
        assert_eq!(typed("a <!-- figure results/a.json x -->8,297,520<!-- /figure --> b"), [""; 0]);
        assert_eq!(typed("`--memory 2 GB` and\n```text\n8,297,520\n```\n<!-- 27 min -->"), [""; 0]);
    }

    #[test]
    fn small_numbers_in_prose_are_not() {
        let text =
            "1, 2 or 3 stones; 3x4 boards, chapter 12, Rust 1.89, nocca-6x5, 4 steps, (1,2), 2026, UTF-8 s, 1,2,345";
        assert_eq!(typed(text), [""; 0]);
    }
}
