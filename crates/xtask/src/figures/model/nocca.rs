//! A larger board of NOCCA, by what the largest one that was solved has cost.
//!
//! A board is the heights of its stacks, a position a board with a colouring of its pieces: both are counted here, and
//! the count of the solved board is compared with the recorded one. What grows with the positions is scaled with them.

use anyhow::{Result, ensure};

use super::super::format::Format;
use super::{Read, markdown, number};

const MACHINES: f64 = 64.0;
const CORES: f64 = 16.0;
/// Bits a second.
const LINE: f64 = 10e9;
const STATS: &str = "results/nocca-6x5-stats.json";

/// Boards of so many cells, stacks up to three high, with so many pieces.
fn boards(cells: u32, pieces: usize) -> f64 {
    let mut ways = vec![0.0; pieces + 1];
    ways[0] = 1.0;
    for _ in 0..cells {
        let before = ways.clone();
        for (number, ways) in ways.iter_mut().enumerate() {
            *ways = (number.saturating_sub(3)..=number).map(|rest| before[rest]).sum();
        }
    }
    ways[pieces]
}

/// All positions of a board, both sides to move.
fn positions(rows: u32, columns: u32) -> f64 {
    let pieces = 2 * columns;
    let colourings = (1..=columns).fold(1.0, |ways, k| ways * f64::from(columns + k) / f64::from(k));
    2.0 * boards(rows * columns, pieces as usize) * colourings
}

/// The share of all boards whose row that the mover wants to reach is empty: the most common one.
fn largest_share(rows: u32, columns: u32) -> f64 {
    let pieces = 2 * columns as usize;
    boards((rows - 1) * columns, pieces) / boards(rows * columns, pieces)
}

/// Groups that read the bits of a board, on average and at most: its own, and for each stack of the row that the mover
/// wants to reach the group without the piece on top of it.
fn readers(rows: u32, columns: u32) -> f64 {
    let (cells, pieces) = (rows * columns, 2 * columns as usize);
    let empty = boards(cells - 1, pieces) / boards(cells, pieces);
    1.0 + f64::from(columns) * (1.0 - empty)
}

/// The solved board beside the larger one.
pub fn table(file: &str, read: &Read<'_>) -> Result<String> {
    let (record, stats) = (read(file)?, read(STATS)?);
    let of = |pointer: &str| number(file, &record, pointer);
    let counted = number(STATS, &stats, "/output/all_positions/positions")?;
    ensure!(positions(6, 5) == counted, "{STATS} counts {counted} positions, the model {}", positions(6, 5));
    let more = positions(6, 6) / positions(6, 5);
    let (memory, data) = (of("/peak_rss_bytes")?, of("/output/data_bytes")?);
    let logs = of("/peak_disk_bytes")? - data;
    let rounds = of("/output/longest/distance")?;
    let processor = of("/user_seconds")? + of("/system_seconds")?;
    let bytes = |size: f64| Format::Bytes.show(&size.to_string());
    let time = |seconds: f64| Format::Seconds.show(&seconds.to_string());
    let count = |number: f64| Format::Fixed(0).show(&number.to_string());
    let decimal = |number: f64| Format::Fixed(1).show(&number.to_string());
    let [readers_before, readers] = [readers(6, 5), readers(6, 6)];
    let share = |share: f64| format!("{:.1} %", 100.0 * share);
    // Of what a machine sends, one part in so many stays where it is.
    let elsewhere = (MACHINES - 1.0) / MACHINES;
    let line = |size: f64| time(8.0 * size * elsewhere / MACHINES / LINE);
    let row = |what: &str, solved: String, larger: String| vec![what.to_owned(), solved, larger];
    let rows = vec![
        row("all positions", count(counted)?, count(positions(6, 6))?),
        row("memory in all", bytes(memory)?, bytes(memory * more)?),
        row("groups that read a bit, on average at most", decimal(readers_before)?, decimal(readers)?),
        row("memory of each of 64 machines, each bit kept once", String::new(), bytes(memory * more / MACHINES)?),
        row("kept by all that read it", String::new(), bytes(memory * more * readers / MACHINES)?),
        row("processor time", time(processor)?, time(processor * more)?),
        row("time on 64 machines of 16 cores", String::new(), time(processor * more / MACHINES / CORES)?),
        row("database", bytes(data)?, bytes(data * more)?),
        row("new bits of all rounds, packed", bytes(logs)?, bytes(logs * more)?),
        row("their time on a line of 10 Gb/s, sent to all that read them", String::new(), line(logs * more * readers)?),
        row("rounds", count(rounds)?, "not known".to_owned()),
        row("all bits in each of as many rounds instead", String::new(), line(memory * more * readers * rounds)?),
        row("boards of the largest group", share(largest_share(6, 5)), share(largest_share(6, 6))),
    ];
    Ok(markdown(1, &["", "6x5, recorded", "6x6, scaled"], &rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_and_positions_are_counted_as_the_solver_counts_them() {
        assert_eq!([positions(3, 2), positions(3, 4), positions(6, 5)], [1440.0, 8_297_520.0, 295_975_446_984.0]);
    }

    #[test]
    fn groups_share_all_boards() {
        // Two cells of up to three, four pieces on the other two: 1 + 3 and the like.
        assert_eq!((boards(2, 4), boards(4, 4)), (3.0, 31.0));
        assert!((largest_share(2, 2) - 3.0 / 31.0).abs() < 1e-12);
        // Of two cells of a row, one is empty on 12 of the 31 boards.
        assert!((readers(2, 2) - (1.0 + 2.0 * 19.0 / 31.0)).abs() < 1e-12);
    }
}
