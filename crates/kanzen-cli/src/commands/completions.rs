//! `kanzen completions`: what a shell needs to complete the command line.

use clap_complete::Shell;

use crate::exit::Ending;
use crate::settings::Settings;

const EXAMPLES: &str = "\
Examples:
  kanzen completions bash > ~/.local/share/bash-completion/completions/kanzen
  kanzen completions zsh > ~/.zfunc/_kanzen
  kanzen completions fish > ~/.config/fish/completions/kanzen.fish";

/// Write the completions of a shell to standard output
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Prints the script.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        settings.refuse_json("completions are a script")?;
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut settings.definition.clone(), settings.program.name, &mut script);
        settings.output.print(script)?;
        Ok(Ending::Done)
    }
}
