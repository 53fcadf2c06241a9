//! Replaces the paths of this machine by names: records are published.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

/// Paths and the names that stand for them.
pub struct Names(Vec<(String, &'static str)>);

impl Names {
    /// The checkout, the data folder of this command, the user's home and the folder for temporary files.
    pub fn of(root: &Path, command: &[&str]) -> Names {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let data =
            data_option(command).map(PathBuf::from).or_else(|| std::env::var_os("KANZEN_DATA").map(PathBuf::from));
        let named =
            [(data, "DATA"), (Some(root.to_path_buf()), "."), (home, "HOME"), (Some(std::env::temp_dir()), "TMP")];
        let mut paths: Vec<(String, &'static str)> = Vec::new();
        for (path, name) in named.into_iter().filter_map(|(path, name)| Some((path?, name))) {
            let real = root.join(&path).canonicalize().ok();
            let spellings = [Some(path), real].into_iter().flatten().filter(|path| path.is_absolute());
            paths.extend(spellings.map(|path| (path.display().to_string().trim_end_matches('/').to_owned(), name)));
        }
        paths.retain(|(path, _)| path.len() > 1);
        // A folder within another goes first; of two names for one folder the first above wins.
        paths.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        Names(paths)
    }

    /// The text with names for paths; what lies in the checkout is relative to it.
    pub fn hide(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (path, name)| replace(&text, path, name))
    }

    /// The same for every text in a JSON value.
    pub fn hide_in(&self, json: Json) -> Json {
        match json {
            Json::String(text) => Json::String(self.hide(&text)),
            Json::Array(items) => items.into_iter().map(|item| self.hide_in(item)).collect(),
            Json::Object(fields) => {
                fields.into_iter().map(|(key, value)| (self.hide(&key), self.hide_in(value))).collect()
            }
            other => other,
        }
    }

    /// A command as one would type it. A data folder is `DATA`, a path of no name its last part, our own build its name.
    pub fn command(&self, command: &[&str]) -> String {
        let mut words = Vec::new();
        let mut after_data = false;
        for (place, word) in command.iter().enumerate() {
            let hidden = self.hide(word);
            let shown = match hidden.strip_prefix("--data=") {
                _ if after_data => "DATA".to_owned(),
                Some(_) => "--data=DATA".to_owned(),
                None if place == 0 && hidden.starts_with("target/") => last(&hidden),
                None if Path::new(&hidden).is_absolute() && hidden.len() > 1 => last(&hidden),
                None => hidden,
            };
            after_data = *word == "--data";
            words.push(quote(&shown));
        }
        words.join(" ")
    }
}

fn data_option<'a>(command: &[&'a str]) -> Option<&'a str> {
    let joined = command.iter().find_map(|word| word.strip_prefix("--data="));
    joined.or_else(|| command.iter().skip_while(|word| **word != "--data").nth(1).copied())
}

fn last(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// A word as a shell wants it.
fn quote(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./,=:+@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Replaces a path where it stands as a whole: not `/home/me` in `/home/merry` or in `/srv/home/me`.
fn replace(text: &str, path: &str, name: &str) -> String {
    let part = |letter: char| letter.is_alphanumeric() || "-_".contains(letter);
    let mut shown = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(path) {
        let (before, after) = (&rest[..start], &rest[start + path.len()..]);
        shown += before;
        if shown.ends_with(part) || after.starts_with(part) {
            shown += path;
        } else if name == "." && after.starts_with('/') {
            rest = &after[1..];
            continue;
        } else {
            shown += name;
        }
        rest = after;
    }
    shown + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let paths = [("/home/me/kanzen/data", "DATA"), ("/home/me/kanzen", "."), ("/home/me", "HOME")];
        Names(paths.map(|(path, name)| (path.to_owned(), name)).into())
    }

    #[test]
    fn the_innermost_folder_gives_the_name() {
        let text = "/home/me/kanzen/data/nocca.part /home/me/kanzen/results/a.json, /home/me/.cargo (/home/me/kanzen)";
        assert_eq!(names().hide(text), "DATA/nocca.part results/a.json, HOME/.cargo (.)");
    }

    #[test]
    fn only_whole_paths_are_replaced() {
        let text = "/home/merry /srv/home/me /home/me-too";
        assert_eq!(names().hide(text), text);
    }

    #[test]
    fn json_is_searched_to_its_leaves() {
        let json = serde_json::json!({"a": [{"/home/me/x": "at /home/me/kanzen/b"}, 3, null]});
        assert_eq!(names().hide_in(json), serde_json::json!({"a": [{"HOME/x": "at b"}, 3, null]}));
    }

    #[test]
    fn commands_read_as_one_would_type_them() {
        let shown = |words: &[&str]| names().command(words);
        assert_eq!(shown(&["target/release/kanzen", "solve", "nocca-3x4", "--json"]), "kanzen solve nocca-3x4 --json");
        assert_eq!(shown(&["/home/me/kanzen/target/release/kanzen", "games"]), "kanzen games");
        assert_eq!(shown(&["kanzen", "--data", "somewhere", "--data=else"]), "kanzen --data DATA --data=DATA");
        assert_eq!(shown(&["/opt/bin/kanzen", "probe", "stones-7", ""]), "kanzen probe stones-7 ''");
        assert_eq!(shown(&["kanzen", "probe", "nocca-3x2", "b,b/.,./w,w w"]), "kanzen probe nocca-3x2 'b,b/.,./w,w w'");
    }

    #[test]
    fn the_data_folder_is_found_in_the_command() {
        assert_eq!(data_option(&["kanzen", "--data", "/d"]), Some("/d"));
        assert_eq!(data_option(&["kanzen", "--data=/e"]), Some("/e"));
        assert_eq!(data_option(&["kanzen", "--data"]), None);
        let names = Names::of(Path::new("/nowhere/kanzen"), &["kanzen", "--data", "/some/folder"]);
        assert_eq!(names.hide("/some/folder/x /nowhere/kanzen/y"), "DATA/x y");
    }
}
