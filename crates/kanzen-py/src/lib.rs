//! Kanzen for Python: the same answers as arrays, tables and objects.
//!
//! ```text
//! kanzen (python/kanzen)   what is Python's own: rules as classes, regret, progress, adapters, the types
//! kanzen._kanzen (here)    games, positions, batches, tables; every answer is the catalogue's
//! ```
//!
//! Long work runs on threads of its own, without the interpreter's lock; the calling thread listens for Ctrl-C and tells
//! how far it is (`watch`).

mod arrow;
mod asked;
mod batches;
mod column;
mod errors;
mod find;
mod game;
mod games;
mod json;
mod position;
mod rules;
mod server;
mod table;
mod watch;
mod whole;

use pyo3::prelude::*;

/// What `kanzen` is made of.
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
