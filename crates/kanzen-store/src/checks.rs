//! Refusing what was written for other rules, in another format, or under a name that is none.

use std::path::Path;

use super::FORMAT;
use kanzen_core::vocabulary::Error;

/// Refuses `path`, written for the rules `found`, unless those are the ones expected.
pub(super) fn check_rules(path: &Path, found: u64, expected: u64) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    let [found, expected] = [found, expected].map(|fingerprint| format!("{fingerprint:016x}"));
    Err(Error::OtherRules { path: path.to_owned(), found, expected })
}

/// Refuses `path`, written in the format `found`, unless that is the one this version reads.
pub(super) fn check_format(path: &Path, found: u32) -> Result<(), Error> {
    if found == FORMAT {
        return Ok(());
    }
    Err(Error::OtherFormat { path: path.to_owned(), found, expected: FORMAT })
}

/// Refuses names that would lead out of their folder or hide in it.
pub(super) fn check_name(name: &str) -> Result<(), Error> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    if name.is_empty() || name.len() > 200 || name.starts_with('.') || !name.chars().all(plain) {
        return Err(Error::BadName { name: name.to_owned() });
    }
    Ok(())
}
