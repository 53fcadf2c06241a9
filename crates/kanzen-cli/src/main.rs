//! The command `kanzen`: a face of the library. It turns arguments into questions and answers into words or JSON.

mod args;
mod commands;
mod exit;
mod opening;
mod output;
mod paint;
mod progress;
mod settings;
mod signals;
mod size;
mod table;
mod words;

use std::process::ExitCode;

use clap::Parser;

use args::Args;
use exit::Ending;
use settings::Settings;

fn main() -> ExitCode {
    exit::status(run())
}

fn run() -> anyhow::Result<Ending> {
    let args = Args::try_parse()?;
    let settings = Settings::new(args.common)?;
    args.command.run(&settings)
}
