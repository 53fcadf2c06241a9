//! JSON that carries its own checksum, in its last field.
//!
//! The checksum is that of the text with the field empty, so any other byte that changes is noticed, even a space.

use crate::checks::check_format;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use xxhash_rust::xxh3::xxh3_64;

use kanzen_core::vocabulary::Error;

const FIELD: &str = "checksum";
const END: &str = "\"\n}\n";
/// The end of a sealed text, the checksum left out.
const LAST: &str = ",\n  \"checksum\": \"\"\n}\n";
/// Values that a sealed text may have, counted by the signs between them. The longest that was ever written has a tenth.
const MOST_VALUES: usize = 1 << 18;

/// A struct as text with a checksum.
pub(super) fn seal(what: &impl Serialize) -> String {
    let mut fields = match serde_json::to_value(what) {
        Ok(Json::Object(fields)) => fields,
        other => unreachable!("only structs are sealed, not {other:?}"),
    };
    fields.insert(FIELD.to_owned(), Json::String(String::new()));
    let mut text = serde_json::to_string_pretty(&fields).expect("JSON is text");
    text.push('\n');
    let checksum = format!("{:016x}", xxh3_64(text.as_bytes()));
    text.insert_str(text.len() - END.len(), &checksum);
    text
}

/// The struct that was sealed. Its `format` is checked before its fields: another version may have others.
///
/// A text with more values than a sound one has is not parsed, so that memory stays near the text's own size.
pub(super) fn unseal<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T, Error> {
    let damaged = |place: &str| Error::damaged(path, clipped(place));
    if bytes.iter().filter(|byte| b",:[{".contains(byte)).count() > MOST_VALUES {
        return Err(damaged("its length: it lists more than a database has"));
    }
    let text = without_checksum(bytes).ok_or_else(|| damaged("its checksum"))?;
    let Format { format } = serde_json::from_str(&text).map_err(|_| damaged("its format"))?;
    check_format(path, format)?;
    serde_json::from_str(&text).map_err(|wrong| damaged(&wrong.to_string()))
}

/// The one field that all versions have.
#[derive(Deserialize)]
struct Format {
    format: u32,
}

/// What a stranger wrote, short enough for an error.
pub(super) fn clipped(text: &str) -> String {
    const MOST: usize = 160;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The text without its checksum's field, if the checksum is right.
fn without_checksum(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?.strip_suffix(END)?;
    let (text, checksum) = text.split_at_checked(text.len().checked_sub(16)?)?;
    let mut text = format!("{text}{END}");
    if checksum != format!("{:016x}", xxh3_64(text.as_bytes())) {
        return None;
    }
    text.truncate(text.strip_suffix(LAST)?.len());
    text.push('}');
    Some(text)
}

/// Numbers as sixteen hexadecimal digits, for `#[serde(with = ...)]`: JSON readers elsewhere have no 64-bit integers.
pub(super) mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(number: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{number:016x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let digits = String::deserialize(from)?;
        let number = u64::from_str_radix(&digits, 16).map_err(D::Error::custom)?;
        if digits != format!("{number:016x}") {
            return Err(D::Error::custom(format!("`{digits}` is not sixteen hexadecimal digits")));
        }
        Ok(number)
    }

    /// The same of a number that may not be known.
    pub mod option {
        use serde::{Deserializer, Serializer};

        pub fn serialize<S: Serializer>(number: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
            match number {
                Some(number) => super::serialize(number, to),
                None => to.serialize_none(),
            }
        }

        pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
            super::deserialize(from).map(Some)
        }
    }
}
