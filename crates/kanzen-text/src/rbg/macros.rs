//! Replaces macros, as text.
//!
//! A macro sees those that stand before it, so that replacing ends; still it can double the text each time, and is bounded.
//! `a~b` makes one token of two.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::tokens::Token;
use super::{MAX_TOKENS, Result, Wrong};

/// The most macros; each can be nested within all before it.
const MAX_MACROS: usize = 1000;
/// The deepest nesting of macros.
const MAX_NESTING: usize = 100;

/// The macros of a text.
#[derive(Default)]
pub(super) struct Macros {
    macros: Vec<Macro>,
    /// All macros of a name, with their numbers of arguments.
    by_name: BTreeMap<Rc<str>, Vec<usize>>,
}

struct Macro {
    arguments: Vec<Rc<str>>,
    body: Vec<Token>,
}

type Arguments = BTreeMap<Rc<str>, Vec<Token>>;

impl Macros {
    /// Adds the macro of a section: `name(a; b) = body`.
    pub fn add(&mut self, section: &[Token]) -> Result<()> {
        let name = &section[0];
        if !name.is_name() {
            return Err(Wrong::new(name.at, format!("a section cannot be called {:?}", name.text)));
        }
        let mut next = 1;
        let mut arguments: Vec<Rc<str>> = Vec::new();
        if section.get(1).is_some_and(|token| token.is("(")) {
            loop {
                let argument = section.get(next + 1).filter(|token| token.is_name());
                let argument = argument.ok_or_else(|| Wrong::new(name.at, "the name of an argument is missing"))?;
                arguments.push(argument.text.clone());
                next += 2;
                match section.get(next) {
                    Some(token) if token.is(";") => {}
                    Some(token) if token.is(")") => break,
                    _ => return Err(Wrong::new(argument.at, "; or ) is missing after this argument")),
                }
            }
            next += 1;
        }
        if !section.get(next).is_some_and(|token| token.is("=")) {
            return Err(Wrong::new(name.at, format!("= is missing after {}", name.text)));
        }
        if self.macros.len() == MAX_MACROS {
            return Err(Wrong::new(name.at, format!("more than {MAX_MACROS} macros")));
        }
        let same = self.by_name.entry(name.text.clone()).or_default();
        if same.iter().any(|&other| {
            let others = self.macros[other].arguments.len();
            others == arguments.len() || others == 0 || arguments.is_empty()
        }) {
            return Err(Wrong::new(name.at, format!("there are two macros {}", name.text)));
        }
        same.push(self.macros.len());
        self.macros.push(Macro { arguments, body: section[next + 1..].to_vec() });
        Ok(())
    }

    /// Replaces all macros in a section that stands behind those that were added.
    pub fn replace(&self, tokens: &[Token]) -> Result<Vec<Token>> {
        let mut budget = MAX_TOKENS;
        self.expand(tokens, self.macros.len(), &Arguments::new(), 0, &mut budget)
    }

    /// Replaces arguments, and macros with numbers below `visible`.
    fn expand(
        &self,
        tokens: &[Token],
        visible: usize,
        arguments: &Arguments,
        depth: usize,
        budget: &mut usize,
    ) -> Result<Vec<Token>> {
        let mut out: Vec<Token> = Vec::new();
        let mut next = 0;
        // The length of `out` when the last piece began, if a tilde follows that piece.
        let mut paste: Option<usize> = None;
        while let Some(token) = tokens.get(next) {
            next += 1;
            let found: Vec<usize> = self
                .by_name
                .get(&token.text)
                .map_or(Vec::new(), |same| same.iter().copied().filter(|&number| number < visible).collect());
            let piece = if let Some(argument) = arguments.get(&token.text) {
                argument.clone()
            } else if let Some(&first) = found.first() {
                if depth == MAX_NESTING {
                    return Err(Wrong::new(token.at, format!("macros nest deeper than {MAX_NESTING}")));
                }
                let mut values = Vec::new();
                if !self.macros[first].arguments.is_empty() {
                    let parts = parts(tokens, &mut next, token)?;
                    for part in parts {
                        values.push(self.expand(part, visible, arguments, depth + 1, budget)?);
                    }
                }
                let fits = found.iter().find(|&&number| self.macros[number].arguments.len() == values.len());
                let Some(&number) = fits else {
                    let given = values.len();
                    return Err(Wrong::new(token.at, format!("{} does not take {given} arguments", token.text)));
                };
                let inner = self.macros[number].arguments.iter().cloned().zip(values).collect();
                self.expand(&self.macros[number].body, number, &inner, depth + 1, budget)?
            } else if token.is("~") {
                return Err(Wrong::new(token.at, "~ stands between two names"));
            } else {
                vec![token.clone()]
            };
            *budget = budget
                .checked_sub(piece.len() + 1)
                .ok_or_else(|| Wrong::new(token.at, format!("macros grow beyond {MAX_TOKENS} tokens")))?;
            let mut piece = piece.into_iter();
            let begin = paste.unwrap_or(out.len());
            if paste.is_some()
                && out.len() > begin
                && let Some(first) = piece.next()
            {
                let last = out.len() - 1;
                let text = format!("{}{}", out[last].text, first.text);
                if text.len() > 1000 {
                    return Err(Wrong::new(token.at, "a name of more than 1000 letters"));
                }
                out[last].text = text.into();
            }
            out.extend(piece);
            paste = tokens.get(next).is_some_and(|token| token.is("~")).then_some(begin);
            if paste.is_some() {
                next += 1;
                if next == tokens.len() {
                    return Err(Wrong::new(token.at, "nothing follows the ~"));
                }
            }
        }
        Ok(out)
    }
}

/// The arguments of a use of a macro: `(a; b)`, split at semicolons outside of brackets.
fn parts<'t>(tokens: &'t [Token], next: &mut usize, name: &Token) -> Result<Vec<&'t [Token]>> {
    if !tokens.get(*next).is_some_and(|token| token.is("(")) {
        return Err(Wrong::new(name.at, format!("the arguments of {} are missing", name.text)));
    }
    let (mut open, mut begin, mut parts) = (1, *next + 1, Vec::new());
    for (at, token) in tokens.iter().enumerate().skip(begin) {
        match &*token.text {
            "(" => open += 1,
            ")" => open -= 1,
            _ => {}
        }
        if open == 0 || open == 1 && token.is(";") {
            parts.push(&tokens[begin..at]);
            begin = at + 1;
        }
        if open == 0 {
            *next = at + 1;
            return Ok(parts);
        }
    }
    Err(Wrong::new(name.at, format!("the arguments of {} have no end", name.text)))
}
