//! Finds names of games similar to one that does not exist.

/// The most names to suggest.
const MOST: usize = 4;

/// Names that are like a text: members of the family that it names, or else names within a small edit distance.
pub fn similar(text: &str, names: &[String]) -> Vec<String> {
    let text = text.to_ascii_lowercase();
    let family = text.trim_end_matches('-');
    let members = names.iter().filter(|name| {
        let rest = name.strip_prefix(family).filter(|_| !family.is_empty());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    });
    let members: Vec<String> = members.take(MOST).cloned().collect();
    if !members.is_empty() {
        return members;
    }
    // A slip in three letters is still the same word; in fewer, anything would be.
    let bound = text.chars().count() / 3;
    let distance = |name: &&String| strsim::osa_distance(&text, name);
    let nearest = names.iter().map(|name| distance(&name)).min().unwrap_or(usize::MAX);
    if nearest > bound {
        return Vec::new();
    }
    names.iter().filter(|name| distance(name) == nearest).take(MOST).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_or_a_family_is_understood() {
        let names = ["tictactoe", "nocca-3x2", "nocca-4x2", "othello-6x6", "ostle"].map(str::to_owned);
        let meant = |text: &str| similar(text, &names).join(" ");
        assert_eq!(meant("tictacto"), "tictactoe");
        assert_eq!(meant("TicTacToe"), "tictactoe");
        assert_eq!(meant("othelo-6x6"), "othello-6x6");
        assert_eq!(meant("otsle"), "ostle");
        assert_eq!(meant("nocca"), "nocca-3x2 nocca-4x2");
        assert_eq!(meant("noca-3x2"), "nocca-3x2");
        for strange in ["chess", "", "-", "x", "../../etc"] {
            assert_eq!(meant(strange), "", "{strange}");
        }
    }
}
