//! The tests of the games that depend neither on time nor on being alone: databases, published tables, queries, forgeries.

mod batch;
mod budget;
mod databases;
mod find;
mod fingerprints;
mod forecasts;
mod front_door;
mod ostle_published;
mod portable;
mod progress;
mod puzzles;
mod tags;
mod texts;
mod traps;
