//! One query on several processes that have the same database: each searches its part, the first returns the result.
//!
//! ```text
//! process 0   part 1 of 3 ──rows──────────────────> as they are found
//! process 1   part 2 of 3 ──rows──┐
//! process 2   part 3 of 3 ──rows──┴─> one round ──> after them, in the order of the parts
//! ```
//!
//! With an order each part is in order, and the first process merges them. The first process alone answers what the
//! census decides, and samples, which are of all positions. If the first or another process is asked to stop, the first reports
//! it has looked through itself: the beginning of the database.

use serde_json::Value as Json;

use super::column::{Cell, Kind};
use super::question::{Find, SHOWN};
use super::run::{self, FindReport, Heading, Row, RowSink, is_in_census, look_through};
use crate::{Means, Search};
use kanzen_core::vocabulary::Error;
use kanzen_core::vocabulary::mesh::{Mesh, garbled};
use kanzen_core::vocabulary::progress::{Event, Observer};

/// Bytes of rows that all processes but the first may hold together: they are all in the memory of the first, in the end.
const HELD: usize = 256 << 20;
/// Bytes of a parcel.
const PARCEL: usize = 1 << 16;

/// Passes on the heading of the answer, then its rows to `sink`, and returns the report.
///
/// Of several processes only the first has rows, and the report of all; the others report what they themselves did.
pub fn find(
    search: &Search<'_>,
    asked: &Find,
    heading: &mut Heading<'_>,
    sink: &mut RowSink<'_>,
) -> Result<FindReport, Error> {
    let mesh = search.means.mesh;
    let first = mesh.me() == 0;
    if asked.part.is_some() && mesh.peers() > 1 {
        return Err(Error::BadRequest("several processes share the whole database, not a part of it".to_owned()));
    }
    if mesh.peers() == 1 || asked.sample.is_some() || is_in_census(search, asked)? {
        return match first {
            true => look_through(search, asked, heading, sink),
            false => Ok(FindReport::of_nothing(search.id, asked, &search.oracle.contents()?.census)),
        };
    }
    let part = Find { part: Some((mesh.me() as u64 + 1, mesh.peers() as u64)), ..with_order(asked) };
    let ordered = asked.order.is_some() && !asked.count;
    let observer = StopOnPeerLoss { observer: search.means.observer, mesh };
    let means = Means { observer: &observer, ..search.means };
    let search = &Search { means, id: search.id, game: search.game, oracle: search.oracle };
    let mut mine = Vec::new();
    let mut names = Vec::new();
    let report = {
        let mut note = |columns: &[(String, Kind)]| {
            names = columns.to_vec();
            let shown = if ordered { &columns[..columns.len() - 1] } else { columns };
            if first { heading(shown) } else { Ok(()) }
        };
        if first && !ordered {
            look_through(search, &part, &mut note, &mut |row| sink(row))?
        } else {
            let most = room(mesh);
            look_through(search, &part, &mut note, &mut |row| keep(&row, &mut mine, most))?
        }
    };
    let gathered = match report.stopped {
        true => Err(mesh.barrier_done().err().unwrap_or(Error::Stopped)),
        false => {
            let count = report.matching.unwrap_or(report.count);
            gather(&means, &Share { count, cut: !report.complete, rows: &mine })
        }
    };
    if !first {
        return gathered.map(|_| report);
    }
    let mut all = FindReport { next: None, count: report.matching.unwrap_or(report.count), ..report.clone() };
    let others = match gathered {
        // What was looked through here is complete.
        Err(Error::Stopped) => {
            (all.complete, all.stopped) = (false, true);
            Vec::new()
        }
        gathered => gathered?,
    };
    for bytes in &others {
        let Share { count, cut, .. } = Share::read(bytes)?;
        all.count += count;
        all.complete &= !cut;
    }
    if asked.count {
        return Ok(all);
    }
    let mut limit = asked.limit.unwrap_or(u64::MAX);
    if ordered {
        let by_position = names.last().is_some_and(|(name, _)| name == "position");
        let falling = asked.order.as_ref().is_some_and(|order| order.starts_with('-'));
        let mut rows: Vec<(Row, Option<Cell>)> = Vec::new();
        let mut take = |mut row: Row| {
            let by = row.cells.pop().filter(|_| !by_position);
            rows.push((row, by));
            Ok(())
        };
        each_row(&mine, &mut take)?;
        others.iter().try_for_each(|bytes| each_row(Share::read(bytes)?.rows, &mut take))?;
        // Stable: what is equal stays in the order of the parts.
        rows.sort_by(|(_, one), (_, other)| run::order(one, other, falling));
        all.matching = Some(std::mem::replace(&mut all.count, limit.min(rows.len() as u64)));
        rows.into_iter().take(all.count as usize).try_for_each(|(row, _)| sink(row))?;
        return Ok(all);
    }
    limit -= report.count.min(limit);
    for bytes in &others {
        each_row(Share::read(bytes)?.rows, &mut |row| {
            if limit == 0 {
                return Ok(());
            }
            limit -= 1;
            sink(row)
        })?;
    }
    if let Some(limit) = asked.limit.filter(|&limit| limit <= all.count) {
        (all.count, all.complete) = (limit, false);
    }
    Ok(all)
}

/// Asks to stop when the observer does, or when another process has ended: its part would be missing.
struct StopOnPeerLoss<'a> {
    observer: &'a dyn Observer,
    mesh: &'a dyn Mesh,
}

impl Observer for StopOnPeerLoss<'_> {
    fn event(&self, event: Event<'_>) {
        self.observer.event(event);
    }

    fn stop(&self) -> bool {
        self.observer.stop() || self.mesh.barrier_done().is_err()
    }
}

/// Bytes of rows that this process may keep: those of the others end in the memory of the first.
fn room(mesh: &dyn Mesh) -> usize {
    if mesh.me() == 0 { usize::MAX } else { HELD / mesh.peers() }
}

/// The question with the column that orders rows as the last one that is shown.
fn with_order(asked: &Find) -> Find {
    let shown = asked.columns.as_deref().unwrap_or(SHOWN);
    let order = asked.order.as_deref().filter(|_| !asked.count);
    let columns = order.map(|order| format!("{shown}, {}", order.strip_prefix('-').unwrap_or(order)));
    Find { columns: columns.or_else(|| asked.columns.clone()), ..asked.clone() }
}

/// Adds a row as a line.
fn keep(row: &Row, kept: &mut Vec<u8>, most: usize) -> Result<(), Error> {
    serde_json::to_writer(&mut *kept, &row.cells).map_err(|_| garbled("a row"))?;
    kept.push(b'\n');
    if kept.len() > most {
        let most = HELD >> 20;
        return Err(Error::BadRequest(format!(
            "more than {most} MB of rows from other processes: ask for a limit, or for one part after the other"
        )));
    }
    Ok(())
}

/// What a process has of an answer: how many rows, whether there may be more in its part, and those that it kept.
struct Share<'a> {
    count: u64,
    cut: bool,
    rows: &'a [u8],
}

impl Share<'_> {
    fn write(&self) -> Vec<u8> {
        [&self.count.to_le_bytes(), &[u8::from(self.cut)][..], self.rows].concat()
    }

    fn read(bytes: &[u8]) -> Result<Share<'_>, Error> {
        match bytes.split_first_chunk() {
            Some((count, [cut, rows @ ..])) => Ok(Share { count: u64::from_le_bytes(*count), cut: *cut != 0, rows }),
            _ => Err(garbled("rows")),
        }
    }
}

/// What the others have, written, in their order; only the first process has it. A parcel is a piece with its number:
/// pieces may overtake each other.
fn gather(means: &Means<'_>, mine: &Share<'_>) -> Result<Vec<Vec<u8>>, Error> {
    let Means { mesh, observer, .. } = *means;
    // A process that is asked to stop does not wait for the others.
    let rest = || match observer.stop() {
        true => Err(mesh.barrier_done().err().unwrap_or(Error::Stopped)),
        false => {
            mesh.park();
            Ok(())
        }
    };
    if mesh.me() > 0 {
        // All at once: a process that has more than the network takes waits for the first, which takes what comes.
        for (number, piece) in (0_u32..).zip(mine.write().chunks(PARCEL)) {
            while mesh.window_full(0) {
                match mesh.poll()? {
                    Some(_) => return Err(garbled("rows to another process")),
                    None => rest()?,
                }
            }
            mesh.post(0, [&number.to_le_bytes(), piece].concat())?;
        }
    }
    mesh.barrier_enter()?;
    let mut pieces: Vec<Vec<(u32, Vec<u8>)>> = vec![Vec::new(); mesh.peers()];
    loop {
        match mesh.poll()? {
            Some(parcel) => {
                let (number, piece) = parcel.bytes.split_first_chunk().ok_or_else(|| garbled("rows"))?;
                pieces[parcel.from].push((u32::from_le_bytes(*number), piece.to_vec()));
            }
            None if mesh.barrier_done()? => break,
            None => rest()?,
        }
    }
    mesh.next_round();
    let whole = |mut pieces: Vec<(u32, Vec<u8>)>| {
        pieces.sort_unstable_by_key(|(number, _)| *number);
        pieces.into_iter().flat_map(|(_, piece)| piece).collect()
    };
    Ok(pieces.into_iter().skip(1).filter(|_| mesh.me() == 0).map(whole).collect())
}

/// Reads the rows that were kept.
fn each_row(bytes: &[u8], row: &mut dyn FnMut(Row) -> Result<(), Error>) -> Result<(), Error> {
    for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let cells: Vec<Json> = serde_json::from_slice(line).map_err(|_| garbled("a row"))?;
        let cell = |cell: Json| match cell {
            Json::Null => Some(Cell::Null),
            Json::Bool(holds) => Some(Cell::Boolean(holds)),
            Json::Number(number) => number.as_i64().map(Cell::Integer),
            Json::String(text) => Some(Cell::Text(text)),
            _ => None,
        };
        let cells = cells.into_iter().map(cell).collect::<Option<_>>().ok_or_else(|| garbled("a row"))?;
        row(Row { cells })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_core::vocabulary::mesh::Parcel;

    /// A process of 256 that has sent nothing yet.
    struct OneOfMany(usize);

    impl Mesh for OneOfMany {
        fn me(&self) -> usize {
            self.0
        }

        fn peers(&self) -> usize {
            256
        }

        fn post(&self, _: usize, _: Vec<u8>) -> Result<(), Error> {
            unreachable!("nothing is sent before all is found")
        }

        fn poll(&self) -> Result<Option<Parcel>, Error> {
            Ok(None)
        }

        fn barrier_enter(&self) -> Result<(), Error> {
            Ok(())
        }

        fn barrier_done(&self) -> Result<bool, Error> {
            Ok(false)
        }

        fn next_round(&self) {}

        fn window_full(&self, _: usize) -> bool {
            false
        }

        fn park(&self) {}
    }

    #[test]
    fn more_rows_than_the_first_can_take_from_all_others_are_refused() {
        // With brackets, quotes and the end of the line, 64 KiB.
        let row = Row { cells: vec![Cell::Text("x".repeat((1 << 16) - 5))] };
        let (mut kept, mut rows) = (Vec::new(), 0);
        let refusal = loop {
            match keep(&row, &mut kept, room(&OneOfMany(3))) {
                Ok(()) => rows += 1,
                Err(refusal) => break refusal.to_string(),
            }
        };
        assert_eq!(rows << 16, (256 << 20) / 256, "each has its share of what the first may hold");
        assert_eq!(
            refusal,
            "more than 256 MB of rows from other processes: ask for a limit, or for one part after the other"
        );
        assert_eq!(room(&OneOfMany(0)), usize::MAX, "the first passes its own rows on");
    }

    #[test]
    fn what_another_process_sends_is_read_or_refused() {
        let written = Share { count: 7, cut: true, rows: b"[1]\n" }.write();
        let Share { count, cut, rows } = Share::read(&written).unwrap();
        assert_eq!((count, cut, rows), (7, true, &b"[1]\n"[..]));
        assert!(Share::read(&written[..8]).is_err());
    }
}
