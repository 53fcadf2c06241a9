//! The questions of the API, one function each.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kanzen::catalogue::{Entry, GameView, Solved};
use kanzen::query::Probe;
use kanzen::{Deadline, Error, ErrorKind};
use serde::Serialize;

use crate::app::App;
use crate::asked::{Asked, At, AtWithTraps, CsvOf, Layout, Named, Nothing, ReplyTo, read};
use crate::guard::from_our_page;
use crate::lanes::Lane;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

type Answer = Result<Response, Refusal>;

/// The most positions in one request.
const BATCH: usize = 1000;

/// Values are facts, but a folder may be exchanged for that of another ruleset.
const AN_HOUR: &str = "public, max-age=3600";
const NEVER: &str = "no-store";

/// An answer as it is sent.
pub fn json_bytes(value: &impl Serialize) -> Result<Vec<u8>, Refusal> {
    // A probe has one to three kilobytes: it is not moved on its way there.
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

/// `GET /api/games`: the catalogue.
pub async fn games(visitor: Visitor, _: Nothing) -> Answer {
    let list = visitor.work(Lane::Quick, |app, _| app.listing(|list| json_bytes(&list)));
    Ok(sent_json(NEVER, Bytes::from_owner(list.await?)))
}

/// `GET /api/GAME/view`: what the board looks like, and where play starts.
pub async fn view(visitor: Visitor, Named(game): Named, _: Nothing) -> Answer {
    let view = visitor.work(Lane::Quick, move |app, _| app.view(&game, |entry| json_bytes(&GameView::of(entry))));
    Ok(sent_json(AN_HOUR, Bytes::from_owner(view.await?)))
}

/// `GET /api/GAME/moves`: a position's moves by the rules alone, whether the game is solved or not.
pub async fn moves(visitor: Visitor, Named(game): Named, Asked(at): Asked<At>) -> Answer {
    let answer = visitor.work(Lane::Quick, move |app, _| {
        let moves = app.find(&game)?.moves(at.position.as_deref());
        json_bytes(&moves.map_err(|error| app.refusal(error))?)
    });
    Ok(sent_json(AN_HOUR, answer.await?))
}

/// `GET /api/GAME/probe`: a position and each of its moves.
pub async fn probe(visitor: Visitor, Named(game): Named, Asked(at): Asked<AtWithTraps>) -> Answer {
    let AtWithTraps { position, traps } = at;
    let probe = match traps {
        None => visitor.look_up(game, move |solved| solved.at(position.as_deref())?.probe()).await,
        // The replies to each move as well: very many look-ups more.
        Some(reads) => {
            let ask = move |_: &App, solved: &Solved, _: &Deadline| solved.at(position.as_deref())?.probe_traps(reads);
            visitor.ask(game, Lane::Quick, ask).await
        }
    };
    Ok(sent_json(AN_HOUR, probe?))
}

/// `GET /api/GAME/reply`: the move of a style, of a model or of a level.
pub async fn reply(visitor: Visitor, Named(game): Named, Asked(to): Asked<ReplyTo>) -> Answer {
    let reply = visitor.ask(game, Lane::Quick, move |_, solved, _| {
        solved.at(to.position.as_deref())?.reply(to.player()?, &[], to.seed)
    });
    Ok(sent_json(NEVER, reply.await?))
}

/// What a batch has in the place of a position.
#[derive(Serialize)]
#[serde(untagged)]
enum Batched {
    Probe(Probe),
    Refused { position: String, error: String },
}

/// `POST /api/GAME/probe`: many positions at once.
pub async fn probe_many(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Named(game): Named,
    _: Nothing,
    body: Body,
) -> Answer {
    let body = read(body, app.options.limits.body_time).await?;
    let positions: Vec<String> = serde_json::from_slice(&body)
        .map_err(|wrong| Refusal::bad(format!("expected a JSON array of positions: {wrong}")))?;
    if positions.len() > BATCH {
        return Err(Refusal::bad(format!("{} positions, at most {BATCH} at a time", positions.len())));
    }
    let answers = visitor.ask(game, Lane::Long, move |app, solved, deadline| {
        let probe = |position: String| {
            if let Err(Error::TooLong) = deadline.check() {
                let error = "the time of the request was over before its turn: ask again for fewer".to_owned();
                return Ok(Batched::Refused { position, error });
            }
            deadline.check()?;
            match solved.at(Some(&position)).and_then(|position| position.probe()) {
                Ok(probe) => Ok(Batched::Probe(probe)),
                Err(error) if concerns_all(&error) => Err(error),
                Err(error) => Ok(Batched::Refused { position, error: app.refusal(error).text }),
            }
        };
        positions.into_iter().map(probe).collect::<Result<Vec<_>, Error>>()
    });
    Ok(sent_json(NEVER, answers.await?))
}

/// Whether an error with one position of a batch is one of the whole request.
fn concerns_all(error: &Error) -> bool {
    !matches!(error.kind(), ErrorKind::BadInput | ErrorKind::NotStored | ErrorKind::TooLong)
}

/// `GET /api/GAME/line`: best play.
pub async fn line(visitor: Visitor, Named(game): Named, Asked(at): Asked<At>) -> Answer {
    let line = visitor.ask(game, Lane::Quick, move |_, solved, _| solved.at(at.position.as_deref())?.line());
    Ok(sent_json(AN_HOUR, line.await?))
}

/// `GET /api/GAME/stats`: the census.
pub async fn stats(visitor: Visitor, Named(game): Named, _: Nothing) -> Answer {
    let answer = visitor.work(Lane::Quick, move |app, _| {
        let stats = app.solved(&game)?.solved.stats();
        json_bytes(&stats.map_err(|error| app.failed(&game, error))?)
    });
    Ok(sent_json(AN_HOUR, answer.await?))
}

/// `GET /api/GAME/stats.csv`: the census as a table, the same for every game, or as a paper has it, which some games
/// read from all their values.
pub async fn stats_csv(visitor: Visitor, Named(game): Named, Asked(of): Asked<CsvOf>) -> Answer {
    let lane = if of.layout == Layout::Plain { Lane::Quick } else { Lane::Long };
    let answer = visitor.work(lane, move |app, _| {
        let open = app.solved(&game)?;
        let table = match of.layout {
            Layout::Plain => open.solved.stats().map(|stats| stats.plain_csv()),
            Layout::Published => open.solved.csv(),
        };
        table.map_err(|error| app.failed(&game, error))
    });
    Ok(sent("text/csv; charset=utf-8", AN_HOUR, answer.await?))
}

/// `GET /api/GAME/longest`: the longest wins and losses.
pub async fn longest_games(visitor: Visitor, Named(game): Named, _: Nothing) -> Answer {
    let answer = visitor.work(Lane::Long, move |app, _| {
        let longest = app.solved(&game)?.longest_games();
        json_bytes(&*longest.map_err(|error| app.failed(&game, error))?)
    });
    Ok(sent_json(AN_HOUR, answer.await?))
}

/// `GET /api/GAME/solve`: whether it is solved, or how that goes.
pub async fn progress(visitor: Visitor, Named(game): Named, _: Nothing) -> Answer {
    let answer = visitor.work(Lane::Quick, move |app, _| json_bytes(&app.jobs.progress(app, &*app.find(&game)?)));
    Ok(sent_json(NEVER, answer.await?))
}

/// `POST /api/GAME/solve`: solves it, where that is allowed.
pub async fn solve(app: State<Arc<App>>, visitor: Visitor, game: Named, _: Nothing, headers: HeaderMap) -> Answer {
    changed(app, visitor, game, headers, |app, entry| app.jobs.start(app, entry.clone())).await
}

/// `DELETE /api/GAME/solve`: stops its solve, which can go on later from where it was.
pub async fn cancel(app: State<Arc<App>>, visitor: Visitor, game: Named, _: Nothing, headers: HeaderMap) -> Answer {
    changed(app, visitor, game, headers, |app, entry| app.jobs.cancel(app, &entry.info().id)).await
}

/// What our page may ask to be done with the solve of a game.
type Change = fn(&Arc<App>, &Arc<Entry>) -> Result<(), Refusal>;

/// How the solve of a game goes after a change.
async fn changed(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Named(game): Named,
    headers: HeaderMap,
    change: Change,
) -> Answer {
    from_our_page(&headers)?;
    let answer = visitor.work(Lane::Quick, move |_, _| {
        let entry = app.find(&game)?;
        change(&app, &entry)?;
        json_bytes(&app.jobs.progress(&app, &*entry))
    });
    Ok((StatusCode::ACCEPTED, sent_json(NEVER, answer.await?)).into_response())
}
