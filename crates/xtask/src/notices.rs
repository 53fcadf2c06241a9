//! Prints the licences of the packages linked into the command, in full: a copy of the program must include them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value as Json;

use crate::sbom::linked_packages;
use crate::workspace;

/// How the files begin that packages keep their licences in.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];

/// All texts, each once, under the packages that have it.
pub fn notices(root: &Path, target: &str) -> Result<String> {
    let metadata = workspace::metadata(root, &["--filter-platform", target])?;
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without = Vec::new();
    for package in linked_packages(&metadata)? {
        let name = format!("{} {}", text(package, "name"), text(package, "version"));
        let found = texts_of(package)?;
        if found.is_empty() {
            without.push(format!("{name}: {}", text(package, "license")));
        }
        for text in found {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    let mut packages: Vec<(Vec<String>, String)> = texts.into_iter().map(|(text, names)| (names, text)).collect();
    packages.sort();
    let mut result =
        "Kanzen is made with the packages below, which are others' work under these licences.\n".to_owned();
    for (names, text) in packages {
        result += &format!("\n{}\n{}\n\n{}\n", "=".repeat(80), names.join(", "), text.trim());
    }
    if !without.is_empty() {
        result += &format!(
            "\n{}\nThese bring no text along, but name their licence:\n\n{}\n",
            "=".repeat(80),
            without.join("\n")
        );
    }
    Ok(result)
}

fn text(package: &Json, field: &str) -> String {
    package[field].as_str().unwrap_or_default().to_owned()
}

/// The texts beside the manifest of a package.
fn texts_of(package: &Json) -> Result<Vec<String>> {
    let manifest = text(package, "manifest_path");
    let folder = Path::new(&manifest).parent().context("a package without a folder")?;
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .with_context(|| format!("cannot list the files of {}", text(package, "name")))?
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .filter(|name| NAMES.iter().any(|start| name.to_uppercase().starts_with(start)))
        .collect();
    names.sort();
    let read =
        |name: &String| std::fs::read(folder.join(name)).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(names.iter().filter_map(read).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_beside_a_manifest_are_found() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("LICENSE-MIT", "do as you like"), ("license.txt", "the same"), ("README.md", "none")] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let package = serde_json::json!({ "name": "x", "manifest_path": folder.path().join("Cargo.toml") });
        assert_eq!(texts_of(&package).unwrap(), ["do as you like", "the same"]);
    }
}
