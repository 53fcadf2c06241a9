//! Measures the look-ups of a static site: bytes, requests and round trips of the initial position and of each further
//! position during play.
//!
//!     cargo run --release -p kanzen-wasm --example look-ups -- DATA GAME [GAMES]
//!
//! Plays GAMES random games (seeded) from the initial position, where half of the moves are best moves. Each game starts
//! with an empty cache. The last line is JSON.

use std::io;
use std::path::PathBuf;

use kanzen::catalogue::{Catalogue, write_pack};
use kanzen_games::catalogue::Games;
use kanzen_wasm::fetching::{Cost, Fetcher};
use serde_json::{Value as Json, json};

/// Plies per game.
const PLIES: usize = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [data, id, rest @ ..] = &words[..] else { return Err("usage: look-ups DATA GAME [GAMES]".into()) };
    let games: u64 = rest.first().map_or(Ok(20), |count| count.parse())?;
    let (data, entry) = (PathBuf::from(data), Games.find(id)?);
    let place = tempfile::tempdir()?;
    let pack = place.path().join("open.pack");
    write_pack(&entry, &data, &pack)?;
    let pack = std::fs::read(pack)?;
    let (mut first, mut further) = (Cost::default(), Vec::new());
    for game in 0..games {
        let mut fetcher = Fetcher::new(data.join(id), pack.clone());
        let mut random = game.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut at = probe(&mut fetcher, id, None)?;
        first = fetcher.cost;
        for _ in 0..PLIES {
            let moves = at["moves"].as_array().map_or(&[][..], Vec::as_slice);
            if moves.is_empty() {
                break;
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let chosen = if random >> 63 == 1 { 0 } else { (random >> 33) as usize % moves.len() };
            let position = moves[chosen]["position"].as_str().map(str::to_owned);
            let before = fetcher.cost;
            at = probe(&mut fetcher, id, position.as_deref())?;
            further.push(Cost {
                bytes: fetcher.cost.bytes - before.bytes,
                requests: fetcher.cost.requests - before.requests,
                ranges: fetcher.cost.ranges - before.ranges,
                waves: fetcher.cost.waves - before.waves,
            });
        }
    }
    let summary = |of: fn(&Cost) -> u64| {
        let mut all: Vec<u64> = further.iter().map(of).collect();
        all.sort_unstable();
        let at = |share: usize| all.get(all.len() * share / 100).or(all.last()).copied().unwrap_or(0);
        json!({ "median": at(50), "p90": at(90), "most": all.last().copied().unwrap_or(0) })
    };
    println!(
        "{}",
        json!({
            "game": id,
            "pack_bytes": pack.len(),
            "first": { "bytes": first.bytes, "requests": first.requests, "waves": first.waves },
            "further": {
                "probes": further.len(),
                "bytes": summary(|cost| cost.bytes),
                "requests": summary(|cost| cost.requests),
                "ranges": summary(|cost| cost.ranges),
                "waves": summary(|cost| cost.waves),
            },
        })
    );
    Ok(())
}

fn probe(fetcher: &mut Fetcher, id: &str, position: Option<&str>) -> io::Result<Json> {
    fetcher.probe(id, position)?.map_err(|(status, text)| io::Error::other(format!("{status}: {text}")))
}
