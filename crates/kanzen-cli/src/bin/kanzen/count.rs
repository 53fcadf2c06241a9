//! `kanzen count`: the placements of a morris game, the positions of any other.

use kanzen_cli::commands::count::count_by_rules;
use kanzen_cli::exit::keeps_nothing;
use kanzen_cli::paint::{Paint, Tone};
use kanzen_cli::signals::{self, Manner};
use kanzen_cli::table::{Lean, Table};
use kanzen_cli::{Ending, Progress, Settings, words};
use kanzen_games::catalogue;
use kanzen_games::morris::{self, CountReport};

const EXAMPLES: &str = "\
The positions of a game are listed by its rules, mirror images once, which takes memory for all of
them. Of morris, placements are counted instead: they are unique up to the symmetries of the
board and pseudo-reachable: the mills on the board can have been closed with the men that are
missing. Where the printed table has another number, the difference is told with its reason.

Examples:
  kanzen count tictactoe
  kanzen count morris-9
  kanzen count morris-7 --json | jq '.zdd'
  kanzen count morris-9 --zdd --memory 12GB   the second ZDD too: minutes and gigabytes";

/// Count positions by the rules; of N men's morris the placements, with the ZDDs that number them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Count {
    /// The game, as `kanzen games` names it
    #[arg(value_name = "GAME")]
    game: String,

    /// Of morris-N, build the second ZDD also for nine men and more
    #[arg(long)]
    zdd: bool,
}

impl Count {
    /// Counts the placements and prints the report.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        catalogue::find(&self.game)?;
        let Ok(game) = catalogue::find_morris(&self.game) else {
            anyhow::ensure!(!self.zdd, "--zdd is for morris-N: {} has no placements", self.game);
            return count_by_rules(&self.game, settings);
        };
        signals::watch(settings.program.name, Manner::KeepsNothing);
        let report = {
            let progress = Progress::new(&self.game, settings.quiet);
            morris::count(&game, self.zdd, &settings.budget, &progress).map_err(keeps_nothing)?
        };
        if settings.json {
            settings.output.json(&report)?;
        } else {
            settings.output.print(render(&report, settings.output.paint))?;
        }
        Ok(Ending::Done)
    }
}

fn render(report: &CountReport, paint: Paint) -> String {
    let placements = words::counted(report.total, "placement");
    let mut text = format!("{}  {placements}\n\n", paint.text(Tone::Bold, &report.game));
    let mut subsets = Table::new([("subset", Lean::Left), ("placements", Lean::Right)]);
    for subset in &report.subsets {
        subsets.row([format!("{}-{}", subset.white, subset.black).into(), words::count(subset.placements).into()]);
    }
    text += &subsets.show(paint);
    let second = report.zdd.second_nodes.map_or("not built: give --zdd".to_owned(), words::count);
    let mut sizes = Table::new([("", Lean::Left), ("", Lean::Left)]);
    sizes.row(["without exclusion".into(), words::count(report.total_without_exclusion).into()]);
    sizes.row(["mirror images apart".into(), words::count(report.universe).into()]);
    sizes.row(["nodes of the first ZDD".into(), words::count(report.zdd.first_nodes).into()]);
    sizes.row(["nodes of the second ZDD".into(), second.into()]);
    text += &sizes.show(paint);
    if !report.differences.is_empty() {
        let mut table = Table::new([
            ("printed cell", Lean::Left),
            ("printed", Lean::Right),
            ("computed", Lean::Right),
            ("why", Lean::Left),
        ]);
        for slip in &report.differences {
            let cell = format!("table {}, {}", slip.table, slip.cell);
            let (printed, computed) = (words::count(slip.printed), words::count(slip.computed));
            table.row([cell.into(), printed.into(), computed.into(), slip.why.as_str().into()]);
        }
        text += &format!("\n{}", table.show(paint));
    }
    text
}
