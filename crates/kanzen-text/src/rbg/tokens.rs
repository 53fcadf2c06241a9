//! Splits a text into tokens.

use std::rc::Rc;

use super::{Result, Wrong};

/// Signs, longest first.
const SIGNS: [&str; 34] = [
    "->>", "{?", "{!", "{$", "[$", "->", "!=", "==", "<=", ">=", "(", ")", "[", "]", "{", "}", "~", "#", "-", "+", "^",
    "/", "*", ".", ",", ";", ":", "=", "<", ">", "?", "!", "$", "\"",
];

/// A name, a number or a sign, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub at: usize,
    pub text: Rc<str>,
}

impl Token {
    /// Whether it is this sign or word.
    pub fn is(&self, text: &str) -> bool {
        &*self.text == text
    }

    /// Whether it is a name.
    pub fn is_name(&self) -> bool {
        self.text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
    }
}

/// Splits a text; comments are left out.
pub(super) fn split(text: &str) -> Result<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").ok_or_else(|| Wrong::new(at, "a comment without an end"))? + 2
        } else {
            let word = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
            let length = match word {
                0 => SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(0, |sign| sign.len()),
                _ => word,
            };
            if length == 0 {
                return Err(Wrong::new(at, format!("{first:?} stands for nothing here")));
            }
            tokens.push(Token { at, text: rest[..length].into() });
            length
        };
        at += length;
    }
    Ok(tokens)
}

/// Tokens to be read in order.
pub(super) struct Tokens {
    tokens: Vec<Token>,
    next: usize,
    end: usize,
}

impl Tokens {
    /// All of these; an error behind the last is put at `end`.
    pub fn new(tokens: Vec<Token>, end: usize) -> Tokens {
        Tokens { tokens, next: 0, end }
    }

    /// The next token.
    pub fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next)
    }

    /// Whether the next token is this one.
    pub fn at(&self, text: &str) -> bool {
        self.peek().is_some_and(|token| token.is(text))
    }

    /// Skips the next token if it is this one.
    pub fn take(&mut self, text: &str) -> bool {
        let found = self.at(text);
        self.next += usize::from(found);
        found
    }

    /// Skips this token.
    pub fn expect(&mut self, text: &str) -> Result<()> {
        match self.take(text) {
            true => Ok(()),
            false => Err(self.wrong(&format!("{text:?}"))),
        }
    }

    /// Reads a name.
    pub fn name(&mut self, what: &str) -> Result<Token> {
        match self.peek() {
            Some(token) if token.is_name() => {
                let token = token.clone();
                self.next += 1;
                Ok(token)
            }
            _ => Err(self.wrong(what)),
        }
    }

    /// Reads a number.
    pub fn number(&mut self) -> Result<i32> {
        let number = self.peek().and_then(|token| token.text.parse::<u32>().ok());
        let number = number.and_then(|number| i32::try_from(number).ok()).ok_or_else(|| self.wrong("a number"))?;
        self.next += 1;
        Ok(number)
    }

    /// The error that something else stands here.
    pub fn wrong(&self, expected: &str) -> Wrong {
        match self.peek() {
            Some(token) => Wrong::new(token.at, format!("{expected} is expected here, not {:?}", token.text)),
            None => Wrong::new(self.end, format!("{expected} is expected at the end")),
        }
    }
}
