//! `kanzen verify`: checks stored values against the rules.

use kanzen_query::{CensusCheck, Extent, Unchecked, Verification};

use crate::args::GameArg;
#[cfg(feature = "cluster")]
use crate::cluster::Cluster;
use crate::exit::Ending;
use crate::open_game::open_entry;
use crate::output::{Cell, Lean, Paint, Table, Tone};
use crate::progress::Progress;
use crate::settings::Settings;
use crate::words;

const EXAMPLES: &str = "\
A position is right if its value follows from the rules or from the stored values of its children.
The code that checks shares nothing with the solvers. With --full every position is checked, the
census is counted again, and a database that passes is proven; a sample lists what it leaves out.
Where only a line of best play is stored, --full searches it again, with the code that solved it.
The exit status is 1 if anything is wrong, and 2 if a file is damaged.

Examples:
  kanzen verify nocca-3x4
  kanzen verify nocca-3x4 --full
  kanzen verify nocca-3x4 --sample 1000000";

/// Check stored values against the rules, one ply deep
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Verify {
    #[command(flatten)]
    game: GameArg,

    /// Check this many positions, drawn at random, the same ones each time
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = at_least_one)]
    sample: u64,

    /// Check every position, and count the census again
    #[arg(long, conflicts_with = "sample")]
    full: bool,

    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: Cluster,
}

fn at_least_one(text: &str) -> Result<u64, &'static str> {
    text.parse().ok().filter(|count| *count > 0).ok_or("expected a number of positions, at least 1")
}

impl Verify {
    /// Checks stored values and prints those that do not follow from the rules.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let entry = self.game.entry(settings)?;
        let game = entry.info().id.as_str();
        let solved = open_entry(&entry, settings)?;
        let extent = if self.full { Extent::Full } else { Extent::Sample(self.sample) };
        #[cfg(feature = "cluster")]
        if let Some(team) = self.cluster.join(&format!("verify {extent:?}"), &entry, settings)? {
            let first = team.is_first();
            let verification = {
                let progress = team.progress(game, settings);
                solved.verify_together(extent, &team.means(&progress))
            };
            let verification = team.conclude(verification)?;
            return if first { print_report(&verification, settings) } else { Ok(Ending::Done) };
        }
        solved.keep(settings.kept_by_many());
        let verification = {
            let progress = Progress::new(game, settings.quiet);
            solved.verify(extent, &settings.budget, &progress)?
        };
        print_report(&verification, settings)
    }
}

fn print_report(verification: &Verification, settings: &Settings) -> anyhow::Result<Ending> {
    if settings.json {
        settings.output.json(verification)?;
    } else {
        settings.output.print(render(verification, settings.output.paint))?;
    }
    Ok(if verification.passed { Ending::Done } else { Ending::Mismatch })
}

fn render(verification: &Verification, paint: Paint) -> String {
    let checked = words::counted(verification.checked, "position");
    let game = paint.text(Tone::Bold, &verification.game);
    let found = match verification.mismatches {
        0 if verification.checked + verification.searched == 0 => {
            "nothing stored could be compared with the rules".into()
        }
        0 => "every value follows from the rules".to_owned(),
        wrong => format!("{} wrong", words::counted(wrong, "value")),
    };
    let mut text = format!("{game}  {checked} checked: {found}\n{}", beside(verification));
    if verification.mismatches > 0 {
        text += &format!("\n{}", mismatches(verification, paint));
    }
    if let Some(census) = verification.census.as_ref().filter(|census| census.differences > 0) {
        text += &format!("\n{}", differences(census, paint));
    }
    text
}

/// What was met and is not among the checked, what else was checked, and what was not.
fn beside(verification: &Verification) -> String {
    let Verification { derived, searched, out_of_reach, missing, unreachable, .. } = *verification;
    let mut text = String::new();
    let mut list = |count: u64, how: &str| {
        if count > 0 {
            text += &format!("  {} {how}\n", words::counted(count, "position"));
        }
    };
    list(searched, "more searched again, by the code that solved the game");
    list(derived, "more are not stored: their answers follow from those that are");
    list(out_of_reach, "could not be checked: too little is stored near them");
    list(missing, "to which moves lead, or from which the game starts, not in the list");
    list(unreachable, "in the list to which no game leads");
    if verification.wrong_blocks > 0 {
        let blocks = words::counted(verification.wrong_blocks, "block");
        text += &format!("  {blocks} whose summaries contradict their values: `find` would pass over some\n");
    }
    match &verification.census {
        Some(census) if census.differences == 0 => text += "  the census was counted again: every count fits\n",
        Some(census) => {
            let wrong = words::counted(census.differences, "count");
            text += &format!("  the census was counted again: {wrong} wrong\n");
        }
        None => {}
    }
    let left_out: Vec<&str> = verification.not_checked.iter().map(in_words).collect();
    if !left_out.is_empty() {
        text += &format!("  not checked: {}\n", left_out.join(", "));
    }
    text
}

fn in_words(left_out: &Unchecked) -> &'static str {
    match left_out {
        Unchecked::OtherPositions => "the other positions",
        Unchecked::OutOfReach => "positions with too little stored near them",
        Unchecked::List => "whether the list of positions is complete",
        Unchecked::Images => "mirror images that are stored apart",
        Unchecked::Occurrences => "which values occur in which block",
        Unchecked::Census => "the census",
        Unchecked::AllPositions => "the count of all positions, mirror images apart",
        Unchecked::LeftOutClasses => "classes that the database leaves out",
    }
}

fn mismatches(verification: &Verification, paint: Paint) -> String {
    let mut table = Table::new([("position", Lean::Left), ("stored", Lean::Left), ("by the rules", Lean::Left)]);
    for example in &verification.examples {
        let stored = words::value(example.stored, example.stored_distance, example.stored_score);
        let expected = words::value(example.expected, example.expected_distance, example.expected_score);
        table.row([
            example.position.as_str().into(),
            Cell::toned(Tone::Of(example.stored), stored),
            Cell::toned(Tone::Of(example.expected), expected),
        ]);
    }
    table.show(paint) + &more(verification.mismatches, verification.examples.len())
}

fn differences(census: &CensusCheck, paint: Paint) -> String {
    let mut table = Table::new([
        ("class", Lean::Left),
        ("value", Lean::Left),
        ("in the census", Lean::Right),
        ("counted", Lean::Right),
    ]);
    for example in &census.examples {
        let class: Vec<String> = example.class.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let class = if class.is_empty() { "all positions".to_owned() } else { class.join(", ") };
        table.row([
            class.into(),
            Cell::toned(Tone::Of(example.value), words::value(example.value, example.distance, None)),
            words::count(example.stored).into(),
            words::count(example.counted).into(),
        ]);
    }
    table.show(paint) + &more(census.differences, census.examples.len())
}

fn more(all: u64, shown: usize) -> String {
    match all - shown as u64 {
        0 => String::new(),
        more => format!("  and {} more\n", words::count(more)),
    }
}
