//! Embeds the WebAssembly reader into the program if KANZEN_WASM names its file. `scripts/wasm` builds it.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-env-changed=KANZEN_WASM");
    let to = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("kanzen.wasm");
    // Otherwise the file is empty, and `kanzen site` explains how to build it.
    let bytes = match env::var_os("KANZEN_WASM").filter(|path| !path.is_empty()) {
        Some(path) => {
            println!("cargo:rerun-if-changed={}", PathBuf::from(&path).display());
            fs::read(&path).unwrap_or_else(|error| panic!("KANZEN_WASM: {}: {error}", PathBuf::from(&path).display()))
        }
        None => Vec::new(),
    };
    fs::write(&to, bytes).unwrap_or_else(|error| panic!("{}: {error}", to.display()));
}
