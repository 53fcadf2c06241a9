//! Connections: taken one by one, so many at a time and so many of one address, each with time limits.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{Request, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use kanzen::catalogue::Catalogue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};

use crate::app::App;
use crate::callers::Connection;
use crate::guard::Guard;
use crate::options::Options;
use crate::routes::router;
use crate::stream::Stream;
use crate::visitor::Caller;

/// The most that is kept of what a connection has sent and of what it has not read yet.
const BUFFER: usize = 64 << 10;
/// How often a running server asks whether to stop.
const HEARTBEAT: Duration = Duration::from_millis(100);
/// How long answers may take to leave after the last search was ended.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Connections beyond the limit that are told so at a time; others are only closed.
const TOLD: usize = 64;

/// Why the explorer cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken, or not of this machine.
    #[error("cannot listen on {address}: {source}")]
    Address {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// Solving for strangers.
    #[error("--allow-solve goes with a loopback address only, and {address} is none")]
    NotLoopback {
        /// The address.
        address: SocketAddr,
    },
    /// No origin.
    #[error("{origin:?} is no origin: expected one such as https://games.example, or *")]
    Origin {
        /// What was given.
        origin: String,
    },
    /// No threads.
    #[error("cannot start the server: {0}")]
    Start(io::Error),
}

/// An explorer that has its address and can run.
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    app: Arc<App>,
}

impl Server {
    /// Takes an address, for these games; port 0 takes one that is free.
    ///
    /// ```
    /// use kanzen_web::{Options, Server};
    /// # let data = tempfile::tempdir()?;
    /// let options = Options::new("kanzen", data.path(), kanzen::Budget::new(2, 1 << 30));
    /// let games = std::sync::Arc::new(kanzen_games::catalogue::Games);
    /// let server = Server::bind("127.0.0.1:0".parse()?, games, options)?;
    /// assert_ne!(server.address().port(), 0);
    /// server.run(|| true)?; // asked to stop at once
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bind(address: SocketAddr, games: Arc<dyn Catalogue>, options: Options) -> Result<Server, ServeError> {
        let loopback = address.ip().to_canonical().is_loopback();
        if options.allow_solve && !loopback {
            return Err(ServeError::NotLoopback { address });
        }
        let guard = Guard::new(loopback, &options.cors)?;
        let listen = || {
            let listener = std::net::TcpListener::bind(address)?;
            listener.set_nonblocking(true)?;
            Ok((listener.local_addr()?, listener))
        };
        let (address, listener) = listen().map_err(|source| ServeError::Address { address, source })?;
        Ok(Server { listener, address, app: Arc::new(App::new(games, guard, options)) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until told to stop. What is in flight then is still answered, but for searches that take longer than
    /// [`closing_time`](crate::Limits::closing_time), and a solve at work writes its checkpoint.
    pub fn run(self, stop: impl Fn() -> bool) -> Result<(), ServeError> {
        let threads = self.app.options.budget.threads;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build();
        let runtime = runtime.map_err(ServeError::Start)?;
        let app = self.app.clone();
        runtime.block_on(async {
            let listener = TcpListener::from_std(self.listener).map_err(ServeError::Start)?;
            let (end, ended) = oneshot::channel();
            let accepting = tokio::spawn(accept(listener, app.clone(), ended));
            while !stop() {
                tokio::time::sleep(HEARTBEAT).await;
            }
            app.jobs.close();
            end.send(()).ok();
            if let Ok(connections) = accepting.await {
                finish(&app, connections).await;
            }
            while app.jobs.busy() {
                tokio::time::sleep(HEARTBEAT).await;
            }
            Ok(())
        })?;
        runtime.shutdown_timeout(Duration::from_secs(1));
        Ok(())
    }
}

/// Waits until all connections have their answers.
async fn finish(app: &App, connections: GracefulShutdown) {
    let mut last = std::pin::pin!(connections.shutdown());
    if tokio::time::timeout(app.options.limits.closing_time, &mut last).await.is_err() {
        app.close();
        tokio::time::timeout(LAST_WORDS, last).await.ok();
    }
}

/// Takes connections until told to end.
async fn accept(listener: TcpListener, app: Arc<App>, mut ended: oneshot::Receiver<()>) -> GracefulShutdown {
    let connections = GracefulShutdown::new();
    let router = router(app.clone());
    let told = Arc::new(Semaphore::new(TOLD));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut ended => return connections,
        };
        let Ok((stream, address)) = accepted else {
            // Out of file handles, or gone before it was taken: others may do better.
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        stream.set_nodelay(true).ok();
        match app.callers.connect(address.ip()) {
            Some(connection) => serve(&app, &router, &connections, stream, address.ip(), connection),
            None => {
                if let Ok(permit) = told.clone().try_acquire_owned() {
                    tokio::spawn(async move {
                        tokio::time::timeout(LAST_WORDS, refuse(stream)).await.ok();
                        drop(permit);
                    });
                }
            }
        }
    }
}

/// Serves one connection, on a task of its own.
fn serve(
    app: &App,
    router: &Router,
    connections: &GracefulShutdown,
    stream: TcpStream,
    address: IpAddr,
    connection: Connection,
) {
    let limits = &app.options.limits;
    let stream = Arc::new(stream);
    let caller = Caller { address, lanes: connection.lanes.clone(), stream: stream.clone() };
    let served = http1::Builder::new()
        // Who has said all they want to say is still answered.
        .half_close(true)
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .max_buf_size(BUFFER)
        .serve_connection(
            TokioIo::new(Stream::new(stream, limits.write_time)),
            Called { router: TowerToHyperService::new(router.clone()), caller },
        );
    let served = connections.watch(served);
    tokio::spawn(async move {
        // A visitor who breaks off is no concern of ours.
        served.await.ok();
        drop(connection);
    });
}

/// Tells a connection for which there is no place to come back later.
async fn refuse(mut stream: TcpStream) {
    let body = r#"{"error":"too many connections are open: ask again in a moment"}"#;
    let status = StatusCode::SERVICE_UNAVAILABLE;
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nretry-after: 10\r\nconnection: close\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(answer.as_bytes()).await.ok();
    stream.shutdown().await.ok();
    // What they still send is taken in, or the system would throw away what was said to them.
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await.is_ok_and(|read| read > 0) {}
}

/// The router, for the requests of one connection: each carries its caller.
struct Called {
    router: TowerToHyperService<Router>,
    caller: Caller,
}

impl Service<Request<Incoming>> for Called {
    type Response = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Response;
    type Error = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Error;
    type Future = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Future;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(self.caller.clone());
        self.router.call(request)
    }
}
