//! `kanzen verify`: stored values against the rules.

use kanzen::query::{Extent, Verification};

use crate::exit::Ending;
use crate::naming::Naming;
use crate::open_game::open_game;
use crate::paint::{Paint, Tone};
use crate::progress::Progress;
use crate::settings::Settings;
use crate::table::{Cell, Lean, Table};
use crate::words;

const EXAMPLES: &str = "\
A position is right if its value follows from the rules or from the stored values of its children.
The code that checks shares nothing with the solvers. The exit status is 1 if a value is wrong, and
2 if a file is damaged.

Examples:
  kanzen verify nocca-3x4
  kanzen verify nocca-3x4 --full
  kanzen verify nocca-3x4 --sample 1000000";

/// Check stored values against the rules, one ply deep
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Verify<N: Naming> {
    #[command(flatten)]
    game: N,

    /// Check this many positions, drawn at random, the same ones each time
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = at_least_one)]
    sample: u64,

    /// Check every position
    #[arg(long, conflicts_with = "sample")]
    full: bool,
}

fn at_least_one(text: &str) -> Result<u64, &'static str> {
    text.parse().ok().filter(|count| *count > 0).ok_or("expected a number of positions, at least 1")
}

impl<N: Naming> Verify<N> {
    /// Checks stored values and prints those that do not follow from the rules.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let game = self.game.id()?;
        let solved = open_game(&game, settings)?;
        let extent = if self.full { Extent::Full } else { Extent::Sample(self.sample) };
        let verification = {
            let progress = Progress::new(&game, settings.quiet);
            solved.verify(extent, &settings.budget, &progress)?
        };
        if settings.json {
            settings.output.json(&verification)?;
        } else {
            settings.output.print(render(&verification, settings.output.paint))?;
        }
        Ok(if verification.passed { Ending::Done } else { Ending::Mismatch })
    }
}

/// What was met and is not among the checked.
fn beside(verification: &Verification) -> String {
    let mut text = String::new();
    if verification.derived > 0 {
        let derived = words::counted(verification.derived, "position");
        text += &format!("  {derived} more are not stored: their answers follow from those that are\n");
    }
    if verification.out_of_reach > 0 {
        let beyond = words::counted(verification.out_of_reach, "position");
        text += &format!("  {beyond} could not be checked: too little is stored near them\n");
    }
    text
}

fn render(verification: &Verification, paint: Paint) -> String {
    let checked = words::counted(verification.checked, "position");
    let game = paint.text(Tone::Bold, &verification.game);
    if verification.mismatches == 0 {
        let found = match verification.passed {
            true => "every value follows from the rules",
            false => "nothing stored could be compared with the rules",
        };
        return format!("{game}  {checked} checked: {found}\n{}", beside(verification));
    }
    let wrong = words::counted(verification.mismatches, "value");
    let mut text = format!("{game}  {checked} checked: {wrong} wrong\n\n");
    let mut table = Table::new([("position", Lean::Left), ("stored", Lean::Left), ("by the rules", Lean::Left)]);
    for example in &verification.examples {
        table.row([
            example.position.as_str().into(),
            Cell::toned(Tone::Of(example.stored), words::value(example.stored, example.stored_distance, None)),
            Cell::toned(Tone::Of(example.expected), words::value(example.expected, example.expected_distance, None)),
        ]);
    }
    text += &table.show(paint);
    let more = verification.mismatches - verification.examples.len() as u64;
    if more > 0 {
        text += &format!("  and {} more\n", words::count(more));
    }
    text
}
