//! Which positions a condition does not rule out before their moves are looked at, remembered.
//!
//! The positions of a stretch stand in the order of the database: most have the numbers of the one before, and an answer
//! that has been there already. Then nothing is worked out again.

use std::collections::HashMap;

use super::column::Column;
use super::run::Looker;
use crate::Answer;

/// What a condition says of the positions of one stretch.
pub(super) struct Possible<'l, 'a> {
    looker: &'l Looker<'a>,
    /// Whether numbers and answer say all that the condition can know.
    remembers: bool,
    /// The numbers of the position before.
    fields: Vec<(&'static str, i64)>,
    /// What was said of positions with these, by the code of their value and by their score.
    said: HashMap<(i16, Option<i16>), bool>,
}

impl<'l, 'a> Possible<'l, 'a> {
    /// Nothing is said yet.
    pub fn new(looker: &'l Looker<'a>) -> Possible<'l, 'a> {
        let remembers = !looker.question.columns.contains(&Column::ToMove);
        Possible { looker, remembers, fields: Vec::new(), said: HashMap::new() }
    }

    /// Whether a position with this answer, which the scan has named, may be a row.
    pub fn is(&mut self, position: u128, answer: Answer) -> bool {
        let looker = self.looker;
        if !looker.question.by_position {
            // A scan names only what its answer does not rule out.
            return true;
        }
        if !self.remembers {
            return looker.may_be(position, answer);
        }
        let fields = looker.oracle.fields(position);
        if fields != self.fields {
            self.fields = fields;
            self.said.clear();
        }
        let answered = (answer.value.code(), answer.score);
        *self.said.entry(answered).or_insert_with(|| looker.may_be(position, answer))
    }
}
