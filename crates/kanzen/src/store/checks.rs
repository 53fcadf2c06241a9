//! Refusing what was written for other rules, or in another format.

use std::path::Path;

use super::FORMAT;
use crate::vocabulary::Error;

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
