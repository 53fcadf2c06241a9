//! Trains pattern weights by gradient descent on positions of self-play.
//!
//! Games of mostly sensible, sometimes random moves yield the positions. Near the end their scores are exact, by
//! search. Further from it, a shallow search with the weights learned so far approximates the score: each stage learns
//! from the one after it.

use kanzen::progress::Silent;
use kanzen::{Error, Game};
use kanzen_games::othello::flips::Portable;
use kanzen_games::othello::solve::alpha_beta::{Checkpointer, Search, Table};
use kanzen_games::othello::solve::search::learned::{Learned, Patterns, SCALE, STAGES, stage};
use kanzen_games::othello::solve::search::{Compiled, Order, OthelloTree, Pair};
use kanzen_games::othello::{Othello, Position};

/// Stages with exact scores.
const EXACT: usize = 2;
/// The search depth of the other stages: it reaches the stage after them.
const AHEAD: u32 = 4;
const ROUNDS: u32 = 40;

/// The result of a stage.
pub struct Progress {
    /// The stage; 0 is the last.
    pub stage: usize,
    /// The number of training positions.
    pub positions: usize,
    /// The root mean square error in discs, on held-out positions.
    pub error: f64,
}

struct Sample {
    contents: Vec<u32>,
    empties: usize,
    score: f32,
}

/// Trains weights from `positions` positions per stage.
pub fn train<K: Compiled>(
    game: &Othello,
    kernel: K,
    positions: usize,
    mut report: impl FnMut(Progress),
) -> Result<Option<Vec<u8>>, Error> {
    let Some(patterns) = Patterns::new(game.shape()) else { return Ok(None) };
    let mut content_of = Vec::new();
    patterns.for_each_slot(|content| content_of.push(content as u32));
    let mut weights = vec![0f32; STAGES * patterns.contents()];
    let mut turn = vec![0f32; game.shape().squares() as usize + 1];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let table = Table::new(64 << 20)?;
    for at in 0..STAGES {
        let order = Order { learned: Learned::from_bytes(game.shape(), &quantised(&turn, &weights)) };
        let tree = OthelloTree::new(game.shape(), kernel);
        let search = Search::new(&tree, &table, 1);
        let mut samples = Vec::with_capacity(positions);
        while samples.len() < positions {
            for board in a_game(game, &mut random) {
                let node = Pair { own: board.own, others: board.others };
                let empties = game.shape().empties(board.own, board.others).count_ones();
                if stage(empties) != at || !(8..28).contains(&empties) {
                    continue;
                }
                let score = match at < EXACT {
                    true => search.score(node, search.any_score(), Checkpointer::none(), &Silent)?.score as f32,
                    false => {
                        let limit = i32::MAX / 2;
                        kernel.evaluate(&order, game.shape(), node, AHEAD, -limit, limit) as f32 / SCALE as f32
                    }
                };
                samples.push(Sample {
                    contents: contents(&patterns, &content_of, node),
                    empties: empties as usize,
                    score,
                });
            }
        }
        let weights = &mut weights[at * patterns.contents()..][..patterns.contents()];
        let error = descend(&samples, weights, &mut turn);
        report(Progress { stage: at, positions: samples.len(), error });
    }
    Ok(Some(quantised(&turn, &weights)))
}

/// The pattern contents of a position; mirror images share them.
fn contents(patterns: &Patterns, content_of: &[u32], node: Pair) -> Vec<u32> {
    let mut contents = Vec::new();
    patterns.for_each_index(Portable, node, |slot| contents.push(content_of[slot]));
    contents
}

/// Fits the weights to nine tenths of the samples and returns the error on the rest.
fn descend(samples: &[Sample], weights: &mut [f32], turn: &mut [f32]) -> f64 {
    let (aside, learned) = samples.split_at(samples.len() / 10);
    for round in 0..ROUNDS {
        let rate = 0.02 / (1.0 + round as f32 / 8.0);
        for sample in learned {
            let error = rate * (sample.score - predicted(sample, weights, turn));
            turn[sample.empties] += error;
            sample.contents.iter().for_each(|&content| weights[content as usize] += error);
        }
    }
    let squares = aside.iter().map(|sample| f64::from(sample.score - predicted(sample, weights, turn)).powi(2));
    (squares.sum::<f64>() / aside.len().max(1) as f64).sqrt()
}

fn predicted(sample: &Sample, weights: &[f32], turn: &[f32]) -> f32 {
    turn[sample.empties] + sample.contents.iter().map(|&content| weights[content as usize]).sum::<f32>()
}

fn quantised(turn: &[f32], weights: &[f32]) -> Vec<u8> {
    let byte = |weight: &f32| (weight * SCALE as f32).round().clamp(-127.0, 127.0) as i8 as u8;
    turn.iter().chain(weights).map(byte).collect()
}

/// A game in which three moves of four minimise the opponent's replies, and the fourth is random.
fn a_game(game: &Othello, random: &mut Random) -> Vec<Position> {
    let mut boards = Vec::new();
    let mut board = game.initial();
    while game.ended(board).is_none() {
        let mut next = Vec::new();
        game.moves(board, &mut |_, child| {
            let mut replies = 0;
            if game.ended(child).is_none() {
                game.moves(child, &mut |_, _| replies += 1);
            }
            next.push((replies, random.next(), child));
        });
        let fewest = next.iter().min_by_key(|&&(replies, tie, _)| (replies, tie));
        let any = &next[random.next() as usize % next.len()];
        board = if random.next().is_multiple_of(4) { any.2 } else { fewest.unwrap_or(any).2 };
        boards.push(board);
    }
    boards
}

/// A xorshift generator with a fixed seed, for reproducible weights.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }
}
