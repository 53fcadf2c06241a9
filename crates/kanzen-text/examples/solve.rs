//! Solves a game from its text, `.rbg` or `.game`: `cargo run --release --example solve -- FILE [THREADS]`.

use std::time::Instant;

use kanzen_core::machine::{parallel, pool};
use kanzen_text::ground::Grounded;
use kanzen_text::lang;
use kanzen_text::number::Numbering;
use kanzen_text::operators::Operators;
use kanzen_text::rbg;
use kanzen_text::solve::Solution;
use kanzen_text::symmetry::Symmetries;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("the name of a file is missing")?;
    let threads = arguments.next().map_or(Ok(2), |threads| threads.parse())?;
    let begin = Instant::now();
    let text = std::fs::read_to_string(&file)?;
    let game = match file.ends_with(".rbg") {
        true => rbg::read(&text)?,
        false => lang::compile(&text).map_err(|problems| problems[0].show(&text))?.core,
    };
    let game = Grounded::new(&game)?;
    println!("{} operators, {} conditions, {} points", game.operators.len(), game.conditions.len(), game.points.len());
    let symmetries = Symmetries::find(&game);
    println!("{} symmetries, exchange: {}", symmetries.group.order(), symmetries.exchange.is_some());
    let (operators, numbering) = (Operators::new(&game), Numbering::new(&game, &symmetries)?);
    println!("{} slots in {} classes, {:.2?}", numbering.slots(), numbering.classes(), begin.elapsed());
    parallel::install(&pool(threads)?, || {
        let begin = Instant::now();
        let solution = Solution::new(&operators, &numbering)?;
        let seconds = begin.elapsed().as_secs_f64();
        let tally = solution.tally();
        println!("{:?} at the start; {} positions, {} moves", solution.initial(), tally.positions(), solution.edges());
        println!(
            "{} won, {} lost, {} drawn, longest {:?}",
            tally.wins(),
            tally.losses(),
            tally.draws(),
            tally.longest()
        );
        println!(
            "{seconds:.2} s, {:.1} ns a move and thread",
            seconds * 1e9 * threads as f64 / solution.edges() as f64
        );
        Ok(())
    })
}
