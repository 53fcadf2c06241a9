//! Batch queries agree with single queries, and numbers with the positions they name.

use std::sync::Arc;

use std::path::Path;
use std::time::Duration;

use kanzen::catalogue::{Entry, Observation, Run, Solved, Verdict};
use kanzen::progress::{Silent, StopFlag};
use kanzen::{Budget, Error, Game};
use kanzen_core::index::Index;
use kanzen_games::catalogue;
use kanzen_games::morris::{Morris, MorrisIndex};
use kanzen_games::musashi::{Musashi, MusashiIndex};
use kanzen_games::nocca::{Nocca, NoccaIndex};
use kanzen_query::{Answer, Asked};

const BUDGET: Budget = Budget { threads: 2, memory: 1 << 30 };
/// One game of each kind of index: a list, planes, planes of losses and wins, omitted classes, scores.
const GAMES: [&str; 5] = ["tictactoe", "stones-21", "nocca-3x3", "morris-3", "othello-4x4"];

fn solved(id: &str, data: &Path) -> Solved {
    let entry: Arc<Entry> = catalogue::find(id).unwrap();
    entry.solve(data, &Run { budget: BUDGET, checkpoint_every: Duration::MAX, observer: &Silent }).unwrap();
    entry.open(data).unwrap()
}

fn values(solved: &Solved, query: Asked<'_>) -> Result<Vec<Verdict>, Error> {
    let mut found = Vec::new();
    solved.batch(&BUDGET, &Silent).values(query, &mut |answers: &[Answer]| {
        found.extend(answers.iter().map(|&answer| Verdict::from(answer)));
    })?;
    Ok(found)
}

#[test]
fn a_batch_agrees_with_single_queries() {
    let data = tempfile::tempdir().unwrap();
    for id in GAMES {
        let game = solved(id, data.path());
        let many = game.batch(&BUDGET, &Silent);
        let numbers = many.sample(3000, 7).unwrap();
        let texts = many.texts(Asked::Numbers(&numbers)).unwrap();
        let single = |text: &String| game.at(Some(text)).unwrap().verdict().unwrap();
        let expected: Vec<Verdict> = texts.iter().map(single).collect();
        assert_eq!(values(&game, Asked::Numbers(&numbers)).unwrap(), expected, "{id}");
        assert_eq!(values(&game, Asked::Texts(&texts)).unwrap(), expected, "{id}");
        let mut probed = Vec::new();
        let mut sink = |some| {
            probed.extend(some);
            Ok(())
        };
        many.moves(Asked::Numbers(&numbers), &mut sink).unwrap();
        for ((text, own), probed) in texts.iter().zip(&expected).zip(&probed).step_by(7) {
            let probe = game.at(Some(text)).unwrap().probe().unwrap();
            assert_eq!((&probed.position, &Verdict::from(probed.answer)), (text, own));
            let mut mine: Vec<_> = probed.moves.iter().map(|(mv, answer)| (mv, answer.value.outcome())).collect();
            let mut theirs: Vec<_> = probe.moves.iter().map(|choice| (&choice.mv, choice.value)).collect();
            mine.sort();
            theirs.sort();
            assert_eq!(mine, theirs, "{id} {text}");
        }
    }
}

#[test]
fn invalid_numbers_and_texts_are_refused() {
    let data = tempfile::tempdir().unwrap();
    let game = solved("tictactoe", data.path());
    let refusal = |query| values(&game, query).unwrap_err().to_string();
    assert_eq!(refusal(Asked::Numbers(&[3, 765])), "tictactoe has 765 numbered positions: there is no number 765");
    let texts = ["X../.../... O".to_owned(), "X".to_owned()];
    assert!(refusal(Asked::Texts(&texts)).ends_with("(text 1 of the batch)"));
    let stop = StopFlag::default();
    stop.raise();
    let stopped = game.batch(&BUDGET, &stop).values(Asked::Numbers(&[1]), &mut |_| {});
    assert!(matches!(stopped, Err(Error::Stopped)));
}

#[test]
fn a_sample_has_every_counted_position_once() {
    let data = tempfile::tempdir().unwrap();
    for id in ["tictactoe", "nocca-3x3", "morris-3"] {
        let game = solved(id, data.path());
        let mut all = game.batch(&BUDGET, &Silent).sample(usize::MAX >> 1, 1).unwrap();
        assert_eq!(all.len() as u64, game.stats().unwrap().positions, "{id}");
        let some = game.batch(&BUDGET, &Silent).sample(100, 1).unwrap();
        assert_eq!(some, all[..100.min(all.len())], "{id}");
        all.sort_unstable();
        assert!(all.is_sorted_by(|one, other| one < other), "{id}");
    }
}

/// Numbers sampled from a game unrank to positions that rank to them, and so do their mirror images.
fn lead_back<G: Game>(game: &G, index: &impl Index<G>, images: impl Fn(G::Position) -> Vec<G::Position>) {
    let all = index.positions();
    let step = (all / 5000).max(1);
    for number in (0..all).step_by(step as usize).chain(all.saturating_sub(300)..all).chain(0..all.min(300)) {
        let position = index.numbered(game, number).unwrap().unwrap();
        assert_eq!(index.number(game, position).unwrap(), Some(number), "{}", game.show(position));
        for image in images(position) {
            assert_eq!(index.number(game, image).unwrap(), Some(number), "{}", game.show(image));
        }
    }
}

#[test]
fn numbers_lead_to_positions_and_back() {
    for points in [25, 31, 33] {
        let game = Musashi::new(points).unwrap();
        lead_back(&game, &MusashiIndex::new(&game), |_| Vec::new());
    }
    for (rows, columns) in [(3, 2), (3, 3), (4, 4), (5, 3), (6, 5)] {
        let game = Nocca::new(rows, columns).unwrap();
        lead_back(&game, &NoccaIndex::new(&game), |board| vec![game.mirrored(board), game.turned(board)]);
    }
    for men in [3, 5, 6, 7] {
        let game = Morris::new(men).unwrap();
        lead_back(&game, &MorrisIndex::new(&game), |position| vec![game.canonical(position)]);
    }
}

#[test]
fn every_board_is_an_array_that_differs_from_others() {
    let data = tempfile::tempdir().unwrap();
    for id in ["tictactoe", "nocca-3x3", "morris-3"] {
        let entry = catalogue::find(id).unwrap();
        let observation = Observation::of(&entry).unwrap();
        let game = solved(id, data.path());
        let numbers = game.batch(&BUDGET, &Silent).sample(2000, 3).unwrap();
        let texts = game.batch(&BUDGET, &Silent).texts(Asked::Numbers(&numbers)).unwrap();
        let array = |text: &String| {
            let mut array = vec![0; observation.layers().len() * observation.cells()];
            observation.fill(text, &mut array).unwrap();
            array
        };
        let arrays: std::collections::HashSet<Vec<u8>> = texts.iter().map(array).collect();
        assert_eq!(arrays.len(), texts.len(), "{id}");
    }
    assert!(Observation::of(&catalogue::find("stones-21").unwrap()).is_err());
}
