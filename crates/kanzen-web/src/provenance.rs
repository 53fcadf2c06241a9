//! Where answers come from, for those who cite them: the program, the rules, the database and its checksum.

use axum::response::Response;
use kanzen::store::{Manifest, sha256_of};
use serde::Serialize;

use crate::api::{json_bytes, sent_json};
use crate::asked::{Named, Nothing};
use crate::lanes::Lane;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

/// What a citation names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Provenance {
    game: String,
    /// The version of the program that answers.
    version: &'static str,
    /// The version of the store's format.
    format: u32,
    /// What tells the rules from others.
    rules: String,
    /// The SHA-256 of the manifest, which holds the digests of all other files: two databases of equal bytes have equal
    /// manifests.
    sha256: String,
    files: usize,
    bytes: u64,
}

/// `GET /api/GAME/provenance`: which database answers.
pub async fn provenance(visitor: Visitor, Named(game): Named, _: Nothing) -> Result<Response, Refusal> {
    let answer = visitor.work(Lane::Quick, move |app, _| {
        // What is not solved, or not by these rules, is refused as it is for every other question.
        app.solved(&game)?;
        let folder = app.options.data.join(&game);
        let failed = |error| app.failed(&game, error);
        let manifest = Manifest::read(&folder).map_err(failed)?;
        json_bytes(&Provenance {
            version: env!("CARGO_PKG_VERSION"),
            format: manifest.format,
            rules: format!("{:016x}", manifest.fingerprint),
            sha256: sha256_of(&folder.join(Manifest::FILE)).map_err(failed)?,
            files: manifest.files.len(),
            bytes: manifest.files.iter().map(|file| file.bytes).sum(),
            game: manifest.game,
        })
    });
    Ok(sent_json("no-store", answer.await?))
}
