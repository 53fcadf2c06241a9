//! The walks of a page: lists of files that a command passes through, at most so many, all of which are there.
//!
//! ```text
//! <!-- walk 12 -->
//! 1. `crates/kanzen-cli/src/commands/probe.rs` reads the arguments.
//! <!-- /walk -->
//! ```

use std::path::Path;

use crate::problem::Problem;

/// What is wrong with the walks of a page.
pub fn check(root: &Path, page: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut walk: Option<(usize, usize, usize)> = None; // line, limit, files
    for (line, words) in text.lines().enumerate().map(|(number, line)| (number + 1, line.trim())) {
        let opened = words.strip_prefix("<!-- walk ").and_then(|rest| rest.strip_suffix(" -->"));
        match (opened, &mut walk) {
            (Some(limit), _) => match limit.parse() {
                Ok(limit) => walk = Some((line, limit, 0)),
                Err(_) => problems.push(Problem::at(page, line, "a walk says how many files it has at most")),
            },
            (None, Some((start, limit, files))) if words == "<!-- /walk -->" => {
                if files > limit {
                    let message = format!("the walk passes through {files} files, more than {limit}");
                    problems.push(Problem::at(page, *start, message));
                }
                walk = None;
            }
            (None, Some((_, _, files))) => {
                let Some(file) = file(words) else { continue };
                *files += 1;
                if !root.join(file).is_file() {
                    problems.push(Problem::at(page, line, format!("there is no {file}")));
                }
            }
            (None, None) => {}
        }
    }
    if let Some((line, ..)) = walk {
        problems.push(Problem::at(page, line, "the walk has no <!-- /walk -->"));
    }
    problems
}

/// The file that an item of the list begins with.
fn file(item: &str) -> Option<&str> {
    let (number, rest) = item.split_once(". `")?;
    number.parse::<u32>().ok()?;
    Some(rest.split_once('`')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.rs"), "").unwrap();
        check(folder.path(), "page.md", text).iter().map(Problem::to_string).collect()
    }

    #[test]
    fn every_file_of_a_walk_is_there() {
        let text = "<!-- walk 2 -->\n1. `a.rs` begins, see `c.rs`\n2. `b.rs` ends\n<!-- /walk -->\n1. `d.rs`";
        assert_eq!(told(text), ["page.md:3: there is no b.rs"]);
    }

    #[test]
    fn a_walk_is_short() {
        let text = "\n<!-- walk 1 -->\n1. `a.rs` begins\n2. `a.rs` ends\n<!-- /walk -->";
        assert_eq!(told(text), ["page.md:2: the walk passes through 2 files, more than 1"]);
    }

    #[test]
    fn a_broken_walk_is_told() {
        assert_eq!(told("<!-- walk 3 -->\n1. `a.rs` begins"), ["page.md:1: the walk has no <!-- /walk -->"]);
        assert_eq!(told("<!-- walk on -->"), ["page.md:1: a walk says how many files it has at most"]);
    }
}
