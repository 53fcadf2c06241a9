//! Who uses whom, and who may.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;

use super::files::{File, sources};
use crate::problem::Problem;

/// The rooms of the library, each of which may use those before it.
pub const ROOMS: [&str; 8] = ["vocabulary", "machine", "rules", "index", "solve", "store", "query", "catalogue"];
/// Those outside that use them, after the rooms.
pub const OUTSIDE: [&str; 2] = ["games", "faces"];
/// The packages that are faces.
const FACE_PACKAGES: [&str; 4] = ["kanzen-cli", "kanzen-web", "kanzen-py", "kanzen-wasm"];

const LIBRARY: &str = "crates/kanzen/src";
const GAMES: usize = 8;
const FACES: usize = 9;

/// What a face may use that is in none of its rooms, and why. A line that nothing needs any more is a problem too.
const EXCEPTIONS: &[Exception] = &[];

struct Exception {
    /// The file, or the folder.
    file: &'static str,
    /// What it uses.
    path: &'static str,
    why: &'static str,
}

/// The rooms as the code has them.
#[derive(Default)]
pub struct House {
    /// How many sources each room has, and each of those outside.
    pub files: [usize; ROOMS.len() + OUTSIDE.len()],
    /// How many sources of one (the first) use another.
    pub uses: BTreeMap<(usize, usize), usize>,
    /// What is against the order, a problem each.
    pub offences: Vec<Problem>,
}

/// Reads the code of a checkout.
pub fn survey(root: &Path) -> Result<House> {
    survey_with(root, EXCEPTIONS)
}

fn survey_with(root: &Path, exceptions: &[Exception]) -> Result<House> {
    let library = sources(root, LIBRARY)?;
    let door = Door::of(&library);
    let mut house = House::default();
    for file in &library {
        let Some(room) = file.module.first().and_then(|name| room(name)) else { continue }; // the door
        house.add(file, room, "crate", &door, |to, _| to <= room);
    }
    let catalogue = ROOMS.len() - 1;
    for file in sources(root, "crates/kanzen-games/src")? {
        let front_desk = matches!(file.module.first().map(String::as_str), None | Some("catalogue"));
        house.add(&file, GAMES, "kanzen", &door, |to, _| to != catalogue || front_desk);
    }
    let mut needed = vec![false; exceptions.len()];
    for package in FACE_PACKAGES {
        let folder = &format!("crates/{package}/src");
        for file in sources(root, folder)? {
            house.add(&file, FACES, "kanzen", &door, |to, path| {
                let fits =
                    |exception: &Exception| file.name.starts_with(exception.file) && path.starts_with(exception.path);
                let excepted = exceptions.iter().position(fits).inspect(|&number| needed[number] = true);
                matches!(ROOMS[to], "vocabulary" | "machine" | "query" | "catalogue") || excepted.is_some()
            });
            house.only_programs_have_games(&file);
        }
    }
    for (exception, _) in exceptions.iter().zip(needed).filter(|(_, needed)| !needed) {
        let message = format!("needs {} no more ({}): take the exception off the list", exception.path, exception.why);
        house.offences.push(Problem::with(exception.file, message));
    }
    Ok(house)
}

/// The number of a room.
fn room(name: &str) -> Option<usize> {
    ROOMS.iter().position(|room| *room == name)
}

impl House {
    /// Counts what a file uses, and notes what it may not.
    fn add(&mut self, file: &File, from: usize, top: &str, door: &Door, mut may: impl FnMut(usize, &str) -> bool) {
        self.files[from] += 1;
        let mut used = BTreeSet::new();
        for named in file.source.paths.iter().filter(|named| named.path[0] == top) {
            let Some(to) = named.path.get(1).and_then(|word| door.leads_to(word)) else { continue };
            let path = named.path.join("::");
            if !may(to, &path) {
                let (from, to) = (name(from), ROOMS[to]);
                let message = format!("{from} -> {to}, which it may not use: {path}");
                self.offences.push(Problem::at(&file.name, named.line, message));
            }
            if to != from {
                used.insert(to);
            }
        }
        for to in used {
            *self.uses.entry((from, to)).or_default() += 1;
        }
    }

    /// A face takes any catalogue: only a program knows which games it has.
    fn only_programs_have_games(&mut self, file: &File) {
        // What Python imports is a program too, and so is what a browser loads: one file says which games there are.
        let says = ["crates/kanzen-py/src/games.rs", "crates/kanzen-wasm/src/games.rs"].contains(&file.name.as_str());
        if file.module.first().is_some_and(|first| first == "bin") || says {
            return;
        }
        for named in file.source.paths.iter().filter(|named| named.path[0] == "kanzen_games") {
            let message = format!("faces -> games, which only a program may name: {}", named.path.join("::"));
            self.offences.push(Problem::at(&file.name, named.line, message));
        }
    }
}

/// What a number is called.
pub fn name(number: usize) -> &'static str {
    ROOMS.iter().chain(&OUTSIDE).nth(number).copied().unwrap_or_default()
}

/// What the top of the library offers from its rooms.
#[derive(Default)]
struct Door {
    names: BTreeMap<String, usize>,
    /// The room that it offers whole.
    whole: Option<usize>,
}

impl Door {
    fn of(library: &[File]) -> Door {
        let mut door = Door::default();
        for file in library {
            match file.module.first() {
                // A macro that is exported is at the top, wherever it is defined.
                Some(first) => {
                    let room = room(first);
                    door.names.extend(file.source.macros.iter().filter_map(|name| Some((name.clone(), room?))));
                }
                None => door.read(file),
            }
        }
        door
    }

    fn read(&mut self, lib: &File) {
        for named in &lib.source.paths {
            let words: Vec<&str> = named.path.iter().map(String::as_str).filter(|word| *word != "crate").collect();
            let (Some(room), Some(last)) = (words.first().and_then(|first| room(first)), words.last()) else {
                continue;
            };
            match *last {
                "*" => self.whole = Some(room),
                last => {
                    self.names.insert(named.renamed.clone().unwrap_or_else(|| last.to_owned()), room);
                }
            }
        }
    }

    /// The room that a name at the top comes from.
    fn leads_to(&self, word: &str) -> Option<usize> {
        room(word).or_else(|| self.names.get(word).copied()).or(self.whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A checkout with these sources, and a door that offers all of the vocabulary and the rules' `Game`.
    fn survey_of(sources: &[(&str, &str)], exceptions: &[Exception]) -> House {
        let folder = tempfile::tempdir().unwrap();
        let door = [("crates/kanzen/src/lib.rs", "pub use rules::{Game, view as board};\npub use vocabulary::*;")];
        for (name, text) in door.iter().chain(sources) {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        for package in FACE_PACKAGES.into_iter().chain(["kanzen-games"]) {
            std::fs::create_dir_all(folder.path().join("crates").join(package).join("src")).unwrap();
        }
        survey_with(folder.path(), exceptions).unwrap()
    }

    fn offences(sources: &[(&str, &str)]) -> Vec<String> {
        survey_of(sources, &[]).offences.iter().map(Problem::to_string).collect()
    }

    #[test]
    fn an_edge_against_the_order_is_told_with_its_line() {
        let job = "use crate::vocabulary::Error;\n\nfn f() { crate::query::probe() }";
        let told = "crates/kanzen/src/solve/job.rs:3: solve -> query, which it may not use: crate::query::probe";
        assert_eq!(offences(&[("crates/kanzen/src/solve/job.rs", job)]), [told]);
    }

    #[test]
    fn what_the_door_offers_is_known_by_its_room() {
        let house = survey_of(&[("crates/kanzen/src/machine/cpu.rs", "use crate::{Game, Value, board};")], &[]);
        assert_eq!(house.offences.len(), 2); // the rules come after the machine, the vocabulary before it
        assert_eq!(Vec::from_iter(house.uses.keys().copied()), [(1, 0), (1, 2)]);
    }

    #[test]
    fn a_macro_belongs_to_the_room_that_defines_it() {
        let sources = [
            ("crates/kanzen/src/machine/cpu.rs", "#[macro_export]\nmacro_rules! kernels { () => {} }"),
            ("crates/kanzen/src/vocabulary/value.rs", "crate::kernels! {}"),
        ];
        assert_eq!(offences(&sources).len(), 1);
    }

    #[test]
    fn a_game_does_not_know_the_catalogue_that_it_is_in() {
        let use_it = "use kanzen::catalogue::Entry;";
        assert_eq!(offences(&[("crates/kanzen-games/src/nocca/rules.rs", use_it)]).len(), 1);
        assert_eq!(offences(&[("crates/kanzen-games/src/catalogue.rs", use_it)]), [""; 0]);
    }

    #[test]
    fn a_face_knows_query_and_the_catalogue_and_no_games() {
        let sources = [
            ("crates/kanzen-web/src/api.rs", "use kanzen::{Budget, catalogue::Entry, query::Probe};"),
            ("crates/kanzen-cli/src/bin/kanzen/main.rs", "use kanzen_games::Games;"),
            ("crates/kanzen-py/src/games.rs", "use kanzen_games::Games;"),
        ];
        assert_eq!(offences(&sources), [""; 0]);
        let sources = [("crates/kanzen-web/src/api.rs", "use kanzen::store::Database;\nuse kanzen_games::Games;")];
        assert_eq!(offences(&sources).len(), 2);
    }

    #[test]
    fn an_exception_holds_as_long_as_it_is_needed() {
        let exception = || Exception { file: "crates/kanzen-web", path: "kanzen::store::Data", why: "for now" };
        let sources = [("crates/kanzen-web/src/api.rs", "use kanzen::store::Database;")];
        assert_eq!(survey_of(&sources, &[exception()]).offences, []);
        let told = survey_of(&[], &[exception()]).offences[0].to_string();
        assert!(told.starts_with("crates/kanzen-web: needs kanzen::store::Data no more (for now)"), "{told}");
    }
}
