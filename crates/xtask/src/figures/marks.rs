//! The marked places of a page.
//!
//! A mark is a comment of one line that opens, the body, and a comment that closes:
//!
//! ```text
//! <!-- KIND FILE OPTIONS -->body<!-- /KIND -->
//! ```
//!
//! Code is left alone: fenced blocks, and marks straight after a backtick.

use std::ops::Range;

/// What a mark is replaced with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One value of a JSON file, within a line.
    Figure,
    /// A CSV file as a table.
    Table,
    /// What a command printed, as a block of code.
    Output,
    /// A table that is worked out from recorded runs.
    Model,
}

impl Kind {
    const ALL: [(Kind, &str); 4] =
        [(Kind::Figure, "figure"), (Kind::Table, "table"), (Kind::Output, "output"), (Kind::Model, "model")];
}

/// A marked place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    pub kind: Kind,
    /// Of the opening comment, from 1.
    pub line: usize,
    /// The file it comes from.
    pub file: String,
    /// What stands after the file: a field, a format, columns.
    pub options: String,
    /// What lies between the comments, in bytes of the page.
    pub body: Range<usize>,
}

/// Something wrong on a line.
pub type Wrong = (usize, String);

/// All marks of a page in their order, and those that are broken.
pub fn find(text: &str) -> (Vec<Mark>, Vec<Wrong>) {
    let (mut marks, mut wrong) = (Vec::new(), Vec::new());
    let fences = fences(text);
    let mut next = 0;
    while let Some(start) = text[next..].find("<!-- ").map(|found| next + found) {
        next = start + "<!-- ".len();
        if let Some(fence) = fences.iter().find(|fence| fence.contains(&start)) {
            next = fence.end;
            continue;
        }
        if text[..start].ends_with('`') {
            continue;
        }
        let first = text[next..].split_whitespace().next();
        let Some((kind, name)) = Kind::ALL.into_iter().find(|(_, name)| Some(*name) == first) else { continue };
        let line = line_of(text, start);
        match read(text, start, next + name.len(), kind, name, line) {
            Ok((mark, end)) => {
                next = end;
                marks.push(mark);
            }
            Err(message) => wrong.push((line, message)),
        }
    }
    (marks, wrong)
}

/// The mark that opens at `start`, whose arguments begin at `arguments`, and where it ends.
fn read(
    text: &str,
    start: usize,
    arguments: usize,
    kind: Kind,
    name: &str,
    line: usize,
) -> Result<(Mark, usize), String> {
    let line_end = text[start..].find('\n').map_or(text.len(), |length| start + length);
    let open = text[arguments..line_end].find("-->").ok_or_else(|| format!("the {name} comment is not closed"))?;
    let (file, options) = {
        let words = text[arguments..arguments + open].trim();
        words.split_once(char::is_whitespace).map_or((words, ""), |(file, options)| (file, options.trim()))
    };
    if file.is_empty() {
        return Err(format!("the {name} names no file"));
    }
    let body = arguments + open + "-->".len();
    let closing = format!("<!-- /{name} -->");
    // A figure ends on its line, the others where they may.
    let limit = if kind == Kind::Figure { line_end } else { text.len() };
    let end = text[body..limit].find(&closing).ok_or_else(|| format!("the {name} has no {closing}"))? + body;
    if kind == Kind::Figure && text[..start].rsplit('\n').next().is_some_and(|before| before.trim().is_empty()) {
        return Err("a figure at the start of a line hides the line from markdown: put a word before it".to_owned());
    }
    let mark = Mark { kind, line, file: file.to_owned(), options: options.to_owned(), body: body..end };
    Ok((mark, end + closing.len()))
}

/// The line a byte is on, from 1.
pub fn line_of(text: &str, byte: usize) -> usize {
    text[..byte].matches('\n').count() + 1
}

/// Blocks of code between fences, their fences included.
pub fn fences(text: &str) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let ticks = trimmed.len() - trimmed.trim_start_matches(['`', '~']).len();
        match open {
            None if ticks >= 3 => open = Some((start, &trimmed[..ticks])),
            Some((opened, fence)) if trimmed.starts_with(fence) && trimmed.len() == ticks => {
                blocks.push(opened..start + line.len());
                open = None;
            }
            _ => {}
        }
        start += line.len();
    }
    blocks.extend(open.map(|(opened, _)| opened..text.len()));
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_stands_within_a_line() {
        let text = "one\ntwo <!-- figure results/a.json /x/y .2f -->1.50<!-- /figure --> three";
        let (marks, wrong) = find(text);
        assert_eq!(wrong, []);
        assert_eq!((marks[0].kind, marks[0].line), (Kind::Figure, 2));
        assert_eq!((marks[0].file.as_str(), marks[0].options.as_str()), ("results/a.json", "/x/y .2f"));
        assert_eq!(&text[marks[0].body.clone()], "1.50");
    }

    #[test]
    fn tables_and_outputs_span_lines() {
        let text = "<!-- table results/a.csv -->\n| a |\n<!-- /table -->\n\n<!-- output results/b.txt -->\n```text\nx\n```\n<!-- /output -->\n";
        let (marks, wrong) = find(text);
        assert_eq!(wrong, []);
        assert_eq!(&text[marks[0].body.clone()], "\n| a |\n");
        assert_eq!(&text[marks[1].body.clone()], "\n```text\nx\n```\n");
        assert_eq!(marks[1].line, 5);
    }

    #[test]
    fn code_and_other_comments_are_left_alone() {
        let text = "```text\n<!-- figure a b -->\n```\n`<!-- figure a b -->` <!-- a note -->\n~~~\n```\n<!-- table x -->\n~~~\n";
        assert_eq!(find(text), (vec![], vec![]));
    }

    #[test]
    fn broken_marks_are_told() {
        let told =
            |text| find(text).1.into_iter().map(|(line, message)| format!("{line}: {message}")).collect::<Vec<_>>();
        assert_eq!(told("a <!-- figure x y -->1\n<!-- /figure -->"), ["1: the figure has no <!-- /figure -->"]);
        assert_eq!(told("a\n<!-- table x.csv -->\n"), ["2: the table has no <!-- /table -->"]);
        assert_eq!(told("a <!-- output\nx -->"), ["1: the output comment is not closed"]);
        assert_eq!(told("a <!-- figure -->1<!-- /figure -->"), ["1: the figure names no file"]);
        assert!(told("<!-- figure x y -->1<!-- /figure --> a")[0].contains("put a word before it"));
    }
}
