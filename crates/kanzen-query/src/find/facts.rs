//! What the moves of a position come to: how many win, which are best, whether the mover would rather pass.

use super::column::{Cell, Column, Moves};
use crate::{Answer, Counts, Detail, MoveCounts, MoveNeeds, Oracle, Spread};
use kanzen_core::rules::{AnyGame, Tags};
use kanzen_core::vocabulary::Error;

/// One move: its tags, and what the mover gets by it.
type Tagged = (Tags, Answer);

fn count(counts: &Counts, moves: Moves) -> i64 {
    i64::from(match moves {
        Moves::All => counts.all(),
        Moves::Wins => counts.wins,
        Moves::Draws => counts.draws,
        Moves::Losses => counts.losses,
    })
}

/// What the moves of a position come to.
pub struct Facts {
    counts: MoveCounts,
    best: i64,
    gap: Option<i64>,
    zugzwang: Option<bool>,
}

impl Facts {
    fn new(own: Answer, moves: &[Tagged], passed: Option<Answer>) -> Facts {
        let mut counts = MoveCounts::default();
        for (tags, mine) in moves {
            counts.add(*tags, mine.value.outcome());
        }
        // The best two, and how many are as good as the best.
        let (mut first, mut second, mut best): (Option<Answer>, Option<Answer>, i64) = (None, None, 0);
        for mine in moves.iter().map(|(_, mine)| Some(*mine)) {
            if mine > first {
                (first, second, best) = (mine, first, 1);
            } else {
                best += i64::from(mine == first);
                second = second.max(mine);
            }
        }
        let gap = match (first, second) {
            (Some(first), Some(second)) if first.value.outcome() == second.value.outcome() => {
                match (first.value.distance(), second.value.distance()) {
                    (Some(first), Some(second)) => Some(i64::from(first.abs_diff(second))),
                    _ => None,
                }
            }
            _ => None,
        };
        // Better is a better value, and with scores a better score; a later loss is a loss all the same.
        let rank = |answer: Answer| (answer.score, answer.value.outcome());
        let zugzwang = passed.map(|passed| rank(passed.before()) > rank(own));
        Facts { counts, best, gap, zugzwang }
    }

    /// Where nobody asked how soon: which moves are best stays open.
    fn counted(own: Answer, counts: MoveCounts) -> Facts {
        let zugzwang = counts.passed.map(|passed| passed > own.value.outcome());
        Facts { counts, best: 0, gap: None, zugzwang }
    }

    /// The cell of a column about moves.
    pub fn cell(&self, column: &Column) -> Cell {
        match column {
            Column::Count(moves, None) => Cell::Integer(count(&self.counts.all, *moves)),
            Column::Count(moves, Some(tag)) => Cell::Integer(count(&self.counts.by_tag[*tag as usize], *moves)),
            Column::Best => Cell::Integer(self.best),
            Column::OnlyMove => Cell::Boolean(self.counts.all.kept() == 1),
            Column::Gap => Cell::number(self.gap),
            Column::Zugzwang => self.zugzwang.map_or(Cell::Null, Cell::Boolean),
            _ => Cell::Null,
        }
    }
}

/// What is to be found out of moves.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    moves: MoveNeeds,
    /// Whether it matters how soon a move wins or loses.
    pub detail: Detail,
}

impl Needs {
    /// What these columns need, in a game with scores or without.
    pub fn of<'c>(columns: impl IntoIterator<Item = &'c Column>, scored: bool) -> Needs {
        let mut needs = Needs { moves: MoveNeeds { tags: false, passing: false }, detail: Detail::Outcomes };
        for column in columns {
            needs.moves.tags |= matches!(column, Column::Count(_, Some(_)));
            needs.moves.passing |= *column == Column::Zugzwang;
            // With scores passing is compared by them.
            let scores = scored && *column == Column::Zugzwang;
            if scores || matches!(column, Column::Best | Column::Gap) {
                needs.detail = Detail::Answers;
            }
        }
        needs
    }
}

/// Works out the facts of many positions, all their children looked up together.
pub fn facts(
    game: &dyn AnyGame,
    oracle: &dyn Oracle,
    positions: &[(u128, Answer)],
    needs: Needs,
) -> Result<Vec<Facts>, Error> {
    if needs.detail == Detail::Outcomes {
        let asked: Vec<u128> = positions.iter().map(|(position, _)| *position).collect();
        if let Some(counts) = oracle.move_counts(&asked, needs.moves)? {
            let each = positions.iter().zip(counts).map(|(&(_, own), counts)| Facts::counted(own, counts));
            return Ok(each.collect());
        }
    }
    let needs = needs.moves;
    let (mut children, mut tags, mut ends) = (Vec::new(), Vec::new(), Vec::with_capacity(positions.len()));
    for &(position, _) in positions {
        let ended = game.expand(position, &mut children);
        match needs.tags && ended.is_none() {
            true => tags.extend(game.move_tags(position)),
            false => tags.resize(children.len(), Tags::NONE),
        }
        ends.push(children.len());
    }
    let answers = oracle.answers(&children, Spread::Near)?;
    let moves: Vec<Tagged> = tags.into_iter().zip(answers.into_iter().map(Answer::before)).collect();
    let passed = if needs.passing { all_passed(game, oracle, positions)? } else { vec![None; positions.len()] };
    let mut start = 0;
    let mut all = Vec::with_capacity(positions.len());
    for ((&(_, own), end), passed) in positions.iter().zip(ends).zip(passed) {
        all.push(Facts::new(own, &moves[start..end], passed));
        start = end;
    }
    Ok(all)
}

/// The answers where the movers have passed.
fn all_passed(
    game: &dyn AnyGame,
    oracle: &dyn Oracle,
    positions: &[(u128, Answer)],
) -> Result<Vec<Option<Answer>>, Error> {
    let others = positions.iter().map(|&(position, _)| match game.ended(position) {
        Some(_) => None,
        None => game.passed(position),
    });
    let others: Vec<Option<u128>> = others.collect();
    let meant: Vec<u128> = others.iter().copied().flatten().collect();
    match oracle.answers(&meant, Spread::Near) {
        Ok(answers) => {
            let mut answers = answers.into_iter();
            Ok(others.iter().map(|other| other.and_then(|_| answers.next())).collect())
        }
        // One of them is not stored: then each is asked for alone.
        Err(Error::NotStored { .. }) => {
            others.into_iter().map(|other| other.map_or(Ok(None), |other| passed(oracle, other))).collect()
        }
        Err(error) => Err(error),
    }
}

/// The answer where the mover has passed; nothing where that is not stored.
fn passed(oracle: &dyn Oracle, other: u128) -> Result<Option<Answer>, Error> {
    match oracle.answer(other) {
        Ok(answer) => Ok(Some(answer)),
        Err(Error::NotStored { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
