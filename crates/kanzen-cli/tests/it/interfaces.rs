//! Output of the command: complete answers, advice that works, and no success reported after a failure.

use std::fs::OpenOptions;
use std::process::Stdio;

use crate::common::{Data, kanzen};
use serde_json::Value as Json;

/// Runs a line of the command. Returns its JSON.
fn json(data: &Data, line: &str) -> Json {
    serde_json::from_str(&data.stdout(&format!("{line} --json"))).unwrap()
}

#[test]
fn a_full_disk_behind_standard_output_is_an_error_of_every_command() {
    let data = Data::new();
    data.stdout("solve tictactoe --quiet --json");
    let lines = "--help|--version|help|games|games --json|info tictactoe|solve tictactoe|probe tictactoe|probe --help|\
                 line tictactoe|stats tictactoe|stats tictactoe --csv|verify tictactoe|play tictactoe|count tictactoe|\
                 count morris-3|reach tictactoe|completions bash|man|serve --addr 127.0.0.1:0";
    for line in lines.split('|') {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ran = data.command(line).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let stderr = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(2), "{line}: {stderr}");
        let expected = "kanzen: cannot write to standard output: No space left on device (os error 28)\n";
        assert_eq!(stderr, expected, "{line}");
    }
}

#[test]
fn a_reader_who_leaves_is_no_error() {
    for line in ["--help", "--version", "games"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let data = Data::new();
        let ran = data.command(line).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!((ran.status.code(), ran.stderr.len()), (Some(0), 0), "{line}");
    }
}

#[test]
fn an_illegal_position_is_bad_input_whether_the_game_is_solved_or_not() {
    let data = Data::new();
    data.stdout("solve tictactoe --quiet --json");
    for command in ["probe", "line", "play"] {
        for game in ["tictactoe", "musashi-33", "ostle", "morris-9"] {
            let ran = data.run(&format!("{command} {game} nonsense"));
            assert!(ran.refused(), "{command} {game}: {ran:?}");
            assert!(ran.stderr.contains(&format!("not a position of {game}")), "{ran:?}");
            let ran = data.run(&format!("{command} {game} --moves z9"));
            assert!(ran.refused() && ran.stderr.contains("z9 is not a move in "), "{command} {game}: {ran:?}");
        }
        // A sound question about a game that is not solved is still a negative answer.
        assert_eq!(data.run(&format!("{command} musashi-33")).status, Some(1));
    }
}

#[test]
fn moves_lead_to_the_position_they_name() {
    let data = Data::new();
    let after = json(&data, "probe tictactoe --moves b2,A1");
    assert_eq!(after["position"], ".../.X./O.. X");
    assert_eq!(after, json(&data, "probe tictactoe .../.X./O.. X"));
    let mut command = data.command("line tictactoe XO./.../... X --json --moves");
    let line = command.arg("a2 b2 a1").output().unwrap();
    let line: Json = serde_json::from_slice(&line.stdout).unwrap();
    assert_eq!((&line["position"], &line["end"]["winner"]), (&"XO./XO./X.. O".into(), &"X".into()));
}

#[test]
fn a_line_contains_scores_and_how_it_ended() {
    let data = Data::new();
    let line = json(&data, "line othello-4x4");
    assert_eq!((&line["score"], &line["value"]), (&(-10).into(), &"loss".into()));
    let steps = line["line"].as_array().unwrap();
    assert!(steps.iter().all(|step| step["score"].as_i64().unwrap().abs() == 10), "{line}");
    assert_eq!(line["end"], serde_json::json!({ "how": "over", "winner": "O", "score": 10 }));
    assert!(data.stdout("line othello-4x4").ends_with("\n  The game is over: O wins by 10.\n"));

    let stones = json(&data, "line stones-6");
    assert_eq!(stones["end"], serde_json::json!({ "how": "stuck", "winner": "first" }));
    let draw = json(&data, "line nocca-3x3");
    let end = if draw["value"] == "draw" { "repeated" } else { "over" };
    assert_eq!(draw["end"]["how"], end, "{draw}");
}

#[test]
fn a_census_of_scores_has_them_all() {
    let data = Data::new();
    let stats = json(&data, "stats othello-4x4");
    let scores = stats["scores"].as_array().unwrap();
    let count = |wanted: fn(i64) -> bool| -> u64 {
        let bars = scores.iter().filter(|bar| wanted(bar["score"].as_i64().unwrap()));
        bars.map(|bar| bar["positions"].as_u64().unwrap()).sum()
    };
    assert_eq!(Json::from(count(|score| score > 0)), stats["wins"]);
    assert_eq!(Json::from(count(|score| score < 0)), stats["losses"]);
    assert_eq!(Json::from(count(|score| score == 0)), stats["draws"]);
    assert_eq!(stats["untimed"]["wins"], stats["wins"], "no win of Othello has a distance");
    let text = data.stdout("stats othello-4x4");
    assert!(text.contains("  score  positions\n") && text.contains("  +16 "), "{text}");
    assert!(text.contains("\n  16 discs"), "{text}");
}

#[test]
fn a_solution_of_the_start_alone_is_no_census() {
    let data = Data::new();
    let solved = json(&data, "solve othello-4x5 --quiet");
    assert!(solved["weak"]["line"].as_u64().unwrap() > 10, "{solved}");
    assert!(!data.stdout("solve othello-4x5").contains("positions"));
    let text = data.stdout("stats othello-4x5");
    assert!(text.contains("solved from its start only") && !text.contains("share"), "{text}");
    assert_eq!(json(&data, "stats othello-4x5")["weak"], solved["weak"]);
    for layout in ["--csv", "--csv=plain"] {
        let ran = data.run(&format!("stats othello-4x5 {layout}"));
        assert!(ran.refused() && ran.stderr.contains("there is no census"), "{ran:?}");
    }
    assert!(data.stdout("info othello-4x5").contains("the start alone"));
}

#[test]
fn one_table_for_all_games_adds_up() {
    let data = Data::new();
    for game in ["tictactoe", "nocca-3x2", "othello-4x4", "morris-3", "stones-9"] {
        let table = data.stdout(&format!("stats {game} --csv=plain --quiet"));
        let stats = json(&data, &format!("stats {game}"));
        assert!(table.starts_with("class,distance,wins,losses,draws\n"), "{table}");
        for (column, name) in [(2, "wins"), (3, "losses"), (4, "draws")] {
            let cells = table.lines().skip(1).map(|row| row.split(',').nth(column).unwrap().parse::<u64>().unwrap());
            assert_eq!(Json::from(cells.sum::<u64>()), stats[name], "{game} {name}");
        }
    }
}

#[test]
fn the_list_of_games_fits_and_marks_what_is_solved() {
    let data = Data::new();
    for game in ["tictactoe", "othello-4x4", "othello-4x5", "nocca-3x2"] {
        data.stdout(&format!("solve {game} --quiet --json"));
    }
    for unfinished in ["morris-9.part", "stones-77.part"] {
        std::fs::create_dir(data.join(unfinished)).unwrap();
    }
    let listed = data.stdout("games");
    for line in listed.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let row = |game: &str| {
        let row = listed.lines().find(|line| line.split_whitespace().next() == Some(game));
        row.unwrap_or_else(|| panic!("no {game} in\n{listed}")).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let tictactoe = row("tictactoe");
    assert!(tictactoe.starts_with("tictactoe 765 draw ") && tictactoe.ends_with(" kB"), "{tictactoe}");
    assert!(row("othello-4x4").starts_with("othello-4x4 12,351 loss by 10 "));
    assert!(row("othello-4x5").starts_with("othello-4x5 the start only "));
    assert!(row("morris-9").contains(" unfinished "));
    assert!(row("stones-77").contains(" unfinished "));
    assert!(row("othello-8x8").contains(" no ") && row("othello-8x8").ends_with(" >99 years"));
    let games = json(&data, "games");
    let found = |id: &str| games.as_array().unwrap().iter().find(|game| game["id"] == id).unwrap().clone();
    assert_eq!(
        (&found("nocca-3x2")["initial"]["distance"], &found("nocca-3x2")["state"]),
        (&11.into(), &"solved".into())
    );
    assert_eq!(found("morris-9")["state"], "unfinished");
}

#[test]
fn info_prints_rules_notation_and_cost_of_every_game() {
    let data = Data::new();
    let games = json(&data, "games");
    for game in games.as_array().unwrap() {
        let id = game["id"].as_str().unwrap();
        let info = json(&data, &format!("info {id}"));
        for field in ["/rules", "/notation/words", "/notation/position", "/notation/example/move"] {
            assert!(
                info.pointer(field).is_some_and(|text| text.as_str().is_some_and(|text| !text.is_empty())),
                "{info}"
            );
        }
        // The time depends on how fast the machine is just now.
        for figure in ["memory_bytes", "data_bytes"] {
            assert_eq!(info["forecast"][figure], game["forecast"][figure], "{id}");
        }
        let text = data.stdout(&format!("info {id}"));
        let long = text.lines().find(|line| {
            line.chars().count() > 80 && !line.starts_with("  position") && !line.starts_with("  leads to")
        });
        assert_eq!(long, None, "{text}");
    }
    data.stdout("solve nocca-3x2 --quiet --json");
    let info = json(&data, "info nocca-3x2");
    let stored = &info["stored"];
    assert_eq!((&stored["positions"], &stored["all_positions"]), (&366.into(), &1440.into()), "{info}");
    assert_eq!((&info["positions"], &info["counting"]), (&1440.into(), &"all".into()));
}

#[test]
fn a_database_of_other_rules_is_refused_with_advice() {
    let data = Data::new();
    data.stdout("solve stones-4 --quiet --json");
    std::fs::rename(data.join("stones-4"), data.join("stones-5")).unwrap();
    let ran = data.run("probe stones-5");
    let folder = data.join("stones-5");
    let advice =
        format!("remove the folder {} and solve again, or use another one with --data DIR\n", folder.display());
    assert!(ran.refused() && ran.stderr.ends_with(&advice), "{ran:?}");
}

#[test]
fn completions_have_the_games_and_nothing_hidden() {
    // In the last two, clap completes options and commands only.
    for (shell, games) in [("bash", true), ("zsh", true), ("fish", true), ("elvish", false), ("powershell", false)] {
        let script = kanzen().args(["completions", shell]).output().unwrap();
        let script = String::from_utf8(script.stdout).unwrap();
        assert!(!games || script.contains("musashi-33"), "{shell}");
        assert!(!script.contains("checkpoint-seconds"), "{shell}");
    }
}

/// A game over a pipe.
fn played(data: &Data, line: &str, typed: &str) -> String {
    use std::io::Write;
    let mut child = data.command(line).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_game_is_saved_and_loaded_again() {
    let data = Data::new();
    let file = data.join("game.txt");
    let printed = played(&data, "play tictactoe", &format!("b2\nsave {}\nquit\n", file.display()));
    assert!(printed.contains("2 moves are in "), "{printed}");
    let record = std::fs::read_to_string(&file).unwrap();
    assert!(record.contains("\ngame: tictactoe\nposition: .../.../... X\nmoves: b2 "), "{record}");
    let printed = played(&data, "play tictactoe --side second", &format!("side\nload {}\nundo\nb2\n", file.display()));
    assert!(printed.contains("Now 2 moves of "), "{printed}");
    let printed = played(&data, "play stones-7", &format!("load {}\nsave\nload absent\n", file.display()));
    assert!(printed.contains("that is a game of tictactoe, this is stones-7."), "{printed}");
    assert!(
        printed.contains("`save` needs the name of a file.") && printed.contains("cannot read absent"),
        "{printed}"
    );
}

#[test]
fn moves_before_the_game_can_be_taken_back() {
    let data = Data::new();
    let printed = played(&data, "play tictactoe --moves b2,a1", "undo\nrules\n");
    assert!(printed.matches("3  .  .  .\n  2  .  .  .\n").count() == 1, "{printed}");
    assert!(printed.contains("Three of one's own in a row") && printed.contains("A move is its square"), "{printed}");
}
