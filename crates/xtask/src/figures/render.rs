//! What a mark should show, by the file it names.

use std::path::{Component, Path};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value as Json;

use super::csv::Csv;
use super::format::Format;
use super::marks::{Kind, Mark};
use super::model;

/// The body of a mark as its file has it.
pub fn render(mark: &Mark, root: &Path) -> Result<String> {
    let file = &mark.file;
    ensure!(inside_results(file), "{file} is not a file under results/");
    if mark.kind == Kind::Model {
        let read = |file: &str| {
            ensure!(inside_results(file), "{file} is not a file under results/");
            let text = std::fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
            json(file, &text)
        };
        return Ok(format!("\n{}\n", model::table(file, &mark.options, &read)?));
    }
    let text = std::fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
    body(mark, &text)
}

fn inside_results(file: &str) -> bool {
    file.starts_with("results/") && Path::new(file).components().all(|part| matches!(part, Component::Normal(_)))
}

fn body(mark: &Mark, text: &str) -> Result<String> {
    let (file, options) = (&mark.file, mark.options.as_str());
    match mark.kind {
        Kind::Figure => figure(file, text, options),
        Kind::Table => {
            let table =
                Csv::read(text).and_then(|csv| csv.table(options)).map_err(|error| error.context(file.clone()))?;
            Ok(format!("\n{table}\n"))
        }
        Kind::Output => Ok(block(&output(file, text, options)?)),
        Kind::Model => bail!("a model is made of several files"),
    }
}

/// One value of a JSON file: `POINTER [FORMAT]`.
fn figure(file: &str, text: &str, options: &str) -> Result<String> {
    let (pointer, format) = options.split_once(char::is_whitespace).unwrap_or((options, ""));
    ensure!(!pointer.is_empty(), "the figure names no field of {file}");
    let shown = match field(file, &json(file, text)?, pointer)? {
        Json::String(text) => text,
        value @ (Json::Number(_) | Json::Bool(_)) => value.to_string(),
        _ => bail!("{pointer} of {file} is not a single value"),
    };
    Format::read(format.trim())?.show(&shown).with_context(|| format!("{pointer} of {file}"))
}

/// What a command printed: a text file as it is, a text in a JSON file, or a recorded run as command and output.
fn output(file: &str, text: &str, pointer: &str) -> Result<String> {
    if !file.ends_with(".json") {
        ensure!(pointer.is_empty(), "{file} has no fields");
        return Ok(text.to_owned());
    }
    let json = json(file, text)?;
    let text = |pointer| match field(file, &json, pointer)? {
        Json::String(text) => Ok(text),
        _ => bail!("{pointer} of {file} is not a text"),
    };
    match pointer {
        "" => Ok(format!("$ {}\n{}", text("/command")?, text("/output")?)),
        pointer => text(pointer),
    }
}

fn json(file: &str, text: &str) -> Result<Json> {
    serde_json::from_str(text).with_context(|| format!("{file} is not JSON"))
}

/// The field of a JSON pointer, whose first `/` may be left out.
fn field(file: &str, json: &Json, pointer: &str) -> Result<Json> {
    let full = if pointer.starts_with('/') { pointer.to_owned() } else { format!("/{pointer}") };
    json.pointer(&full).cloned().with_context(|| format!("{file} has no field {full}"))
}

/// A text as a block of code, in a fence longer than any within it.
fn block(text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("\n{fence}text\n{}\n{fence}\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = r#"{"command": "kanzen probe stones-7", "seconds": 0.271,
        "output": "win in 5\n", "machine": {"memory_bytes": 25000000000}, "levels": [{"wins": 1234}]}"#;

    fn show(kind: Kind, file: &str, options: &str, text: &str) -> Result<String> {
        body(&Mark { kind, line: 1, file: file.to_owned(), options: options.to_owned(), body: 0..0 }, text)
    }

    fn shown(kind: Kind, file: &str, options: &str, text: &str) -> String {
        show(kind, file, options, text).unwrap()
    }

    fn refused(kind: Kind, file: &str, options: &str, text: &str) -> String {
        format!("{:#}", show(kind, file, options, text).unwrap_err())
    }

    #[test]
    fn a_field_is_found_by_its_pointer() {
        for (options, value) in [
            ("/seconds .2f", "0.27"),
            ("seconds seconds", "0.27 s"),
            ("/machine/memory_bytes bytes", "25.0 GB"),
            ("/levels/0/wins", "1,234"),
            ("command", "kanzen probe stones-7"),
        ] {
            assert_eq!(shown(Kind::Figure, "r.json", options, RUN), value);
        }
    }

    #[test]
    fn a_field_that_is_not_there_is_told() {
        let told = |options| refused(Kind::Figure, "r.json", options, RUN);
        assert_eq!(told("/draws"), "r.json has no field /draws");
        assert_eq!(told("/levels/7/wins"), "r.json has no field /levels/7/wins");
        assert_eq!(told("/machine"), "/machine of r.json is not a single value");
        assert_eq!(told(""), "the figure names no field of r.json");
        assert_eq!(told("/command bytes"), "/command of r.json: \"kanzen probe stones-7\" is not a number");
        assert!(refused(Kind::Figure, "r.json", "/x", "{").starts_with("r.json is not JSON"));
    }

    #[test]
    fn an_output_is_a_block_of_code() {
        assert_eq!(shown(Kind::Output, "r.txt", "", "a\nb\n"), "\n```text\na\nb\n```\n");
        assert_eq!(shown(Kind::Output, "r.txt", "", "```\n"), "\n````text\n```\n````\n");
        assert_eq!(shown(Kind::Output, "r.json", "/output", RUN), "\n```text\nwin in 5\n```\n");
        assert_eq!(shown(Kind::Output, "r.json", "", RUN), "\n```text\n$ kanzen probe stones-7\nwin in 5\n```\n");
        assert_eq!(refused(Kind::Output, "r.json", "/seconds", RUN), "/seconds of r.json is not a text");
    }

    #[test]
    fn a_table_names_its_file_when_it_fails() {
        assert_eq!(shown(Kind::Table, "t.csv", "", "a,b\n1,2\n"), "\n| a | b |\n|---:|---:|\n| 1 | 2 |\n");
        assert_eq!(refused(Kind::Table, "t.csv", "c", "a,b\n1,2\n"), "t.csv: has no column `c`");
    }

    #[test]
    fn only_files_under_results_count() {
        assert!(inside_results("results/nocca/3x4.json"));
        for file in ["Cargo.toml", "results/../Cargo.toml", "/results/a.json", "docs/a.json"] {
            assert!(!inside_results(file), "{file}");
        }
    }
}
