//! Which names a new game may have.

use kanzen_games::catalogue;

/// Words that Rust keeps for itself, in any edition, and names that Cargo keeps for its own files and crates.
const KEPT: &str = "\
    abstract alloc as async await become box break build const continue core crate deps do dyn else enum \
    examples extern false final fn for gen if impl in incremental let loop macro match mod move mut override \
    priv pub ref return self static std struct super tempfile test trait true try type typeof unsafe unsized \
    use virtual where while yield";

/// Refuses a name that Cargo would not take as a crate, or that is taken.
pub fn check(name: &str) -> anyhow::Result<()> {
    let letters = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    anyhow::ensure!(
        letters && name.starts_with(|c: char| c.is_ascii_lowercase()),
        "no name for a game: {name:?}; expected lower-case letters, digits and dashes, a letter first, such as dodgem-4"
    );
    anyhow::ensure!(!KEPT.split(' ').any(|word| word == name), "no name for a game: {name} is a word of Rust or Cargo");
    anyhow::ensure!(
        name != "kanzen" && !name.starts_with("kanzen-"),
        "no name for a game: {name} is one of Kanzen's own crates, or could become one"
    );
    match catalogue::find(name) {
        Err(kanzen::Error::UnknownGame { .. }) => Ok(()),
        _ => anyhow::bail!("{name} is in the catalogue already, or of a family that is: choose another name"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_crates() {
        for name in ["dodgem", "dodgem-4", "x", "a1-b2"] {
            check(name).unwrap();
        }
        for name in ["", "4-in-a-row", "-x", "Dodgem", "do dgem", "a_b", "../up", "a/b", "完全", "a\n"] {
            assert!(check(name).unwrap_err().to_string().contains("a letter first"), "{name:?}");
        }
        for name in ["while", "fn", "self", "test", "std", "build"] {
            assert!(check(name).unwrap_err().to_string().ends_with("a word of Rust or Cargo"), "{name}");
        }
        for name in ["tictactoe", "stones-21", "stones-x", "ostle", "nocca-9x9"] {
            assert!(check(name).unwrap_err().to_string().contains("in the catalogue already"), "{name}");
        }
        assert!(check("kanzen").is_err() && check("kanzen-cli").is_err());
    }
}
