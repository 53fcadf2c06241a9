//! Questions to whole databases over HTTP: a page of rows at a time, and no more work than a visitor may ask for.

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::response::Response;
use kanzen::catalogue::Rows;
use kanzen::progress::{Event, Observer};
use kanzen::query::Find;
use kanzen::query::find::{Cell, Kind, Row};
use kanzen::{Budget, Deadline};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::api::{json_bytes, sent_json};
use crate::asked::{Asked, Named};
use crate::lanes::Lane;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

/// Rows of a page, unless the question says how many; and the most there are.
const ROWS: u64 = 20;
const MOST_ROWS: u64 = 1000;
/// How long a question may look before it gives what it has, and from where to go on.
const LOOKING: Duration = Duration::from_secs(2);
const AN_HOUR: &str = "public, max-age=3600";

/// What `find` takes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindParameters {
    #[serde(rename = "where", default)]
    condition: String,
    columns: Option<String>,
    limit: Option<u64>,
    cursor: Option<String>,
}

/// What `puzzle` takes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleParameters {
    #[serde(default)]
    seed: u64,
}

/// Asks to stop when the time is over, or the visitor has left.
struct SearchLimit<'a>(Instant, &'a Deadline);

impl Observer for SearchLimit<'_> {
    fn event(&self, _: Event<'_>) {}

    fn stop(&self) -> bool {
        Instant::now() >= self.0 || self.1.stop()
    }
}

/// `GET /api/GAME/find`: positions that fulfil a condition, a page at a time.
pub async fn find(
    visitor: Visitor,
    Named(game): Named,
    Asked(asked): Asked<FindParameters>,
) -> Result<Response, Refusal> {
    let answer = visitor.work(Lane::Long, move |app, deadline| {
        let after = asked.cursor.map(|text| text.parse()).transpose().map_err(|error| app.refusal(error))?;
        let limit = asked.limit.unwrap_or(ROWS);
        if !(1..=MOST_ROWS).contains(&limit) {
            return Err(Refusal::bad(format!("limit is {limit}, expected 1 to {MOST_ROWS}")));
        }
        let find = Find {
            condition: asked.condition,
            columns: asked.columns,
            limit: Some(limit),
            after,
            // The deadline bounds the work, not a forecast.
            all: true,
            ..Find::default()
        };
        let open = app.solved(&game)?;
        let mut names = Vec::new();
        let mut rows = Vec::new();
        let mut heading = |columns: &[(String, Kind)]| {
            names = columns.iter().map(|(name, _)| name.clone()).collect();
            Ok(())
        };
        let mut row = |row: Row| {
            rows.push(row);
            Ok(())
        };
        // One thread: a question to everything must not keep others from their answers.
        let budget = Budget { threads: 1, ..app.options.budget };
        let limit = SearchLimit(Instant::now() + LOOKING, deadline);
        let found = open.solved.find(&find, &budget, &limit, &mut Rows { heading: &mut heading, row: &mut row });
        let report = found.map_err(|error| app.failed(&game, error))?;
        let rows: Vec<Json> = rows.iter().map(|row| object(&names, row)).collect();
        let next = report.next.map(|cursor| cursor.to_string());
        json_bytes(&json!({ "game": report.game, "where": report.condition, "rows": rows, "cursor": next }))
    });
    Ok(sent_json(AN_HOUR, answer.await?))
}

fn object(names: &[String], row: &Row) -> Json {
    let cell = |cell: &Cell| serde_json::to_value(cell).unwrap_or(Json::Null);
    Json::Object(names.iter().cloned().zip(row.cells.iter().map(cell)).collect::<Map<_, _>>())
}

/// `GET /api/GAME/puzzle`: a position with one right move at each turn.
pub async fn puzzle(
    visitor: Visitor,
    Named(game): Named,
    Asked(asked): Asked<PuzzleParameters>,
) -> Result<Response, Refusal> {
    let answer = visitor.work(Lane::Long, move |app, _| {
        let found = app.solved(&game)?.solved.puzzles(1, asked.seed).map_err(|error| app.failed(&game, error))?;
        match found.first() {
            Some(puzzle) => json_bytes(puzzle),
            None => {
                Err(Refusal::new(StatusCode::NOT_FOUND, format!("{game} has no puzzle for the seed {}", asked.seed)))
            }
        }
    });
    Ok(sent_json(AN_HOUR, answer.await?))
}
