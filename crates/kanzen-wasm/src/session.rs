//! Games that are asked about, and what is there of their databases.

use std::collections::HashMap;
use std::sync::Arc;

use kanzen::Error;
use kanzen::catalogue::{Fetched, Fetching, GameView, Reader, Solved};
use kanzen::query::Player;
use serde::Serialize;

use crate::games::find;
use crate::{Answered, Ask, Question};

/// All that a worker knows.
#[derive(Default)]
pub struct Session {
    games: HashMap<String, Game>,
}

/// A game, and its database as far as it is there.
struct Game {
    rules: Arc<Reader>,
    database: Option<Fetched>,
}

impl Session {
    /// Answers a question in JSON, which may come with bytes.
    pub fn call(&mut self, question: &[u8], bytes: &[u8]) -> String {
        let answered = match serde_json::from_slice(question) {
            Ok(question) => self.ask(question, bytes),
            Err(wrong) => Answered::Refused(400, wrong.to_string()),
        };
        answered.to_json()
    }

    /// Answers a question, which may come with bytes.
    pub fn ask(&mut self, question: Question, bytes: &[u8]) -> Answered {
        self.answer(question, bytes).unwrap_or_else(|error| Answered::refused(&error))
    }

    fn answer(&mut self, question: Question, bytes: &[u8]) -> Result<Answered, Error> {
        let Question { position, traps, style, level, seed, file, from, .. } = question;
        let (game, position) = (self.game(&question.game)?, position.as_deref());
        match question.ask {
            Ask::View => told(&GameView::of(&*game.rules)).map(Answered::Answer),
            Ask::Moves => told(&game.rules.moves(position)?).map(Answered::Answer),
            Ask::Open => {
                game.database = Some(Fetched::new(&*game.rules, bytes.to_vec())?);
                Ok(Answered::done())
            }
            Ask::Keep => match &game.database {
                Some(database) => database.keep(&file, from, bytes).map(|()| Answered::done()),
                None => Ok(Answered::NotOpen),
            },
            Ask::Probe => match traps {
                Some(reads) => game.look_up(|solved| told(&solved.at(position)?.probe_traps(reads)?)),
                None => match game.start(position) {
                    Some(start) => Ok(Answered::Answer(start.to_owned())),
                    None => game.look_up(|solved| told(&solved.at(position)?.probe()?)),
                },
            },
            Ask::Line => game.look_up(|solved| told(&solved.at(position)?.line()?)),
            Ask::Reply => {
                let player = Player::asked(style.as_deref(), level.as_deref())?;
                game.look_up(|solved| told(&solved.at(position)?.reply(player, &[], seed)?))
            }
        }
    }

    /// A game by name, as far as it is known.
    fn game(&mut self, id: &str) -> Result<&mut Game, Error> {
        if !self.games.contains_key(id) {
            self.games.insert(id.to_owned(), Game { rules: find(id)?, database: None });
        }
        self.games.get_mut(id).ok_or_else(|| Error::UnknownGame { id: id.to_owned() })
    }
}

impl Game {
    /// What a probe tells, if it is of the initial position and the pack has it.
    fn start(&self, position: Option<&str>) -> Option<&str> {
        let start = self.database.as_ref()?.start()?;
        position.is_none_or(|position| position == self.rules.initial()).then_some(start)
    }

    fn look_up(&mut self, ask: impl FnOnce(&Solved) -> Result<String, Error>) -> Result<Answered, Error> {
        let Some(database) = &mut self.database else { return Ok(Answered::NotOpen) };
        Ok(match database.ask(&*self.rules, ask)? {
            Fetching::Answered(answer) => Answered::Answer(answer),
            Fetching::Lacking(wanted) => Answered::Lacking(wanted),
        })
    }
}

fn told(answer: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(answer).map_err(|wrong| Error::Rules(wrong.to_string()))
}
