//! The games of `kanzen-games`, with the counts of the papers as their own `count` and `reach`.

use std::sync::Arc;

use kanzen::Error;
use kanzen::catalogue::{Catalogue, CountCell, CountTable, Entry, GameOption, Layer, PositionCount, Scope};
use kanzen_games::catalogue::{Games, find_morris, ostle_named};
use serde_json::{Map, Value as Json};

use crate::morris::{self, CountReport};
use crate::ostle::{self, Reached};

/// The catalogue of all games: morris counts placements, and Ostle's `reach` knows forbidden moves.
pub struct Papers;

impl Catalogue for Papers {
    fn all(&self) -> Vec<Arc<Entry>> {
        Games.all().into_iter().map(with_counts).collect()
    }

    fn find(&self, id: &str) -> Result<Arc<Entry>, Error> {
        Games.find(id).map(with_counts)
    }

    /// Without building all games for a query about one.
    fn options(&self) -> Vec<&'static GameOption> {
        let mut options = Games.options();
        options.extend([&ZDD, &BAN]);
        options
    }
}

/// The second ZDD of a large morris game.
static ZDD: GameOption = GameOption {
    name: "zdd",
    scope: Scope::Count,
    values: None,
    help: "Of morris-N, build the second ZDD also for nine men and more",
    refusal: ["is for morris-N", "has no placements"],
};

/// What is done about forbidden moves of Ostle.
static BAN: GameOption = GameOption {
    name: "ban",
    scope: Scope::Reach,
    values: Some(("HOW", &["honoured", "ignored", "both"])),
    help: "Whether a forbidden move of Ostle is left out, or played anyway; one search counts both [default: \
           honoured]",
    refusal: ["is for ostle", "forbids no move"],
};

/// Adds the counts of its paper to a new entry.
fn with_counts(entry: Arc<Entry>) -> Arc<Entry> {
    let id = entry.info().id.clone();
    if let Ok(game) = find_morris(&id) {
        return changed(entry, |entry| {
            entry.with_count(
                &ZDD,
                Box::new(move |given, budget, observer| {
                    placements(&morris::count(&game, given.value(ZDD.name).is_some(), budget, observer)?)
                }),
            )
        });
    }
    if let Ok(game) = ostle_named(&id) {
        return changed(entry, |entry| {
            entry.with_reach(
                &BAN,
                Box::new(move |depth, given, budget, observer| {
                    let reached = ostle::reach(&game, depth, budget, observer)?;
                    Ok(layers(given.value(BAN.name).unwrap_or("honoured"), &reached))
                }),
            )
        });
    }
    entry
}

fn changed(entry: Arc<Entry>, change: impl FnOnce(Entry) -> Entry) -> Arc<Entry> {
    Arc::new(change(Arc::into_inner(entry).expect("the catalogue builds a new entry for each request")))
}

fn layers(ban: &str, reached: &Reached) -> Vec<Layer> {
    let (counts, beside) = match ban {
        "ignored" => (&reached.ignored, None),
        "both" => (&reached.honoured, Some(&reached.ignored)),
        _ => (&reached.honoured, None),
    };
    let last = counts.len().max(beside.map_or(0, Vec::len));
    let at = |counts: &Vec<u64>, plies: usize| counts.get(plies).copied().unwrap_or(0);
    (0..last)
        .map(|plies| Layer {
            plies: plies as u32,
            positions: at(counts, plies),
            more: beside.map(|beside| ("ban_ignored".to_owned(), at(beside, plies).into())).into_iter().collect(),
        })
        .collect()
}

fn placements(report: &CountReport) -> Result<PositionCount, Error> {
    let more = match serde_json::to_value(report) {
        Ok(Json::Object(all)) => all.into_iter().filter(|(name, _)| name != "game" && name != "total").collect(),
        _ => Map::new(),
    };
    let text = |text: &str| CountCell::Text(text.to_owned());
    let subsets = report.subsets.iter();
    let subsets =
        subsets.map(|of| vec![CountCell::Text(format!("{}-{}", of.white, of.black)), CountCell::Count(of.placements)]);
    let sizes = vec![
        vec![text("without exclusion"), CountCell::Count(report.total_without_exclusion)],
        vec![text("mirror images apart"), CountCell::Count(report.universe)],
        vec![text("nodes of the first ZDD"), CountCell::Count(report.zdd.first_nodes)],
        vec![
            text("nodes of the second ZDD"),
            report.zdd.second_nodes.map_or_else(|| text("not built: give --zdd"), CountCell::Count),
        ],
    ];
    let differences = report.differences.iter().map(|slip| {
        let cell = CountCell::Text(format!("table {}, {}", slip.table, slip.cell));
        vec![cell, CountCell::Count(slip.printed), CountCell::Count(slip.computed), text(&slip.why)]
    });
    let columns = vec![("printed cell", false), ("printed", true), ("computed", true), ("why", false)];
    let mut tables = vec![
        CountTable { apart: true, columns: vec![("subset", false), ("placements", true)], rows: subsets.collect() },
        CountTable { apart: false, columns: vec![("", false), ("", false)], rows: sizes },
    ];
    if !report.differences.is_empty() {
        tables.push(CountTable { apart: true, columns, rows: differences.collect() });
    }
    let (game, total) = (report.game.clone(), report.total);
    Ok(PositionCount { game, total, more, unit: ["placement", ""], tables })
}
