//! Selects how the computer plays: its style or its level.

use kanzen::Error;
use kanzen::catalogue::Solved;
use kanzen_query::{Level, Model, Player, ProbedMove, Style};

/// The options that choose an opponent.
#[derive(clap::Args)]
pub struct Opponent {
    /// How the computer chooses among moves that give nothing away: solid, uniform, trap or patient
    #[arg(long, value_name = "STYLE", conflicts_with = "level")]
    style: Option<Style>,

    /// How well the computer plays, from 1 (a beginner) to 8 (perfect)
    #[arg(long, value_name = "N")]
    level: Option<Level>,

    /// In lost positions the computer loses as slowly as possible before anything else
    #[arg(long)]
    delay: bool,

    /// What the lots are drawn from [default: the clock]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

/// The computer as an opponent.
pub struct Computer {
    player: Player,
    level: Option<Level>,
    named: bool,
    seed: u64,
}

impl Opponent {
    /// The computer that these options ask for.
    pub fn computer(&self) -> Computer {
        let level = self.level.map(Level::player);
        let player = match level.unwrap_or(Player::of(self.style.unwrap_or(Style::Solid))) {
            Player::Style { style, .. } => Player::Style { style, delay: self.delay },
            model => model,
        };
        let clock = || std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos() as u64);
        let named = self.style.is_some() || self.level.is_some();
        Computer { player, level: self.level, named, seed: self.seed.unwrap_or_else(clock) }
    }
}

impl Computer {
    /// Describes the opponent, if the options select one.
    pub fn introduction(&self) -> Option<String> {
        let level = self.level.map_or(String::new(), |level| format!(" is at level {}: it", level.number()));
        self.named.then(|| format!("The computer{level} {}.\n", does(self.player)))
    }

    /// Whether it takes the first of the best moves, wherever these have an order.
    pub fn takes_the_first(&self) -> bool {
        matches!(self.player, Player::Style { style: Style::Solid, .. })
    }

    /// Its move, in a game that has been through these positions; the last is the one now.
    pub fn reply(&self, solved: &Solved, positions: &[&str]) -> Result<Option<ProbedMove>, Error> {
        let Some((now, before)) = positions.split_last() else { return Ok(None) };
        // Another seed for each ply, and the same again after `undo`.
        let seed = self.seed.wrapping_add(before.len() as u64);
        Ok(solved.at(Some(now))?.reply(self.player, before, seed)?.reply)
    }
}

/// What a player does.
fn does(player: Player) -> String {
    match player {
        Player::Model(Model::Random) => "plays any move".to_owned(),
        Player::Model(Model::Reads(1)) => "takes a win at once and sees nothing else".to_owned(),
        Player::Model(Model::Reads(plies)) => format!("sees an end of the game at most {plies} plies away"),
        Player::Model(Model::Errs(share)) => {
            format!("plays any move in {}% of its turns, else perfectly", (100.0 * share).round())
        }
        Player::Model(Model::Haworth(power)) => format!("plays better moves more often, by the power {power}"),
        Player::Model(Model::Perfect) => "plays perfectly".to_owned(),
        Player::Style { style, .. } => match style {
            Style::Solid => "plays the first of the best moves",
            Style::Uniform => "plays any of the best moves",
            Style::Trap => "gives nothing away and plays where you can go wrong",
            Style::Patient => "gives nothing away and keeps its pieces",
        }
        .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_describes_each_level() {
        for level in Level::all() {
            let line = format!("  {}  {}\n", level.number(), does(level.player()));
            assert!(super::super::EXAMPLES.contains(&line), "{line}");
        }
    }

    #[test]
    fn a_default_opponent_is_not_introduced() {
        let opponent = |level: Option<&str>| {
            let level = level.map(|level| level.parse().unwrap());
            Opponent { style: None, level, delay: false, seed: Some(1) }.computer().introduction()
        };
        assert_eq!(opponent(None), None);
        let known = "The computer is at level 3: it sees an end of the game at most 2 plies away.\n";
        assert_eq!(opponent(Some("3")).as_deref(), Some(known));
    }
}
