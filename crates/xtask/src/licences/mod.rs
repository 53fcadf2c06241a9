//! Every dependency has a licence that this project can live with.

mod expression;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value as Json;

use crate::problem::Problem;
use crate::workspace;
use expression::Expression;

const ALLOWED: &str = "docs/licences.txt";

/// One problem for each package, for any platform, whose licence is not allowed.
pub fn check(root: &Path) -> Result<Vec<Problem>> {
    let list = std::fs::read_to_string(root.join(ALLOWED)).with_context(|| format!("cannot read {ALLOWED}"))?;
    let allowed = allowed(&list);
    let packages = workspace::packages(root, &[])?;
    let problems: Vec<Problem> = packages.iter().filter_map(|package| offence(package, &allowed)).collect();
    if problems.is_empty() {
        println!("{} packages have licences that {ALLOWED} allows", packages.len());
    }
    Ok(problems)
}

/// The licences of the list: one a line, comments after `#`.
fn allowed(list: &str) -> BTreeSet<String> {
    let lines = list.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

fn offence(package: &Json, allowed: &BTreeSet<String>) -> Option<Problem> {
    let name = format!("{} {}", package["name"].as_str()?, package["version"].as_str()?);
    let Some(text) = package["license"].as_str() else {
        return Some(Problem::with(name, "names no licence"));
    };
    match Expression::read(text) {
        Ok(expression) if expression.holds(allowed) => None,
        Ok(_) => Some(Problem::with(name, format!("its licence is {text}, which {ALLOWED} does not allow"))),
        Err(error) => Some(Problem::with(name, format!("its licence {text:?} cannot be read: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_has_one_licence_a_line() {
        let list = allowed("# ours\nMIT\n\n  Apache-2.0 WITH LLVM-exception  # compilers\n");
        assert_eq!(Vec::from_iter(list), ["Apache-2.0 WITH LLVM-exception", "MIT"]);
    }

    #[test]
    fn an_offender_is_named_in_one_line() {
        let list = allowed("MIT");
        let line = |licence: Json| {
            let package = json!({"name": "thing", "version": "1.2.3", "license": licence});
            offence(&package, &list).map(|problem| problem.to_string())
        };
        assert_eq!(line(json!("MIT OR GPL-3.0-only")), None);
        let forbidden = "thing 1.2.3: its licence is GPL-3.0-only, which docs/licences.txt does not allow";
        assert_eq!(line(json!("GPL-3.0-only")).unwrap(), forbidden);
        assert_eq!(line(Json::Null).unwrap(), "thing 1.2.3: names no licence");
        assert!(line(json!("MIT AND")).unwrap().contains("cannot be read"));
    }
}
