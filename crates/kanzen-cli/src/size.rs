//! Parses sizes such as `12GB`, `12GiB` and `800M`.

use std::str::FromStr;

/// A number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size(pub u64);

const FORM: &str = "expected a size such as 800M, 12GB or 12GiB";

impl FromStr for Size {
    type Err = String;

    /// `K`, `M`, `G`, `T` and `KB`, ... are powers of 1000, `KiB`, ... powers of 1024; without a unit, bytes.
    fn from_str(text: &str) -> Result<Size, String> {
        let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(split);
        let number: f64 = number.parse().map_err(|_| FORM.to_owned())?;
        let scale = scale(&unit.trim().to_ascii_lowercase()).ok_or(FORM)?;
        let bytes = number * scale as f64;
        if bytes < 1.0 {
            return Err("expected more than nothing".to_owned());
        }
        // Above 2^60 bytes it is a slip of the hand, not a machine.
        if bytes > (1u64 << 60) as f64 {
            return Err("no machine has that much".to_owned());
        }
        Ok(Size(bytes as u64))
    }
}

fn scale(unit: &str) -> Option<u64> {
    let (prefix, base) = match unit.strip_suffix("ib") {
        Some(prefix) if !prefix.is_empty() => (prefix, 1024u64),
        _ => (unit.strip_suffix('b').unwrap_or(unit), 1000),
    };
    let power = ["", "k", "m", "g", "t"].iter().position(|known| *known == prefix)?;
    Some(base.pow(power as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_powers_of_1000_or_1024() {
        for (text, bytes) in [
            ("12GB", 12_000_000_000),
            ("12GiB", 12 << 30),
            ("800M", 800_000_000),
            ("1.5g", 1_500_000_000),
            ("4096", 4096),
            ("7 kB", 7000),
            ("1TiB", 1 << 40),
            ("10b", 10),
        ] {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "GB", "12XB", "12ib", "-3GB", "1.2.3M", "12GBB", "nan", "1e3", "१GB"] {
            assert_eq!(text.parse::<Size>(), Err(FORM.to_owned()), "{text}");
        }
        assert!("0GB".parse::<Size>().is_err());
        assert!("99999999TB".parse::<Size>().is_err());
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_size_or_none(text in "[0-9.]{0,30} ?[a-zA-Z]{0,4}|.{0,20}") {
            if let Ok(Size(bytes)) = text.parse() {
                proptest::prop_assert!((1..=1 << 60).contains(&bytes), "{} is {}", text, bytes);
                proptest::prop_assert_eq!(bytes.to_string().parse(), Ok(Size(bytes as f64 as u64)));
            }
        }
    }
}
