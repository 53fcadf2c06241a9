//! Checks and stages the book: the pages of docs/ and of the top folder, in the order of docs/SUMMARY.md.
//!
//! ```text
//! cargo xtask book --check       every page is in the summary once, every link and anchor has a target
//! cargo xtask book               the same, and copies the pages to target/book-src
//! ```
//!
//! mdBook reads one folder of sources, and ours are in three. They are copied with their folders, so that links stay
//! valid; a README becomes the index of its folder.

mod markdown;
mod stage;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};

use crate::problem::Problem;
use markdown::{Link, anchors, links};

/// The order of the book.
const SUMMARY: &str = "docs/SUMMARY.md";
/// The pages of the top folder and others that are in the book.
const PAGES: [&str; 5] = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "results/README.md"];

/// How the path of an item of the library begins.
const ITEM: &str = "crate::";

/// Every problem of the pages as they are.
pub fn check(root: &Path) -> Result<Vec<Problem>> {
    let pages = pages(root)?;
    let mut problems = unlisted(&pages);
    problems.extend(dead_links(root, &pages));
    if problems.is_empty() {
        println!("{} pages are in {SUMMARY}, and every link leads somewhere", pages.len() - 1);
    }
    Ok(problems)
}

/// Copies the pages to where mdBook reads them, if they have no problem.
pub fn write(root: &Path) -> Result<Vec<Problem>> {
    let problems = check(root)?;
    if problems.is_empty() {
        stage::write(root, &pages(root)?)?;
    }
    Ok(problems)
}

/// The text of each page by its path.
fn pages(root: &Path) -> Result<BTreeMap<String, String>> {
    let mut paths: Vec<String> = PAGES.iter().map(|page| (*page).to_owned()).collect();
    for entry in std::fs::read_dir(root.join("docs")).context("cannot list docs")? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") {
            paths.push(format!("docs/{name}"));
        }
    }
    let read = |path: String| {
        let text = std::fs::read_to_string(root.join(&path)).with_context(|| format!("cannot read {path}"))?;
        Ok((path, text))
    };
    paths.into_iter().map(read).collect()
}

/// Pages that the summary does not list, lists twice, or that are not there.
fn unlisted(pages: &BTreeMap<String, String>) -> Vec<Problem> {
    let Some(summary) = pages.get(SUMMARY) else {
        return vec![Problem::with(SUMMARY, "is missing")];
    };
    let mut problems = Vec::new();
    let mut listed = BTreeSet::new();
    for Link { line, target } in links(summary) {
        match resolved(SUMMARY, &target).filter(|path| pages.contains_key(path)) {
            None => problems.push(Problem::at(SUMMARY, line, format!("{target} is no page of the book"))),
            Some(path) if !listed.insert(path.clone()) => {
                problems.push(Problem::at(SUMMARY, line, format!("{path} is listed twice")));
            }
            Some(_) => {}
        }
    }
    let missing = pages.keys().filter(|page| *page != SUMMARY && !listed.contains(*page));
    problems.extend(missing.map(|page| Problem::with(page, format!("{SUMMARY} does not list it"))));
    problems
}

/// Links to files or anchors that are not there.
fn dead_links(root: &Path, pages: &BTreeMap<String, String>) -> Vec<Problem> {
    let anchors: BTreeMap<&str, BTreeSet<String>> =
        pages.iter().map(|(page, text)| (page.as_str(), anchors(text))).collect();
    let mut problems = Vec::new();
    for (page, text) in pages {
        for Link { line, target } in links(text) {
            if is_elsewhere(&target) {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path = if file.is_empty() { Some(page.clone()) } else { resolved(page, file) };
            let Some(path) = path.filter(|path| root.join(path).exists()) else {
                problems.push(Problem::at(page, line, format!("{target} leads nowhere")));
                continue;
            };
            let known = anchors.get(path.as_str()).is_none_or(|known| known.contains(anchor));
            if !anchor.is_empty() && !known {
                problems.push(Problem::at(page, line, format!("{path} has no heading #{anchor}")));
            }
        }
    }
    problems
}

/// Whether a link leads out of the book, where nothing is looked up, or into the reference of the library: pages that are
/// also part of that name items by their paths, which rustdoc looks up.
fn is_elsewhere(target: &str) -> bool {
    ["https://", "http://", "mailto:", ITEM].iter().any(|start| target.starts_with(start))
}

/// The path from the top folder of what a page links to; nothing if that is outside of it.
fn resolved(page: &str, target: &str) -> Option<String> {
    let mut path: PathBuf = Path::new(page).parent()?.to_owned();
    for part in Path::new(target).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !path.pop() {
                    return None;
                }
            }
            _ => return None,
        }
    }
    path.to_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(of: &[(&str, &str)]) -> BTreeMap<String, String> {
        of.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    fn lines(problems: Vec<Problem>) -> Vec<String> {
        problems.iter().map(Problem::to_string).collect()
    }

    #[test]
    fn every_page_is_listed_once() {
        let book = pages(&[
            ("docs/SUMMARY.md", "- [A](a.md)\n- [A again](a.md)\n- [None](none.md)\n- [Start](../README.md)\n"),
            ("docs/a.md", ""),
            ("docs/b.md", ""),
            ("README.md", ""),
        ]);
        let wrong = [
            "docs/SUMMARY.md:2: docs/a.md is listed twice",
            "docs/SUMMARY.md:3: none.md is no page of the book",
            "docs/b.md: docs/SUMMARY.md does not list it",
        ];
        assert_eq!(lines(unlisted(&book)), wrong);
    }

    #[test]
    fn every_link_leads_somewhere() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("docs")).unwrap();
        let text = "# One `two`, three\n[up](../README.md) [x](#one-two-three) [y](#none) [z](https://x.y/z)\n\
                    [w](absent.md)\n[v](../README.md#top) [out](../../etc)\n";
        std::fs::write(root.path().join("docs/a.md"), text).unwrap();
        std::fs::write(root.path().join("README.md"), "# Top\n").unwrap();
        let book = pages(&[("docs/a.md", text), ("README.md", "# Top\n")]);
        let wrong = [
            "docs/a.md:2: docs/a.md has no heading #none",
            "docs/a.md:3: absent.md leads nowhere",
            "docs/a.md:4: ../../etc leads nowhere",
        ];
        assert_eq!(lines(dead_links(root.path(), &book)), wrong);
    }
}
