//! Renders the data card of a database as Markdown.

use kanzen::catalogue::Card;
use kanzen_core::human_bytes;

use super::{Publication, VERSION, citation, extent};
use crate::words;

/// The whole card.
pub fn markdown(card: &Card, publication: &Publication, program: &str) -> String {
    let mut text = format!("# {}, {}\n\n{}\n\n", card.title, extent(card), purpose(card));
    text += &table(&[
        ("game", format!("`{}`", card.game)),
        ("rules", format!("fingerprint `{}`", card.fingerprint)),
        ("size", format!("{} in {}", human_bytes(card.bytes()), words::counted(card.files.len() as u64, "file"))),
        ("format", format!("{}, read by Kanzen {VERSION}", card.format)),
        ("SHA-256 of the manifest", format!("`{}`", card.sha256())),
    ]);
    text += &format!("\n## Rules\n\n{}\n", card.rules);
    if !card.notation.is_empty() {
        text += &format!("\n{}\n", card.notation);
    }
    text += &format!("\nThe initial position is `{}`.\n", card.initial_position);
    text += &format!("\n## What is known\n\n{}", table(&known(card)));
    text += "\nValues are those of the side to move; a distance is the depth to win in plies: the winner plays the \
             shortest win, the loser the longest defence.\n";
    text += "\n## Files\n\n";
    text += if card.files.iter().all(|file| file.sha256.is_some()) {
        "The manifest holds the SHA-256 of every other file: by its own, all of them are known.\n\n"
    } else {
        "The manifest is older than the digests of its files: another solve writes them.\n\n"
    };
    text += "| file | bytes | SHA-256 |\n|---|---:|---|\n";
    for file in &card.files {
        let digest = file.sha256.as_ref().map_or("not known".to_owned(), |digest| format!("`{digest}`"));
        text += &format!("| `{}` | {} | {digest} |\n", file.name, file.bytes);
    }
    text += "\n## How it was made\n\n";
    text += &match &publication.run {
        Some(run) => table(&run.facts()),
        None => "No record of the solve is kept with the database.\n".to_owned(),
    };
    text += &format!(
        "\n## How to use it\n\n```sh\n{program} data add FILE            # this folder, or an archive of it\n\
         {program} verify {game} --full   # its values against the rules\n{program} probe {game}\n```\n",
        game = card.game
    );
    text += &format!("\n## Citation\n\n{}\n\n## Licence\n\n", citation(card, publication));
    text += &match &publication.licence {
        Some(licence) => format!("{licence}.\n"),
        None => "The publisher of this database chooses the licence.\n".to_owned(),
    };
    text
}

/// In a sentence, what it is for.
fn purpose(card: &Card) -> String {
    match card.weak {
        Some(weak) => format!(
            "The value of the initial position, with a line of best play of {}; other positions are searched for when asked.",
            words::counted(weak.line, "move")
        ),
        None => "For every position: its value (win, loss or draw), its depth to win in plies, and so the best moves."
            .to_owned(),
    }
}

fn known(card: &Card) -> Vec<(&'static str, String)> {
    let initial = card.initial;
    let mut facts = vec![("initial position", words::value(initial.value, initial.distance, initial.score))];
    if card.weak.is_some() {
        return facts;
    }
    facts.push(("positions, up to symmetry", words::count(card.positions)));
    facts.push(("won by the side to move", words::count(card.wins)));
    facts.push(("lost", words::count(card.losses)));
    facts.push(("drawn", words::count(card.draws)));
    if let Some(longest) = card.longest {
        let positions = words::counted(longest.positions, "position");
        facts.push(("longest", format!("{} plies, in {positions}", longest.distance)));
    }
    if let Some(all) = card.all_positions {
        facts.push(("positions, mirror images and colours apart", words::count(all.positions)));
    }
    facts
}

fn table(facts: &[(&str, String)]) -> String {
    let rows: String = facts.iter().map(|(name, fact)| format!("| {name} | {fact} |\n")).collect();
    format!("| | |\n|---|---|\n{rows}")
}
