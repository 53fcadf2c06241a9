//! Every solver stays within its memory budget, or refuses with both figures.

use kanzen::progress::Silent;
use kanzen::{Budget, Error, Game};
use kanzen_games::morris::{Morris, MorrisSolver};
use kanzen_games::musashi::{Musashi, SetAtATime};
use kanzen_games::nocca::{Nocca, Sweeps};
use kanzen_games::ostle::{ByBoards, Ko, Ostle};
use kanzen_games::othello::{self, Othello, Start};
use kanzen_games::tictactoe::TicTacToe;
use kanzen_solve::{Forecast, Job, RulesOnly, Solver, WorkFolder};

const PLENTY: u64 = 4 << 30;

fn rules_only() -> RulesOnly {
    RulesOnly::new(Forecast { positions: None, seconds: 0.0, memory_bytes: 0, data_bytes: 0, disk_bytes: 0 })
}

/// Returns the peak reservation of a solve with this budget, or the memory that it needs.
fn solve<G: Game>(game: &G, solver: &impl Solver<G>, memory: u64) -> Result<u64, u64> {
    let store = WorkFolder::in_memory();
    let job = Job::new(&store, Budget::new(2, memory), &Silent).unwrap();
    match solver.solve(game, &job) {
        Ok(_) => {
            assert!(job.ledger().most() <= memory);
            assert_eq!(job.ledger().held(), 0, "all that was reserved is given back");
            Ok(job.ledger().most())
        }
        Err(Error::Memory { needed, budget, .. }) => {
            assert!(budget == memory && needed > memory, "{needed} of {budget}");
            Err(needed)
        }
        Err(other) => panic!("{other}"),
    }
}

/// Solves with ample memory, then with less and less. Some solvers adapt to a little less.
fn keeps_within_its_budget<G: Game>(game: &G, solver: &impl Solver<G>) {
    let most = solve(game, solver, PLENTY).expect("plenty is enough");
    assert!(most > 0);
    let refused = [most - 1, most / 8 * 7, most / 4 * 3, most / 2, most / 8, 1]
        .map(|memory| solve(game, solver, memory).is_err());
    assert!(refused.is_sorted(), "what is too much for a budget is too much for a smaller one: {refused:?}");
    assert!(refused[4], "an eighth is never enough");
}

/// For solvers that reserve all their memory before they start: solves nothing.
fn is_refused_before_it_begins<G: Game>(game: &G, solver: &impl Solver<G>) {
    let needed = solve(game, solver, 1).expect_err("a byte is not enough");
    assert_eq!(solve(game, solver, needed - 1), Err(needed));
}

#[test]
fn rules_alone_keep_within_their_budget() {
    keeps_within_its_budget(&TicTacToe, &rules_only()); // parents are stored
    keeps_within_its_budget(&Nocca::new(3, 3).unwrap(), &rules_only()); // has un-moves
}

#[test]
fn scores_keep_within_their_budget() {
    let game = Othello::new(4, 4, Start::Cross).unwrap();
    keeps_within_its_budget(&game, &othello::listed(&game).unwrap());
}

#[test]
fn the_retrograde_engine_keeps_within_its_budget() {
    keeps_within_its_budget(&Morris::new(3).unwrap(), &MorrisSolver::WHOLE);
}

#[test]
fn rounds_are_refused_before_they_begin() {
    let nocca = Nocca::new(3, 3).unwrap();
    is_refused_before_it_begins(&nocca, &Sweeps);
    keeps_within_its_budget(&nocca, &Sweeps);
    is_refused_before_it_begins(&Musashi::new(33).unwrap(), &SetAtATime::default());
}

#[test]
fn ostle_is_refused_before_it_begins() {
    is_refused_before_it_begins(&Ostle::new(8, Ko::Literal).unwrap(), &ByBoards);
}
