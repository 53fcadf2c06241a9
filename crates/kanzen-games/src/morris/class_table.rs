//! The census in the layout of published tables.

use kanzen::{Bar, Census};

/// A row for each class: how many are won, lost and drawn, and the longest of each.
pub fn class_table(census: &Census) -> String {
    let mut csv = String::from("class,positions,wins,losses,draws,longest_win,longest_loss\n");
    for (label, tally) in &census.classes {
        let bars = tally.histogram();
        let longest = |count: fn(&Bar) -> u64| {
            bars.iter().rev().find(|bar| count(bar) > 0).map_or(String::new(), |bar| bar.distance.to_string())
        };
        csv += &format!(
            "{}-{},{},{},{},{},{},{}\n",
            label["white"],
            label["black"],
            tally.positions(),
            tally.wins(),
            tally.losses(),
            tally.draws(),
            longest(|bar| bar.wins),
            longest(|bar| bar.losses),
        );
    }
    csv
}
