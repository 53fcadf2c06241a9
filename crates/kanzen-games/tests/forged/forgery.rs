//! Forges a database: a sound one with a modified part and valid checksums.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;

use super::block_file::{BlockParts, Lies};
use super::dice::Dice;
use super::manifest;
use super::sound::Sound;

pub const MANIFEST: &str = "manifest.json";

/// A replacement for a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instead {
    Nothing,
    EmptyFile,
    Folder,
    Pipe,
    LinkToZeros,
    LinkToItself,
    LinkToTheSoundFile,
    /// So many bytes that are not there.
    Holes(u64),
}

/// A forgery under construction.
pub struct Forgery<'a> {
    pub sound: &'a Sound,
    pub manifest: Json,
    /// The manifest as it is written, where it is not JSON any more.
    pub text: Option<Vec<u8>>,
    pub changed: BTreeMap<String, Vec<u8>>,
    pub instead: Vec<(String, Instead)>,
}

impl<'a> Forgery<'a> {
    pub fn of(sound: &'a Sound) -> Forgery<'a> {
        let manifest = manifest::opened(&sound.files[MANIFEST]);
        Forgery { sound, manifest, text: None, changed: BTreeMap::new(), instead: Vec::new() }
    }

    /// The name of a random block file with this ending, or `None`.
    pub fn some_file(&self, ending: &str, dice: &mut Dice) -> Option<String> {
        let names: Vec<&String> = self.sound.files.keys().filter(|name| name.ends_with(ending)).collect();
        let names: Vec<&String> = names.into_iter().filter(|name| *name != MANIFEST).collect();
        (!names.is_empty()).then(|| (*dice.pick(&names)).clone())
    }

    /// The parts of a file.
    pub fn parts(&self, name: &str) -> BlockParts {
        BlockParts::of(self.changed.get(name).unwrap_or(&self.sound.files[name]))
    }

    /// Rewrites a file and updates its checksums in the manifest.
    pub fn put(&mut self, name: &str, parts: &BlockParts, lies: &Lies) {
        let written = parts.write(lies);
        // What is known by its ends alone is read otherwise than what is read as a whole first.
        let ends = (!written.checksum.is_multiple_of(4)).then_some(written.ends);
        manifest::vouch(&mut self.manifest, name, written.bytes.len() as u64, written.checksum, ends);
        self.changed.insert(name.to_owned(), written.bytes);
    }

    /// Writes the folder.
    pub fn write(self, folder: &Path) {
        fs::create_dir_all(folder).unwrap();
        let manifest = self.text.unwrap_or_else(|| manifest::sealed(&self.manifest));
        for (name, bytes) in &self.sound.files {
            let path = folder.join(name);
            match (self.changed.get(name), name == MANIFEST) {
                _ if self.instead.iter().any(|(other, _)| other == name) => {}
                (_, true) => fs::write(path, &manifest).unwrap(),
                (Some(bytes), _) => fs::write(path, bytes).unwrap(),
                (None, _) if bytes.len() > 1 << 12 => fs::hard_link(self.sound.folder().join(name), path).unwrap(),
                (None, _) => fs::write(path, bytes).unwrap(),
            }
        }
        for (name, instead) in &self.instead {
            put_instead(&folder.join(name), *instead, &self.sound.folder().join(name));
        }
    }
}

fn put_instead(path: &Path, instead: Instead, sound: &Path) {
    use std::os::unix::fs::symlink;
    match instead {
        Instead::Nothing => {}
        Instead::EmptyFile => drop(fs::File::create(path).unwrap()),
        Instead::Folder => fs::create_dir(path).unwrap(),
        Instead::Pipe => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
        Instead::LinkToZeros => symlink("/dev/zero", path).unwrap(),
        Instead::LinkToItself => symlink(path.file_name().unwrap(), path).unwrap(),
        Instead::LinkToTheSoundFile => symlink(sound, path).unwrap(),
        Instead::Holes(bytes) => fs::File::create(path).unwrap().set_len(bytes).unwrap(),
    }
}
