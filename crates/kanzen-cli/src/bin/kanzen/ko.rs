//! Ostle's ko rule, which commands take beside the name of the game.

use kanzen_cli::Naming;

/// A game on the command line.
#[derive(clap::Args)]
pub struct NameWithKo {
    /// The game, as `kanzen games` names it
    #[arg(value_name = "GAME")]
    name: String,

    /// What may not come back in Ostle: the very board of two plies before, as the rules are printed, or a mirrored or
    /// rotated copy of it either, as in the published tables [default: literal]
    #[arg(long, value_name = "RULE")]
    ko: Option<Ko>,
}

/// The two readings of Ostle's ko rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Ko {
    Literal,
    Symmetric,
}

impl Naming for NameWithKo {
    /// The name in the catalogue: the symmetric rule makes another game of Ostle.
    fn id(&self) -> anyhow::Result<String> {
        let is_ostle = self.name == "ostle" || self.name.starts_with("ostle-");
        anyhow::ensure!(is_ostle || self.ko.is_none(), "--ko is a rule of ostle: {} has none", self.name);
        let symmetric = self.name.ends_with("-symmetric");
        Ok(match self.ko {
            Some(Ko::Symmetric) if !symmetric => format!("{}-symmetric", self.name),
            Some(Ko::Literal) if symmetric => anyhow::bail!("{} has the symmetric ko rule by its name", self.name),
            _ => self.name.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ko_rule_is_part_of_the_name() {
        let id = |name: &str, ko| NameWithKo { name: name.to_owned(), ko }.id().map_err(|refusal| refusal.to_string());
        assert_eq!(id("ostle-8", None).as_deref(), Ok("ostle-8"));
        assert_eq!(id("ostle-8", Some(Ko::Literal)).as_deref(), Ok("ostle-8"));
        assert_eq!(id("ostle", Some(Ko::Symmetric)).as_deref(), Ok("ostle-symmetric"));
        assert_eq!(id("ostle-symmetric", Some(Ko::Symmetric)).as_deref(), Ok("ostle-symmetric"));
        assert_eq!(
            id("ostle-symmetric", Some(Ko::Literal)).unwrap_err(),
            "ostle-symmetric has the symmetric ko rule by its name"
        );
        assert_eq!(id("tictactoe", Some(Ko::Literal)).unwrap_err(), "--ko is a rule of ostle: tictactoe has none");
    }
}
