//! A session: answers JSON questions about games and tracks the fetched parts of their databases.

use std::collections::HashMap;
use std::sync::Arc;

use kanzen::catalogue::{Fetched, Fetching, GameView, Reader, Solved, Wanted};
use kanzen::{Error, ErrorKind};
use kanzen_query::Player;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The state of a worker: games and their fetched data.
#[derive(Default)]
pub struct Session {
    games: HashMap<String, Game>,
}

/// A game and the fetched part of its database.
struct Game {
    rules: Arc<Reader>,
    database: Option<Fetched>,
}

impl Session {
    /// Answers a question in JSON, with optional binary data.
    pub fn call(&mut self, question: &[u8], bytes: &[u8]) -> String {
        let answered = match serde_json::from_slice(question) {
            Ok(question) => self.ask(question, bytes),
            Err(wrong) => Answered::Refused(400, wrong.to_string()),
        };
        answered.to_json()
    }

    /// Answers a question, with optional binary data.
    pub fn ask(&mut self, question: Question, bytes: &[u8]) -> Answered {
        self.answer(question, bytes).unwrap_or_else(|error| Answered::refused(&error))
    }

    fn answer(&mut self, question: Question, bytes: &[u8]) -> Result<Answered, Error> {
        let Question { position, traps, style, level, seed, file, from, .. } = question;
        let (game, position) = (self.game(&question.game)?, position.as_deref());
        match question.ask {
            Ask::View => to_json(&GameView::of(&game.rules)).map(Answered::Answer),
            Ask::Moves => to_json(&game.rules.moves(position)?).map(Answered::Answer),
            Ask::Open => {
                game.database = Some(Fetched::new(&game.rules, bytes.to_vec())?);
                Ok(Answered::done())
            }
            Ask::Keep => match &game.database {
                Some(database) => database.keep(&file, from, bytes).map(|()| Answered::done()),
                None => Ok(Answered::NotOpen),
            },
            Ask::Probe => match traps {
                Some(reads) => game.look_up(|solved| to_json(&solved.at(position)?.probe_traps(reads)?)),
                None => match game.start(position) {
                    Some(start) => Ok(Answered::Answer(start.to_owned())),
                    None => game.look_up(|solved| to_json(&solved.at(position)?.probe()?)),
                },
            },
            Ask::Line => game.look_up(|solved| to_json(&solved.at(position)?.line()?)),
            Ask::Reply => {
                let player = Player::asked(style.as_deref(), level.as_deref())?;
                game.look_up(|solved| to_json(&solved.at(position)?.reply(player, &[], seed)?))
            }
        }
    }

    /// Returns a game by name, created on first use.
    fn game(&mut self, id: &str) -> Result<&mut Game, Error> {
        if !self.games.contains_key(id) {
            self.games.insert(id.to_owned(), Game { rules: kanzen_games::catalogue::reader(id)?, database: None });
        }
        self.games.get_mut(id).ok_or_else(|| Error::UnknownGame { id: id.to_owned() })
    }
}

impl Game {
    /// Returns the stored probe of the initial position, if `position` is that and the pack has it.
    fn start(&self, position: Option<&str>) -> Option<&str> {
        let start = self.database.as_ref()?.start()?;
        position.is_none_or(|position| position == self.rules.initial()).then_some(start)
    }

    fn look_up(&mut self, ask: impl FnOnce(&Solved) -> Result<String, Error>) -> Result<Answered, Error> {
        let Some(database) = &mut self.database else { return Ok(Answered::NotOpen) };
        Ok(match database.ask(&self.rules, ask)? {
            Fetching::Answered(answer) => Answered::Answer(answer),
            Fetching::Lacking(wanted) => Answered::Lacking(wanted),
        })
    }
}

fn to_json(answer: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(answer).map_err(|wrong| Error::Rules(wrong.to_string()))
}

/// A question about a game. Parameters are those of the HTTP API, and so are the answers.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The kind of question.
    pub ask: Ask,
    /// The game.
    pub game: String,
    /// A position; the initial one by default.
    pub position: Option<String>,
    /// For a probe, the search depth in plies that defines a hidden mistake. Without it, mistakes are not counted.
    pub traps: Option<u16>,
    /// The player who replies: a style or a model of a fallible player.
    pub style: Option<String>,
    /// The player who replies: a level from 1 to 8, instead of a style.
    pub level: Option<String>,
    /// The seed of random choices of a reply.
    #[serde(default)]
    pub seed: u64,
    /// The file of the attached bytes.
    #[serde(default)]
    pub file: String,
    /// The offset of the attached bytes in the file.
    #[serde(default)]
    pub from: u64,
}

/// The kinds of questions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ask {
    /// The board layout and the initial position.
    #[default]
    View,
    /// The legal moves of a position, without values.
    Moves,
    /// Opens the database. The bytes of its pack are attached.
    Open,
    /// Stores fetched bytes, which are attached.
    Keep,
    /// The value of a position and of each of its moves.
    Probe,
    /// Best play.
    Line,
    /// The move of a style, a model or a level.
    Reply,
}

/// The result of a question.
#[derive(Clone, PartialEq, Debug)]
pub enum Answered {
    /// The answer: the same JSON as in the HTTP API.
    Answer(String),
    /// The game is not open: fetch its pack first.
    NotOpen,
    /// Missing ranges: fetch and store them, then repeat the question.
    Lacking(Vec<Wanted>),
    /// An error: the status of the HTTP API and a message.
    Refused(u16, String),
}

impl Answered {
    /// The empty answer to a command.
    pub(crate) fn done() -> Answered {
        Answered::Answer("null".to_owned())
    }

    /// Serializes the result for the page.
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

    /// Converts a library error, with the status that the HTTP API uses.
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
