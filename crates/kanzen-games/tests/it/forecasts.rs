//! Forecasts agree with the recorded runs in results/ and with the table of docs/forecasts.md.
//!
//! `KANZEN_WRITE=1 cargo test -p kanzen-games --test forecasts` rewrites the page; review the diff.

use std::path::Path;

use kanzen_core::human_bytes;
use kanzen_games::{catalogue, recorded};
use kanzen_solve::Recorded;

/// The most by which a forecast may exceed the record; it may never be lower.
const MOST_TIME: f64 = 1.5;
const MOST_BYTES: f64 = 1.1;

/// A forecast and the recorded cost.
struct Row {
    game: &'static str,
    forecast: [f64; 4],
    recorded: [f64; 4],
}

impl Row {
    fn of(game: &'static str, recorded: Recorded) -> Row {
        let forecast = catalogue::find(game).unwrap_or_else(|error| panic!("{game}: {error}")).forecast();
        let bytes = [forecast.memory_bytes, forecast.data_bytes, forecast.disk_bytes].map(|bytes| bytes as f64);
        let Recorded { seconds, memory_bytes, data_bytes, disk_bytes } = recorded;
        let recorded_bytes = [memory_bytes, data_bytes, disk_bytes].map(|bytes| bytes as f64);
        let with = |seconds, [memory, data, disk]: [f64; 3]| [seconds, memory, data, disk];
        Row { game, forecast: with(forecast.seconds, bytes), recorded: with(seconds, recorded_bytes) }
    }

    fn ratios(&self) -> [f64; 4] {
        std::array::from_fn(|at| self.forecast[at] / self.recorded[at])
    }

    fn line(&self) -> String {
        let cell = |at: usize| {
            let show = |number: f64| if at == 0 { time(number) } else { human_bytes(number as u64) };
            format!(" {} | {} |", show(self.forecast[at]), show(self.recorded[at]))
        };
        format!("| `{}` |{}\n", self.game, (0..4).map(cell).collect::<String>())
    }
}

fn time(seconds: f64) -> String {
    match seconds {
        short if short < 100.0 => format!("{short:.2} s"),
        long => format!("{:.1} min", long / 60.0),
    }
}

fn rows() -> Vec<Row> {
    recorded::all().map(|(game, recorded)| Row::of(game, recorded)).collect()
}

#[test]
fn forecasts_are_on_the_safe_side_of_what_was_recorded_and_not_far_from_it() {
    let rows = rows();
    assert!(rows.len() >= 30, "only {} recorded solves", rows.len());
    for row in &rows {
        let [time, bytes @ ..] = row.ratios();
        assert!((1.0..=MOST_TIME).contains(&time), "{}: {time} times the recorded time", row.game);
        for ratio in bytes {
            assert!((1.0..=MOST_BYTES).contains(&ratio), "{}: {:?} times what was recorded", row.game, row.ratios());
        }
    }
}

/// Solvers that forecast from sizes alone must be accurate too: games without a record have nothing else. (Seconds are
/// not checked, nor the few megabytes of the program itself.)
#[test]
fn solvers_know_their_memory_without_a_record() {
    for (game, recorded) in recorded::all() {
        if recorded.memory_bytes < 100_000_000 || game == "dobutsu" {
            continue;
        }
        let forecast = unrecorded(game);
        let ratio = forecast as f64 / recorded.memory_bytes as f64;
        assert!((1.0..1.25).contains(&ratio), "{game}: {ratio} times the recorded memory");
    }
}

/// The memory that a solver forecasts without a record.
fn unrecorded(game: &str) -> u64 {
    use kanzen_games::{morris, musashi, nocca, ostle, othello};
    use kanzen_solve::Solver;
    let numbers: Vec<u32> = game.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    let forecast = match game.split('-').next() {
        Some("morris") => morris::MorrisSolver::WHOLE.forecast(&morris::Morris::new(numbers[0]).unwrap()),
        Some("musashi") => {
            musashi::SetAtATime::default().forecast(&musashi::Musashi::new(numbers[0] as usize).unwrap())
        }
        Some("nocca") => nocca::Sweeps.forecast(&nocca::Nocca::new(numbers[0] as usize, numbers[1] as usize).unwrap()),
        Some("ostle") => ostle::ByBoards.forecast(&catalogue::ostle_named(game).unwrap()),
        _ => {
            let start = if game.ends_with("parallel") { othello::Start::Parallel } else { othello::Start::Cross };
            othello::BySearch.forecast(&othello::Othello::new(numbers[0], numbers[1], start).unwrap())
        }
    };
    forecast.memory_bytes
}

#[test]
fn the_page_of_forecasts_is_the_table_of_this_test() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/forecasts.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- forecasts -->\n", "<!-- /forecasts -->");
    let from = page.find(begin).expect("a place for the table") + begin.len();
    let to = page.find(end).expect("an end of the table");
    let mut table =
        "\n| game | time | recorded | memory | recorded | database | recorded | disk at most | recorded |\n\
                     |---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
            .to_owned();
    rows().iter().for_each(|row| table += &row.line());
    table += "\n";
    if std::env::var_os("KANZEN_WRITE").is_some() {
        std::fs::write(&path, format!("{}{table}{}", &page[..from], &page[to..])).unwrap();
        return;
    }
    assert!(page[from..to] == table, "docs/forecasts.md is not what this test makes: {table}");
}
