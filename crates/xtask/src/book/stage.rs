//! Copies the pages to where mdBook reads them: one folder, with the summary at its top.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};

use super::markdown::{links, relinked};
use super::{ITEM, SUMMARY, is_elsewhere, resolved};

/// Where they are put; book.toml names it too.
const STAGE: &str = "target/book-src";
/// Folders whose files are copied, whether or not a page links to them: pictures use others, and readers open records.
const FOLDERS: [&str; 3] = ["docs", "docs/images", "results"];

/// The page that links to the reference of the library, which `cargo doc` builds beside the book.
const REFERENCE: &str = "reference.md";
const REFERENCE_TEXT: &str = "# Reference of the library\n\n\
    Made of the code by `cargo doc`:\n\n\
    - [kanzen](api/kanzen/index.html): the library\n\
    - [kanzen_games](api/kanzen_games/index.html): the games\n\
    - [kanzen_cli](api/kanzen_cli/index.html): the command, for programs with games of their own\n\
    - [kanzen_web](api/kanzen_web/index.html): the explorer and its HTTP API\n";

/// Writes all of it anew.
pub fn write(root: &Path, pages: &BTreeMap<String, String>) -> Result<()> {
    let stage = root.join(STAGE);
    if stage.exists() {
        std::fs::remove_dir_all(&stage).with_context(|| format!("cannot remove {STAGE}"))?;
    }
    for (path, text) in pages.iter().filter(|(path, _)| *path != SUMMARY) {
        put(&stage, &page_name(path), relinked(text, |target| page_link(path, target)).as_bytes())?;
    }
    let summary = relinked(&pages[SUMMARY], |target| page_name(&resolved(SUMMARY, target).unwrap_or_default()));
    put(&stage, "SUMMARY.md", format!("{summary}- [Reference of the library]({REFERENCE})\n").as_bytes())?;
    put(&stage, REFERENCE, REFERENCE_TEXT.as_bytes())?;
    for file in linked_files(root, pages) {
        copy(root, &stage, &file)?;
    }
    for folder in FOLDERS {
        for entry in std::fs::read_dir(root.join(folder)).with_context(|| format!("cannot list {folder}"))? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name.contains('.') && !name.ends_with(".md") {
                copy(root, &stage, &format!("{folder}/{name}"))?;
            }
        }
    }
    println!("{} pages in {STAGE}", pages.len());
    Ok(())
}

/// The files that pages link to and that are no pages.
fn linked_files(root: &Path, pages: &BTreeMap<String, String>) -> BTreeSet<String> {
    let targets = pages.iter().flat_map(|(page, text)| links(text).into_iter().map(move |link| (page, link.target)));
    let files = targets.filter(|(_, target)| !is_elsewhere(target)).filter_map(|(page, target)| {
        let file = target.split('#').next().unwrap_or_default();
        resolved(page, file).filter(|path| !pages.contains_key(path) && root.join(path).is_file())
    });
    files.collect()
}

/// The name of a page in the book: the README of a folder is its index.
fn page_name(path: &str) -> String {
    path.strip_suffix("README.md").map_or(path.to_owned(), |folder| format!("{folder}index.md"))
}

/// The same of a link of a page, which may lead to a place in another, to an item of the library, or elsewhere.
fn page_link(page: &str, target: &str) -> String {
    if let Some(item) = target.strip_prefix(ITEM) {
        let up = "../".repeat(page.matches('/').count());
        return format!("{up}api/kanzen/index.html?search={item}");
    }
    if is_elsewhere(target) {
        return target.to_owned();
    }
    let (file, anchor) = target.split_at(target.find('#').unwrap_or(target.len()));
    format!("{}{anchor}", page_name(file))
}

fn put(stage: &Path, path: &str, bytes: &[u8]) -> Result<()> {
    let path = stage.join(path);
    let complain = || format!("cannot write {}", path.display());
    std::fs::create_dir_all(path.parent().unwrap_or(stage)).with_context(complain)?;
    std::fs::write(&path, bytes).with_context(complain)
}

fn copy(root: &Path, stage: &Path, file: &str) -> Result<()> {
    put(stage, file, &std::fs::read(root.join(file)).with_context(|| format!("cannot read {file}"))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_links_to_goes_along() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("docs/examples")).unwrap();
        std::fs::write(root.path().join("docs/examples/a.py"), "").unwrap();
        let text =
            "[a](examples/a.py#L1) [page](../README.md) [folder](examples) [out](https://x.y/a.py) [here](#here)";
        let pages = [("docs/a.md", text), ("README.md", "")].map(|(page, text)| (page.to_owned(), text.to_owned()));
        assert_eq!(Vec::from_iter(linked_files(root.path(), &pages.into())), ["docs/examples/a.py"]);
    }

    #[test]
    fn a_readme_is_the_index_of_its_folder() {
        assert_eq!(page_name("docs/README.md"), "docs/index.md");
        assert_eq!(page_link("docs/a.md", "../README.md#start"), "../index.md#start");
        assert_eq!(page_link("docs/a.md", "#start"), "#start");
        assert_eq!(page_link("docs/a.md", "https://x.y/README.md"), "https://x.y/README.md");
        assert_eq!(page_link("docs/a.md", "crate::view::View"), "../api/kanzen/index.html?search=view::View");
    }
}
