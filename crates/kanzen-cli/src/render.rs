//! Help and version as a program renders them: written for `kanzen` and its games, shown by another program with its own.

use clap::Command;
use kanzen::machine::cpu::Isa;

use crate::program::Program;

/// The name that help is written with.
const WRITTEN_FOR: &str = "kanzen";

/// The definition of a command line under the program's name, with its own game in the examples.
pub fn help(definition: Command, program: &Program) -> Command {
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
fn with_examples(command: Command, name: &str, examples: &str) -> Command {
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
pub fn long_version() -> &'static str {
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
    use crate::program::{NoGames, definition};

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
