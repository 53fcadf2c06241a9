//! Checks the built book: every link of every page has a file and an anchor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::{is_elsewhere, resolved};
use crate::problem::Problem;

/// The output of `cargo doc`, whose links `-D warnings` checks.
const REFERENCE: &str = "api/";
/// Pages that mdBook derives from others: one to print, one for dead addresses, the table of contents.
const MADE: [&str; 3] = ["print.html", "404.html", "toc.html"];

/// One problem for each link that leads nowhere.
pub fn check(site: &Path) -> Result<Vec<Problem>> {
    let mut files = BTreeSet::new();
    list(site, "", &mut files)?;
    ensure!(files.contains("index.html"), "there is no book in {}", site.display());
    let mut pages = BTreeMap::new();
    for file in files.iter().filter(|file| is_page(file)) {
        let text = std::fs::read_to_string(site.join(file)).with_context(|| format!("cannot read {file}"))?;
        pages.insert(file.clone(), text);
    }
    let mut problems = Vec::new();
    for (page, text) in &pages {
        let targets: BTreeSet<String> = ["href", "src"].iter().flat_map(|name| attributes(text, name)).collect();
        for target in targets.iter().filter(|target| !is_elsewhere(target) && !target.starts_with("data:")) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = file.split('?').next().unwrap_or_default();
            let path = if file.is_empty() { Some(page.clone()) } else { resolved(page, file) };
            match path.filter(|path| files.contains(path)) {
                None => problems.push(Problem::with(page, format!("{target} leads nowhere"))),
                Some(path) => {
                    let ids = pages.get(&path).map(|text| attributes(text, "id"));
                    if !anchor.is_empty() && ids.is_some_and(|ids| !ids.iter().any(|id| id == anchor)) {
                        problems.push(Problem::with(page, format!("{path} has no place #{anchor}")));
                    }
                }
            }
        }
    }
    if problems.is_empty() {
        println!("{} pages, and every link leads somewhere", pages.len());
    }
    Ok(problems)
}

fn is_page(file: &str) -> bool {
    file.ends_with(".html") && !file.starts_with(REFERENCE) && !MADE.contains(&file)
}

fn list(site: &Path, folder: &str, files: &mut BTreeSet<String>) -> Result<()> {
    let path = site.join(folder);
    for entry in std::fs::read_dir(&path).with_context(|| format!("cannot list {}", path.display()))? {
        let entry = entry?;
        let name = format!("{folder}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(site, &format!("{name}/"), files)?;
        } else {
            files.insert(name);
        }
    }
    Ok(())
}

/// The values of an attribute in all tags of a page.
fn attributes(text: &str, name: &str) -> Vec<String> {
    let start = format!(" {name}=\"");
    let values = text.split(&start).skip(1).filter_map(|rest| rest.split_once('"').map(|(value, _)| value));
    values.filter(|value| !value.is_empty()).map(|value| value.replace("&amp;", "&")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dead_link_is_named() {
        let site = tempfile::tempdir().unwrap();
        let page = r##"<a href="a/b.html#there">x</a> <a href="a/b.html#gone">y</a> <a href="#up">z</a> <img src="no.png">
            <a href="https://x.y/">w</a><h1 id="up">"##;
        std::fs::create_dir(site.path().join("a")).unwrap();
        std::fs::write(site.path().join("index.html"), page).unwrap();
        std::fs::write(site.path().join("a/b.html"), r#"<h2 id="there"><a href="../index.html">"#).unwrap();
        let wrong: Vec<String> = check(site.path()).unwrap().iter().map(Problem::to_string).collect();
        assert_eq!(wrong, ["index.html: a/b.html has no place #gone", "index.html: no.png leads nowhere"]);
        assert!(check(&site.path().join("a")).is_err());
    }
}
