//! `kanzen stats`: the census.

use kanzen::{Outcome, query};

use crate::exit::Ending;
use crate::naming::Naming;
use crate::open_game::open_game;
use crate::paint::{Paint, Tone};
use crate::settings::Settings;
use crate::table::{Cell, Lean, Table};
use crate::words;

const EXAMPLES: &str = "\
Positions are counted up to the symmetries of the published table, where there is one.

Examples:
  kanzen stats nocca-3x4
  kanzen stats nocca-3x4 --csv > nocca-3x4.csv
  kanzen stats tictactoe --json | jq '.draws'";

/// Count wins, losses and draws by distance
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Stats<N: Naming> {
    #[command(flatten)]
    game: N,

    /// Comma-separated values, in the layout of the published table
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// List the positions furthest from the end instead: all, or the first hundred
    #[arg(long, conflicts_with = "csv")]
    longest: bool,
}

/// Positions of the longest wins that are listed, and of the longest losses.
const LISTED: usize = 100;

impl<N: Naming> Stats<N> {
    /// Prints the census.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let game = self.game.id()?;
        let solved = open_game(&game, settings)?;
        if self.longest {
            let longest = solved.longest_games(LISTED)?;
            match settings.json {
                true => settings.output.json(&longest)?,
                false => settings.output.print(furthest(&longest, settings.output.paint))?,
            }
        } else if self.csv {
            settings.output.print(solved.csv()?)?;
        } else if settings.json {
            settings.output.json(&solved.stats()?)?;
        } else {
            settings.output.print(render(&solved.stats()?, settings.output.paint))?;
        }
        Ok(Ending::Done)
    }
}

fn render(stats: &query::Stats, paint: Paint) -> String {
    let positions = words::counted(stats.positions, "position");
    let mut text = format!("{}  {positions}\n\n", paint.text(Tone::Bold, &stats.game));
    let mut values = Table::new([("value", Lean::Left), ("positions", Lean::Right), ("share", Lean::Right)]);
    let outcomes = [
        (Outcome::Win, "wins", stats.wins),
        (Outcome::Loss, "losses", stats.losses),
        (Outcome::Draw, "draws", stats.draws),
    ];
    for (outcome, name, count) in outcomes {
        let share = words::percent(count, stats.positions);
        values.row([Cell::toned(Tone::Of(outcome), name), words::count(count).into(), share.into()]);
    }
    text += &values.show(paint);
    text += &format!("\n{}", distances(stats).show(paint));
    if !stats.classes.is_empty() {
        text += &format!("\n{}", classes(stats).show(paint));
    }
    text
}

/// The positions furthest from the end.
fn furthest(longest: &query::LongestGames, paint: Paint) -> String {
    let mut text = format!("{}\n", paint.text(Tone::Bold, &longest.game));
    for (name, part) in [("wins", &longest.wins), ("losses", &longest.losses)] {
        let Some(part) = part else { continue };
        let positions = words::counted(part.positions, "position");
        text += &format!("\n  longest {name}: {} plies, {positions}\n\n", part.distance);
        part.examples.iter().for_each(|example| text += &format!("  {}\n", example.position));
        if part.positions > part.examples.len() as u64 {
            let more = part.positions - part.examples.len() as u64;
            text += &format!("  and {} more: find them with distance = {}\n", words::count(more), part.distance);
        }
    }
    text
}

fn distances(stats: &query::Stats) -> Table {
    let mut table = Table::new([("distance", Lean::Right), ("wins", Lean::Right), ("losses", Lean::Right)]);
    for bar in &stats.histogram {
        table.row([bar.distance.to_string().into(), words::count(bar.wins).into(), words::count(bar.losses).into()]);
    }
    table
}

fn classes(stats: &query::Stats) -> Table {
    let mut table = Table::new([
        ("class", Lean::Left),
        ("wins", Lean::Right),
        ("losses", Lean::Right),
        ("draws", Lean::Right),
        ("longest", Lean::Right),
    ]);
    for class in &stats.classes {
        let label = class.class.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ");
        let longest = class.histogram.iter().map(|bar| bar.distance).max();
        table.row([
            label.into(),
            words::count(class.wins).into(),
            words::count(class.losses).into(),
            words::count(class.draws).into(),
            longest.map_or("-".to_owned(), |distance| distance.to_string()).into(),
        ]);
    }
    table
}
