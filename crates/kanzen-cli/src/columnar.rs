//! Writes rows as columns for data frames: Parquet and Arrow files, a batch of rows at a time.
//!
//! ```text
//! rows  ->  a builder for each column  ->  every so many rows a batch  ->  a row group of the file
//! ```
//!
//! What is in memory is one batch, and for Parquet the compressed columns of one row group.

use std::sync::Arc;

use anyhow::Context;
use arrow_array::builder::{ArrayBuilder, BooleanBuilder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use kanzen_query::find::{Cell, Kind, Row};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::files::AtomicFile;

/// Rows of a batch.
const BATCH: usize = 1 << 14;
/// Batches of a row group of Parquet: as large as readers like them, and small enough to be gathered.
const BATCHES: usize = 1 << 4;
/// The level of zstd.
const LEVEL: i32 = 3;

/// The two kinds of files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Container {
    /// Apache Parquet, compressed with zstd.
    Parquet,
    /// An Apache Arrow IPC file, as it lies in memory.
    Arrow,
}

enum Writer {
    Parquet(Box<ArrowWriter<AtomicFile>>),
    Arrow(Box<FileWriter<AtomicFile>>),
}

enum Builder {
    Integer(Int64Builder),
    Text(StringBuilder),
    Boolean(BooleanBuilder),
}

impl Builder {
    fn of(kind: Kind) -> Builder {
        match kind {
            Kind::Integer => Builder::Integer(Int64Builder::new()),
            Kind::Text => Builder::Text(StringBuilder::new()),
            Kind::Boolean => Builder::Boolean(BooleanBuilder::new()),
        }
    }

    /// Takes a cell; one of another kind than the column's is NULL, which no column has.
    fn push(&mut self, cell: &Cell) {
        match self {
            Builder::Integer(builder) => builder.append_option(match cell {
                Cell::Integer(number) => Some(*number),
                _ => None,
            }),
            Builder::Boolean(builder) => builder.append_option(match cell {
                Cell::Boolean(holds) => Some(*holds),
                _ => None,
            }),
            Builder::Text(builder) => builder.append_option(cell.text()),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Builder::Integer(builder) => ArrayBuilder::finish(builder),
            Builder::Text(builder) => ArrayBuilder::finish(builder),
            Builder::Boolean(builder) => ArrayBuilder::finish(builder),
        }
    }
}

fn data_type(kind: Kind) -> DataType {
    match kind {
        Kind::Integer => DataType::Int64,
        Kind::Text => DataType::Utf8,
        Kind::Boolean => DataType::Boolean,
    }
}

/// A file of columns in work.
pub struct ColumnFile {
    schema: SchemaRef,
    builders: Vec<Builder>,
    rows: usize,
    writer: Writer,
}

impl ColumnFile {
    /// Begins a file with these columns.
    pub fn new(file: AtomicFile, container: Container, columns: &[(String, Kind)]) -> anyhow::Result<ColumnFile> {
        let fields = columns.iter().map(|(name, kind)| Field::new(name, data_type(*kind), true));
        let schema: SchemaRef = Arc::new(Schema::new(fields.collect::<Vec<Field>>()));
        let writer = match container {
            Container::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
                    .set_max_row_group_row_count(Some(BATCH * BATCHES))
                    .build();
                Writer::Parquet(Box::new(ArrowWriter::try_new(file, schema.clone(), Some(properties))?))
            }
            Container::Arrow => Writer::Arrow(Box::new(FileWriter::try_new(file, &schema)?)),
        };
        let builders = columns.iter().map(|(_, kind)| Builder::of(*kind)).collect();
        Ok(ColumnFile { schema, builders, rows: 0, writer })
    }

    /// Takes a row.
    pub fn push(&mut self, row: &Row) -> anyhow::Result<()> {
        self.builders.iter_mut().zip(&row.cells).for_each(|(builder, cell)| builder.push(cell));
        self.rows += 1;
        if self.rows >= BATCH { self.write() } else { Ok(()) }
    }

    /// Writes the rows at hand as a batch.
    fn write(&mut self) -> anyhow::Result<()> {
        if self.rows > 0 {
            self.rows = 0;
            let columns = self.builders.iter_mut().map(Builder::finish).collect();
            let batch = RecordBatch::try_new(self.schema.clone(), columns)?;
            match &mut self.writer {
                Writer::Parquet(writer) => writer.write(&batch)?,
                Writer::Arrow(writer) => writer.write(&batch)?,
            }
        }
        Ok(())
    }

    /// Writes the rest, and the end of the file: what is left is to give it its name.
    pub fn finish(mut self) -> anyhow::Result<AtomicFile> {
        self.write()?;
        match self.writer {
            Writer::Parquet(writer) => Ok(writer.into_inner()?),
            Writer::Arrow(writer) => {
                let buffered = *writer;
                buffered.into_inner().context("the end of the file")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;
    use arrow_ipc::reader::FileReader;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::*;

    fn columns() -> [(String, Kind); 3] {
        [("position", Kind::Text), ("distance", Kind::Integer), ("only_move", Kind::Boolean)]
            .map(|(name, kind)| (name.to_owned(), kind))
    }

    fn row(number: usize) -> Row {
        let distance = if number.is_multiple_of(3) { Cell::Null } else { Cell::Integer(number as i64) };
        Row { cells: vec![Cell::Text(format!("p{number}")), distance, Cell::Boolean(number.is_multiple_of(2))] }
    }

    /// What is in batches is what was written, in its order.
    fn check(batches: impl Iterator<Item = RecordBatch>, rows: usize) {
        let mut at = 0;
        for batch in batches {
            let texts = batch.column(0).as_string::<i32>();
            let numbers = batch.column(1).as_primitive::<Int64Type>();
            let truths = batch.column(2).as_boolean();
            for (text, (number, truth)) in texts.iter().zip(numbers.iter().zip(truths)) {
                assert_eq!(text, Some(format!("p{at}").as_str()));
                assert_eq!(number, (at % 3 != 0).then_some(at as i64));
                assert_eq!(truth, Some(at % 2 == 0));
                at += 1;
            }
        }
        assert_eq!(at, rows);
    }

    #[test]
    fn what_was_written_is_read_again_over_several_groups_of_rows() {
        let folder = tempfile::tempdir().unwrap();
        for rows in [0, 1, BATCH, 2 * BATCH * BATCHES + 5] {
            for (container, name) in [(Container::Parquet, "rows.parquet"), (Container::Arrow, "rows.arrow")] {
                let path = folder.path().join(name);
                let mut file = ColumnFile::new(AtomicFile::create(&path).unwrap(), container, &columns()).unwrap();
                (0..rows).for_each(|number| file.push(&row(number)).unwrap());
                file.finish().unwrap().finish().unwrap();
                let opened = std::fs::File::open(&path).unwrap();
                if container == Container::Parquet {
                    let reader = ParquetRecordBatchReaderBuilder::try_new(opened).unwrap();
                    assert_eq!(reader.metadata().num_row_groups(), rows.div_ceil(BATCH * BATCHES));
                    check(reader.build().unwrap().map(Result::unwrap), rows);
                } else {
                    check(FileReader::try_new(opened, None).unwrap().map(Result::unwrap), rows);
                }
            }
        }
    }
}
