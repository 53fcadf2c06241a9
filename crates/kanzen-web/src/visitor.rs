//! Whoever asks: their address, their connection, and the work that is done for them.

use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use kanzen::catalogue::{Solved, from_memory};
use kanzen::{Deadline, Error, machine};
use serde::Serialize;
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use crate::api::json_bytes;
use crate::app::App;
use crate::lanes::{Lane, Lanes, Place};
use crate::refusal::Refusal;
use crate::stream;

/// What a request knows of the connection on which it came.
#[derive(Clone)]
pub struct Caller {
    /// Where it comes from.
    pub address: IpAddr,
    /// The places of that address.
    pub lanes: Arc<Lanes>,
    /// The connection.
    pub stream: Arc<TcpStream>,
}

/// A visitor with a question.
pub struct Visitor {
    app: Arc<App>,
    caller: Caller,
}

impl FromRequestParts<Arc<App>> for Visitor {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Visitor, Refusal> {
        let caller = parts.extensions.get::<Caller>().cloned();
        let caller = caller.ok_or_else(|| Refusal::internal("a request without a connection"))?;
        Ok(Visitor { app: app.clone(), caller })
    }
}

/// Ends a visitor's deadline when the request is dropped.
struct Leaving(Deadline);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Visitor {
    /// The JSON of a look-up in a solved game. Where it needs no more than memory holds it is worked out at once, on the
    /// thread that has the request: to wake another one costs as much as the look-up. It takes no place, for it waits
    /// for nothing; there are never more of them at a time than threads.
    pub async fn look_up<T: Serialize>(
        &self,
        game: String,
        ask: impl Fn(&Solved) -> Result<T, Error> + Send + 'static,
    ) -> Result<Vec<u8>, Refusal> {
        match self.at_once(&game, &ask) {
            Some(answer) => answer,
            None => self.ask(game, Lane::Quick, move |_, solved, _| ask(solved)).await,
        }
    }

    /// The JSON of a look-up, if no file has to be read for it and nothing has to be searched for.
    fn at_once<T: Serialize>(
        &self,
        game: &str,
        ask: &impl Fn(&Solved) -> Result<T, Error>,
    ) -> Option<Result<Vec<u8>, Refusal>> {
        let open =
            self.app.open.get(game).filter(|open| !open.searches() && open.is_current(&self.app.options.data))?;
        let answer = AssertUnwindSafe(|| match from_memory(|| ask(&open.solved)) {
            Err(error) if error.is_not_fetched() => None,
            answer => Some(answer.map_err(|error| self.app.failed(game, error)).and_then(|answer| json_bytes(&answer))),
        });
        // A game that panics costs its answer and nothing else.
        catch_unwind(answer).unwrap_or_else(|_| Some(Err(broken())))
    }

    /// The JSON of an answer from a solved game: in this lane if it is looked up, among the searches if it is searched for.
    ///
    /// What `ask` is given keeps to the budget and the visitor's deadline where it searches. Look-ups that are many
    /// check the deadline between them.
    pub async fn ask<T: Serialize>(
        &self,
        game: String,
        lane: Lane,
        ask: impl FnOnce(&App, &Solved, &Deadline) -> Result<T, Error> + Send + 'static,
    ) -> Result<Vec<u8>, Refusal> {
        let searches = match self.app.open.searches(&game) {
            Some(searches) => searches,
            None => {
                let game = game.clone();
                self.work(Lane::Quick, move |app, _| Ok(app.solved(&game)?.searches())).await?
            }
        };
        let lane = if searches { Lane::Search } else { lane };
        let answer = move |app: &App, deadline: &Deadline| {
            let open = app.solved(&game)?;
            // Only now, and only what searches: a thread that gives way while it holds what look-ups wait for, a page of
            // the cache or the list of open games, would make them wait for everybody.
            if lane == Lane::Search {
                machine::give_way();
            }
            let bounded = open.solved.bounded(&app.search_budget(), deadline);
            let answer = ask(app, bounded.as_ref().unwrap_or(&open.solved), deadline);
            json_bytes(&answer.map_err(|error| app.failed(&game, error))?)
        };
        self.work(lane, answer).await
    }

    /// Does some work on a thread that may wait for files, when there is a place for it. The work ends early, if it
    /// looks, when the visitor leaves, its time is over or the server closes.
    pub async fn work<T: Send + 'static>(
        &self,
        lane: Lane,
        work: impl FnOnce(&App, &Deadline) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let limits = &self.app.options.limits;
        let place = self.app.lanes.enter(&self.caller.lanes, lane, limits);
        let place = match lane {
            Lane::Quick => place.await?,
            Lane::Long | Lane::Search => tokio::select! {
                place = place => place?,
                () = stream::left(&self.caller.stream) => return Err(gone()),
                () = self.app.closing() => return Err(closing()),
            },
        };
        let deadline = Deadline::after(limits.work_time);
        let _leaving = Leaving(deadline.clone());
        let mut answer = self.start(lane, place, deadline.clone(), work)?;
        if lane == Lane::Quick {
            return answer.await.unwrap_or_else(|_| Err(broken()));
        }
        tokio::select! {
            answer = &mut answer => answer.unwrap_or_else(|_| Err(broken())),
            () = stream::left(&self.caller.stream) => Err(gone()),
            () = self.app.closing() => Err(closing()),
        }
    }

    /// Starts work on a thread: one of the pool for what is quick, one of its own for what may take long and change its
    /// priority.
    fn start<T: Send + 'static>(
        &self,
        lane: Lane,
        place: Place,
        deadline: Deadline,
        work: impl FnOnce(&App, &Deadline) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<oneshot::Receiver<Result<T, Refusal>>, Refusal> {
        let (tell, told) = oneshot::channel();
        let app = self.app.clone();
        let run = move || {
            // A game that panics costs its answer and nothing else: whoever waits is told.
            let done = catch_unwind(AssertUnwindSafe(|| work(&app, &deadline)));
            drop(place);
            if let Ok(done) = done {
                // Nobody may be there any more.
                tell.send(done).ok();
            }
        };
        if lane == Lane::Quick {
            tokio::task::spawn_blocking(run);
        } else {
            let thread = std::thread::Builder::new().name(format!("kanzen-{}", lane.name()));
            thread.spawn(run).map_err(|_| {
                Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "no thread is free: ask again in a moment")
            })?;
        }
        Ok(told)
    }
}

fn broken() -> Refusal {
    Refusal::internal("the answer could not be worked out")
}

/// Nobody reads it; the log has it, with the status that other servers give for this.
fn gone() -> Refusal {
    let status = StatusCode::from_u16(499).unwrap_or(StatusCode::REQUEST_TIMEOUT);
    Refusal::new(status, "the visitor has left")
}

fn closing() -> Refusal {
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the server is closing")
}
