//! Engine, database and oracle of Ostle, on armies small enough for the plain solver.

mod parents;
mod word;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use kanzen::progress::{Event, Observer, Silent};
use kanzen::{Budget, Error, Game, Outcome, Tally, Value};
use kanzen_query::{
    Detail, Extent, Find, Means, MoveCounts, MoveNeeds, Opener, Search, Spread, find, positions_of_value, verify,
};
use kanzen_solve::{Job, Solver};
use kanzen_store::{Database, Manifest, WorkFolder};

use crate::ostle::*;

const SMALL: Army = Army { least: 1, most: 2 };

/// The game up to symmetry, for the plain solver, which uses no index, no engine and no un-moves.
struct Quotient(Ostle);

impl Game for Quotient {
    type Position = Position;
    type Move = Move;
    type Key = u128;

    fn initial(&self) -> Position {
        self.0.canonical(self.0.initial())
    }
    fn moves(&self, position: Position, play: &mut impl FnMut(Move, Position)) {
        self.0.moves(position, &mut |mv, next| play(mv, self.0.canonical(next)));
    }
    fn show(&self, position: Position) -> String {
        self.0.show(position)
    }
    fn show_move(&self, position: Position, mv: Move) -> String {
        self.0.show_move(position, mv)
    }
    fn pack(&self, position: Position) -> u128 {
        self.0.pack(position)
    }
    fn unpack(&self, key: u128) -> Position {
        self.0.unpack(key)
    }
    fn ended(&self, position: Position) -> Option<Value> {
        self.0.ended(position)
    }
    fn counted(&self, position: Position) -> bool {
        self.0.counted(position)
    }
    /// Every board with nothing forbidden; moves generate the rest.
    fn roots(&self, visit: &mut impl FnMut(Position)) {
        for pieces in 2 * self.0.army().least..=self.0.pieces() {
            for (mover, opponent) in classes(&self.0, pieces) {
                let index = ClassIndex::new(mover, opponent);
                for slot in 0..index.slots() {
                    visit(self.0.canonical(Position { board: index.board(slot), previous: None }));
                }
            }
        }
    }
}

fn solve(game: &Ostle, data: &Path, threads: usize, observer: &dyn Observer) -> Result<Database, Error> {
    let work = WorkFolder::open_or_create(data, "ostle", ByBoards.layout(game)?)?;
    let job = Job::new(&work, Budget::new(threads, 1 << 30), observer)?.checkpoint_every(Duration::ZERO);
    let solution = ByBoards.solve(game, &job)?;
    drop(job);
    let manifest = Manifest::of(&work, solution)?;
    work.finish(&manifest)
}

#[test]
fn every_position_has_the_plain_solvers_value() {
    for ko in [Ko::Literal, Ko::Symmetric] {
        let game = Ostle::with_army(SMALL, 3, ko).unwrap();
        let plain: HashMap<u128, Value> = kanzen::conformance::reference::solve(&Quotient(game));
        let data = tempfile::tempdir().unwrap();
        let oracle = ByBoards.open(&std::sync::Arc::new(game), solve(&game, data.path(), 2, &Silent).unwrap()).unwrap();
        let mut tally = Tally::default();
        let (mut bans, mut boards_at_once) = (0, 0);
        let mut rows: HashMap<(bool, Outcome), u64> = HashMap::new();
        for (&key, &value) in &plain {
            let position = game.unpack(key);
            if game.ended(position).is_some() {
                continue;
            }
            assert_eq!(
                oracle.answer(kanzen_core::rules::key(&game, position)).unwrap().value,
                value,
                "{}",
                game.show(position)
            );
            if game.wins_at_once(&position.board) {
                boards_at_once += u64::from(position.previous.is_none());
                continue;
            }
            bans += u64::from(position.previous.is_some());
            // A board without a forbidden move is a position if some move of the whole game leads to it so.
            if position.previous.is_some() || ko::arises_free(&position.board, ko, SMALL.least, SMALL.most) {
                tally.add(value, 1);
                *rows.entry((position.previous.is_some(), value.outcome())).or_default() += 1;
            }
        }
        assert!(bans > 10_000);
        let census = oracle.contents().unwrap().census;
        assert_eq!(census.total(), tally);
        for (value, count) in tally.iter() {
            let found = positions_of_value(&*oracle, value, u64::MAX, usize::MAX, &Silent).unwrap();
            assert!(found.iter().all(|&position| oracle.answer(position).unwrap().value == value));
            let distinct: HashSet<Position> = found.iter().map(|&key| game.canonical(game.unpack(key))).collect();
            assert_eq!((found.len() as u64, distinct.len() as u64), (count, count), "{value}");
        }
        let means = Means::alone(&Budget::new(2, 1 << 30), &Silent);
        let search = Search { id: "ostle", game: &game, oracle: &*oracle, means };
        for ((banned, outcome), rows) in rows {
            let condition = format!("banned = {} AND value = '{outcome}'", u8::from(banned));
            let query = Find { condition, count: true, ..Find::default() };
            let report = find::find(&search, &query, &mut |_| Ok(()), &mut |_| Ok(())).unwrap();
            assert_eq!(report.count, rows, "{}", query.condition);
        }
        let all: Vec<Position> = (0..oracle.positions())
            .flat_map(|number| {
                let mut named = Vec::new();
                oracle
                    .each_position(number, &mut |position| {
                        named.push(game.unpack(position));
                        Ok(())
                    })
                    .unwrap();
                named
            })
            .collect();
        let answers: Vec<Value> = all
            .iter()
            .map(|&position| oracle.answer(kanzen_core::rules::key(&game, position)).unwrap().value)
            .collect();
        // Enough boards without a forbidden move that only their values are decoded.
        let free = all.iter().copied().zip(answers.iter().copied()).filter(|(position, _)| position.previous.is_none());
        let (free, of_free): (Vec<Position>, Vec<Value>) = free.cycle().take(30_000).unzip();
        let keys = |positions: &[Position]| -> Vec<u128> {
            positions.iter().map(|&position| kanzen_core::rules::key(&game, position)).collect()
        };
        let (free, keys) = (keys(&free), keys(&all));
        for budget in [Budget::new(1, 0), Budget::new(1, 1 << 30)] {
            oracle.prepare(u64::MAX, Detail::Answers, &budget).unwrap();
            let together = oracle.answers(&free, Spread::Everywhere).unwrap();
            assert!(together.iter().map(|answer| answer.value).eq(of_free.iter().copied()), "free, with {budget:?}");
            let together: Vec<Value> =
                oracle.answers(&keys, Spread::Near).unwrap().into_iter().map(|answer| answer.value).collect();
            assert!(together == answers, "looked up together, with {budget:?}");
        }
        let needs = MoveNeeds { tags: true, passing: true };
        assert!(oracle.move_counts(&keys, needs).unwrap().is_none(), "outcomes are not in memory yet");
        oracle.prepare(u64::MAX, Detail::Outcomes, &Budget::new(1, 1 << 30)).unwrap();
        let counts = oracle.move_counts(&keys, needs).unwrap().unwrap();
        let outcome_before = |child: Position| {
            let value = game
                .ended(child)
                .unwrap_or_else(|| oracle.answer(kanzen_core::rules::key(&game, child)).unwrap().value);
            value.before().outcome()
        };
        for (&position, counts) in all.iter().zip(counts) {
            let mut plain = MoveCounts { passed: game.passed(position).map(outcome_before), ..MoveCounts::default() };
            game.moves(position, &mut |mv, child| plain.add(game.tags(position, mv, child), outcome_before(child)));
            assert_eq!(counts, plain, "{}", game.show(position));
        }
        let counted = |name: &str| census.classes.iter().map(|(label, _)| label[name].as_u64().unwrap()).sum::<u64>();
        assert_eq!(counted("immediate_wins"), boards_at_once);
        assert_eq!(counted("boards"), oracle.positions());
        let check = verify(&search, Extent::Full).unwrap();
        assert!(check.passed, "{:?} {:?}", check.examples, check.census);
        assert!(check.checked > oracle.positions() + bans);
    }
}

/// Positions without a forbidden move, counted by playing every move of every board.
#[test]
fn arises_free_agrees_with_playing_all_moves() {
    for ko in [Ko::Literal, Ko::Symmetric] {
        let game = Ostle::with_army(SMALL, 4, ko).unwrap();
        let index = ClassIndex::new(1, 1);
        let mut free = vec![false; index.slots() as usize];
        for (mover, opponent) in [(1, 1), (1, 2), (2, 1)] {
            let from = ClassIndex::new(mover, opponent);
            for slot in 0..from.slots() {
                let board = from.board(slot);
                game.board_moves(&board, |_, next, effect| {
                    if (next.mover.count_ones(), next.opponent.count_ones()) == (1, 1) {
                        let freely = game.arrive(next, board, effect).previous.is_none();
                        free[index.place(&next).slot as usize] |= freely;
                    }
                });
            }
        }
        for slot in 0..index.slots() {
            let board = index.board(slot);
            assert_eq!(ko::arises_free(&board, ko, 1, 2), free[slot as usize], "{board:?}");
        }
    }
}

/// Stops after a number of levels.
struct StopAfter(AtomicU32);

impl Observer for StopAfter {
    fn event(&self, event: Event<'_>) {
        if matches!(event, Event::Level { .. }) {
            self.0.fetch_sub(1, Ordering::Relaxed);
        }
    }
    fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

/// Stops at its second query during the levels of a group, usually within a level.
#[derive(Default)]
struct StopWithinLevel {
    in_levels: AtomicBool,
    queries: AtomicU32,
    levels: AtomicU32,
}

impl Observer for StopWithinLevel {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Stage { name, .. } => self.in_levels.store(name.ends_with("pieces"), Ordering::Relaxed),
            Event::Level { .. } => _ = self.levels.fetch_add(1, Ordering::Relaxed),
            _ => {}
        }
    }
    fn stop(&self) -> bool {
        self.in_levels.load(Ordering::Relaxed) && self.queries.fetch_add(1, Ordering::Relaxed) == 1
    }
}

fn bytes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap())
        .map(|file| (file.file_name().into_string().unwrap(), std::fs::read(file.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn threads_and_interruptions_leave_the_same_bytes() {
    let game = Ostle::with_army(SMALL, 3, Ko::Symmetric).unwrap();
    let whole = tempfile::tempdir().unwrap();
    solve(&game, whole.path(), 1, &Silent).unwrap();
    let expected = bytes(&whole.path().join("ostle"));
    assert!(expected.iter().any(|(name, _)| name == "2-1.boards"));
    let parts = tempfile::tempdir().unwrap();
    let mut stops = 0;
    loop {
        match solve(&game, parts.path(), 2, &StopAfter(AtomicU32::new(7))) {
            Err(Error::Stopped) => stops += 1,
            done => break drop(done.unwrap()),
        }
    }
    assert!(stops > 3);
    assert!(bytes(&parts.path().join("ostle")) == expected);
}

#[test]
fn a_solve_interrupted_within_a_level_resumes_there_and_leaves_the_same_bytes() {
    for ko in [Ko::Literal, Ko::Symmetric] {
        let game = Ostle::with_army(SMALL, 3, ko).unwrap();
        let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        solve(&game, whole.path(), 1, &Silent).unwrap();
        let mut within = 0;
        loop {
            let observer = StopWithinLevel::default();
            match solve(&game, parts.path(), 1, &observer) {
                Err(Error::Stopped) => within += u32::from(observer.levels.into_inner() == 0),
                done => break drop(done.unwrap()),
            }
        }
        assert!(within > 3, "{ko:?}: {within}");
        assert!(bytes(&parts.path().join("ostle")) == bytes(&whole.path().join("ostle")), "{ko:?}");
    }
}
