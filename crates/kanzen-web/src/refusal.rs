//! Error responses: a status, one sentence and a code for programs, as `{"error": "...", "code": "..."}`.
//!
//! Maps the kind of a library error to an HTTP status, and its advice to words.

use std::path::{Path, PathBuf};

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kanzen::{Advice, Error, ErrorKind};
use kanzen_core::human_bytes;
use serde_json::json;

/// The `Retry-After` value of a 503, in seconds.
const RETRY_SECONDS: HeaderValue = HeaderValue::from_static("10");

/// An error response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub status: StatusCode,
    pub text: String,
    /// The kind of error, for programs; the API description lists all.
    pub code: &'static str,
}

impl Refusal {
    pub fn new(status: StatusCode, text: impl Into<String>) -> Refusal {
        Refusal { status, text: text.into(), code: code_of_status(status) }
    }

    pub fn bad(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, text)
    }

    pub fn not_found(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, text)
    }

    pub fn internal(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, text)
    }

    /// Converts a library error. The advice names the command `program`. Paths are relative to the data folder, whose
    /// location is not disclosed.
    pub fn of(mut error: Error, program: &str, data: &Path) -> Refusal {
        if let Some(path) = error.path_mut() {
            *path = within(data, path);
        }
        let mut text = error.to_string();
        if let Some(advice) = error.advice() {
            text += &format!(": {}", in_words(&advice, program));
        }
        Refusal { status: status(&error), text, code: code(error.kind()) }
    }
}

/// Returns a path without the location of the data folder: relative to it, or the file name alone.
fn within(data: &Path, path: &Path) -> PathBuf {
    match path.strip_prefix(data) {
        Ok(inside) if inside.as_os_str().is_empty() => "the data folder".into(),
        Ok(inside) => inside.to_owned(),
        Err(_) => path.file_name().map_or("a file".into(), PathBuf::from),
    }
}

/// `EMFILE` and `ENFILE`: too many open files in the process or on the machine.
const TOO_MANY_FILES: [i32; 2] = [24, 23];

/// Returns the HTTP status of an error.
fn status(error: &Error) -> StatusCode {
    // File handles may be free again in a moment.
    if let Error::Io { source, .. } = error
        && source.raw_os_error().is_some_and(|code| TOO_MANY_FILES.contains(&code))
    {
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    match error.kind() {
        ErrorKind::BadInput => StatusCode::BAD_REQUEST,
        ErrorKind::UnknownGame | ErrorKind::NotSolved | ErrorKind::NotStored => StatusCode::NOT_FOUND,
        ErrorKind::AlreadySolved => StatusCode::CONFLICT,
        ErrorKind::TooLong | ErrorKind::Busy | ErrorKind::TooLarge | ErrorKind::Stopped | ErrorKind::NotFetched => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        ErrorKind::Damaged | ErrorKind::System | ErrorKind::Bug => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Returns the code of an error of the library.
fn code(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::BadInput => "bad_input",
        ErrorKind::UnknownGame => "unknown_game",
        ErrorKind::NotSolved => "not_solved",
        ErrorKind::NotStored => "not_stored",
        ErrorKind::AlreadySolved => "conflict",
        ErrorKind::TooLong => "too_long",
        ErrorKind::TooLarge => "too_large",
        ErrorKind::Busy | ErrorKind::Stopped | ErrorKind::NotFetched => "busy",
        ErrorKind::Damaged => "damaged",
        ErrorKind::System => "system",
        ErrorKind::Bug => "internal",
    }
}

/// Returns the code of an error of the server.
fn code_of_status(status: StatusCode) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST => "bad_input",
        StatusCode::FORBIDDEN => "forbidden",
        StatusCode::NOT_FOUND => "not_found",
        StatusCode::METHOD_NOT_ALLOWED => "method_not_allowed",
        StatusCode::REQUEST_TIMEOUT => "too_slow",
        StatusCode::CONFLICT => "conflict",
        StatusCode::PAYLOAD_TOO_LARGE => "too_large",
        StatusCode::SERVICE_UNAVAILABLE => "busy",
        _ => "internal",
    }
}

/// Puts advice into words. The client may be the user who started the server.
fn in_words(advice: &Advice, program: &str) -> String {
    match advice {
        Advice::ListGames => "/api/games lists all games".to_owned(),
        Advice::Solve(game) => format!("run `{program} solve {game}`"),
        Advice::MoreMemory(bytes) => format!("the server would need a --memory of {}", human_bytes(*bytes)),
        Advice::FewerThreads => "the server would need fewer --threads".to_owned(),
        Advice::GoOn => "a retry resumes where it stopped".to_owned(),
        Advice::NearerTheEnd => "query a position closer to the end of the game".to_owned(),
        Advice::RestoreOrSolveAgain => "restore it, or remove its folder and solve again".to_owned(),
        Advice::SampleOrAll => "narrow the query, or use the command line".to_owned(),
        Advice::SolveAgain { .. } => "remove its folder and solve again".to_owned(),
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
        let mut response =
            (self.status, headers, json!({ "error": self.text, "code": self.code }).to_string()).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_SECONDS);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(error: Error) -> (u16, String) {
        let Refusal { status, text, .. } = Refusal::of(error, "dodgem", Path::new("/home/ada/data"));
        (status.as_u16(), text)
    }

    #[test]
    fn errors_name_the_program_and_hide_the_data_folder() {
        let absent = Error::NotSolved { game: "ostle".into(), folder: "/home/ada/data".into() };
        let text = "ostle is not solved in the data folder: run `dodgem solve ostle`";
        assert_eq!(refused(absent), (404, text.to_owned()));
        let damaged = Error::damaged(Path::new("/home/ada/data/ostle/class-0.plane"), "block 3");
        let text = "ostle/class-0.plane is damaged at block 3: restore it, or remove its folder and solve again";
        assert_eq!(refused(damaged), (500, text.to_owned()));
        let unknown = Error::UnknownGame { id: "go".into() };
        assert_eq!(refused(unknown), (404, "unknown game \"go\": /api/games lists all games".to_owned()));
    }

    #[test]
    fn no_error_discloses_the_data_folder() {
        let shown = |data: &str, path: &str| {
            let missing = Error::Missing { path: path.into() };
            Refusal::of(missing, "dodgem", Path::new(data)).text.split(" is missing").next().unwrap().to_owned()
        };
        assert_eq!(shown(".", "./ostle/keys"), "ostle/keys");
        assert_eq!(shown("", "ostle/keys"), "ostle/keys");
        assert_eq!(shown("/", "/ostle/keys"), "ostle/keys");
        assert_eq!(shown("/home/ada/data/", "/home/ada/data/ostle/keys"), "ostle/keys");
        // Outside the data folder, for example if that is a resolved symbolic link.
        assert_eq!(shown("/home/ada/data", "/mnt/big/ostle/keys"), "keys");
        assert_eq!(shown("/home/ada/data", "/"), "a file");
    }

    #[test]
    fn too_many_open_files_is_a_503() {
        let source = std::io::Error::from_raw_os_error(24);
        let refused = Refusal::of(Error::Io { action: "open", path: "x".into(), source }, "dodgem", Path::new("y"));
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    }

    #[test]
    fn each_error_kind_has_its_status() {
        let reason = kanzen::BadPosition::new("no rows");
        let (game, position) = ("go".to_owned(), ".".to_owned());
        assert_eq!(refused(Error::BadPosition { game: game.clone(), reason }).0, 400);
        assert_eq!(refused(Error::NotStored { game: game.clone(), position }).0, 404);
        assert_eq!(refused(Error::AlreadySolved { game, folder: "x".into() }).0, 409);
        assert_eq!(refused(Error::Busy { folder: "x".into() }).0, 503);
        assert_eq!(refused(Error::Rules("two winners".into())).0, 500);
    }

    #[test]
    fn a_503_has_a_retry_after_header() {
        let (status, text) = refused(Error::TooLong);
        assert_eq!(status, 503);
        assert_eq!(text, "the search for this score takes too long: query a position closer to the end of the game");
        let response = Refusal::of(Error::TooLong, "dodgem", Path::new("x")).into_response();
        assert_eq!(response.headers().get(header::RETRY_AFTER), Some(&RETRY_SECONDS));
        assert_eq!(Refusal::bad("no").into_response().headers().get(header::RETRY_AFTER), None);
    }
}
