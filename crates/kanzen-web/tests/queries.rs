//! Fuzzes query strings: each gets a 200 or a 400, and the server keeps working.

mod common;

use common::Running;

/// A small seeded pseudo-random generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }
}

const PIECES: [&str; 24] = [
    "position=",
    "position",
    "=",
    "&",
    "+",
    "%20",
    "%2F",
    "/",
    "%",
    "%f",
    "%zz",
    "%00",
    "%c3%a9",
    "%ff",
    "X..",
    "...",
    "O",
    "?",
    "#",
    "%26",
    "[]",
    "b,b",
    "%25",
    ";",
];

#[test]
fn any_query_gets_a_200_or_a_400() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path(), false);
    let mut dice = Dice(20_261_116);
    let mut statuses = std::collections::BTreeMap::<u16, u32>::new();
    for game in ["tictactoe", "nocca-3x2", "morris-9", "ostle", "othello-8x8", "dobutsu", "musashi-25", "stones-21"] {
        for _ in 0..40 {
            let query: String = (0..dice.below(8)).map(|_| PIECES[dice.below(PIECES.len())]).collect();
            let path = format!("/api/{game}/moves?{query}");
            let status = server.get(&path).status;
            assert!(status == 200 || status == 400, "{status} for {path}");
            *statuses.entry(status).or_default() += 1;
        }
        let sound = server.get(&format!("/api/{game}/moves"));
        assert_eq!(sound.status, 200, "{game} still works");
    }
    assert!(statuses.values().all(|times| *times > 20) && statuses.len() == 2, "{statuses:?}");
}
