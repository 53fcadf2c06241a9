//! The kinds of forgeries, from a changed byte to a changed folder.

use serde_json::json;

use super::block_file::{Block, Lies, SHORTEST, packed};
use super::contents::{Exceptions, Keys, Plane};
use super::dice::Dice;
use super::forgery::{Forgery, Instead, MANIFEST};
use super::manifest;

/// A kind of forgery; `false` if the database has nothing of the sort.
type Kind = fn(&mut Forgery<'_>, &mut Dice) -> bool;

/// All kinds, by name.
pub const KINDS: [(&str, Kind); 17] = [
    ("values", values),
    ("palette", palette),
    ("plane head", plane_head),
    ("keys", keys),
    ("keys directory", keys_directory),
    ("exceptions", exceptions),
    ("occurrences", occurrences),
    ("block bytes", block_bytes),
    ("block frames", block_frames),
    ("bomb", bomb),
    ("blocks moved", blocks_moved),
    ("index", index),
    ("header", header),
    ("manifest", manifest_value),
    ("manifest text", manifest_text),
    ("settings", settings),
    ("folder", folder),
];

/// Other valid values in some slots: only the rules can detect it.
fn values(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let Some(name) = forgery.some_file(".plane", dice) else { return false };
    let mut parts = forgery.parts(&name);
    let mut plane = Plane::of(&parts);
    let (slots, colours) = (plane.indices.len(), plane.palette.len());
    if slots == 0 {
        return false;
    }
    match dice.below(3) {
        0 => plane.indices.fill(dice.below(colours) as u16),
        1 => plane.indices.rotate_left(1 + dice.below(slots - 1)),
        _ => (0..1 + dice.below(8)).for_each(|_| plane.indices[dice.below(slots)] = dice.below(colours) as u16),
    }
    plane.put(&mut parts);
    forgery.put(&name, &parts, &Lies::default());
    true
}

/// Other values, or none, in the palette.
fn palette(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let Some(name) = forgery.some_file(".plane", dice) else { return false };
    let mut parts = forgery.parts(&name);
    let mut plane = Plane::of(&parts);
    let at = dice.below(plane.palette.len());
    match dice.below(7) {
        0 => plane.palette.truncate(at),
        1 => plane.palette[at] = dice.any() as i16,
        2 => plane.palette[at] = *dice.pick(&[i16::MIN, -2, -1, 0, 1, 2, 766, 767, i16::MAX]),
        3 => plane.palette.reverse(),
        4 => plane.palette.iter_mut().for_each(|code| *code = code.saturating_add(2)),
        5 => plane.palette = (0..dice.below(70_000)).map(|n| (n as i32 - 32_767) as i16).collect(),
        _ => (0..dice.below(4)).for_each(|_| plane.palette.push(dice.any() as i16)),
    }
    if dice.one_in(2) {
        plane.palette.sort_unstable();
        plane.palette.dedup();
    }
    plane.put(&mut parts);
    forgery.put(&name, &parts, &Lies::default());
    true
}

/// Another number of slots, slots per block or bytes per page; the blocks as they are, or cut to fit.
fn plane_head(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let Some(name) = forgery.some_file(".plane", dice) else { return false };
    let mut parts = forgery.parts(&name);
    let mut plane = Plane::of(&parts);
    match dice.below(4) {
        0 => plane.slots = dice.other(plane.slots),
        1 => plane.entries = dice.other(plane.entries),
        2 => plane.page = dice.other(plane.page),
        _ => {
            let length = dice.below(2 * plane.indices.len() + 2);
            plane.indices.resize(length, 0);
            plane.slots = plane.indices.len() as u64;
        }
    }
    if dice.one_in(2) {
        plane.put(&mut parts);
    } else {
        let last = parts.blocks.len() - 1;
        parts.pack(last, &plane.head(), 1 << 20);
    }
    forgery.put(&name, &parts, &Lies::default());
    true
}

/// Other keys: more, fewer, in another order, or of no position.
fn keys(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let Some(name) = forgery.some_file(".keys", dice) else { return false };
    let mut parts = forgery.parts(&name);
    let mut keys = Keys::of(&parts);
    let at = dice.below(keys.keys.len());
    let limit = u128::MAX >> (128 - 8 * keys.width.clamp(1, 16));
    let any = (u128::from(dice.any()) << 64 | u128::from(dice.any())) & limit;
    match dice.below(5) {
        0 => drop(keys.keys.remove(at)),
        1 => keys.keys[at] = any,
        2 => keys.keys[at] = keys.keys[at].wrapping_add(1) & limit,
        3 => keys.keys.push(any),
        _ => keys.keys.swap(0, at),
    }
    if dice.one_in(2) {
        keys.keys.sort_unstable();
        keys.keys.dedup();
    }
    keys.len = keys.keys.len() as u64;
    let lists = keys.keys.len();
    keys.put(&mut parts);
    forgery.put(&name, &parts, &Lies::default());
    // A careful forger keeps the counts of the class in step.
    if dice.one_in(2) {
        let classes: Vec<String> = forgery.sound.files.keys().filter(|name| name.ends_with(".keys")).cloned().collect();
        let number = classes.iter().position(|other| *other == name).unwrap_or(0);
        forgery.manifest["classes"][number]["slots"] = json!(lists);
    }
    true
}

fn keys_directory(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let Some(name) = forgery.some_file(".keys", dice) else { return false };
    let mut parts = forgery.parts(&name);
    let last = parts.blocks.len() - 1;
    let mut head = parts.unpacked(last);
    match dice.below(4) {
        0 => head.truncate(dice.below(head.len() + 1)),
        1 => head.extend(std::iter::repeat_n(dice.any() as u8, dice.below(64))),
        field => {
            let at = 8 * dice.below(if field == 2 { 3 } else { head.len() / 8 });
            let old = u64::from_le_bytes(head[at..at + 8].try_into().unwrap());
            head[at..at + 8].copy_from_slice(&dice.other(old).to_le_bytes());
        }
    }
    parts.pack(last, &head, 1 << 20);
    forgery.put(&name, &parts, &Lies::default());
    true
}

/// Other levels, cases and exceptions of some boards.
fn exceptions(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let Some(name) = forgery.some_file(".boards", dice) else { return false };
    let mut parts = forgery.parts(&name);
    let mut file = Exceptions::of(&parts);
    let chunk = dice.below(file.chunks.len());
    let slots = file.chunks[chunk][0].len();
    let level = dice.any() as u8;
    match dice.below(3) {
        0 => file.chunks[chunk][0].fill(level),
        1 => file.chunks[chunk][1].iter_mut().filter(|case| **case != 0).for_each(|case| *case = level.max(1)),
        _ => {
            for _ in 0..1 + dice.below(20) {
                let [value, case, then] = [0; 3].map(|_| dice.any() as u8 >> dice.below(8));
                file.set(chunk, dice.below(slots), value, case, then);
            }
        }
    }
    file.put(&mut parts);
    forgery.put(&name, &parts, &Lies::default());
    true
}

/// Wrong occurrence entries of some blocks: a search skips such blocks, or reads them in vain.
pub fn occurrences(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let Some(name) = forgery.some_file(".occurs", dice) else { return false };
    let mut parts = forgery.parts(&name);
    let mut sets = parts.unpacked(0);
    let old = sets.clone();
    match dice.below(3) {
        0 => sets.fill(0),
        1 => sets.fill(u8::MAX),
        _ => {
            for _ in 0..1 + dice.below(4) {
                let at = dice.below(sets.len());
                sets[at] ^= 1 << dice.below(8);
            }
        }
    }
    parts.pack(0, &sets, 1 << 20);
    forgery.put(&name, &parts, &Lies::default());
    sets != old
}

/// Any block with other bytes, more or fewer.
fn block_bytes(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let Some(name) = forgery.some_file("", dice) else { return false };
    let mut parts = forgery.parts(&name);
    let block = dice.below(parts.blocks.len());
    let mut raw = parts.unpacked(block);
    match dice.below(4) {
        0 => raw.truncate(dice.below(raw.len() + 1)),
        1 => raw.extend(std::iter::repeat_n(0, 1 + dice.below(1 << 18))),
        2 => raw.iter_mut().for_each(|byte| *byte = dice.any() as u8),
        _ if raw.is_empty() => raw.push(0),
        _ => {
            for _ in 0..1 + dice.below(4) {
                let at = dice.below(raw.len());
                raw[at] = dice.any() as u8;
            }
        }
    }
    let page = 1 << (1 + dice.below(16));
    parts.pack(block, &raw, page);
    forgery.put(&name, &parts, &Lies::default());
    true
}

/// Frames that are invalid, truncated, superfluous, or decompress to another size than in the index.
fn block_frames(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let Some(name) = forgery.some_file("", dice) else { return false };
    let mut parts = forgery.parts(&name);
    let at = dice.below(parts.blocks.len());
    let Block { compressed, raw } = &mut parts.blocks[at];
    match dice.below(7) {
        0 => *raw = dice.other((*raw).into()) as u32,
        1 => compressed.truncate(dice.below(compressed.len())),
        2 => compressed.extend((0..dice.below(40)).map(|_| dice.any() as u8)),
        3 => *compressed = (0..dice.below(60)).map(|_| dice.any() as u8).collect(),
        4 => {
            // A skippable frame, complete or truncated.
            let mut skipped = 0x184d_2a50u32.to_le_bytes().to_vec();
            skipped.extend((dice.other(4) as u32).to_le_bytes());
            skipped.extend([1, 2, 3, 4]);
            compressed.splice(0..0, skipped);
        }
        5 => {
            let empty = packed(&[], 1).compressed;
            compressed.splice(0..0, empty.repeat(dice.below(2000)));
        }
        _ => {
            let place = dice.below(compressed.len());
            compressed[place] ^= 1 << dice.below(8);
        }
    }
    forgery.put(&name, &parts, &Lies::default());
    true
}

/// A few bytes that decompress to very many.
fn bomb(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let Some(name) = forgery.some_file("", dice) else { return false };
    let mut parts = forgery.parts(&name);
    let length = *dice.pick(&[1 << 20, 32 << 20, 64 << 20, (64 << 20) + 1]);
    let block = packed(&vec![0; length], 1 << 26);
    let at = dice.below(parts.blocks.len());
    match dice.below(3) {
        0 => parts.blocks[at] = block,
        1 => parts.blocks.iter_mut().for_each(|other| *other = block.clone()),
        _ => {
            // A plane or a list whose head claims this length.
            let last = parts.blocks.len() - 1;
            parts.blocks[0] = block;
            let head: Vec<u8> = [length as u64, length as u64, 1 << 26].iter().flat_map(|n| n.to_le_bytes()).collect();
            parts.pack(last, &[head, vec![0; 16]].concat(), 1 << 20);
        }
    }
    forgery.put(&name, &parts, &Lies::default());
    true
}

fn blocks_moved(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let Some(name) = forgery.some_file("", dice) else { return false };
    let mut parts = forgery.parts(&name);
    let (at, other) = (dice.below(parts.blocks.len()), dice.below(parts.blocks.len()));
    match dice.below(5) {
        0 => drop(parts.blocks.remove(at)),
        1 => parts.blocks.push(parts.blocks[at].clone()),
        2 => parts.blocks.swap(at, other),
        3 => parts.blocks.clear(),
        _ => {
            let blocks = parts.blocks.clone();
            (0..dice.below(50)).for_each(|_| parts.blocks.extend(blocks.clone()));
        }
    }
    forgery.put(&name, &parts, &Lies::default());
    true
}

/// An index or a footer with wrong block locations.
fn index(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let Some(name) = forgery.some_file("", dice) else { return false };
    let parts = forgery.parts(&name);
    let length = forgery.sound.files[&name].len() as u64;
    let mut lies = Lies::default();
    match dice.below(4) {
        0 => lies.entry = Some((dice.below(parts.blocks.len()), dice.other(length), dice.any() as u32)),
        1 => lies.entry = Some((dice.below(parts.blocks.len()), 32, dice.other(length) as u32)),
        2 => lies.index_offset = Some(dice.other(length - SHORTEST as u64)),
        _ => lies.blocks = Some(dice.other(parts.blocks.len() as u64)),
    }
    forgery.put(&name, &parts, &lies);
    true
}

fn header(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let Some(name) = forgery.some_file("", dice) else { return false };
    let mut parts = forgery.parts(&name);
    match dice.below(4) {
        0 => parts.format = dice.other(parts.format.into()) as u32,
        1 => parts.kind = *dice.pick(&[*b"plan", *b"keys", *b"ostl", *b"chkp", *b"rond", *b"\x1b[2J"]),
        2 => parts.fingerprint ^= 1 << dice.below(64),
        _ => {
            // A sound file of the same database under another's name.
            let Some(other) = forgery.some_file("", dice) else { return false };
            parts = forgery.parts(&other);
        }
    }
    forgery.put(&name, &parts, &Lies::default());
    true
}

fn manifest_value(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    for _ in 0..1 + dice.below(3) {
        manifest::change(&mut forgery.manifest, dice);
    }
    true
}

/// A manifest that is not JSON, or is far too large.
fn manifest_text(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let deep = |opening: &str, times: usize| opening.repeat(times);
    let many = 1 << dice.below(22);
    let setting = match dice.below(6) {
        0 => deep("[", many.min(1 << 20)),
        1 => deep("{\"a\":", many.min(1 << 19)),
        2 => format!("[{}0]", "0,".repeat(many)),
        3 => format!("\"{}\"", "\\u0041".repeat(many.min(1 << 19))),
        4 => format!("{{{}\"z\":0}}", (0..many.min(1 << 18)).map(|n| format!("\"{n}\":[],")).collect::<String>()),
        _ => "1e999".to_owned(),
    };
    let mut fields = forgery.manifest.clone();
    fields["settings"] = json!("HERE");
    fields["checksum"] = json!("");
    let text = serde_json::to_string_pretty(&fields).unwrap() + "\n";
    forgery.text = Some(manifest::sealed_text(&text.replace("\"HERE\"", &setting)));
    true
}

/// Settings that the engine reads back: the list of classes, a line of best play.
fn settings(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let settings = &mut forgery.manifest["settings"];
    if settings.as_object().is_none_or(|fields| fields.is_empty()) {
        return false;
    }
    if settings["line"].is_array() && dice.one_in(2) {
        settings["score"] = json!(dice.below(60) as i64 - 30);
        let moves = settings["line"].as_array_mut().unwrap();
        let cut = dice.below(moves.len());
        moves.truncate(cut);
        return true;
    }
    manifest::change(settings, dice);
    true
}

/// Another kind of file in place of one, or a missing file.
fn folder(forgery: &mut Forgery<'_>, dice: &mut Dice) -> bool {
    let name = match dice.one_in(2) {
        true => MANIFEST.to_owned(),
        false => forgery.some_file("", dice).unwrap_or(MANIFEST.to_owned()),
    };
    let instead = *dice.pick(&[
        Instead::Nothing,
        Instead::EmptyFile,
        Instead::Folder,
        Instead::Pipe,
        Instead::LinkToZeros,
        Instead::LinkToItself,
        Instead::LinkToTheSoundFile,
        Instead::Holes(8 << 30),
    ]);
    if let Instead::Holes(bytes) = instead {
        manifest::vouch(&mut forgery.manifest, &name, bytes, dice.any(), None);
    }
    if dice.one_in(4) {
        // The manifest does not even list it.
        if let Some(files) = forgery.manifest["files"].as_array_mut() {
            files.retain(|file| file["name"] != name.as_str());
        }
    }
    forgery.instead.push((name, instead));
    true
}
