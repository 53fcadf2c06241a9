//! A game and the way it is solved, together an entry.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::entry::Longest;
use super::{Card, CatalogueError, Entry, Run, SolveReport, Solved, Verdict, fingerprint};
use crate::progress::{Event, Observer};
use crate::query::{self, AllPositions, Extent, Furthest, Line, Moves, Oracle, Probe, QueryError, Stats, Verification};
use crate::solve::SolveError;
use crate::store::{Database, Manifest, StoreError, WorkFolder, folder_bytes};
use crate::view::View;
use crate::{Budget, Game, machine};

/// How a game is solved and its database read.
pub trait Method<G: Game>: Send + Sync {
    /// Solves the game in a folder, going on from what is there already. The manifest returned describes what it
    /// leaves behind; the folder is then finished.
    fn solve(&self, game: &G, work: &WorkFolder, run: &Run<'_>) -> Result<Manifest, SolveError>;

    /// Opens a finished database.
    fn open(&self, game: &G, database: Database) -> Result<Box<dyn Oracle<G>>, QueryError>;

    /// The census in the layout of a published table, where there is one.
    fn published_csv(&self, _game: &G, _oracle: &dyn Oracle<G>) -> Option<Result<String, QueryError>> {
        None
    }
}

/// A game of the catalogue: its rules, its method and its card.
pub struct Catalogued<G, M> {
    card: Card,
    parts: Arc<(G, M)>,
    fingerprint: u64,
}

impl<G: Game + 'static, M: Method<G> + 'static> Catalogued<G, M> {
    /// An entry for a game.
    pub fn new(card: Card, game: G, method: M) -> Catalogued<G, M> {
        let fingerprint = fingerprint(&card.id, &game);
        Catalogued { card, parts: Arc::new((game, method)), fingerprint }
    }

    fn database(&self, data: &Path) -> Result<Database, CatalogueError> {
        Ok(Database::open(data, &self.card.id, self.fingerprint)?)
    }

    fn opened(&self, database: Database) -> Result<SolvedGame<G, M>, CatalogueError> {
        let oracle = self.parts.1.open(&self.parts.0, database)?;
        Ok(SolvedGame { id: self.card.id.clone(), parts: self.parts.clone(), oracle })
    }

    fn solve_anew(&self, data: &Path, run: &Run<'_>) -> Result<Database, CatalogueError> {
        run.budget.allows(&self.card.id, self.card.forecast.memory_bytes)?;
        self.room_on_disk(data)?;
        match WorkFolder::open_or_create(data, &self.card.id, self.fingerprint) {
            Ok(work) => {
                let manifest = self.parts.1.solve(&self.parts.0, &work, run);
                for loss in work.take_losses() {
                    let text = match loss {
                        StoreError::Damaged { path, place } => {
                            format!("{} was damaged at {place}: its work is done again", path.display())
                        }
                        other => other.to_string(),
                    };
                    run.observer.event(Event::Note { text: &text });
                }
                Ok(work.finish(&manifest?)?)
            }
            // A killed solve lacked only its last steps, and now has them.
            Err(StoreError::AlreadySolved { .. }) => self.database(data),
            Err(error) => Err(error.into()),
        }
    }

    fn room_on_disk(&self, data: &Path) -> Result<(), SolveError> {
        let needed = self.card.forecast.data_bytes;
        match machine::free_disk(data) {
            Some(free) if free < needed => {
                Err(SolveError::Disk { what: self.card.id.clone(), needed, folder: data.to_owned(), free })
            }
            _ => Ok(()),
        }
    }
}

impl<G: Game + 'static, M: Method<G> + 'static> Entry for Catalogued<G, M> {
    fn card(&self) -> &Card {
        &self.card
    }

    fn view(&self) -> View {
        self.parts.0.view()
    }

    fn initial(&self) -> String {
        self.parts.0.show(self.parts.0.initial())
    }

    fn moves(&self, position: Option<&str>) -> Result<Moves, QueryError> {
        let game = &self.parts.0;
        Ok(query::moves(&self.card.id, game, read(&self.card.id, game, position)?))
    }

    fn is_solved(&self, data: &Path) -> bool {
        self.database(data).is_ok()
    }

    fn solve(&self, data: &Path, run: &Run<'_>) -> Result<SolveReport, CatalogueError> {
        let start = Instant::now();
        let database = match Database::open(data, &self.card.id, self.fingerprint) {
            Err(StoreError::NotSolved { .. }) => self.solve_anew(data, run)?,
            found => found?,
        };
        database.tidy()?;
        let data_bytes = folder_bytes(database.folder())?;
        let solved = self.opened(database)?;
        let tally = solved.oracle.census()?.total();
        // Not a probe: where answers are searched for, the other moves would be searched as well.
        let initial = query::answer(solved.game(), &*solved.oracle, solved.game().initial())?;
        Ok(SolveReport {
            game: self.card.id.clone(),
            positions: tally.positions(),
            wins: tally.wins(),
            losses: tally.losses(),
            draws: tally.draws(),
            initial: Verdict {
                value: initial.value.outcome(),
                distance: initial.value.distance(),
                score: initial.score,
            },
            longest: Longest::of(&tally),
            seconds: start.elapsed().as_secs_f64(),
            threads: run.budget.threads,
            peak_rss_bytes: machine::peak_memory(),
            data_bytes,
        })
    }

    fn open(&self, data: &Path) -> Result<Box<dyn Solved>, CatalogueError> {
        Ok(Box::new(self.opened(self.database(data)?)?))
    }
}

/// The position of a text; the initial one if there is none.
fn read<G: Game>(id: &str, game: &G, position: Option<&str>) -> Result<G::Position, QueryError> {
    match position {
        None => Ok(game.initial()),
        Some(text) => game.read(text).map_err(|reason| QueryError::Illegal { game: id.to_owned(), reason }),
    }
}

struct SolvedGame<G, M> {
    id: String,
    parts: Arc<(G, M)>,
    oracle: Box<dyn Oracle<G>>,
}

impl<G: Game, M: Method<G>> SolvedGame<G, M> {
    fn game(&self) -> &G {
        &self.parts.0
    }

    fn read(&self, position: Option<&str>) -> Result<G::Position, QueryError> {
        read(&self.id, self.game(), position)
    }
}

impl<G: Game, M: Method<G>> Solved for SolvedGame<G, M> {
    fn initial(&self) -> String {
        self.game().show(self.game().initial())
    }

    fn draw(&self, position: Option<&str>) -> Result<String, QueryError> {
        Ok(self.game().draw(self.read(position)?))
    }

    fn probe(&self, position: Option<&str>) -> Result<Probe, QueryError> {
        query::probe(&self.id, self.game(), &*self.oracle, self.read(position)?)
    }

    fn line(&self, position: Option<&str>) -> Result<Line, QueryError> {
        query::line(&self.id, self.game(), &*self.oracle, self.read(position)?)
    }

    fn furthest(&self, limit: usize) -> Result<Furthest, QueryError> {
        query::furthest(&self.id, self.game(), &*self.oracle, limit)
    }

    fn stats(&self) -> Result<Stats, QueryError> {
        let mut stats = Stats::new(&self.id, &self.oracle.census()?);
        stats.all_positions = self.oracle.all_positions().as_ref().map(AllPositions::from);
        Ok(stats)
    }

    fn csv(&self) -> Result<String, QueryError> {
        match self.parts.1.published_csv(self.game(), &*self.oracle) {
            Some(csv) => csv,
            None => Ok(self.stats()?.csv()),
        }
    }

    fn verify(&self, extent: Extent, budget: &Budget, observer: &dyn Observer) -> Result<Verification, QueryError> {
        query::verify(&self.id, self.game(), &*self.oracle, extent, budget, observer)
    }
}
