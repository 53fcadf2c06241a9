//! The generated blocks of a page: finds each between its two comments and makes its text anew.

use std::path::{Component, Path};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value as Json;

use super::csv::Csv;
use super::format::Format;
use crate::problem::Problem;

const END: &str = "<!-- end -->";

/// A page as the records want it.
#[derive(Default)]
pub struct Page {
    /// The page with every block made anew.
    pub text: String,
    /// How many blocks it has.
    pub blocks: usize,
    /// Blocks that differ from their records; writing mends them.
    pub stale: Vec<Problem>,
    /// What only a person can mend.
    pub wrong: Vec<Problem>,
}

/// Makes the blocks of a page anew. Fenced code is left alone.
pub fn fill(root: &Path, name: &str, text: &str) -> Page {
    let mut page = Page::default();
    let mut lines = text.split_inclusive('\n').enumerate();
    let mut fence: Option<&str> = None;
    while let Some((number, line)) = lines.next() {
        page.text += line;
        let trimmed = line.trim_end();
        match fence {
            Some(mark) if trimmed == mark => fence = None,
            None if trimmed.starts_with("```") => {
                fence = Some(&trimmed[..trimmed.rfind('`').map_or(0, |last| last + 1)])
            }
            _ => {}
        }
        if trimmed.starts_with("<!-- figure") {
            page.wrong.push(Problem::at(
                name,
                number + 1,
                "a figure within prose: put it into a table of docs/tables/",
            ));
        }
        let Some(request) = trimmed.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) else { continue };
        let (kind, arguments) = request.split_once(' ').unwrap_or((request, ""));
        if fence.is_some() || !["table", "output"].contains(&kind) {
            continue;
        }
        page.blocks += 1;
        let mut shown = String::new();
        let closed = lines.by_ref().map(|(_, line)| line).any(|line| {
            let ends = line.trim_end() == END;
            if !ends {
                shown += line;
            }
            ends
        });
        let made = if kind == "table" { table(root, arguments) } else { output(root, arguments) };
        match made {
            _ if !closed => {
                page.wrong.push(Problem::at(name, number + 1, format!("`{request}` has no {END}")));
                page.text += &shown;
                break;
            }
            Ok(made) => {
                if made != shown {
                    let message = format!("`{request}` differs from its records: run `cargo xtask figures`");
                    page.stale.push(Problem::at(name, number + 1, message));
                }
                page.text += &made;
            }
            Err(error) => {
                page.wrong.push(Problem::at(name, number + 1, format!("{error:#}")));
                page.text += &shown;
            }
        }
        page.text += END;
        page.text += "\n";
    }
    page
}

/// A CSV file as a table, or a table of docs/tables/ with its fields filled in.
fn table(root: &Path, arguments: &str) -> Result<String> {
    let (file, columns) = arguments.split_once(' ').unwrap_or((arguments, ""));
    if file.ends_with(".csv") {
        let table = Csv::read(&read(root, file)?).and_then(|csv| csv.table(columns));
        return Ok(table.with_context(|| file.to_owned())? + "\n");
    }
    let file = format!("docs/tables/{file}.md");
    filled(&read(root, &file)?, &|record| json(root, &format!("results/{record}.json"))).with_context(|| file.clone())
}

/// A text with each `{RECORD /field format}` replaced by the field of the record.
fn filled(text: &str, record: &dyn Fn(&str) -> Result<Json>) -> Result<String> {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (place, after) = after.split_once('}').context("a `{` is not closed")?;
        let mut words = place.splitn(3, ' ');
        let [name, pointer, format] = std::array::from_fn(|_| words.next().unwrap_or(""));
        let value = match field(&record(name)?, pointer).with_context(|| format!("{{{place}}}"))? {
            Json::String(text) => text,
            value @ (Json::Number(_) | Json::Bool(_)) => value.to_string(),
            _ => bail!("{{{place}}} is not a single value"),
        };
        shown += before;
        shown += &Format::read(format)?.show(&value).with_context(|| format!("{{{place}}}"))?;
        rest = after;
    }
    Ok(shown + rest)
}

/// What a recorded command printed, with the command or, if a field is named, that field alone.
fn output(root: &Path, arguments: &str) -> Result<String> {
    let (file, pointer) = arguments.split_once(' ').unwrap_or((arguments, ""));
    let record = json(root, file)?;
    let text = |pointer| match field(&record, pointer).with_context(|| file.to_owned())? {
        Json::String(text) => Ok(text),
        _ => bail!("{pointer} of {file} is not a text"),
    };
    let shown = match pointer {
        "" => format!("$ {}\n{}", text("/command")?, text("/output")?),
        pointer => text(pointer)?,
    };
    ensure!(!shown.contains("```"), "{file} has a fence in its text");
    Ok(format!("```text\n{}\n```\n", shown.trim_end()))
}

fn json(root: &Path, file: &str) -> Result<Json> {
    serde_json::from_str(&read(root, file)?).with_context(|| format!("{file} is not JSON"))
}

fn read(root: &Path, file: &str) -> Result<String> {
    let inside = Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
    ensure!(inside, "{file} is not within the checkout");
    std::fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))
}

/// The field of a JSON pointer.
fn field(json: &Json, pointer: &str) -> Result<Json> {
    json.pointer(pointer).cloned().with_context(|| format!("no field {pointer:?}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run(name: &str) -> Result<Json> {
        ensure!(name == "run", "no record {name}");
        Ok(json!({"seconds": 0.271, "machine": {"memory_bytes": 25_000_000_000_u64}, "levels": [{"wins": 1234}]}))
    }

    #[test]
    fn fields_are_filled_in_with_their_formats() {
        let text = "| {run /seconds .1f} | {run /machine/memory_bytes bytes} | {run /levels/0/wins} |\n";
        assert_eq!(filled(text, &run).unwrap(), "| 0.3 | 25.0 GB | 1,234 |\n");
    }

    #[test]
    fn a_field_that_is_missing_is_named() {
        let refused = |text| format!("{:#}", filled(text, &run).unwrap_err());
        assert_eq!(refused("{run /draws}"), "{run /draws}: no field \"/draws\"");
        assert_eq!(refused("{run /machine}"), "{run /machine} is not a single value");
        assert_eq!(refused("{run /machine"), "a `{` is not closed");
        assert_eq!(refused("{other /x}"), "no record other");
    }

    /// Fills a page of a folder with one CSV file and one record.
    fn page(text: &str) -> (String, Vec<String>) {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("results")).unwrap();
        std::fs::write(root.path().join("results/t.csv"), "a,b\n1,2\n").unwrap();
        std::fs::write(root.path().join("results/r.json"), r#"{"command": "kanzen probe", "output": "win\n"}"#)
            .unwrap();
        let page = fill(root.path(), "p.md", text);
        (page.text, page.wrong.iter().map(Problem::to_string).collect())
    }

    #[test]
    fn blocks_are_made_anew() {
        let (text, wrong) = page(
            "a\n<!-- table results/t.csv b -->\nold\n<!-- end -->\nz\n<!-- output results/r.json -->\n<!-- end -->\n",
        );
        let made = "a\n<!-- table results/t.csv b -->\n| b |\n|---:|\n| 2 |\n<!-- end -->\nz\n\
                    <!-- output results/r.json -->\n```text\n$ kanzen probe\nwin\n```\n<!-- end -->\n";
        assert_eq!((text.as_str(), wrong), (made, vec![]));
    }

    #[test]
    fn code_and_other_comments_stay_as_they_are() {
        let text =
            "```text\n<!-- table results/t.csv -->\n```\n<!-- a note -->\n````text\n```\n<!-- output x -->\n````\n";
        assert_eq!(page(text), (text.to_owned(), vec![]));
    }

    #[test]
    fn what_is_wrong_is_named_and_left_alone() {
        for (text, problem) in [
            ("<!-- table results/t.csv -->\nx\n", "p.md:1: `table results/t.csv` has no <!-- end -->"),
            ("<!-- table results/t.csv c -->\nx\n<!-- end -->\n", "p.md:1: results/t.csv: has no column `c`"),
            ("\n<!-- table ../t -->\n<!-- end -->\n", "p.md:2: docs/tables/../t.md is not within the checkout"),
            ("<!-- output results/r.json /x -->\n<!-- end -->\n", "p.md:1: results/r.json: no field \"/x\""),
        ] {
            assert_eq!(page(text), (text.to_owned(), vec![problem.to_owned()]));
        }
    }
}
