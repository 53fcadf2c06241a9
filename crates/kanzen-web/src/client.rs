//! Runs the work of a request: admission, threads, deadline, and cancellation when the client disconnects.

use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use kanzen::Error;
use kanzen::catalogue::Solved;
use kanzen::progress::{Event, Observer};
use kanzen_core::{Deadline, machine};
use kanzen_store::from_memory;
use serde::Serialize;
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use crate::admission::{Admission, Permit, WorkClass};
use crate::api::json_bytes;
use crate::app::App;
use crate::refusal::Refusal;
use crate::stream;

/// The remote end of a connection, attached to each of its requests.
#[derive(Clone)]
pub struct Peer {
    /// The remote address.
    pub address: IpAddr,
    /// The admission limits of that address.
    pub admission: Arc<Admission>,
    /// The connection.
    pub stream: Arc<TcpStream>,
}

/// The client of a request.
pub struct Client {
    app: Arc<App>,
    peer: Peer,
}

impl FromRequestParts<Arc<App>> for Client {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Client, Refusal> {
        let peer = parts.extensions.get::<Peer>().cloned();
        let peer = peer.ok_or_else(|| Refusal::internal("a request without a connection"))?;
        Ok(Client { app: app.clone(), peer })
    }
}

/// Cancels a deadline when the request is dropped.
struct CancelOnDrop(Deadline);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Stops work at the deadline of its request, which the client's disconnection cancels.
pub struct AtDeadline<'a>(pub &'a Deadline);

impl Observer for AtDeadline<'_> {
    fn event(&self, _: Event<'_>) {}

    fn stop(&self) -> bool {
        self.0.check().is_err()
    }
}

impl Client {
    /// Returns the JSON of a look-up in a solved game.
    ///
    /// If memory holds all it needs, the look-up runs on the calling thread, since waking another thread costs as much as
    /// the look-up. It needs no permit: it never blocks, and the number of threads bounds it.
    pub async fn look_up<T: Serialize>(
        &self,
        game: String,
        ask: impl Fn(&Solved) -> Result<T, Error> + Send + 'static,
    ) -> Result<Vec<u8>, Refusal> {
        match self.cached(&game, &ask) {
            Some(answer) => answer,
            None => self.ask(game, WorkClass::Quick, move |_, solved, _| ask(solved)).await,
        }
    }

    /// Returns the JSON of a look-up, or `None` if it needs a file or a search.
    fn cached<T: Serialize>(
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
        // A panic in a game fails this request only.
        catch_unwind(answer).unwrap_or_else(|_| Some(Err(internal_error())))
    }

    /// Returns the JSON of an answer from a solved game. Runs in `class` if the game is looked up, in
    /// [`WorkClass::Search`] if its values come from a search.
    ///
    /// A searching game keeps to the budget and the deadline. Many look-ups must check the deadline themselves.
    pub async fn ask<T: Serialize>(
        &self,
        game: String,
        class: WorkClass,
        ask: impl FnOnce(&App, &Solved, &Deadline) -> Result<T, Error> + Send + 'static,
    ) -> Result<Vec<u8>, Refusal> {
        let searches = match self.app.open.searches(&game) {
            Some(searches) => searches,
            None => {
                let game = game.clone();
                self.work(WorkClass::Quick, move |app, _| Ok(app.solved(&game)?.searches())).await?
            }
        };
        let class = if searches { WorkClass::Search } else { class };
        let answer = move |app: &App, deadline: &Deadline| {
            let open = app.solved(&game)?;
            // Lower the priority only here and only for searches. A low-priority thread that holds a lock, such as that
            // of a cache page or of the open games, would delay all look-ups (priority inversion).
            if class == WorkClass::Search {
                machine::give_way();
            }
            let bounded = open.solved.bounded(&app.search_budget(), deadline);
            let answer = ask(app, bounded.as_ref().unwrap_or(&open.solved), deadline);
            json_bytes(&answer.map_err(|error| app.failed(&game, error))?)
        };
        self.work(class, answer).await
    }

    /// Runs work on a thread that may block, once admission grants a permit. The deadline is cancelled when the client
    /// disconnects, the time limit passes or the server shuts down; the work must check it.
    pub async fn work<T: Send + 'static>(
        &self,
        class: WorkClass,
        work: impl FnOnce(&App, &Deadline) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let limits = &self.app.options.limits;
        let permit = self.app.admission.enter(&self.peer.admission, class, limits);
        let permit = match class {
            WorkClass::Quick => permit.await?,
            WorkClass::Long | WorkClass::Search => tokio::select! {
                permit = permit => permit?,
                () = stream::disconnected(&self.peer.stream) => return Err(gone()),
                () = self.app.closing() => return Err(closing()),
            },
        };
        let deadline = Deadline::after(limits.work_time);
        let _cancel = CancelOnDrop(deadline.clone());
        let mut answer = self.start(class, permit, deadline.clone(), work)?;
        if class == WorkClass::Quick {
            return answer.await.unwrap_or_else(|_| Err(internal_error()));
        }
        tokio::select! {
            answer = &mut answer => answer.unwrap_or_else(|_| Err(internal_error())),
            () = stream::disconnected(&self.peer.stream) => Err(gone()),
            () = self.app.closing() => Err(closing()),
        }
    }

    /// Starts work on a thread: of the pool if quick, otherwise a new one, whose priority it may change.
    fn start<T: Send + 'static>(
        &self,
        class: WorkClass,
        permit: Permit,
        deadline: Deadline,
        work: impl FnOnce(&App, &Deadline) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<oneshot::Receiver<Result<T, Refusal>>, Refusal> {
        let (sender, receiver) = oneshot::channel();
        let app = self.app.clone();
        let run = move || {
            // A panic in a game fails this request only: the dropped sender reports it.
            let done = catch_unwind(AssertUnwindSafe(|| work(&app, &deadline)));
            drop(permit);
            if let Ok(done) = done {
                // The receiver may be gone.
                sender.send(done).ok();
            }
        };
        if class == WorkClass::Quick {
            tokio::task::spawn_blocking(run);
        } else {
            let thread = std::thread::Builder::new().name(format!("kanzen-{}", class.name()));
            thread.spawn(run).map_err(|_| {
                Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "no thread available: try again in a moment")
            })?;
        }
        Ok(receiver)
    }
}

fn internal_error() -> Refusal {
    Refusal::internal("internal error")
}

/// The response after a disconnect. It only appears in the log, with nginx's status 499.
fn gone() -> Refusal {
    let status = StatusCode::from_u16(499).unwrap_or(StatusCode::REQUEST_TIMEOUT);
    Refusal::new(status, "the client disconnected")
}

fn closing() -> Refusal {
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the server is shutting down")
}
