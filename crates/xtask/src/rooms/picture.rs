//! The rooms as a picture: a box each, in their order, and an arc from each to every one that it uses.

use super::house::{House, OUTSIDE, ROOMS, name};

const JOBS: [&str; ROOMS.len() + OUTSIDE.len()] = [
    "values, classes, budgets, errors",
    "memory, threads, instructions",
    "positions, moves, ends, text",
    "positions to numbers and back",
    "numbers to values",
    "values to files",
    "questions and answers",
    "games by name",
    "rules and fast indexes, a folder each",
    "the command, the explorer",
];

const WIDTH: usize = 560;
const BOX: usize = 320;
const ROW: usize = 50;
const MARGIN: usize = 16;
/// Between the rooms and those outside.
const GAP: usize = 18;

/// The picture, in the language of browsers.
pub fn svg(house: &House) -> String {
    let height = middle(JOBS.len() - 1) + ROW / 2 + MARGIN;
    let mut lines = vec![format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" role=\"img\" aria-label=\"The rooms, and which of them use which\">"
    )];
    lines.push(format!("<rect width=\"{WIDTH}\" height=\"{height}\" rx=\"10\" fill=\"#fff\"/>"));
    lines.push(
        "<defs><marker id=\"tip\" viewBox=\"0 0 6 6\" refX=\"5\" refY=\"3\" markerWidth=\"9\" markerHeight=\"9\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0 6 3 0 6Z\" fill=\"context-stroke\"/></marker></defs>"
            .to_owned(),
    );
    lines.extend(house.uses.iter().map(|(&(from, to), &files)| arc(from, to, files)));
    lines.extend((0..JOBS.len()).map(|number| room(house, number)));
    lines.push("</svg>\n".to_owned());
    lines.join("\n")
}

fn middle(number: usize) -> usize {
    MARGIN + ROW / 2 + number * ROW + if number >= ROOMS.len() { GAP } else { 0 }
}

fn room(house: &House, number: usize) -> String {
    let (x, y) = (MARGIN, middle(number) - 19);
    let dash = if number < ROOMS.len() { "" } else { " stroke-dasharray=\"5 4\"" };
    format!(
        "<g transform=\"translate({x} {y})\"><rect width=\"{BOX}\" height=\"38\" rx=\"6\" fill=\"#f4f1ea\" \
         stroke=\"#5b5346\"{dash}/><text x=\"12\" y=\"24\" font-size=\"15\" font-weight=\"bold\" fill=\"#2a251d\">{}</text>\
         <text x=\"{}\" y=\"24\" font-size=\"11.5\" text-anchor=\"end\" fill=\"#5b5346\">{}</text>\
         <title>{} files</title></g>",
        name(number),
        BOX - 10,
        JOBS[number],
        house.files[number]
    )
}

/// The more files, the thicker. Against the order it is red.
fn arc(from: usize, to: usize, files: usize) -> String {
    let x = MARGIN + BOX;
    let (start, end) = (middle(from) + 7, middle(to) - 7);
    let reach = x + 24 + 26 * from.abs_diff(to);
    let colour = match from < ROOMS.len() {
        _ if to > from => "#c0392b",
        true => "#3c6e91",
        false => "#b0a18a",
    };
    let thickness = 1.0 + (files as f64).ln() * 0.7;
    let title = format!("{} uses {} in {files} {}", name(from), name(to), if files == 1 { "file" } else { "files" });
    format!(
        "<path d=\"M{x} {start}C{reach} {start} {reach} {end} {} {end}\" fill=\"none\" stroke=\"{colour}\" \
         stroke-width=\"{thickness:.1}\" stroke-opacity=\"0.75\" marker-end=\"url(#tip)\"><title>{title}</title></path>",
        x + 2
    )
}

/// The same as a table: how many files of the row's room use the column's.
pub fn table(house: &House) -> String {
    let mut lines = vec![format!("| | files | {} |", ROOMS.join(" | "))];
    lines.push(format!("|---|---:|{}", "---:|".repeat(ROOMS.len())));
    for from in 0..JOBS.len() {
        let cell = |to| match house.uses.get(&(from, to)) {
            _ if from == to => "·".to_owned(),
            Some(files) => files.to_string(),
            None => String::new(),
        };
        let cells: Vec<String> = (0..ROOMS.len()).map(cell).collect();
        lines.push(format!("| **{}** | {} | {} |", name(from), house.files[from], cells.join(" | ")));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn house() -> House {
        let mut house = House::default();
        house.files[4] = 30;
        house.uses.extend([((4, 1), 12), ((9, 6), 1)]);
        house
    }

    #[test]
    fn each_edge_is_an_arc_with_its_number() {
        let svg = svg(&house());
        assert!(svg.contains("<title>solve uses machine in 12 files</title>"));
        assert!(svg.contains("<title>faces uses query in 1 file</title>"));
        assert_eq!(svg.matches("marker-end").count(), 2);
        assert_eq!(svg.matches("<rect").count(), 1 + ROOMS.len() + OUTSIDE.len());
    }

    #[test]
    fn each_edge_is_a_cell_with_its_number() {
        let table = table(&house());
        assert!(table.contains("| **solve** | 30 |  | 12 |  |  | · |  |  |  |"), "{table}");
        assert!(table.contains("| **faces** | 0 |  |  |  |  |  |  | 1 |  |"), "{table}");
    }
}
