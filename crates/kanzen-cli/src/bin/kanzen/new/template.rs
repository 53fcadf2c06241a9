//! The files of a new crate, as they lie in `template/`, and what is filled in.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// Where a file goes, and what it holds.
const FILES: [(&str, &str); 7] = [
    ("Cargo.toml", include_str!("../../../../template/Cargo.toml.in")),
    ("README.md", include_str!("../../../../template/README.md")),
    ("rustfmt.toml", include_str!("../../../../template/rustfmt.toml")),
    (".gitignore", include_str!("../../../../template/gitignore")),
    ("src/main.rs", include_str!("../../../../template/src/main.rs")),
    ("src/rules.rs", include_str!("../../../../template/src/rules.rs")),
    ("src/tests.rs", include_str!("../../../../template/src/tests.rs")),
];

/// A checkout of Kanzen, which a new crate depends on.
pub struct Checkout {
    folder: PathBuf,
}

impl Checkout {
    /// The checkout in this folder, or the one that this program was built from.
    pub fn find(named: Option<&Path>) -> anyhow::Result<Checkout> {
        let folder = named.unwrap_or(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")));
        let whole = ["crates/kanzen/Cargo.toml", "crates/kanzen-cli/Cargo.toml", "Cargo.lock"];
        if let Ok(folder) = folder.canonicalize()
            && whole.iter().all(|file| folder.join(file).is_file())
        {
            return Ok(Checkout { folder });
        }
        match named {
            Some(folder) => anyhow::bail!("{} is no checkout of Kanzen", folder.display()),
            None => anyhow::bail!("the checkout that kanzen was built from is gone: give --kanzen DIR"),
        }
    }

    fn path(&self, below: &str) -> anyhow::Result<String> {
        let path = self.folder.join(below);
        let text = path.to_str().with_context(|| format!("{} is not UTF-8, as Cargo.toml must be", path.display()));
        Ok(text?.to_owned())
    }
}

/// The files of a new crate: their names, and what they hold.
pub fn files(name: &str, checkout: &Checkout) -> anyhow::Result<Vec<(&'static str, String)>> {
    // A string of JSON is one of TOML too.
    let quoted = |below| anyhow::Ok(serde_json::to_string(&checkout.path(below)?)?);
    let filled = [
        ("{{name}}", name.to_owned()),
        ("{{kanzen}}", quoted("crates/kanzen")?),
        ("{{kanzen-cli}}", quoted("crates/kanzen-cli")?),
        ("{{kanzen-docs}}", checkout.path("docs")?),
    ];
    let mut files: Vec<(&str, String)> = FILES
        .into_iter()
        .map(|(file, text)| (file, filled.iter().fold(text.to_owned(), |text, (mark, with)| text.replace(mark, with))))
        .collect();
    let lock = checkout.folder.join("Cargo.lock");
    let versions = std::fs::read_to_string(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    files.push(("Cargo.lock", versions));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_filled_in() {
        let checkout = Checkout::find(None).unwrap();
        for (file, text) in files("dodgem", &checkout).unwrap() {
            assert!(!text.contains("{{"), "{file}");
            assert!(file != "Cargo.toml" || text.contains("name = \"dodgem\""), "{text}");
        }
    }

    #[test]
    fn a_folder_of_something_else_is_no_checkout() {
        let folder = tempfile::tempdir().unwrap();
        let refusal = Checkout::find(Some(folder.path())).err().unwrap();
        assert_eq!(refusal.to_string(), format!("{} is no checkout of Kanzen", folder.path().display()));
    }
}
