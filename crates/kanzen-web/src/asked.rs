//! What a request asks: the game in its path, the parameters of its query, its body.

use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use kanzen::Error;
use kanzen::query::Player;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;

/// The largest body that is read.
const BODY: usize = 256 << 10;

/// The game in the path, in the catalogue or not.
pub struct Named(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Named, Refusal> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        path.map(|Path(game)| Named(game)).map_err(|wrong: PathRejection| Refusal::bad(wrong.body_text()))
    }
}

/// The parameters of the query, those of `T` and no others: what is misspelt must not be ignored. `T` says so with
/// `#[serde(deny_unknown_fields)]`.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Refusal> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query.map(|Query(asked)| Asked(asked)).map_err(|wrong: QueryRejection| Refusal::bad(wrong.body_text()))
    }
}

/// The one parameter of most questions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct At {
    /// A position; the initial one if there is none.
    pub position: Option<String>,
}

/// A position, and whether the replies that slip are to be counted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtWithTraps {
    /// A position; the initial one if there is none.
    pub position: Option<String>,
    /// How far somebody reads from whom slips are hidden.
    pub traps: Option<u16>,
}

/// A position, and who moves in it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplyTo {
    /// A position; the initial one if there is none.
    pub position: Option<String>,
    /// A style, or a model of a fallible player.
    style: Option<String>,
    /// A level from 1 to 8 instead.
    level: Option<String>,
    /// What the lots are drawn from.
    #[serde(default)]
    pub seed: u64,
}

impl ReplyTo {
    /// Who moves: the first of the best moves is played unless something else is asked for.
    pub fn player(&self) -> Result<Player, Error> {
        Player::asked(self.style.as_deref(), self.level.as_deref())
    }
}

/// Which table a census is wanted as.
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
    /// As the paper on the game has it, where there is one.
    Published,
}

/// No parameters.
pub type Nothing = Asked<NoParameters>;

/// None at all.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoParameters {}

/// The bytes of a body that comes in time and is not too large.
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
            // Somewhat larger bodies are read to their end and not kept: a visitor who still writes would not see the
            // refusal.
            bytes = Vec::new();
        } else {
            break;
        }
    }
    if length <= BODY { Ok(bytes) } else { Err(too_large()) }
}
