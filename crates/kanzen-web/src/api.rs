//! The questions of the API, one function each.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, Path, Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kanzen::catalogue::GameInfo;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::app::App;
use crate::refusal::Refusal;

type Answer = Result<Response, Refusal>;
type Shared = State<Arc<App>>;

/// The largest body that is read.
const BODY: usize = 256 << 10;
/// How long a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);
/// The most positions in one request.
const BATCH: usize = 1000;

/// Values are facts, but a folder may be exchanged for that of another ruleset.
const AN_HOUR: &str = "public, max-age=3600";
const NEVER: &str = "no-store";

/// The game in the path, in the catalogue or not.
pub struct Named(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Named, Refusal> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        path.map(|Path(game)| Named(game)).map_err(|wrong: PathRejection| Refusal::bad(wrong.body_text()))
    }
}

/// The position in the query, if there is one.
pub struct Asked(Option<String>);

#[derive(Deserialize)]
struct Parameters {
    position: Option<String>,
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked, Refusal> {
        let query = Query::<Parameters>::from_request_parts(parts, state).await;
        query.map(|Query(asked)| Asked(asked.position)).map_err(|wrong: QueryRejection| Refusal::bad(wrong.body_text()))
    }
}

pub fn json_bytes(value: &impl Serialize) -> Result<Vec<u8>, Refusal> {
    serde_json::to_vec(value).map_err(|error| Refusal::internal(error.to_string()))
}

fn sent(kind: &'static str, cached: &'static str, body: impl Into<Body>) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cached)], body.into()).into_response()
}

pub fn sent_json(cached: &'static str, body: impl Into<Body>) -> Response {
    sent("application/json", cached, body)
}

/// `GET /api/games`: the catalogue.
pub async fn games(State(app): Shared) -> Answer {
    let list = app.work(|app| json_bytes(&app.listing()));
    Ok(sent_json(NEVER, list.await?))
}

/// `GET /api/GAME/view`: what the board looks like, and where play starts.
pub async fn view(State(app): Shared, Named(game): Named) -> Answer {
    let view = app.work(move |app| {
        app.view(&game, |entry| {
            let GameInfo { id, title, rules } = entry.info();
            let (initial, view) = (entry.initial(), entry.view());
            json!({ "game": id, "title": title, "rules": rules, "initial": initial, "view": view }).to_string().into()
        })
    });
    Ok(sent_json(AN_HOUR, Bytes::from_owner(view.await?)))
}

/// `GET /api/GAME/moves`: a position's moves by the rules alone, whether the game is solved or not.
pub async fn moves(State(app): Shared, Named(game): Named, Asked(position): Asked) -> Answer {
    let answer = app.work(move |app| {
        let moves = app.find(&game)?.moves(position.as_deref());
        json_bytes(&moves.map_err(|error| app.refusal(error))?)
    });
    Ok(sent_json(AN_HOUR, answer.await?))
}

/// `GET /api/GAME/probe`: a position and each of its moves.
pub async fn probe(State(app): Shared, Named(game): Named, Asked(position): Asked) -> Answer {
    let answer = app.work(move |app| {
        let game = app.solved(&game)?;
        let probe = game.solved.at(position.as_deref()).and_then(|position| position.probe());
        json_bytes(&probe.map_err(|error| app.refusal(error))?)
    });
    Ok(sent_json(AN_HOUR, answer.await?))
}

/// `POST /api/GAME/probe`: many positions at once.
pub async fn probe_many(State(app): Shared, Named(game): Named, body: Body) -> Answer {
    let body = read(body).await?;
    let answers = app.work(move |app| {
        let game = app.solved(&game)?;
        let positions: Vec<String> = serde_json::from_slice(&body)
            .map_err(|wrong| Refusal::bad(format!("expected a JSON array of positions: {wrong}")))?;
        if positions.len() > BATCH {
            return Err(Refusal::bad(format!("{} positions, at most {BATCH} at a time", positions.len())));
        }
        let probe = |(number, position): (usize, &String)| {
            game.solved.at(Some(position)).and_then(|position| position.probe()).map_err(|error| {
                let refusal = app.refusal(error);
                Refusal::new(refusal.status, format!("position {}: {}", number + 1, refusal.text))
            })
        };
        json_bytes(&positions.iter().enumerate().map(probe).collect::<Result<Vec<_>, _>>()?)
    });
    Ok(sent_json(NEVER, answers.await?))
}

async fn read(body: Body) -> Result<Bytes, Refusal> {
    let too_large = || Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the body is broken or above {BODY} bytes"));
    // Somewhat larger bodies are read to their end: a visitor who still writes would not see the refusal.
    match tokio::time::timeout(BODY_TIME, axum::body::to_bytes(body, 4 * BODY)).await {
        Ok(Ok(bytes)) if bytes.len() <= BODY => Ok(bytes),
        Ok(_) => Err(too_large()),
        Err(_) => Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time")),
    }
}

/// `GET /api/GAME/line`: best play.
pub async fn line(State(app): Shared, Named(game): Named, Asked(position): Asked) -> Answer {
    let answer = app.work(move |app| {
        let game = app.solved(&game)?;
        let line = game.solved.at(position.as_deref()).and_then(|position| position.line());
        json_bytes(&line.map_err(|error| app.refusal(error))?)
    });
    Ok(sent_json(AN_HOUR, answer.await?))
}

/// `GET /api/GAME/stats`: the census.
pub async fn stats(State(app): Shared, Named(game): Named) -> Answer {
    let answer = app.work(move |app| {
        let stats = app.solved(&game)?.solved.stats();
        json_bytes(&stats.map_err(|error| app.refusal(error))?)
    });
    Ok(sent_json(AN_HOUR, answer.await?))
}

/// `GET /api/GAME/stats.csv`: the census as a table.
pub async fn stats_csv(State(app): Shared, Named(game): Named) -> Answer {
    let answer = app.work(move |app| app.solved(&game)?.solved.csv().map_err(|error| app.refusal(error)));
    Ok(sent("text/csv; charset=utf-8", AN_HOUR, answer.await?))
}

/// `GET /api/GAME/longest`: the longest wins and losses.
pub async fn longest_games(State(app): Shared, Named(game): Named) -> Answer {
    let answer = app.work(move |app| {
        let longest = app.solved(&game)?.longest_games();
        json_bytes(&*longest.map_err(|error| app.refusal(error))?)
    });
    Ok(sent_json(AN_HOUR, answer.await?))
}

/// `GET /api/GAME/solve`: whether it is solved, or how that goes.
pub async fn progress(State(app): Shared, Named(game): Named) -> Answer {
    let answer = app.work(move |app| json_bytes(&app.jobs.progress(app, &*app.find(&game)?)));
    Ok(sent_json(NEVER, answer.await?))
}

/// `POST /api/GAME/solve`: solves it, where that is allowed.
pub async fn solve(State(app): Shared, Named(game): Named, headers: HeaderMap) -> Answer {
    from_our_page(&headers)?;
    let shared = app.clone();
    let answer = app.work(move |app| {
        let entry = app.find(&game)?;
        app.jobs.start(&shared, entry.clone())?;
        json_bytes(&app.jobs.progress(app, &*entry))
    });
    Ok((StatusCode::ACCEPTED, sent_json(NEVER, answer.await?)).into_response())
}

/// Other sites must not make a visitor's browser ask for work: neither from their pages nor under their own names.
fn from_our_page(headers: &HeaderMap) -> Result<(), Refusal> {
    let text = |name| headers.get(name).and_then(|value: &axum::http::HeaderValue| value.to_str().ok());
    let host = text(header::HOST).unwrap_or("");
    let name =
        host.rsplit_once(':').filter(|(_, port)| port.chars().all(|c| c.is_ascii_digit())).map_or(host, |at| at.0);
    let loopback = name == "localhost"
        || name.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    let same = text(header::ORIGIN).is_none_or(|origin| origin == format!("http://{host}"));
    if loopback && same {
        return Ok(());
    }
    Err(Refusal::new(StatusCode::FORBIDDEN, "only this server's own page may ask for a solve"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_sites_cannot_ask_for_work() {
        let allowed = |host: &str, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().unwrap());
            origin.map(|origin| headers.insert(header::ORIGIN, origin.parse().unwrap()));
            from_our_page(&headers).is_ok()
        };
        assert!(allowed("127.0.0.1:7878", None));
        assert!(allowed("localhost:7878", Some("http://localhost:7878")));
        assert!(allowed("[::1]:7878", Some("http://[::1]:7878")));
        assert!(!allowed("127.0.0.1:7878", Some("http://evil.example")));
        assert!(!allowed("evil.example:7878", Some("http://evil.example:7878")));
        assert!(!allowed("", None));
    }
}
