//! `kanzen solve`: solves a game and writes its database.

use kanzen::Forecast;
#[cfg(feature = "cluster")]
use kanzen::catalogue::Entry;
use kanzen::catalogue::{Run, SolveReport};
use kanzen_core::human_bytes;

use crate::args::GameArg;
#[cfg(feature = "cluster")]
use crate::cluster::{Cluster, Team};
use crate::exit::Ending;
use crate::output::Tone;
use crate::progress::Progress;
use crate::settings::Settings;
use crate::signals::{self, Manner};
use crate::words;

const EXAMPLES: &str = "\
Interrupted by Ctrl-C, SIGTERM, a kill or a power cut, the same command goes on from the last
checkpoint, and the database has the same bytes at the end. Ctrl-C and SIGTERM write a checkpoint
first, if that takes no more than some seconds; the exit status is then 130. A second Ctrl-C, a
second or more after the first, ends at once.

Examples:
  kanzen solve nocca-3x4
  kanzen solve nocca-3x4 --threads 2 --memory 4GB --data /big/disk
  kanzen solve tictactoe --json
  kanzen solve othello-8x8 --yes    although it is expected to take more than a day";

/// Solve a game and write its database
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Solve {
    #[command(flatten)]
    game: GameArg,

    /// Start even if the solve is expected to take more than a day
    #[arg(long)]
    yes: bool,

    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: Cluster,
}

/// What takes longer is not begun by mistake.
const A_DAY: f64 = 86_400.0;
/// What takes less is over before its forecast is read.
const WORTH_PRINTING: f64 = 5.0;

impl Solve {
    /// Solves the game, or goes on where it stopped, and prints the report.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let entry = self.game.entry(settings)?;
        let game = entry.info().id.as_str();
        let before = entry.is_solved(&settings.data);
        // No forecast is known for a new game with too many positions to count quickly: it starts without a line.
        let forecast = (!before).then(|| entry.forecast().here(settings.budget.threads)).filter(Forecast::is_known);
        if let Some(forecast) = forecast.filter(|forecast| forecast.seconds > A_DAY && !self.yes) {
            let time = words::time(forecast.seconds);
            anyhow::bail!("{game} is expected to take {time} on this machine: pass --yes to start anyway");
        }
        signals::watch(settings.program.name, Manner::Resumes);
        #[cfg(feature = "cluster")]
        if let Some(team) = self.cluster.join("solve", &entry, settings)? {
            return match solve_together(game, &entry, team, settings)? {
                Some(report) => print_report(&report, before, settings),
                None => Ok(Ending::Done),
            };
        }
        let report = {
            let progress = Progress::new(game, settings.quiet);
            if let Some(forecast) = forecast.filter(|forecast| forecast.seconds >= WORTH_PRINTING) {
                // Printed only after the memory check.
                forecast.check_memory(game, entry.least_memory(), &settings.budget)?;
                progress.note(&expectation(game, &forecast, settings));
            }
            let run = Run { budget: settings.budget, checkpoint_every: settings.checkpoint_every, observer: &progress };
            entry.solve(&settings.data, &run)?
        };
        print_report(&report, before, settings)
    }
}

fn print_report(report: &SolveReport, before: bool, settings: &Settings) -> anyhow::Result<Ending> {
    if settings.json {
        settings.output.json(report)?;
    } else {
        settings.output.print(render(report, before, settings))?;
    }
    Ok(Ending::Done)
}

/// Solves the game with other processes; the first of them has a report.
#[cfg(feature = "cluster")]
fn solve_together(game: &str, entry: &Entry, team: Team, settings: &Settings) -> anyhow::Result<Option<SolveReport>> {
    let report = {
        let progress = team.progress(game, settings);
        let run = Run { budget: team.budget, checkpoint_every: settings.checkpoint_every, observer: &progress };
        let report = entry.solve_together(&settings.data, &run, team.mesh());
        if let (Ok(Some(_)), true) = (&report, team.is_first()) {
            let processes = words::counted(team.mesh().peers() as u64, "process");
            let posted = human_bytes(team.mesh().posted_bytes());
            progress.note(&format!("{game}: {processes}, {posted} sent by this one"));
        }
        report
    };
    Ok(team.conclude(report)?)
}

/// What the solve will take, in a sentence.
fn expectation(game: &str, forecast: &Forecast, settings: &Settings) -> String {
    let threads = words::counted(settings.budget.threads as u64, "thread");
    format!(
        "{game}: about {} on {threads}, {} of memory, {} of disk and {} in the end",
        words::time(forecast.seconds),
        human_bytes(forecast.memory_bytes),
        human_bytes(forecast.disk_bytes),
        human_bytes(forecast.data_bytes),
    )
}

fn render(report: &SolveReport, before: bool, settings: &Settings) -> String {
    let paint = settings.output.paint;
    let initial = &report.initial;
    let initial_value = words::value(initial.value, initial.distance, initial.score);
    let threads = words::counted(report.threads as u64, "thread");
    let how = if before { "solved before".to_owned() } else { format!("{} on {threads}", words::time(report.seconds)) };
    let part = |part: u64| format!("{} ({})", words::count(part), words::percent(part, report.positions));
    let folder = settings.data.join(&report.game);
    let mut lines = match report.weak {
        Some(weak) => vec![("line", format!("{} of best play", words::counted(weak.line, "move")))],
        None => vec![
            ("positions", format!("{} up to symmetry", words::count(report.positions))),
            ("wins", part(report.wins)),
            ("losses", part(report.losses)),
            ("draws", part(report.draws)),
        ],
    };
    if let Some(longest) = &report.longest {
        let positions = words::counted(longest.positions, "position");
        lines.push(("longest", format!("{} plies, {positions}", longest.distance)));
    }
    if let Some(peak) = report.peak_rss_bytes.filter(|_| !before) {
        lines.push(("memory", human_bytes(peak)));
    }
    lines.push(("database", format!("{} in {}", human_bytes(report.data_bytes), folder.display())));
    lines.push(("time", how));
    let value = paint.text(Tone::Of(initial.value), &initial_value);
    let mut text = format!("{}  initial position: {value}\n\n", paint.text(Tone::Bold, &report.game));
    for (name, value) in lines {
        text += &format!("  {}  {value}\n", paint.text(Tone::Faint, &format!("{name:<9}")));
    }
    text
}
