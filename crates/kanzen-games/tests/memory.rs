//! Solves stay within the memory that their solvers reserved: the smallest games of `cargo bench --bench memory`.

#[path = "../benches/memory/case.rs"]
mod case;

use std::process::Command;

use case::Case;

/// Says to the process of a test which game it is to solve.
const GAME: &str = "KANZEN_MEMORY_OF";

#[test]
fn a_solve_takes_no_more_memory_than_it_reserved() {
    if let Some(id) = std::env::var_os(GAME) {
        return Case::solve(&id.to_string_lossy(), 2).unwrap();
    }
    for id in ["tictactoe", "stones-2000", "rules:nocca-3x3", "nocca-3x4", "morris-3", "morris-5", "othello-4x4"] {
        let mut process = Command::new(std::env::current_exe().unwrap());
        let case = Case::of(process.env(GAME, id).arg("--nocapture")).unwrap();
        let Case { reserved, peak, seconds } = case;
        assert!(case.holds(), "{id} reserved {reserved} bytes and took {peak}, in {seconds} s");
    }
}
