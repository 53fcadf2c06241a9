//! Runs the command as a user would, and looks at what it leaves behind.
#![allow(dead_code)] // each test program uses its part

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A data folder of its own, gone at the end.
pub struct Data {
    folder: tempfile::TempDir,
}

/// How a run of the command ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn of(output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the command writes UTF-8");
        Ran { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Whether it was refused as the interface promises: status 2, and one line that begins with the command's name.
    pub fn refused(&self) -> bool {
        self.status == Some(2) && self.complained_once()
    }

    /// Whether standard error has one line, as it should whenever the status is not 0.
    pub fn complained_once(&self) -> bool {
        self.stderr.starts_with("kanzen: ") && self.stderr.ends_with('\n') && self.stderr.lines().count() == 1
    }
}

/// The command, without what the environment of the tests would change in it.
pub fn kanzen() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kanzen"));
    for name in ["KANZEN_DATA", "KANZEN_CHECKPOINT_SECONDS", "NO_COLOR"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::null());
    command
}

impl Data {
    pub fn new() -> Data {
        Data { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The command with this data folder.
    pub fn command(&self, line: &str) -> Command {
        let mut command = kanzen();
        command.arg("--data").arg(self.path()).args(line.split(' '));
        command
    }

    /// Runs a line such as `probe tictactoe --json`.
    pub fn run(&self, line: &str) -> Ran {
        Ran::of(self.command(line).output().unwrap())
    }

    /// Runs a line that must succeed. Returns its standard output.
    pub fn stdout(&self, line: &str) -> String {
        let ran = self.run(line);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{line}");
        ran.stdout
    }

    /// Starts a line and leaves it running.
    pub fn start(&self, line: &str) -> Child {
        self.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Every file below the data folder with its bytes.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(self.path(), self.path(), &mut files);
        files
    }
}

/// Waits for a child that was started.
pub fn wait(child: Child) -> Ran {
    Ran::of(child.wait_with_output().unwrap())
}

fn collect(top: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(top, &path, files);
        } else {
            let name = path.strip_prefix(top).unwrap().to_str().unwrap().to_owned();
            files.insert(name, std::fs::read(&path).unwrap());
        }
    }
}

/// A plain generator of scattered numbers, the same in each run.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`.
    pub fn below(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }
}
