//! The catalogue together with what a data folder holds.

use std::path::Path;

use kanzen::catalogue::Entry;

use crate::catalogue;

/// The games of the catalogue, and those members of its endless families that are solved already.
pub fn listed(data: &Path) -> Vec<Box<dyn Entry>> {
    let mut games = catalogue::all();
    let mut names: Vec<String> = match std::fs::read_dir(data) {
        Ok(folders) => folders.flatten().filter_map(|folder| folder.file_name().into_string().ok()).collect(),
        Err(_) => Vec::new(), // no data folder yet: nothing is solved
    };
    names.sort();
    names.retain(|name| games.iter().all(|game| game.card().id != *name));
    games.extend(names.iter().filter_map(|name| catalogue::find(name).ok()).filter(|game| game.is_solved(data)));
    games
}
