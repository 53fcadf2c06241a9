//! Finds the links and headings of Markdown outside code.

use std::collections::{BTreeMap, BTreeSet};

/// A link or a picture, and the line it stands on, from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The line.
    pub line: usize,
    /// Where it leads.
    pub target: String,
}

/// The links of a page, in order.
pub fn links(text: &str) -> Vec<Link> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        let line = without_code(line);
        let mut rest = line.as_str();
        while let Some(start) = rest.find("](") {
            rest = &rest[start + 2..];
            let Some(end) = rest.find(')') else { break };
            // A title may follow: [x](y "title").
            let target = rest[..end].split_whitespace().next().unwrap_or_default();
            found.push(Link { line: number, target: target.to_owned() });
            rest = &rest[end..];
        }
    }
    found
}

/// The page with each link replaced by what `other` makes of it; code stays as it is.
pub fn relinked(text: &str, other: impl Fn(&str) -> String) -> String {
    let prose: BTreeSet<usize> = prose(text).map(|(number, _)| number).collect();
    let mut result = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        if !prose.contains(&number) {
            result += line;
            result.push('\n');
            continue;
        }
        let mut rest = line;
        while let Some(start) = rest.find("](") {
            let Some(end) = rest[start..].find(')').map(|end| start + end) else { break };
            result += &rest[..start + 2];
            result += &other(&rest[start + 2..end]);
            rest = &rest[end..];
        }
        result += rest;
        result.push('\n');
    }
    result
}

/// The anchors of the headings of a page, as GitHub and mdBook make them.
pub fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for (_, line) in prose(text) {
        let title = line.trim_start_matches('#');
        let level = line.len() - title.len();
        if !(1..=6).contains(&level) || !title.starts_with(' ') {
            continue;
        }
        let anchor = anchor(title.trim());
        let times = seen.entry(anchor.clone()).or_default();
        anchors.insert(if *times == 0 { anchor } else { format!("{anchor}-{times}") });
        *times += 1;
    }
    anchors
}

/// The anchor of a heading: its letters and digits in lower case, a dash for each space.
fn anchor(title: &str) -> String {
    // Of a link in it, the text counts.
    let mut text = String::new();
    let mut rest = title;
    while let Some((before, after)) = rest.split_once("](") {
        text += before;
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    text += rest;
    let letter = |c: char| match c {
        c if c.is_alphanumeric() => c.to_lowercase().next(),
        '-' | '_' => Some(c),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    };
    text.chars().filter_map(letter).collect()
}

/// The lines outside of fenced code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence: Option<&str> = None;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let line = line.trim_start();
        match fence {
            Some(mark) => {
                if line.starts_with(mark) {
                    fence = None;
                }
                false
            }
            None => {
                fence = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
                fence.is_none()
            }
        }
    })
}

/// A line without its code spans.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A page\n\nSee [one](one.md), ![two](two.svg \"title\") and `[no](no.md)`.\n\
        ```text\n[no](code.md)\n# No heading\n```\n## Count, and `reach`\n## Count, and reach\n[`x`](y.md#z)\n";

    #[test]
    fn links_in_code_are_none() {
        let found: Vec<String> = links(PAGE).into_iter().map(|link| format!("{} {}", link.line, link.target)).collect();
        assert_eq!(found, ["3 one.md", "3 two.svg", "10 y.md#z"]);
    }

    #[test]
    fn headings_have_the_anchors_that_github_gives_them() {
        let expected = ["a-page", "count-and-reach", "count-and-reach-1"];
        assert_eq!(anchors(PAGE), expected.map(str::to_owned).into());
        assert_eq!(anchor("What [all](x.md) share: 完全!"), "what-all-share-完全");
    }

    #[test]
    fn links_are_replaced_and_code_is_not() {
        let other = relinked(PAGE, |target| target.replace(".md", ".html"));
        assert!(other.contains("[one](one.html)") && other.contains("(y.html#z)") && other.contains("(code.md)"));
    }
}
