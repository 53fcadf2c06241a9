//! Licence expressions of the SPDX: `(MIT OR Apache-2.0) AND Unicode-3.0`.
//!
//! `WITH` binds closest, then `AND`, then `OR`. Old crates write `/` for `OR`.

use std::collections::BTreeSet;

/// What a package asks of those who use it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// One licence, with its exception if it has one: `Apache-2.0 WITH LLVM-exception`.
    Licence(String),
    /// All of these.
    All(Vec<Expression>),
    /// Any one of these.
    Any(Vec<Expression>),
}

impl Expression {
    /// The expression a text stands for, or a sentence that says what is wrong with it.
    pub fn read(text: &str) -> Result<Expression, String> {
        let spaced = text.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
        let mut words = Words { words: spaced.split_whitespace().collect(), next: 0 };
        let expression = words.any()?;
        match words.peek() {
            None => Ok(expression),
            Some(word) => Err(format!("`{word}` stands where the expression should end")),
        }
    }

    /// Whether someone who accepts only these licences may use the package.
    pub fn holds(&self, allowed: &BTreeSet<String>) -> bool {
        match self {
            Expression::Licence(name) => allowed.contains(name),
            Expression::All(parts) => parts.iter().all(|part| part.holds(allowed)),
            Expression::Any(parts) => parts.iter().any(|part| part.holds(allowed)),
        }
    }
}

struct Words<'a> {
    words: Vec<&'a str>,
    next: usize,
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.next).copied()
    }

    /// Steps over this word if it comes next.
    fn take(&mut self, word: &str) -> bool {
        let taken = self.peek() == Some(word);
        self.next += usize::from(taken);
        taken
    }

    fn any(&mut self) -> Result<Expression, String> {
        let mut parts = vec![self.all()?];
        while self.take("OR") {
            parts.push(self.all()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::Any(parts) })
    }

    fn all(&mut self) -> Result<Expression, String> {
        let mut parts = vec![self.one()?];
        while self.take("AND") {
            parts.push(self.one()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::All(parts) })
    }

    fn one(&mut self) -> Result<Expression, String> {
        if self.take("(") {
            let inner = self.any()?;
            return if self.take(")") { Ok(inner) } else { Err("a parenthesis is not closed".to_owned()) };
        }
        let name = self.name()?;
        if self.take("WITH") {
            return Ok(Expression::Licence(format!("{name} WITH {}", self.name()?)));
        }
        Ok(Expression::Licence(name.to_owned()))
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

    fn licence(name: &str) -> Expression {
        Expression::Licence(name.to_owned())
    }

    fn allows(list: &[&str], text: &str) -> bool {
        Expression::read(text).unwrap().holds(&list.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn and_binds_closer_than_or() {
        let parts = vec![licence("A"), Expression::All(vec![licence("B"), licence("C")])];
        assert_eq!(Expression::read("A OR B AND C").unwrap(), Expression::Any(parts));
        let either = Expression::Any(vec![licence("A"), licence("B")]);
        assert_eq!(Expression::read("(A OR B) AND C").unwrap(), Expression::All(vec![either, licence("C")]));
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
    fn a_slash_is_an_old_or() {
        assert!(allows(&["MIT"], "Apache-2.0/MIT"));
        assert!(allows(&["MIT"], "Apache-2.0 / MIT"));
    }

    #[test]
    fn an_exception_belongs_to_its_licence() {
        let llvm = "Apache-2.0 WITH LLVM-exception";
        assert_eq!(Expression::read(llvm).unwrap(), licence(llvm));
        assert!(!allows(&["Apache-2.0"], llvm));
        assert!(allows(&["Apache-2.0"], "Apache-2.0 WITH LLVM-exception OR Apache-2.0"));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "MIT OR", "OR MIT", "MIT Apache-2.0", "(MIT", "MIT)", "()", "MIT WITH", "MIT AND OR ISC"] {
            assert!(Expression::read(text).is_err(), "{text:?}");
        }
    }
}
