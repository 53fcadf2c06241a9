//! The explorer: the HTTP API of Kanzen, and a page that shows boards, values and best play.
//!
//! ```text
//! browser --HTTP--> server (connections, by address) --> routes --> api (questions) --> catalogue, query
//!                                                         |         '- lanes (places to work)
//!                                                         '------> assets (the page, embedded in the program)
//! ```
//!
//! Nothing but the embedded page and the data folder can be read through it. It writes only when a solve is asked for,
//! and takes that only if it was started with leave to solve, on a loopback address.

mod api;
mod app;
mod asked;
mod assets;
mod callers;
mod guard;
mod job;
mod lanes;
mod log;
mod metrics;
mod open_games;
mod options;
mod provenance;
mod refusal;
mod routes;
mod schemas;
mod search;
mod server;
mod stream;
mod visitor;

pub use assets::{WASM, page_files};
pub use open_games::EXAMPLES;
pub use options::{Limits, Options};
pub use provenance::Source;
pub use server::{ServeError, Server};

/// The description of the API that `/api/openapi.json` serves.
pub const OPENAPI: &str = include_str!("../openapi.json");
