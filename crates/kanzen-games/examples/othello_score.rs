//! The score of a board from its start: `othello_score ROWS COLUMNS [THREADS] [MEGABYTES] [parallel]`.
use kanzen::Game;
use kanzen::progress::{Event, Observer};
use kanzen::solve::search::{NoKeeper, Search, Table};
use kanzen_games::othello::search::{OthelloTree, Pair};
use kanzen_games::othello::{Othello, Start, flips};

struct Notes;
impl Observer for Notes {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Note { text } => eprintln!("{text}"),
            Event::Stage { name, .. } => eprintln!("{name}"),
            _ => {}
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u32| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let start = if arguments.get(4).is_some() { Start::Parallel } else { Start::Cross };
    let game = Othello::new(number(0, 6), number(1, 6), start).unwrap();
    let table = Table::new((number(3, 512) as usize) << 20).unwrap();
    let kernel = flips::avx512::Avx512::detect().unwrap();
    let tree = OthelloTree::new(game.shape(), kernel);
    let tree = if std::env::var("PLAIN").is_ok() { tree } else { tree.learned() };
    let search = Search::new(&tree, &table, number(2, 1) as usize);
    let root = game.initial();
    let root = Pair { own: root.own, others: root.others };
    let found = search.score(root, search.any_score(), &mut NoKeeper, &Notes).unwrap();
    println!(
        "{:+} {} positions {:.3} s {:.1} M/s",
        found.score,
        found.positions,
        found.seconds,
        found.positions as f64 / 1e6 / found.seconds
    );
}
