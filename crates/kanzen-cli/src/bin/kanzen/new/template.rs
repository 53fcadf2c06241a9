//! The files of a new crate, as they lie in `template/`, and what is filled in.

use std::path::{Path, PathBuf};

use anyhow::Context;

const VERSION: &str = env!("CARGO_PKG_VERSION");

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

/// Where a new crate finds Kanzen.
pub enum Kanzen {
    /// In a checkout: in this folder, and from the new crate on this way.
    Checkout {
        /// The folder.
        folder: PathBuf,
        /// The way to it from the new crate, so that nothing in the crate names a folder of this machine.
        way: PathBuf,
    },
    /// Where crates are published, in the version of this program.
    Published,
}

impl Kanzen {
    /// The checkout in this folder, for a crate in the folder `new`. If none is named, the one that this program was built from; a program that was
    /// installed elsewhere has none, and names its version.
    pub fn find(named: Option<&Path>, new: &Path) -> anyhow::Result<Kanzen> {
        let folder = named.unwrap_or(Path::new(env!("KANZEN_CHECKOUT")));
        let whole = ["crates/kanzen/Cargo.toml", "crates/kanzen-cli/Cargo.toml", "Cargo.lock"];
        match folder.canonicalize() {
            Ok(folder) if whole.iter().all(|file| folder.join(file).is_file()) => {
                let parent = new.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let parent = parent.canonicalize().with_context(|| format!("cannot read {}", parent.display()))?;
                let way = way(&parent.join(new.file_name().unwrap_or_default()), &folder);
                Ok(Kanzen::Checkout { folder, way })
            }
            _ if named.is_some() => anyhow::bail!("{} is no checkout of Kanzen", folder.display()),
            _ => Ok(Kanzen::Published),
        }
    }

    /// The dependency on one of its crates, as Cargo.toml has it.
    fn dependency(&self, package: &str) -> anyhow::Result<String> {
        Ok(match self {
            // A string of JSON is one of TOML too.
            Kanzen::Checkout { way, .. } => {
                format!("path = {}", serde_json::to_string(utf8(&way.join("crates").join(package))?)?)
            }
            Kanzen::Published => format!("version = \"{VERSION}\""),
        })
    }

    /// Where its page about new games is.
    fn page(&self) -> anyhow::Result<String> {
        Ok(match self {
            Kanzen::Checkout { way, .. } => utf8(&way.join("docs/add-a-game.md"))?.to_owned(),
            Kanzen::Published => format!("https://docs.rs/kanzen/{VERSION}/kanzen/add_a_game/index.html"),
        })
    }

    fn place(&self) -> &'static str {
        match self {
            Kanzen::Checkout { .. } => {
                "in its checkout, by paths from here, to change if either moves. `Cargo.lock` holds the versions it was tested with"
            }
            Kanzen::Published => "the published version that `kanzen new` came with",
        }
    }
}

/// The way from one folder to another, both absolute.
fn way(from: &Path, to: &Path) -> PathBuf {
    let shared = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(shared).map(|_| Path::new(".."));
    let down = to.components().skip(shared);
    up.map(Path::to_path_buf).chain(down.map(|part| PathBuf::from(part.as_os_str()))).collect()
}

fn utf8(path: &Path) -> anyhow::Result<&str> {
    path.to_str().with_context(|| format!("{} is not UTF-8, as Cargo.toml must be", path.display()))
}

/// The files of a new crate: their names, and what they hold.
pub fn files(name: &str, kanzen: &Kanzen) -> anyhow::Result<Vec<(&'static str, String)>> {
    let filled = [
        ("{{name}}", name.to_owned()),
        ("{{kanzen}}", kanzen.dependency("kanzen")?),
        ("{{kanzen-cli}}", kanzen.dependency("kanzen-cli")?),
        ("{{add-a-game}}", kanzen.page()?),
        ("{{where}}", kanzen.place().to_owned()),
    ];
    let mut files: Vec<(&str, String)> = FILES
        .into_iter()
        .map(|(file, text)| (file, filled.iter().fold(text.to_owned(), |text, (mark, with)| text.replace(mark, with))))
        .collect();
    if let Kanzen::Checkout { folder, .. } = kanzen {
        let lock = folder.join("Cargo.lock");
        let versions = std::fs::read_to_string(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
        files.push(("Cargo.lock", versions));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_filled_in() {
        for kanzen in [Kanzen::find(None, Path::new("dodgem")).unwrap(), Kanzen::Published] {
            for (file, text) in files("dodgem", &kanzen).unwrap() {
                assert!(!text.contains("{{"), "{file}");
                assert!(file != "Cargo.toml" || text.contains("name = \"dodgem\""), "{text}");
                assert!(file == "Cargo.lock" || !text.contains(env!("CARGO_MANIFEST_DIR")), "{file}");
            }
        }
    }

    #[test]
    fn outside_a_checkout_the_crate_names_a_version() {
        let files = files("dodgem", &Kanzen::Published).unwrap();
        let manifest = &files[0].1;
        assert!(manifest.contains(&format!("kanzen = {{ version = \"{VERSION}\" }}")), "{manifest}");
        assert!(!manifest.contains("path ="), "{manifest}");
        assert!(files.iter().all(|(file, _)| *file != "Cargo.lock"));
    }

    #[test]
    fn the_way_goes_up_and_down_again() {
        let way = |from, to| way(Path::new(from), Path::new(to)).display().to_string();
        assert_eq!(way("/home/ada/games/dodgem", "/home/ada/kanzen"), "../../kanzen");
        assert_eq!(way("/home/ada/kanzen/dodgem", "/home/ada/kanzen"), "..");
        assert_eq!(way("/tmp/dodgem", "/opt/kanzen"), "../../opt/kanzen");
    }

    #[test]
    fn a_folder_of_something_else_is_no_checkout() {
        let folder = tempfile::tempdir().unwrap();
        let refusal = Kanzen::find(Some(folder.path()), Path::new("dodgem")).err().unwrap();
        assert_eq!(refusal.to_string(), format!("{} is no checkout of Kanzen", folder.path().display()));
    }
}
