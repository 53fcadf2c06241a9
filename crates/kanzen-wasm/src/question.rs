//! Questions and answers as JSON: those of the HTTP API, and what the page and the session say to each other.

use kanzen::catalogue::Wanted;
use kanzen::{Error, ErrorKind};
use serde::Deserialize;
use serde_json::json;

/// A question about a game. Parameters are those of the HTTP API, and so are the answers.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// What is asked for.
    pub ask: Ask,
    /// The game.
    pub game: String,
    /// A position; the initial one if there is none.
    pub position: Option<String>,
    /// With a probe, how far somebody reads from whom slips are hidden; not given, they are not counted.
    pub traps: Option<u16>,
    /// Who replies: a style, or a model of a fallible player.
    pub style: Option<String>,
    /// Who replies: a level from 1 to 8 instead.
    pub level: Option<String>,
    /// What the lots of a reply are drawn from.
    #[serde(default)]
    pub seed: u64,
    /// The file that bytes are of.
    #[serde(default)]
    pub file: String,
    /// Where they begin.
    #[serde(default)]
    pub from: u64,
}

/// What can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ask {
    /// What the board looks like, and where play starts.
    #[default]
    View,
    /// The moves of a position by the rules alone.
    Moves,
    /// Opens the database: the bytes of its pack come with it.
    Open,
    /// Keeps bytes that were fetched: they come with it.
    Keep,
    /// A position and each of its moves.
    Probe,
    /// Best play.
    Line,
    /// The move of a style, of a model or of a level.
    Reply,
}

/// What comes of a question.
#[derive(Clone, PartialEq, Debug)]
pub enum Answered {
    /// The answer, the JSON that the HTTP API gives.
    Answer(String),
    /// The game is not open: its pack is wanted.
    NotOpen,
    /// Bytes that are lacking: kept, the same question can be asked again.
    Lacking(Vec<Wanted>),
    /// It cannot be answered: the status of the HTTP API, and a sentence.
    Refused(u16, String),
}

impl Answered {
    /// The answer to a question that is none, but an order.
    pub(crate) fn done() -> Answered {
        Answered::Answer("null".to_owned())
    }

    /// What the page reads.
    pub fn to_json(&self) -> String {
        match self {
            Answered::Answer(answer) => format!(r#"{{"answer":{answer}}}"#),
            Answered::NotOpen => r#"{"open":true}"#.to_owned(),
            Answered::Lacking(wanted) => {
                let range = |Wanted { file, from, to }: &Wanted| json!({ "file": file, "from": from, "to": to });
                json!({ "wanted": wanted.iter().map(range).collect::<Vec<_>>() }).to_string()
            }
            Answered::Refused(status, error) => json!({ "status": status, "error": error }).to_string(),
        }
    }

    /// A refusal in the words of the library, with the status that the HTTP API gives it.
    pub fn refused(error: &Error) -> Answered {
        let status = match error.kind() {
            ErrorKind::BadInput => 400,
            ErrorKind::UnknownGame | ErrorKind::NotSolved | ErrorKind::NotStored => 404,
            ErrorKind::TooLong | ErrorKind::TooLarge | ErrorKind::Stopped | ErrorKind::NotFetched => 503,
            ErrorKind::AlreadySolved | ErrorKind::Busy | ErrorKind::Damaged | ErrorKind::System | ErrorKind::Bug => 500,
        };
        Answered::Refused(status, error.to_string())
    }
}
