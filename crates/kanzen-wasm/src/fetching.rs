//! A native counterpart of the page's worker, for tests and measurements: ask, fetch missing bytes, ask again.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use kanzen::catalogue::Wanted;
use serde_json::Value as Json;

use crate::{Answered, Ask, Question, Session};

/// The cost of fetching.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Bytes fetched.
    pub bytes: u64,
    /// Requests. One request fetches several ranges of a file.
    pub requests: u64,
    /// Ranges fetched.
    pub ranges: u64,
    /// Round trips: batches of concurrent requests.
    pub waves: u64,
}

/// A session that reads its files from a folder.
pub struct Fetcher {
    session: Session,
    /// The files of a game.
    folder: PathBuf,
    pack: Vec<u8>,
    /// The cost so far.
    pub cost: Cost,
}

/// Maximum number of rounds, more than any question needs.
const MOST_ROUNDS: u64 = 2000;

impl Fetcher {
    /// Creates a fresh session.
    pub fn new(folder: PathBuf, pack: Vec<u8>) -> Fetcher {
        Fetcher { session: Session::default(), folder, pack, cost: Cost::default() }
    }

    /// Answers a question. The inner `Err` is an error response: its status and message.
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
        Err(io::Error::other("too many rounds"))
    }

    fn fetched(&mut self, bytes: u64) {
        self.cost.ranges += 1;
        self.cost.bytes += bytes;
    }

    /// Probes a position and each of its moves.
    pub fn probe(&mut self, game: &str, position: Option<&str>) -> io::Result<Result<Json, (u16, String)>> {
        let position = position.map(str::to_owned);
        self.ask(&Question { ask: Ask::Probe, game: game.to_owned(), position, ..Question::default() })
    }
}
