//! Traps, styles and models on small games: their counts, guarantees and effects.

use kanzen::catalogue::{Run, Solved};
use kanzen::progress::Silent;
use kanzen::{Budget, Outcome};
use kanzen_games::catalogue;
use kanzen_query::{Duel, DuelReport, Level, Model, Player, Probe, ProbedMove, READS, Style, Traps};

const BUDGET: Budget = Budget { threads: 2, memory: 1 << 30 };

/// A solved game and its folder.
struct Table {
    solved: Solved,
    _folder: tempfile::TempDir,
}

fn solved(id: &str) -> Table {
    let folder = tempfile::tempdir().unwrap();
    let entry = catalogue::find(id).unwrap();
    let run = Run { budget: BUDGET, checkpoint_every: std::time::Duration::from_secs(600), observer: &Silent };
    entry.solve(folder.path(), &run).unwrap();
    Table { solved: entry.open(folder.path()).unwrap(), _folder: folder }
}

impl Table {
    fn probe(&self, position: &str) -> Probe {
        self.solved.at(Some(position)).unwrap().probe().unwrap()
    }

    fn traps(&self, position: &str, reads: u16) -> Probe {
        self.solved.at(Some(position)).unwrap().probe_traps(reads).unwrap()
    }

    fn duel(&self, position: Option<&str>, duel: Duel) -> DuelReport {
        self.solved.at(position).unwrap().duel(&duel, &BUDGET, &Silent).unwrap()
    }

    fn reply(&self, position: &str, player: Player, before: &[&str], seed: u64) -> Option<ProbedMove> {
        self.solved.at(Some(position)).unwrap().reply(player, before, seed).unwrap().reply
    }

    /// Positions of random games of at most `plies` plies.
    fn walk(&self, plies: u64) -> Vec<String> {
        let mut walk = Vec::new();
        for game in 0..4 {
            let mut position = self.solved.initial();
            for ply in 0..plies {
                walk.push(position.clone());
                let any = self.reply(&position, Player::Model(Model::Random), &[], game * plies + ply);
                let Some(any) = any else { break };
                position = any.position;
            }
        }
        walk
    }
}

fn duel(style: Style, against: Model, games: u64) -> Duel {
    Duel { style, delay: false, against, games, seed: 7 }
}

#[test]
fn the_corner_of_three_in_a_row_leaves_one_safe_reply() {
    let table = solved("tictactoe");
    let probe = table.traps(".../.../... X", READS);
    let of = |name: &str| probe.moves.iter().find(|choice| choice.mv == name).unwrap().traps.unwrap();
    let corner = of("a1");
    assert_eq!((corner.replies, corner.safe, corner.slips), (8, 1, 7));
    let centre = of("b2");
    assert_eq!((centre.replies, centre.safe, centre.slips), (8, 4, 4));
    // Every slip loses in six plies, counted from the reply on.
    assert_eq!((corner.hidden, table.traps(".../.../... X", 9).moves[0].traps.unwrap().hidden), (7, 0));
}

/// The trap counts by plain probes of the children.
fn naive(table: &Table, choice: &ProbedMove, reads: u16) -> Traps {
    let child = table.probe(&choice.position);
    let due = child.moves.iter().map(|reply| (reply.score, reply.value)).max();
    let look = |reply: &ProbedMove| match reply.distance {
        Some(plies) if plies <= reads => {
            (reply.value, if reply.value == Outcome::Win { -1 } else { 1 } * i32::from(plies))
        }
        _ => (Outcome::Draw, 0),
    };
    let best = child.moves.iter().map(look).max();
    let slips: Vec<_> = child.moves.iter().filter(|reply| Some((reply.score, reply.value)) != due).collect();
    let hidden = slips.iter().filter(|reply| Some(look(reply)) == best).count();
    let [replies, slipping, hidden] = [child.moves.len(), slips.len(), hidden].map(|count| count as u32);
    Traps { replies, safe: replies - slipping, slips: slipping, hidden }
}

#[test]
fn counts_are_those_of_plain_probes() {
    let mut counted = 0;
    for id in ["tictactoe", "nocca-3x3", "nocca-4x3", "morris-3", "othello-4x4"] {
        let table = solved(id);
        for position in table.walk(12) {
            for reads in [0, 1, READS, 9] {
                let probe = table.traps(&position, reads);
                for choice in &probe.moves {
                    let keeps = (choice.score, choice.value) == (probe.score, probe.value);
                    let expected = keeps.then(|| naive(&table, choice, reads));
                    assert_eq!(choice.traps, expected, "{id} {position} {}", choice.mv);
                    counted += usize::from(expected.is_some_and(|traps| traps.slips > 0));
                }
            }
        }
    }
    assert!(counted > 100, "{counted} moves that set a trap");
}

#[test]
fn no_style_gives_value_away_in_whole_games() {
    for id in ["tictactoe", "stones-21", "nocca-3x3", "nocca-4x3", "morris-3", "othello-4x4"] {
        let table = solved(id);
        for style in Style::ALL {
            for delay in [false, true] {
                for against in [Model::Perfect, Model::Random, Model::Errs(0.1), Model::Reads(2), Model::Haworth(1.0)] {
                    let report = table.duel(None, Duel { delay, ..duel(style, against, 12) });
                    assert_eq!(report.lost_value, 0, "{id} {style} {against}");
                    assert!(against != Model::Perfect || report.slips.iter().all(|by| by.games == 0), "{id} {style}");
                }
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_numbers_on_any_number_of_threads() {
    let table = solved("nocca-4x3");
    let request = duel(Style::Trap, Model::Errs(0.1), 60);
    let at = table.solved.at(None).unwrap();
    let report = [1, 2, 3].map(|threads| at.duel(&request, &Budget { threads, ..BUDGET }, &Silent).unwrap());
    assert!(report[0] == report[1] && report[1] == report[2]);
    assert!(report[0].slips.iter().any(|by| by.games > 0), "{report:?}");
    let other = table.duel(None, Duel { seed: 8, ..request });
    assert_ne!(other.slips, report[0].slips);
}

#[test]
fn traps_catch_more_than_chance_where_the_game_is_drawn() {
    let table = solved("tictactoe");
    let by_five = |style| {
        let report = table.duel(None, duel(style, Model::Errs(0.3), 3000));
        (report.slips[0].low, report.slips[0].high)
    };
    let (trap, uniform) = (by_five(Style::Trap), by_five(Style::Uniform));
    assert!(trap.0 > uniform.1, "{trap:?} {uniform:?}");
}

#[test]
fn the_winner_has_nothing_to_trap_so_the_loser_plays() {
    let table = solved("stones-21");
    // The mover wins 21 stones, so the style plays the other side, and a random opponent soon errs.
    let report = table.duel(None, duel(Style::Trap, Model::Random, 50));
    assert!(report.slips[1].games > 40, "{report:?}");
    assert!(report.median_turn.is_some_and(|turn| turn <= 3), "{report:?}");
    // The one move that keeps the win counts its replies, and none of them slips.
    let kept: Vec<Traps> = table.traps("21", READS).moves.iter().filter_map(|choice| choice.traps).collect();
    assert_eq!(kept, [Traps { replies: 3, safe: 3, slips: 0, hidden: 0 }]);
    let over = table.solved.at(Some("0")).unwrap().duel(&duel(Style::Trap, Model::Random, 1), &BUDGET, &Silent);
    assert_eq!(over.unwrap_err().to_string(), "there is nothing to trap in 0 of stones-21: the game is over");
}

#[test]
fn a_loser_who_delays_loses_as_slowly_as_can_be() {
    let table = solved("nocca-4x3");
    let mut lost = 0;
    for position in table.walk(40).iter().filter(|position| table.probe(position).value == Outcome::Loss) {
        let Some(best) = table.probe(position).moves.first().cloned() else { continue };
        let delay = Player::Style { style: Style::Trap, delay: true };
        for seed in 0..5 {
            assert_eq!(table.reply(position, delay, &[], seed).unwrap().distance, best.distance, "{position}");
        }
        lost += 1;
    }
    assert!(lost > 2, "{lost} lost positions");
}

#[test]
fn a_position_that_was_there_is_avoided() {
    let table = solved("morris-3");
    let mut avoided = 0;
    for position in table.walk(25) {
        let trap = Player::of(Style::Trap);
        let Some(first) = table.reply(&position, trap, &[], 1) else { continue };
        let again = table.reply(&position, trap, &[&first.position], 1).unwrap();
        assert_eq!((again.value, again.score), (first.value, first.score));
        avoided += usize::from(again.position != first.position);
    }
    assert!(avoided > 0);
}

#[test]
fn levels_get_stronger() {
    // Against a perfect opponent in a drawn game a level holds out for the longer the higher it is.
    let table = solved("nocca-4x3");
    let start = table.walk(200).into_iter().find(|position| table.probe(position).value == Outcome::Draw);
    let start = start.unwrap_or_else(|| table.solved.initial());
    let share = |level: Level| match level.player() {
        Player::Model(model) => table.duel(Some(&start), duel(Style::Uniform, model, 200)).slips[4].games,
        Player::Style { .. } => 0,
    };
    let slips: Vec<u64> = Level::all().map(share).collect();
    assert_eq!(slips.len(), 8);
    assert!(slips[0] >= slips[3] && slips[4] >= slips[5] && slips[5] >= slips[6], "{slips:?}");
}
