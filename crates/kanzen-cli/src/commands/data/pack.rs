//! `kanzen data pack`: packs a database as one file.

use std::fs::File;
use std::path::Path;

use anyhow::Context;
use kanzen::catalogue::{Card, data};
use kanzen_core::human_bytes;
use serde_json::json;

use crate::archive::{Format, Packer};
use crate::commands::card::{Publication, markdown};
use crate::exit::{Ending, keeps_nothing};
use crate::progress::Progress;
use crate::settings::Settings;
use crate::signals::{self, Manner};
use crate::words;

/// The name of the data card in an archive.
const CARD: &str = "README.md";

/// Checks the database, and packs what is sound.
pub fn run(game: &str, to: &Path, settings: &Settings) -> anyhow::Result<Ending> {
    let format = Format::of(to)?;
    let card = Card::of(&*settings.program.games.find(game)?, &settings.data)?;
    signals::watch(settings.program.name, Manner::Concludes);
    let progress = Progress::new(game, settings.quiet);
    let checks = data::check(&settings.data, Some(game), &settings.budget, &progress).map_err(keeps_nothing)?;
    if let Some(damage) = checks.iter().filter(|check| check.finished).find_map(|check| check.damage.first()) {
        anyhow::bail!("{damage}");
    }
    pack(&card, format, to, settings).with_context(|| format!("cannot write {}", to.display()))?;
    drop(progress);
    let bytes = std::fs::metadata(to).map_or(0, |file| file.len());
    if settings.json {
        settings.output.json(&json!({ "game": game, "file": to, "bytes": bytes, "files": card.files.len() }))?;
    } else {
        let files = words::counted(card.files.len() as u64, "file");
        settings.output.print(format!("{game}: {files} in {}, {}\n", to.display(), human_bytes(bytes)))?;
    }
    Ok(Ending::Done)
}

fn pack(card: &Card, format: Format, to: &Path, settings: &Settings) -> anyhow::Result<()> {
    let mut packer = Packer::new(to, format, &card.game)?;
    let folder = settings.data.join(&card.game);
    for file in &card.files {
        let path = folder.join(&file.name);
        let open = File::open(&*path).with_context(|| format!("cannot read {}", path.display()))?;
        packer.add(&file.name, file.bytes, open)?;
        anyhow::ensure!(!signals::asked(), "stopped");
    }
    let about = markdown(card, &Publication::default(), settings.program.name);
    packer.add(CARD, about.len() as u64, about.as_bytes())?;
    packer.finish()
}
