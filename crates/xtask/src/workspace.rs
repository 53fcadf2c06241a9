//! Finds the checkout and reads `cargo metadata`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value as Json;

/// The top folder of the checkout.
pub fn root() -> Result<PathBuf> {
    // `cargo run` and `cargo test` name the folder of this package; without cargo it is where the package was built.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let root = Path::new(&package).ancestors().nth(2).context("the package is not in crates/xtask")?;
    ensure!(root.join("Cargo.lock").is_file(), "there is no Cargo.lock in {}", root.display());
    Ok(root.to_path_buf())
}

/// The packages that `cargo metadata` lists: all of them, or with `--no-deps` those of the workspace.
pub fn packages(root: &Path, options: &[&str]) -> Result<Vec<Json>> {
    match metadata(root, options)?["packages"].take() {
        Json::Array(packages) => Ok(packages),
        _ => anyhow::bail!("cargo metadata lists no packages"),
    }
}

/// What releases have beyond the default features.
const RELEASED: [&str; 2] = ["--features", "kanzen-cli/dataframes"];

/// The output of `cargo metadata`, with the features of a release.
pub fn metadata(root: &Path, options: &[&str]) -> Result<Json> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked"])
        .args(RELEASED)
        .args(options)
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata failed: {}", output.status);
    Ok(serde_json::from_slice(&output.stdout)?)
}
