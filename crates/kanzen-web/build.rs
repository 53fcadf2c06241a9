//! Embeds the files of the page, the JSON Schemas and, if KANZEN_WASM names its file, the WebAssembly reader that
//! `scripts/wasm` builds.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    println!("cargo:rerun-if-env-changed=KANZEN_WASM");
    // Otherwise the file is empty, and `kanzen site` explains how to build it.
    let bytes = match env::var_os("KANZEN_WASM").filter(|path| !path.is_empty()) {
        Some(path) => {
            println!("cargo:rerun-if-changed={}", Path::new(&path).display());
            read(Path::new(&path))
        }
        None => Vec::new(),
    };
    write(&out.join("kanzen.wasm"), &bytes);
    println!("cargo:rerun-if-changed=openapi.json");
    let hash = fnv(&read(Path::new("openapi.json")));
    write(&out.join("openapi.rs"), format!("{hash:#018x}").as_bytes());
    for folder in ["page", "schemas"] {
        println!("cargo:rerun-if-changed={folder}");
        let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join(folder);
        let mut files = Vec::new();
        list(&root, "", &mut files);
        files.sort();
        let mut table = String::from("&[\n");
        for name in files {
            let path = root.join(&name);
            let hash = fnv(&read(&path));
            writeln!(table, "    File {{ name: {name:?}, bytes: include_bytes!({path:?}), hash: {hash:#018x} }},")
                .expect("writing to a string never fails");
        }
        table += "]\n";
        write(&out.join(folder).with_extension("rs"), table.as_bytes());
    }
}

/// Lists the files of a folder recursively, with `/` between the parts of a name.
fn list(folder: &Path, before: &str, files: &mut Vec<String>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("names of the page are plain");
        let name = format!("{before}{name}");
        match path.is_dir() {
            true => list(&path, &format!("{name}/"), files),
            false => files.push(name),
        }
    }
}

/// FNV-1a, for the ETag of a file.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
