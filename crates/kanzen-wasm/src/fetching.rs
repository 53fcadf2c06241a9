//! What the worker of a page does, for tests and for those who measure: ask, fetch what is lacking, ask again.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use kanzen::catalogue::Wanted;
use serde_json::Value as Json;

use crate::{Answered, Ask, Question, Session};

/// What fetching took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Bytes of all answers.
    pub bytes: u64,
    /// How many requests: one for all ranges of a file that are fetched at once.
    pub requests: u64,
    /// How many ranges.
    pub ranges: u64,
    /// How often everything waited for requests.
    pub waves: u64,
}

/// A session whose files are in a folder.
pub struct Fetcher {
    session: Session,
    /// The files of a game.
    folder: PathBuf,
    pack: Vec<u8>,
    /// What was fetched so far.
    pub cost: Cost,
}

/// More rounds than any question takes.
const MOST_ROUNDS: u64 = 2000;

impl Fetcher {
    /// A session that has asked for nothing yet.
    pub fn new(folder: PathBuf, pack: Vec<u8>) -> Fetcher {
        Fetcher { session: Session::default(), folder, pack, cost: Cost::default() }
    }

    /// The answer to a question; `Err` has the status and the sentence of a refusal.
    pub fn ask(&mut self, question: &Question) -> io::Result<Result<Json, (u16, String)>> {
        for _ in 0..MOST_ROUNDS {
            match self.session.ask(question.clone(), &[]) {
                Answered::Answer(answer) => return Ok(Ok(serde_json::from_str(&answer)?)),
                Answered::Refused(status, text) => return Ok(Err((status, text))),
                Answered::NotOpen => {
                    self.cost.waves += 1;
                    self.cost.requests += 1;
                    self.fetched(self.pack.len() as u64);
                    let open = Question { ask: Ask::Open, game: question.game.clone(), ..Question::default() };
                    if let Answered::Refused(status, text) = self.session.ask(open, &self.pack) {
                        return Ok(Err((status, text)));
                    }
                }
                Answered::Lacking(wanted) => {
                    self.cost.waves += 1;
                    let files: HashSet<&str> = wanted.iter().map(|range| range.file.as_str()).collect();
                    self.cost.requests += files.len() as u64;
                    for Wanted { file, from, to } in wanted {
                        let mut bytes = vec![0; (to - from) as usize];
                        File::open(self.folder.join(&file))?.read_exact_at(&mut bytes, from)?;
                        self.fetched(to - from);
                        let keep =
                            Question { ask: Ask::Keep, game: question.game.clone(), file, from, ..Question::default() };
                        if let Answered::Refused(status, text) = self.session.ask(keep, &bytes) {
                            return Ok(Err((status, text)));
                        }
                    }
                }
            }
        }
        Err(io::Error::other("a question that never ends"))
    }

    fn fetched(&mut self, bytes: u64) {
        self.cost.ranges += 1;
        self.cost.bytes += bytes;
    }

    /// A position and each of its moves.
    pub fn probe(&mut self, game: &str, position: Option<&str>) -> io::Result<Result<Json, (u16, String)>> {
        let position = position.map(str::to_owned);
        self.ask(&Question { ask: Ask::Probe, game: game.to_owned(), position, ..Question::default() })
    }
}
