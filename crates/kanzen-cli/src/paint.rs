//! Colours text on a terminal, unless `NO_COLOR` is set.

use kanzen::Outcome;

/// How a piece of text is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tone {
    /// As the rest.
    #[default]
    Plain,
    /// Headings.
    Bold,
    /// What matters less.
    Faint,
    /// A value for the side to move.
    Of(Outcome),
}

/// Paints text, or leaves it alone.
#[derive(Clone, Copy)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// Colours if standard output is a terminal and `NO_COLOR` is not set.
    pub fn wanted(terminal: bool) -> Paint {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Paint { on: terminal && !refused && !dumb }
    }

    /// Whether there are colours.
    pub fn is_on(self) -> bool {
        self.on
    }

    /// The text in its tone.
    pub fn text(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Plain => return text.to_owned(),
            Tone::Bold => 1,
            Tone::Faint => 2,
            Tone::Of(Outcome::Win) => 32,
            Tone::Of(Outcome::Loss) => 31,
            Tone::Of(Outcome::Draw) => 33,
        };
        if self.on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_only_where_they_are_on() {
        let tone = Tone::Of(Outcome::Win);
        assert_eq!(Paint { on: false }.text(tone, "win"), "win");
        assert_eq!(Paint { on: true }.text(tone, "win"), "\x1b[32mwin\x1b[0m");
        assert_eq!(Paint { on: true }.text(Tone::Plain, "a"), "a");
        assert!(!Paint::wanted(false).on);
    }
}
