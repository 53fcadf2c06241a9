//! `kanzen data add`: a database that somebody else has made.

use std::path::Path;

use kanzen::human_bytes;

use crate::archive::move_in;
use crate::exit::{Ending, keeps_nothing};
use crate::paint::Tone;
use crate::progress::Progress;
use crate::settings::Settings;
use crate::signals::{self, Manner};
use crate::words;

/// Moves it in and tells what it is.
pub fn run(from: &Path, settings: &Settings) -> anyhow::Result<Ending> {
    signals::watch(settings.program.name, Manner::KeepsNothing);
    let arrived = {
        let progress = Progress::new("data", settings.quiet);
        move_in(from, settings, &progress).map_err(keeps_nothing)?
    };
    if settings.json {
        settings.output.json(&arrived)?;
        return Ok(Ending::Done);
    }
    let initial = arrived.initial;
    let text = format!(
        "{}  {} of {}: every checksum fits{}\n  {} and the initial position is a {}, as they say: `{} verify {} --full` compares them with the rules\n",
        settings.output.paint.text(Tone::Bold, &arrived.game),
        words::counted(arrived.files, "file"),
        human_bytes(arrived.bytes),
        if arrived.with_sha256 == arrived.files { ", and its SHA-256" } else { "" },
        words::counted(arrived.positions, "position"),
        words::value(initial.value, initial.distance, initial.score),
        settings.program.name,
        arrived.game,
    );
    settings.output.print(text)?;
    Ok(Ending::Done)
}
