//! `kanzen completions`: prints the completion script of a shell.

use clap::builder::{PossibleValue, TypedValueParser};
use clap_complete::Shell;

use crate::exit::Ending;
use crate::program::value_name;
use crate::settings::Settings;

const EXAMPLES: &str = "\
Commands and options are completed, in bash, zsh and fish also the names of the games.

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
        let names = settings.program.games.all().iter().map(|entry| kept(&entry.info().id)).collect();
        settings.output.print(script(self.shell, &settings.definition, settings.program.name, &Names(names)))?;
        Ok(Ending::Done)
    }
}

fn script(shell: Shell, definition: &clap::Command, program: &str, names: &Names) -> Vec<u8> {
    let mut definition = completed(definition, names);
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut definition, program, &mut script);
    if shell == Shell::Fish {
        // Of the shells that could, this is the one for which clap leaves out the words that are no options.
        let asks = |command: &&clap::Command| command.get_positionals().any(|word| value_name(word) == Some("GAME"));
        let commands: Vec<&str> = definition.get_subcommands().filter(asks).map(clap::Command::get_name).collect();
        let (commands, names) = (commands.join(" "), names.0.join(" "));
        let line = format!("complete -c {program} -n \"__fish_seen_subcommand_from {commands}\" -f -a \"{names}\"\n");
        script.extend(line.bytes());
    }
    script
}

/// The definition without what is hidden from people, and with the games that there are.
fn completed(command: &clap::Command, names: &Names) -> clap::Command {
    let arguments = command.get_arguments().filter(|arg| !arg.is_hide_set()).cloned();
    let with_names = |arg: clap::Arg| match value_name(&arg) {
        Some("GAME") => arg.value_parser(names.clone()),
        _ => arg,
    };
    let mut visible = clap::Command::new(kept(command.get_name())).args(arguments.map(with_names));
    if let Some(about) = command.get_about() {
        visible = visible.about(about.clone());
    }
    if let Some(version) = command.get_version() {
        visible = visible.version(kept(version));
    }
    let commands = command.get_subcommands().filter(|command| !command.is_hide_set());
    visible.subcommands(commands.map(|command| completed(command, names)))
}

/// A text for as long as the program runs, which is all that clap takes: it prints a script and ends.
fn kept(text: &str) -> &'static str {
    String::leak(text.to_owned())
}

/// The names that are offered; any other may be typed as well.
#[derive(Clone)]
struct Names(Vec<&'static str>);

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(
        &self,
        _: &clap::Command,
        _: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        Ok(value.to_string_lossy().into_owned())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().copied().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{NoGames, Program, definition};

    #[test]
    fn games_are_completed_and_hidden_options_are_not() {
        let definition = definition(&Program::new("kanzen", NoGames).commands(), &[], &[]);
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let script = script(shell, &definition, "kanzen", &Names(vec!["dodgem-4"]));
            let script = String::from_utf8(script).unwrap();
            assert!(script.contains("--json") || script.contains("-l json"), "{shell}");
            assert!(!script.contains("checkpoint-seconds"), "{shell}");
            // These two complete options only.
            if !matches!(shell, Shell::PowerShell | Shell::Elvish) {
                assert!(script.contains("dodgem-4"), "{shell}\n{script}");
            }
        }
    }
}
