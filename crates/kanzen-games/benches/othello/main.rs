//! Benchmarks 4x4 Othello against the program of the article: `cargo bench -p kanzen-games --bench othello` prints
//! JSON.
//!
//! The article's program is compiled with -O2 by the system's C++ compiler, if there is one; its translation to Rust
//! always runs. Each time is the minimum of many runs.

mod article;

use std::process::Command;
use std::time::Instant;

use kanzen::Game;
use kanzen::progress::Silent;
use kanzen_core::machine::cpu::Isa;
use kanzen_games::othello::{Checkpointer, Table};
use kanzen_games::othello::{Engine, Othello, Start};
use serde_json::json;

fn least(runs: usize, mut work: impl FnMut() -> (i32, u64)) -> (i32, u64, f64) {
    let mut best = (0, 0, f64::MAX);
    for _ in 0..runs {
        let start = Instant::now();
        let (score, nodes) = work();
        best = (score, nodes, best.2.min(start.elapsed().as_secs_f64()));
    }
    best
}

/// The article's program as printed: score, nodes, seconds.
fn article_compiled() -> Option<(i32, u64, f64)> {
    let folder = std::env::temp_dir().join(format!("kanzen-article-{}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    let program = folder.join("article");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/othello/article.cpp");
    let built = Command::new("c++").args(["-O2", "-o"]).arg(&program).arg(source).status();
    let output = built.ok().filter(|status| status.success()).and_then(|_| Command::new(&program).output().ok());
    let _ = std::fs::remove_dir_all(&folder);
    let text = String::from_utf8(output?.stdout).ok()?;
    let fields: Vec<&str> = text.split_whitespace().collect();
    Some((fields.first()?.parse().ok()?, fields.get(1)?.parse().ok()?, fields.get(2)?.parse().ok()?))
}

fn main() {
    let game = Othello::new(4, 4, Start::Cross).expect("a board");
    let ours = least(2_000, || {
        // A fresh table each time, without earlier proofs.
        let table = Table::new(1 << 14).expect("a small table");
        let engine = Engine { game: &game, table: &table, threads: 1, isa: Isa::best(), learned: true, deadline: None };
        let found = engine.score(game.initial(), None, Checkpointer::none(), &Silent).expect("never stopped");
        (found.score, found.positions)
    });
    let in_rust = least(20, article::solve);
    let compiled = article_compiled();
    let line = |(score, nodes, seconds): (i32, u64, f64)| json!({ "score": score, "nodes": nodes, "seconds": seconds });
    let ratio = compiled.map(|(_, _, seconds)| seconds / ours.2);
    let report = json!({
        "article": compiled.map(line),
        "article_in_rust": line(in_rust),
        "ours": line(ours),
        "times_faster": ratio,
        "times_faster_than_rust": in_rust.2 / ours.2,
    });
    println!("{report}");
}
