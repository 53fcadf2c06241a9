//! The tokenizer of conditions.

/// A piece of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A name or a word of the language.
    Word(&'a str),
    /// A name in double quotes or backticks, which are left out here.
    Quoted(String),
    /// A text in single quotes, which are left out here.
    Text(String),
    /// It begins with a digit.
    Number(&'a str),
    /// A comparison, a parenthesis or any other character.
    Symbol(&'a str),
    /// There is no more.
    End,
}

/// The tokens of a text, of which one is the current.
pub(super) struct Tokens<'a> {
    text: &'a str,
    /// The current token.
    pub current: Token<'a>,
    /// Where the current token begins, in bytes.
    pub start: usize,
    /// Where it ends.
    end: usize,
    /// The text of the token before the current.
    last: &'a str,
}

impl<'a> Tokens<'a> {
    /// Before the first token.
    pub fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, current: Token::End, start: 0, end: 0, last: "" }
    }

    /// The current token as it is written.
    pub fn text(&self) -> &'a str {
        &self.text[self.start..self.end]
    }

    /// The token before the current as it is written.
    pub fn last(&self) -> &'a str {
        self.last
    }

    /// Goes to the next token. The error is a place in bytes and what is wrong there.
    pub fn advance(&mut self) -> Result<(), (usize, String)> {
        self.last = self.text();
        let rest = self.text[self.end..].trim_start();
        self.start = self.text.len() - rest.len();
        let mut after = rest.chars();
        let Some(first) = after.next() else {
            self.end = self.start;
            self.current = Token::End;
            return Ok(());
        };
        // As much of the rest as has such characters.
        let run = |belongs: fn(char) -> bool| &rest[..rest.find(|c| !belongs(c)).unwrap_or(rest.len())];
        let length;
        (self.current, length) = match first {
            '\'' | '"' | '`' => {
                let (content, length) = quoted(rest, first).ok_or((self.start, "a quote is not closed".to_owned()))?;
                (if first == '\'' { Token::Text(content) } else { Token::Quoted(content) }, length)
            }
            '0'..='9' => {
                let number = run(|c| c == '.' || c == '_' || c.is_alphanumeric());
                (Token::Number(number), number.len())
            }
            _ if first == '_' || first.is_alphabetic() => {
                let word = run(|c| c == '_' || c.is_alphanumeric());
                (Token::Word(word), word.len())
            }
            _ => {
                let pair = rest.get(..2).filter(|pair| ["==", "<>", "!=", "<=", ">="].contains(pair));
                let symbol = pair.unwrap_or(&rest[..first.len_utf8()]);
                (Token::Symbol(symbol), symbol.len())
            }
        };
        self.end = self.start + length;
        Ok(())
    }
}

/// What is between two quotes, and how many bytes it takes with them. A quote in it is written twice.
fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut content = String::new();
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        if character != quote {
            content.push(character);
        } else if characters.next_if(|&(_, next)| next == quote).is_some() {
            content.push(quote);
        } else {
            return Some((content, at + 1));
        }
    }
    None
}
