//! Care of the repository, as `cargo xtask COMMAND`.
//!
//! A check prints one line for each thing that is wrong and exits with 1; what cannot be checked at all exits with 2.

mod book;
mod dependencies;
mod figures;
mod licences;
mod notices;
mod problem;
mod record;
mod rooms;
mod sbom;
mod workspace;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use problem::Problem;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  licences                    every dependency has a licence that docs/licences.txt allows
  dependencies                docs/dependencies.md has a row for each direct dependency, and no other row
  rooms [--check]             draw who uses whom into docs/rooms.md, or see that it is true; nobody may use a later room
  figures [--check]           write the figures of README.md and docs/ from results/, or see that they agree
  book [--check]              put the pages of docs/ where mdBook wants them, or see that all are listed and linked
  book --site DIR             every link of what mdBook has made leads somewhere
  sbom TARGET                 list what is linked into the command for a target, as CycloneDX JSON
  notices TARGET              the licences of the same, in full
  record NAME -- COMMAND...   run a command and keep its output, time, memory and machine as results/NAME.json";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(problems) if problems.is_empty() => ExitCode::SUCCESS,
        Ok(problems) => {
            for problem in problems {
                eprintln!("{problem}");
            }
            ExitCode::from(1)
        }
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(words: &[&str]) -> Result<Vec<Problem>> {
    let root = workspace::root()?;
    match words {
        ["licences"] => licences::check(&root),
        ["dependencies"] => dependencies::check(&root),
        ["rooms"] => rooms::write(&root),
        ["rooms", "--check"] => rooms::check(&root),
        ["figures"] => figures::write(&root),
        ["figures", "--check"] => figures::check(&root),
        ["book"] => book::write(&root),
        ["book", "--check"] => book::check(&root),
        ["book", "--site", site] => book::check_site(Path::new(site)),
        ["sbom", target] => {
            print!("{}", sbom::sbom(&root, target)?);
            Ok(Vec::new())
        }
        ["notices", target] => {
            print!("{}", notices::notices(&root, target)?);
            Ok(Vec::new())
        }
        ["record", name, "--", command @ ..] if !command.is_empty() => {
            record::record(&root, name, command).map(|()| Vec::new())
        }
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(Vec::new())
        }
        _ => anyhow::bail!("bad usage\n{USAGE}"),
    }
}
