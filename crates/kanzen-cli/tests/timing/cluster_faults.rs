//! Several processes solve one game while a link is cut, or while the disk of one is full.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::Data;
use crate::rig::fault::{ENOSPC, Fault, Kind, Trouble};
use crate::rig::{entry, files};
use crate::team::{LOADED, Team, alone, free_addresses, within};
use kanzen::catalogue::Run;
use kanzen::progress::Silent;
use kanzen::{Budget, Error};
use kanzen_cluster::{Hosts, Terms, join};
use kanzen_store::VfsPath;

/// A link between two machines: what comes to its address is passed on, until it is cut. Then nothing arrives any more,
/// and neither end gets an error.
struct CableTo {
    address: String,
    cut: Arc<AtomicBool>,
}

impl CableTo {
    fn new(target: &str) -> CableTo {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let cut = Arc::new(AtomicBool::new(false));
        let (target, is_cut) = (target.to_owned(), cut.clone());
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                // Not there yet: the caller is hung up on, and calls again.
                let Ok(far) = TcpStream::connect(&target) else { continue };
                let ends = [(&near, &far), (&far, &near)].map(|(from, to)| (from.try_clone(), to.try_clone()));
                for (from, to) in ends {
                    let (from, to, is_cut) = (from.unwrap(), to.unwrap(), is_cut.clone());
                    std::thread::spawn(move || pass_on(from, to, &is_cut));
                }
            }
        });
        CableTo { address, cut }
    }
}

fn pass_on(mut from: TcpStream, mut to: TcpStream, is_cut: &AtomicBool) {
    let mut bytes = [0; 1 << 16];
    while let Ok(read) = from.read(&mut bytes) {
        while is_cut.load(SeqCst) {
            std::thread::park();
        }
        if read == 0 || to.write_all(&bytes[..read]).is_err() {
            break;
        }
    }
    to.shutdown(Shutdown::Both).ok();
}

#[test]
fn a_cut_link_ends_both_sides_with_a_line_that_names_the_other() {
    let _exclusive = crate::exclusive();
    // All know the first process by the address of the cable; it listens at another one.
    let (mut team, own) = (Team::new(2), free_addresses(1).remove(0));
    let cable = CableTo::new(&own);
    team.addresses[0] = cable.address.clone();
    std::fs::write(&team.hosts, team.addresses.join("\n")).unwrap();
    let first = team.command(0, "solve morris-7 --quiet").env("KANZEN_MESH_LISTEN", &own).spawn().unwrap();
    let second = team.start(1, "solve morris-7 --quiet");
    team.wait_for_work("morris-7");
    sleep(Duration::from_millis(500));
    cable.cut.store(true, SeqCst);
    let begun = Instant::now();
    for (ran, other) in [(within(LOADED, first), &team.addresses[1]), (within(LOADED, second), &cable.address)] {
        assert!(ran.refused() && ran.stderr.contains(other), "{ran:?}");
        assert!(ran.stderr.contains("sent no heartbeat"), "{ran:?}");
    }
    assert!(begun.elapsed() < Duration::from_secs(LOADED));
}

/// Solves a game by one process for each folder, threads of this one, with a checkpoint after every level.
fn solve_in(folders: &[VfsPath], game: &str) -> Vec<Result<(), Error>> {
    let hosts = Hosts::read(&free_addresses(folders.len()).join("\n")).unwrap();
    let one = |me: usize| {
        let mesh = join(&hosts, me, b"", &Terms::new([]), Duration::from_secs(60))?;
        let run = Run { budget: Budget::new(1, 1 << 30), checkpoint_every: Duration::ZERO, observer: &Silent };
        match entry(game).solve_together(&folders[me], &run, &mesh) {
            Ok(_) => mesh.leave(),
            Err(error) => {
                mesh.abandon(&error);
                Err(error)
            }
        }
    };
    std::thread::scope(|scope| {
        let one = &one;
        let threads: Vec<_> = (0..folders.len()).map(|me| scope.spawn(move || one(me))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// How often each process writes to its disk.
fn writes(game: &str, many: usize) -> Vec<u64> {
    let folders: Vec<Data> = (0..many).map(|_| Data::new()).collect();
    let counts: Vec<Fault> = (0..many).map(|_| Fault::none()).collect();
    let counted: Vec<VfsPath> =
        folders.iter().zip(&counts).map(|(folder, count)| count.at_folder(folder.path())).collect();
    assert!(solve_in(&counted, game).iter().all(Result::is_ok));
    counts.iter().map(|count| count.met(Kind::Write)).collect()
}

#[test]
fn a_full_disk_on_one_ends_all_and_with_room_they_go_on_to_the_same_bytes() {
    let _exclusive = crate::exclusive();
    // Of the larger game the one in the middle, half-way; of the small one each, at the first, a middle and the last write.
    for (game, many, victims) in [("tictactoe", 2, 0..2), ("morris-5", 3, 1..2)] {
        let expected: BTreeMap<String, Vec<u8>> = alone(game);
        let writes = writes(game, many);
        for victim in victims {
            let writes = writes[victim];
            let last = writes.saturating_sub(1);
            let numbers = if many == 2 { vec![0, writes / 2, last] } else { vec![writes / 2] };
            for number in numbers {
                let folders: Vec<Data> = (0..many).map(|_| Data::new()).collect();
                let paths: Vec<VfsPath> = folders.iter().map(|folder| VfsPath::from(folder.path())).collect();
                let full = Fault::at(Kind::Write, number, Trouble::FromThenOn(ENOSPC));
                let mut with_full = paths.clone();
                with_full[victim] = full.at_folder(folders[victim].path());
                let ended = solve_in(&with_full, game);
                let what = format!("{game}, disk of process {victim} of {many} full at write {number} of {writes}");
                assert!(full.hits() > 0, "{what}: not met");
                for (me, ended) in ended.iter().enumerate() {
                    let message = ended.as_ref().expect_err(&what).to_string();
                    assert!(message.contains("No space left on device"), "{what}: {me} reports {message}");
                    assert_eq!(message.starts_with(&format!("process {victim} (")), me != victim, "{what}: {message}");
                }
                let ended = solve_in(&paths, game);
                assert!(ended.iter().all(Result::is_ok), "{what}: {ended:?}");
                assert!(files(folders[0].path()) == expected, "{what}: other bytes");
            }
        }
    }
}
