//! The published program reproduces its published numbers; this engine finds the same score with fewer positions.

#[path = "../../../benches/othello/article.rs"]
mod program;

use crate::othello::{Checkpointer, Table};
use kanzen::Game;
use kanzen::progress::Silent;
use kanzen_core::machine::cpu::Isa;

use crate::othello::{Engine, Othello, Start};

#[test]
fn the_article_searches_15483_positions() {
    assert_eq!(program::solve(), (-10, 15_483));
}

#[test]
fn ours_searches_fewer_than_1000() {
    let game = Othello::new(4, 4, Start::Cross).unwrap();
    for learned in [false, true] {
        let table = Table::new(1 << 20).unwrap();
        let engine = Engine { game: &game, table: &table, threads: 1, isa: Isa::best(), learned, deadline: None };
        let found = engine.score(game.initial(), None, Checkpointer::none(), &Silent).unwrap();
        assert_eq!(found.score, -10);
        assert!(found.positions < 1_000, "{}", found.positions);
    }
}
