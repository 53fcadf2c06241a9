//! The page: its files are part of the program.

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::refusal::Refusal;

/// A file that is part of the program; `build.rs` lists them, ordered by name.
pub struct File {
    /// With the folders it is in, as in an address.
    pub name: &'static str,
    /// What is in it.
    pub bytes: &'static [u8],
    /// Tells versions of it apart.
    hash: u64,
}

impl File {
    /// The file of a name, if there is one.
    pub fn find(files: &'static [File], name: &str) -> Option<&'static File> {
        files.iter().find(|file| file.name == name)
    }
}

const PAGE: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));
/// The JSON Schemas of what the command answers.
pub const SCHEMAS: &[File] = include!(concat!(env!("OUT_DIR"), "/schemas.rs"));

/// The reader for browsers, with which the page needs no server; empty if this program was built without.
pub const WASM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/kanzen.wasm"));

/// The files of the page by their names, for a site that is written without a server.
pub fn page_files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    PAGE.iter().map(|file| (file.name, file.bytes))
}

/// The one file that other pages may show in a frame: a board, on which nothing can be started.
const EMBEDDED: &str = "embed.html";
const EMBEDDED_POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
                               form-action 'none'; frame-ancestors *";

/// Whatever is no question of the API.
pub async fn file(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") || path == "api" {
        return Refusal::not_found(format!("there is no {}: see /api/openapi.json", uri.path())).into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "the page can only be read").into_response();
    }
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(file) = File::find(PAGE, path) else {
        return Refusal::not_found(format!("there is no {}", uri.path())).into_response();
    };
    let tag = format!("\"{:016x}\"", file.hash);
    // Kept by the browser, but asked for each time: a new version of the program has a new page.
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()) == Some(tag.as_str());
    let headers = [(header::ETAG, tag), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if known {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let mut response = (headers, [(header::CONTENT_TYPE, kind(path))], file.bytes).into_response();
    if path == EMBEDDED {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(EMBEDDED_POLICY));
    }
    response
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
