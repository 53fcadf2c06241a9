//! `kanzen man`: the manual.

use std::path::PathBuf;

use anyhow::Context;
use clap_mangen::Man as Page;

use crate::exit::Ending;
use crate::settings::Settings;
use crate::words;

const EXAMPLES: &str = "\
Examples:
  kanzen man | man -l -
  kanzen man --dir ~/.local/share/man/man1";

/// Write the manual page to standard output, or those of all commands into a folder
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Man {
    /// Write kanzen.1, kanzen-solve.1, ... into this folder instead
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Man {
    /// Prints the page, or writes all pages into the folder.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        settings.refuse_json("a manual page is for people")?;
        let Some(folder) = self.dir else {
            let mut page = Vec::new();
            Page::new(settings.definition.clone()).render(&mut page)?;
            settings.output.print(page)?;
            return Ok(Ending::Done);
        };
        let mut command = settings.definition.clone().disable_help_subcommand(true);
        command.build();
        let pages = pages(&command);
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        for command in &pages {
            let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
            let path = folder.join(format!("{name}.1"));
            let mut page = Vec::new();
            Page::new(command.clone()).render(&mut page)?;
            std::fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))?;
        }
        let count = words::counted(pages.len() as u64, "page");
        settings.output.print(format!("{count} in {}\n", folder.display()))?;
        Ok(Ending::Done)
    }
}

/// The command and its subcommands, each of which has a page.
fn pages(command: &clap::Command) -> Vec<clap::Command> {
    std::iter::once(command).chain(command.get_subcommands()).cloned().collect()
}
