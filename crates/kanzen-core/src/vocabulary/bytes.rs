//! Formats numbers of bytes.

/// Formats a number of bytes with three digits and a unit.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::human_bytes;
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
