//! Generates the tables of README.md and docs/ from the records under results/.
//!
//! A table stands whole between two comments, each on a line of its own (docs/figures.md):
//!
//! ```text
//! <!-- table NAME -->                          docs/tables/NAME.md with its `{RECORD /field format}` filled in
//! <!-- table results/FILE.csv COLUMNS -->      a CSV file, with all columns or the chosen ones
//! <!-- output results/FILE.json [/field] -->   a recorded command and what it printed
//! <!-- end -->
//! ```
//!
//! [`write()`] fills in all of them; [`check`] lists those that differ.

mod blocks;
mod costs;
mod csv;
mod format;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::problem::Problem;

/// Writes the tables into the pages. Returns what cannot be written.
pub fn write(root: &Path) -> Result<Vec<Problem>> {
    costs::write(root)?;
    let mut problems = Vec::new();
    for (name, text) in pages(root)? {
        let page = blocks::fill(root, &name, &text);
        if page.text != text {
            std::fs::write(root.join(&name), &page.text).with_context(|| format!("cannot write {name}"))?;
            println!("{name}: {} changed", page.stale.len());
        }
        problems.extend(page.wrong);
    }
    Ok(problems)
}

/// Lists the tables that differ from the records under results/.
pub fn check(root: &Path) -> Result<Vec<Problem>> {
    let pages = pages(root)?;
    let mut problems: Vec<Problem> = costs::check(root)?.into_iter().collect();
    let mut blocks = 0;
    for (name, text) in &pages {
        let page = blocks::fill(root, name, text);
        blocks += page.blocks;
        problems.extend(page.stale);
        problems.extend(page.wrong);
    }
    if problems.is_empty() {
        println!("{blocks} tables and outputs on {} pages agree with results/", pages.len());
    }
    Ok(problems)
}

/// The names and texts of README.md and the pages of docs/, in order.
fn pages(root: &Path) -> Result<Vec<(String, String)>> {
    let mut files: Vec<PathBuf> = vec!["README.md".into()];
    for entry in std::fs::read_dir(root.join("docs")).context("cannot read docs/")? {
        let name = Path::new("docs").join(entry?.file_name());
        if name.extension().is_some_and(|extension| extension == "md") {
            files.push(name);
        }
    }
    files.sort();
    let read = |file: PathBuf| {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(root.join(&file)).with_context(|| format!("cannot read {name}"))?;
        Ok((name, text))
    };
    files.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small checkout with one page, one table and one record.
    fn checkout(readme: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["docs/tables", "results", "crates/kanzen-games/src"] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        std::fs::write(folder.path().join("README.md"), readme).unwrap();
        std::fs::write(folder.path().join("results/run.json"), r#"{"positions": 8297520}"#).unwrap();
        std::fs::write(folder.path().join("docs/tables/all.md"), "| all | {run /positions} |\n").unwrap();
        costs::write(folder.path()).unwrap();
        folder
    }

    fn lines(problems: Vec<Problem>) -> Vec<String> {
        problems.iter().map(Problem::to_string).collect()
    }

    #[test]
    fn writing_mends_what_the_check_finds() {
        let folder = checkout("# Title\n\n<!-- table all -->\n| all | 9 |\n<!-- end -->\n");
        let stale = "README.md:3: `table all` differs from its records: run `cargo xtask figures`";
        assert_eq!(lines(check(folder.path()).unwrap()), [stale]);
        assert_eq!(write(folder.path()).unwrap(), []);
        let text = std::fs::read_to_string(folder.path().join("README.md")).unwrap();
        assert_eq!(text, "# Title\n\n<!-- table all -->\n| all | 8,297,520 |\n<!-- end -->\n");
        assert_eq!(check(folder.path()).unwrap(), []);
    }

    #[test]
    fn a_missing_file_is_named_and_its_table_left_alone() {
        let text = "<!-- table none -->\n| 1 |\n<!-- end -->\n";
        let folder = checkout(text);
        for problems in [check(folder.path()).unwrap(), write(folder.path()).unwrap()] {
            let lines = lines(problems);
            assert!(lines[0].starts_with("README.md:1: cannot read docs/tables/none.md"), "{lines:?}");
        }
        assert_eq!(std::fs::read_to_string(folder.path().join("README.md")).unwrap(), text);
    }

    #[test]
    fn the_pages_of_this_checkout_agree_with_its_records() {
        assert_eq!(check(&crate::workspace::root().unwrap()).unwrap(), []);
    }
}
