//! `kanzen man`: prints the manual pages.

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
            let definition = settings.definition.clone().disable_help_subcommand(true);
            let statuses = paragraph(&definition, STATUSES).unwrap_or_default();
            settings.output.print(page(&definition, &statuses)?)?;
            return Ok(Ending::Done);
        };
        let mut command = settings.definition.clone().disable_help_subcommand(true);
        command.build();
        let pages = pages(&command);
        let statuses = paragraph(&command, STATUSES).unwrap_or_default();
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        for command in &pages {
            let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
            let path = folder.join(format!("{name}.1"));
            std::fs::write(&path, page(command, &statuses)?)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        let count = words::counted(pages.len() as u64, "page");
        settings.output.print(format!("{count} in {}\n", folder.display()))?;
        Ok(Ending::Done)
    }
}

/// The headings of `--help` that are sections of a page.
const EXAMPLE_LINES: &str = "Examples:\n";
const STATUSES: &str = "Exit status:\n";

/// A page with the sections that manual pages have.
fn page(command: &clap::Command, statuses: &str) -> anyhow::Result<Vec<u8>> {
    // What only holds for this build on this machine has no place in a page.
    let man = Page::new(command.clone().long_version(None::<&'static str>));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    for text in remarks(command) {
        page.extend(format!(".PP\n{}\n", escaped(&text)).bytes());
    }
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let verbatim = |title: &str, lines: &str| format!(".SH {title}\n.nf\n{}\n.fi\n", escaped(lines));
    page.extend(verbatim("\"EXIT STATUS\"", statuses).bytes());
    if let Some(examples) = paragraph(command, EXAMPLE_LINES) {
        page.extend(verbatim("EXAMPLES", &examples).bytes());
    }
    if command.get_version().is_some() {
        man.render_version_section(&mut page)?;
    }
    Ok(page)
}

fn after_help(command: &clap::Command) -> String {
    command.get_after_help().map(ToString::to_string).unwrap_or_default()
}

/// The lines under a heading after the options.
fn paragraph(command: &clap::Command, heading: &str) -> Option<String> {
    after_help(command).split("\n\n").find_map(|paragraph| paragraph.strip_prefix(heading).map(str::to_owned))
}

/// The text after the options without a heading.
fn remarks(command: &clap::Command) -> Vec<String> {
    let help = after_help(command);
    let paragraphs = help.split("\n\n").filter(|text| !text.starts_with(EXAMPLE_LINES) && !text.starts_with(STATUSES));
    paragraphs.filter(|text| !text.is_empty()).map(str::to_owned).collect()
}

/// Text for roff: what would be a request or an escape is neither.
fn escaped(text: &str) -> String {
    let line = |line: &str| {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The command and its subcommands, each of which has a page.
fn pages(command: &clap::Command) -> Vec<clap::Command> {
    std::iter::once(command).chain(command.get_subcommands()).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{NoGames, Program, definition};

    #[test]
    fn every_page_has_examples_and_exit_statuses() {
        let mut command =
            definition(&Program::new("kanzen", NoGames).commands(), &[], &[]).disable_help_subcommand(true);
        command.build();
        let statuses = paragraph(&command, STATUSES).unwrap();
        for command in pages(&command) {
            let page = String::from_utf8(page(&command, &statuses).unwrap()).unwrap();
            for section in [".SH NAME\n", ".SH SYNOPSIS\n", ".SH OPTIONS\n", ".SH EXAMPLES\n", ".SH \"EXIT STATUS\"\n"]
            {
                assert_eq!(page.matches(section).count(), 1, "{section}{page}");
            }
            assert!(!page.contains(".SH EXTRA") && !page.contains("checkpoint\\-seconds"), "{page}");
        }
    }

    #[test]
    fn nothing_is_taken_for_a_request() {
        assert_eq!(escaped(".so x\n'y\n  -a \\b"), "\\&.so x\n\\&'y\n  \\-a \\eb");
    }
}
