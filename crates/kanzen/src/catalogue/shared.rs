//! An entry that several parts of a program hold.

use std::path::Path;
use std::sync::Arc;

use super::{
    Answers, Entry, GameInfo, PositionCount, Provenance, Reach, Readable, Run, SolveReport, Solved, State, Summary,
};
use crate::query::Moves;
use crate::rules::view::View;
use crate::solve::{Counting, Forecast};
use crate::store::{Edition, Files, Manifest};
use crate::vocabulary::progress::Observer;
use crate::vocabulary::{Budget, Error};

/// A shared game is the game.
impl<E: Readable + ?Sized> Readable for Arc<E> {
    fn info(&self) -> &GameInfo {
        (**self).info()
    }

    fn view(&self) -> View {
        (**self).view()
    }

    fn initial(&self) -> String {
        (**self).initial()
    }

    fn moves(&self, position: Option<&str>) -> Result<Moves, Error> {
        (**self).moves(position)
    }

    fn open_files(&self, folder: &Path, manifest: Manifest, files: Box<dyn Files>) -> Result<Box<dyn Answers>, Error> {
        (**self).open_files(folder, manifest, files)
    }
}

/// A shared entry is the entry.
impl<E: Entry + ?Sized> Entry for Arc<E> {
    fn draw(&self, position: Option<&str>, ply: u64) -> Result<String, Error> {
        (**self).draw(position, ply)
    }

    fn notation(&self) -> String {
        (**self).notation()
    }

    fn fingerprint(&self) -> Result<u64, Error> {
        (**self).fingerprint()
    }

    fn forecast(&self) -> Forecast {
        (**self).forecast()
    }

    fn least_memory(&self) -> u64 {
        (**self).least_memory()
    }

    fn counting(&self) -> Counting {
        (**self).counting()
    }

    fn count(&self, budget: &Budget, observer: &dyn Observer) -> Result<PositionCount, Error> {
        (**self).count(budget, observer)
    }

    fn reach(&self, depth: Option<u32>, budget: &Budget, observer: &dyn Observer) -> Result<Reach, Error> {
        (**self).reach(depth, budget, observer)
    }

    fn state(&self, data: &Path) -> State {
        (**self).state(data)
    }

    fn summary(&self, data: &Path) -> Result<Summary, Error> {
        (**self).summary(data)
    }

    fn is_solved(&self, data: &Path) -> bool {
        (**self).is_solved(data)
    }

    fn edition(&self, data: &Path) -> Option<Edition> {
        (**self).edition(data)
    }

    fn provenance(&self, data: &Path) -> Result<Provenance, Error> {
        (**self).provenance(data)
    }

    fn solve(&self, data: &Path, run: &Run<'_>) -> Result<SolveReport, Error> {
        (**self).solve(data, run)
    }

    fn open(&self, data: &Path) -> Result<Box<dyn Solved>, Error> {
        (**self).open(data)
    }
}
