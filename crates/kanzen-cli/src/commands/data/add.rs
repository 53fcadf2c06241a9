//! `kanzen data add`: imports a database from an archive or a folder.

use std::path::Path;

use kanzen_core::human_bytes;

use crate::archive::import;
use crate::exit::{Ending, keeps_nothing};
use crate::output::Tone;
use crate::progress::Progress;
use crate::settings::Settings;
use crate::signals::{self, Manner};
use crate::words;

/// Imports the database and prints a summary.
pub fn run(from: &Path, settings: &Settings) -> anyhow::Result<Ending> {
    signals::watch(settings.program.name, Manner::KeepsNothing);
    let imported = {
        let progress = Progress::new("data", settings.quiet);
        import(from, settings, &progress).map_err(keeps_nothing)?
    };
    if settings.json {
        settings.output.json(&imported)?;
        return Ok(Ending::Done);
    }
    let initial = imported.initial;
    let text = format!(
        "{}  {} of {}: every checksum fits{}\n  {} and the initial position is a {}, as its files state: `{} verify {} --full` compares them with the rules\n",
        settings.output.paint.text(Tone::Bold, &imported.game),
        words::counted(imported.files, "file"),
        human_bytes(imported.bytes),
        if imported.with_sha256 == imported.files { ", and its SHA-256" } else { "" },
        words::counted(imported.positions, "position"),
        words::value(initial.value, initial.distance, initial.score),
        settings.program.name,
        imported.game,
    );
    settings.output.print(text)?;
    Ok(Ending::Done)
}
