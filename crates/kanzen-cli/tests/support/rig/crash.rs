//! Computes what is left on a disk after a power cut.
//!
//! The model is as cruel as the promises of the system allow: bytes are safe when their file was synced, a name is safe
//! when its folder was. What is not safe may be there or not, or there in part.
//!
//! ```text
//! file     bytes ......safe|not safe
//! folder   names, safe + changes since the last sync: any of them may have reached the disk
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::Dice;
use super::recorder::Act;

/// What becomes of what was not safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// Nothing is lost: the process was killed, the system lives on.
    Nothing,
    /// All of it is lost.
    All,
    /// New names are there, without the bytes: files that are too short.
    Bytes,
    /// At random, with this seed: names there or not; bytes there, cut off, or all zero.
    ByLot(u64),
}

enum Node {
    File { bytes: Vec<u8>, safe: usize },
    Folder { names: BTreeMap<String, usize>, safe: BTreeMap<String, usize>, changes: Vec<Change> },
}

#[derive(Clone)]
enum Change {
    Put(String, usize),
    Drop(String),
    Move(String, String, usize),
}

impl Change {
    fn apply(&self, names: &mut BTreeMap<String, usize>) {
        match self {
            Change::Put(name, node) => _ = names.insert(name.clone(), *node),
            Change::Drop(name) => _ = names.remove(name),
            Change::Move(from, to, node) => {
                names.remove(from);
                names.insert(to.clone(), *node);
            }
        }
    }
}

/// A disk in the making.
struct Disk {
    nodes: Vec<Node>,
}

fn folder() -> Node {
    Node::Folder { names: BTreeMap::new(), safe: BTreeMap::new(), changes: Vec::new() }
}

impl Disk {
    fn find(&self, path: &Path) -> Option<usize> {
        let mut node = 0;
        for name in path.iter() {
            let Node::Folder { names, .. } = &self.nodes[node] else { return None };
            node = *names.get(name.to_str()?)?;
        }
        Some(node)
    }

    fn change(&mut self, path: &Path, change: impl FnOnce(String) -> Change) {
        let Some(parent) = path.parent().and_then(|parent| self.find(parent)) else { return };
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
        if let Node::Folder { names, changes, .. } = &mut self.nodes[parent] {
            let change = change(name.to_owned());
            change.apply(names);
            changes.push(change);
        }
    }

    fn act(&mut self, act: &Act) {
        match act {
            Act::Create(path) => {
                self.nodes.push(Node::File { bytes: Vec::new(), safe: 0 });
                let node = self.nodes.len() - 1;
                self.change(path, |name| Change::Put(name, node));
            }
            Act::MakeFolder(path) => {
                self.nodes.push(folder());
                let node = self.nodes.len() - 1;
                self.change(path, |name| Change::Put(name, node));
            }
            Act::Remove(path) => self.change(path, Change::Drop),
            Act::Rename(from, to) => {
                let to = to.file_name().and_then(|name| name.to_str()).expect("names are text").to_owned();
                let node = self.find(from).expect("what is renamed is there");
                self.change(from, |from| Change::Move(from, to, node));
            }
            // A writer that fails flushes what it has to a file that is removed already.
            Act::Write(path, more) => {
                if let Some(node) = self.find(path)
                    && let Node::File { bytes, .. } = &mut self.nodes[node]
                {
                    bytes.extend(more);
                }
            }
            Act::Sync(path) => {
                if let Some(node) = self.find(path)
                    && let Node::File { bytes, safe } = &mut self.nodes[node]
                {
                    *safe = bytes.len();
                }
            }
            Act::SyncFolder(path) => {
                if let Some(node) = self.find(path)
                    && let Node::Folder { names, safe, changes } = &mut self.nodes[node]
                {
                    safe.clone_from(names);
                    changes.clear();
                }
            }
        }
    }

    fn write_down(&self, node: usize, to: &Path, loss: &mut Lots) {
        match &self.nodes[node] {
            Node::File { bytes, safe } => fs::write(to, loss.bytes(bytes, *safe)).unwrap(),
            Node::Folder { safe, changes, .. } => {
                if !to.is_dir() {
                    fs::create_dir(to).unwrap();
                }
                let mut names = safe.clone();
                changes.iter().filter(|_| loss.is_named()).for_each(|change| change.apply(&mut names));
                for (name, node) in names {
                    self.write_down(node, &to.join(name), loss);
                }
            }
        }
    }
}

/// How a loss falls.
struct Lots {
    loss: Loss,
    dice: Dice,
}

impl Lots {
    fn is_named(&mut self) -> bool {
        match self.loss {
            Loss::Nothing | Loss::Bytes => true,
            Loss::All => false,
            Loss::ByLot(_) => self.dice.below(2) == 0,
        }
    }

    fn bytes(&mut self, bytes: &[u8], safe: usize) -> Vec<u8> {
        let rest = bytes.len() - safe;
        let kept = match self.loss {
            Loss::Nothing => rest,
            Loss::All | Loss::Bytes => 0,
            Loss::ByLot(_) => match self.dice.below(4) {
                0 => rest,
                1 => 0,
                _ => self.dice.below(rest as u64 + 1) as usize,
            },
        };
        let mut left = bytes[..safe + kept].to_vec();
        // The length may be there before the bytes.
        if matches!(self.loss, Loss::ByLot(_)) && self.dice.below(3) == 0 {
            left.resize(bytes.len(), 0);
        }
        left
    }
}

/// Makes in `top` what is left of a disk after these acts and a loss.
pub fn leave(acts: &[Act], loss: Loss, top: &Path) {
    let mut disk = Disk { nodes: vec![folder()] };
    acts.iter().for_each(|act| disk.act(act));
    let dice = Dice(if let Loss::ByLot(seed) = loss { seed } else { 0 });
    disk.write_down(0, top, &mut Lots { loss, dice });
}
