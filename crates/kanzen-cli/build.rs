//! Passes build information to the program: the commit, the checkout, the target and the features.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=KANZEN_COMMIT");
    println!("cargo:rustc-env=KANZEN_COMMIT={}", commit().unwrap_or_else(|| "not known".to_owned()));
    println!("cargo:rustc-env=KANZEN_CHECKOUT={}", checkout());
    println!("cargo:rustc-env=KANZEN_TARGET={}", std::env::var("TARGET").unwrap_or_default());
    let features = ["games", "serve", "cluster", "dataframes"];
    let chosen = |name: &&str| std::env::var_os(format!("CARGO_FEATURE_{}", name.to_uppercase())).is_some();
    let chosen: Vec<&str> = features.into_iter().filter(chosen).collect();
    println!("cargo:rustc-env=KANZEN_FEATURES={}", chosen.join(", "));
}

/// Returns the commit: from the environment (a release sets it), from a published archive, or from the checkout. A
/// development build leaves it out: each commit would rebuild the command.
fn commit() -> Option<String> {
    if let Some(named) = std::env::var("KANZEN_COMMIT").ok().filter(|named| !named.is_empty()) {
        return Some(named);
    }
    let published = Path::new(".cargo_vcs_info.json");
    if published.exists() {
        let info = std::fs::read_to_string(published).ok()?;
        return info.split('"').find(|word| word.len() == 40).map(str::to_owned);
    }
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "debug") {
        return Some("not recorded in a development build".to_owned());
    }
    // A new commit changes one of these.
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).exists()) {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    // Not of a repository that the sources happen to lie in.
    git(&["ls-files", "--error-unmatch", "build.rs"]).and_then(|_| git(&["rev-parse", "HEAD"]))
}

/// The checkout that this is built from, for `kanzen new`; none in a release, which names no folder of its machine.
fn checkout() -> String {
    let package = std::env::var("CARGO_MANIFEST_DIR").ok().filter(|_| std::env::var_os("KANZEN_COMMIT").is_none());
    package.map_or(String::new(), |package| format!("{package}/../.."))
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}
