//! Connections: taken one by one, so many at a time, each with a limit to its patience.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use kanzen::catalogue::Catalogue;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::app::{App, Options};
use crate::routes::router;

/// The most connections at a time; more wait to be taken.
const CONNECTIONS: usize = 1024;
/// How long the head of a request, or the next request of a connection, may take.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// How often a running server asks whether to stop.
const HEARTBEAT: Duration = Duration::from_millis(100);

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
    /// let options = Options {
    ///     program: "kanzen".to_owned(),
    ///     data: data.path().to_owned(),
    ///     budget: kanzen::Budget::new(2, 1 << 30),
    ///     checkpoint_every: std::time::Duration::from_secs(300),
    ///     allow_solve: false,
    /// };
    /// let games = std::sync::Arc::new(kanzen_games::catalogue::Games);
    /// let server = Server::bind("127.0.0.1:0".parse()?, games, options)?;
    /// assert_ne!(server.address().port(), 0);
    /// server.run(|| true)?; // asked to stop at once
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bind(address: SocketAddr, games: Arc<dyn Catalogue>, options: Options) -> Result<Server, ServeError> {
        if options.allow_solve && !address.ip().is_loopback() {
            return Err(ServeError::NotLoopback { address });
        }
        let listen = || {
            let listener = std::net::TcpListener::bind(address)?;
            listener.set_nonblocking(true)?;
            Ok((listener.local_addr()?, listener))
        };
        let (address, listener) = listen().map_err(|source| ServeError::Address { address, source })?;
        Ok(Server { listener, address, app: Arc::new(App::new(games, options)) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until told to stop. A solve at work then writes its checkpoint first.
    pub fn run(self, stop: impl Fn() -> bool) -> Result<(), ServeError> {
        let threads = self.app.options.budget.threads;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build();
        let runtime = runtime.map_err(ServeError::Start)?;
        let app = self.app.clone();
        runtime.block_on(async {
            let listener = TcpListener::from_std(self.listener).map_err(ServeError::Start)?;
            tokio::spawn(accept(listener, app.clone()));
            while !stop() {
                tokio::time::sleep(HEARTBEAT).await;
            }
            app.jobs.close();
            while app.jobs.busy() {
                tokio::time::sleep(HEARTBEAT).await;
            }
            Ok(())
        })?;
        runtime.shutdown_timeout(Duration::from_secs(1));
        Ok(())
    }
}

async fn accept(listener: TcpListener, app: Arc<App>) {
    let router = router(app);
    let connection_permits = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(permit) = connection_permits.clone().acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // Out of file handles, or gone before it was taken: others may do better.
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            }
        };
        stream.set_nodelay(true).ok();
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                // Who has said all they want to say is still answered.
                .half_close(true)
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIME)
                .serve_connection(TokioIo::new(stream), service);
            // A visitor who breaks off is no concern of ours.
            connection.await.ok();
            drop(permit);
        });
    }
}
