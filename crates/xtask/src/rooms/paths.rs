//! The paths that a source names: in its `use` lines and, from `crate`, `super` or another crate on, anywhere.
//!
//! Tests are left out: they may look into any room. Paths are absolute, `super` and `self` resolved:
//!
//! ```text
//! in solve/job.rs   use super::{SolveStore, retrograde as engine};   crate solve SolveStore, crate solve retrograde
//!                   crate::machine::pool(2)                          crate machine pool
//! ```

use super::tokens::{Token, tokens};

/// A path that a source names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Counted from 1.
    pub line: usize,
    /// From `crate` or from another crate's name on; `*` at the end for everything in it.
    pub path: Vec<String>,
    /// The name it has afterwards, for a `use`.
    pub renamed: Option<String>,
}

/// What a source says of itself.
#[derive(Default, Debug)]
pub struct Source {
    pub paths: Vec<Named>,
    /// Modules in files of their own that are there for tests only.
    pub test_modules: Vec<String>,
    /// Macros that it defines.
    pub macros: Vec<String>,
}

/// Reads a source that is this module of its crate: `["solve", "job"]`, nothing for the top.
pub fn read(module: &[&str], source: &str) -> Source {
    let module = std::iter::once("crate").chain(module.iter().copied()).map(str::to_owned).collect();
    let mut reader =
        Reader { tokens: tokens(source), next: 0, depth: 0, module, inline: Vec::new(), source: Source::default() };
    while reader.next < reader.tokens.len() {
        reader.step();
    }
    reader.source
}

struct Reader<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
    /// Braces that are open.
    depth: usize,
    /// The path of the module that is being read.
    module: Vec<String>,
    /// For each module within the file, how many braces were open before its own.
    inline: Vec<usize>,
    source: Source,
}

impl<'a> Reader<'a> {
    fn peek(&self, ahead: usize) -> &'a str {
        self.tokens.get(self.next + ahead).map_or("", |token| token.text)
    }

    fn take(&mut self, text: &str) -> bool {
        let taken = self.peek(0) == text;
        self.next += usize::from(taken);
        taken
    }

    fn step(&mut self) {
        match (self.peek(0), self.peek(1), self.peek(2)) {
            ("#", "[", _) => {
                if self.attribute() {
                    self.skip_item();
                }
            }
            ("use", ..) => {
                self.next += 1;
                self.use_tree(Vec::new());
            }
            ("mod", name, "{") => {
                self.inline.push(self.depth);
                self.module.push(name.to_owned());
                self.next += 3;
                self.depth += 1;
            }
            ("macro_rules", "!", name) => {
                self.source.macros.push(name.to_owned());
                self.next += 3;
            }
            ("{", ..) => {
                self.depth += 1;
                self.next += 1;
            }
            ("}", ..) => {
                self.depth = self.depth.saturating_sub(1);
                if self.inline.last() == Some(&self.depth) {
                    self.inline.pop();
                    self.module.pop();
                }
                self.next += 1;
            }
            (word, "::", _) if is_name(word) => self.inline_path(),
            _ => self.next += 1,
        }
    }

    /// Steps over an attribute. Tells whether what follows is there for tests only.
    fn attribute(&mut self) -> bool {
        let start = self.next + 1;
        self.next += 1;
        self.skip_group();
        let words: Vec<&str> = self.tokens[start..self.next].iter().map(|token| token.text).collect();
        matches!(words[..], ["[", "cfg", "(", "test", ")", "]"] | ["[", "cfg", "(", "all", "(", "test", ..])
    }

    /// Steps over brackets of any kind and all that they hold.
    fn skip_group(&mut self) {
        let mut open = 0usize;
        while self.next < self.tokens.len() {
            match self.peek(0) {
                "(" | "[" | "{" => open += 1,
                ")" | "]" | "}" => open = open.saturating_sub(1),
                _ => {}
            }
            self.next += 1;
            if open == 0 {
                return;
            }
        }
    }

    /// Steps over an item that is there for tests only.
    fn skip_item(&mut self) {
        while self.peek(0) == "#" {
            self.attribute();
        }
        let mut use_line = false;
        while self.next < self.tokens.len() {
            match (self.peek(0), self.peek(1), self.peek(2)) {
                (";", ..) => {
                    self.next += 1;
                    return;
                }
                ("mod", name, ";") => {
                    self.source.test_modules.push(name.to_owned());
                    self.next += 1;
                }
                ("use", ..) => {
                    use_line = true;
                    self.next += 1;
                }
                ("{", ..) if !use_line => return self.skip_group(),
                ("(" | "[" | "{", ..) => self.skip_group(),
                ("}" | ")" | ",", ..) => return, // a field or an argument, not an item
                _ => self.next += 1,
            }
        }
    }

    /// A tree of a `use` after its common beginning: `a::{b, c as d, e::*}`.
    fn use_tree(&mut self, mut path: Vec<String>) {
        let line = self.tokens.get(self.next).map_or(0, |token| token.line);
        self.take("::"); // `use ::name` is a crate's name for sure
        loop {
            if self.take("{") {
                while !self.take("}") && self.next < self.tokens.len() {
                    self.use_tree(path.clone());
                    self.take(",");
                }
                return;
            }
            let word = self.peek(0);
            if !is_name(word) && word != "*" {
                self.next += usize::from(word == ";"); // anything else is no `use` of this language: let it be
                return;
            }
            self.next += 1;
            path.push(word.to_owned());
            if !self.take("::") {
                break;
            }
        }
        let renamed = self.take("as").then(|| {
            self.next += 1;
            self.tokens[self.next - 1].text.to_owned()
        });
        self.name(line, path, renamed);
    }

    fn inline_path(&mut self) {
        let line = self.tokens[self.next].line;
        let mut path = vec![self.peek(0).to_owned()];
        self.next += 1;
        while self.peek(0) == "::" && is_name(self.peek(1)) {
            path.push(self.peek(1).to_owned());
            self.next += 2;
        }
        self.name(line, path, None);
    }

    fn name(&mut self, line: usize, path: Vec<String>, renamed: Option<String>) {
        let above = path.iter().take_while(|word| *word == "super").count();
        let path = match path[0].as_str() {
            "super" => self.module[..self.module.len().saturating_sub(above).max(1)]
                .iter()
                .chain(&path[above..])
                .cloned()
                .collect(),
            // `use self::a` and `{self, a}` name the module itself.
            "self" => self.module.iter().chain(&path[1..]).cloned().collect(),
            _ => path,
        };
        let path = path.into_iter().filter(|word| word != "self").collect();
        self.source.paths.push(Named { line, path, renamed });
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(module: &[&str], source: &str) -> Vec<String> {
        let named = read(module, source).paths.into_iter();
        named.map(|named| format!("{} {}", named.line, named.path.join("::"))).collect()
    }

    #[test]
    fn a_tree_names_each_of_its_leaves() {
        let source =
            "use crate::{solve::{self, Job as Work, rounds::*},\n    store};\npub(crate) use serde::Serialize;";
        let expected = [
            "1 crate::solve",
            "1 crate::solve::Job",
            "1 crate::solve::rounds::*",
            "2 crate::store",
            "3 serde::Serialize",
        ];
        assert_eq!(paths(&["query"], source), expected);
    }

    #[test]
    fn what_is_renamed_is_known_by_both_names() {
        let named = read(&[], "pub use rules::{Game as Rules, view};").paths;
        assert_eq!((named[0].path.join("::"), named[0].renamed.as_deref()), ("rules::Game".into(), Some("Rules")));
        assert_eq!((named[1].path.join("::"), named[1].renamed.as_deref()), ("rules::view".into(), None));
    }

    #[test]
    fn super_and_self_lead_to_the_same_place_from_anywhere() {
        let source = "use super::Job;\nuse self::edges::Edges;\nuse super::super::machine;";
        let expected = ["1 crate::solve::Job", "2 crate::solve::retrograde::edges::Edges", "3 crate::machine"];
        assert_eq!(paths(&["solve", "retrograde"], source), expected);
    }

    #[test]
    fn a_module_within_a_file_has_the_file_above_it() {
        let source = "mod pages {\n    use super::Array;\n    fn f() { if x { super::g() } }\n}\nuse super::system;";
        let expected = ["2 crate::machine::memory::Array", "3 crate::machine::memory::g", "5 crate::machine::system"];
        assert_eq!(paths(&["machine", "memory"], source), expected);
    }

    #[test]
    fn paths_within_code_are_found() {
        let source = "fn f() -> crate::solve::Log { let x: Vec<$crate::store::Kind> = kanzen::view::text(); }";
        assert_eq!(paths(&["query"], source), ["1 crate::solve::Log", "1 crate::store::Kind", "1 kanzen::view::text"]);
    }

    #[test]
    fn tests_are_left_out() {
        let source = "#[cfg(test)]\nmod tests { use crate::catalogue::Entry; fn f() { crate::query::g() } }
            #[cfg(test)]\nmod damage;\n#[cfg(test)]\n#[allow(unused)]\npub(crate) use crate::query::{a, b};
            #[cfg(all(test, unix))]\nfn helper() -> [u8; 3] { crate::store::x() }
            #[cfg(not(test))]\nuse crate::machine::pool;";
        let read = read(&["index"], source);
        assert_eq!(read.test_modules, ["damage"]);
        assert_eq!(read.paths.len(), 1);
        assert_eq!(read.paths[0].path.join("::"), "crate::machine::pool");
    }

    #[test]
    fn comments_and_texts_name_nothing() {
        let source = "//! [`Game`](crate::Game)\n/// use crate::store::X;\nconst A: &str = \"crate::query::y\";";
        assert_eq!(paths(&["index"], source), [""; 0]);
    }

    #[test]
    fn macros_are_noted_by_name() {
        assert_eq!(read(&[], "#[macro_export]\nmacro_rules! kernels { () => { crate::f() } }").macros, ["kernels"]);
    }
}
