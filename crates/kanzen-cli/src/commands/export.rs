//! `kanzen export`: rows of the whole database as a file that other programs read.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use kanzen::Error;
use kanzen::catalogue::Rows;
use kanzen::query;
use kanzen::query::find::{Cell, Kind, Row};

use super::find::Extent;
use crate::exit::Ending;
use crate::files::Beside;
use crate::naming::Naming;
use crate::open_game::open_game;
use crate::progress::Progress;
use crate::rows::{csv, json_line};
use crate::settings::Settings;
use crate::signals::{self, Manner};
use crate::words;

const EXAMPLES: &str = "\
The ending of the file says what it is: .csv or .jsonl. It is written beside its name and gets it when it is
whole; a full disk or Ctrl-C leaves nothing behind. Columns and conditions are those of `kanzen find`.

Examples:
  kanzen export tictactoe --to tictactoe.csv
  kanzen export nocca-3x4 --to wins.jsonl --where \"value = 'win'\" --columns position,distance,wins";

/// Write positions of the whole database to a file
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Export<N: Naming> {
    #[command(flatten)]
    game: N,

    /// The file: .csv or .jsonl
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    /// Only positions that fulfil a condition: the WHERE clause of SQL
    #[arg(long = "where", value_name = "EXPR")]
    condition: Option<String>,

    /// Columns, separated by commas [default: position,value,distance]
    #[arg(long, value_name = "A,B")]
    columns: Option<String>,

    #[command(flatten)]
    extent: Extent,
}

/// What a file is, by its ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Csv,
    JsonLines,
}

impl Format {
    fn of(path: &Path) -> anyhow::Result<Format> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => Ok(Format::Csv),
            Some("jsonl") => Ok(Format::JsonLines),
            Some("parquet" | "arrow") => {
                anyhow::bail!("{}: this build writes .csv and .jsonl, not yet .parquet or .arrow", path.display())
            }
            _ => anyhow::bail!("{}: the ending says what is written, .csv or .jsonl", path.display()),
        }
    }
}

/// A file that takes rows.
struct Table {
    file: Beside,
    format: Format,
    columns: Vec<(String, Kind)>,
    failure: Option<std::io::Error>,
}

impl Table {
    fn put(&mut self, text: &str) -> Result<(), Error> {
        self.file.write_all(text.as_bytes()).map_err(|failure| {
            self.failure = Some(failure);
            Error::Stopped
        })
    }

    fn heading(&mut self, columns: &[(String, Kind)]) -> Result<(), Error> {
        self.columns = columns.to_vec();
        match self.format {
            Format::Csv => self.put(&csv(columns.iter().map(|(name, _)| name.clone()))),
            Format::JsonLines => Ok(()),
        }
    }

    fn row(&mut self, row: &Row) -> Result<(), Error> {
        let text = match self.format {
            Format::Csv => csv(row.cells.iter().map(Cell::to_string)),
            Format::JsonLines => json_line(&self.columns, row),
        };
        self.put(&text)
    }
}

impl<N: Naming> Export<N> {
    /// Writes the file and says what is in it.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let format = Format::of(&self.to)?;
        let game = self.game.id()?;
        let solved = open_game(&game, settings)?;
        let mut find = query::Find {
            condition: self.condition.unwrap_or_default(),
            columns: self.columns,
            ..query::Find::default()
        };
        self.extent.apply(&mut find);
        let file = Beside::create(&self.to)?;
        let table = std::cell::RefCell::new(Table { file, format, columns: Vec::new(), failure: None });
        signals::watch(settings.program.name, Manner::Concludes);
        let report = {
            let progress = Progress::new(&game, settings.quiet);
            let mut heading = |columns: &[_]| table.borrow_mut().heading(columns);
            let mut row = |row: Row| table.borrow_mut().row(&row);
            solved.find(&find, &settings.budget, &progress, &mut Rows { heading: &mut heading, row: &mut row })
        };
        let table = table.into_inner();
        if let Some(failure) = table.failure {
            return Err(failure).with_context(|| format!("cannot write {}", self.to.display()));
        }
        let report = report?;
        if report.stopped {
            eprintln!("{}: stopped; {} was not written", settings.program.name, self.to.display());
            return Ok(Ending::Interrupted);
        }
        table.file.finish()?;
        if settings.json {
            settings.output.json(&report)?;
        } else {
            let rows = words::counted(report.count, "position");
            settings.output.print(format!("{rows} in {}\n", self.to.display()))?;
        }
        Ok(Ending::Done)
    }
}
