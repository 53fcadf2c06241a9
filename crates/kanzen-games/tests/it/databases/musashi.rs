//! Sixteen Musashi on 25 points equals the published table.

use kanzen::progress::Silent;
use kanzen::{Outcome, Value};
use kanzen_games::catalogue;
use kanzen_query::Extent;

use super::solve::{BUDGET, solve};

#[test]
fn twenty_five_points_equal_the_published_table() {
    let data = tempfile::tempdir().unwrap();
    let entry = catalogue::find("musashi-25").unwrap();
    let report = solve(&entry, data.path());
    assert_eq!((report.positions, report.draws), (104_940_576, 0));
    assert_eq!((report.initial.value, report.initial.distance), (Outcome::Win, Some(31)));
    let solved = entry.open(data.path()).unwrap();
    let table = include_str!("../../data/musashi_25.csv");
    let published: Vec<&str> = table.lines().filter(|line| !line.starts_with('#')).collect();
    let csv = solved.csv(&Silent).unwrap();
    assert_eq!(csv.lines().collect::<Vec<_>>(), published);

    let stats = solved.stats().unwrap();
    let brown_to_move = stats.classes.iter().filter(|class| class.class["to_move"] == "brown");
    let longest = brown_to_move.filter_map(|class| {
        let bar = class.histogram.iter().find(|bar| bar.distance == 37)?;
        Some((class.class["brown"].as_u64().unwrap(), bar.wins))
    });
    assert_eq!(longest.collect::<Vec<_>>(), [(5, 31)]);
    assert!(stats.histogram.iter().all(|bar| bar.distance <= 38));

    let longest = solved.longest_games(3, &Silent).unwrap();
    let (wins, losses) = (longest.wins.unwrap(), longest.losses.unwrap());
    assert_eq!((wins.distance, wins.examples.len(), losses.distance, losses.examples.len()), (37, 3, 38, 3));

    let verified = solved.verify(Extent::Sample(500), &BUDGET, &Silent).unwrap();
    assert_eq!((verified.checked + verified.derived, verified.mismatches), (500, 0));
    assert!(verified.passed && verified.checked > 200 && verified.derived > 200);
    let line = solved.at(None).unwrap().line().unwrap();
    assert_eq!((line.value, line.line.len()), (Outcome::Win, 31));
    assert_eq!(Value::loss(0).distance(), line.line.last().unwrap().distance);
}
