//! The tests of the HTTP API that depend neither on time nor on being alone.

#[path = "../common/mod.rs"]
mod common;
mod schema;

mod api;
mod caching;
mod deadlines;
mod openapi;
mod played;
mod queries;
mod reply;
