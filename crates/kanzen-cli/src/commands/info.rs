//! `kanzen info`: prints a game's rules, notation, forecast and state.

use kanzen::catalogue::{Counting, Description, State, Stored};
use kanzen_core::human_bytes;

use crate::args::GameArg;
use crate::commands::probe::indented;
use crate::exit::Ending;
use crate::output::{Paint, Tone};
use crate::settings::Settings;
use crate::words;

const EXAMPLES: &str = "\
Examples:
  kanzen info ostle
  kanzen info nocca-6x5 --json | jq '.forecast'";

/// Width of a text, and of what is indented below its name.
const WIDTH: usize = 78;

/// Tell the rules of a game, how positions are written, what is stored and what a solve costs
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Info {
    #[command(flatten)]
    game: GameArg,
}

impl Info {
    /// Prints the facts about the game.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let entry = self.game.entry(settings)?;
        let description = Description::of(&entry, &settings.data)?;
        if settings.json {
            settings.output.json(&description)?;
        } else {
            settings.output.print(render(&description, &entry.draw(None, 0)?, settings))?;
        }
        Ok(Ending::Done)
    }
}

fn render(game: &Description, board: &str, settings: &Settings) -> String {
    let paint = settings.output.paint;
    let mut text = format!("{}  {}\n\n", paint.text(Tone::Bold, &game.id), game.title);
    text += &indented(&words::wrapped(&game.rules, WIDTH));
    text += &format!("\n{}", indented(board));
    text.push('\n');
    if !game.notation.words.is_empty() {
        text += &format!("{}\n", indented(&words::wrapped(&game.notation.words, WIDTH)));
    }
    let mut facts = vec![("position", game.notation.position.clone())];
    if let Some(example) = &game.notation.example {
        facts.push(("a move", example.mv.clone()));
        facts.push(("leads to", example.position.clone()));
    }
    text += &listed(&facts, paint);
    text += &format!("\n{}", listed(&stored(game, settings), paint));
    text
}

fn listed(facts: &[(&str, String)], paint: Paint) -> String {
    facts.iter().map(|(name, fact)| format!("  {}  {fact}\n", paint.text(Tone::Faint, &format!("{name:<9}")))).collect()
}

/// What is stored, or what a solve would cost.
fn stored(game: &Description, settings: &Settings) -> Vec<(&'static str, String)> {
    let folder = settings.data.join(&game.id);
    let Some(stored) = &game.stored else {
        let mut facts = vec![("positions", positions(game))];
        facts.push(("solved", state(game.state).to_owned()));
        if game.forecast.is_known() {
            let [memory, disk] = [game.forecast.memory_bytes, game.forecast.data_bytes].map(human_bytes);
            let time = words::time(game.forecast.seconds);
            facts.push(("a solve", format!("{memory} of memory, {disk} of disk, {time} on this machine")));
        } else {
            facts.push(("a solve", format!("not known: `{} count {}` counts first", settings.program.name, game.id)));
        }
        return facts;
    };
    let mut facts = counts(stored);
    let initial = stored.summary.initial;
    facts.push(("value", words::value(initial.value, initial.distance, initial.score)));
    facts.push(("database", format!("{} in {}", human_bytes(stored.summary.data_bytes), folder.display())));
    facts
}

fn positions(game: &Description) -> String {
    match (game.positions, game.counting) {
        (None, _) => "not counted".to_owned(),
        (Some(positions), Counting::All) => {
            format!("{}, mirror images and colours apart", words::count(positions))
        }
        (Some(positions), Counting::UpToSymmetry) => format!("{}, up to symmetry", words::count(positions)),
    }
}

fn state(state: State) -> &'static str {
    match state {
        State::Unsolved => "no",
        State::Unfinished => "not yet: a solve is unfinished, and goes on where it stopped",
        State::Solved => "yes",
        State::Refused => "the database there cannot be used: it is damaged, or of other rules",
    }
}

/// The kinds of positions, each by its name.
fn counts(stored: &Stored) -> Vec<(&'static str, String)> {
    if let Some(weak) = stored.summary.weak {
        let line = words::counted(weak.line, "move");
        return vec![("solved", format!("the start alone, with a line of {line}; others are searched for when asked"))];
    }
    let mut facts = vec![("positions", format!("{}, up to symmetry", words::count(stored.positions)))];
    if let Some(all) = stored.all_positions {
        facts.push(("", format!("{}, mirror images and colours apart", words::count(all))));
    }
    facts.push(("", format!("{} in the database", words::counted(stored.slots, "slot"))));
    facts
}
