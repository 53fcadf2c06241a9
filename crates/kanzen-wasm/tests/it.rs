//! Answers from fetched ranges equal those of the whole database, in few round trips; damaged data is an error.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kanzen::Budget;
use kanzen::catalogue::{Catalogue, Entry, Run, Solved, publish};
use kanzen::progress::Silent;
use kanzen_games::catalogue::Games;
use kanzen_wasm::fetching::Fetcher;
use kanzen_wasm::{Ask, Question};
use serde_json::Value as Json;
use tempfile::TempDir;

/// A solved game and its database as published on a site.
struct Trial {
    game: Arc<Entry>,
    solved: Solved,
    site: TempDir,
    _data: TempDir,
}

impl Trial {
    fn of(id: &str) -> Trial {
        let (data, site) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let game = Games.find(id).unwrap();
        let run = Run { budget: Budget::new(2, 1 << 30), checkpoint_every: Duration::MAX, observer: &Silent };
        game.solve(data.path(), &run).unwrap();
        publish(&game, data.path(), site.path(), None).unwrap();
        let solved = game.open(data.path()).unwrap();
        Trial { game, solved, site, _data: data }
    }

    fn fetcher(&self) -> Fetcher {
        let pack = std::fs::read(self.site.path().join("open.pack")).unwrap();
        Fetcher::new(self.site.path().to_owned(), pack)
    }

    /// Returns random positions of the database.
    fn positions(&self, count: usize) -> Vec<String> {
        let budget = Budget::new(2, 1 << 30);
        let numbers = self.solved.batch(&budget, &Silent).sample(count, 3).unwrap();
        self.solved.batch(&budget, &Silent).texts(kanzen_query::Asked::Numbers(&numbers)).unwrap()
    }

    fn question(&self, ask: Ask, position: &str) -> Question {
        let game = self.game.info().id.clone();
        Question { ask, game, position: Some(position.to_owned()), ..Question::default() }
    }
}

fn json(answer: &impl serde::Serialize) -> Json {
    serde_json::to_value(answer).unwrap()
}

const GAMES: [&str; 6] = ["tictactoe", "stones-21", "nocca-3x3", "nocca-3x4", "morris-5", "othello-4x4"];

#[test]
fn probes_lines_traps_and_replies_equal_those_of_the_whole_database() {
    for id in GAMES {
        let trial = Trial::of(id);
        let mut fetcher = trial.fetcher();
        for position in trial.positions(60) {
            let at = trial.solved.at(Some(&position)).unwrap();
            let mut answer = |question: Question| fetcher.ask(&question).unwrap().unwrap();
            assert_eq!(answer(trial.question(Ask::Probe, &position)), json(&at.probe().unwrap()), "{id} {position}");
            let traps = Question { traps: Some(4), ..trial.question(Ask::Probe, &position) };
            assert_eq!(answer(traps), json(&at.probe_traps(4).unwrap()), "{id} {position}");
            assert_eq!(answer(trial.question(Ask::Line, &position)), json(&at.line().unwrap()), "{id} {position}");
            let style =
                |style: &str| Question { style: Some(style.into()), seed: 9, ..trial.question(Ask::Reply, &position) };
            for name in ["solid", "uniform", "trap", "patient", "reads:2"] {
                let reply = at.reply(name.parse().unwrap(), &[], 9).unwrap();
                assert_eq!(answer(style(name)), json(&reply), "{id} {position} {name}");
            }
        }
    }
}

#[test]
fn the_initial_position_needs_the_pack_only_and_a_probe_few_round_trips() {
    for id in GAMES {
        let trial = Trial::of(id);
        let mut fetcher = trial.fetcher();
        fetcher.probe(id, None).unwrap().unwrap();
        assert_eq!((fetcher.cost.requests, fetcher.cost.waves), (1, 1), "{id}");
        for position in trial.positions(40) {
            let mut alone = trial.fetcher();
            alone.probe(id, None).unwrap().unwrap();
            let before = alone.cost;
            alone.probe(id, Some(&position)).unwrap().unwrap();
            assert!(alone.cost.waves - before.waves <= 3, "{id} {position}: {:?}", alone.cost);
            assert!(alone.cost.requests - before.requests <= 40, "{id} {position}: {:?}", alone.cost);
        }
    }
}

#[test]
fn bad_questions_have_the_status_of_the_http_api() {
    let trial = Trial::of("nocca-3x3");
    let mut fetcher = trial.fetcher();
    let bad = fetcher.probe("nocca-3x3", Some("nonsense")).unwrap().unwrap_err();
    assert_eq!((bad.0, bad.1), (400, trial.solved.at(Some("nonsense")).err().unwrap().to_string()));
    assert_eq!(fetcher.probe("chess", None).unwrap().unwrap_err().0, 404);
    let both = Question {
        style: Some("trap".into()),
        level: Some("3".into()),
        ..trial.question(Ask::Reply, &trial.game.initial())
    };
    assert_eq!(fetcher.ask(&both).unwrap().unwrap_err().0, 400);
}

#[test]
fn a_flipped_byte_is_an_error_or_changes_nothing() {
    let trial = Trial::of("nocca-3x4");
    let positions = trial.positions(30);
    let expected: Vec<Json> =
        positions.iter().map(|text| json(&trial.solved.at(Some(text)).unwrap().probe().unwrap())).collect();
    let mut refused = 0;
    for file in files(trial.site.path()) {
        let whole = std::fs::read(&file).unwrap();
        for part in 1..8 {
            let mut damaged = whole.clone();
            damaged[whole.len() * part / 8] ^= 64;
            // Replaces the file, since it is a hard link to the database.
            std::fs::remove_file(&file).unwrap();
            std::fs::write(&file, &damaged).unwrap();
            let mut fetcher = trial.fetcher();
            for (position, expected) in positions.iter().zip(&expected) {
                match fetcher.probe("nocca-3x4", Some(position)).unwrap() {
                    Ok(answer) => assert_eq!(answer, *expected, "{} {part}", file.display()),
                    Err((status, text)) => {
                        refused += 1;
                        assert_eq!(status, 500, "{text}");
                    }
                }
            }
        }
        std::fs::write(&file, &whole).unwrap();
    }
    assert!(refused > 0, "no damaged byte was read");
}

/// Returns the files that a reader fetches.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let all = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut all: Vec<_> =
        all.filter(|path| path.extension().is_some_and(|end| end == "plane" || end == "pack")).collect();
    all.sort();
    all
}
