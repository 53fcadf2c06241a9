//! Flow control: a slow receiver bounds the bytes in flight.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use crate::common::together;
use kanzen::Error;
use kanzen_core::mesh::Mesh;

const PARCEL: usize = 1 << 16;
const PARCELS: u64 = 1000;

#[test]
fn bytes_in_flight_to_a_slow_receiver_are_bounded_and_arrive() {
    let _exclusive = crate::exclusive();
    let (posted, taken, most) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let ended = together(2, |mesh| -> Result<u64, Error> {
        let mesh_ref: &dyn Mesh = &mesh;
        if mesh.me() == 0 {
            for number in 0..PARCELS {
                while mesh.window_full(1) {
                    if mesh.poll()?.is_none() {
                        mesh.park();
                    }
                }
                mesh.post(1, vec![number as u8; PARCEL])?;
                let in_flight = posted.fetch_add(1, SeqCst) + 1 - taken.load(SeqCst);
                most.fetch_max(in_flight, SeqCst);
            }
        }
        mesh.barrier_enter()?;
        let mut seen = 0;
        mesh_ref.collect(|parcel| {
            std::thread::sleep(Duration::from_millis(1));
            taken.fetch_add(1, SeqCst);
            seen += parcel.bytes.len() as u64;
            Ok(())
        })?;
        mesh.leave()?;
        Ok(seen)
    });
    let seen: Vec<u64> = ended.into_iter().map(Result::unwrap).collect();
    assert_eq!(seen, [0, PARCELS * PARCEL as u64]);
    // Half of the process's window, plus the parcel that exceeds it.
    let most = most.load(SeqCst) * PARCEL as u64;
    assert!(most <= (16 << 20) + 2 * PARCEL as u64, "{most} bytes in flight");
    assert!(most >= 8 << 20, "only {most} bytes in flight: the receiver was not slow");
}
