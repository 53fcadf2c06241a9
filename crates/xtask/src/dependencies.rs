//! Checks that every direct dependency has a row with its reason in docs/dependencies.md.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value as Json;

use crate::problem::Problem;
use crate::workspace;

const TABLE: &str = "docs/dependencies.md";

/// One problem for each dependency without a row and each row without a dependency.
pub fn check(root: &Path) -> Result<Vec<Problem>> {
    let text = std::fs::read_to_string(root.join(TABLE)).with_context(|| format!("cannot read {TABLE}"))?;
    let packages = workspace::packages(root, &["--no-deps"])?;
    let wanted = direct(&packages);
    let problems = compare(&wanted, &text);
    if problems.is_empty() {
        println!("{TABLE} has the reason for each of {} direct dependencies", wanted.len());
    }
    Ok(problems)
}

/// What the packages of the workspace depend on, the workspace itself apart.
fn direct(packages: &[Json]) -> BTreeSet<String> {
    let dependencies = packages.iter().filter_map(|package| package["dependencies"].as_array()).flatten();
    let foreign = dependencies.filter(|dependency| dependency.get("path").is_none());
    foreign.filter_map(|dependency| dependency["name"].as_str().map(str::to_owned)).collect()
}

/// Rows look like `| name | where | why |`, the name in backticks.
fn compare(wanted: &BTreeSet<String>, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut found = BTreeSet::new();
    for (number, line) in text.lines().enumerate() {
        let Some((name, rest)) = line.strip_prefix("| `").and_then(|row| row.split_once("` |")) else { continue };
        let reason = rest.trim().trim_end_matches('|').rsplit('|').next().unwrap_or("").trim();
        if !wanted.contains(name) {
            problems.push(Problem::at(
                TABLE,
                number + 1,
                format!("{name} is not a direct dependency of the workspace"),
            ));
        } else if reason.is_empty() {
            problems.push(Problem::at(TABLE, number + 1, format!("the row of {name} has no reason")));
        }
        found.insert(name.to_owned());
    }
    let missing = wanted.difference(&found);
    problems.extend(missing.map(|name| Problem::with(TABLE, format!("{name} has no row: add one with the reason"))));
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn packages_of_the_workspace_need_no_row() {
        let packages = [json!({"dependencies": [
            {"name": "rayon", "source": "registry"},
            {"name": "kanzen", "source": null, "path": "crates/kanzen"},
        ]})];
        assert_eq!(Vec::from_iter(direct(&packages)), ["rayon"]);
    }

    #[test]
    fn rows_and_dependencies_agree_both_ways() {
        let wanted = ["rayon", "zstd"].map(str::to_owned).into();
        let lines = |text: &str| Vec::from_iter(compare(&wanted, text).iter().map(Problem::to_string));
        assert!(lines("| crate | why |\n|---|---|\n| `rayon` | threads |\n| `zstd` | blocks |").is_empty());
        assert_eq!(lines("| `rayon` | threads |"), ["docs/dependencies.md: zstd has no row: add one with the reason"]);
        assert_eq!(
            lines("| `rayon` | |\n| `zstd` | blocks |\n| `rand` | dice |"),
            [
                "docs/dependencies.md:1: the row of rayon has no reason",
                "docs/dependencies.md:3: rand is not a direct dependency of the workspace"
            ]
        );
    }

    #[test]
    fn the_table_of_this_checkout_is_complete() {
        assert_eq!(check(&workspace::root().unwrap()).unwrap(), []);
    }
}
