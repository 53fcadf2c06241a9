//! JSON Schemas of what the command answers with `--json`: files that are part of the program, like the page.
//!
//! What is also an answer of the API is described there, and a schema refers to it: `../openapi.json` from where it is
//! served.

use axum::Json;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::asked;
use crate::assets::{File, SCHEMAS};
use crate::refusal::Refusal;

/// `GET /api/schemas`: their names.
pub async fn names(_: asked::Nothing) -> Response {
    let names: Vec<&str> = SCHEMAS.iter().map(|file| file.name).collect();
    ([(header::CACHE_CONTROL, "no-cache")], Json(names)).into_response()
}

/// `GET /api/schemas/NAME`: one of them.
pub async fn schema(Path(name): Path<String>, _: asked::Nothing) -> Result<Response, Refusal> {
    let file = File::find(SCHEMAS, &name);
    let file = file.ok_or_else(|| Refusal::not_found(format!("there is no schema {name:?}: see /api/schemas")))?;
    let headers = [(header::CONTENT_TYPE, "application/schema+json"), (header::CACHE_CONTROL, "no-cache")];
    Ok((headers, file.bytes).into_response())
}
