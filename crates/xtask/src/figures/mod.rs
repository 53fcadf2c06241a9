//! The figures of README.md and docs/ come from files under results/: no number is typed in by hand.
//!
//! A page marks the places with comments, which readers do not see (docs/figures.md shows the kinds):
//!
//! ```text
//! about <!-- figure results/nocca-3x4.json /output/positions -->8,297,520<!-- /figure --> positions
//! ```
//!
//! `write` puts into each place what the file says; `check` tells where page and file disagree.

mod costs;
mod csv;
mod format;
mod marks;
mod model;
mod render;
mod typed;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::problem::Problem;

/// Writes the figures into the pages, and tells what cannot be written.
pub fn write(root: &Path) -> Result<Vec<Problem>> {
    costs::write(root)?;
    let mut problems = Vec::new();
    for page in pages(root)? {
        let outcome = page.compare(root);
        if outcome.text != page.text {
            let path = root.join(&page.name);
            std::fs::write(&path, &outcome.text).with_context(|| format!("cannot write {}", page.name))?;
            println!("{}: {} changed", page.name, outcome.stale.len());
        }
        problems.extend(outcome.wrong);
    }
    Ok(problems)
}

/// Tells where a page does not say what the files under results/ say.
pub fn check(root: &Path) -> Result<Vec<Problem>> {
    let pages = pages(root)?;
    let mut problems: Vec<Problem> = costs::check(root)?.into_iter().collect();
    let mut figures = 0;
    for page in &pages {
        let outcome = page.compare(root);
        figures += outcome.figures;
        problems.extend(outcome.stale);
        problems.extend(outcome.wrong);
    }
    if problems.is_empty() {
        println!("{figures} figures on {} pages agree with results/", pages.len());
    }
    Ok(problems)
}

struct Page {
    /// Relative to the top folder: `docs/rooms.md`.
    name: String,
    text: String,
}

/// A page beside what it should be.
struct Outcome {
    /// The page with all figures as the files have them.
    text: String,
    /// How many figures, tables and outputs it has.
    figures: usize,
    /// Figures that differ from their files; writing mends them.
    stale: Vec<Problem>,
    /// What only a person can mend.
    wrong: Vec<Problem>,
}

impl Page {
    fn compare(&self, root: &Path) -> Outcome {
        let (marks, broken) = marks::find(&self.text);
        let mut outcome = Outcome { text: String::new(), figures: marks.len(), stale: Vec::new(), wrong: Vec::new() };
        let mut done = 0;
        for mark in &marks {
            let shown = &self.text[mark.body.clone()];
            match render::render(mark, root) {
                Ok(expected) => {
                    outcome.text += &self.text[done..mark.body.start];
                    outcome.text += &expected;
                    done = mark.body.end;
                    if expected != shown {
                        let message = difference(shown, &expected, mark);
                        outcome.stale.push(Problem::at(&self.name, mark.line, message));
                    }
                }
                Err(error) => outcome.wrong.push(Problem::at(&self.name, mark.line, format!("{error:#}"))),
            }
        }
        outcome.text += &self.text[done..];
        let typed = typed::find(&self.text, &marks);
        let wrong = broken.into_iter().chain(typed);
        outcome.wrong.extend(wrong.map(|(line, message)| Problem::at(&self.name, line, message)));
        outcome
    }
}

fn difference(shown: &str, expected: &str, mark: &marks::Mark) -> String {
    let file = &mark.file;
    match mark.kind {
        marks::Kind::Figure => format!("shows {shown:?}, {file} says {expected:?}: run `cargo xtask figures`"),
        _ => format!("differs from {file}: run `cargo xtask figures`"),
    }
}

/// README.md and the pages of docs/, in the order of their names.
fn pages(root: &Path) -> Result<Vec<Page>> {
    let mut files: Vec<PathBuf> = vec!["README.md".into()];
    let folder = std::fs::read_dir(root.join("docs")).context("cannot read docs/")?;
    for entry in folder {
        let name = Path::new("docs").join(entry?.file_name());
        if name.extension().is_some_and(|extension| extension == "md") {
            files.push(name);
        }
    }
    files.sort();
    let read = |file: PathBuf| {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(root.join(&file)).with_context(|| format!("cannot read {name}"))?;
        Ok(Page { name, text })
    };
    files.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small checkout with one page and one result.
    fn checkout(readme: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["docs", "results", "crates/kanzen-games/src"] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        std::fs::write(folder.path().join("README.md"), readme).unwrap();
        std::fs::write(folder.path().join("results/run.json"), r#"{"positions": 8297520}"#).unwrap();
        costs::write(folder.path()).unwrap();
        folder
    }

    fn lines(problems: Vec<Problem>) -> Vec<String> {
        problems.iter().map(Problem::to_string).collect()
    }

    #[test]
    fn writing_mends_what_the_check_finds() {
        let folder =
            checkout("# Title\n\nAll <!-- figure results/run.json /positions -->9<!-- /figure --> positions.\n");
        let shown = r#"README.md:3: shows "9", results/run.json says "8,297,520": run `cargo xtask figures`"#;
        assert_eq!(lines(check(folder.path()).unwrap()), [shown]);
        assert_eq!(write(folder.path()).unwrap(), []);
        let text = std::fs::read_to_string(folder.path().join("README.md")).unwrap();
        assert!(text.contains("-->8,297,520<!--"), "{text}");
        assert_eq!(check(folder.path()).unwrap(), []);
    }

    #[test]
    fn a_missing_file_or_field_is_named_and_left_alone() {
        let text = "a <!-- figure results/run.json /draws -->1<!-- /figure -->\nb <!-- figure results/no.json /x -->2<!-- /figure -->\n";
        let folder = checkout(text);
        for problems in [check(folder.path()).unwrap(), write(folder.path()).unwrap()] {
            let lines = lines(problems);
            assert_eq!(lines[0], "README.md:1: results/run.json has no field /draws");
            assert!(lines[1].starts_with("README.md:2: cannot read results/no.json"), "{}", lines[1]);
        }
        assert_eq!(std::fs::read_to_string(folder.path().join("README.md")).unwrap(), text);
    }

    #[test]
    fn a_number_typed_by_hand_is_found_in_docs_too() {
        let folder = checkout("fine\n");
        std::fs::write(folder.path().join("docs/cost.md"), "It takes 27 min.\n").unwrap();
        let lines = lines(check(folder.path()).unwrap());
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with("docs/cost.md:1: `27 min` is typed in by hand"), "{}", lines[0]);
    }

    #[test]
    fn the_pages_of_this_checkout_agree_with_its_results() {
        assert_eq!(check(&crate::workspace::root().unwrap()).unwrap(), []);
    }
}
