//! The command on read-only folders and full disks.

use std::fs;
use std::process::{Command, Output, Stdio};

use crate::common::{Data, Ran, kanzen};

#[test]
fn a_data_folder_below_a_file_is_refused() {
    let data = Data::new();
    fs::write(data.join("file"), "").unwrap();
    for line in ["solve tictactoe", "probe tictactoe", "stats nocca-3x2", "verify tictactoe", "play tictactoe"] {
        let folder = data.join("file").join("below");
        let output = kanzen().args(line.split(' ')).arg("--data").arg(folder).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with("kanzen: cannot ") && stderr.lines().count() == 1, "{stderr}");
        assert!(stderr.contains("file/below"), "{stderr}");
    }
}

#[test]
fn a_game_folder_that_is_a_file_is_refused() {
    let data = Data::new();
    fs::write(data.join("tictactoe"), "not a folder").unwrap();
    assert!(data.run("solve tictactoe").refused());
    assert!(data.run("probe tictactoe").refused());
    assert_eq!(fs::read(data.join("tictactoe")).unwrap(), b"not a folder");
}

fn shell(script: &str, data: &Data) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_kanzen")]).arg(data.path());
    command.stdin(Stdio::null()).output().unwrap()
}

/// No file may grow beyond so many blocks of 512 bytes: to the command that is a disk which fills up at this point.
#[test]
fn a_disk_that_fills_up_is_reported_and_nothing_is_lost() {
    let data = Data::new();
    let undisturbed = Data::new();
    undisturbed.stdout("solve nocca-3x3");
    let mut refused = 0;
    for blocks in [0, 1, 2, 4, 8] {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$1\" solve nocca-3x3 --quiet --data \"$2\"");
        // The output goes through pipes, which the limit does not touch.
        let output = shell(&script, &data);
        if output.status.success() {
            break;
        }
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.starts_with("kanzen: cannot write ") && stderr.lines().count() == 1, "{stderr}");
        let left: Vec<String> = data.files().into_keys().collect();
        assert!(left.iter().all(|name| !name.ends_with(".tmp")), "half-written files take room: {left:?}");
        refused += 1;
    }
    assert!(refused >= 3, "the limit was met {refused} times only");
    data.stdout("solve nocca-3x3");
    assert!(data.files() == undisturbed.files(), "a full disk changed the bytes");
}

#[test]
fn files_for_data_frames_need_their_feature() {
    for ending in ["parquet", "arrow"] {
        let ran = Data::new().run(&format!("export tictactoe --to /nowhere/at/all.{ending}"));
        let expected = match cfg!(feature = "dataframes") {
            true => format!("cannot write /nowhere/at/all.{ending}: No such file or directory (os error 2)"),
            false => format!(
                "/nowhere/at/all.{ending}: this program was built without the feature `dataframes`; releases have it, \
                 and `cargo install kanzen-cli --features dataframes`"
            ),
        };
        assert!(ran.refused() && ran.stderr == format!("kanzen: {expected}\n"), "{ran:?}");
    }
}

#[test]
fn a_disk_that_fills_up_leaves_nothing_of_an_export() {
    let data = Data::new();
    data.stdout("solve nocca-3x3");
    let frames: &[&str] = if cfg!(feature = "dataframes") { &["parquet", "arrow"] } else { &[] };
    for ending in frames.iter().chain(&["csv", "jsonl"]) {
        let export = format!("export nocca-3x3 --quiet --data \"$2\" --to \"$2/rows.{ending}\"");
        let output = shell(&format!("trap '' XFSZ; ulimit -f 8; exec \"$1\" {export}"), &data);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{ending}: {stderr}");
        assert!(stderr.starts_with("kanzen: cannot write ") && stderr.lines().count() == 1, "{ending}: {stderr}");
        let left: Vec<String> = data.files().into_keys().filter(|name| name.contains(ending)).collect();
        assert!(left.is_empty(), "half-written files take room: {left:?}");
        assert!(shell(&format!("exec \"$1\" {export}"), &data).status.success());
    }
}

/// The real thing, where the system lets us mount a small disk of our own: sizes from too small to large enough.
/// Where it does not, the test above has met the same errors of `write`.
#[test]
fn a_small_disk_is_refused_before_or_reported_while_it_fills_up() {
    let data = Data::new();
    let mountable = "mount -t tmpfs -o size=64k tmpfs \"$2\"";
    let spaces: &[&str] = &["unshare", "--user", "--map-root-user", "--mount"];
    let script = r#"
        mount -t tmpfs -o size=8k tmpfs "$2" || exit 99
        "$1" solve tictactoe --quiet --data "$2"; echo "status $?" >&2
        mount -o remount,size=64k "$2" || exit 99
        "$1" solve tictactoe --quiet --data "$2"; echo "status $?" >&2
        mount -o remount,size=16m "$2" || exit 99
        "$1" solve tictactoe --quiet --data "$2" >/dev/null; echo "status $?" >&2
        "$1" verify tictactoe --full --quiet --data "$2"
    "#;
    let run = |script: &str| {
        let mut command = Command::new(spaces[0]);
        command.args(&spaces[1..]).args(["sh", "-c", script, "sh", env!("CARGO_BIN_EXE_kanzen")]).arg(data.path());
        command.stdin(Stdio::null()).output()
    };
    if !run(mountable).is_ok_and(|output| output.status.success()) {
        eprintln!("no disks can be mounted here; the limit on files stands in for them");
        return;
    }
    let output = run(script).unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = stderr.lines().collect();
    assert_eq!(lines.len(), 5, "{stderr}");
    assert!(lines[0].starts_with("kanzen: tictactoe needs 16.4 kB of disk, "), "{stderr}");
    assert!(lines[2].starts_with("kanzen: cannot ") && lines[2].contains("No space left on device"), "{stderr}");
    assert_eq!([lines[1], lines[3], lines[4]], ["status 2", "status 2", "status 0"]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.starts_with("tictactoe  765 positions checked: every value follows from the rules\n"), "{stdout}");
}

#[test]
fn a_reader_who_leaves_is_no_error() {
    let data = Data::new();
    data.stdout("solve tictactoe");
    for line in
        ["games", "stats tictactoe", "probe tictactoe --json", "man", "completions zsh", "--help", "play tictactoe"]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = data.command(line).stdout(writer).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{line}");
    }
}

#[test]
fn answers_that_cannot_be_written_are_an_error() {
    if let Ok(full) = fs::File::options().write(true).open("/dev/full") {
        let data = Data::new();
        let output = data.command("games --json").stdout(full).output().unwrap();
        let ran = Ran {
            status: output.status.code(),
            stdout: String::new(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(ran.refused() && ran.stderr.contains("cannot write to standard output"), "{ran:?}");
    }
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let data = Data::new();
    let folder = data.join("man");
    let output = kanzen().arg("man").arg("--dir").arg(&folder).output().unwrap();
    assert!(output.status.success());
    let pages = fs::read_dir(&folder).unwrap().count();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{pages} pages in {}\n", folder.display()));
    for page in ["kanzen.1", "kanzen-solve.1", "kanzen-play.1"] {
        assert!(fs::read_to_string(folder.join(page)).unwrap().contains(".SH EXAMPLES"), "{page}");
    }
}
