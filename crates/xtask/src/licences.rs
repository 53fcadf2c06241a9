//! Checks that docs/licences.txt allows the licence of every dependency.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value as Json;

use crate::problem::Problem;
use crate::workspace;

const ALLOWED: &str = "docs/licences.txt";

/// Returns a problem for each package, on any platform, whose licence is not allowed.
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
    match holds(text, allowed) {
        Ok(true) => None,
        Ok(false) => Some(Problem::with(name, format!("its licence is {text}, which {ALLOWED} does not allow"))),
        Err(error) => Some(Problem::with(name, format!("its licence {text:?} cannot be read: {error}"))),
    }
}

/// Whether these licences satisfy an SPDX expression such as `(MIT OR Apache-2.0) AND Unicode-3.0`.
///
/// `WITH` binds closest, then `AND`, then `OR`. Old crates write `/` for `OR`.
fn holds(text: &str, allowed: &BTreeSet<String>) -> Result<bool, String> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut expression = Expression { words: spaced.split_whitespace().collect(), next: 0, allowed };
    let holds = expression.any()?;
    match expression.peek() {
        None => Ok(holds),
        Some(word) => Err(format!("`{word}` stands where the expression should end")),
    }
}

/// Evaluates an expression while it reads it.
struct Expression<'a> {
    words: Vec<&'a str>,
    next: usize,
    allowed: &'a BTreeSet<String>,
}

impl<'a> Expression<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.next).copied()
    }

    /// Steps over this word if it comes next.
    fn take(&mut self, word: &str) -> bool {
        let taken = self.peek() == Some(word);
        self.next += usize::from(taken);
        taken
    }

    fn any(&mut self) -> Result<bool, String> {
        let mut holds = self.all()?;
        while self.take("OR") {
            holds |= self.all()?;
        }
        Ok(holds)
    }

    fn all(&mut self) -> Result<bool, String> {
        let mut holds = self.one()?;
        while self.take("AND") {
            holds &= self.one()?;
        }
        Ok(holds)
    }

    fn one(&mut self) -> Result<bool, String> {
        if self.take("(") {
            let inner = self.any()?;
            return if self.take(")") { Ok(inner) } else { Err("a parenthesis is not closed".to_owned()) };
        }
        let mut name = self.name()?.to_owned();
        if self.take("WITH") {
            name = format!("{name} WITH {}", self.name()?);
        }
        Ok(self.allowed.contains(&name))
    }

    fn name(&mut self) -> Result<&'a str, String> {
        let Some(word) = self.peek() else { return Err("a licence is missing at the end".to_owned()) };
        if matches!(word, "OR" | "AND" | "WITH" | "(" | ")") {
            return Err(format!("`{word}` stands where a licence should"));
        }
        self.next += 1;
        Ok(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn allows(list: &[&str], text: &str) -> bool {
        holds(text, &list.iter().map(|name| (*name).to_owned()).collect()).unwrap()
    }

    #[test]
    fn one_side_of_or_is_enough_but_and_needs_both() {
        assert!(allows(&["MIT"], "MIT OR GPL-3.0-only"));
        assert!(allows(&["MIT"], "LGPL-2.1-or-later OR (MIT)"));
        assert!(!allows(&["MIT"], "MIT AND GPL-3.0-only"));
        assert!(!allows(&["MIT"], "(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(allows(&["MIT", "Unicode-3.0"], "(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(!allows(&["MIT"], "MIT-0"));
    }

    #[test]
    fn and_binds_closer_than_or() {
        assert!(allows(&["A"], "A OR B AND C"));
        assert!(!allows(&["A"], "(A OR B) AND C"));
    }

    #[test]
    fn a_slash_is_an_old_or() {
        assert!(allows(&["MIT"], "Apache-2.0/MIT"));
        assert!(allows(&["MIT"], "Apache-2.0 / MIT"));
    }

    #[test]
    fn an_exception_belongs_to_its_licence() {
        let llvm = "Apache-2.0 WITH LLVM-exception";
        assert!(allows(&[llvm], llvm));
        assert!(!allows(&["Apache-2.0"], llvm));
        assert!(allows(&["Apache-2.0"], "Apache-2.0 WITH LLVM-exception OR Apache-2.0"));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "MIT OR", "OR MIT", "MIT Apache-2.0", "(MIT", "MIT)", "()", "MIT WITH", "MIT AND OR ISC"] {
            assert!(holds(text, &BTreeSet::new()).is_err(), "{text:?}");
        }
    }

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
