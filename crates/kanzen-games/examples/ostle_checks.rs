//! Long checks of Ostle: `count` and `levels`.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use kanzen_games::ostle::*;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let ko = if args.get(1).is_some_and(|a| a == "symmetric") { Ko::Symmetric } else { Ko::Literal };
    let pieces: u32 = args.get(2).and_then(|a| a.parse().ok()).unwrap_or(8);
    let game = Ostle::new(pieces, ko).unwrap();
    let start = Instant::now();
    match args[0].as_str() {
        "count" => {
            let (mut positions, mut wins) = (0, 0);
            for pieces in 8..=pieces {
                for (m, o) in classes(&game, pieces) {
                    let index = ClassIndex::new(m, o);
                    for (hole, count) in HOLES.iter().zip(count_class(&game, &index)) {
                        println!("{m}-{o} {hole} {} {} {}", count.boards, count.immediate_wins, count.positions());
                        positions += count.positions();
                        wins += count.immediate_wins;
                    }
                    println!("{:?}", start.elapsed());
                }
            }
            println!("{positions} positions, {wins} immediate wins");
        }
        "levels" => {
            let group = Group::new(&game, 8).unwrap();
            let mut engine = Engine::new(&game, &group, &[]).unwrap();
            println!("built {:?}", start.elapsed());
            let steps = AtomicU64::new(0);
            engine.first_look(&|n| { steps.fetch_add(n, Relaxed); false }).unwrap();
            println!("first look {:?} {}", start.elapsed(), cpu());
            let mut level = 0;
            while let Some(next) = engine.next_level(level) {
                level = next;
                let settled = engine.run_level(level);
                println!("{level} {settled} {:?} {}", start.elapsed(), cpu());
            }
        }
        _ => panic!(),
    }
}

fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<f64>().unwrap() / 100.0
}
