//! The order in which the sets of a round are renewed, so that few temporary sets are in memory at a time.
//!
//! Each set is renewed from a temporary one, which is made from sets as they were before the round. So a set may be
//! renewed only when the temporary sets of all that read it are made; until then its own temporary set must wait.

/// A step of a round. Temporary sets lie in numbered buffers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScheduleStep {
    /// Make the temporary set of a set in this buffer.
    Make {
        /// The number of the set.
        set: usize,
        /// The buffer that it is made in.
        buffer: usize,
    },
    /// Renew a set from the temporary one in this buffer; the buffer is then free.
    Renew {
        /// The number of the set.
        set: usize,
        /// The buffer that it is renewed from.
        buffer: usize,
    },
}

/// The order of a round.
///
/// ```
/// use kanzen_games::musashi::sets::{Schedule, ScheduleStep::{Make, Renew}};
/// // Three in a row, each made from those next to it: two buffers do.
/// let schedule = Schedule::new(&[vec![1], vec![0, 2], vec![1]]);
/// assert_eq!(schedule.buffers, 2);
/// assert_eq!(schedule.steps.len(), 6);
/// assert!(matches!(schedule.steps[..3], [Make { .. }, Make { .. }, Renew { .. }]));
/// ```
pub struct Schedule {
    /// The steps of a round, in order.
    pub steps: Vec<ScheduleStep>,
    /// How many buffers they use.
    pub buffers: usize,
}

impl Schedule {
    /// The order with the fewest buffers; `reads[s]` are the sets that the temporary set of `s` is made from.
    ///
    /// Dynamic programming over the sets whose temporary sets are made: for about twenty of them, 2^20.
    pub fn new(reads: &[Vec<usize>]) -> Schedule {
        let sets = reads.len();
        // To renew a set, the temporary sets of all its readers and its own must be made.
        let mut readers = vec![0usize; sets];
        for (set, reads) in reads.iter().enumerate() {
            readers[set] |= 1 << set;
            reads.iter().for_each(|&read| readers[read] |= 1 << set);
        }
        let waiting = |made: usize| (0..sets).filter(|&s| made >> s & 1 == 1 && readers[s] & !made != 0).count() as u8;
        let all = (1usize << sets) - 1;
        let mut buffers = vec![u8::MAX; all + 1];
        let mut last = vec![u8::MAX; all + 1];
        buffers[0] = 0;
        for made in 0..all {
            let now = buffers[made].max(waiting(made) + 1);
            for set in (0..sets).filter(|set| made >> set & 1 == 0) {
                let next = made | 1 << set;
                if now < buffers[next] {
                    (buffers[next], last[next]) = (now, set as u8);
                }
            }
        }
        let mut order = Vec::new();
        let mut made = all;
        while made != 0 {
            order.push(usize::from(last[made]));
            made &= !(1 << last[made]);
        }
        order.reverse();
        Schedule::in_order(&order, &readers, usize::from(buffers[all]))
    }

    fn in_order(order: &[usize], readers: &[usize], buffers: usize) -> Schedule {
        let mut free: Vec<usize> = (0..buffers).rev().collect();
        let mut waiting: Vec<(usize, usize)> = Vec::new();
        let (mut steps, mut made) = (Vec::new(), 0usize);
        for &set in order {
            let buffer = free.pop().expect("the buffers were counted");
            steps.push(ScheduleStep::Make { set, buffer });
            made |= 1 << set;
            waiting.push((set, buffer));
            waiting.retain(|&(set, buffer)| {
                let wait = readers[set] & !made != 0;
                if !wait {
                    steps.push(ScheduleStep::Renew { set, buffer });
                    free.push(buffer);
                }
                wait
            });
        }
        Schedule { steps, buffers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_set_is_renewed_before_all_its_readers_are_made() {
        // A ladder of five rungs: 0-1, 2-3, ... side by side.
        let reads: Vec<Vec<usize>> =
            (0..10usize).map(|p| [p ^ 1, p + 2, p.wrapping_sub(2)].into_iter().filter(|&q| q < 10).collect()).collect();
        let schedule = Schedule::new(&reads);
        assert_eq!(schedule.buffers, 3);
        let place = |step: &dyn Fn(&ScheduleStep) -> bool| schedule.steps.iter().position(step).unwrap();
        let made = |p: usize| place(&|step| matches!(step, ScheduleStep::Make { set, .. } if *set == p));
        let renewed = |p: usize| place(&|step| matches!(step, ScheduleStep::Renew { set, .. } if *set == p));
        for (p, reads) in reads.iter().enumerate() {
            assert!(made(p) < renewed(p));
            assert!(reads.iter().all(|&read| made(p) < renewed(read)));
        }
        let mut taken = vec![None; schedule.buffers];
        for step in &schedule.steps {
            match *step {
                ScheduleStep::Make { set, buffer } => assert_eq!(taken[buffer].replace(set), None),
                ScheduleStep::Renew { set, buffer } => assert_eq!(taken[buffer].take(), Some(set)),
            }
        }
    }
}
