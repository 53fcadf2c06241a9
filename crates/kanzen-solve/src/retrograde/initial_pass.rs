//! The initial pass over a class: terminal values, the number of undecided children, and what earlier classes decide.
//!
//! Where several processes share the class, slots are looked at in batches of stretches, each twice: see
//! [`earlier`](super::earlier). All processes go through as many batches, whether they have slots left or not.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError};

use super::class_context::{ClassContext, wide};
use super::earlier::{Earlier, UNKNOWN};
use super::parents::{FIRST_NOTICE, ParentCounts};
use super::state::{MAX_CHILDREN, State};
use super::{Graph, Node, SPAN, SlotInit};
use crate::mesh::{Parcel, Round, RoundRobin, Share, garbled};
use kanzen_core::machine::{AtomicWords, parallel};
use kanzen_core::vocabulary::Error;

/// Slots of a batch, at most: requests and answers for so many are held at a time.
const BATCH: u64 = 1 << 19;

/// Writes the first word of every slot that is here. Counts the parents of each, if they are to be stored and all are
/// here.
pub fn initial_pass<G: Graph, S: Share>(
    work: &ClassContext<'_, G, S>,
    words: &AtomicWords,
    counts: Option<&ParentCounts>,
) -> Result<(), Error> {
    work.stage("moves", work.here());
    if !S::WHOLE {
        return look_in_batches(work, words);
    }
    if counts.is_none() && initialised_by_graph(work, words)? {
        return Ok(());
    }
    let together = work.graph.together(work.class).max(1) as usize;
    let length = together * (SPAN / together).max(1);
    parallel::try_for_each(words.len().div_ceil(length), &|span| {
        let (first, mut scratch) = (span * length, Scratch::default());
        let chunk: &[AtomicU32] = &words[first..words.len().min(first + length)];
        let slots = first as u64..(first + chunk.len()) as u64;
        look(work, slots, &work.earlier.view(), &mut scratch, |at, state, children| {
            state.store(&chunk[at]);
            if let Some(counts) = counts
                && !state.is_final_before(FIRST_NOTICE)
            {
                counts.add(children);
            }
        })?;
        work.steps(chunk.len() as u64)
    })
}

/// Lets the graph initialise the whole class; `false` if it does not.
fn initialised_by_graph<G: Graph, S: Share>(work: &ClassContext<'_, G, S>, words: &AtomicWords) -> Result<bool, Error> {
    let seen = AtomicU64::new(0);
    let found = |first: u64, inits: &[SlotInit]| {
        words[first as usize..].iter().zip(inits).for_each(|(word, init)| init.0.store(word));
        seen.fetch_add(inits.len() as u64, Relaxed);
    };
    let whole = work.graph.init_class(work.class, &work.earlier.view(), work.job, &found)?;
    assert!(!whole || seen.into_inner() == work.slots(), "a word for each slot");
    Ok(whole)
}

/// The buffers of a thread.
#[derive(Default)]
struct Scratch {
    node: Node,
    inits: Vec<SlotInit>,
}

/// Looks at some slots side by side: `found` gets each, with its children where they have numbers.
fn look<G: Graph, S: Share>(
    work: &ClassContext<'_, G, S>,
    here: Range<u64>,
    earlier: &Earlier,
    scratch: &mut Scratch,
    mut found: impl FnMut(usize, State, &[u64]),
) -> Result<(), Error> {
    let Scratch { node, inits } = scratch;
    inits.clear();
    let length = here.end - here.start;
    let first = work.share.global(here.start);
    if work.graph.init_slots(work.class, first..first + length, earlier, inits) {
        assert_eq!(inits.len() as u64, length, "a word for each slot");
        inits.iter().enumerate().for_each(|(at, init)| found(at, init.0, &[]));
        return Ok(());
    }
    for (at, slot) in here.enumerate() {
        work.expand(slot, earlier, node);
        let state = first_word(node).map_err(Error::Rules)?;
        found(at, state, &node.here);
    }
    Ok(())
}

/// The first word of a slot whose moves are known.
fn first_word(node: &mut Node) -> Result<State, String> {
    if let Some(sentence) = node.fault.take() {
        return Err(sentence);
    }
    if let Some(value) = node.ended {
        return Ok(State::ended(value));
    }
    let edges = node.distinct_here().len() + node.distinct_there().len();
    if edges > MAX_CHILDREN as usize {
        return Err(format!("a position has {edges} moves, more than {MAX_CHILDREN}"));
    }
    Ok(State::with_moves(edges as u32, node.settled))
}

fn look_in_batches<G: Graph, S: Share>(work: &ClassContext<'_, G, S>, words: &AtomicWords) -> Result<(), Error> {
    let share = RoundRobin::of(work.mesh);
    // Stretches end with their blocks; where slots are best looked at together, a stretch is a whole block.
    let block = share.stretch();
    let length = if work.graph.together(work.class) > 1 { block } else { block.min(SPAN as u64) };
    let batch = length * (BATCH / length).max(1);
    // The first process has the most.
    let batches = share.at(0).here(work.slots()).div_ceil(batch);
    let width = |class| work.graph.name_bytes().unwrap_or_else(|| share.width(work.graph.slots(class)));
    let widths: Arc<Vec<usize>> = Arc::new((0..work.class).map(width).collect());
    let asks = !work.graph.needs(work.class).is_empty();
    for number in 0..batches {
        let slots = (number * batch).min(work.here())..((number + 1) * batch).min(work.here());
        let spans: Vec<Range<u64>> =
            slots.clone().step_by(length as usize).map(|first| first..(first + length).min(slots.end)).collect();
        let mut answers = vec![Vec::new(); spans.len()];
        if asks {
            let asked = parallel::try_map(spans.len(), &|span| {
                let (earlier, mut scratch) = (work.earlier.asking(share, &widths), Scratch::default());
                look(work, spans[span].clone(), &earlier, &mut scratch, |_, _, _| {}).map(|()| earlier.into_asked())
            })?;
            answers = questions(work, asked, &widths)?;
        }
        let answers: Vec<_> = answers.into_iter().map(|answers| Mutex::new(Some(answers))).collect();
        parallel::try_for_each(spans.len(), &|span| {
            let answers = answers[span].lock().unwrap_or_else(PoisonError::into_inner).take();
            let earlier = work.earlier.answered(share, answers.unwrap_or_default());
            let span = spans[span].clone();
            let chunk: &[AtomicU32] = &words[span.start as usize..span.end as usize];
            look(work, span.clone(), &earlier, &mut Scratch::default(), |at, state, _| state.store(&chunk[at]))?;
            work.steps(span.end - span.start)
        })?;
    }
    Ok(())
}

/// Requests the values that the stretches of a batch need from other processes, and answers theirs. Returns the answers
/// for each stretch, by process.
fn questions<G: Graph, S: Share>(
    work: &ClassContext<'_, G, S>,
    asked: Vec<Vec<Vec<u8>>>,
    widths: &[usize],
) -> Result<Vec<Vec<Vec<i16>>>, Error> {
    let peers = work.mesh.peers();
    let mut answers: Vec<Vec<Vec<i16>>> = vec![vec![Vec::new(); peers]; asked.len()];
    let to_send: Mutex<Vec<(usize, Vec<u8>)>> = Mutex::default();
    let answer = |Parcel { from, bytes }: Parcel| {
        let reply = answered(work, &bytes, widths)?;
        to_send.lock().unwrap_or_else(PoisonError::into_inner).push((from, reply));
        Ok(())
    };
    let round = Round::new(work.mesh, &answer);
    for (span, asked) in asked.into_iter().enumerate() {
        for (owner, names) in asked.into_iter().enumerate().filter(|(_, names)| !names.is_empty()) {
            let mut parcel = (span as u32).to_le_bytes().to_vec();
            parcel.extend(names);
            round.post(owner, parcel);
        }
    }
    round.finish()?;

    let received: Mutex<Vec<(usize, usize, Vec<i16>)>> = Mutex::default();
    let receive = |Parcel { from, bytes }: Parcel| {
        let (span, codes) = bytes.split_at_checked(4).ok_or_else(|| garbled("answers"))?;
        let codes = codes.as_chunks().0.iter().map(|code| i16::from_le_bytes(*code)).collect();
        received.lock().unwrap_or_else(PoisonError::into_inner).push((wide(span) as usize, from, codes));
        Ok(())
    };
    let round = Round::new(work.mesh, &receive);
    for (to, reply) in to_send.into_inner().unwrap_or_else(PoisonError::into_inner) {
        round.post(to, reply);
    }
    round.finish()?;
    for (span, from, codes) in received.into_inner().unwrap_or_else(PoisonError::into_inner) {
        *answers.get_mut(span).and_then(|span| span.get_mut(from)).ok_or_else(|| garbled("answers"))? = codes;
    }
    Ok(answers)
}

/// The codes of what another process wants to know: which stretch they are for, then runs of names.
fn answered<G: Graph, S: Share>(
    work: &ClassContext<'_, G, S>,
    bytes: &[u8],
    widths: &[usize],
) -> Result<Vec<u8>, Error> {
    let wrong = || garbled("questions");
    let (span, mut rest) = bytes.split_at_checked(4).ok_or_else(wrong)?;
    let mut reply = span.to_vec();
    while !rest.is_empty() {
        let (head, names) = rest.split_at_checked(8).ok_or_else(wrong)?;
        let (class, count) = (wide(&head[..4]) as usize, wide(&head[4..]) as usize);
        let width = *widths.get(class).ok_or_else(wrong)?;
        let (names, others) = names.split_at_checked(count * width).ok_or_else(wrong)?;
        let codes = work.earlier.codes(class).ok_or_else(wrong)?;
        let code = |here: u64| codes.get(here as usize).copied().unwrap_or(UNKNOWN);
        let names: Vec<u128> = names.chunks_exact(width).map(wide).collect();
        if work.graph.name_bytes().is_some() {
            work.graph.slots_by_name(class, &names, |_, slot| {
                let code = slot.map_or(UNKNOWN, |slot| code(work.share.local(slot)));
                reply.extend(code.to_le_bytes());
            });
        } else {
            reply.extend(names.iter().flat_map(|&name| code(name as u64).to_le_bytes()));
        }
        rest = others;
    }
    Ok(reply)
}
