//! Where answers come from, for those who cite them: the program, and the database that it asks.

use axum::response::Response;
use kanzen::catalogue::Provenance;
use serde::Serialize;

use crate::api::{json_bytes, sent_json};
use crate::asked::{Named, Nothing};
use crate::lanes::Lane;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

/// What a citation names.
#[derive(Serialize)]
pub struct Source {
    /// The version of the program that answers.
    version: &'static str,
    #[serde(flatten)]
    database: Provenance,
}

impl Source {
    /// This program, and a database.
    pub fn new(database: Provenance) -> Source {
        Source { version: env!("CARGO_PKG_VERSION"), database }
    }
}

/// `GET /api/GAME/provenance`: which program and which database answer.
pub async fn provenance(visitor: Visitor, Named(game): Named, _: Nothing) -> Result<Response, Refusal> {
    let answer = visitor.work(Lane::Quick, move |app, _| {
        // What is not solved, or not by these rules, is refused as it is for every other question.
        app.solved(&game)?;
        let database = app.find(&game)?.provenance(&app.options.data).map_err(|error| app.failed(&game, error))?;
        json_bytes(&Source::new(database))
    });
    Ok(sent_json("no-store", answer.await?))
}
