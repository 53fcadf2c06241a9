//! The machine and the version a result comes from.

use std::path::Path;
use std::process::Command;

use serde_json::{Value as Json, json};

/// What one needs to know to compare times: `null` for what this system does not tell.
pub fn describe(root: &Path) -> Json {
    json!({
        "cpu": field("/proc/cpuinfo", "model name"),
        "cores": std::thread::available_parallelism().map_or(1, |cores| cores.get()),
        "memory_bytes": field("/proc/meminfo", "MemTotal").and_then(|text| kilobytes(&text)),
        "system": said(root, "uname", &["-srm"]),
        "rustc": said(root, "rustc", &["--version"]),
        "commit": commit(root),
    })
}

/// The commit of the checkout, with `-dirty` if code differs from it. Results and pages may: recording changes them.
fn commit(root: &Path) -> Option<String> {
    let commit = said(root, "git", &["rev-parse", "HEAD"])?;
    let code = ["status", "--porcelain", "--", ".", ":!results", ":!docs", ":!*.md"];
    let clean = said(root, "git", &code).is_none();
    Some(if clean { commit } else { commit + "-dirty" })
}

/// The first line a command says, if it says anything.
fn said(root: &Path, program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).current_dir(root).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next()?.trim();
    (output.status.success() && !line.is_empty()).then(|| line.to_owned())
}

/// What stands after the colon in the first line of a file that begins with this name.
fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn kilobytes(text: &str) -> Option<u64> {
    Some(text.strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_counts_in_kilobytes() {
        assert_eq!(kilobytes("24576 kB"), Some(25_165_824));
        assert_eq!(kilobytes("24576"), None);
    }

    #[test]
    fn a_command_says_its_first_line_or_nothing() {
        let here = Path::new(".");
        assert_eq!(said(here, "printf", &["one\\ntwo\\n"]).as_deref(), Some("one"));
        assert_eq!(said(here, "true", &[]), None);
        assert_eq!(said(here, "no-such-command", &[]), None);
    }
}
