//! Styles of perfect play.

use std::fmt;
use std::str::FromStr;

use kanzen_core::vocabulary::Error;

/// How a perfect player chooses among the moves that keep the value.
///
/// ```
/// use kanzen_query::Style;
/// assert_eq!("trap".parse::<Style>()?, Style::Trap);
/// let refused = "sly".parse::<Style>().unwrap_err();
/// assert_eq!(refused.to_string(), "\"sly\" is no style: there are solid, uniform, trap and patient");
/// # Ok::<(), kanzen_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// The first of the best.
    Solid,
    /// Any of the best, by lot.
    Uniform,
    /// One after which the largest share of the replies slips.
    Trap,
    /// One after which the opponent cannot help that we have most material.
    Patient,
}

impl Style {
    /// All styles, in the order in which they are offered.
    pub const ALL: [Style; 4] = [Style::Solid, Style::Uniform, Style::Trap, Style::Patient];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Style::Solid => "solid",
            Style::Uniform => "uniform",
            Style::Trap => "trap",
            Style::Patient => "patient",
        }
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Style {
    type Err = Error;

    fn from_str(text: &str) -> Result<Style, Error> {
        let reason = "there are solid, uniform, trap and patient";
        let found = Style::ALL.into_iter().find(|style| style.name() == text);
        found.ok_or_else(|| Error::BadPlayer { text: text.to_owned(), what: "style", reason })
    }
}
