//! Lanes: places to work, apart for what is quick and what is not, so that nobody waits behind a search for a look-up.
//!
//! ```text
//! request --> its address's places of the lane --> all places of the lane --> a thread
//!                 |  half of them at most              |
//!                 '-- queue, as long as it is short ---'--> 503, come back later
//! ```
//!
//! A new question names its lane where it asks for its work ([`Visitor::work`](crate::visitor::Visitor::work)) and has
//! all of these limits.

use std::sync::Arc;

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::options::{Limits, Options};
use crate::refusal::Refusal;

/// What kind of work a request is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lane {
    /// A few look-ups: well under a millisecond, most often.
    Quick,
    /// Very many look-ups.
    Long,
    /// A search.
    Search,
}

impl Lane {
    /// All of them.
    pub const ALL: [Lane; 3] = [Lane::Quick, Lane::Long, Lane::Search];

    /// Its name in the metrics.
    pub fn name(self) -> &'static str {
        match self {
            Lane::Quick => "quick",
            Lane::Long => "long",
            Lane::Search => "search",
        }
    }
}

/// How many are worked on at a time in each lane, and how many may wait.
#[derive(Clone, Copy, Debug)]
pub struct Sizes([(usize, usize); 3]);

impl Sizes {
    /// The sizes that these options ask for.
    pub fn new(options: &Options) -> Sizes {
        let Limits { connections, search_places, search_queue, .. } = options.limits;
        // Look-ups may wait for the disk, so there are more of them than threads.
        Sizes([(4 * options.budget.threads, connections), (2, 16), (search_places, search_queue)])
    }

    /// What one address has of it.
    pub fn half(self) -> Sizes {
        Sizes(self.0.map(|(places, queue)| ((places / 2).max(1), (queue / 2).max(1))))
    }
}

/// The places of each lane: all of them, or those that one address may take.
pub struct Lanes {
    sizes: Sizes,
    lanes: [(Arc<Semaphore>, Arc<Semaphore>); 3],
}

/// Permission to work: places of the address and of the lane, given back when dropped.
pub struct Place {
    _places: [OwnedSemaphorePermit; 2],
}

impl Lanes {
    /// Free lanes of these sizes.
    pub fn new(sizes: Sizes) -> Lanes {
        let free = |count| Arc::new(Semaphore::new(count));
        Lanes { sizes, lanes: sizes.0.map(|(places, queue)| (free(places), free(queue))) }
    }

    /// Places of a lane that are worked in, all its places, and requests that wait.
    pub fn state(&self, lane: Lane) -> (usize, usize, usize) {
        let ((places, queue), (free, spare)) = (self.sizes.0[lane as usize], &self.lanes[lane as usize]);
        (places - free.available_permits(), places, queue - spare.available_permits())
    }

    /// A place of a lane for an address whose own places are `own`. Where none is free the request waits, if not too
    /// many do already.
    pub async fn enter(&self, own: &Lanes, lane: Lane, limits: &Limits) -> Result<Place, Refusal> {
        let ((own, own_queue), (all, all_queue)) = (&own.lanes[lane as usize], &self.lanes[lane as usize]);
        if let Some(places) = both(own, all) {
            return Ok(Place { _places: places });
        }
        let _queued = both(own_queue, all_queue).ok_or_else(|| busy(lane))?;
        // The address's own place first: one that waits for its own turn keeps nobody else out.
        let turn = async { Some([own.clone().acquire_owned().await.ok()?, all.clone().acquire_owned().await.ok()?]) };
        match tokio::time::timeout(limits.queue_time, turn).await {
            Ok(Some(places)) => Ok(Place { _places: places }),
            _ => Err(busy(lane)),
        }
    }
}

fn both(own: &Arc<Semaphore>, all: &Arc<Semaphore>) -> Option<[OwnedSemaphorePermit; 2]> {
    Some([own.clone().try_acquire_owned().ok()?, all.clone().try_acquire_owned().ok()?])
}

fn busy(lane: Lane) -> Refusal {
    let text = match lane {
        Lane::Quick | Lane::Long => "too many requests are at work: ask again in a moment",
        Lane::Search => "too many searches are at work: ask again in a moment",
    };
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, text)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
    }

    #[test]
    fn one_address_has_half_the_places_and_lanes_do_not_share_them() {
        let mut options = Options::new("kanzen", "data", kanzen::Budget::new(1, 1 << 20));
        options.limits.queue_time = Duration::from_millis(20);
        let limits = &options.limits;
        let sizes = Sizes::new(&options);
        let all = Lanes::new(sizes);
        let (one, other) = (Lanes::new(sizes.half()), Lanes::new(sizes.half()));
        block_on(async {
            let _first = all.enter(&one, Lane::Search, limits).await.ok().unwrap();
            assert_eq!(all.state(Lane::Search), (1, 2, 0));
            let second = all.enter(&one, Lane::Search, limits).await.err().unwrap();
            assert_eq!(second.status, StatusCode::SERVICE_UNAVAILABLE, "it has waited in vain");
            let theirs = all.enter(&other, Lane::Search, limits).await.ok().unwrap();
            let _quick = all.enter(&one, Lane::Quick, limits).await.ok().unwrap();
            assert_eq!(all.state(Lane::Search), (2, 2, 0));
            drop(theirs);
            assert_eq!(all.state(Lane::Search), (1, 2, 0));
        });
    }

    #[test]
    fn a_queue_that_is_full_refuses_at_once() {
        let mut options = Options::new("kanzen", "data", kanzen::Budget::new(1, 1 << 20));
        options.limits.search_queue = 2;
        let limits = &options.limits;
        let sizes = Sizes::new(&options);
        let (all, own) = (Lanes::new(sizes), Lanes::new(sizes.half()));
        block_on(async {
            let _place = all.enter(&own, Lane::Search, limits).await.ok().unwrap();
            let waiting = all.enter(&own, Lane::Search, limits);
            let refused = async {
                tokio::task::yield_now().await;
                assert_eq!(all.state(Lane::Search), (1, 2, 1));
                all.enter(&own, Lane::Search, limits).await.err().unwrap()
            };
            tokio::select! {
                biased;
                _ = waiting => panic!("there was no place"),
                refusal = refused => assert_eq!(refusal.status, StatusCode::SERVICE_UNAVAILABLE),
            }
        });
    }
}
