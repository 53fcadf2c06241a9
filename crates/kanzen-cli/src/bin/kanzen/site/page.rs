//! Writes the page of a site: the server's page, configured to read files.

use std::path::Path;

use anyhow::ensure;

use super::put;

/// The mark that makes the page read files instead of asking a server.
const FILES: &str = r#"<meta name="kanzen" content="files">"#;
/// The line of the page after which the mark goes.
const HEAD: &str = r#"<meta charset="utf-8">"#;

/// Writes the page and its reader.
pub fn write(out: &Path, wasm: &[u8]) -> anyhow::Result<()> {
    for (name, bytes) in kanzen_web::page_files() {
        if name.ends_with(".html") {
            let text = str::from_utf8(bytes)?;
            ensure!(text.contains(HEAD), "{name} does not begin as expected");
            put(out, name, text.replacen(HEAD, &format!("{HEAD}\n{FILES}"), 1).as_bytes())?;
        } else if name.ends_with(".js") {
            put(out, name, without_comments(str::from_utf8(bytes)?).as_bytes())?;
        } else {
            put(out, name, bytes)?;
        }
    }
    put(out, "kanzen.wasm", wasm)
}

/// A program without the lines that are comments: browsers fetch it, and those who want to read it have the sources. The
/// page's own programs have no text of several lines in which such a line could stand for something else.
fn without_comments(text: &str) -> String {
    let mut inside = false;
    let mut kept = String::new();
    for line in text.lines() {
        let trimmed = line.trim();
        if inside || trimmed.starts_with("/**") {
            inside = !trimmed.ends_with("*/");
        } else if !trimmed.starts_with("//") {
            kept += line;
            kept.push('\n');
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_stay_at_home() {
        let text = "// a\nlet a = 1; // b\n/** c */\n/**\n * d\n */\n  // e\nlet url = \"//host\";\n";
        assert_eq!(without_comments(text), "let a = 1; // b\nlet url = \"//host\";\n");
    }

    #[test]
    fn no_text_of_the_page_has_several_lines() {
        for (name, bytes) in kanzen_web::page_files().filter(|(name, _)| name.ends_with(".js")) {
            for line in str::from_utf8(bytes).unwrap().lines() {
                assert!(line.matches('`').count() % 2 == 0, "{name}: {line}");
            }
        }
    }
}
