//! What the moves of a position come to: how many win, which are best, whether the mover would rather pass.

use super::column::{Cell, Column, Moves};
use crate::query::{Answer, Oracle};
use crate::rules::{Game, Tag, Tags};
use crate::vocabulary::{Error, Outcome};

/// One move: its tags, and what the mover gets by it.
type Tagged = (Tags, Answer);

/// Moves counted by what they get.
#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    wins: i64,
    draws: i64,
    losses: i64,
}

impl Counts {
    fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
        }
    }

    fn of(&self, moves: Moves) -> i64 {
        match moves {
            Moves::All => self.wins + self.draws + self.losses,
            Moves::Wins => self.wins,
            Moves::Draws => self.draws,
            Moves::Losses => self.losses,
        }
    }
}

/// What the moves of a position come to.
pub struct Facts {
    all: Counts,
    by_tag: [Counts; Tag::ALL.len()],
    best: i64,
    keep_value: i64,
    gap: Option<i64>,
    zugzwang: Option<bool>,
}

impl Facts {
    fn new(own: Answer, moves: &[Tagged], passed: Option<Answer>) -> Facts {
        let (mut all, mut by_tag) = (Counts::default(), [Counts::default(); Tag::ALL.len()]);
        for (tags, mine) in moves {
            all.add(mine.value.outcome());
            tags.iter().for_each(|tag| by_tag[tag as usize].add(mine.value.outcome()));
        }
        let best = moves.iter().map(|(_, mine)| *mine).max();
        let keeps = |mine: &Answer| best.is_some_and(|best| best.value.outcome() == mine.value.outcome());
        let mut kept: Vec<Answer> = moves.iter().map(|(_, mine)| *mine).filter(keeps).collect();
        kept.sort_unstable_by(|one, other| other.cmp(one));
        let gap = match &kept[..] {
            [first, second, ..] => match (first.value.distance(), second.value.distance()) {
                (Some(first), Some(second)) => Some(i64::from(first.abs_diff(second))),
                _ => None,
            },
            _ => None,
        };
        // Better is a better value, and with scores a better score; a later loss is a loss all the same.
        let rank = |answer: Answer| (answer.score, answer.value.outcome());
        Facts {
            all,
            by_tag,
            best: kept.iter().filter(|mine| Some(**mine) == best).count() as i64,
            keep_value: kept.len() as i64,
            gap,
            zugzwang: passed.map(|passed| rank(passed.before()) > rank(own)),
        }
    }

    /// The cell of a column about moves.
    pub fn cell(&self, column: &Column) -> Cell {
        match column {
            Column::Count(moves, None) => Cell::Integer(self.all.of(*moves)),
            Column::Count(moves, Some(tag)) => Cell::Integer(self.by_tag[*tag as usize].of(*moves)),
            Column::Best => Cell::Integer(self.best),
            Column::OnlyMove => Cell::Boolean(self.keep_value == 1),
            Column::Gap => Cell::number(self.gap),
            Column::Zugzwang => self.zugzwang.map_or(Cell::Null, Cell::Boolean),
            _ => Cell::Null,
        }
    }
}

/// What is to be found out of moves.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    tags: bool,
    passing: bool,
}

impl Needs {
    /// What these columns need.
    pub fn of<'c>(columns: impl IntoIterator<Item = &'c Column>) -> Needs {
        let mut needs = Needs { tags: false, passing: false };
        for column in columns {
            needs.tags |= matches!(column, Column::Count(_, Some(_)));
            needs.passing |= *column == Column::Zugzwang;
        }
        needs
    }
}

/// Works out the facts of many positions, all their children looked up together.
pub fn facts<G: Game>(
    game: &G,
    oracle: &dyn Oracle<G>,
    positions: &[(G::Position, Answer)],
    needs: Needs,
) -> Result<Vec<Facts>, Error> {
    let (mut children, mut tags, mut ends) = (Vec::new(), Vec::new(), Vec::with_capacity(positions.len()));
    for &(position, _) in positions {
        if game.ended(position).is_none() {
            game.moves(position, &mut |mv, child| {
                tags.push(if needs.tags { game.tags(position, mv, child) } else { Tags::NONE });
                children.push(child);
            });
        }
        ends.push(children.len());
    }
    let answers = oracle.answers(game, &children)?;
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
fn all_passed<G: Game>(
    game: &G,
    oracle: &dyn Oracle<G>,
    positions: &[(G::Position, Answer)],
) -> Result<Vec<Option<Answer>>, Error> {
    let others = positions.iter().map(|&(position, _)| match game.ended(position) {
        Some(_) => None,
        None => game.passed(position),
    });
    let others: Vec<Option<G::Position>> = others.collect();
    let meant: Vec<G::Position> = others.iter().copied().flatten().collect();
    match oracle.answers(game, &meant) {
        Ok(answers) => {
            let mut answers = answers.into_iter();
            Ok(others.iter().map(|other| other.and_then(|_| answers.next())).collect())
        }
        // One of them is not stored: then each is asked for alone.
        Err(Error::NotStored { .. }) => {
            others.into_iter().map(|other| other.map_or(Ok(None), |other| passed(game, oracle, other))).collect()
        }
        Err(error) => Err(error),
    }
}

/// The answer where the mover has passed; nothing where that is not stored.
fn passed<G: Game>(game: &G, oracle: &dyn Oracle<G>, other: G::Position) -> Result<Option<Answer>, Error> {
    match crate::query::answer(game, oracle, other) {
        Ok(answer) => Ok(Some(answer)),
        Err(Error::NotStored { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
