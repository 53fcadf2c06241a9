//! `kanzen new`: a crate for a new game.

mod name;
mod template;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use kanzen_cli::output::Tone;
use kanzen_cli::{Ending, Settings};
use serde_json::json;

use template::Kanzen;

const EXAMPLES: &str = "\
The crate is a small game that works as it is: rules in src/rules.rs, tests beside them (examples
from the rule book, the conformance kit, every position against a plain solver), and a program with the
commands games, info, count, reach, solve, probe, line, stats, verify and play; serve comes with
--features serve. Change the rules into those of your game, and run the tests again;
docs/add-a-game.md goes through them line by line.

Examples:
  kanzen new dodgem
  cd dodgem && cargo test
  cargo run --release -- probe dodgem
  kanzen new dodgem --kanzen ~/src/kanzen";

/// Write a crate for a new game: a small one that works, to change into yours
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct New {
    /// The game, the crate and its folder: lower-case letters, digits and dashes
    name: String,

    /// The checkout of Kanzen that it depends on [default: the one this program was built
    /// from; without one, its published version]
    #[arg(long, value_name = "DIR")]
    kanzen: Option<PathBuf>,
}

impl New {
    /// Writes the crate and prints the next steps.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        name::check(&self.name)?;
        let folder = Path::new(&self.name);
        let kanzen = Kanzen::find(self.kanzen.as_deref(), folder)?;
        let files = template::files(&self.name, &kanzen)?;
        write(folder, &files)?;
        if settings.json {
            let names: Vec<&str> = files.iter().map(|(file, _)| *file).collect();
            settings.output.json(&json!({ "game": self.name, "folder": folder, "files": names }))?;
        } else {
            let name = &self.name;
            let heading = settings.output.paint.text(Tone::Bold, name);
            settings.output.print(format!(
                "{heading}  a new game in {name}/: hexapawn, until you change src/rules.rs\n\n  \
                 cd {name}\n  cargo test\n  cargo run --release -- count {name}\n  cargo run --release -- probe {name}\n"
            ))?;
        }
        Ok(Ending::Done)
    }
}

/// Writes all files into a folder that is not there yet; if one cannot be written, the folder goes again.
fn write(folder: &Path, files: &[(&str, String)]) -> anyhow::Result<()> {
    fs::create_dir(folder).map_err(|refused| match refused.kind() {
        ErrorKind::AlreadyExists => anyhow::anyhow!("{} is there already: choose another name", folder.display()),
        _ => anyhow::Error::from(refused).context(format!("cannot create {}", folder.display())),
    })?;
    let written = write_files(folder, files);
    if written.is_err() {
        fs::remove_dir_all(folder).ok(); // the error is already known
    }
    written
}

fn write_files(folder: &Path, files: &[(&str, String)]) -> anyhow::Result<()> {
    fs::create_dir(folder.join("src")).with_context(|| format!("cannot create {}/src", folder.display()))?;
    for (file, text) in files {
        let path = folder.join(file);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
