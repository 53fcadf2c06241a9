//! Questions to whole databases over HTTP: a page of rows at a time, and no more work than a visitor may ask for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Query, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use kanzen::Budget;
use kanzen::catalogue::Rows;
use kanzen::progress::{Event, Observer};
use kanzen::query::Find;
use kanzen::query::find::{Cell, Kind, Row};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};

use crate::api::{Named, json_bytes, sent_json};
use crate::app::App;
use crate::refusal::Refusal;

/// Rows of a page, unless the question says how many; and the most there are.
const ROWS: u64 = 20;
const MOST_ROWS: u64 = 1000;
/// How long a question may look before it gives what it has, and from where to go on.
const PATIENCE: Duration = Duration::from_secs(2);
const AN_HOUR: &str = "public, max-age=3600";

/// Parameters that are all known.
pub struct Known<T>(T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Known<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Known<T>, Refusal> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query.map(|Query(asked)| Known(asked)).map_err(|wrong: QueryRejection| Refusal::bad(wrong.body_text()))
    }
}

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

/// Asks to stop when the time is over.
struct Deadline(Instant);

impl Observer for Deadline {
    fn event(&self, _: Event<'_>) {}

    fn stop(&self) -> bool {
        Instant::now() >= self.0
    }
}

/// `GET /api/GAME/find`: positions that fulfil a condition, a page at a time.
pub async fn find(
    State(app): State<Arc<App>>,
    Named(game): Named,
    Known(asked): Known<FindParameters>,
) -> Result<Response, Refusal> {
    let answer = app.work(move |app| {
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
        let game = app.solved(&game)?;
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
        let deadline = Deadline(Instant::now() + PATIENCE);
        let found = game.solved.find(&find, &budget, &deadline, &mut Rows { heading: &mut heading, row: &mut row });
        let report = found.map_err(|error| app.refusal(error))?;
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
    State(app): State<Arc<App>>,
    Named(game): Named,
    Known(asked): Known<PuzzleParameters>,
) -> Result<Response, Refusal> {
    let answer = app.work(move |app| {
        let found = app.solved(&game)?.solved.puzzles(1, asked.seed).map_err(|error| app.refusal(error))?;
        match found.first() {
            Some(puzzle) => json_bytes(puzzle),
            None => {
                Err(Refusal::new(StatusCode::NOT_FOUND, format!("{game} has no puzzle for the seed {}", asked.seed)))
            }
        }
    });
    Ok(sent_json(AN_HOUR, answer.await?))
}
