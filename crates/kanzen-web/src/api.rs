//! Request handlers of the JSON API, one function per route.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kanzen::catalogue::{Entry, GameView, Provenance, Solved};
use kanzen::{Error, ErrorKind};
use kanzen_core::Deadline;
use kanzen_query::Probe;
use serde::{Deserialize, Serialize};

use crate::admission::WorkClass;
use crate::app::App;
use crate::client::{AtDeadline, Client};
use crate::origin_check::from_our_page;
use crate::params::{At, AtWithTraps, CsvOf, GamePath, Layout, NoParams, Params, ReplyTo, read};
use crate::refusal::Refusal;

type Answer = Result<Response, Refusal>;

/// Maximum number of positions in one request.
const BATCH: usize = 1000;

/// Answers that a cache may keep and has to revalidate: a database can be replaced at any time.
pub const REVALIDATED: &str = "public, no-cache";
const NEVER: &str = "no-store";

/// Serializes a response body.
pub fn json_bytes(value: &impl Serialize) -> Result<Vec<u8>, Refusal> {
    // A probe takes one to three kilobytes: this capacity avoids reallocation.
    let mut bytes = Vec::with_capacity(4 << 10);
    serde_json::to_writer(&mut bytes, value).map_err(|error| Refusal::internal(error.to_string()))?;
    Ok(bytes)
}

fn sent(kind: &'static str, cached: &'static str, body: impl Into<Body>) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cached)], body.into()).into_response()
}

pub fn sent_json(cached: &'static str, body: impl Into<Body>) -> Response {
    sent("application/json", cached, body)
}

/// `GET /api/games`: returns the catalogue.
pub async fn games(client: Client, _: NoParams) -> Answer {
    let list = client.work(WorkClass::Quick, |app, _| app.listing(|list| json_bytes(&list)));
    Ok(sent_json(NEVER, Bytes::from_owner(list.await?)))
}

/// `GET /api/GAME/view`: returns the board layout and the initial position.
pub async fn view(client: Client, GamePath(game): GamePath, _: NoParams) -> Answer {
    let view = client.work(WorkClass::Quick, move |app, _| app.view(&game, |entry| json_bytes(&GameView::of(entry))));
    Ok(sent_json(REVALIDATED, Bytes::from_owner(view.await?)))
}

/// `GET /api/GAME/moves`: returns the legal moves of a position. Needs the rules only, not a database.
pub async fn moves(client: Client, GamePath(game): GamePath, Params(at): Params<At>) -> Answer {
    let answer = client.work(WorkClass::Quick, move |app, _| {
        let moves = app.find(&game)?.moves(at.position.as_deref());
        json_bytes(&moves.map_err(|error| app.refusal(error))?)
    });
    Ok(sent_json(REVALIDATED, answer.await?))
}

/// `GET /api/GAME/probe`: returns the value of a position and of each of its moves.
pub async fn probe(client: Client, GamePath(game): GamePath, Params(at): Params<AtWithTraps>) -> Answer {
    let AtWithTraps { position, traps } = at;
    let probe = match traps {
        None => client.look_up(game, move |solved| solved.at(position.as_deref())?.probe()).await,
        // Also looks up the replies to each move: many more look-ups.
        Some(reads) => {
            let ask = move |_: &App, solved: &Solved, _: &Deadline| solved.at(position.as_deref())?.probe_traps(reads);
            client.ask(game, WorkClass::Quick, ask).await
        }
    };
    Ok(sent_json(REVALIDATED, probe?))
}

/// `GET /api/GAME/reply`: returns the move of a style, a player model or a level.
pub async fn reply(client: Client, GamePath(game): GamePath, Params(to): Params<ReplyTo>) -> Answer {
    let reply = client.ask(game, WorkClass::Quick, move |_, solved, _| {
        solved.at(to.position.as_deref())?.reply(to.player()?, &[], to.seed)
    });
    Ok(sent_json(NEVER, reply.await?))
}

/// The result for one position of a batch.
#[derive(Serialize)]
#[serde(untagged)]
enum Batched {
    Probe(Probe),
    Refused { position: String, error: String },
}

/// `POST /api/GAME/probe`: probes many positions at once.
pub async fn probe_many(
    State(app): State<Arc<App>>,
    client: Client,
    GamePath(game): GamePath,
    _: NoParams,
    body: Body,
) -> Answer {
    let body = read(body, app.options.limits.body_time).await?;
    let positions: Vec<String> = serde_json::from_slice(&body)
        .map_err(|wrong| Refusal::bad(format!("expected a JSON array of positions: {wrong}")))?;
    if positions.len() > BATCH {
        return Err(Refusal::bad(format!("{} positions, at most {BATCH} at a time", positions.len())));
    }
    let answers = client.ask(game, WorkClass::Long, move |app, solved, deadline| {
        let probe = |position: String| {
            if let Err(Error::TooLong) = deadline.check() {
                let error = "request timed out before this position: send fewer positions".to_owned();
                return Ok(Batched::Refused { position, error });
            }
            deadline.check()?;
            match solved.at(Some(&position)).and_then(|position| position.probe()) {
                Ok(probe) => Ok(Batched::Probe(probe)),
                Err(error) if fails_request(&error) => Err(error),
                Err(error) => Ok(Batched::Refused { position, error: app.refusal(error).text }),
            }
        };
        positions.into_iter().map(probe).collect::<Result<Vec<_>, Error>>()
    });
    Ok(sent_json(NEVER, answers.await?))
}

/// A game: where it starts and its moves.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    /// A position; the initial one if there is none.
    position: Option<String>,
    moves: Vec<String>,
}

/// The values of a game.
#[derive(Serialize)]
struct Played {
    game: String,
    /// The position before each move, and the last one.
    positions: Vec<Probe>,
    /// The first move that cannot be played, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stopped>,
}

/// Where a game stops before its last move.
#[derive(Serialize)]
struct Stopped {
    /// The number of moves played.
    at: usize,
    #[serde(rename = "move")]
    mv: String,
    error: String,
}

/// From this many moves on the values of a game are many look-ups.
const LONG_GAME: usize = 200;

/// `POST /api/GAME/game`: plays the moves of a game and returns all its positions with their values.
pub async fn game(
    State(app): State<Arc<App>>,
    client: Client,
    GamePath(game): GamePath,
    _: NoParams,
    body: Body,
) -> Answer {
    let body = read(body, app.options.limits.body_time).await?;
    let record: Record = serde_json::from_slice(&body)
        .map_err(|wrong| Refusal::bad(format!("expected {{\"position\", \"moves\": [...]}}: {wrong}")))?;
    if record.moves.len() >= BATCH {
        return Err(Refusal::bad(format!("{} moves, at most {} at a time", record.moves.len(), BATCH - 1)));
    }
    let class = if record.moves.len() < LONG_GAME { WorkClass::Quick } else { WorkClass::Long };
    let answer = client.ask(game.clone(), class, move |app, solved, deadline| {
        let mut positions = vec![solved.at(record.position.as_deref())?.probe()?];
        let mut stopped = None;
        for (at, mv) in record.moves.into_iter().enumerate() {
            let now = &positions[at];
            let next = match now.moves.iter().find(|known| known.mv == mv) {
                Some(choice) => deadline.check().and_then(|()| solved.at(Some(&choice.position))?.probe()),
                None => Err(Error::NoSuchMove { text: mv.clone(), position: now.position.clone() }),
            };
            match next {
                Ok(probe) => positions.push(probe),
                Err(error) if fails_request(&error) => return Err(error),
                Err(error) => {
                    stopped = Some(Stopped { at, mv, error: app.refusal(error).text });
                    break;
                }
            }
        }
        Ok(Played { game, positions, stopped })
    });
    Ok(sent_json(NEVER, answer.await?))
}

/// Returns whether an error with one position of a batch fails the whole request.
fn fails_request(error: &Error) -> bool {
    !matches!(error.kind(), ErrorKind::BadInput | ErrorKind::NotStored | ErrorKind::TooLong)
}

/// `GET /api/GAME/line`: returns a line of best play.
pub async fn line(client: Client, GamePath(game): GamePath, Params(at): Params<At>) -> Answer {
    let line = client.ask(game, WorkClass::Quick, move |_, solved, _| solved.at(at.position.as_deref())?.line());
    Ok(sent_json(REVALIDATED, line.await?))
}

/// `GET /api/GAME/stats`: returns the census.
pub async fn stats(client: Client, GamePath(game): GamePath, _: NoParams) -> Answer {
    let answer = client.work(WorkClass::Quick, move |app, deadline| {
        let stats = app.solved(&game)?.solved.stats_watched(&AtDeadline(deadline));
        json_bytes(&stats.map_err(|error| app.stopped(&game, error, deadline))?)
    });
    Ok(sent_json(REVALIDATED, answer.await?))
}

/// `GET /api/GAME/stats.csv`: returns the census as a table. The plain layout is the same for every game. The published
/// layout follows the game's paper and may need a scan of all values.
pub async fn stats_csv(client: Client, GamePath(game): GamePath, Params(of): Params<CsvOf>) -> Answer {
    let class = if of.layout == Layout::Plain { WorkClass::Quick } else { WorkClass::Long };
    let answer = client.work(class, move |app, deadline| {
        let (open, limit) = (app.solved(&game)?, AtDeadline(deadline));
        let table = match of.layout {
            Layout::Plain => open.solved.stats_watched(&limit).map(|stats| stats.plain_csv()),
            Layout::Published => open.solved.csv(&limit),
        };
        table.map_err(|error| app.stopped(&game, error, deadline))
    });
    Ok(sent("text/csv; charset=utf-8", REVALIDATED, answer.await?))
}

/// `GET /api/GAME/longest`: returns the longest wins and losses.
pub async fn longest_games(client: Client, GamePath(game): GamePath, _: NoParams) -> Answer {
    let answer = client.work(WorkClass::Long, move |app, deadline| {
        let longest = app.solved(&game)?.longest_games(&AtDeadline(deadline));
        json_bytes(&*longest.map_err(|error| app.stopped(&game, error, deadline))?)
    });
    Ok(sent_json(REVALIDATED, answer.await?))
}

/// `GET /api/GAME/solve`: returns whether the game is solved, or the progress of its solve.
pub async fn progress(client: Client, GamePath(game): GamePath, _: NoParams) -> Answer {
    let answer = client.work(WorkClass::Quick, move |app, _| json_bytes(&app.jobs.progress(app, &*app.find(&game)?)));
    Ok(sent_json(NEVER, answer.await?))
}

/// `POST /api/GAME/solve`: starts a solve if the server allows it.
pub async fn solve(app: State<Arc<App>>, client: Client, game: GamePath, _: NoParams, headers: HeaderMap) -> Answer {
    apply(app, client, game, headers, |app, entry| app.jobs.start(app, entry.clone())).await
}

/// `DELETE /api/GAME/solve`: stops the solve. A later solve resumes from its checkpoint.
pub async fn cancel(app: State<Arc<App>>, client: Client, game: GamePath, _: NoParams, headers: HeaderMap) -> Answer {
    apply(app, client, game, headers, |app, entry| app.jobs.cancel(app, &entry.info().id)).await
}

/// A change to the solve of a game that only the server's own page may request.
type Change = fn(&Arc<App>, &Arc<Entry>) -> Result<(), Refusal>;

/// Applies a change and returns the progress of the solve.
async fn apply(
    State(app): State<Arc<App>>,
    client: Client,
    GamePath(game): GamePath,
    headers: HeaderMap,
    change: Change,
) -> Answer {
    from_our_page(&headers)?;
    let answer = client.work(WorkClass::Quick, move |_, _| {
        let entry = app.find(&game)?;
        change(&app, &entry)?;
        json_bytes(&app.jobs.progress(&app, &entry))
    });
    Ok((StatusCode::ACCEPTED, sent_json(NEVER, answer.await?)).into_response())
}

/// The source of answers, for citations: the program and the database.
#[derive(Serialize)]
pub struct Source {
    /// The version of the program.
    version: &'static str,
    #[serde(flatten)]
    database: Provenance,
}

impl Source {
    /// Combines this program's version with a database.
    pub fn new(database: Provenance) -> Source {
        Source { version: env!("CARGO_PKG_VERSION"), database }
    }
}

/// `GET /api/GAME/provenance`: returns the program version and the database that answers.
pub async fn provenance(client: Client, GamePath(game): GamePath, _: NoParams) -> Answer {
    let answer = client.work(WorkClass::Quick, move |app, _| {
        // Fails for unsolved games and other rules, as every other query does.
        app.solved(&game)?;
        let database = app.find(&game)?.provenance(&app.options.data).map_err(|error| app.failed(&game, error))?;
        json_bytes(&Source::new(database))
    });
    Ok(sent_json(NEVER, answer.await?))
}
