//! The options that games declare: Ostle's ko rule, and what `count` and `reach` do by a game's own code.

use kanzen::Error;
use kanzen::catalogue::{CountCell, CountTable, Entry, GameOption, Layer, PositionCount, Scope, Variants};
use serde_json::{Map, Value as Json};

use crate::morris::{self, CountReport, Morris};
use crate::ostle::{self, Ko, Ostle};

/// The ko rule.
pub static KO: GameOption = GameOption {
    name: "ko",
    scope: Scope::Variant,
    values: Some(("RULE", &["literal", "symmetric"])),
    help: "What may not come back in Ostle: the very board of two plies before, as the rules are printed, or a mirrored \
           or rotated copy of it either, as in the published tables [default: literal]",
    refusal: ["is a rule of ostle", "has none"],
};

/// The second ZDD of a large morris game.
pub static ZDD: GameOption = GameOption {
    name: "zdd",
    scope: Scope::Count,
    values: None,
    help: "Of morris-N, build the second ZDD also for nine men and more",
    refusal: ["is for morris-N", "has no placements"],
};

/// What is done about forbidden moves of Ostle.
pub static BAN: GameOption = GameOption {
    name: "ban",
    scope: Scope::Reach,
    values: Some(("HOW", &["honoured", "ignored", "both"])),
    help: "Whether a forbidden move of Ostle is left out, or played anyway; one search counts both [default: \
           honoured]",
    refusal: ["is for ostle", "forbids no move"],
};

/// An entry of Ostle with its options.
pub fn of_ostle(entry: Entry, game: Ostle) -> Entry {
    let id = entry.info().id.clone();
    let names = match game.ko() {
        Ko::Literal => vec![("literal", id.clone()), ("symmetric", format!("{id}-symmetric"))],
        Ko::Symmetric => vec![("symmetric", id)],
    };
    entry.with_variants(Variants { option: &KO, names }).with_reach(
        &BAN,
        Box::new(move |depth, given, budget, observer| {
            let reached = ostle::reach(&game, depth, budget, observer)?;
            Ok(layers(given.value(BAN.name).unwrap_or("honoured"), &reached))
        }),
    )
}

fn layers(ban: &str, reached: &ostle::Reached) -> Vec<Layer> {
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

/// An entry of morris, which counts placements.
pub fn of_morris(entry: Entry, men: u32) -> Entry {
    entry.with_count(
        &ZDD,
        Box::new(move |given, budget, observer| {
            let game = Morris::new(men).ok_or_else(|| Error::UnknownGame { id: format!("morris-{men}") })?;
            placements(&morris::count(&game, given.value(ZDD.name).is_some(), budget, observer)?)
        }),
    )
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
