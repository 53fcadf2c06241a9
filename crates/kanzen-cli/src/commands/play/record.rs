//! Saves and loads a game as plain text: its initial position and its moves.
//!
//! ```text
//! # A game of tictactoe, recorded by Kanzen.
//! game: tictactoe
//! position: .../.../... X
//! moves: b2 a1 c3
//! ```

use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::Context;

/// Longer files are no records.
const LONGEST: u64 = 1 << 20;

/// A game that was played, or a part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The game.
    pub game: String,
    /// Where it began.
    pub start: String,
    /// The moves in their order.
    pub moves: Vec<String>,
}

impl Record {
    /// The text of the file.
    pub fn text(&self) -> String {
        let Record { game, start, moves } = self;
        format!(
            "# A game of {game}, recorded by Kanzen.\ngame: {game}\nposition: {start}\nmoves: {}\n",
            moves.join(" ")
        )
    }

    /// The record of a text. Lines that begin with `#` and empty ones are left out; moves may go over several lines.
    pub fn of_text(text: &str) -> anyhow::Result<Record> {
        let (mut game, mut start, mut moves) = (None, None, None);
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match line.split_once(':').map(|(name, rest)| (name, rest.trim())) {
                Some(("game", name)) => game = Some(name.to_owned()),
                Some(("position", position)) => start = Some(position.to_owned()),
                Some(("moves", names)) => {
                    let names = names.split_whitespace().map(str::to_owned);
                    moves.get_or_insert_with(Vec::new).extend(names);
                }
                _ => anyhow::bail!("line {number} is none of `game:`, `position:` and `moves:`"),
            }
        }
        match (game, start, moves) {
            (Some(game), Some(start), Some(moves)) => Ok(Record { game, start, moves }),
            _ => anyhow::bail!("a record has a line `game:`, a line `position:` and a line `moves:`"),
        }
    }

    /// Writes it to a file. One that is there is replaced only if it is a record too.
    pub fn save(&self, path: &Path) -> anyhow::Result<()> {
        if path.exists() {
            Record::load(path).with_context(|| format!("{} is there already and is left alone", path.display()))?;
        }
        fs::write(path, self.text()).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Reads one from a file.
    pub fn load(path: &Path) -> anyhow::Result<Record> {
        let cannot = || format!("cannot read {}", path.display());
        anyhow::ensure!(!path.exists() || path.is_file(), "{} is no file", path.display());
        let file = fs::File::open(path).with_context(cannot)?;
        let mut bytes = Vec::new();
        file.take(LONGEST).read_to_end(&mut bytes).with_context(cannot)?;
        let text = String::from_utf8(bytes).ok().with_context(|| format!("{} is no text", path.display()))?;
        Record::of_text(&text).with_context(|| format!("{} is no record of a game", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let moves = ["b2", "a1"].map(str::to_owned).to_vec();
        Record { game: "tictactoe".into(), start: ".../.../... X".into(), moves }
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        assert_eq!(Record::of_text(&record().text()).unwrap(), record());
        let by_hand = "game: tictactoe\n\n# from a club\nposition: .../.../... X\nmoves: b2\nmoves: a1\n";
        assert_eq!(Record::of_text(by_hand).unwrap(), record());
        let begun = Record { moves: Vec::new(), ..record() };
        assert_eq!(Record::of_text(&begun.text()).unwrap(), begun);
    }

    #[test]
    fn what_is_no_record_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("notes");
        fs::write(&file, "dear diary").unwrap();
        assert!(Record::load(&file).is_err());
        assert!(record().save(&file).unwrap_err().to_string().ends_with("is there already and is left alone"));
        assert_eq!(fs::read_to_string(&file).unwrap(), "dear diary");
        assert!(Record::load(folder.path()).is_err());
        assert!(Record::load(&folder.path().join("absent")).is_err());
        let own = folder.path().join("game");
        record().save(&own).unwrap();
        record().save(&own).unwrap();
        assert_eq!(Record::load(&own).unwrap(), record());
    }
}
