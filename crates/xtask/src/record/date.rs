//! Today's date.

use std::time::{SystemTime, UNIX_EPOCH};

/// Today in UTC, as `2026-01-31`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    of_day(seconds / 86_400)
}

/// The date of a day counted from 1970-01-01.
fn of_day(day: u64) -> String {
    let (mut year, mut rest) = (1970, day);
    while rest >= length(year) {
        rest -= length(year);
        year += 1;
    }
    let february = length(year) - 337;
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if rest < days {
            break;
        }
        rest -= days;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", rest + 1)
}

/// Days of a year.
fn length(year: u64) -> u64 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    365 + u64::from(leap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_leap_years_and_others() {
        let dates = [
            (0, "1970-01-01"),
            (364, "1970-12-31"),
            (365, "1971-01-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_483, "2026-01-30"),
        ];
        for (day, date) in dates {
            assert_eq!(of_day(day), date);
        }
    }
}
