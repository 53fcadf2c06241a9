//! Black's wins have no distance; black must get somewhere all the same.

use kanzen::machine::cpu::Isa;
use kanzen::progress::Silent;
use kanzen::query::{Model, Opener, Oracle, Player, Style, reply};
use kanzen::{Game, Value};

use super::{SMALL, parts, solve};
use crate::musashi::{Musashi, Position, SetAtATime};

/// Few: in long games chance takes as much.
const PLIES: usize = 10;

/// How many brown pieces are left when black plays by a style, or any move that keeps the win; brown plays by a model.
fn left(game: &Musashi, oracle: &dyn Oracle<Musashi>, start: Position, style: Option<Style>, brown: Model) -> u32 {
    let mut history = vec![start];
    for ply in 0..PLIES {
        let now = history[ply];
        let player = match (now.brown_to_move, style) {
            (true, _) => Player::Model(brown),
            (false, Some(style)) => Player::of(style),
            // Without a distance, `perfect` takes any move that keeps the win.
            (false, None) => Player::Model(Model::Perfect),
        };
        let told = reply("part", (game, oracle), now, history.iter().copied(), player, ply as u64).unwrap();
        let Some(chosen) = told.reply else { break };
        let next = game.read(&chosen.position).unwrap();
        let black_wins =
            |value: Value| value == if next.brown_to_move { Value::UNTIMED_LOSS } else { Value::UNTIMED_WIN };
        assert!(black_wins(oracle.answer(game, next).unwrap().value), "{}", game.show(next));
        if !now.brown_to_move && style.is_some() {
            let mut least = u32::MAX;
            game.moves(now, &mut |_, child| {
                if oracle.answer(game, child).unwrap().value == Value::UNTIMED_LOSS {
                    least = least.min(child.brown.count_ones());
                }
            });
            assert_eq!(next.brown.count_ones(), least, "a capture that keeps the win is made: {}", game.show(now));
        }
        history.push(next);
    }
    history[history.len() - 1].brown.count_ones()
}

#[test]
fn black_takes_more_than_one_who_only_keeps_the_win() {
    let game = &parts()[3];
    let data = tempfile::tempdir().unwrap();
    let database = solve(game, Isa::best(), data.path(), &Silent).unwrap();
    let oracle = SetAtATime::with(Isa::best(), SMALL).open(game, database).unwrap();
    let won = |number| {
        let start = oracle.position(game, number).unwrap();
        let lost = start.brown_to_move && oracle.answer(game, start).unwrap().value == Value::UNTIMED_LOSS;
        (lost && start.brown.count_ones() >= 4).then_some(start)
    };
    let starts: Vec<Position> = (0..oracle.positions()).filter_map(won).collect();
    let starts: Vec<Position> = starts.iter().copied().step_by(starts.len().div_ceil(40).max(1)).collect();
    assert!(starts.len() >= 10, "{} positions that black has won", starts.len());
    let total = |style| {
        let models = [Model::Random, Model::Perfect, Model::Reads(2)].into_iter();
        models
            .flat_map(|brown| starts.iter().map(move |&start| (start, brown)))
            .map(|(start, brown)| left(game, &*oracle, start, style, brown))
            .sum::<u32>()
    };
    let keeper = total(None);
    for style in Style::ALL {
        let ours = total(Some(style));
        assert!(ours < keeper, "{style}: {ours} and {keeper} left of {} games", 3 * starts.len());
    }
}
