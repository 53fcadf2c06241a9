//! Python bindings of Kanzen: solved games as arrays, tables and objects.
//!
//! ```text
//! kanzen (python/kanzen)   pure Python: rules as classes, regret, progress, adapters, type stubs
//! kanzen._kanzen (here)    native code: games, positions, batches, tables
//! ```
//!
//! Long work runs on worker threads without the GIL. The calling thread checks for Ctrl-C and reports progress (`watch`).

mod arrow;

mod batches;
mod convert;
mod errors;
mod find;
mod game;
mod games;

mod position;
mod rules;
mod server;
mod table;
mod watch;

use pyo3::prelude::*;

/// The native module.
#[pymodule]
mod _kanzen {
    #[pymodule_export]
    use crate::find::Scan;
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::games::{games, open_game};
    #[pymodule_export]
    use crate::position::{Move, Position};
    #[pymodule_export]
    use crate::rules::open_rules;
    #[pymodule_export]
    use crate::server::Server;
    #[pymodule_export]
    use crate::table::Table;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
