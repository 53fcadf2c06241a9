//! The JSON that the command writes against its schemas, and positions as text against theirs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::common::Data;
use crate::schema::Schemas;
use serde_json::{Value as Json, json};

/// The folder of the schemas.
fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../kanzen-web"))
}

fn read(path: &Path) -> Json {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// All schemas, and the description of the API that they refer to.
fn schemas() -> (Schemas, BTreeSet<String>) {
    let files = fs::read_dir(folder().join("schemas")).unwrap().map(|file| file.unwrap().path());
    let mut all: Vec<(String, Json)> =
        files.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), read(&path))).collect();
    let names = all.iter().map(|(name, _)| name.clone()).collect();
    all.push(("openapi.json".to_owned(), read(&folder().join("openapi.json"))));
    (Schemas::new(all.iter().map(|(name, schema)| (name.as_str(), schema.clone()))), names)
}

#[test]
fn every_answer_conforms_to_its_schema() {
    let (schemas, names) = schemas();
    let data = Data::new();
    let mut seen = BTreeSet::from(["positions.json".to_owned()]); // has a test of its own
    let mut holds = |name: &str, line: &str, output: &str| {
        let lines: Vec<&str> = output.lines().collect();
        assert!(!lines.is_empty(), "{line} answers nothing");
        for text in lines {
            let value: Json = serde_json::from_str(text).unwrap_or_else(|wrong| panic!("{line}: {wrong}: {text}"));
            schemas.holds(name, &value).unwrap_or_else(|wrong| panic!("{line}: {wrong}\n{text}"));
        }
        seen.insert(name.to_owned());
    };
    let games = ["tictactoe", "stones-21", "nocca-3x2", "nocca-3x3", "morris-3", "othello-4x4", "othello-5x4"];
    for game in games {
        // Before they are solved, and after.
        let stdout = |line: &str| data.stdout(&format!("{line} --json --quiet"));
        holds("info.json", game, &stdout(&format!("info {game}")));
        for (name, line) in [
            ("solve.json", format!("solve {game}")),
            ("solve.json", format!("solve {game}")),
            ("info.json", format!("info {game}")),
            ("probe.json", format!("probe {game}")),
            ("line.json", format!("line {game}")),
            ("stats.json", format!("stats {game}")),
            ("card.json", format!("card {game}")),
            ("data.json", "data".to_owned()),
        ] {
            holds(name, &line, &stdout(&line));
        }
        if game == "othello-5x4" {
            continue; // solved from its start only: there is no census to ask
        }
        for (name, line) in [
            ("probe.json", format!("probe {game} --traps")),
            ("longest.json", format!("stats {game} --longest")),
            ("verify.json", format!("verify {game} --full")),
            ("verify.json", format!("verify {game} --sample 10")),
            ("count.json", format!("count {game}")),
            ("reach.json", format!("reach {game} --depth 4")),
        ] {
            holds(name, &line, &stdout(&line));
        }
        let find = data.command(&format!("find {game} --json --quiet --limit 20 --where")).arg("moves > 0").output();
        holds("find-row.json", game, &String::from_utf8(find.unwrap().stdout).unwrap());
        let count = data.command(&format!("find {game} --json --quiet --count --where")).arg("value = 'win'").output();
        holds("find-count.json", game, &String::from_utf8(count.unwrap().stdout).unwrap());
    }
    holds("games.json", "games", &data.stdout("games --json"));
    holds("puzzle.json", "puzzles", &data.stdout("puzzles nocca-3x3 --json --quiet"));
    holds("duel.json", "duel", &data.stdout("duel tictactoe --against errs:0.2 --games 20 --json --quiet"));
    holds("reach.json", "reach", &data.stdout("reach ostle-8 --depth 2 --ban both --json --quiet"));
    holds("data-check.json", "data check", &data.stdout("data check --json --quiet"));
    let archive = data.join("stones.tar.zst");
    let pack = format!("data pack stones-21 --json --quiet --to {}", archive.display());
    holds("data-pack.json", &pack, &data.stdout(&pack));
    let other = Data::new();
    let add = format!("data add {} --json --quiet", archive.display());
    holds("data-add.json", &add, &other.stdout(&add));
    let many = "printf '1\\n22\\nx\\n' | \"$1\" probe stones-21 - --data \"$2\"";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", many, "sh", env!("CARGO_BIN_EXE_kanzen")]).arg(data.path());
    let answers = shell.output().unwrap();
    holds("probe-line.json", "probe -", &String::from_utf8(answers.stdout).unwrap());
    assert_eq!(seen, names, "every schema was compared with an answer");
}

#[test]
fn positions_conform_to_the_schema_of_their_family() {
    use kanzen_games::catalogue;
    let (schemas, _) = schemas();
    let patterns = read(&folder().join("schemas/positions.json"));
    let games = [
        "tictactoe",
        "stones-21",
        "musashi-25",
        "musashi-31",
        "musashi-33",
        "nocca-3x2",
        "nocca-6x5",
        "ostle",
        "ostle-8",
        "morris-3",
        "morris-5",
        "morris-6",
        "morris-7",
        "morris-9",
        "morris-11",
        "morris-12",
        "othello-4x4",
        "othello-6x6-parallel",
        "othello-8x8",
        "dobutsu",
    ];
    let mut families = BTreeSet::new();
    for id in games {
        let family = id.split('-').next().unwrap();
        families.insert(family.to_owned());
        let schema = json!({ "$ref": format!("#/$defs/{family}") });
        let entry = catalogue::find(id).unwrap();
        let mut dice = crate::common::Dice(7);
        for _ in 0..4 {
            let mut now = entry.moves(None).unwrap();
            while !now.moves.is_empty() && dice.below(60) > 0 {
                let text = Json::from(now.position.clone());
                schemas.check("positions.json", &schema, &text).unwrap_or_else(|wrong| panic!("{id}: {wrong}"));
                schemas.holds("positions.json", &text).unwrap();
                now = entry.moves(Some(&now.moves[dice.below(now.moves.len() as u64) as usize].position)).unwrap();
            }
        }
        // What is no position of the family is not matched by its pattern.
        for wrong in ["", "x", " ", "-1", "o"] {
            assert!(schemas.check("positions.json", &schema, &wrong.into()).is_err(), "{id}: {wrong:?}");
        }
    }
    let described: BTreeSet<String> = patterns["$defs"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(families, described);
}
