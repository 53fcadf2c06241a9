//! Why a request is not answered: a status and one sentence, as `{"error": "..."}`.

use std::path::Path;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use kanzen::Error;
use serde_json::json;

/// A refusal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub status: StatusCode,
    pub text: String,
}

impl Refusal {
    pub fn new(status: StatusCode, text: impl Into<String>) -> Refusal {
        Refusal { status, text: text.into() }
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

    /// Files are named as they are within the data folder: visitors need not know where that is.
    pub fn without_folder(mut self, data: &Path) -> Refusal {
        let folder = data.display().to_string();
        self.text = self.text.replace(&format!("{folder}/"), "").replace(&folder, "the data folder");
        self
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        let status = match &error {
            Error::NotSolved { .. } => StatusCode::NOT_FOUND,
            Error::Busy { .. } | Error::AlreadySolved { .. } => StatusCode::CONFLICT,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Refusal::new(status, error.to_string())
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        match error {
            Error::Store(error) => error.into(),
            Error::Search(error) => error.into(),
            Error::BadPosition { .. } | Error::NotStored { .. } | Error::NoSuchMove { .. } => {
                Refusal::bad(error.to_string())
            }
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        match error {
            Error::Store(error) => error.into(),
            Error::TooLong => Refusal::new(StatusCode::NOT_FOUND, error.to_string()),
            Error::Memory { .. } | Error::Disk { .. } | Error::Stopped => {
                Refusal::new(StatusCode::CONFLICT, error.to_string())
            }
            Error::Rules(_) | Error::Threads(_) => Refusal::internal(error.to_string()),
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        match error {
            Error::Solve(error) => error.into(),
            Error::Query(error) => error.into(),
            Error::Store(error) => error.into(),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
        (self.status, headers, json!({ "error": self.text }).to_string()).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visitors_do_not_see_where_the_data_is() {
        let data = Path::new("/home/ada/data");
        let absent = Error::NotSolved { game: "ostle".into(), folder: data.to_owned() };
        let refusal = Refusal::from(absent).without_folder(data);
        assert_eq!(refusal.status, StatusCode::NOT_FOUND);
        assert_eq!(refusal.text, "ostle is not solved in the data folder: run `kanzen solve ostle`");
        let damaged = Error::Damaged { path: data.join("ostle/class-0.plane"), place: "block 3".into() };
        let refusal = Refusal::from(Error::Store(damaged)).without_folder(data);
        assert_eq!(refusal.status, StatusCode::INTERNAL_SERVER_ERROR);
        assert!(refusal.text.starts_with("ostle/class-0.plane is damaged at block 3"), "{}", refusal.text);
    }
}
