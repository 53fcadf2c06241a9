//! Classifies the entries of an untrusted archive by their headers alone.

use tar::{EntryType, Header};

/// The kind of an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Named {
    /// A file, by the folder it is in (empty at the top) and its name.
    File { folder: String, name: String },
    /// A folder, or an extended header without effect: nothing to take.
    Nothing,
    /// An extended header of the next entry, which may override its name or size.
    Remarks,
}

/// Classifies an entry. Refuses one that leads out of its folder, or is neither file nor folder, with a reason.
pub fn named(header: &Header) -> Result<Named, String> {
    let kind = header.entry_type();
    match kind {
        EntryType::XHeader => return Ok(Named::Remarks),
        // For all entries: the program that packed it, a comment.
        EntryType::XGlobalHeader => return Ok(Named::Nothing),
        _ => {}
    }
    let path = header.path_bytes();
    let shown = shown(&path);
    let path = std::str::from_utf8(&path).map_err(|_| format!("its entry {shown} has no plain name"))?;
    match kind {
        EntryType::Regular | EntryType::Continuous => {}
        EntryType::Directory => {
            parts(path).ok_or_else(|| format!("its entry {shown} leads out of its folder"))?;
            return Ok(Named::Nothing);
        }
        EntryType::Symlink | EntryType::Link => return Err(format!("its entry {shown} is a link")),
        EntryType::GNULongName | EntryType::GNULongLink => {
            return Err("it has a name of more than a hundred characters".to_owned());
        }
        _ => return Err(format!("its entry {shown} is neither a file nor a folder")),
    }
    let mut parts = parts(path).ok_or_else(|| format!("its entry {shown} leads out of its folder"))?;
    let name = parts.pop().ok_or_else(|| format!("its entry {shown} has no name"))?;
    Ok(Named::File { folder: parts.join("/"), name: name.to_owned() })
}

/// The parts of a path below the top; nothing if it may lead elsewhere.
fn parts(path: &str) -> Option<Vec<&str>> {
    let path = path.strip_suffix('/').unwrap_or(path);
    if path.starts_with('/') || path.contains('\\') || path.contains('\0') {
        return None;
    }
    let parts: Vec<&str> = path.split('/').filter(|part| *part != ".").collect();
    (!parts.iter().any(|part| part.is_empty() || *part == "..")).then_some(parts)
}

/// Formats an untrusted name, short and in one line.
fn shown(path: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(path).chars().take(120).collect();
    format!("{text:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(path: &[u8], kind: EntryType) -> Header {
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        // Written byte by byte: the crate itself refuses to write such names.
        header.as_mut_bytes()[..path.len()].copy_from_slice(path);
        header
    }

    fn file(folder: &str, name: &str) -> Result<Named, String> {
        Ok(Named::File { folder: folder.into(), name: name.into() })
    }

    #[test]
    fn a_file_has_a_folder_and_a_name() {
        let parsed = |path: &str| named(&header(path.as_bytes(), EntryType::Regular));
        assert_eq!(parsed("stones-21/keys"), file("stones-21", "keys"));
        assert_eq!(parsed("./stones-21/keys"), file("stones-21", "keys"));
        assert_eq!(parsed("keys"), file("", "keys"));
        assert_eq!(parsed("a/b/keys"), file("a/b", "keys"));
    }

    #[test]
    fn what_leads_elsewhere_is_refused() {
        for path in ["../x", "a/../../x", "/etc/passwd", "a//x", "a/..", "..", "a\\..\\x"] {
            let reason = named(&header(path.as_bytes(), EntryType::Regular)).unwrap_err();
            assert!(reason.ends_with("leads out of its folder"), "{path}: {reason}");
            assert!(named(&header(path.as_bytes(), EntryType::Directory)).is_err(), "{path}");
        }
        assert!(named(&header(b"", EntryType::Regular)).is_err());
        assert!(named(&header(b"a\xff", EntryType::Regular)).unwrap_err().ends_with("has no plain name"));
    }

    #[test]
    fn links_and_devices_are_refused() {
        for kind in [EntryType::Symlink, EntryType::Link, EntryType::Fifo, EntryType::Char, EntryType::Block] {
            assert!(named(&header(b"stones/keys", kind)).is_err(), "{kind:?}");
        }
        for kind in [EntryType::GNUSparse, EntryType::GNULongName, EntryType::GNULongLink, EntryType::new(b'Z')] {
            assert!(named(&header(b"stones/keys", kind)).is_err(), "{kind:?}");
        }
        assert_eq!(named(&header(b"stones/", EntryType::Directory)), Ok(Named::Nothing));
    }

    #[test]
    fn a_refusal_is_one_short_line() {
        let wild = [b'\n'; 99];
        let reason = named(&header(&wild, EntryType::Symlink)).unwrap_err();
        assert!(!reason.contains('\n') && reason.len() < 400, "{reason}");
    }
}
