//! Handlers that scan a whole database: paged queries and puzzles, with bounded work per request.

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::response::Response;
use kanzen::Budget;
use kanzen::catalogue::Rows;
use kanzen::progress::{Event, Observer};
use kanzen_core::Deadline;
use kanzen_query::Find;
use kanzen_query::find::{Cell, Kind, Row};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::admission::WorkClass;
use crate::api::{REVALIDATED, json_bytes, sent_json};
use crate::client::{AtDeadline, Client};
use crate::params::{GamePath, Params};
use crate::refusal::Refusal;

/// Default and maximum number of rows per page.
const ROWS: u64 = 20;
const MOST_ROWS: u64 = 1000;
/// Time limit of a scan. It then returns the rows found so far and a cursor to resume from.
const SCAN_TIME: Duration = Duration::from_secs(2);

/// Parameters of `find`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindParameters {
    #[serde(rename = "where", default)]
    condition: String,
    columns: Option<String>,
    limit: Option<u64>,
    cursor: Option<String>,
}

/// Parameters of `puzzle`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleParameters {
    #[serde(default)]
    seed: u64,
}

/// Stops a scan at a time limit of its own, or at the deadline of its request.
struct SearchLimit<'a>(Instant, &'a Deadline);

impl Observer for SearchLimit<'_> {
    fn event(&self, _: Event<'_>) {}

    fn stop(&self) -> bool {
        Instant::now() >= self.0 || AtDeadline(self.1).stop()
    }
}

/// `GET /api/GAME/find`: returns positions that match a condition, one page at a time.
pub async fn find(
    client: Client,
    GamePath(game): GamePath,
    Params(params): Params<FindParameters>,
) -> Result<Response, Refusal> {
    let answer = client.work(WorkClass::Long, move |app, deadline| {
        let after = params.cursor.map(|text| text.parse()).transpose().map_err(|error| app.refusal(error))?;
        let limit = params.limit.unwrap_or(ROWS);
        if !(1..=MOST_ROWS).contains(&limit) {
            return Err(Refusal::bad(format!("limit is {limit}, expected 1 to {MOST_ROWS}")));
        }
        let find = Find {
            condition: params.condition,
            columns: params.columns,
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
        // One thread: a full scan must not delay other requests.
        let budget = Budget { threads: 1, ..app.options.budget };
        let limit = SearchLimit(Instant::now() + SCAN_TIME, deadline);
        let found = open.solved.find(&find, &budget, &limit, &mut Rows { heading: &mut heading, row: &mut row });
        let report = found.map_err(|error| app.failed(&game, error))?;
        let rows: Vec<Json> = rows.iter().map(|row| object(&names, row)).collect();
        let next = report.next.map(|cursor| cursor.to_string());
        json_bytes(&json!({ "game": report.game, "where": report.condition, "rows": rows, "cursor": next }))
    });
    Ok(sent_json(REVALIDATED, answer.await?))
}

fn object(names: &[String], row: &Row) -> Json {
    let cell = |cell: &Cell| serde_json::to_value(cell).unwrap_or(Json::Null);
    Json::Object(names.iter().cloned().zip(row.cells.iter().map(cell)).collect::<Map<_, _>>())
}

/// `GET /api/GAME/puzzle`: returns a position with exactly one right move at each turn.
pub async fn puzzle(
    client: Client,
    GamePath(game): GamePath,
    Params(params): Params<PuzzleParameters>,
) -> Result<Response, Refusal> {
    let answer = client.work(WorkClass::Long, move |app, deadline| {
        let found = app.solved(&game)?.solved.puzzles(1, params.seed, &AtDeadline(deadline));
        match found.map_err(|error| app.stopped(&game, error, deadline))?.first() {
            Some(puzzle) => json_bytes(puzzle),
            None => {
                Err(Refusal::new(StatusCode::NOT_FOUND, format!("{game} has no puzzle for the seed {}", params.seed)))
            }
        }
    });
    Ok(sent_json(REVALIDATED, answer.await?))
}
