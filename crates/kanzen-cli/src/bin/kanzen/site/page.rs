//! The page of a site: that of the server, told to ask files.

use std::path::Path;

use anyhow::ensure;

use super::put;

/// What tells the page that there is no server.
const FILES: &str = r#"<meta name="kanzen" content="files">"#;
/// Where it is told.
const HEAD: &str = r#"<meta charset="utf-8">"#;

/// Writes the page and its reader.
pub fn write(out: &Path, wasm: &[u8]) -> anyhow::Result<()> {
    for (name, bytes) in kanzen_web::page_files() {
        if name.ends_with(".html") {
            let text = String::from_utf8(bytes)?;
            ensure!(text.contains(HEAD), "{name} does not begin as expected");
            put(out, &name, text.replacen(HEAD, &format!("{HEAD}\n{FILES}"), 1).as_bytes())?;
        } else {
            put(out, &name, &bytes)?;
        }
    }
    put(out, "kanzen.wasm", wasm)
}
