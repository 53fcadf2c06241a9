//! In which order lost sets are made and won sets renewed, so that few lost sets are in memory at a time.
//!
//! What black loses on a point is read from the won sets of its neighbours as they were before the round. So a won set
//! may be renewed only when the lost sets of all points that read it are made; until then its own lost set must wait.

/// A step of a round. Lost sets lie in numbered rooms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Make the lost set of a point in this room.
    Lose { point: usize, room: usize },
    /// Renew the won set of a point from the lost set in this room; the room is then free.
    Win { point: usize, room: usize },
}

/// The order of a round.
pub struct Schedule {
    /// The steps.
    pub steps: Vec<Step>,
    /// How many rooms they use.
    pub rooms: usize,
}

impl Schedule {
    /// The order with the fewest rooms; `reads[p]` are the points whose won sets the lost set of `p` is made from.
    ///
    /// Dynamic programming over the sets of points whose lost sets are made: at most 2^20 of them.
    pub fn new(reads: &[Vec<usize>]) -> Schedule {
        let points = reads.len();
        // To renew the won set of p, the lost sets of all its readers and its own must be made.
        let mut readers = vec![0usize; points];
        for (point, reads) in reads.iter().enumerate() {
            readers[point] |= 1 << point;
            reads.iter().for_each(|&read| readers[read] |= 1 << point);
        }
        let waiting =
            |made: usize| (0..points).filter(|&p| made >> p & 1 == 1 && readers[p] & !made != 0).count() as u8;
        let all = (1usize << points) - 1;
        let mut rooms = vec![u8::MAX; all + 1];
        let mut last = vec![u8::MAX; all + 1];
        rooms[0] = 0;
        for made in 0..all {
            let now = rooms[made].max(waiting(made) + 1);
            for point in (0..points).filter(|point| made >> point & 1 == 0) {
                let next = made | 1 << point;
                if now < rooms[next] {
                    (rooms[next], last[next]) = (now, point as u8);
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
        for &point in order {
            let room = free.pop().expect("the rooms were counted");
            steps.push(Step::Lose { point, room });
            made |= 1 << point;
            waiting.push((point, room));
            waiting.retain(|&(point, room)| {
                let wait = readers[point] & !made != 0;
                if !wait {
                    steps.push(Step::Win { point, room });
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
    fn no_won_set_is_renewed_before_all_its_readers_are_made() {
        // A ladder of five rungs: 0-1, 2-3, ... side by side.
        let reads: Vec<Vec<usize>> =
            (0..10usize).map(|p| [p ^ 1, p + 2, p.wrapping_sub(2)].into_iter().filter(|&q| q < 10).collect()).collect();
        let schedule = Schedule::new(&reads);
        assert_eq!(schedule.rooms, 3);
        let place = |step: &dyn Fn(&Step) -> bool| schedule.steps.iter().position(step).unwrap();
        let made = |p: usize| place(&|step| matches!(step, Step::Lose { point, .. } if *point == p));
        let renewed = |p: usize| place(&|step| matches!(step, Step::Win { point, .. } if *point == p));
        for (p, reads) in reads.iter().enumerate() {
            assert!(made(p) < renewed(p));
            assert!(reads.iter().all(|&read| made(p) < renewed(read)));
        }
        let mut taken = vec![None; schedule.rooms];
        for step in &schedule.steps {
            match *step {
                Step::Lose { point, room } => assert_eq!(taken[room].replace(point), None),
                Step::Win { point, room } => assert_eq!(taken[room].take(), Some(point)),
            }
        }
    }
}
