//! How much of the disk a run takes at its peak.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

const EVERY: Duration = Duration::from_millis(500);

/// Looks at a folder twice a second while a command runs.
pub struct DiskWatch {
    stop: Sender<()>,
    watcher: JoinHandle<u64>,
}

impl DiskWatch {
    /// Begins: what is in the folder now does not count.
    pub fn start(folder: PathBuf) -> DiskWatch {
        let (stop, stopped) = channel();
        let before = allocated(&folder);
        let watcher = std::thread::spawn(move || {
            let mut most = before;
            loop {
                let ended = stopped.recv_timeout(EVERY) != Err(RecvTimeoutError::Timeout);
                most = most.max(allocated(&folder));
                if ended {
                    return most - before;
                }
            }
        });
        DiskWatch { stop, watcher }
    }

    /// The most bytes that were seen beyond those at the start.
    pub fn stop(self) -> u64 {
        drop(self.stop);
        self.watcher.join().unwrap_or(0)
    }
}

/// Bytes that the files below a folder take on the disk. Files come and go meanwhile: what is gone is nothing.
fn allocated(path: &Path) -> u64 {
    let Ok(metadata) = fs::symlink_metadata(path) else { return 0 };
    let own = metadata.blocks() * 512;
    if !metadata.is_dir() {
        return own;
    }
    let Ok(entries) = fs::read_dir(path) else { return own };
    own + entries.flatten().map(|entry| allocated(&entry.path())).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_again_counts_and_what_was_there_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
        fs::write(&old, vec![1; 1 << 20]).unwrap();
        let watch = DiskWatch::start(folder.path().to_owned());
        fs::write(&new, vec![1; 3 << 20]).unwrap();
        fs::File::open(&new).unwrap().sync_all().unwrap(); // some systems allocate late
        std::thread::sleep(3 * EVERY);
        fs::remove_file(&new).unwrap();
        let most = watch.stop();
        assert!((3 << 20..4 << 20).contains(&most), "{most}");
    }
}
