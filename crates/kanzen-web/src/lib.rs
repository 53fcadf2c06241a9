//! The explorer: the HTTP API of Kanzen, and a page that shows boards, values and best play.
//!
//! ```text
//! browser --HTTP--> server (connections) --> routes --> api (questions) --> catalogue, query
//!                                              |------> assets (the page, embedded in the program)
//! ```
//!
//! Nothing but the embedded page and the data folder can be read through it. It writes only when a solve is asked for,
//! and takes that only if it was started with leave to solve, on a loopback address.

mod api;
mod app;
mod assets;
mod job;
mod refusal;
mod routes;
mod search;
mod server;

pub use app::Options;
pub use server::{ServeError, Server};

/// The description of the API that `/api/openapi.json` serves.
pub const OPENAPI: &str = include_str!("../openapi.json");
