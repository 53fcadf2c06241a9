//! `kanzen site`: the explorer as files, without a server.

mod answers;
mod page;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use kanzen::Budget;
use kanzen::catalogue::{Catalogue, Entry, Listing, publish};
use kanzen_cli::{Ending, Settings, Size, open_entry};
use kanzen_core::{Deadline, human_bytes};
use kanzen_games::catalogue::Games;
use serde_json::{Map, Value as Json, json};

const EXAMPLES: &str = "\
Writes the page, a reader for browsers (WebAssembly), and for each game its database, statistics,
longest games and puzzles. Any host that answers Range requests can serve the folder, from any
place in it; no program runs there. Files of a database are hard links to those of the data folder
where the disk allows that, and copies elsewhere. --split cuts files into parts, for hosts that
limit them.

Examples:
  kanzen site site --games tictactoe,nocca-3x4
  kanzen site site --games musashi-33 --split 90M";

/// Write the explorer as files that any host can serve
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Site {
    /// The folder to write: a new one, or a site that was written before
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// Which games, of those that are solved; a small one is solved if it is not
    #[arg(long, value_name = "GAME", value_delimiter = ',', required = true)]
    games: Vec<String>,

    /// Cut files that are longer into parts of this length
    #[arg(long, value_name = "SIZE")]
    split: Option<Size>,

    /// How many puzzles of each game
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(0..=1000))]
    puzzles: u64,

    /// The reader for browsers, instead of the one in this program
    #[arg(long, value_name = "FILE")]
    wasm: Option<PathBuf>,
}

/// The shortest parts: a look-up must not need dozens.
const LEAST_PART: u64 = 1 << 16;
/// The file that marks a folder as a site; written last.
const SITE: &str = "site.json";

impl Site {
    /// Writes the site.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let split = self.split.map(|Size(bytes)| bytes);
        ensure!(split.is_none_or(|bytes| bytes >= LEAST_PART), "--split: a part has at least {LEAST_PART} bytes");
        let wasm = reader(self.wasm.as_deref())?;
        let mut games = self.games.clone();
        games.sort();
        games.dedup();
        // Errors of the options are reported before anything is written.
        let entries = games.iter().map(|id| ready(id, settings)).collect::<anyhow::Result<Vec<_>>>()?;
        begin(&self.out)?;
        page::write(&self.out, &wasm)?;
        let (mut files, mut bytes) = (Map::new(), 0);
        for entry in &entries {
            let id = &entry.info().id;
            if !settings.quiet {
                eprintln!("{id}");
            }
            let out = self.out.join("data").join(id);
            let published = publish(entry, &settings.data, &out, split)?;
            answers::write(entry, &settings.data, &out, self.puzzles as usize)?;
            bytes += published.bytes;
            let cut = published.cut.into_iter().map(|(name, bytes)| (name, bytes.into()));
            files.insert(id.clone(), Json::Object(cut.collect()));
        }
        let listed: Vec<Listing> = entries.iter().map(|entry| Listing::with_summary(entry, &settings.data)).collect();
        put(&self.out, "games.json", &serde_json::to_vec(&listed)?)?;
        let site = json!({ "version": env!("CARGO_PKG_VERSION"), "split": split, "files": files });
        put(&self.out, SITE, &serde_json::to_vec(&site)?)?;
        self.print_summary(&games, bytes, settings)
    }

    fn print_summary(&self, games: &[String], bytes: u64, settings: &Settings) -> anyhow::Result<Ending> {
        if settings.json {
            settings.output.json(&json!({ "site": self.out, "games": games, "bytes": bytes }))?;
        } else {
            let (out, size, count) = (self.out.display(), human_bytes(bytes), games.len());
            let games = if count == 1 { "one game".to_owned() } else { format!("{count} games") };
            settings
                .output
                .print(format!("{out}: {games}, {size}; copy it to any host that answers Range requests\n"))?;
        }
        Ok(Ending::Done)
    }
}

/// The reader for browsers: a file, or what this program was built with.
fn reader(file: Option<&Path>) -> anyhow::Result<Vec<u8>> {
    let bytes = match file {
        Some(file) => fs::read(file).with_context(|| format!("cannot read {}", file.display()))?,
        None => kanzen_web::WASM.to_vec(),
    };
    if bytes.is_empty() {
        bail!("this program was built without the reader for browsers: build it by scripts/wasm and give --wasm FILE");
    }
    ensure!(bytes.starts_with(b"\0asm"), "{}: not WebAssembly", file.unwrap_or(Path::new("the reader")).display());
    Ok(bytes)
}

/// A game whose answers are looked up in a database that is there.
fn ready(id: &str, settings: &Settings) -> anyhow::Result<Arc<Entry>> {
    let entry = Games.find(id)?;
    let solved = open_entry(&entry, settings)?;
    let searches = solved.bounded(&Budget::new(1, 0), &Deadline::none()).is_some();
    ensure!(!searches, "{id} answers by search, which takes a server: `kanzen serve` has it");
    Ok(entry)
}

/// Makes the folder, or clears the site that is in it; nothing else is ever removed.
fn begin(out: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", out.display());
    if out.join(SITE).is_file() {
        return fs::remove_dir_all(out).and_then(|()| fs::create_dir_all(out)).with_context(cannot);
    }
    let empty = fs::read_dir(out).map_or(Ok(true), |mut names| names.next().transpose().map(|name| name.is_none()));
    ensure!(empty.with_context(cannot)?, "{} is there already and is no site: give another folder", out.display());
    fs::create_dir_all(out).with_context(cannot)
}

/// Writes a file of the site, and the folders it is in.
fn put(folder: &Path, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let path = folder.join(name);
    let parent = path.parent().unwrap_or(folder);
    let written = fs::create_dir_all(parent).and_then(|()| fs::write(&path, bytes));
    written.with_context(|| format!("cannot write {}", path.display()))
}
