//! The recorded runs of Ostle agree with every row of the published tables.

use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rows of a table, without comments and headings.
fn rows(text: &str) -> Vec<&str> {
    let is_row = |line: &&str| line.starts_with(|first: char| first.is_ascii_digit()) || line.starts_with("draw");
    text.lines().map(str::trim).filter(is_row).collect()
}

#[test]
fn tables_1_and_2_are_those_of_the_symmetric_rule() {
    // The rule on the box has the same boards and other distances.
    for (rule, distances_agree) in [("ostle-symmetric", true), ("ostle", false)] {
        let ours = read(&format!("../../results/{rule}.csv"));
        let (table_2, table_1) = ours.split_once("\n\n").expect("two tables");
        assert_eq!(rows(table_1), rows(&read("tests/data/ostle_boards.csv")), "{rule}");
        assert_eq!(rows(table_2) == rows(&read("tests/data/ostle_retrograde.csv")), distances_agree, "{rule}");
    }
}

#[test]
fn the_real_game_has_as_many_positions_as_a_search_reaches() {
    let layers = |file: &str| -> Vec<[u64; 2]> {
        let number = |text: &str| text.parse().expect("a number");
        let row = |row: &&str| -> Vec<u64> { row.split(',').map(number).collect() };
        rows(&read(file)).iter().map(row).map(|row| [row[1], row[2]]).collect()
    };
    let literal = layers("../../results/ostle-reach-literal.csv");
    // As a search by the rules alone counts them.
    let known = [1, 9, 99, 924, 6295, 32962, 147402, 556138, 1860609];
    assert!(literal.iter().map(|layer| layer[0]).take(known.len()).eq(known));
    // Counted by a search with the rules alone.
    assert_ne!(literal, layers("../../results/ostle-reach.csv"), "the other rule has other positions");
}

#[test]
fn the_tables_of_fewest_plies_are_those_of_their_records() {
    for (table, record) in [("ostle-reach", "ostle-reach-symmetric"), ("ostle-reach-literal", "ostle-reach")] {
        let record: serde_json::Value = serde_json::from_str(&read(&format!("../../results/{record}.json"))).unwrap();
        let layers = record["output"]["layers"].as_array().expect("layers").iter();
        let recorded: Vec<String> =
            layers.map(|layer| format!("{},{},{}", layer["plies"], layer["positions"], layer["ban_ignored"])).collect();
        assert_eq!(rows(&read(&format!("../../results/{table}.csv"))), recorded, "{table}");
    }
}
