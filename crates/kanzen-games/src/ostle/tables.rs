//! The census in the layout of the published tables 2 and 1.

use kanzen::Census;
use serde_json::Value as Json;

/// Table 2, positions by plies to a board on which the mover wins at once, then table 1, boards by hole and pieces.
pub fn tables(census: &Census) -> String {
    let mut csv = String::from("plies,positions\n");
    let total = census.total();
    csv += &format!("draw,{}\n", total.draws());
    for bar in total.histogram() {
        // The end of the game is one ply after such a board.
        csv += &format!("{},{}\n", bar.distance.saturating_sub(1), bar.wins + bar.losses);
    }
    csv += "\nhole_row,hole_col,mover_pieces,opponent_pieces,boards\n";
    let number =
        |label: &serde_json::Map<String, Json>, name: &str| label.get(name).and_then(Json::as_u64).unwrap_or(0);
    // The published order: most pieces first.
    let mut rows: Vec<[u64; 5]> = census
        .classes
        .iter()
        .map(|(label, _)| ["mover", "opponent", "hole_row", "hole_col", "boards"].map(|name| number(label, name)))
        .collect();
    rows.sort_by_key(|&[mover, opponent, row, column, _]| (u64::MAX - mover - opponent, u64::MAX - mover, row, column));
    for [mover, opponent, row, column, boards] in rows {
        csv += &format!("{row},{column},{mover},{opponent},{boards}\n");
    }
    csv
}
