//! `kanzen find`: finds positions of the whole database by criteria.

use kanzen::Error;
use kanzen::catalogue::Rows;
use kanzen_query as query;
use kanzen_query::Means;
use kanzen_query::find::{Explanation, Row};

use crate::args::GameArg;
#[cfg(feature = "cluster")]
use crate::cluster::Cluster;
use crate::exit::Ending;
use crate::open_game::open_entry;
use crate::output::{Paint, Tone};
use crate::progress::Progress;
use crate::rows::{Form, Writer};
use crate::settings::Settings;
use crate::signals::{self, Manner};
use crate::words;

const EXAMPLES: &str = "\
EXPR is the WHERE clause of SQL: AND, OR, NOT, comparisons, BETWEEN, IN, IS NULL, parentheses,
numbers and 'texts'. Columns:
  value distance score        'win', 'loss' or 'draw'; plies or NULL; discs
  white black brown mover ..  the attributes of a class, as in `kanzen stats`
  moves wins draws losses     how many moves there are, and how many of them win, draw and lose
  wins('takes') ..            the same of one kind of moves, of those that the game knows
  best only_move gap          moves that keep value and distance; exactly one keeps the value;
                              plies to the second best move of the same value
  zugzwang                    passing would be better
  position to_move            to be shown
A row is one position up to symmetry, in the order of the database for any number of threads. A
table shows 100 rows unless --limit allows more; --json and --csv give all. Ctrl-C ends with what is
complete.

Examples:
  kanzen find tictactoe --where \"only_move AND value = 'draw'\"
  kanzen find nocca-3x4 --where \"value = 'win'\" --order -distance --limit 10
  kanzen find nocca-3x4 --where 'distance > 20' --count
  kanzen find nocca-4x4 --where 'zugzwang' --sample 100000 --count --json";

/// Rows of a table unless a limit is given.
const SHOWN: u64 = 100;

/// Find positions of the whole database by criteria
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Find {
    #[command(flatten)]
    game: GameArg,

    /// The condition: the WHERE clause of SQL
    #[arg(long = "where", value_name = "EXPR")]
    condition: String,

    /// Columns to show, separated by commas [default: position,value,distance]
    #[arg(long, value_name = "A,B")]
    columns: Option<String>,

    /// Order by a column, or with a `-` before it from the greatest on
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    order: Option<String>,

    /// The most rows
    #[arg(long, value_name = "N")]
    limit: Option<u64>,

    /// Only count the rows
    #[arg(long)]
    count: bool,

    #[command(flatten)]
    extent: Extent,

    /// Tell how the question would be answered and how long it would take, and no more
    #[arg(long)]
    explain: bool,

    /// Comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: Cluster,
}

/// Which positions are looked at.
#[derive(clap::Args)]
pub struct Extent {
    /// Look at this many positions only, drawn at random: uniformly, each at most once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,

    /// The seed of the sample
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    seed: u64,

    /// The I-th of N parts of the database, for several machines
    #[arg(long, value_name = "I/N", value_parser = part, conflicts_with = "sample")]
    part: Option<(u64, u64)>,

    /// Even if it takes more than an hour
    #[arg(long)]
    all: bool,
}

impl Extent {
    /// Adds itself to a question.
    pub fn apply(&self, find: &mut query::Find) {
        find.sample = self.sample.map(|count| (count, self.seed));
        find.part = self.part;
        find.all = self.all;
    }
}

fn part(text: &str) -> Result<(u64, u64), &'static str> {
    const EXPECTED: &str = "expected I/N with I from 1 to N, such as 2/4";
    let (part, parts) = text.split_once('/').ok_or(EXPECTED)?;
    let (part, parts) = (part.parse().map_err(|_| EXPECTED)?, parts.parse().map_err(|_| EXPECTED)?);
    if (1..=parts).contains(&part) { Ok((part, parts)) } else { Err(EXPECTED) }
}

impl Find {
    /// Prints the rows, or their number.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let entry = self.game.entry(settings)?;
        let game = entry.info().id.as_str();
        let solved = open_entry(&entry, settings)?;
        let form = match (settings.json, self.csv) {
            (true, _) => Form::JsonLines,
            (_, true) => Form::Csv,
            _ => Form::Table,
        };
        let mut find = query::Find {
            condition: self.condition,
            columns: self.columns,
            order: self.order,
            limit: self.limit.or((form == Form::Table).then_some(SHOWN)),
            count: self.count,
            ..query::Find::default()
        };
        self.extent.apply(&mut find);
        if self.explain {
            let explanation = solved.explain(&find, &settings.budget)?;
            if settings.json {
                settings.output.json(&explanation)?;
            } else {
                settings.output.print(explained(&explanation, settings.output.paint))?;
            }
            return Ok(Ending::Done);
        }
        signals::watch(settings.program.name, Manner::Concludes);
        let ask =
            |means: &Means<'_>| Answered::from(&find, form, settings, |rows| solved.find_together(&find, means, rows));
        // Said by this process, before it is missed by others.
        find.check(solved.columns()?)?;
        #[cfg(feature = "cluster")]
        if let Some(team) = self.cluster.join(&format!("{find:?}"), &entry, settings)? {
            let first = team.is_first();
            let answered = ask(&team.means(&team.progress(game, settings)));
            let report = match answered.report {
                // The others need not go on.
                Ok(report) if report.stopped => {
                    team.abandon(&Error::Stopped);
                    Ok(report)
                }
                report => team.conclude(report),
            };
            let answered = Answered { report, ..answered };
            return match answered.report {
                Ok(_) if !first => Ok(Ending::Done),
                _ => answered.finish(&find, form, self.limit, settings),
            };
        }
        let answered = ask(&Means::alone(&settings.budget, &Progress::new(game, settings.quiet)));
        answered.finish(&find, form, self.limit, settings)
    }
}

/// What came of a question, and what its rows were written with.
struct Answered<'a> {
    writer: Writer<'a>,
    report: Result<query::FindReport, Error>,
}

impl<'a> Answered<'a> {
    /// Asks, and writes the rows as they come.
    fn from(
        find: &query::Find,
        form: Form,
        settings: &'a Settings,
        ask: impl FnOnce(&mut Rows<'_>) -> Result<query::FindReport, Error>,
    ) -> Answered<'a> {
        let writer = std::cell::RefCell::new(Writer::new(form, &settings.output));
        let report = {
            let mut heading = |names: &[_]| if find.count { Ok(()) } else { writer.borrow_mut().heading(names) };
            let mut row = |row: Row| writer.borrow_mut().row(row);
            ask(&mut Rows { heading: &mut heading, row: &mut row })
        };
        Answered { writer: writer.into_inner(), report }
    }

    /// Writes the end of an answer.
    fn finish(self, find: &query::Find, form: Form, limit: Option<u64>, settings: &Settings) -> anyhow::Result<Ending> {
        let report = match self.report {
            Err(Error::Stopped) => return Err(self.writer.failure()),
            report => report?,
        };
        if find.count {
            match form {
                Form::JsonLines => settings.output.json(&report)?,
                Form::Csv => settings.output.print(format!("count\n{}\n", report.count))?,
                Form::Table => settings.output.print(counted(&report, settings.output.paint))?,
            }
        } else {
            self.writer.finish(foot(&report, form, limit))?;
        }
        if report.stopped {
            eprintln!("{}: interrupted; the answer is partial", settings.program.name);
            return Ok(Ending::Interrupted);
        }
        Ok(Ending::Done)
    }
}

fn counted(report: &query::FindReport, paint: Paint) -> String {
    let game = paint.text(Tone::Bold, &report.game);
    let positions = words::counted(report.positions, "position");
    match report.sampled {
        None => format!("{game}  {} of {positions}\n", words::count(report.count)),
        Some(sampled) => format!(
            "{game}  {} of {} drawn at random from {positions} ({})\n",
            words::count(report.count),
            words::count(sampled),
            words::percent(report.count, sampled)
        ),
    }
}

/// What stands below a table.
fn foot(report: &query::FindReport, form: Form, limit: Option<u64>) -> Option<String> {
    let rows = words::counted(report.count, "position");
    match form {
        Form::Table if report.complete && report.matching.is_some_and(|all| all > report.count) => {
            let all = words::counted(report.matching.unwrap_or(report.count), "position");
            Some(format!("\n  the first {} of {all}\n", words::count(report.count)))
        }
        Form::Table if report.complete => Some(format!("\n  {rows}\n")),
        Form::Table if limit.is_none() && !report.stopped => {
            Some(format!("\n  the first {rows}: --limit N shows more, --json and --csv all\n"))
        }
        Form::Table => Some(format!("\n  the first {rows}\n")),
        _ => None,
    }
}

fn explained(explanation: &Explanation, paint: Paint) -> String {
    let how = match explanation.tier {
        "census" => "counted by the census: nothing is read",
        "stored" => "what is stored of each position is read",
        _ => "what is stored is read, and the moves of what that lets through are looked at",
    };
    let lines = [
        ("tier", format!("{}: {how}", explanation.tier)),
        ("positions", words::count(explanation.positions)),
        ("candidates", format!("at most {} by the census", words::count(explanation.candidates))),
        (
            "stretches",
            format!("{} of {} are read", words::count(explanation.read), words::count(explanation.stretches)),
        ),
        ("time", format!("about {}", words::time(explanation.seconds))),
    ];
    let mut text = format!("{}  {}\n\n", paint.text(Tone::Bold, &explanation.game), explanation.condition);
    for (name, value) in lines {
        text += &format!("  {}  {value}\n", paint.text(Tone::Faint, &format!("{name:<10}")));
    }
    text
}
