//! `kanzen data`: lists, checks, packs, imports and removes databases.

mod add;
mod pack;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Subcommand};
use kanzen::catalogue::data::{self, DataCheck, Held};
use kanzen_core::human_bytes;
use serde_json::json;

use crate::exit::Ending;
use crate::output::{Cell, Lean, Paint, Table, Tone};
use crate::progress::Progress;
use crate::settings::Settings;
use crate::words;

const EXAMPLES: &str = "\
`check` reads every byte and compares all checksums, as fast as the disk gives them; whether the
values follow from the rules is what `verify` is for. The exit status is 2 if anything is damaged.
The SHA-256 of each file stands in the manifest of its database, for those who publish it.

`add` imports a database from an archive (.tar, .tar.gz, .tar.zst) or a folder, after all its
checksums were compared; a game that is there already stays as it is. `verify --full` checks
whether its values are right. `pack` makes such an archive, with the card of `kanzen card` in it;
the same database gives the same bytes.

Examples:
  kanzen data
  kanzen data check
  kanzen data check nocca-3x4 --json
  kanzen data remove nocca-3x4
  kanzen data pack nocca-3x4 --to nocca-3x4.tar.zst
  kanzen data add nocca-3x4.tar.zst";

/// List, check, pack, add and remove databases and unfinished solves
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Data {
    #[command(subcommand)]
    what: Option<What>,
}

/// What to do with them.
#[derive(Subcommand)]
enum What {
    /// List the databases and unfinished solves of the data folder
    List,
    /// Compare every checksum of every file
    Check {
        /// The game, as `data` lists it [default: all]
        #[arg(value_name = "GAME")]
        game: Option<String>,
    },
    /// Remove the database of a game, and its unfinished solve
    Remove {
        /// The game, as `data` lists it
        #[arg(value_name = "GAME")]
        game: String,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
    /// Check a database from an archive or a folder, and move it in
    Add {
        /// The archive (.tar, .tar.gz, .tar.zst) or the folder
        #[arg(value_name = "PATH")]
        from: PathBuf,
    },
    /// Check a database and write it to an archive
    Pack {
        /// The game, as `data` lists it
        #[arg(value_name = "GAME")]
        game: String,
        /// The archive: .tar, .tar.gz or .tar.zst
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
}

impl Data {
    /// Does what is asked of the data folder.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        match self.what.unwrap_or(What::List) {
            What::List => list(settings),
            What::Check { game } => check(game.as_deref(), settings),
            What::Remove { game, yes } => remove(&game, yes, settings),
            What::Add { from } => add::run(&from, settings),
            What::Pack { game, to } => pack::run(&game, &to, settings),
        }
    }
}

fn list(settings: &Settings) -> anyhow::Result<Ending> {
    let held = data::held(&*settings.program.games, &settings.data)?;
    if settings.json {
        settings.output.json(&held)?;
    } else if held.is_empty() {
        settings.output.print(format!("nothing is solved in {}\n", settings.data.display()))?;
    } else {
        settings.output.print(table(&held).show(settings.output.paint))?;
    }
    Ok(Ending::Done)
}

fn table(held: &[Held]) -> Table {
    let mut table = Table::new([
        ("game", Lean::Left),
        ("size", Lean::Right),
        ("positions", Lean::Right),
        ("written", Lean::Right),
        ("", Lean::Left),
    ]);
    for held in held {
        let age = held.age_seconds.map_or("?".to_owned(), |age| format!("{} ago", words::time(age as f64)));
        table.row([
            Cell::toned(Tone::Bold, &held.game),
            human_bytes(held.bytes).into(),
            held.positions.map_or("-".to_owned(), words::count).into(),
            age.into(),
            state(held),
        ]);
    }
    table
}

/// What it is: the value of a solved game, how far a solve is, or what is wrong.
fn state(held: &Held) -> Cell {
    if let Some(problem) = &held.problem {
        return format!("cannot be used: {problem}").into();
    }
    if let Some(initial) = &held.initial {
        return Cell::toned(Tone::Of(initial.value), words::value(initial.value, initial.distance, initial.score));
    }
    let how = if held.at_work { "at work" } else { "stopped" };
    match (held.rounds, held.classes) {
        (0, 0) => how.into(),
        (rounds, 0) => format!("{how}, {} played", words::counted(rounds, "round")).into(),
        (0, 1) => format!("{how}, 1 class done").into(),
        (0, classes) => format!("{how}, {} classes done", words::count(classes)).into(),
        (rounds, planes) => {
            format!("{how}, {} played, {} written", words::counted(rounds, "round"), words::counted(planes, "plane"))
                .into()
        }
    }
}

fn check(game: Option<&str>, settings: &Settings) -> anyhow::Result<Ending> {
    let checks = {
        let progress = Progress::new("data", settings.quiet);
        data::check(&settings.data, game, &settings.budget, &progress)?
    };
    if settings.json {
        settings.output.json(&checks)?;
    } else if checks.is_empty() {
        settings.output.print(format!("nothing is solved in {}\n", settings.data.display()))?;
    } else {
        let text: String = checks.iter().map(|check| findings(check, settings.output.paint)).collect();
        settings.output.print(text)?;
    }
    let damaged: Vec<&str> =
        checks.iter().filter(|check| !check.damage.is_empty()).map(|check| check.game.as_str()).collect();
    anyhow::ensure!(damaged.is_empty(), "damaged: {}", damaged.join(", "));
    Ok(Ending::Done)
}

fn findings(check: &DataCheck, paint: Paint) -> String {
    let game = paint.text(Tone::Bold, &check.game);
    let unfinished = if check.finished { "" } else { ", unfinished" };
    if check.at_work {
        return format!("{game}{unfinished}: not checked, a solve is at work\n");
    }
    let read = format!("{} of {}", words::counted(check.files, "file"), human_bytes(check.bytes));
    if check.damage.is_empty() {
        let digests = match check.with_sha256 {
            all if all == check.files && all > 0 => ", and its SHA-256",
            _ => "",
        };
        return format!("{game}{unfinished}  {read}: every checksum fits{digests}\n");
    }
    let mut text = format!("{game}{unfinished}  {read}: damaged\n");
    check.damage.iter().for_each(|damage| text += &format!("  {damage}\n"));
    text
}

fn remove(game: &str, yes: bool, settings: &Settings) -> anyhow::Result<Ending> {
    let games = &*settings.program.games;
    if let Some(bytes) = data::size_of(games, &settings.data, game)?.filter(|_| !yes) {
        let question = format!("remove {game} ({}) from {}?", human_bytes(bytes), settings.data.display());
        if !std::io::stdin().is_terminal() {
            anyhow::bail!("not asked whether to {} Say so with --yes", question.replace('?', "."));
        }
        if !agreed(&question)? {
            settings.output.print("nothing removed\n")?;
            return Ok(Ending::Done);
        }
    }
    let bytes = data::remove(games, &settings.data, game)?;
    if settings.json {
        settings.output.json(&json!({ "game": game, "removed_bytes": bytes }))?;
    } else {
        settings.output.print(format!("{game} removed, {}\n", human_bytes(bytes)))?;
    }
    Ok(Ending::Done)
}

fn agreed(question: &str) -> anyhow::Result<bool> {
    let mut stderr = std::io::stderr();
    write!(stderr, "{question} [y/N] ").and_then(|()| stderr.flush()).context("cannot ask")?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).context("cannot read the answer")?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
