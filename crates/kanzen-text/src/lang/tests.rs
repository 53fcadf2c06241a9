use super::*;
use crate::core::Side;
use crate::interpreter::{Interpreter, Position};
use kanzen_core::random::Random;
use std::collections::HashMap;

/// The texts of `games/`, by name.
const GAMES: &[(&str, &str)] = &[
    ("tic-tac-toe", include_str!("../../../../games/tic-tac-toe.game")),
    ("teeko", include_str!("../../../../games/teeko.game")),
    ("breakthrough-4x5", include_str!("../../../../games/breakthrough-4x5.game")),
    ("hexapawn", include_str!("../../../../games/hexapawn.game")),
    ("fox-and-hounds", include_str!("../../../../games/fox-and-hounds.game")),
    ("three-mens-morris", include_str!("../../../../games/three-mens-morris.game")),
    ("six-mens-morris", include_str!("../../../../games/six-mens-morris.game")),
    ("animal-shogi", include_str!("../../../../games/animal-shogi.game")),
    ("othello-4x4", include_str!("../../../../games/othello-4x4.game")),
    ("musashi-25", include_str!("../../../../games/musashi-25.game")),
    ("nocca-3x3", include_str!("../../../../games/nocca-3x3.game")),
    ("ostle-3", include_str!("../../../../games/ostle-3.game")),
    ("english-draughts", include_str!("../../../../games/english-draughts.game")),
];

fn shown(text: &str, problems: &[Problem]) -> String {
    problems.iter().map(|problem| problem.show(text)).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_text_of_the_library_is_read() {
    for (name, text) in GAMES {
        if let Err(problems) = parse(text) {
            panic!("{name}\n{}", shown(text, &problems));
        }
    }
}

#[test]
fn the_texts_are_short() {
    for (name, text) in GAMES {
        let most = if name.contains("morris") || name.contains("shogi") { 20 } else { 15 };
        assert!(text.lines().count() <= most, "{name}");
    }
}

fn game(name: &str) -> TextGame {
    let text = GAMES.iter().find(|(other, _)| *other == name).unwrap().1;
    compile(text).unwrap_or_else(|problems| panic!("{name}\n{}", shown(text, &problems)))
}

fn perft(name: &str, depth: u32) -> Vec<u64> {
    let game = game(name);
    let play = Interpreter::new(&game.core).unwrap();
    let start = play.initial().unwrap();
    (1..=depth).map(|depth| play.perft(&start, depth).unwrap()).collect()
}

/// The value and the plies to the end, by plain retrograde analysis over all positions that can be reached: 1 if the
/// side to move wins, 0 for a draw.
struct Solved {
    positions: usize,
    start: (i8, u32),
}

/// Solves a game with the interpreter.
fn solved(game: &TextGame) -> Solved {
    let play = Interpreter::new(&game.core).unwrap();
    let mut numbers = HashMap::from([(play.initial().unwrap(), 0)]);
    let mut positions = vec![play.initial().unwrap()];
    let mut children: Vec<Vec<(usize, i8)>> = Vec::new();
    let mut values: Vec<Option<(i8, u32)>> = Vec::new();
    while let Some(position) = positions.get(children.len()).cloned() {
        let sign = |side: Side| if side == Side::First { 1 } else { -1 };
        let score = play.score(&position).unwrap();
        values.push(score.map(|score| (score.signum() as i8 * sign(position.mover), 0)));
        let mut found = Vec::new();
        for child in play.moves(&position).unwrap() {
            let number = *numbers.entry(child.to.clone()).or_insert(positions.len());
            if number == positions.len() {
                positions.push(child.to.clone());
            }
            found.push((number, sign(position.mover) * sign(child.to.mover)));
        }
        children.push(found);
    }
    // Wins by the quickest move, losses when all moves are known to lose; what remains is a draw.
    for distance in 1.. {
        let mut decided = Vec::new();
        for (at, moves) in children.iter().enumerate().filter(|(at, _)| values[*at].is_none()) {
            let seen = |&(child, same): &(usize, i8)| values[child].map(|(value, _)| value * same);
            if moves.iter().any(|child| seen(child) == Some(1)) {
                decided.push((at, (1, distance)));
            } else if moves.iter().all(|child| seen(child) == Some(-1)) {
                decided.push((at, (-1, distance)));
            }
        }
        if decided.is_empty() {
            break;
        }
        decided.into_iter().for_each(|(at, value)| values[at] = Some(value));
    }
    Solved { positions: positions.len(), start: values[0].unwrap_or((0, 0)) }
}

#[test]
fn small_games_have_their_known_values() {
    let tic_tac_toe = solved(&game("tic-tac-toe"));
    assert_eq!((tic_tac_toe.positions, tic_tac_toe.start.0), (5478, 0));
    assert_eq!(solved(&game("hexapawn")).start.0, -1); // Gardner 1962: the second player wins
    assert_eq!(solved(&game("three-mens-morris")).start, (1, 9)); // as the engine of kanzen-games has it
}

/// The number of games, a draw or a win being their end.
fn games(play: &Interpreter<'_>, position: &Position, known: &mut HashMap<Position, u64>) -> u64 {
    if let Some(count) = known.get(position) {
        return *count;
    }
    let moves = play.moves(position).unwrap();
    let count = match moves.is_empty() {
        true => 1,
        false => moves.iter().map(|each| games(play, &each.to, known)).sum(),
    };
    known.insert(position.clone(), count);
    count
}

#[test]
fn tic_tac_toe_has_255168_games() {
    let game = game("tic-tac-toe");
    let play = Interpreter::new(&game.core).unwrap();
    assert_eq!(games(&play, &play.initial().unwrap(), &mut HashMap::new()), 255_168);
}

/// Plays a game at random and returns whether it ended within so many moves.
fn ends_at_random(game: &TextGame, seed: u64, most: usize) -> bool {
    let play = Interpreter::new(&game.core).unwrap();
    let mut position = play.initial().unwrap();
    let mut random = Random::new(seed);
    for _ in 0..most {
        let moves = play.moves(&position).unwrap();
        if moves.is_empty() {
            assert!(play.score(&position).unwrap().is_some());
            return true;
        }
        position = moves[below(&mut random, moves.len())].to.clone();
        assert_eq!(position.board.len(), game.core.board.len());
    }
    false
}

fn below(random: &mut Random, bound: usize) -> usize {
    (random.next() % bound as u64) as usize
}

#[test]
fn random_games_of_every_text_end() {
    for (name, _) in GAMES {
        let game = game(name);
        assert_eq!(game.warnings, [], "{name}");
        let ended = (0..5).filter(|seed| ends_at_random(&game, *seed, 400)).count();
        assert!(ended > 0, "{name}");
    }
}

#[test]
fn moves_from_the_start_are_as_counted_by_hand() {
    assert_eq!(perft("tic-tac-toe", 5), [9, 72, 504, 3024, 15120]);
    assert_eq!(perft("teeko", 3), [25, 600, 13800]);
    // Four steps forward, and six aside: two from each inner column, one from each outer one.
    assert_eq!(perft("breakthrough-4x5", 2), [10, 10 * 9]);
    assert_eq!(perft("hexapawn", 2), [3, 10]);
    // Four cells for the fox, from which it goes on to two cells, from a1 only to one.
    assert_eq!(perft("fox-and-hounds", 3), [4, 7, 7 * 7]);
    assert_eq!(perft("six-mens-morris", 3), [16, 16 * 15, 16 * 15 * 14]);
}

/// Numbers of sequences of moves that the rules of `kanzen-games`, written in Rust, lead to.
#[test]
fn moves_are_those_of_the_rules_in_rust() {
    assert_eq!(perft("three-mens-morris", 5), [9, 72, 504, 3024, 16560]);
    assert_eq!(perft("six-mens-morris", 4), [16, 240, 3360, 43680]);
    assert_eq!(perft("animal-shogi", 5), [4, 17, 100, 615, 3440]);
    assert_eq!(perft("othello-4x4", 6), [4, 12, 44, 128, 424, 1256]);
    assert_eq!(perft("nocca-3x3", 4), [11, 121, 1230, 11912]);
    assert_eq!(perft("ostle-3", 1), [13]); // later its ko rule forbids moves, which the text lacks
}

#[test]
fn draughts_has_its_published_numbers_of_moves() {
    assert_eq!(perft("english-draughts", 5), [7, 49, 302, 1469, 7361]);
}

/// The blocks of the specification with their number of moves.
fn examples() -> impl Iterator<Item = (usize, &'static str)> {
    let page = include_str!("../../../../docs/language.md");
    page.split("```game moves ").skip(1).map(|rest| {
        let (moves, rest) = rest.split_once('\n').unwrap();
        (moves.parse().unwrap(), rest.split("```").next().unwrap())
    })
}

#[test]
fn every_example_of_the_specification_can_be_played() {
    assert!(examples().count() > 15);
    for (moves, text) in examples() {
        let game = compile(text).unwrap_or_else(|problems| panic!("{text}{}", shown(text, &problems)));
        assert_eq!(game.warnings, [], "{text}");
        let play = Interpreter::new(&game.core).unwrap();
        assert_eq!(play.moves(&play.initial().unwrap()).unwrap().len(), moves, "{text}");
        ends_at_random(&game, 1, 60);
    }
}

/// Each text with the place of its first problem, what is wrong and what was expected.
#[test]
fn problems_name_their_place_and_what_was_expected() {
    let base = "game G\nboard 3x3\nsides a A up, b B\n";
    let cases = [
        ("turn plaec own on empty", (4, 6), "unknown word `plaec`", "`place`"),
        ("turn place own empty", (4, 16), "`empty` does not fit here", "`on`"),
        ("turn place own on emty", (4, 19), "`emty` does not fit here", "`empty`"),
        ("turn place own on empty,", (4, 25), "the line ends here", "an action such as `place` or `own step`"),
        (
            "turn own step to enemy",
            (4, 18),
            "the move ends on a piece",
            "`, taking it` after it, or a target without pieces",
        ),
        (
            "turn own step to empty, taking it",
            (4, 6),
            "`taking it` has nothing to take",
            "a target such as `empty or enemy`",
        ),
        (
            "turn own step forward",
            (4, 15),
            "`b` does not look anywhere",
            "a direction in `sides`, such as `white w up`",
        ),
        (
            "turn own move to empty",
            (4, 6),
            "none of these pieces has moves of its own",
            "`step` or `slide` in their `piece` lines, or a direction here",
        ),
        ("turn own step\nwin own line 4", (5, 5), "the board has no line of 4 cells", ""),
        ("turn own step\nwin own on row 4", (5, 12), "the board has 3 rows", ""),
        ("turn own step\nwin own on d1", (5, 12), "`d1` is not on the board", ""),
        ("turn own step, x\nact x: y\nact y: x", (6, 8), "`x` uses itself, without an end", ""),
        ("turn own step, x (1, 2)\nact x (n): nothing", (4, 16), "`x` has 1 parameters, not 2", ""),
        ("turn own step\nturn own step", (5, 1), "a second `turn`", ""),
        (
            "turn own step\nstuck looses",
            (5, 7),
            "`looses` does not fit here",
            "`lose`, `win`, `draw`, `pass`, `score` or a side and `wins`",
        ),
        ("turn own step\nendless win", (5, 9), "endless play has no last move", "`draw`, or a side and `wins`"),
        (
            "turn own step, where own can move",
            (4, 6),
            "a turn asks whether the same side can move, and so on without an end",
            "",
        ),
        ("turn else: own step", (4, 6), "`else` stands below an `if`", ""),
        ("turn again, own step", (4, 6), "`again` is the last word of a line of `turn`", ""),
        ("act own: nothing", (4, 5), "`own` cannot be a name", "a word of your own that starts with a letter"),
    ];
    for (text, place, message, expected) in cases {
        let text = format!("{base}{text}");
        let problems = compile(&text).unwrap_err();
        let first = &problems[0];
        let found = (first.place(&text), first.message.as_str(), first.expected.as_deref().unwrap_or(""));
        assert_eq!(found, (place, message, expected), "{text}");
    }
}

#[test]
fn boards_that_do_not_fit_are_errors() {
    let message = |text: &str| {
        let text = format!("game G\nsides a A, b B\nturn own step\n{text}");
        compile(&text).unwrap_err()[0].show(&text)
    };
    assert_eq!(
        message("board 3x2: AA BBB"),
        "4:12: error: this row has 2 cells; expected 3\n  | board 3x2: AA BBB\n  |            ^^"
    );
    assert!(message("board 3x2: AA.").contains("the drawing has 1 rows; expected 2"));
    assert!(message("board 3x1: AC.").contains("`C` is no piece; expected one of `.AB`"));
    assert!(message("board 99x1").contains("expected 1 to 26 columns and 1 to 40 rows"));
    assert!(message("board 26x40").contains("the board has 1040 cells, at most 400 are possible"));
    assert!(message("board 3x3\nlines a1 b4").contains("`b4` is not on the board"));
    assert!(message("board 3x3\nlines a1 b1, a1 c1").contains("two lines leave this point in the same direction"));
    assert!(message("board 3x3: A.. ... ..B\nlines b1 b2").contains("a piece on a3, which is on no line"));
}

#[test]
fn what_is_of_no_use_is_a_warning() {
    let text = "game G\nboard 3x3: AX. ... .BB\nsides a A, b B\npiece X rock of b\nturn own A step\nact idle: nothing";
    let warnings: Vec<String> = compile(text).unwrap().warnings.iter().map(Problem::to_string).collect();
    assert_eq!(warnings, ["warning: `idle` is not used", "warning: no rule moves `rock`"]);
}

/// A text with some bytes, words and lines changed.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut words: Vec<String> = text.split_inclusive([' ', '\n']).map(str::to_owned).collect();
    for _ in 0..1 + below(random, 4) {
        let (at, other) = (below(random, words.len()), below(random, words.len()));
        match below(random, 6) {
            0 => words.swap(at, other),
            1 => drop(words.remove(at)),
            2 => words.insert(at, words[other].clone()),
            3 => words.insert(
                at,
                ["(", ")", ",", ":", "or ", "\n", "not ", "99999999999 ", "\u{1F0A1} "][below(random, 9)].into(),
            ),
            4 => words[at] = words[at].chars().rev().collect(),
            _ => words[at] = words[at].repeat(1 + below(random, 30)),
        }
    }
    words.concat()
}

/// Compiles texts with changes; how many of them are games.
fn mutants(count: usize, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let texts: Vec<&str> = GAMES.iter().map(|(_, text)| *text).chain(examples().map(|(_, text)| text)).collect();
    let mut games = 0;
    for _ in 0..count {
        let text = mutated(texts[below(&mut random, texts.len())], &mut random);
        match compile(&text) {
            Ok(game) => games += usize::from(game.core.check().is_ok()),
            Err(problems) => {
                let first = &problems[0];
                assert!(!first.message.is_empty() && first.show(&text).contains('^'));
            }
        }
    }
    games
}

#[test]
fn changed_texts_are_games_or_have_a_problem() {
    let games = mutants(10_000, 1);
    assert!(games > 500 && games < 9_000, "{games}");
}

#[test]
fn rules_that_double_at_each_level_are_an_error() {
    let nested = format!("{}own step{}", "exhaust (own step, ".repeat(18), ")".repeat(18));
    let text = format!("game G\nboard 5x5\nsides a A, b B\nturn {nested}, x\nact x: {nested}");
    let problem = compile(&text).unwrap_err().remove(0);
    assert_eq!(problem.message, "the rules grow too large here, through definitions within definitions");
}
