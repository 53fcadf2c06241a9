//! Modifies any part of a manifest and recomputes its checksum.

use serde_json::{Map, Value as Json, json};
use xxhash_rust::xxh3::xxh3_64;

use super::dice::Dice;

/// The fields of a sealed text, without its checksum.
pub fn opened(bytes: &[u8]) -> Json {
    let mut fields: Map<String, Json> = serde_json::from_slice(bytes).expect("a sound manifest");
    fields.shift_remove("checksum");
    Json::Object(fields)
}

/// The text with a valid checksum.
pub fn sealed(manifest: &Json) -> Vec<u8> {
    let mut fields = manifest.as_object().cloned().unwrap_or_default();
    fields.insert("checksum".into(), json!(""));
    sealed_text(&format!("{}\n", serde_json::to_string_pretty(&fields).unwrap()))
}

/// Like [`sealed`], for a text that need not be JSON before its end.
pub fn sealed_text(text: &str) -> Vec<u8> {
    const END: &str = "\"\n}\n";
    let checksum = format!("{:016x}", xxh3_64(text.as_bytes()));
    format!("{}{checksum}{END}", text.strip_suffix(END).unwrap_or(text)).into_bytes()
}

/// Updates the manifest's checksums of a file: of the whole and of its ends. Leaves out further hashes, like databases
/// of earlier versions.
pub fn vouch(manifest: &mut Json, name: &str, bytes: u64, checksum: u64, ends: Option<u64>) {
    let files = manifest["files"].as_array_mut().expect("a list of files");
    if let Some(file) = files.iter_mut().find(|file| file["name"] == name) {
        file["bytes"] = json!(bytes);
        file["checksum"] = json!(format!("{checksum:016x}"));
        let fields = file.as_object_mut().expect("a file is an object");
        fields.retain(|name, _| ["name", "bytes", "checksum"].contains(&name.as_str()));
        fields.extend(ends.map(|ends| ("ends".to_owned(), json!(format!("{ends:016x}")))));
    }
}

/// Changes one random value below this one.
pub fn change(json: &mut Json, dice: &mut Dice) {
    let inside = match json {
        Json::Array(list) => list.len(),
        Json::Object(fields) => fields.len(),
        _ => 0,
    };
    if inside > 0 && !dice.one_in(6) {
        let at = dice.below(inside);
        match json {
            Json::Array(list) => change(&mut list[at], dice),
            Json::Object(fields) => change(fields.values_mut().nth(at).expect("there are as many"), dice),
            _ => {}
        }
        return;
    }
    match json {
        Json::Array(list) => change_list(list, dice),
        Json::Object(fields) => change_fields(fields, dice),
        Json::Number(number) if !dice.one_in(4) => {
            let old = number.as_u64().or(number.as_i64().map(|n| n as u64)).unwrap_or(0);
            *json = if dice.one_in(3) { json!(dice.other(old) as i64) } else { json!(dice.other(old)) };
        }
        Json::String(text) if !dice.one_in(4) => *text = other_text(text, dice),
        _ => *json = any_value(dice),
    }
}

fn change_list(list: &mut Vec<Json>, dice: &mut Dice) {
    let at = dice.below(list.len());
    match dice.below(6) {
        0 if !list.is_empty() => drop(list.remove(at)),
        1 if !list.is_empty() => list.push(list[at].clone()),
        2 if !list.is_empty() => list.swap(0, at),
        3 => list.clear(),
        4 => list.truncate(at),
        _ => list.insert(at, any_value(dice)),
    }
}

fn change_fields(fields: &mut Map<String, Json>, dice: &mut Dice) {
    let name = fields.keys().nth(dice.below(fields.len())).cloned().unwrap_or_default();
    match dice.below(4) {
        0 => drop(fields.shift_remove(&name)),
        1 => {
            let value = fields.shift_remove(&name).unwrap_or(Json::Null);
            fields.insert(other_text(&name, dice), value);
        }
        2 => fields.clear(),
        _ => drop(fields.insert(other_text(&name, dice), any_value(dice))),
    }
}

fn any_value(dice: &mut Dice) -> Json {
    match dice.below(8) {
        0 => Json::Null,
        1 => json!(dice.one_in(2)),
        2 => json!(dice.other(0)),
        3 => json!(-(dice.below(100_000) as i64)),
        4 => json!(1e300),
        5 => json!([[1, 2], {"white": 3}]),
        6 => json!({"white": {}, "": []}),
        _ => json!(other_text("class", dice)),
    }
}

fn other_text(old: &str, dice: &mut Dice) -> String {
    let long = "x".repeat(dice.below(1 << 16));
    let signs = "a\u{1b}[31m\nb\u{7}\u{202e}";
    let texts = ["", "../../etc/passwd", "/dev/zero", ".", "manifest.json", "lock", "a b", signs, "0", long.as_str()];
    match dice.below(3) {
        0 => format!("{old}{}", dice.pick(&["x", "0", " ", "\u{0}"])),
        1 => old.chars().rev().collect(),
        _ => (*dice.pick(&texts)).to_owned(),
    }
}
