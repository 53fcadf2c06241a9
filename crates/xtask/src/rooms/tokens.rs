//! A Rust source as words and signs; comments and literals are left out.

/// A word (an identifier, a keyword, a number), `::`, or a single sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    pub text: &'a str,
    /// Counted from 1.
    pub line: usize,
}

/// All tokens of a source, in their order.
pub fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut reader = Reader { rest: source, line: 1, tokens: Vec::new() };
    while !reader.rest.is_empty() {
        reader.next();
    }
    reader.tokens
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    tokens: Vec<Token<'a>>,
}

impl<'a> Reader<'a> {
    /// Steps over so many bytes.
    fn skip(&mut self, bytes: usize) -> &'a str {
        let (passed, rest) = self.rest.split_at(bytes);
        self.line += passed.matches('\n').count();
        self.rest = rest;
        passed
    }

    /// Steps over everything up to the end of `mark`.
    fn skip_past(&mut self, mark: &str) {
        self.skip(self.rest.find(mark).map_or(self.rest.len(), |start| start + mark.len()));
    }

    fn token(&mut self, bytes: usize) {
        let line = self.line;
        let text = self.skip(bytes);
        self.tokens.push(Token { text, line });
    }

    fn next(&mut self) {
        let word = self.rest.find(|letter| !is_word(letter)).unwrap_or(self.rest.len());
        let first = self.rest.chars().next().map_or(1, char::len_utf8);
        match &self.rest[word..] {
            // A literal's prefix: b"..", r"..", br#".."#, c"..".
            after if word > 0 && is_prefix(&self.rest[..word]) && is_string(after) => {
                let prefix = self.skip(word);
                if prefix.contains('r') { self.raw_string() } else { self.string() }
            }
            _ if word > 0 => self.token(word),
            rest if rest.starts_with("//") => self.skip_past("\n"),
            rest if rest.starts_with("/*") => self.comment(),
            rest if rest.starts_with('"') => self.string(),
            rest if rest.starts_with('\'') => self.quote(),
            rest if rest.starts_with("::") => self.token(2),
            rest if rest.starts_with(char::is_whitespace) => {
                self.skip(first);
            }
            _ => self.token(first),
        }
    }

    /// Steps over a comment, which may hold others.
    fn comment(&mut self) {
        let mut depth = 0;
        loop {
            let step = match self.rest.get(..2) {
                Some("/*") => 1,
                Some("*/") => -1,
                _ => 0,
            };
            depth += step;
            let letter = self.rest.chars().next().map_or(0, char::len_utf8);
            self.skip(if step == 0 { letter } else { 2 });
            if depth == 0 || self.rest.is_empty() {
                return;
            }
        }
    }

    /// Steps over a string in which nothing is escaped: `"..."` or `#"..."#`.
    fn raw_string(&mut self) {
        let hashes = self.rest.len() - self.rest.trim_start_matches('#').len();
        self.skip(hashes + 1);
        self.skip_past(&format!("\"{}", "#".repeat(hashes)));
    }

    /// Steps over a string in which `\` escapes the letter after it.
    fn string(&mut self) {
        self.skip(1);
        while let Some(at) = self.rest.find(['"', '\\']) {
            if self.rest[at..].starts_with('"') {
                self.skip(at + 1);
                return;
            }
            let escaped = self.rest[at + 1..].chars().next().map_or(0, char::len_utf8);
            self.skip(at + 1 + escaped);
        }
        self.skip(self.rest.len());
    }

    /// Steps over a letter in quotes, or over the name of a lifetime.
    fn quote(&mut self) {
        let mut letters = self.rest[1..].chars();
        let (first, second) = (letters.next(), letters.next());
        match first {
            Some('\\') => {
                // The quote itself may be what is escaped: the closing one comes after it.
                self.skip(2 + second.map_or(0, char::len_utf8));
                self.skip_past("'");
            }
            Some(letter) if second == Some('\'') => {
                self.skip(2 + letter.len_utf8());
            }
            _ => {
                let name = self.rest[1..].find(|letter| !is_word(letter)).unwrap_or(self.rest.len() - 1);
                self.skip(1 + name);
            }
        }
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn is_prefix(word: &str) -> bool {
    matches!(word, "b" | "r" | "br" | "c" | "cr")
}

fn is_string(text: &str) -> bool {
    text.trim_start_matches('#').starts_with('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        tokens(source).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn words_and_signs() {
        assert_eq!(texts("use a::b_2;x!=1"), ["use", "a", "::", "b_2", ";", "x", "!", "=", "1"]);
    }

    #[test]
    fn comments_and_strings_are_left_out() {
        assert_eq!(texts("a // use b\n/* c /* d */ e */ f"), ["a", "f"]);
        assert_eq!(texts(r##"a "b \" c" d r"e\" f r#"g " h"# i b"j" k"##), ["a", "d", "f", "i", "k"]);
    }

    #[test]
    fn letters_in_quotes_and_lifetimes_are_left_out() {
        assert_eq!(texts(r"a 'b' c '\'' d '\u{3042}' e '{' f"), ["a", "c", "d", "e", "f"]);
        assert_eq!(texts("&'a str, 'あ' b: 'static"), ["&", "str", ",", "b", ":"]);
    }

    #[test]
    fn lines_are_counted_through_everything() {
        let lines = tokens("a /*\n*/ b \"\n\n\" c\n'\\n' d").into_iter().map(|token| (token.text, token.line));
        assert_eq!(Vec::from_iter(lines), [("a", 1), ("b", 2), ("c", 4), ("d", 5)]);
    }

    #[test]
    fn what_is_not_closed_ends_with_the_file() {
        for source in ["a \"b", "a /* b", "a 'b", "a '", "a r#\"b\"", "a '\\"] {
            assert_eq!(texts(source), ["a"], "{source}");
        }
    }
}
