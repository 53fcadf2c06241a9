//! `kanzen card` prints what the database contains, and leaves unknown fields out.

use std::fs;

use crate::common::Data;
use serde_json::Value as Json;

fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

#[test]
fn the_card_names_every_file_with_its_digest() {
    let data = Data::new();
    data.stdout("solve nocca-3x2 --quiet");
    let card = data.stdout("card nocca-3x2");
    let dataset = json(&data.stdout("card nocca-3x2 --json"));
    let files = data.files();
    assert_eq!(dataset["distribution"].as_array().unwrap().len(), files.len());
    for file in dataset["distribution"].as_array().unwrap() {
        let name = file["name"].as_str().unwrap();
        let bytes = files[&format!("nocca-3x2/{name}")].len();
        let digest = kanzen_store::sha256_of(&data.join("nocca-3x2").join(name)).unwrap();
        assert_eq!((&file["contentSize"], &file["sha256"]), (&format!("{bytes} B").into(), &digest.clone().into()));
        assert!(card.contains(&format!("| `{name}` | {bytes} | `{digest}` |")), "{card}");
    }
}

#[test]
fn the_counts_are_those_of_the_census() {
    let data = Data::new();
    let stats = json(&data.stdout("stats tictactoe --json --quiet"));
    let dataset = json(&data.stdout("card tictactoe --json"));
    let variables = dataset["variableMeasured"].as_array().unwrap();
    for name in ["positions", "wins", "losses", "draws"] {
        let variable = variables.iter().find(|variable| variable["name"] == name).unwrap();
        assert_eq!(variable["value"], stats[name], "{name}");
    }
    assert_eq!((&dataset["@context"], &dataset["@type"]), (&"https://schema.org/".into(), &"Dataset".into()));
    let rules = json(&data.stdout("info tictactoe --json"))["rules"].clone();
    assert!(dataset["description"].as_str().unwrap().ends_with(rules.as_str().unwrap()));
}

#[test]
fn unknown_fields_are_left_out() {
    let data = Data::new();
    data.stdout("solve stones-21 --quiet");
    let dataset = json(&data.stdout("card stones-21 --json"));
    for unknown in ["creator", "license", "dateCreated", "measurementTechnique"] {
        assert_eq!(dataset[unknown], Json::Null, "{unknown}");
    }
    let card = data.stdout("card stones-21");
    assert!(card.contains("No record of the solve is kept with the database."), "{card}");
    let output = data.command("card stones-21 --json --licence CC0-1.0 --author").arg("Ada Lovelace").output().unwrap();
    let output = json(&String::from_utf8(output.stdout).unwrap());
    assert_eq!((&output["license"], &output["creator"][0]["name"]), (&"CC0-1.0".into(), &"Ada Lovelace".into()));
    assert!(output["citation"].as_str().unwrap().starts_with("Ada Lovelace: "));
}

#[test]
fn the_record_of_a_run_is_included_if_it_is_of_this_database() {
    let data = Data::new();
    let report = data.stdout("solve stones-21 --quiet --json");
    let run = data.join("run.json");
    let card = |text: &str| {
        fs::write(&run, text).unwrap();
        data.run(&format!("card stones-21 --run {}", run.display()))
    };
    assert!(card(&report).stdout.contains("| threads | "), "the report of a solve will do");
    let record = |report: &str| {
        format!(
            r#"{{"command": "kanzen solve stones-21", "date": "2026-11-16", "machine": {{"cpu": "abacus"}}, "output": {report}}}"#
        )
    };
    let output = card(&record(&report)).stdout;
    assert!(output.contains("| date | 2026-11-16 |") && output.contains("| machine | abacus |"), "{output}");
    let other_counts = report.replace("\"positions\":22", "\"positions\":23");
    assert_ne!(report, other_counts);
    for wrong in [record(&other_counts), report.replace("stones-21", "stones-22"), "{}".into(), "?".into()] {
        let ran = card(&wrong);
        assert!(ran.refused() && ran.stdout.is_empty(), "{ran:?}");
    }
    assert!(data.run("card stones-21 --run absent.json").refused());
}

#[test]
fn a_game_that_is_not_solved_has_no_card() {
    let data = Data::new();
    let ran = data.run("card nocca-6x5");
    assert_eq!(ran.status, Some(1));
    assert!(ran.complained_once() && ran.stderr.contains("nocca-6x5 is not solved"), "{ran:?}");
}
