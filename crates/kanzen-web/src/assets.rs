//! Serves the files embedded in the program: the page and the JSON Schemas.

use axum::Json;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::params::NoParams;
use crate::refusal::Refusal;

/// An embedded file; `build.rs` lists them in the order of their names.
pub struct File {
    /// Its path below the folder.
    pub name: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
    /// A hash of the content, for its ETag.
    hash: u64,
}

impl File {
    /// Returns the file of a name.
    pub fn find(files: &'static [File], name: &str) -> Option<&'static File> {
        files.iter().find(|file| file.name == name)
    }
}

const PAGE: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));
/// JSON Schemas of the `--json` output of the command. A schema refers to types of the API as `../openapi.json`.
const SCHEMAS: &[File] = include!(concat!(env!("OUT_DIR"), "/schemas.rs"));

/// A hash of the OpenAPI description, for its ETag.
pub const OPENAPI_HASH: u64 = include!(concat!(env!("OUT_DIR"), "/openapi.rs"));

/// The WebAssembly reader, which lets the page run without a server. Empty if the program was built without it.
pub const WASM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/kanzen.wasm"));

/// Returns the files of the page by name, for a static site.
pub fn page_files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    PAGE.iter().map(|file| (file.name, file.bytes))
}

/// The only file that other sites may frame. It shows a board and cannot start work.
const EMBEDDED: &str = "embed.html";
const EMBEDDED_POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
                               form-action 'none'; frame-ancestors *";

/// Serves a file of the page, for every path outside the API.
pub async fn file(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") || path == "api" {
        return Refusal::not_found(format!("there is no {}: see /api/openapi.json", uri.path())).into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "the page is read-only").into_response();
    }
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(file) = File::find(PAGE, path) else {
        return Refusal::not_found(format!("there is no {}", uri.path())).into_response();
    };
    let mut response = tagged(&headers, file.hash, content_type(path), file.bytes);
    // Also with a 304: its headers replace those of the stored response.
    if path == EMBEDDED {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(EMBEDDED_POLICY));
    }
    response
}

/// `GET /api/schemas`: returns the names of all schemas.
pub async fn schema_names(_: NoParams) -> Response {
    let names: Vec<&str> = SCHEMAS.iter().map(|file| file.name).collect();
    ([(header::CACHE_CONTROL, "no-cache")], Json(names)).into_response()
}

/// `GET /api/schemas/NAME`: returns one schema.
pub async fn schema(Path(name): Path<String>, headers: HeaderMap, _: NoParams) -> Result<Response, Refusal> {
    let file = File::find(SCHEMAS, &name);
    let file = file.ok_or_else(|| Refusal::not_found(format!("there is no schema {name:?}: see /api/schemas")))?;
    Ok(tagged(&headers, file.hash, "application/schema+json", file.bytes))
}

/// Responds with bytes of a program version, or with 304 if the client has them. Caches revalidate them each time, since a
/// new version of the program has others.
pub fn tagged(headers: &HeaderMap, hash: u64, kind: &'static str, bytes: &'static [u8]) -> Response {
    // Weak: compressed and plain, the bytes differ.
    let tag = format!("W/\"{hash:016x}\"");
    let fresh = has_tag(headers, &tag);
    let headers = [(header::ETAG, tag), (header::CACHE_CONTROL, "no-cache".to_owned())];
    match fresh {
        true => (StatusCode::NOT_MODIFIED, headers).into_response(),
        false => (headers, [(header::CONTENT_TYPE, kind)], bytes).into_response(),
    }
}

/// Returns whether `If-None-Match` has a tag, by the weak comparison of RFC 9110: alone, in a list, or as `*`.
pub fn has_tag(headers: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let lists = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|list| list.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|known| known.trim() == "*" || opaque(known) == opaque(tag))
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
