//! Takes files into the program: those of the page, the schemas, and the reader for browsers if there is one
//! (`scripts/wasm` builds it, and KANZEN_WASM names it).

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    println!("cargo:rerun-if-env-changed=KANZEN_WASM");
    // Without a reader the file is empty, and the program says how to get it.
    let bytes = match env::var_os("KANZEN_WASM").filter(|path| !path.is_empty()) {
        Some(path) => {
            println!("cargo:rerun-if-changed={}", Path::new(&path).display());
            read(Path::new(&path))
        }
        None => Vec::new(),
    };
    write(&out.join("kanzen.wasm"), &bytes);
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
                .expect("a text takes more");
        }
        table += "]\n";
        write(&out.join(folder).with_extension("rs"), table.as_bytes());
    }
}

/// The names of the files of a folder and its folders, with `/` between them.
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

/// FNV-1a: it tells versions of a file apart.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
