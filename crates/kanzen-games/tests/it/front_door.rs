//! A game with an index of its own through the front door of the library.

use std::fs;

use kanzen::conformance::reference;
use kanzen::{Game, Solve};
use kanzen_games::catalogue;
use kanzen_games::nocca::{Nocca, Sweeps};

use super::databases::solve::{BUDGET, solve};

#[test]
fn nocca_in_memory_has_the_values_of_the_plain_solver_and_the_bytes_of_the_command() {
    let game = Nocca::new(3, 3).unwrap();
    let table = Solve::with(&game, Sweeps).name("nocca-3x3").threads(2).memory(BUDGET.memory).run().unwrap();
    let expected = reference::solve(&game);
    assert!(expected.len() > 1000);
    for (key, value) in expected {
        let position = game.unpack(key as _);
        assert_eq!(table.value(position).unwrap(), value, "{}", game.show(position));
    }
    let best = table.moves(game.initial()).unwrap()[0].1;
    assert_eq!(table.value(game.initial()).unwrap(), best);

    let [saved, folder] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    table.save(saved.path()).unwrap();
    solve(&catalogue::find("nocca-3x3").unwrap(), folder.path());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder.path().join("nocca-3x3")).unwrap() {
        names.push(entry.unwrap().file_name());
    }
    assert!(names.len() > 1);
    for name in &names {
        let read = |data: &tempfile::TempDir| fs::read(data.path().join("nocca-3x3").join(name)).unwrap();
        assert!(read(&saved) == read(&folder), "{name:?}");
    }
    assert_eq!(fs::read_dir(saved.path().join("nocca-3x3")).unwrap().count(), names.len());
}
