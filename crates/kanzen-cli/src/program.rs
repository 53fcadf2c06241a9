//! A program: the name of its command, and the games it offers.

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, CommandFactory, FromArgMatches};
use kanzen::catalogue::{Catalogue, GameOption};
use kanzen_core::machine::cpu::Isa;
use kanzen_store::{Disk, Vfs};

use crate::args::{self, Args, Common};
use crate::commands;
use crate::exit::{self, Ending};
use crate::out_of_memory;
use crate::settings::Settings;

/// A command line for a catalogue of games.
#[derive(Clone)]
pub struct Program {
    /// What one types to run it.
    pub name: &'static str,
    /// What it offers.
    pub games: Arc<dyn Catalogue>,
    /// Where its data folder is.
    pub(crate) vfs: Arc<dyn Vfs>,
    /// Its own commands, besides those that every catalogue has.
    own: Vec<Command>,
}

/// What a command does with its arguments.
type RunCommand = dyn Fn(&ArgMatches, &Settings) -> anyhow::Result<Ending> + Send + Sync;

/// A command: its name, its arguments, and what it does.
#[derive(Clone)]
pub struct Command {
    name: &'static str,
    arguments: fn(clap::Command) -> clap::Command,
    run: Arc<RunCommand>,
}

impl Command {
    /// A command that reads its arguments and runs.
    pub fn new<A: clap::Args + 'static>(
        name: &'static str,
        run: fn(A, &Settings) -> anyhow::Result<Ending>,
    ) -> Command {
        let run =
            Arc::new(move |matches: &ArgMatches, settings: &Settings| run(A::from_arg_matches(matches)?, settings));
        Command { name, arguments: A::augment_args, run }
    }
}

/// The definition of a command line. Only commands that some arguments may name get arguments of their own, or all of them
/// if none is named or one that describes the others.
pub fn definition(commands: &[Command], options: &[&'static GameOption], arguments: &[OsString]) -> clap::Command {
    let is_named = |command: &Command| arguments.iter().any(|word| word == command.name);
    let is_about_all = |command: &Command| ["completions", "man"].contains(&command.name) && is_named(command);
    let all = !commands.iter().any(is_named)
        || commands.iter().any(is_about_all)
        || arguments.iter().any(|word| word == "help");
    let subcommands = commands.iter().map(|command| {
        let bare = clap::Command::new(command.name);
        if all || is_named(command) { (command.arguments)(bare) } else { bare }
    });
    let definition = Args::command().subcommands(subcommands).subcommand_required(true).arg_required_else_help(true);
    args::with_options(definition, options)
}

impl Program {
    /// A program of a name, for these games.
    pub fn new(name: &'static str, games: impl Catalogue + 'static) -> Program {
        Program { name, games: Arc::new(games), vfs: Arc::new(Disk), own: Vec::new() }
    }

    /// The same with a command of its own.
    pub fn with(mut self, command: Command) -> Program {
        self.own.push(command);
        self
    }

    /// The same with its data folder on another file system: solves on it can be made to fail, in tests.
    pub fn on(self, vfs: Arc<dyn Vfs>) -> Program {
        Program { vfs, ..self }
    }

    /// Its commands, in the order of the help.
    pub(crate) fn commands(&self) -> Vec<Command> {
        [commands::all(), self.own.clone(), commands::about_all()].concat()
    }

    /// Does what the arguments of this process ask for.
    pub fn run(self) -> ExitCode {
        out_of_memory::name(self.name);
        self.status_of(std::env::args_os()).into()
    }

    /// Does what some arguments ask for, the name of the program first, and returns the exit status.
    pub fn status_of(self, arguments: impl IntoIterator<Item = OsString>) -> u8 {
        exit::status(&self, self.clone().act(arguments))
    }

    fn act(self, arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<Ending> {
        let (arguments, commands) = (arguments.into_iter().collect::<Vec<_>>(), self.commands());
        let definition = definition(&commands, &self.games.options(), &arguments);
        let definition = help(definition, &self).long_version(long_version());
        let matches = definition.clone().try_get_matches_from(arguments)?;
        let settings = Settings::new(Common::from_arg_matches(&matches)?, self, definition)?;
        let named = matches.subcommand();
        let found = named.and_then(|(name, of)| Some((commands.iter().find(|command| command.name == name)?, of)));
        match found {
            Some((command, matches)) => (command.run)(matches, &settings),
            // clap has refused everything else.
            None => anyhow::bail!("no such command"),
        }
    }
}

/// A catalogue without games.
#[cfg(test)]
pub struct NoGames;

#[cfg(test)]
impl Catalogue for NoGames {
    fn all(&self) -> Vec<Arc<kanzen::catalogue::Entry>> {
        Vec::new()
    }
}

/// The name that help is written with.
const WRITTEN_FOR: &str = "kanzen";

/// The definition of a command line under the program's name, with its own game in the examples.
fn help(definition: clap::Command, program: &Program) -> clap::Command {
    let name = program.name;
    if name == WRITTEN_FOR {
        return definition;
    }
    let game = program.games.all().first().map_or("GAME".to_owned(), |entry| entry.info().id.clone());
    let mut first_steps = vec![
        ("games".to_owned(), "what there is, and what it costs to solve"),
        (format!("count {game}"), "how many positions it has"),
        (format!("solve {game}"), "solve it; stopped with Ctrl-C, the same command goes on"),
        (format!("probe {game}"), "its value, its distance in plies, and the best moves"),
        (format!("line {game}"), "best play to the end"),
        (format!("play {game}"), "play against it"),
    ];
    if cfg!(feature = "serve") {
        first_steps.push(("serve --open".to_owned(), "the same and more, in the browser"));
    }
    let width = first_steps.iter().map(|(line, _)| line.len()).max().unwrap_or(0);
    let steps: String = first_steps.iter().map(|(line, does)| format!("  {name} {line:width$}  {does}\n")).collect();
    with_examples(definition, name, &steps)
        .name(name)
        .bin_name(name)
        .version(concat!("with Kanzen ", env!("CARGO_PKG_VERSION")))
        .mut_subcommands(|command| {
            let asks_for_a_game = command.get_positionals().any(|word| value_name(word) == Some("GAME"));
            let example = match asks_for_a_game {
                true => format!("  {name} {} {game}\n", command.get_name()),
                false => String::new(),
            };
            with_examples(command, name, &example)
        })
}

/// What stands for the value of an argument in help.
pub fn value_name(word: &clap::Arg) -> Option<&str> {
    word.get_value_names()?.first().map(|name| name.as_str())
}

/// A command whose help has this name, and these examples.
fn with_examples(command: clap::Command, name: &str, examples: &str) -> clap::Command {
    let after = command.get_after_help().map(|help| after_help(&help.to_string(), name, examples));
    let command = match after {
        Some(help) => command.after_help(help),
        None => command,
    };
    command.mut_args(|arg| match arg.get_help().map(|help| help.to_string().replace(WRITTEN_FOR, name)) {
        Some(help) => arg.help(help),
        None => arg,
    })
}

fn after_help(help: &str, name: &str, examples: &str) -> String {
    let paragraphs = help.split("\n\n").filter_map(|paragraph| match paragraph.starts_with("Examples:\n") {
        true if examples.is_empty() => None,
        true => Some(format!("Examples:\n{}", examples.trim_end_matches('\n'))),
        false => Some(paragraph.replace(WRITTEN_FOR, name)),
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// The version, the commit and target it was built from and for, its features, and the kernels it will use here. A text
/// for as long as the program runs, which is all that clap takes.
fn long_version() -> &'static str {
    let known: Vec<&str> = Isa::available().into_iter().map(Isa::name).collect();
    let features = match env!("KANZEN_FEATURES") {
        "" => "none",
        features => features,
    };
    String::leak(format!(
        "{}\ncommit    {}\ntarget    {}\nfeatures  {features}\nkernels   {}, of {}; KANZEN_CPU=portable or avx2 asks for others",
        env!("CARGO_PKG_VERSION"),
        env!("KANZEN_COMMIT"),
        env!("KANZEN_TARGET"),
        Isa::best().name(),
        known.join(", "),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(name: &'static str) -> clap::Command {
        help(definition(&Program::new(name, NoGames).commands(), &[], &[]), &Program::new(name, NoGames))
    }

    #[test]
    fn another_program_helps_under_its_own_name() {
        let mut own = rendered("dodgem");
        own.clone().debug_assert();
        let mut texts = vec![own.render_long_help().to_string()];
        texts.extend(own.get_subcommands_mut().map(|command| command.render_long_help().to_string()));
        assert!(texts[0].contains("  dodgem solve GAME    solve it;"), "{}", texts[0]);
        assert!(texts[0].contains("Exit status:"), "{}", texts[0]);
        let solve = texts.iter().find(|text| text.starts_with("Solve a game")).unwrap();
        assert!(solve.contains("checkpoint") && solve.contains("Examples:\n  dodgem solve GAME\n"), "{solve}");
        for text in &texts {
            assert!(!text.contains("kanzen "), "{text}");
            assert!(!text.contains("nocca") && !text.contains("tictactoe"), "{text}");
        }
    }
}
