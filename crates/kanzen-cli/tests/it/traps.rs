//! `probe --traps`, `duel`, and how the computer plays.

use std::io::Write;
use std::process::Stdio;

use crate::common::{Data, Ran, wait};

/// What is refused, with a part of the one line that gives the reason.
const REFUSED: [(&str, &str); 11] = [
    ("duel tictactoe --against errs:2", "\"errs:2\" is no model of a player: E of errs:E is a share from 0 to 1"),
    ("duel tictactoe --against wise", "there are perfect, random, errs:E, reads:H and haworth:C"),
    ("duel tictactoe --against reads:-1", "H of reads:H is a number of plies"),
    ("duel tictactoe --against haworth:x", "C of haworth:C is a number from 0 on"),
    ("duel tictactoe --against random --style sly", "\"sly\" is no style: there are solid, uniform, trap and patient"),
    ("duel tictactoe --against random --games 0", "expected a number of games, at least 1"),
    ("duel tictactoe", "--against <MODEL>"),
    ("duel stones-21 --against random --from 0", "there is nothing to trap in 0 of stones-21: the game is over"),
    ("play tictactoe --level 9", "\"9\" is no level: levels go from 1 to 8"),
    ("play tictactoe --level 3 --style trap", "cannot be used with"),
    ("probe tictactoe --traps=many", "invalid value 'many'"),
];

#[test]
fn wrong_players_are_refused_in_one_line() {
    let data = Data::new();
    for (line, reason) in REFUSED {
        let ran = data.run(line);
        assert!(ran.refused() && ran.stderr.contains(reason), "{line}: {}", ran.stderr);
    }
}

#[test]
fn traps_are_columns_and_json() {
    let data = Data::new();
    let table = data.stdout("probe tictactoe --traps");
    assert!(table.contains("replies  safe  slips  hidden"), "{table}");
    assert!(table.contains("a search of 4 plies does not refute hidden ones"), "{table}");
    let json: serde_json::Value = serde_json::from_str(&data.stdout("probe tictactoe --traps=9 --json")).unwrap();
    let corner = json["moves"].as_array().unwrap().iter().find(|choice| choice["move"] == "a1").unwrap();
    let expected = serde_json::json!({ "replies": 8, "safe": 1, "slips": 7, "hidden": 0 });
    assert_eq!(corner["traps"], expected);
    let plain: serde_json::Value = serde_json::from_str(&data.stdout("probe tictactoe --json")).unwrap();
    assert!(plain["moves"][0].get("traps").is_none(), "only if they were asked for");
}

#[test]
fn a_won_game_has_nothing_to_trap() {
    let data = Data::new();
    let stdout = data.stdout("probe stones-21 --traps");
    let line = "Nothing to trap: the opponent has lost, and who has lost cannot slip.";
    assert_eq!(stdout.lines().filter(|text| text.trim() == line).count(), 1, "{stdout}");
}

#[test]
fn a_duel_prints_the_same_on_any_number_of_threads() {
    let data = Data::new();
    let line = "duel tictactoe --style trap --against errs:0.2 --games 300 --seed 5 --json --quiet";
    let stdout = data.stdout(line);
    assert_eq!(data.stdout(&format!("{line} --threads 1")), stdout);
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let fields: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = ["game", "style", "against", "games", "seed", "slips", "median_turn", "lost_value"];
    expected.sort_unstable();
    assert!(fields.len() == expected.len() && fields.iter().all(|field| expected.contains(field)), "{fields:?}");
    let turns: Vec<u64> = json["slips"].as_array().unwrap().iter().map(|by| by["turn"].as_u64().unwrap()).collect();
    assert_eq!(turns, [5, 10, 20, 40, 80]);
    assert_eq!(json["lost_value"], 0);
    let words = data.stdout("duel stones-21 --against random --games 50 --delay --quiet");
    assert!(words.contains("The style gave nothing away.") && words.contains("the style has that side"), "{words}");
}

/// A game that is typed.
fn typed(data: &Data, line: &str, input: &str) -> Ran {
    let mut child =
        data.command(line).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    wait(child)
}

#[test]
fn positions_of_standard_input_have_their_traps_too() {
    let data = Data::new();
    data.stdout("solve tictactoe --quiet --json");
    let ran = typed(&data, "probe tictactoe - --traps=9", ".../.../... X\nnonsense\nXO./.../... X\n");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!((ran.status, lines.len(), ran.stderr.as_str()), (Some(1), 3, ""), "{}", ran.stdout);
    for (line, position) in [(lines[0], ".../.../... X"), (lines[2], "XO./.../... X")] {
        assert_eq!(format!("{line}\n"), data.stdout(&format!("probe tictactoe {position} --traps=9 --json")));
    }
    assert!(lines[0].contains("\"traps\":{"), "{}", lines[0]);
    assert!(lines[1].contains("\"error\":\"not a position of tictactoe"), "{}", lines[1]);
}

#[test]
fn the_computer_plays_as_its_introduction_describes() {
    let data = Data::new();
    data.stdout("solve tictactoe --quiet --json");
    let ran = typed(&data, "play tictactoe --level 8 --side second --seed 1", "quit\n");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let known = "The computer is at level 8: it gives nothing away and plays where you can go wrong.";
    assert!(ran.stdout.contains(known), "{}", ran.stdout);
    // A corner: of all openings it leaves the fewest safe replies.
    let corners = ["a1", "a3", "c1", "c3"].map(|corner| format!("The computer plays {corner}."));
    assert!(corners.iter().any(|corner| ran.stdout.contains(corner)), "{}", ran.stdout);
    let plain = typed(&data, "play tictactoe --side second", "quit\n");
    assert!(!plain.stdout.contains("level") && plain.stdout.contains("The computer plays "), "{}", plain.stdout);
}
