//! Delivery, barriers, errors and handshakes, with one thread per process over real sockets.

use std::time::{Duration, Instant};

use crate::common::{TIMEOUT, hosts, terms, together};
use kanzen::Error;
use kanzen_cluster::join;
use kanzen_core::mesh::{Mesh, Parcel};

#[test]
fn every_parcel_arrives_in_its_own_round() {
    let _exclusive = crate::exclusive();
    let ended = together(4, |mesh| -> Result<(), Error> {
        for round in 0..50u64 {
            let to = |peer: usize| peer != mesh.me();
            for peer in (0..4).filter(|&peer| to(peer)) {
                for number in 0..(round * 7 + mesh.me() as u64) % 5 {
                    mesh.post(peer, [round, number].iter().flat_map(|n| n.to_le_bytes()).collect())?;
                }
            }
            mesh.barrier_enter()?;
            let mut seen = vec![Vec::new(); 4];
            (&mesh as &dyn Mesh).collect(|Parcel { from, bytes }| {
                assert_eq!(bytes[..8], round.to_le_bytes());
                seen[from].push(bytes[8]);
                Ok(())
            })?;
            for (from, seen) in seen.iter_mut().enumerate().filter(|(from, _)| to(*from)) {
                seen.sort_unstable();
                assert_eq!(seen.len() as u64, (round * 7 + from as u64) % 5);
                assert!(seen.iter().enumerate().all(|(at, &number)| at == usize::from(number)));
            }
            let [least] = (&mesh as &dyn Mesh).all_reduce_min([round + mesh.me() as u64])?;
            let [sum] = (&mesh as &dyn Mesh).all_reduce_sum([mesh.me() as u64])?;
            assert_eq!((least, sum), (round, 6));
        }
        mesh.leave()
    });
    assert!(ended.iter().all(Result::is_ok), "{ended:?}");
}

#[test]
fn an_error_of_one_process_ends_the_others() {
    let _exclusive = crate::exclusive();
    let begun = Instant::now();
    let ended = together(3, |mesh| -> Result<(), Error> {
        if mesh.me() == 1 {
            let error = Error::BadRequest("the disk is full".to_owned());
            mesh.abandon(&error);
            return Err(error);
        }
        mesh.barrier_enter()?;
        let ended = (&mesh as &dyn Mesh).collect(|_| Ok(()));
        if let Err(error) = &ended {
            mesh.abandon(error);
        }
        ended
    });
    for (me, ended) in ended.into_iter().enumerate().filter(|(me, _)| *me != 1) {
        let error = ended.unwrap_err().to_string();
        assert!(
            error.starts_with("process 1 (127.0.0.1:") && error.ends_with("failed: the disk is full"),
            "{me}: {error}"
        );
    }
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn an_interrupt_of_one_process_stops_all() {
    let _exclusive = crate::exclusive();
    let ended = together(2, |mesh| -> Result<(), Error> {
        if mesh.me() == 1 {
            mesh.abandon(&Error::Stopped);
            return Err(Error::Stopped);
        }
        // The interrupt may arrive before this process has entered the barrier.
        let ended = mesh.barrier_enter().and_then(|()| (&mesh as &dyn Mesh).collect(|_| Ok(())));
        mesh.abandon(&Error::Stopped);
        ended
    });
    assert!(ended.iter().all(|ended| matches!(ended, Err(Error::Stopped))), "{ended:?}");
}

#[test]
fn dropping_a_mesh_does_not_block() {
    let _exclusive = crate::exclusive();
    let (done, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        together(2, drop);
        done.send(()).ok();
    });
    ended.recv_timeout(TIMEOUT).expect("dropping a mesh does not block");
}

#[test]
fn different_terms_or_secrets_are_rejected() {
    let _exclusive = crate::exclusive();
    let hosts = hosts(2);
    let error = std::thread::scope(|scope| {
        let first = scope.spawn(|| join(&hosts, 0, b"swordfish", &terms("chess"), TIMEOUT).err().unwrap().to_string());
        let stray = join(&hosts, 1, b"mackerel", &terms("chess"), TIMEOUT).err().unwrap().to_string();
        assert!(stray.ends_with("rejected the connection: wrong secret"), "{stray}");
        let second = join(&hosts, 1, b"swordfish", &terms("draughts"), TIMEOUT).err().unwrap().to_string();
        assert!(second.ends_with("rejected the connection: the game is chess there and draughts here"), "{second}");
        first.join().unwrap()
    });
    assert!(error.ends_with("has a different job: the game is draughts there and chess here"), "{error}");
}

#[test]
fn joining_without_peers_times_out() {
    let _exclusive = crate::exclusive();
    let hosts = hosts(2);
    let alone = join(&hosts, 0, b"", &terms("chess"), Duration::from_millis(200)).err().unwrap().to_string();
    assert!(alone.ends_with("did not connect in time"), "{alone}");
    let alone = join(&hosts, 1, b"", &terms("chess"), Duration::from_millis(200)).err().unwrap().to_string();
    assert!(alone.contains("is unreachable"), "{alone}");
}
