//! `kanzen export`: writes rows of the whole database to a file that other programs read.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use kanzen::Error;
use kanzen::catalogue::Rows;
use kanzen_query as query;
use kanzen_query::find::{Cell, Kind, Row};

use super::find::Extent;
use crate::args::GameArg;
#[cfg(feature = "dataframes")]
use crate::columnar::{ColumnFile, Container};
use crate::exit::Ending;
use crate::files::AtomicFile;
use crate::open_game::open_entry;
use crate::progress::Progress;
use crate::rows::{csv, json_line};
use crate::settings::Settings;
use crate::signals::{self, Manner};
use crate::words;

const EXAMPLES: &str = "\
The ending of the file selects the format: .parquet, .arrow, .csv or .jsonl. It is written under a
temporary name and renamed when it is complete; a full disk or Ctrl-C leaves nothing behind. Columns
and conditions are those of `kanzen find`.

Examples:
  kanzen export tictactoe --to tictactoe.csv
  kanzen export nocca-3x4 --to nocca.parquet --columns position,value,distance,moves,only_move
  kanzen export nocca-3x4 --to wins.jsonl --where \"value = 'win'\" --columns position,distance,wins";

/// Write positions of the whole database to a file
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Export {
    #[command(flatten)]
    game: GameArg,

    /// The file: .parquet, .arrow, .csv or .jsonl
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
    #[cfg(feature = "dataframes")]
    Columns(Container),
}

impl Format {
    fn of(path: &Path) -> anyhow::Result<Format> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => Ok(Format::Csv),
            Some("jsonl") => Ok(Format::JsonLines),
            #[cfg(feature = "dataframes")]
            Some("parquet") => Ok(Format::Columns(Container::Parquet)),
            #[cfg(feature = "dataframes")]
            Some("arrow") => Ok(Format::Columns(Container::Arrow)),
            #[cfg(not(feature = "dataframes"))]
            Some("parquet" | "arrow") => {
                anyhow::bail!(
                    "{}: this program was built without the feature `dataframes`; releases have it, and `cargo install \
                     kanzen-cli --features dataframes`",
                    path.display()
                )
            }
            _ => anyhow::bail!("{}: the ending selects the format, .parquet, .arrow, .csv or .jsonl", path.display()),
        }
    }
}

/// A file that takes rows.
struct Table {
    format: Format,
    body: Body,
    columns: Vec<(String, Kind)>,
    failure: Option<anyhow::Error>,
}

/// What is written.
enum Body {
    /// Lines, or nothing yet.
    Lines(AtomicFile),
    #[cfg(feature = "dataframes")]
    Columns(ColumnFile),
    /// Nothing any more.
    #[cfg_attr(not(feature = "dataframes"), expect(dead_code, reason = "lines begin with the file"))]
    Failed,
}

impl Table {
    fn new(file: AtomicFile, format: Format) -> Table {
        Table { format, body: Body::Lines(file), columns: Vec::new(), failure: None }
    }

    /// Keeps the error and stops the search.
    fn kept(&mut self, written: anyhow::Result<()>) -> Result<(), Error> {
        written.map_err(|failure| {
            self.failure = Some(failure);
            Error::Stopped
        })
    }

    fn put(&mut self, text: &str) -> Result<(), Error> {
        let written = match &mut self.body {
            Body::Lines(file) => file.write_all(text.as_bytes()).map_err(anyhow::Error::from),
            _ => Ok(()),
        };
        self.kept(written)
    }

    fn heading(&mut self, columns: &[(String, Kind)]) -> Result<(), Error> {
        self.columns = columns.to_vec();
        match self.format {
            Format::Csv => self.put(&csv(columns.iter().map(|(name, _)| name.clone()))),
            Format::JsonLines => Ok(()),
            #[cfg(feature = "dataframes")]
            Format::Columns(container) => {
                let Body::Lines(file) = std::mem::replace(&mut self.body, Body::Failed) else { return Ok(()) };
                let begun = ColumnFile::new(file, container, columns).map(|file| self.body = Body::Columns(file));
                self.kept(begun)
            }
        }
    }

    fn row(&mut self, row: &Row) -> Result<(), Error> {
        match self.format {
            Format::Csv => self.put(&csv(row.cells.iter().map(Cell::to_string))),
            Format::JsonLines => self.put(&json_line(&self.columns, row)),
            #[cfg(feature = "dataframes")]
            Format::Columns(_) => {
                let Body::Columns(file) = &mut self.body else { return Ok(()) };
                let written = file.push(row);
                self.kept(written)
            }
        }
    }

    fn finish(self) -> anyhow::Result<()> {
        match self.body {
            Body::Lines(file) => file.finish(),
            #[cfg(feature = "dataframes")]
            Body::Columns(file) => file.finish()?.finish(),
            Body::Failed => Ok(()),
        }
    }
}

impl Export {
    /// Writes the file and prints a summary.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let format = Format::of(&self.to)?;
        let entry = self.game.entry(settings)?;
        let game = entry.info().id.as_str();
        let solved = open_entry(&entry, settings)?;
        let mut find = query::Find {
            condition: self.condition.unwrap_or_default(),
            columns: self.columns,
            ..query::Find::default()
        };
        self.extent.apply(&mut find);
        let file = AtomicFile::create(&self.to)?;
        let table = std::cell::RefCell::new(Table::new(file, format));
        signals::watch(settings.program.name, Manner::Concludes);
        let report = {
            let progress = Progress::new(game, settings.quiet);
            let mut heading = |columns: &[_]| table.borrow_mut().heading(columns);
            let mut row = |row: Row| table.borrow_mut().row(&row);
            solved.find(&find, &settings.budget, &progress, &mut Rows { heading: &mut heading, row: &mut row })
        };
        let mut table = table.into_inner();
        let context = || format!("cannot write {}", self.to.display());
        if let Some(failure) = table.failure.take() {
            return Err(failure).with_context(context);
        }
        let report = report?;
        if report.stopped {
            eprintln!("{}: stopped; {} was not written", settings.program.name, self.to.display());
            return Ok(Ending::Interrupted);
        }
        table.finish().with_context(context)?;
        if settings.json {
            settings.output.json(&report)?;
        } else {
            let rows = words::counted(report.count, "position");
            settings.output.print(format!("{rows} in {}\n", self.to.display()))?;
        }
        Ok(Ending::Done)
    }
}
