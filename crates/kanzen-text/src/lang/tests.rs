use super::*;

/// The texts of `games/`, by name.
const GAMES: &[(&str, &str)] = &[
    ("tic-tac-toe", include_str!("../../../../games/tic-tac-toe.game")),
    ("teeko", include_str!("../../../../games/teeko.game")),
    ("breakthrough-4x5", include_str!("../../../../games/breakthrough-4x5.game")),
    ("hexapawn", include_str!("../../../../games/hexapawn.game")),
    ("fox-and-hounds", include_str!("../../../../games/fox-and-hounds.game")),
    ("three-mens-morris", include_str!("../../../../games/three-mens-morris.game")),
    ("six-mens-morris", include_str!("../../../../games/six-mens-morris.game")),
    ("animal-shogi", include_str!("../../../../games/animal-shogi.game")),
    ("othello-4x4", include_str!("../../../../games/othello-4x4.game")),
    ("musashi-25", include_str!("../../../../games/musashi-25.game")),
    ("nocca-3x3", include_str!("../../../../games/nocca-3x3.game")),
    ("ostle-3", include_str!("../../../../games/ostle-3.game")),
];

fn shown(text: &str, problems: &[Problem]) -> String {
    problems.iter().map(|problem| problem.show(text)).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_text_of_the_library_is_read() {
    for (name, text) in GAMES {
        if let Err(problems) = parse(text) {
            panic!("{name}\n{}", shown(text, &problems));
        }
    }
}

#[test]
fn the_twelve_texts_are_short() {
    for (name, text) in GAMES {
        let most = if name.contains("morris") || name.contains("shogi") { 20 } else { 15 };
        assert!(text.lines().count() <= most, "{name}");
    }
}
