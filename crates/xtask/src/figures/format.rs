//! Formats numbers for people.

use anyhow::{Context, Result, bail};

/// How a value is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Whole numbers with separators, anything else as it is.
    #[default]
    Auto,
    /// So many decimals.
    Fixed(usize),
    /// A size: `18.8 GB`.
    Bytes,
    /// A time: `0.27 s`, `27 min`.
    Seconds,
}

impl Format {
    /// `.2f`, `bytes` or `seconds`; nothing for the automatic one.
    pub fn read(name: &str) -> Result<Format> {
        Ok(match name {
            "" => Format::Auto,
            "bytes" => Format::Bytes,
            "seconds" => Format::Seconds,
            _ => {
                let decimals = name.strip_prefix('.').and_then(|rest| rest.strip_suffix('f')?.parse().ok());
                Format::Fixed(decimals.with_context(|| {
                    format!("`{name}` is not a format: there are bytes, seconds and .2f with any number of decimals")
                })?)
            }
        })
    }

    /// The text of a value as people read it.
    pub fn show(self, value: &str) -> Result<String> {
        let number = || value.parse::<f64>().ok().with_context(|| format!("{value:?} is not a number"));
        Ok(match self {
            Format::Auto if whole(value) => thousands(value),
            Format::Auto => value.to_owned(),
            Format::Fixed(decimals) => thousands(&format!("{:.decimals$}", number()?)),
            Format::Bytes => bytes(number()?)?,
            Format::Seconds => seconds(number()?)?,
        })
    }
}

fn whole(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// Separators between the thousands of a decimal number.
fn thousands(number: &str) -> String {
    let (whole, rest) = number.find('.').map_or((number, ""), |point| number.split_at(point));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut shown = sign.to_owned();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown + rest
}

/// Three digits and a decimal unit.
fn bytes(mut size: f64) -> Result<String> {
    for unit in ["B", "kB", "MB", "GB", "TB"] {
        if size < 999.5 {
            let decimals = usize::from(unit != "B" && size < 99.95);
            return Ok(format!("{size:.decimals$} {unit}"));
        }
        size /= 1000.0;
    }
    bail!("a size of {size:.0} PB is too large to be true")
}

/// Two or three digits and a unit that fits.
fn seconds(time: f64) -> Result<String> {
    Ok(match time {
        ..0.0 => bail!("a time of {time} s is less than nothing"),
        ..0.000_999_5 => format!("{:.0} µs", time * 1e6),
        ..0.099_5 => format!("{:.1} ms", time * 1e3),
        ..9.995 => format!("{time:.2} s"),
        ..119.5 => format!("{time:.0} s"),
        ..7170.0 => format!("{:.0} min", time / 60.0),
        _ => format!("{:.1} h", time / 3600.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(format: &str, value: &str) -> String {
        Format::read(format).unwrap().show(value).unwrap()
    }

    #[test]
    fn whole_numbers_get_separators() {
        let pairs = [("0", "0"), ("999", "999"), ("1000", "1,000"), ("8297520", "8,297,520"), ("-12345", "-12,345")];
        for (value, shown) in pairs {
            assert_eq!(show("", value), shown);
        }
        assert_eq!(show("", "73995673500000000000000"), "73,995,673,500,000,000,000,000");
    }

    #[test]
    fn other_values_stay_as_they_are() {
        for value in ["win", "0.27", "", "-", "6x5"] {
            assert_eq!(show("", value), value);
        }
    }

    #[test]
    fn decimals_as_asked() {
        assert_eq!(show(".2f", "3.14159"), "3.14");
        assert_eq!(show(".0f", "1234.5"), "1,234");
        assert_eq!(show(".1f", "1234567"), "1,234,567.0");
    }

    #[test]
    fn sizes_and_times_get_units() {
        let sizes =
            [("0", "0 B"), ("950", "950 B"), ("18800000000", "18.8 GB"), ("99960", "100 kB"), ("999600", "1.0 MB")];
        for (value, shown) in sizes {
            assert_eq!(show("bytes", value), shown);
        }
        let times = [
            ("0.00005", "50 µs"),
            ("0.0123", "12.3 ms"),
            ("0.27", "0.27 s"),
            ("76.4", "76 s"),
            ("1620", "27 min"),
            ("9000", "2.5 h"),
        ];
        for (value, shown) in times {
            assert_eq!(show("seconds", value), shown);
        }
    }

    #[test]
    fn what_is_no_number_or_format_is_refused() {
        assert!(Format::read(".xf").is_err());
        assert!(Format::read("GB").is_err());
        assert!(Format::Bytes.show("many").is_err());
        assert!(Format::Seconds.show("-1").is_err());
    }
}
