//! The census as people and programs read it.

use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::vocabulary::{Bar, Census, Tally};

/// What `stats` tells.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stats {
    /// The game.
    pub game: String,
    /// All positions, up to the symmetries of the published table.
    pub positions: u64,
    /// Positions the mover wins.
    pub wins: u64,
    /// Positions the mover loses.
    pub losses: u64,
    /// Draws.
    pub draws: u64,
    /// Wins and losses by distance.
    pub histogram: Vec<Bar>,
    /// All positions, mirror images and colours apart, where published counts are of those.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_positions: Option<AllPositions>,
    /// The same for each class, where there is more than one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<ClassStats>,
}

/// Positions counted without regard to symmetries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct AllPositions {
    /// How many there are.
    pub positions: u64,
    /// Positions the mover wins.
    pub wins: u64,
    /// Positions the mover loses.
    pub losses: u64,
    /// Draws.
    pub draws: u64,
}

impl From<&Tally> for AllPositions {
    fn from(tally: &Tally) -> AllPositions {
        AllPositions { positions: tally.positions(), wins: tally.wins(), losses: tally.losses(), draws: tally.draws() }
    }
}

/// One class of [`Stats`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ClassStats {
    /// What the class is: `{"white": 5, "black": 4}`.
    pub class: Map<String, Json>,
    /// Positions the mover wins.
    pub wins: u64,
    /// Positions the mover loses.
    pub losses: u64,
    /// Draws.
    pub draws: u64,
    /// Wins and losses by distance.
    pub histogram: Vec<Bar>,
}

impl Stats {
    /// The census of a game.
    pub fn new(id: &str, census: &Census) -> Stats {
        let total = census.total();
        let classes = census.classes.iter().map(|(label, tally)| class_stats(label, tally));
        Stats {
            game: id.to_owned(),
            positions: total.positions(),
            wins: total.wins(),
            losses: total.losses(),
            draws: total.draws(),
            histogram: total.histogram(),
            all_positions: None,
            classes: if census.classes.len() > 1 { classes.collect() } else { Vec::new() },
        }
    }

    /// The plain table: a row per distance, and one for draws.
    pub fn csv(&self) -> String {
        let mut csv = String::from("distance,wins,losses,draws\n");
        for bar in &self.histogram {
            csv += &format!("{},{},{},\n", bar.distance, bar.wins, bar.losses);
        }
        let timed_wins: u64 = self.histogram.iter().map(|bar| bar.wins).sum();
        let timed_losses: u64 = self.histogram.iter().map(|bar| bar.losses).sum();
        csv + &format!(",{},{},{}\n", self.wins - timed_wins, self.losses - timed_losses, self.draws)
    }
}

fn class_stats(label: &Map<String, Json>, tally: &Tally) -> ClassStats {
    ClassStats {
        class: label.clone(),
        wins: tally.wins(),
        losses: tally.losses(),
        draws: tally.draws(),
        histogram: tally.histogram(),
    }
}
