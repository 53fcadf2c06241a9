//! Scratch: solves positions reached by near-best mobility play, prints nodes and CPU time.
use kanzen::Game;
use kanzen::progress::Silent;
use kanzen::solve::search::{NoKeeper, Search, Table};
use kanzen_games::othello::flips::{self, Kernel};
use kanzen_games::othello::search::{OthelloTree, Pair};
use kanzen_games::othello::{Othello, Start};

fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u32| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (count, empties, threads) = (number(0, 30), number(1, 20), number(2, 1));
    let game = Othello::new(6, 6, Start::Cross).unwrap();
    let kernel = flips::avx512::Avx512::detect().unwrap();
    let mut dice = 88172645463325252u64;
    let mut roll = || {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        dice
    };
    let (mut total, mut sum, mut seconds) = (0, 0, 0.0);
    let tree = OthelloTree::new(game.shape(), kernel);
    let tree = if std::env::var("PLAIN").is_ok() { tree } else { tree.learned() };
    for _ in 0..count {
        let mut board = game.initial();
        while game.shape().empties(board.own, board.others).count_ones() > empties {
            let mut next = Vec::new();
            game.moves(board, &mut |_, child| {
                next.push((kernel.moves(game.shape(), child.own, child.others).count_ones(), roll(), child));
            });
            next.sort_by_key(|&(mobility, random, _)| (mobility, random));
            let pick = if roll() % 4 == 0 { roll() as usize % next.len() } else { 0 };
            board = next[pick].2;
            if game.ended(board).is_some() {
                board = game.initial();
            }
        }
        let root = Pair { own: board.own, others: board.others };
        let table = Table::new(128 << 20).unwrap();
        let search = Search::new(&tree, &table, threads as usize);
        let score = search.score(root, search.any_score(), &mut NoKeeper, &Silent).unwrap().score;
        let table = Table::new(128 << 20).unwrap();
        let search = Search::new(&tree, &table, threads as usize);
        let start = cpu();
        let found = search.score(root, search.any_score(), &mut NoKeeper, &Silent).unwrap();
        seconds += cpu() - start;
        total += found.positions;
        sum = sum * 31 + found.score as i64;
    }
    println!(
        "{count} x {empties}: {total} positions, {seconds:.2} s, {:.1} M/s, check {sum:x}",
        total as f64 / 1e6 / seconds
    );
}
