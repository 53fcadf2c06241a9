//! What this machine has, and what this process took of it.

use std::path::Path;

/// Bytes of memory free for a new process, where the system tells.
pub fn available_memory() -> Option<u64> {
    kilobytes("/proc/meminfo", "MemAvailable:")
}

/// The most memory this process has held so far, in bytes, where the system tells.
pub fn peak_memory() -> Option<u64> {
    kilobytes("/proc/self/status", "VmHWM:")
}

/// Bytes free on the disk that holds `folder` (or the nearest folder above it that exists).
pub fn free_disk(folder: &Path) -> Option<u64> {
    let existing = folder.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
    let disk = rustix::fs::statvfs(if existing.as_os_str().is_empty() { Path::new(".") } else { existing }).ok()?;
    Some(disk.f_bavail * disk.f_frsize)
}

fn kilobytes(file: &str, field: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(field))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

/// Bytes for people: three digits and a unit.
///
/// ```
/// use kanzen::machine::human_bytes;
/// assert_eq!(human_bytes(950), "950 B");
/// assert_eq!(human_bytes(7_600_000_000), "7.6 GB");
/// assert_eq!(human_bytes(128_000_000_000), "128 GB");
/// ```
pub fn human_bytes(bytes: u64) -> String {
    let mut size = bytes as f64;
    for unit in ["B", "kB", "MB", "GB", "TB"] {
        if size < 999.5 || unit == "TB" {
            let decimals = usize::from(unit != "B" && size < 99.95);
            return format!("{size:.decimals$} {unit}");
        }
        size /= 1000.0;
    }
    unreachable!("the last unit takes every size")
}
