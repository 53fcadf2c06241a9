//! Request parsing: the game in the path, the query parameters and the body.

use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use kanzen::Error;
use kanzen_query::Player;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;

/// Maximum size of a request body.
const BODY: usize = 256 << 10;

/// The game id in the path. It need not exist.
pub struct GamePath(pub String);

impl<S: Send + Sync> FromRequestParts<S> for GamePath {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<GamePath, Refusal> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        path.map(|Path(game)| GamePath(game)).map_err(|wrong: PathRejection| Refusal::bad(wrong.body_text()))
    }
}

/// The query parameters. `T` must use `#[serde(deny_unknown_fields)]`, so that a misspelt parameter is an error.
pub struct Params<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Params<T>, Refusal> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query.map(|Query(params)| Params(params)).map_err(|wrong: QueryRejection| {
            // Without the framework's own words for which part of a request it was.
            let text = wrong.body_text();
            Refusal::bad(text.split_once(": ").map_or(text.as_str(), |(_, reason)| reason))
        })
    }
}

/// A position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct At {
    /// A position; the initial one if there is none.
    pub position: Option<String>,
}

/// A position, and whether to count the replies that lose value.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtWithTraps {
    /// A position; the initial one if there is none.
    pub position: Option<String>,
    /// Search depth in plies: a mistake counts as hidden if a search of this depth misses it.
    pub traps: Option<u16>,
}

/// A position and the player who moves.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplyTo {
    /// A position; the initial one if there is none.
    pub position: Option<String>,
    /// A style or a model of a fallible player.
    style: Option<String>,
    /// A level from 1 to 8, instead of a style.
    level: Option<String>,
    /// The seed of random choices.
    #[serde(default)]
    pub seed: u64,
}

impl ReplyTo {
    /// Returns the player who moves. The default player makes the first of the best moves.
    pub fn player(&self) -> Result<Player, Error> {
        Player::asked(self.style.as_deref(), self.level.as_deref())
    }
}

/// The layout of a census table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CsvOf {
    #[serde(default)]
    pub layout: Layout,
}

/// The columns of a table.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// The same for every game: class, distance, wins, losses, draws.
    #[default]
    Plain,
    /// The layout of the paper on the game, if there is one.
    Published,
}

/// No parameters.
pub type NoParams = Params<NoParameters>;

/// The empty set of parameters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoParameters {}

/// Reads a body, subject to a time limit and a size limit.
pub async fn read(body: Body, time: Duration) -> Result<Vec<u8>, Refusal> {
    let late = || Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time");
    tokio::time::timeout(time, whole(body)).await.unwrap_or_else(|_| Err(late()))
}

async fn whole(mut body: Body) -> Result<Vec<u8>, Refusal> {
    let too_large = || Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the body is broken or above {BODY} bytes"));
    let (mut bytes, mut length) = (Vec::new(), 0);
    while let Some(frame) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let Ok(data) = frame.map_err(|_| too_large())?.into_data() else { continue };
        length += data.len();
        if length <= BODY {
            bytes.extend_from_slice(&data);
        } else if length <= 4 * BODY {
            // Drains a slightly oversized body: a client that is still writing would miss the error response.
            bytes = Vec::new();
        } else {
            break;
        }
    }
    if length <= BODY { Ok(bytes) } else { Err(too_large()) }
}
