//! The class `Server`: the explorer's web page for one open game.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;

use kanzen::catalogue::{Catalogue, Entry};
use kanzen_web::{Options, Server as Explorer};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::game::Opened;

/// A catalogue of one game.
struct One(Arc<Entry>);

impl Catalogue for One {
    fn all(&self) -> Vec<Arc<Entry>> {
        vec![self.0.clone()]
    }
}

/// A web server that shows a game until it is stopped or the program exits.
#[pyclass(module = "kanzen")]
pub struct Server {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    running: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server on the loopback address.
    pub fn start(opened: &Opened, port: u16) -> PyResult<Server> {
        let options = Options::new("kanzen", &opened.data, opened.budget);
        let explorer = Explorer::bind(([127, 0, 0, 1], port).into(), Arc::new(One(opened.entry.clone())), options);
        let explorer = explorer.map_err(|error| PyOSError::new_err(error.to_string()))?;
        let (address, stop) = (explorer.address(), Arc::new(AtomicBool::new(false)));
        let flag = stop.clone();
        // Later errors only show as a page that does not load.
        let running = std::thread::spawn(move || drop(explorer.run(|| flag.load(Relaxed))));
        Ok(Server { address, stop, running: Some(running) })
    }
}

#[pymethods]
impl Server {
    /// The URL of the page.
    #[getter]
    fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Stops the server after it has completed the requests in flight.
    fn stop(&mut self, py: Python<'_>) {
        self.stop.store(true, Relaxed);
        if let Some(running) = self.running.take() {
            py.detach(|| drop(running.join()));
        }
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __exit__(
        &mut self,
        py: Python<'_>,
        _kind: Bound<'_, PyAny>,
        _exception: Bound<'_, PyAny>,
        _traceback: Bound<'_, PyAny>,
    ) {
        self.stop(py);
    }

    fn __repr__(&self) -> String {
        format!("<kanzen at {}>", self.url())
    }
}
