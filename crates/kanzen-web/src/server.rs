//! The HTTP server: accepts connections within limits, serves them with timeouts, and shuts down gracefully.

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

use crate::admission::Connection;
use crate::app::App;
use crate::client::Peer;
use crate::options::Options;
use crate::origin_check::OriginCheck;
use crate::routes::router;
use crate::stream::Stream;

/// Maximum buffer size of a connection, per direction.
const BUFFER: usize = 64 << 10;
/// How often a running server polls its stop flag.
const HEARTBEAT: Duration = Duration::from_millis(100);
/// How long responses may take to be sent after all searches are cancelled.
const FLUSH_TIME: Duration = Duration::from_secs(1);
/// Maximum number of concurrent 503 responses to connections beyond the limit. Others are closed without a response.
const REFUSALS: usize = 64;

/// Why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is in use or not an address of this machine.
    #[error("cannot listen on {address}: {source}")]
    Address {
        /// The address.
        address: SocketAddr,
        /// The system error.
        source: io::Error,
    },
    /// Solves are allowed on a public address.
    #[error("--allow-solve requires a loopback address, not {address}")]
    NotLoopback {
        /// The address.
        address: SocketAddr,
    },
    /// A malformed origin.
    #[error("{origin:?} is not an origin: expected one such as https://games.example, or *")]
    Origin {
        /// The given text.
        origin: String,
    },
    /// The runtime could not start its threads.
    #[error("cannot start the server: {0}")]
    Start(io::Error),
}

/// A server that is bound to an address and ready to run.
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    app: Arc<App>,
}

impl Server {
    /// Binds an address. Port 0 picks a free port.
    ///
    /// ```
    /// use kanzen_web::{Options, Server};
    /// # let data = tempfile::tempdir()?;
    /// let options = Options::new("kanzen", data.path(), kanzen::Budget::new(2, 1 << 30));
    /// let games = std::sync::Arc::new(kanzen_games::catalogue::Games);
    /// let server = Server::bind("127.0.0.1:0".parse()?, games, options)?;
    /// assert_ne!(server.address().port(), 0);
    /// server.run(|| true)?; // stops immediately
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bind(address: SocketAddr, games: Arc<dyn Catalogue>, options: Options) -> Result<Server, ServeError> {
        let loopback = address.ip().to_canonical().is_loopback();
        if options.allow_solve && !loopback {
            return Err(ServeError::NotLoopback { address });
        }
        let origin_check = OriginCheck::new(loopback, &options.cors)?;
        let listen = || {
            let listener = std::net::TcpListener::bind(address)?;
            listener.set_nonblocking(true)?;
            Ok((listener.local_addr()?, listener))
        };
        let (address, listener) = listen().map_err(|source| ServeError::Address { address, source })?;
        Ok(Server { listener, address, app: Arc::new(App::new(games, origin_check, options)) })
    }

    /// Returns the address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves requests until `stop` returns true. Shutdown completes requests in flight, cancels searches after
    /// [`closing_time`](crate::Limits::closing_time), and lets a running solve write its checkpoint.
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

/// Waits until all connections have received their responses.
async fn finish(app: &App, connections: GracefulShutdown) {
    let mut last = std::pin::pin!(connections.shutdown());
    if tokio::time::timeout(app.options.limits.closing_time, &mut last).await.is_err() {
        app.close();
        tokio::time::timeout(FLUSH_TIME, last).await.ok();
    }
}

/// Accepts connections until shutdown.
async fn accept(listener: TcpListener, app: Arc<App>, mut ended: oneshot::Receiver<()>) -> GracefulShutdown {
    let connections = GracefulShutdown::new();
    let router = router(app.clone());
    let refusals = Arc::new(Semaphore::new(REFUSALS));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut ended => return connections,
        };
        let Ok((stream, address)) = accepted else {
            // Out of file handles, or the client disconnected early: pause and accept the next one.
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        stream.set_nodelay(true).ok();
        match app.connections.connect(address.ip()) {
            Some(connection) => serve(&app, &router, &connections, stream, address.ip(), connection),
            None => {
                if let Ok(permit) = refusals.clone().try_acquire_owned() {
                    tokio::spawn(async move {
                        tokio::time::timeout(FLUSH_TIME, refuse(stream)).await.ok();
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
    let peer = Peer { address, admission: connection.admission.clone(), stream: stream.clone() };
    let served = http1::Builder::new()
        // A client that has closed its sending side still gets its response.
        .half_close(true)
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .max_buf_size(BUFFER)
        .serve_connection(
            TokioIo::new(Stream::new(stream, limits.write_time)),
            WithPeer { router: TowerToHyperService::new(router.clone()), peer },
        );
    let served = connections.watch(served);
    tokio::spawn(async move {
        // An aborted connection is not an error of the server.
        served.await.ok();
        drop(connection);
    });
}

/// Sends a 503 to a connection beyond the limit.
async fn refuse(mut stream: TcpStream) {
    let body = r#"{"error":"too many open connections: try again in a moment","code":"busy"}"#;
    let status = StatusCode::SERVICE_UNAVAILABLE;
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nretry-after: 10\r\nconnection: close\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(answer.as_bytes()).await.ok();
    stream.shutdown().await.ok();
    // Drain unread input: closing with unread data resets the connection and discards the response.
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await.is_ok_and(|read| read > 0) {}
}

/// A service that adds the peer of its connection to each request.
struct WithPeer {
    router: TowerToHyperService<Router>,
    peer: Peer,
}

impl Service<Request<Incoming>> for WithPeer {
    type Response = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Response;
    type Error = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Error;
    type Future = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Future;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(self.peer.clone());
        self.router.call(request)
    }
}
