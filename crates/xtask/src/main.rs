//! Maintenance of the repository, as `cargo xtask COMMAND`.
//!
//! A check prints one line for each problem and exits with 1; one that cannot run exits with 2.

mod book;
mod dependencies;
mod figures;
mod licences;
mod notices;
mod problem;
mod record;
mod sbom;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;

use problem::Problem;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  licences                    check that docs/licences.txt allows the licence of every dependency
  dependencies                check that docs/dependencies.md has one row for each direct dependency
  figures [--check]           generate the tables of README.md and docs/ from results/, or check them
  book [--check]              copy the pages of docs/ to where mdBook reads them, or check their list and links
  sbom TARGET                 print the packages linked into the command for a target, as CycloneDX JSON
  notices TARGET              print the licences of the same packages, in full
  record NAME -- COMMAND...   run a command; record output, time, memory and machine as results/NAME.json";

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
        ["figures"] => figures::write(&root),
        ["figures", "--check"] => figures::check(&root),
        ["book"] => book::write(&root),
        ["book", "--check"] => book::check(&root),
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
