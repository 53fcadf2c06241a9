//! Othello boards that are answered by search.

use kanzen::progress::Silent;
use kanzen_games::catalogue;
use kanzen_query::Extent;

use super::solve::{BUDGET, solve};

#[test]
fn a_searched_board_answers_for_every_position_of_a_game() {
    let data = tempfile::tempdir().unwrap();
    let entry = catalogue::find("othello-4x5").unwrap();
    let report = solve(&entry, data.path());
    assert_eq!(report.initial.score, Some(16));
    let solved = entry.open(data.path()).unwrap();
    let line = solved.at(None).unwrap().line().unwrap();
    let last = line.line.last().unwrap();
    assert_eq!(solved.at(Some(&last.position)).unwrap().probe().unwrap().score.map(i16::abs), Some(16));
    let checked = solved.verify(Extent::Full, &BUDGET, &Silent).unwrap();
    assert!(checked.checked > 5 && checked.searched > 0 && checked.passed, "{checked:?}");
    // A position off the line is searched, its moves too.
    let off = solved.at(Some("...../.OXX./.XXO./..... O")).unwrap().probe().unwrap();
    assert_eq!(off.score, off.moves[0].score);
}

#[test]
fn odd_names_are_refused_in_one_line() {
    for id in ["othello-2x4", "othello-9x9", "othello-4", "othello-4x4-diagonal", "othello-04x4"] {
        let refusal = catalogue::find(id).err().unwrap().to_string();
        assert!(refusal.contains("at least 3 rows") && !refusal.contains('\n'), "{refusal}");
    }
}
