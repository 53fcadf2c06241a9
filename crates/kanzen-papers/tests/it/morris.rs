//! The recorded solves of nine, eleven and twelve men's morris agree with published results and with each other.

use std::collections::BTreeMap;
use std::path::Path;

use kanzen_games::morris::Morris;
use kanzen_papers::morris::Placements;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The columns of the recorded table after the class: positions, wins, losses, draws, longest win and longest loss.
fn classes(text: &str) -> BTreeMap<&str, [u64; 6]> {
    let rows = text.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    rows.map(|row| {
        let (class, numbers) = row.split_once(',').expect("columns");
        // A class without wins or losses has no longest one.
        let number = |text: &str| if text.is_empty() { 0 } else { text.parse().expect("a number") };
        let numbers: Vec<u64> = numbers.split(',').map(number).collect();
        (class, numbers.try_into().expect("six numbers"))
    })
    .collect()
}

#[test]
fn nine_men_have_the_known_shares_and_the_longest_wins() {
    let text = read("morris-9-classes.csv");
    let classes = classes(&text);
    let [positions, wins, losses, draws, longest_win, longest_loss] = classes["3-3"];
    assert_eq!(wins + losses + draws, positions);
    let per_mille = |part: u64| (part as f64 / positions as f64 * 1000.0).round();
    // Of all placements 82.9 % and 16.9 %, as published (a unit test counts them); up to symmetry the shares are these.
    assert_eq!((per_mille(wins), per_mille(losses)), (829.0, 170.0));
    assert_eq!(longest_win.max(longest_loss), 26);
    let [.., longest_win, longest_loss] = classes["6-6"];
    assert_eq!(longest_win.max(longest_loss), 167);
}

#[test]
fn each_class_has_as_many_positions_as_burnsides_lemma_counts() {
    for men in [7, 9, 11, 12] {
        let text = read(&format!("morris-{men}-classes.csv"));
        let game = Morris::new(men).unwrap();
        let counted =
            Placements::new(&game).all().into_iter().map(|((white, black), count)| (format!("{white}-{black}"), count));
        let recorded = classes(&text).into_iter().map(|(class, row)| (class.to_owned(), row[0]));
        assert_eq!(recorded.collect::<BTreeMap<_, _>>(), counted.collect::<BTreeMap<_, _>>());
    }
}

#[test]
fn eleven_and_twelve_men_have_the_same_moving_classes_and_the_first_player_wins() {
    let (eleven, twelve) = (read("morris-11-classes.csv"), read("morris-12-classes.csv"));
    let (eleven, twelve) = (classes(&eleven), classes(&twelve));
    assert_eq!(eleven.len() + 10, twelve.len(), "12-3 to 12-12");
    assert!(eleven.iter().all(|(class, row)| twelve[class] == *row));
    let json = |file: &str| serde_json::from_str::<serde_json::Value>(&read(file)).unwrap();
    assert_eq!(json("morris-11.json")["output"]["initial"]["value"], "win");
    // Morabaraba, as Gevay and Danner have solved it.
    assert_eq!(json("morris-12.json")["output"]["initial"], json("published.json")["morris-12"]["initial"]);
}
