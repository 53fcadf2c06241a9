//! Games in `.rbg` form: counts of move sequences from the start, against published ones.

use kanzen_text::interpreter::Interpreter;
use kanzen_text::rbg;

const TIC_TAC_TOE: &str = include_str!("rbg/tic-tac-toe.rbg");
const BREAKTHROUGH: &str = include_str!("rbg/breakthrough-4x5.rbg");
const DRAUGHTS: &str = include_str!("rbg/draughts.rbg");
const FOX_AND_HOUNDS: &str = include_str!("rbg/fox-and-hounds.rbg");

fn counts(text: &str, depth: u32) -> Vec<u64> {
    let game = rbg::read(text).unwrap();
    let play = Interpreter::new(&game).unwrap();
    let start = play.initial().unwrap();
    (1..=depth).map(|depth| play.perft(&start, depth).unwrap()).collect()
}

#[test]
fn tic_tac_toe_has_the_known_numbers_of_games() {
    let counts = counts(TIC_TAC_TOE, 6);
    // 9 * 8 * 7 * 6 * 5; of these 1,440 end at once; the rest go on in four ways.
    assert_eq!(counts, [9, 72, 504, 3024, 15120, 54720]);
}

#[test]
fn draughts_equals_the_published_counts() {
    assert_eq!(counts(DRAUGHTS, 5), [7, 49, 302, 1469, 7361]);
}

#[test]
fn breakthrough_has_ten_first_moves() {
    // Four men, three ways each, less one at each edge; then one of black's ways straight on is blocked.
    assert_eq!(counts(BREAKTHROUGH, 2), [10, 90]);
}

#[test]
fn the_fox_chooses_and_then_runs() {
    // Four squares; from each the fox has one or two steps; then the four hounds have seven.
    assert_eq!(counts(FOX_AND_HOUNDS, 3), [4, 7, 49]);
}

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    let wrong = |from: &str, to: &str| rbg::read(&TIC_TAC_TOE.replacen(from, to, 1)).unwrap_err().to_string();
    assert_eq!(wrong("{e} [it]", "{e} [that]"), "line 14, column 24: that is no piece");
    assert_eq!(wrong("->me anywhere", "->me elsewhere"), "line 14, column 10: elsewhere is no direction");
    assert_eq!(wrong("#variables =\n", ""), "line 17, column 1: there is no section #variables");
    assert_eq!(wrong("cross(2), ", ""), "line 18, column 1: 1 players; two are possible");
    assert_eq!(wrong("turn(cross; x; nought)", "turn(cross; x)"), "line 17, column 37: turn does not take 2 arguments");
}

#[test]
fn texts_that_double_at_every_line_are_refused_and_do_not_hang() {
    let mut text = String::from("#players = a(1), b(1) #pieces = e #variables = #board = x [e] {} #m0 = ( )\n");
    for line in 1..200 {
        text += &format!("#m{line} = m{} m{}\n", line - 1, line - 1);
    }
    text += "#rules = m199";
    assert!(rbg::read(&text).unwrap_err().reason.contains("macros"));
    let powers = "#players = a(1), b(1) #pieces = e #variables = #board = x [e] {} #rules = ((({e}^9999)^9999)^9999)";
    assert!(rbg::read(powers).unwrap_err().reason.contains("smaller power"));
    let deep =
        format!("#players = a(1), b(1) #pieces = e #variables = #board = x [e] {{}} #rules = {}", "(".repeat(100_000));
    assert!(rbg::read(&deep).unwrap_err().reason.contains("nesting"));
}

#[test]
fn no_mutated_text_panics() {
    let mut random = kanzen_core::random::Random::new(39);
    for text in [TIC_TAC_TOE, FOX_AND_HOUNDS, DRAUGHTS] {
        for _ in 0..1000 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..=random.next() % 4 {
                let at = (random.next() % bytes.len() as u64) as usize;
                match random.next() % 3 {
                    0 => drop(bytes.remove(at)),
                    1 => bytes[at] = (random.next() % 128) as u8,
                    _ => bytes.insert(at, b"()[]{}*+^~#;,"[(random.next() % 13) as usize]),
                }
            }
            if let Ok(game) = rbg::read(&String::from_utf8_lossy(&bytes)) {
                assert_eq!(game.check(), Ok(()));
            }
        }
    }
}
