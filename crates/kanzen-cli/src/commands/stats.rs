//! `kanzen stats`: prints the census of a database.

use kanzen::Outcome;
use kanzen::catalogue::Verdict;
use kanzen::progress::Silent;
use kanzen_query as query;

use crate::args::GameArg;
use crate::exit::Ending;
use crate::open_game::open_entry;
use crate::output::{Cell, Lean, Paint, Table, Tone};
use crate::settings::Settings;
use crate::words;

const EXAMPLES: &str = "\
Positions are counted up to the symmetries of the published table, where there is one. --csv has the
layout of that table; --csv=plain is the same table for all games, with a row for each class and
distance: class, distance, wins, losses, draws.

Examples:
  kanzen stats nocca-3x4
  kanzen stats nocca-3x4 --csv > nocca-3x4.csv
  kanzen stats tictactoe --csv=plain
  kanzen stats tictactoe --json | jq '.draws'";

/// Count wins, losses and draws by distance
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Stats {
    #[command(flatten)]
    game: GameArg,

    /// Comma-separated values, in the layout of the published table or in one for all games
    #[arg(
        long,
        value_name = "LAYOUT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "published",
        conflicts_with = "json"
    )]
    csv: Option<Layout>,

    /// List the positions furthest from the end instead: all, or the first hundred
    #[arg(long, conflicts_with = "csv")]
    longest: bool,
}

/// How a table is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Layout {
    /// As the published table; without one, a row for each distance.
    Published,
    /// The same for all games: class, distance, wins, losses, draws.
    Plain,
}

/// Positions of the longest wins that are listed, and of the longest losses.
const LISTED: usize = 100;

impl Stats {
    /// Prints the census.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let entry = self.game.entry(settings)?;
        let game = entry.info().id.as_str();
        let solved = open_entry(&entry, settings)?;
        if self.longest {
            let longest = solved.longest_games(LISTED, &Silent)?;
            match settings.json {
                true => settings.output.json(&longest)?,
                false => settings.output.print(furthest(&longest, settings.output.paint))?,
            }
            return Ok(Ending::Done);
        }
        if settings.json {
            settings.output.json(&solved.stats()?)?;
            return Ok(Ending::Done);
        }
        let Some(layout) = self.csv else {
            let stats = solved.stats()?;
            let text = match stats.weak {
                Some(weak) => start_alone(&stats, weak, solved.verdict()?, settings.output.paint),
                None => render(&stats, settings.output.paint),
            };
            settings.output.print(text)?;
            return Ok(Ending::Done);
        };
        let stats = solved.stats()?;
        anyhow::ensure!(stats.weak.is_none(), "{game} is solved from its start only: there is no census");
        settings.output.print(match layout {
            Layout::Published => solved.csv(&Silent)?,
            Layout::Plain => stats.plain_csv(),
        })?;
        Ok(Ending::Done)
    }
}

/// What is known where not every position is solved: no census.
fn start_alone(stats: &query::Stats, weak: query::Weak, initial: Verdict, paint: Paint) -> String {
    let value = words::value(initial.value, initial.distance, initial.score);
    let value = paint.text(Tone::Of(initial.value), &value);
    let (game, line) = (paint.text(Tone::Bold, &stats.game), words::counted(weak.line, "move"));
    format!(
        "{game}  solved from its start only: {value}\n\n  The database has the start's value and a line of best play, \
         {line}.\n  There is no census; any other position is searched for when it is asked about.\n"
    )
}

fn render(stats: &query::Stats, paint: Paint) -> String {
    let positions = words::counted(stats.positions, "position");
    let mut text = format!("{}  {positions} up to symmetry\n\n", paint.text(Tone::Bold, &stats.game));
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
    text += &format!("\n{}", other_counts(stats));
    if !stats.scores.is_empty() {
        text += &format!("\n{}", scores(stats).show(paint));
    } else if !stats.histogram.is_empty() || !stats.untimed.is_none() {
        text += &format!("\n{}", distances(stats).show(paint));
    }
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

/// The other kinds of positions, each by its name.
fn other_counts(stats: &query::Stats) -> String {
    let mut text = String::new();
    if let Some(all) = &stats.all_positions {
        let positions = words::counted(all.positions, "position");
        let [wins, losses, draws] = [all.wins, all.losses, all.draws].map(words::count);
        text +=
            &format!("  {positions}, mirror images and colours apart: {wins} wins, {losses} losses, {draws} draws\n");
    }
    text + &format!("  {} in the database\n", words::counted(stats.stored, "slot"))
}

fn scores(stats: &query::Stats) -> Table {
    let mut table = Table::new([("score", Lean::Right), ("positions", Lean::Right)]);
    for bar in &stats.scores {
        let score = if bar.score > 0 { format!("+{}", bar.score) } else { bar.score.to_string() };
        table.row([score.into(), words::count(bar.positions).into()]);
    }
    table
}

fn distances(stats: &query::Stats) -> Table {
    let mut table = Table::new([("distance", Lean::Right), ("wins", Lean::Right), ("losses", Lean::Right)]);
    for bar in &stats.histogram {
        table.row([bar.distance.to_string().into(), words::count(bar.wins).into(), words::count(bar.losses).into()]);
    }
    if !stats.untimed.is_none() {
        let [wins, losses] = [stats.untimed.wins, stats.untimed.losses].map(words::count);
        table.row(["none".into(), wins.into(), losses.into()]);
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
        let longest = class.histogram.iter().map(|bar| bar.distance).max();
        table.row([
            words::class(&class.class).into(),
            words::count(class.wins).into(),
            words::count(class.losses).into(),
            words::count(class.draws).into(),
            longest.map_or("-".to_owned(), |distance| distance.to_string()).into(),
        ]);
    }
    table
}
