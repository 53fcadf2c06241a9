//! The sources of a crate, tests apart, and the module that each is.

use std::path::Path;

use anyhow::{Context, Result};

use super::paths::{Source, read};

/// A source of a crate.
pub struct File {
    /// From the top folder of the checkout: `crates/kanzen/src/solve/job.rs`.
    pub name: String,
    /// Which module of the crate it is: `["solve", "job"]`.
    pub module: Vec<String>,
    pub source: Source,
}

/// All sources in a folder, in the order of their names; those that are there for tests only are left out.
pub fn sources(root: &Path, folder: &str) -> Result<Vec<File>> {
    let mut names = Vec::new();
    list(root, folder, &mut names)?;
    names.sort();
    let mut files = Vec::new();
    for name in names {
        let text = std::fs::read_to_string(root.join(&name)).with_context(|| format!("cannot read {name}"))?;
        let module = module(name[folder.len()..].trim_matches('/'));
        let source = read(&module.iter().map(String::as_str).collect::<Vec<_>>(), &text);
        files.push(File { name, module, source });
    }
    let mut tests: Vec<Vec<String>> = Vec::new();
    for file in &files {
        tests.extend(
            file.source.test_modules.iter().map(|test| [&file.module[..], std::slice::from_ref(test)].concat()),
        );
    }
    files.retain(|file| !tests.iter().any(|test| file.module.starts_with(test)));
    Ok(files)
}

fn list(root: &Path, folder: &str, names: &mut Vec<String>) -> Result<()> {
    for entry in std::fs::read_dir(root.join(folder)).with_context(|| format!("cannot read {folder}"))? {
        let entry = entry?;
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(root, &name, names)?;
        } else if name.ends_with(".rs") {
            names.push(name);
        }
    }
    Ok(())
}

/// `solve/job.rs` and `solve/job/mod.rs` are `solve::job`; `lib.rs` and `main.rs` are the top.
fn module(path: &str) -> Vec<String> {
    let mut module: Vec<String> = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if module.last().is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main")) {
        module.pop();
    }
    module
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_module_that_its_path_says() {
        let name = |path| module(path).join("::");
        assert_eq!(name("solve/job.rs"), "solve::job");
        assert_eq!(name("solve/retrograde/mod.rs"), "solve::retrograde");
        assert_eq!(name("lib.rs"), "");
    }

    #[test]
    fn files_that_are_declared_for_tests_only_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("src/store/damage")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join("src").join(name), text).unwrap();
        write("lib.rs", "mod store;");
        write("store/mod.rs", "#[cfg(test)]\nmod damage;\nmod files;");
        write("store/files.rs", "");
        write("store/damage/mod.rs", "mod more;");
        write("store/damage/more.rs", "use crate::query::x;");
        let names = sources(folder.path(), "src").unwrap().into_iter().map(|file| file.name);
        assert_eq!(Vec::from_iter(names), ["src/lib.rs", "src/store/files.rs", "src/store/mod.rs"]);
    }
}
