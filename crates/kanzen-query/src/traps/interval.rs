//! How sure a share is that was counted.

/// Wilson's interval of a share, at 95 %: where the true share lies if `part` of `whole` trials had it.
///
/// ```
/// let (low, high) = kanzen_query::wilson(5, 10);
/// assert!((low - 0.2366).abs() < 1e-4 && (high - 0.7634).abs() < 1e-4);
/// assert_eq!(kanzen_query::wilson(0, 0), (0.0, 1.0));
/// ```
pub fn wilson(part: u64, whole: u64) -> (f64, f64) {
    /// The normal quantile of 97.5 %.
    const Z: f64 = 1.959_963_984_540_054;
    if whole == 0 {
        return (0.0, 1.0);
    }
    let (n, share) = (whole as f64, part as f64 / whole as f64);
    let middle = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_holds_the_share_and_narrows() {
        for (part, whole) in [(0, 20), (1, 20), (10, 20), (20, 20), (480, 1000)] {
            let (low, high) = wilson(part, whole);
            let share = part as f64 / whole as f64;
            assert!(0.0 <= low && low <= share && share <= high && high <= 1.0, "{part} of {whole}: {low} {high}");
            let (lower, higher) = wilson(100 * part, 100 * whole);
            assert!(higher - lower < (high - low) / 2.0);
        }
    }
}
