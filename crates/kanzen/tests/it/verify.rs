//! Verification finds wrong values of every kind, and reports what it covered.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use kanzen::conformance::reference;
use kanzen::progress::Silent;
use kanzen::{BadPosition, Budget, Census, Error, Game, Notation, Outcome, Tally, Value};
use kanzen_query::{
    Answer, Audit, Contents, Extent, Means, Numbering, Oracle, Recount, Search, Unchecked, Verification, verify,
};

/// Rooms with doors: one player moves from even rooms, the other from odd ones.
struct Maze {
    doors: Vec<Vec<u32>>,
    ends: Vec<Option<Value>>,
    /// The player in an even room wins endless play. Otherwise it is a draw.
    even_wins_endless_play: bool,
    /// The game counts points.
    scored: bool,
}

const ROOMS: u32 = 600;

impl Maze {
    /// Random doors. Some rooms have none, and some end the game.
    fn new(even_wins_endless_play: bool) -> Maze {
        let random = |n: u32| (u64::from(n) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let doors = |room: u32| {
            let number = if random(room) % 12 == 5 { 0 } else { 1 + random(room + ROOMS) as u32 % 5 };
            (0..number).map(|door| (random(7 * room + door) as u32 % (ROOMS / 2)) * 2 + (room + 1) % 2).collect()
        };
        let end = |room: u32| match random(room) as u32 % 40 {
            0 => Some(Value::loss(0)),
            1 => Some(Value::win(1)),
            2 if !even_wins_endless_play => Some(Value::DRAW),
            _ => None,
        };
        let rooms = 0..ROOMS;
        let (doors, ends) = (rooms.clone().map(doors).collect(), rooms.map(end).collect());
        Maze { doors, ends, even_wins_endless_play, scored: false }
    }

    /// Every door leads to a room with a higher number, so that play ends; who gets there has some points.
    fn scored() -> Maze {
        let mut maze = Maze::new(false);
        for (room, doors) in maze.doors.iter_mut().enumerate() {
            doors.retain(|door| *door as usize > room);
        }
        Maze { scored: true, ..maze }
    }
}

impl Game for Maze {
    type Position = u32;
    type Move = u32;
    type Key = u32;

    fn initial(&self) -> u32 {
        0
    }

    fn roots(&self, visit: &mut impl FnMut(u32)) {
        (0..ROOMS).for_each(visit);
    }

    fn moves(&self, room: u32, play: &mut impl FnMut(u32, u32)) {
        self.doors[room as usize].iter().for_each(|&next| play(next, next));
    }

    fn ended(&self, room: u32) -> Option<Value> {
        let end = self.ends[room as usize];
        if self.scored { end.and(self.final_score(room)).map(Value::of_score) } else { end }
    }

    fn stuck(&self, room: u32) -> Value {
        self.final_score(room).map_or(Value::loss(0), Value::of_score)
    }

    fn endless(&self, room: u32) -> Value {
        match (self.even_wins_endless_play, room % 2) {
            (false, _) => Value::DRAW,
            (true, 0) => Value::UNTIMED_WIN,
            (true, _) => Value::UNTIMED_LOSS,
        }
    }

    fn final_score(&self, room: u32) -> Option<i16> {
        self.scored.then_some((room % 13) as i16 - 6)
    }

    fn show(&self, room: u32) -> String {
        room.to_string()
    }

    fn show_move(&self, _: u32, next: u32) -> String {
        next.to_string()
    }

    fn pack(&self, room: u32) -> u32 {
        room
    }

    fn unpack(&self, key: u32) -> u32 {
        key
    }
}

impl Notation for Maze {
    fn read(&self, text: &str) -> Result<u32, BadPosition> {
        text.parse().map_err(|_| BadPosition::new("no room"))
    }
}

impl kanzen::Board for Maze {}

/// Values in a map. Those of some rooms are not stored but known, as if derived from others.
struct Map {
    values: HashMap<u32, Answer>,
    is_stored: fn(u32) -> bool,
    asked: AtomicU64,
    /// The census that the database states.
    census: Census,
    /// Rooms in the order of its own list, if it has one.
    list: Option<Vec<u32>>,
}

/// The census of some values.
fn census(maze: &Maze, values: &HashMap<u32, Answer>) -> Census {
    let mut tally = Tally::default();
    values.values().for_each(|answer| tally.add(answer.value, 1));
    let label = maze.class_label(0).into_iter().map(|(name, class)| (name.to_owned(), class.into())).collect();
    Census { classes: vec![(label, tally)] }
}

impl Map {
    fn of(maze: &Maze) -> Map {
        let values = reference::solve(maze).into_iter().map(|(room, value)| (room as u32, value.into())).collect();
        Map::holding(maze, values)
    }

    fn of_scores(maze: &Maze) -> Map {
        fn score(maze: &Maze, room: u32) -> i16 {
            let doors = &maze.doors[room as usize];
            let over = maze.ends[room as usize].is_some() || doors.is_empty();
            if over {
                maze.final_score(room).unwrap()
            } else {
                doors.iter().map(|&next| -score(maze, next)).max().unwrap()
            }
        }
        let values = (0..ROOMS).map(|room| (room, Answer::of_score(score(maze, room)))).collect();
        Map::holding(maze, values)
    }

    fn holding(maze: &Maze, values: HashMap<u32, Answer>) -> Map {
        let census = census(maze, &values);
        Map { values, is_stored: |_| true, asked: AtomicU64::new(0), census, list: None }
    }

    /// The same rooms, but by a list of its own.
    fn listing(self, list: Vec<u32>) -> Map {
        Map { list: Some(list), ..self }
    }

    fn only(self, is_stored: fn(u32) -> bool) -> Map {
        Map { is_stored, ..self }
    }

    /// A room whose value is as wanted, where the game goes on.
    fn room(&self, maze: &Maze, wanted: impl Fn(u32, Value) -> bool) -> u32 {
        let goes_on = |room: &u32| maze.ends[*room as usize].is_none() && !maze.doors[*room as usize].is_empty();
        (0..ROOMS).filter(goes_on).find(|room| wanted(*room, self.values[room].value)).expect("there is such a room")
    }

    fn with(mut self, room: u32, value: Value) -> Map {
        self.values.insert(room, value.into());
        self
    }
}

impl Oracle for Map {
    fn contents(&self) -> Result<Contents, Error> {
        Ok(Contents { census: self.census.clone(), ..Contents::default() })
    }

    fn answer(&self, room: u128) -> Result<Answer, Error> {
        Ok(self.values[&(room as u32)])
    }
}

impl Audit for Map {
    fn stored(&self, room: u128) -> Result<Option<Answer>, Error> {
        let room = room as u32;
        Ok((self.is_stored)(room).then(|| self.values[&room]))
    }

    fn recount(&self, _: u128, answer: Answer, recount: &mut Recount) {
        recount.add(0, answer.value);
    }

    fn census_label(&self, class: u32, _: &Recount) -> serde_json::Map<String, serde_json::Value> {
        [("class".to_owned(), class.into())].into_iter().collect()
    }
}

impl Numbering for Map {
    fn positions(&self) -> u64 {
        self.list.as_ref().map_or(ROOMS.into(), |list| list.len() as u64)
    }

    fn position(&self, number: u64) -> Result<u128, Error> {
        self.asked.fetch_add(1, Relaxed);
        Ok(self.list.as_ref().map_or(number as u32, |list| list[number as usize]).into())
    }

    fn number(&self, room: u128) -> Result<Option<u64>, Error> {
        let list = self.list.as_ref().expect("asked for its list");
        Ok(list.iter().position(|&other| u128::from(other) == room).map(|number| number as u64))
    }

    fn is_row(&self, _: u128) -> bool {
        true
    }

    fn fields(&self, _: u128) -> Vec<(&'static str, i64)> {
        vec![("class", 0)]
    }

    fn is_listed(&self) -> bool {
        self.list.is_some()
    }
}

fn verified(maze: &Maze, map: &Map, extent: Extent) -> Verification {
    let means = Means::alone(&Budget::new(2, 1 << 30), &Silent);
    verify(&Search { id: "maze", game: maze, oracle: map, means }, extent).unwrap()
}

fn is_found(maze: &Maze, map: &Map, room: u32) {
    let found = verified(maze, map, Extent::Full);
    assert!(found.mismatches > 0 && !found.passed, "{found:?}");
    // Where a child of it is wrong, a parent may be found instead; but the room itself never gets away.
    let report = format!("{found:?}");
    assert!(found.mismatches > 10 || found.examples.iter().any(|wrong| wrong.position == room.to_string()), "{report}");
}

#[test]
fn right_values_pass_and_all_are_covered() {
    for maze in [Maze::new(false), Maze::new(true)] {
        let found = verified(&maze, &Map::of(&maze), Extent::Full);
        let covered = (found.positions, found.checked, found.derived, found.out_of_reach, found.full);
        assert_eq!(covered, (600, 600, 0, 0, true));
        assert_eq!((found.mismatches, found.passed, found.examples.len()), (0, true, 0));
    }
}

#[test]
fn a_wrong_value_of_each_kind_is_found() {
    let maze = Maze::new(false);
    type Kind = (&'static str, fn(Value) -> bool, fn(Value) -> Value);
    let kinds: [Kind; 7] = [
        ("a win too late", |v| v > Value::DRAW, |v| Value::win(v.distance().unwrap() + 2)),
        ("a win too early", |v| v > Value::DRAW && v < Value::win(2), |v| Value::win(v.distance().unwrap() - 2)),
        ("a loss too late", |v| v < Value::DRAW, |v| Value::loss(v.distance().unwrap() + 2)),
        ("a win as a draw", |v| v > Value::DRAW, |_| Value::DRAW),
        ("a loss as a draw", |v| v < Value::DRAW, |_| Value::DRAW),
        ("a draw as a win", |v| v == Value::DRAW, |_| Value::win(9)),
        ("a draw as a loss", |v| v == Value::DRAW, |_| Value::loss(8)),
    ];
    for (kind, is_one, wrong) in kinds {
        println!("{kind}");
        let map = Map::of(&maze);
        let room = map.room(&maze, |_, value| is_one(value));
        let value = wrong(map.values[&room].value);
        is_found(&maze, &map.with(room, value), room);
    }
}

#[test]
fn wrong_values_of_finished_games_are_found() {
    let maze = Maze::new(false);
    let rooms = || 0..ROOMS;
    let over = rooms().find(|room| maze.ends[*room as usize] == Some(Value::loss(0))).unwrap();
    is_found(&maze, &Map::of(&maze).with(over, Value::win(0)), over);
    let drawn = rooms().find(|room| maze.ends[*room as usize] == Some(Value::DRAW)).unwrap();
    is_found(&maze, &Map::of(&maze).with(drawn, Value::loss(0)), drawn);
    let no_way = rooms().find(|room| maze.ends[*room as usize].is_none() && maze.doors[*room as usize].is_empty());
    is_found(&maze, &Map::of(&maze).with(no_way.unwrap(), Value::DRAW), no_way.unwrap());
}

#[test]
fn endless_play_for_the_wrong_side_is_found_although_all_values_agree() {
    let maze = Maze::new(true);
    let mut map = Map::of(&maze);
    let mut turned = 0;
    for answer in map.values.values_mut().filter(|answer| answer.value.distance().is_none()) {
        answer.value = answer.value.before();
        turned += 1;
    }
    assert!(turned > 20);
    assert_eq!(verified(&maze, &map, Extent::Full).mismatches, turned);
    // As draws they would agree with each other as well.
    map.values.values_mut().filter(|answer| answer.value.distance().is_none()).for_each(|it| it.value = Value::DRAW);
    assert_eq!(verified(&maze, &map, Extent::Full).mismatches, turned);
}

#[test]
fn one_untimed_value_for_the_wrong_side_is_found() {
    let maze = Maze::new(true);
    let map = Map::of(&maze);
    let room = map.room(&maze, |_, value| value == Value::UNTIMED_LOSS);
    is_found(&maze, &map.with(room, Value::UNTIMED_WIN), room);
}

#[test]
fn what_is_not_stored_is_worked_out_two_plies_deep() {
    for maze in [Maze::new(false), Maze::new(true)] {
        let map = Map::of(&maze).only(|room| room % 2 == 0);
        let found = verified(&maze, &map, Extent::Full);
        assert_eq!(
            (found.checked, found.derived, found.mismatches, found.full, found.passed),
            (300, 300, 0, true, true)
        );
        let wins_late =
            |room: u32, value: Value| room.is_multiple_of(2) && value > Value::UNTIMED_WIN && value < Value::win(2);
        let room = map.room(&maze, wins_late);
        is_found(&maze, &map.with(room, Value::win(1)), room);
    }
}

#[test]
fn an_oracle_that_works_out_wrongly_what_is_not_stored_is_found() {
    let maze = Maze::new(false);
    let map = Map::of(&maze).only(|room| room % 2 == 0);
    let room = map.room(&maze, |room, value| room % 2 == 1 && value == Value::DRAW);
    let found = verified(&maze, &map.with(room, Value::win(3)), Extent::Full);
    assert_eq!((found.mismatches, found.passed), (1, false));
    assert_eq!(found.examples[0].position, room.to_string());
}

#[test]
fn to_have_checked_nothing_is_not_to_have_passed() {
    let maze = Maze::new(false);
    let found = verified(&maze, &Map::of(&maze).only(|_| false), Extent::Full);
    assert_eq!((found.checked, found.mismatches, found.passed), (0, 0, false));
    assert!(found.out_of_reach > 0 && !found.full, "{found:?}");
    let found = verified(&maze, &Map::of(&maze), Extent::Sample(0));
    assert_eq!((found.checked, found.full, found.passed), (0, false, false));
}

#[test]
fn a_sample_has_each_position_once_and_is_not_called_full() {
    let maze = Maze::new(false);
    let map = Map::of(&maze);
    let found = verified(&maze, &map, Extent::Sample(450));
    assert_eq!((found.positions, found.checked, found.full, found.passed), (600, 450, false, true));
    assert_eq!(map.asked.load(Relaxed), 450);
    // Half of the positions are wrong: a sample that drew some twice would not find three quarters of them.
    let mut wrong = Map::of(&maze);
    wrong.values.extend((0..300).map(|room| (2 * room, Answer::from(Value::win(20_000)))));
    let found = verified(&maze, &wrong, Extent::Sample(599));
    assert!(found.mismatches >= 299, "{found:?}");
    assert_eq!(found.examples.len(), 10);
    assert!(verified(&maze, &map, Extent::Sample(600)).full);
}

#[test]
fn scores_are_compared_too() {
    let maze = Maze::scored();
    let found = verified(&maze, &Map::of_scores(&maze), Extent::Full);
    assert_eq!((found.checked, found.mismatches, found.passed), (600, 0, true));
    let mut map = Map::of_scores(&maze);
    let room = map.room(&maze, |_, value| value == Value::UNTIMED_WIN);
    let score = map.values[&room].score.unwrap();
    map.values.insert(room, Answer::of_score(score + 1));
    is_found(&maze, &map, room);
    let found = verified(&maze, &map, Extent::Full);
    let wrong = found.examples.iter().find(|wrong| wrong.position == room.to_string()).unwrap();
    assert_eq!((wrong.stored, wrong.expected), (Outcome::Win, Outcome::Win));
    assert_eq!((wrong.stored_score, wrong.expected_score), (Some(score + 1), Some(score)));
}

#[test]
fn a_line_of_stored_scores_is_checked_to_the_end_of_the_game() {
    let maze = Maze::scored();
    let found = verified(&maze, &Map::of_scores(&maze).only(|room| room % 50 == 7), Extent::Full);
    assert_eq!((found.checked, found.out_of_reach, found.passed), (12, 0, true));
}

#[test]
fn what_was_covered_is_in_the_json() {
    let maze = Maze::new(false);
    let json = serde_json::to_value(verified(&maze, &Map::of(&maze), Extent::Sample(5))).unwrap();
    let names: Vec<&String> = json.as_object().unwrap().keys().collect();
    let expected = [
        "game",
        "positions",
        "full",
        "checked",
        "derived",
        "searched",
        "out_of_reach",
        "mismatches",
        "missing",
        "unreachable",
        "wrong_blocks",
        "census",
        "not_checked",
        "passed",
        "examples",
    ];
    assert_eq!(names, expected);
    assert_eq!(json["not_checked"], serde_json::json!(["other_positions", "census"]));
}

#[test]
fn a_census_that_was_made_up_is_found() {
    let maze = Maze::new(false);
    let mut map = Map::of(&maze);
    let found = verified(&maze, &map, Extent::Full);
    assert_eq!(found.census.map(|census| (census.positions, census.differences)), Some((600, 0)));
    map.census.classes[0].1.add(Value::win(7), 3);
    let found = verified(&maze, &map, Extent::Full);
    let census = found.census.unwrap();
    assert_eq!((census.differences, found.mismatches, found.passed), (1, 0, false));
    let [wrong] = &census.examples[..] else { panic!("{census:?}") };
    assert_eq!((wrong.value, wrong.distance, wrong.stored), (Outcome::Win, Some(7), wrong.counted + 3));
    // A sample does not check it, and reports that.
    let found = verified(&maze, &map, Extent::Sample(50));
    assert_eq!((found.passed, found.census), (true, None));
    assert!(found.not_checked.contains(&Unchecked::Census));
}

#[test]
fn a_census_with_a_class_too_many_or_under_another_name_is_found() {
    let maze = Maze::new(false);
    let mut map = Map::of(&maze);
    map.census.classes.push(map.census.classes[0].clone());
    assert!(!verified(&maze, &map, Extent::Full).passed);
    let mut map = Map::of(&maze);
    map.census.classes[0].0.insert("class".into(), 1.into());
    assert!(!verified(&maze, &map, Extent::Full).passed);
    map.census.classes.clear();
    assert!(!verified(&maze, &map, Extent::Full).passed);
}

#[test]
fn a_list_that_leaves_rooms_out_or_makes_some_up_is_found() {
    let maze = Maze::new(false);
    let all: Vec<u32> = (0..ROOMS).rev().collect();
    let found = verified(&maze, &Map::of(&maze).listing(all.clone()), Extent::Full);
    assert_eq!((found.positions, found.missing, found.unreachable, found.passed), (600, 0, 0, true));

    let mut short = all.clone();
    short.remove(77);
    let found = verified(&maze, &Map::of(&maze).listing(short), Extent::Full);
    assert!(found.missing > 0 && !found.passed, "{found:?}");

    let mut twice = all.clone();
    twice.push(5);
    let found = verified(&maze, &Map::of(&maze).listing(twice), Extent::Full);
    assert_eq!((found.unreachable, found.passed), (1, false));
    // What was never listed before is not even looked at: it may be no position at all.
    let mut none = all;
    none.push(ROOMS + 1);
    let found = verified(&maze, &Map::of(&maze).listing(none), Extent::Full);
    assert_eq!((found.unreachable, found.mismatches, found.passed), (1, 0, false));
}

#[test]
fn no_positions_are_no_proof() {
    let maze = Maze::new(false);
    let found = verified(&maze, &Map::of(&maze).listing(Vec::new()), Extent::Full);
    assert_eq!((found.positions, found.checked, found.passed), (0, 0, false));
    assert!(found.missing > 0);
}

#[test]
fn what_is_out_of_reach_fails_a_full_verification_and_is_listed_by_a_sample() {
    let maze = Maze::scored();
    let map = Map::of_scores(&maze).only(|room| room > 400);
    let found = verified(&maze, &map, Extent::Full);
    if found.out_of_reach > 0 {
        assert!(!found.full && !found.passed && found.not_checked.contains(&Unchecked::OutOfReach), "{found:?}");
    }
    let circles = Maze::new(false);
    let found = verified(&circles, &Map::of(&circles).only(|room| room % 7 == 0), Extent::Full);
    assert!(found.checked > 0 && found.mismatches == 0 && found.out_of_reach > 0, "{found:?}");
    assert!(!found.passed && found.not_checked.contains(&Unchecked::OutOfReach), "{found:?}");
}
