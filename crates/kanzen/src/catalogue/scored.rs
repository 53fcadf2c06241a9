//! The method of games that bring rules with scores and always end: list all positions, go back from the ends.
//!
//! A plane holds values, not scores, so a score is written as a value of the same rank: the more discs, the quicker
//! the win. 10 is `win(LIMIT - 10)`, -10 is `loss(LIMIT - 10)`, 0 is a draw; the order of scores stays that of values.

use serde_json::json;

use super::rules_only::{CLASSES, Listed, keys_file, label, list, listed};
use super::{Method, Run};
use crate::progress::Event;
use crate::query::{Answer, Oracle, QueryError};
use crate::solve::{SolveError, scores_of_class};
use crate::store::{ClassEntry, Database, FileEntry, FolderShelf, Manifest, WorkFolder, write_plane};
use crate::{Game, Outcome, Tally, Value};

/// Solves a game with scores ([`Game::final_score`]) from its rules alone.
pub struct Scored;

/// The greatest score that can be stored.
const LIMIT: i16 = 1000;

/// The value whose rank is that of a score; nothing for a score beyond the limit.
fn value_of(score: i16) -> Option<Value> {
    let rest = LIMIT.checked_sub(score.checked_abs()?).and_then(|rest| u16::try_from(rest).ok())?;
    Some(match score {
        1.. => Value::win(rest),
        0 => Value::DRAW,
        _ => Value::loss(rest),
    })
}

/// The score that a stored value stands for.
fn score_of(value: Value) -> i16 {
    let rest = value.distance().map_or(LIMIT, |plies| plies as i16);
    match value.outcome() {
        Outcome::Win => LIMIT - rest,
        Outcome::Draw => 0,
        Outcome::Loss => rest - LIMIT,
    }
}

/// Who wins by a score. It has no distance: best play is for points, not for speed.
///
/// ```
/// use kanzen::{Value, catalogue::answer_of_score};
/// assert_eq!(answer_of_score(-10).value, Value::UNTIMED_LOSS);
/// ```
pub fn answer_of_score(score: i16) -> Answer {
    let value = match score {
        1.. => Value::UNTIMED_WIN,
        0 => Value::DRAW,
        _ => Value::UNTIMED_LOSS,
    };
    Answer { value, score: Some(score) }
}

impl<G: Game> Method<G> for Scored {
    fn solve(&self, game: &G, work: &WorkFolder, run: &Run<'_>) -> Result<Manifest, SolveError> {
        let index = match listed(work)? {
            Some(index) => index,
            None => list(game, work, run)?,
        };
        run.observer.event(Event::Stage { name: "scores", total: Some(index.positions()) });
        let mut manifest = Manifest::new(work.game(), work.fingerprint());
        let numbers: Vec<u32> = index.classes().iter().map(|(number, _)| *number).collect();
        manifest.settings.insert(CLASSES.into(), json!(numbers));
        manifest.settings.insert("score_limit".into(), json!(LIMIT));
        let mut scores: Vec<Vec<i16>> = Vec::new();
        for (class, (number, keys)) in index.classes().iter().enumerate() {
            let of_class =
                crate::solve::pool(run.budget.threads)?.install(|| scores_of_class(game, &index, class, &scores))?;
            let mut tally = Tally::default();
            of_class.iter().for_each(|&score| tally.add(answer_of_score(score).value, 1));
            if let Some(score) = of_class.iter().find(|&&score| value_of(score).is_none()) {
                return Err(SolveError::Rules(format!("a score of {score}: at most {LIMIT} can be stored")));
            }
            let file = FolderShelf::plane_file(class);
            let value = |slot: u64| value_of(of_class[slot as usize]).unwrap_or(Value::DRAW);
            write_plane(&work.file(&file), work.fingerprint(), keys.len(), value)?;
            manifest.files.push(FileEntry::of_file(file.clone(), work.plane(&file)?.blocks()));
            let keys_file = keys_file(class);
            manifest.files.push(FileEntry::of_file(keys_file.clone(), work.keys::<G::Key>(&keys_file)?.blocks()));
            manifest.classes.push(ClassEntry { label: label(game, *number), slots: keys.len(), tally });
            run.observer.event(Event::Steps { steps: keys.len() });
            scores.push(of_class);
            if run.observer.stop() {
                return Err(SolveError::Stopped);
            }
        }
        Ok(manifest)
    }

    fn open(&self, _: &G, database: Database) -> Result<Box<dyn Oracle<G>>, QueryError> {
        Ok(Box::new(Listed::<G::Key>::open(database, |value| answer_of_score(score_of(value)))?))
    }

    /// A row for each class and score, worst first, with its number of positions.
    fn published_csv(&self, game: &G, oracle: &dyn Oracle<G>) -> Option<Result<String, QueryError>> {
        Some(score_table(game, oracle))
    }
}

fn score_table<G: Game>(game: &G, oracle: &dyn Oracle<G>) -> Result<String, QueryError> {
    let mut rows = std::collections::BTreeMap::<_, u64>::new();
    for number in 0..oracle.positions() {
        let position = oracle.position(game, number)?;
        let score = oracle.answer(game, position)?.score;
        *rows.entry((game.class(position), score)).or_default() += 1;
    }
    let names: Vec<&str> = game.class_label(0).into_iter().map(|(name, _)| name).collect();
    let mut csv = format!("{},score,positions\n", names.join(","));
    for ((class, score), positions) in rows {
        let label: Vec<String> = game.class_label(class).into_iter().map(|(_, value)| value.to_string()).collect();
        csv += &format!("{},{},{positions}\n", label.join(","), score.unwrap_or(0));
    }
    Ok(csv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_rank_as_their_scores_and_lead_back_to_them() {
        for score in -LIMIT..=LIMIT {
            let value = value_of(score).unwrap();
            assert_eq!(score_of(value), score);
            assert!(score == LIMIT || value < value_of(score + 1).unwrap());
        }
        assert_eq!(value_of(LIMIT + 1), None);
        assert_eq!(value_of(i16::MIN), None);
    }
}
