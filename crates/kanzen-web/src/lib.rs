//! The explorer: an HTTP server for solved games, with a JSON API and a web page that shows boards, values and best play.
//!
//! ```text
//! browser --HTTP--> server (connections) --> routes --> api (handlers) --> catalogue, query
//!                                              |         '- client, admission (concurrency limits)
//!                                              '------> assets (embedded page and schemas)
//! ```
//!
//! The server exposes the embedded page and the data folder, nothing else. It writes only when a client starts a solve,
//! which needs `--allow-solve` and a loopback address.

mod admission;
mod api;
mod app;
mod assets;
mod client;
mod job;
mod open_games;
mod options;
mod origin_check;
mod params;
mod refusal;
mod routes;
mod search;
mod server;
mod stream;
mod telemetry;

pub use api::Source;
pub use assets::{WASM, page_files};
pub use open_games::EXAMPLES;
pub use options::{Limits, Options};

pub use server::{ServeError, Server};

/// The OpenAPI description, also served at `/api/openapi.json`.
pub const OPENAPI: &str = include_str!("../openapi.json");
