//! Reads comma-separated values and turns them into a table of a page.

use anyhow::{Context, Result, ensure};

use super::format::Format;

/// A file of comma-separated values with a header. Lines before it that begin with `#` name its source.
#[derive(PartialEq, Eq, Debug)]
pub struct Csv {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Csv {
    /// The rows of a text, all as long as the header.
    pub fn read(text: &str) -> Result<Csv> {
        let mut lines = text.lines().skip_while(|line| line.starts_with('#')).filter(|line| !line.is_empty());
        let header = cells(lines.next().context("has no header")?);
        let rows: Vec<_> = lines.map(cells).collect();
        for (number, row) in rows.iter().enumerate() {
            let (cells, columns) = (row.len(), header.len());
            ensure!(cells == columns, "row {} has {cells} cells, the header {columns}", number + 1);
        }
        Ok(Csv { header, rows })
    }

    /// The table in markdown with all columns, or with those of a list such as `game, seconds:seconds=time`:
    /// each a column, a format after `:` and a title after `=` where it has them.
    pub fn table(&self, columns: &str) -> Result<String> {
        let columns = match columns.trim() {
            "" => self.header.iter().map(|name| self.column(name)).collect::<Result<Vec<_>>>(),
            list => list.split(',').map(|choice| self.column(choice.trim())).collect(),
        }?;
        let line = |cells: Vec<&str>| format!("| {} |", cells.join(" | "));
        let mut lines = vec![line(columns.iter().map(|column| column.title.as_str()).collect())];
        lines.push(format!("|{}|", columns.iter().map(|column| column.rule).collect::<Vec<_>>().join("|")));
        for row in 0..self.rows.len() {
            lines.push(line(columns.iter().map(|column| column.cells[row].as_str()).collect()));
        }
        Ok(lines.join("\n"))
    }

    fn column(&self, choice: &str) -> Result<Column> {
        let (source, title) = choice.split_once('=').map_or((choice, None), |(source, title)| (source, Some(title)));
        let (name, format) = source.split_once(':').unwrap_or((source, ""));
        let (name, format) = (name.trim(), Format::read(format.trim())?);
        let place = self.header.iter().position(|column| column == name);
        let place = place.with_context(|| format!("has no column `{name}`"))?;
        let values = || self.rows.iter().map(|row| row[place].trim());
        let numeric = self.rows.iter().any(|row| !row[place].trim().is_empty())
            && values().all(|value| value.is_empty() || value.parse::<f64>().is_ok());
        let show = |value: &str| if value.is_empty() { Ok(String::new()) } else { format.show(value) };
        Ok(Column {
            title: escape(title.unwrap_or(name).trim()),
            rule: if numeric { "---:" } else { "---" },
            cells: values().map(|value| show(value).map(|cell| escape(&cell))).collect::<Result<_>>()?,
        })
    }
}

/// A column as the page shows it.
struct Column {
    title: String,
    rule: &'static str,
    cells: Vec<String>,
}

fn escape(cell: &str) -> String {
    cell.replace('|', "\\|")
}

/// The cells of a line; within double quotes a cell may hold commas and doubled quotes.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let cell = cells.last_mut().expect("one at least");
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => cell.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cell.push(letter),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: &str = "# our own runs\ngame,positions,seconds\nnocca-3x4,8297520,1.5\n\"a, \"\"b\"\" | c\",,90\n";

    #[test]
    fn all_columns_numbers_to_the_right() {
        let table = Csv::read(COSTS).unwrap().table("").unwrap();
        let lines = "| game | positions | seconds |\n|---|---:|---:|\n| nocca-3x4 | 8,297,520 | 1.5 |\n| a, \"b\" \\| c |  | 90 |";
        assert_eq!(table, lines);
    }

    #[test]
    fn chosen_columns_with_formats_and_titles() {
        let table = Csv::read(COSTS).unwrap().table("seconds:seconds=time it took, game").unwrap();
        let lines = "| time it took | game |\n|---:|---|\n| 1.50 s | nocca-3x4 |\n| 90 s | a, \"b\" \\| c |";
        assert_eq!(table, lines);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        assert_eq!(Csv::read("# only a comment\n").unwrap_err().to_string(), "has no header");
        assert_eq!(Csv::read("a,b\n1,2\n3\n").unwrap_err().to_string(), "row 2 has 1 cells, the header 2");
        let csv = Csv::read("a\nx\n").unwrap();
        assert_eq!(csv.table("c").unwrap_err().to_string(), "has no column `c`");
        assert_eq!(csv.table("a:bytes").unwrap_err().to_string(), "\"x\" is not a number");
    }
}
