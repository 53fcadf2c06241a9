//! Words, signs and lines of a text.

use super::problem::{Problem, Span};

/// The most bytes of a text.
pub const MAX_TEXT: usize = 1 << 16;
/// The most words and signs of a text.
pub const MAX_TOKENS: usize = 20_000;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// A word: anything without a space and without another sign.
    Word,
    /// `,`: and then.
    Comma,
    /// `:`
    Colon,
    /// `(`
    Open,
    /// `)`
    Close,
    /// The next line of the same declaration.
    Line,
}

/// A word or a sign, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    /// What it is.
    pub sign: Sign,
    /// As written; empty for [`Sign::Line`].
    pub text: &'a str,
    /// Where.
    pub span: Span,
}

/// A declaration: its keyword and what follows, up to the next line that is not indented.
#[derive(Clone, Debug)]
pub struct Declaration<'a> {
    /// The first word.
    pub keyword: Token<'a>,
    /// The words and signs after it.
    pub tokens: Vec<Token<'a>>,
    /// The first line after the keyword, for declarations of free text.
    pub line: &'a str,
    /// Where that line stands.
    pub line_span: Span,
    /// Where the declaration ends.
    pub end: Span,
}

/// Cuts a text into declarations.
///
/// # Errors
/// Too long a text, an indented line before the first declaration, or a line that does not start with a word.
pub fn declarations(text: &str) -> Result<Vec<Declaration<'_>>, Problem> {
    if text.len() > MAX_TEXT {
        let message = format!("the text has {} bytes, at most {MAX_TEXT} are possible", text.len());
        return Err(Problem::error(Span::default(), message));
    }
    let mut found: Vec<Declaration<'_>> = Vec::new();
    let (mut start, mut count) = (0, 0);
    for line in text.split_inclusive('\n') {
        let first = start;
        start += line.len();
        let line = line.split('#').next().unwrap_or("").trim_end();
        let indent = line.len() - line.trim_start().len();
        let mut tokens = tokens_of(line, first);
        count += tokens.len();
        if count > MAX_TOKENS {
            let span = Span { start: first, end: first + line.len() };
            return Err(Problem::error(span, format!("the text has more than {MAX_TOKENS} words and signs")));
        }
        let Some(head) = tokens.first().copied() else { continue };
        let end = tokens.last().map_or(head.span, |last| last.span);
        match found.last_mut() {
            Some(open) if indent > 0 => {
                let sign =
                    Token { sign: Sign::Line, text: "", span: Span { start: head.span.start, end: head.span.start } };
                open.tokens.push(sign);
                open.tokens.append(&mut tokens);
                open.end = end;
            }
            None if indent > 0 => {
                let problem =
                    Problem::error(head.span, "an indented line continues a declaration, and there is none yet");
                return Err(problem.expecting("`game` and a title"));
            }
            _ if head.sign != Sign::Word => {
                return Err(Problem::error(head.span, "a line starts with a word").expecting("a word such as `turn`"));
            }
            _ => {
                let rest = line[head.span.end - first..].trim_start();
                let line_span = Span { start: first + line.len() - rest.len(), end: first + line.len() };
                found.push(Declaration { keyword: head, tokens: tokens.split_off(1), line: rest, line_span, end });
            }
        }
    }
    Ok(found)
}

fn tokens_of(line: &str, first: usize) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut word: Option<usize> = None;
    let ends = line.char_indices().chain([(line.len(), ' ')]);
    for (at, letter) in ends {
        let sign = match letter {
            ',' => Some(Sign::Comma),
            ':' => Some(Sign::Colon),
            '(' => Some(Sign::Open),
            ')' => Some(Sign::Close),
            letter if letter.is_whitespace() => None,
            _ => {
                word.get_or_insert(at);
                continue;
            }
        };
        if let Some(start) = word.take() {
            let span = Span { start: first + start, end: first + at };
            tokens.push(Token { sign: Sign::Word, text: &line[start..at], span });
        }
        if let Some(sign) = sign {
            let span = Span { start: first + at, end: first + at + 1 };
            tokens.push(Token { sign, text: &line[at..=at], span });
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_indented_line_continues_a_declaration() {
        let text = "game A b # c\nturn x, y\n     z (w): v\n\nwin  u";
        let found = declarations(text).unwrap();
        let words = |n: usize| found[n].tokens.iter().map(|token| token.text).collect::<Vec<_>>();
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].line, "A b");
        assert_eq!(words(1), ["x", ",", "y", "", "z", "(", "w", ")", ":", "v"]);
        assert_eq!(&text[found[2].tokens[0].span.start..], "u");
    }

    #[test]
    fn what_is_no_declaration_is_an_error() {
        assert!(declarations("  turn x").is_err());
        assert!(declarations(", x").is_err());
        assert!(declarations(&"x ".repeat(MAX_TOKENS + 1)).is_err());
        assert!(declarations(&"#".repeat(MAX_TEXT + 1)).is_err());
    }
}
