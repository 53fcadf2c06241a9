//! The catalogue together with what a data folder holds.

use std::path::Path;

use kanzen::catalogue::Entry;

use crate::catalogue;

/// The games of the catalogue, and those members of its endless families that are solved already.
pub fn listed(data: &Path) -> Vec<Box<dyn Entry>> {
    let mut games = catalogue::all();
    let ids: Vec<&str> = games.iter().map(|game| game.card().id.as_str()).collect();
    let more = solved_besides(&ids, data);
    games.extend(more);
    games
}

/// Solved games of a data folder that are not among these.
pub fn solved_besides(ids: &[&str], data: &Path) -> Vec<Box<dyn Entry>> {
    let mut names: Vec<String> = match std::fs::read_dir(data) {
        Ok(folders) => folders.flatten().filter_map(|folder| folder.file_name().into_string().ok()).collect(),
        Err(_) => Vec::new(), // no data folder yet: nothing is solved
    };
    names.sort();
    names.retain(|name| !ids.contains(&name.as_str()));
    names.iter().filter_map(|name| catalogue::find(name).ok()).filter(|game| game.is_solved(data)).collect()
}
