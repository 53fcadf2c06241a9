//! The census in readable and machine-readable form, and the positions furthest from the end of the game.

use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::{Oracle, positions_of_value};
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::{Bar, Census, Error, Tally, Value};

/// What `stats` returns.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stats {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// All positions, up to the symmetries of the published table.
    pub positions: u64,
    /// Positions the mover wins.
    pub wins: u64,
    /// Positions the mover loses.
    pub losses: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Wins and losses by distance.
    pub histogram: Vec<Bar>,
    /// Wins and losses that have no distance, where there are any.
    #[serde(skip_serializing_if = "Untimed::is_none")]
    pub untimed: Untimed,
    /// Positions by the mover's score, worst first, in games that have scores.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<ScoreBar>,
    /// How many slots the database has: some stay empty, and some positions share one or need none.
    pub stored: u64,
    /// What is known where not every position is: then the counts above are those of the stored line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weak: Option<Weak>,
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
    /// Drawn positions.
    pub draws: u64,
}

impl From<&Tally> for AllPositions {
    fn from(tally: &Tally) -> AllPositions {
        AllPositions { positions: tally.positions(), wins: tally.wins(), losses: tally.losses(), draws: tally.draws() }
    }
}

/// Wins and losses without a distance: forced, but not to an end (in Musashi, black only has to go on).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Untimed {
    /// Positions the mover wins.
    pub wins: u64,
    /// Positions the mover loses.
    pub losses: u64,
}

impl Untimed {
    fn of(tally: &Tally) -> Untimed {
        Untimed { wins: tally.of(Value::UNTIMED_WIN), losses: tally.of(Value::UNTIMED_LOSS) }
    }

    /// Whether there are none.
    pub fn is_none(&self) -> bool {
        *self == Untimed::default()
    }
}

/// How many positions have a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ScoreBar {
    /// The mover's score.
    pub score: i16,
    /// How many positions have it.
    pub positions: u64,
}

/// A solution of the start alone: its value and one line of best play. Other positions are searched when asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Weak {
    /// The plies of the stored line.
    pub line: u64,
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
    /// Drawn positions.
    pub draws: u64,
    /// Wins and losses by distance.
    pub histogram: Vec<Bar>,
    /// Wins and losses that have no distance, where there are any.
    #[serde(skip_serializing_if = "Untimed::is_none")]
    pub untimed: Untimed,
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
            untimed: Untimed::of(&total),
            scores: Vec::new(),
            stored: total.positions(),
            weak: None,
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
        csv + &format!(",{},{},{}\n", self.untimed.wins, self.untimed.losses, self.draws)
    }

    /// The same table for every game: a row for each class and distance, and one without a distance for draws and for
    /// wins and losses that have none. A game of one class has `all` there.
    pub fn plain_csv(&self) -> String {
        let mut csv = String::from("class,distance,wins,losses,draws\n");
        for StatsRow { class, distance, wins, losses, draws } in self.rows() {
            let distance = distance.map_or_else(String::new, |distance| distance.to_string());
            csv += &format!("{class},{distance},{wins},{losses},{draws}\n");
        }
        csv
    }

    /// The rows of that table.
    pub fn rows(&self) -> Vec<StatsRow> {
        let mut rows = Vec::new();
        if self.classes.is_empty() {
            push_rows(&mut rows, "all", &self.histogram, self.untimed, self.draws);
        }
        for class in &self.classes {
            push_rows(&mut rows, &class.name(), &class.histogram, class.untimed, class.draws);
        }
        rows
    }
}

/// A row of the plain table of [`Stats`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatsRow {
    /// The class in words and numbers, without commas; `all` in a game of one class.
    pub class: String,
    /// Plies to the end; nothing in the row of draws and of what has no distance.
    pub distance: Option<u16>,
    /// Positions the mover wins.
    pub wins: u64,
    /// Positions the mover loses.
    pub losses: u64,
    /// Positions that are drawn.
    pub draws: u64,
}

fn push_rows(rows: &mut Vec<StatsRow>, class: &str, histogram: &[Bar], untimed: Untimed, draws: u64) {
    let class = || class.to_owned();
    rows.extend(histogram.iter().map(|bar| StatsRow {
        class: class(),
        distance: Some(bar.distance),
        wins: bar.wins,
        losses: bar.losses,
        draws: 0,
    }));
    rows.push(StatsRow { class: class(), distance: None, wins: untimed.wins, losses: untimed.losses, draws });
}

impl ClassStats {
    /// The class in words and numbers, without commas: `white 5 black 4`.
    fn name(&self) -> String {
        let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let parts = self.class.iter().map(|(name, value)| format!("{name} {}", text(value)));
        parts.collect::<Vec<_>>().join(" ").replace([',', '"', '\n'], " ")
    }
}

fn class_stats(label: &Map<String, Json>, tally: &Tally) -> ClassStats {
    ClassStats {
        class: label.clone(),
        wins: tally.wins(),
        losses: tally.losses(),
        draws: tally.draws(),
        histogram: tally.histogram(),
        untimed: Untimed::of(tally),
    }
}

/// What `longest_games` returns: the longest wins and the longest losses, with their positions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LongestGames {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// The longest wins of the side to move.
    pub wins: Option<Longest>,
    /// The longest losses of the side to move.
    pub losses: Option<Longest>,
}

/// Positions of one long distance.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Longest {
    /// Plies to the end.
    pub distance: u16,
    /// How many positions have it.
    pub positions: u64,
    /// All of them, or the first ones if there are very many.
    pub examples: Vec<Example>,
}

/// A position worth showing.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Example {
    /// The position, as the game writes it.
    pub position: String,
    /// The side to move.
    pub to_move: String,
}

/// Finds the longest wins and the longest losses: all of them, or the first `limit` of each.
pub fn longest_games(id: &str, game: &dyn AnyGame, oracle: &dyn Oracle, limit: usize) -> Result<LongestGames, Error> {
    let histogram = oracle.contents()?.census.total().histogram();
    let far = |count: fn(&Bar) -> u64, value: fn(u16) -> Value| -> Result<Option<Longest>, Error> {
        let Some(bar) = histogram.iter().rev().find(|bar| count(bar) > 0) else { return Ok(None) };
        let found = positions_of_value(oracle, value(bar.distance), count(bar), limit)?.into_iter();
        let examples =
            found.map(|position| Example { position: game.show(position), to_move: game.to_move(position).to_owned() });
        Ok(Some(Longest { distance: bar.distance, positions: count(bar), examples: examples.collect() }))
    };
    Ok(LongestGames {
        game: id.to_owned(),
        wins: far(|bar| bar.wins, Value::win)?,
        losses: far(|bar| bar.losses, Value::loss)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(pairs: &[(&str, Json)]) -> Map<String, Json> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    #[test]
    fn one_table_serves_all_games() {
        let (mut black, mut brown) = (Tally::default(), Tally::default());
        black.add(Value::loss(0), 2);
        black.add(Value::UNTIMED_WIN, 5);
        brown.add(Value::win(1), 3);
        brown.add(Value::DRAW, 4);
        let classes = vec![
            (label(&[("brown", 7.into()), ("to_move", "black".into())]), black),
            (label(&[("brown", 8.into())]), brown),
        ];
        let stats = Stats::new("musashi", &Census { classes });
        assert_eq!(stats.untimed, Untimed { wins: 5, losses: 0 });
        let table = "class,distance,wins,losses,draws\n\
            brown 7 to_move black,0,0,2,0\nbrown 7 to_move black,,5,0,0\nbrown 8,1,3,0,0\nbrown 8,,0,0,4\n";
        assert_eq!(stats.plain_csv(), table);
        let total = |column: usize| -> u64 {
            table.lines().skip(1).map(|row| row.split(',').nth(column).unwrap().parse::<u64>().unwrap()).sum()
        };
        assert_eq!([total(2), total(3), total(4)], [stats.wins, stats.losses, stats.draws]);
    }
}
