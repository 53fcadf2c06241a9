//! In which order the sets of a round are renewed, so that few temporary sets are in memory at a time.
//!
//! Each set is renewed from a temporary one, which is made from sets as they were before the round. So a set may be
//! renewed only when the temporary sets of all that read it are made; until then its own temporary set must wait.

/// A step of a round. Temporary sets lie in numbered rooms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Make the temporary set of a set in this room.
    Make {
        /// The set.
        set: usize,
        /// Where.
        room: usize,
    },
    /// Renew a set from the temporary one in this room; the room is then free.
    Renew {
        /// The set.
        set: usize,
        /// From where.
        room: usize,
    },
}

/// The order of a round.
///
/// ```
/// use kanzen::solve::rounds::{Schedule, Step::{Make, Renew}};
/// // Three in a row, each made from those next to it: two rooms do.
/// let schedule = Schedule::new(&[vec![1], vec![0, 2], vec![1]]);
/// assert_eq!(schedule.rooms, 2);
/// assert_eq!(schedule.steps.len(), 6);
/// assert!(matches!(schedule.steps[..3], [Make { .. }, Make { .. }, Renew { .. }]));
/// ```
pub struct Schedule {
    /// The steps.
    pub steps: Vec<Step>,
    /// How many rooms they use.
    pub rooms: usize,
}

impl Schedule {
    /// The order with the fewest rooms; `reads[s]` are the sets that the temporary set of `s` is made from.
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
        let mut rooms = vec![u8::MAX; all + 1];
        let mut last = vec![u8::MAX; all + 1];
        rooms[0] = 0;
        for made in 0..all {
            let now = rooms[made].max(waiting(made) + 1);
            for set in (0..sets).filter(|set| made >> set & 1 == 0) {
                let next = made | 1 << set;
                if now < rooms[next] {
                    (rooms[next], last[next]) = (now, set as u8);
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
        Schedule::in_order(&order, &readers, usize::from(rooms[all]))
    }

    fn in_order(order: &[usize], readers: &[usize], rooms: usize) -> Schedule {
        let mut free: Vec<usize> = (0..rooms).rev().collect();
        let mut waiting: Vec<(usize, usize)> = Vec::new();
        let (mut steps, mut made) = (Vec::new(), 0usize);
        for &set in order {
            let room = free.pop().expect("the rooms were counted");
            steps.push(Step::Make { set, room });
            made |= 1 << set;
            waiting.push((set, room));
            waiting.retain(|&(set, room)| {
                let wait = readers[set] & !made != 0;
                if !wait {
                    steps.push(Step::Renew { set, room });
                    free.push(room);
                }
                wait
            });
        }
        Schedule { steps, rooms }
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
        assert_eq!(schedule.rooms, 3);
        let place = |step: &dyn Fn(&Step) -> bool| schedule.steps.iter().position(step).unwrap();
        let made = |p: usize| place(&|step| matches!(step, Step::Make { set, .. } if *set == p));
        let renewed = |p: usize| place(&|step| matches!(step, Step::Renew { set, .. } if *set == p));
        for (p, reads) in reads.iter().enumerate() {
            assert!(made(p) < renewed(p));
            assert!(reads.iter().all(|&read| made(p) < renewed(read)));
        }
        let mut taken = vec![None; schedule.rooms];
        for step in &schedule.steps {
            match *step {
                Step::Make { set, room } => assert_eq!(taken[room].replace(set), None),
                Step::Renew { set, room } => assert_eq!(taken[room].take(), Some(set)),
            }
        }
    }
}
