//! Describes the machine and the program that a record comes from.

use std::path::Path;
use std::process::Command;

use serde_json::{Value as Json, json};

/// What a comparison of times needs. A field is `null` where the system does not report it.
pub fn describe(root: &Path) -> Json {
    json!({
        "cpu": field("/proc/cpuinfo", "model name"),
        "cores": std::thread::available_parallelism().map_or(1, |cores| cores.get()),
        "memory_bytes": field("/proc/meminfo", "MemTotal").and_then(|text| kilobytes(&text)),
        "system": first_line(root, "uname", &["-srm"]),
        "rustc": first_line(root, "rustc", &["--version"]),
        "commit": commit(root),
    })
}

/// Today in UTC, as `2026-01-31`.
pub fn today(root: &Path) -> Option<String> {
    first_line(root, "date", &["-u", "+%F"])
}

/// The commit that a program was built from, as its `--version` prints it. Only our own command is asked: another program
/// may start its work instead.
pub fn program_commit(root: &Path, program: &str) -> Option<String> {
    let name = Path::new(program).file_name()?.to_string_lossy();
    if !name.starts_with("kanzen") {
        return None;
    }
    let output = Command::new(program).arg("--version").current_dir(root).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.strip_prefix("commit "))?.trim();
    (output.status.success() && line.starts_with(|letter: char| letter.is_ascii_hexdigit())).then(|| line.to_owned())
}

/// The commit of the checkout, with `-dirty` if code differs from it. Records and pages may differ: recording changes them.
fn commit(root: &Path) -> Option<String> {
    let commit = first_line(root, "git", &["rev-parse", "HEAD"])?;
    let code = ["status", "--porcelain", "--", ".", ":!results", ":!docs", ":!*.md"];
    let clean = first_line(root, "git", &code).is_none();
    Some(if clean { commit } else { commit + "-dirty" })
}

/// The first line that a command prints, unless it fails or prints nothing.
fn first_line(root: &Path, program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).current_dir(root).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next()?.trim();
    (output.status.success() && !line.is_empty()).then(|| line.to_owned())
}

/// The text after the colon in the first line of a file that begins with this name.
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
    fn the_first_line_of_a_command_or_nothing() {
        let here = Path::new(".");
        assert_eq!(first_line(here, "printf", &["one\\ntwo\\n"]).as_deref(), Some("one"));
        assert_eq!(first_line(here, "true", &[]), None);
        assert_eq!(first_line(here, "no-such-command", &[]), None);
        assert_eq!(today(here).unwrap().len(), 10);
    }

    #[test]
    fn our_own_program_names_its_commit_and_no_other_is_asked() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        for name in ["kanzen", "other"] {
            let program = folder.path().join(name);
            std::fs::write(&program, "#!/bin/sh\nprintf 'kanzen 1.0\\ncommit    c0ffee-dirty\\n'\n").unwrap();
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
            let expected = (name == "kanzen").then_some("c0ffee-dirty");
            assert_eq!(program_commit(folder.path(), program.to_str().unwrap()).as_deref(), expected);
        }
    }
}
