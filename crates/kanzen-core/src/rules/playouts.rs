//! Random games with a fixed seed: the fingerprint hashes them, and the conformance kit checks their positions.
//!
//! Players who take any move seldom win, seldom capture and never stalemate the opponent. So each side has a
//! strategy, and the pair of strategies changes from game to game.

use crate::rules::Game;
use crate::vocabulary::Key;
use crate::vocabulary::random::Random;

/// How a player chooses among his moves: what he prefers, where he can have it, else any move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Strategy {
    /// Nothing.
    Idle,
    /// The end of the game.
    Hasty,
    /// That the game goes on.
    Patient,
    /// Another class: captures, placements.
    Greedy,
    /// That the other side has few moves.
    Smother,
    /// The end of the game, else a position with a large key: on most boards pieces then march towards one edge.
    Rising,
    /// The same towards the other edge.
    Falling,
}

/// The pairs of strategies, in turn: those first that show most of a game.
const PAIRS: [[Strategy; 2]; 16] = {
    use Strategy::*;
    [
        [Rising, Falling],
        [Patient, Rising],
        [Greedy, Greedy],
        [Smother, Idle],
        [Patient, Falling],
        [Falling, Rising],
        [Idle, Smother],
        [Hasty, Greedy],
        [Greedy, Hasty],
        [Idle, Idle],
        [Greedy, Smother],
        [Smother, Greedy],
        [Rising, Patient],
        [Falling, Patient],
        [Idle, Greedy],
        [Greedy, Idle],
    ]
};

/// Moves that a player weighs who maximises or minimises something.
const WEIGHED: usize = 6;

/// A position reached in a game.
pub(crate) struct Seen<'a, G: Game> {
    pub position: G::Position,
    /// Its moves, with where they lead: none if the game is over.
    pub steps: &'a [(G::Move, G::Position)],
    /// Which of them is played: none if there is none.
    pub played: Option<usize>,
    /// How many moves were listed to play it: what it cost.
    pub work: usize,
}

/// Plays game after game from the initial position, each to its end or for `plies` plies, and shows every position with
/// its moves until `visit` returns false, at the latest after so many `games`.
pub(crate) fn playouts<G: Game>(
    game: &G,
    seed: u64,
    games: usize,
    plies: usize,
    mut visit: impl FnMut(Seen<'_, G>) -> bool,
) {
    let mut player = Player { game, random: Random::new(seed), work: 0 };
    let mut steps = Vec::new();
    for number in 0..games {
        let strategies = PAIRS[number % PAIRS.len()];
        let mut position = game.initial();
        for ply in 0..plies {
            steps.clear();
            if game.ended(position).is_none() {
                game.moves(position, &mut |mv, child| steps.push((mv, child)));
            }
            player.work = 1 + steps.len();
            let played = player.choose(strategies[ply % 2], position, &steps);
            if !visit(Seen { position, steps: &steps, played, work: player.work }) {
                return;
            }
            let Some(played) = played else { break };
            position = steps[played].1;
        }
    }
}

struct Player<'a, G> {
    game: &'a G,
    random: Random,
    work: usize,
}

impl<G: Game> Player<'_, G> {
    /// Which move is played; none if there is none.
    fn choose(&mut self, strategy: Strategy, position: G::Position, steps: &[(G::Move, G::Position)]) -> Option<usize> {
        let game = self.game;
        let ends = |step: usize| game.ended(steps[step].1).is_some();
        let any = self.any(steps.len())?;
        let wanted = match strategy {
            Strategy::Idle => None,
            Strategy::Hasty => self.one_that(steps.len(), ends),
            Strategy::Patient => self.one_that(steps.len(), |step| !ends(step)),
            Strategy::Greedy => {
                let class = game.class(position);
                self.one_that(steps.len(), |step| game.class(steps[step].1) != class)
            }
            Strategy::Smother => {
                let mut listed = 0;
                let least = self.least(steps.len(), |step| replies(game, steps[step].1, &mut listed));
                self.work += listed;
                least
            }
            Strategy::Rising => self
                .one_that(steps.len(), ends)
                .or_else(|| self.least(steps.len(), |step| u128::MAX - game.pack(steps[step].1).wide())),
            Strategy::Falling => self
                .one_that(steps.len(), ends)
                .or_else(|| self.least(steps.len(), |step| game.pack(steps[step].1).wide())),
        };
        Some(wanted.unwrap_or(any))
    }

    fn any(&mut self, steps: usize) -> Option<usize> {
        (steps > 0).then(|| self.random.below(steps))
    }

    fn one_that(&mut self, steps: usize, wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let wanted: Vec<usize> = (0..steps).filter(|&step| wanted(step)).collect();
        self.any(wanted.len()).map(|nth| wanted[nth])
    }

    /// Of some moves the one with the least weight.
    fn least<W: Ord>(&mut self, steps: usize, mut weight: impl FnMut(usize) -> W) -> Option<usize> {
        (0..WEIGHED).filter_map(|_| self.any(steps)).min_by_key(|&step| weight(step))
    }
}

/// How many moves the other side has; very many where the game is over, which is not what a smothering player wants.
fn replies<G: Game>(game: &G, position: G::Position, listed: &mut usize) -> usize {
    if game.ended(position).is_some() {
        return usize::MAX;
    }
    let mut replies = 0;
    game.moves(position, &mut |_, _| replies += 1);
    *listed += replies;
    replies
}
