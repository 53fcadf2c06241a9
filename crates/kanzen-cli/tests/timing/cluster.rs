//! Several processes solve one game: the bytes of one process, and one clear line for each failure.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Data, Dice, Ran};
use crate::team::{LOADED, Team, alone, send, within};
use kanzen_cluster::{Hosts, Terms, join};

#[test]
fn any_number_of_processes_leaves_the_bytes_of_one() {
    let _exclusive = crate::exclusive();
    // Six men's morris has classes of many blocks; once is enough for those.
    for (game, numbers) in [("tictactoe", 2..=4), ("stones-21", 2..=4), ("morris-5", 1..=4), ("morris-6", 3..=3)] {
        let expected = alone(game);
        for processes in numbers {
            let data = Data::new();
            let ran = within(90, data.start(&format!("solve {game} --quiet --json --processes {processes}")));
            assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{game}, {processes} processes");
            assert!(ran.stdout.starts_with(&format!("{{\"game\":\"{game}\"")), "{ran:?}");
            assert!(data.files() == expected, "{game} by {processes} processes has other bytes");
        }
    }
}

#[test]
fn hosts_and_numbers_do_the_same_and_only_the_first_speaks() {
    let _exclusive = crate::exclusive();
    let team = Team::new(3);
    let started = team.start_all("solve morris-5 --quiet");
    let ran: Vec<Ran> = started.into_iter().map(|child| within(60, child)).collect();
    assert!(ran.iter().all(|ran| ran.status == Some(0) && ran.stderr.is_empty()), "{ran:?}");
    assert!(ran[0].stdout.contains("morris-5") && ran[1].stdout.is_empty() && ran[2].stdout.is_empty());
    assert!(team.files() == alone("morris-5"));
    // And again: solved already.
    let ran: Vec<Ran> = team.start_all("solve morris-5 --quiet").into_iter().map(|child| within(60, child)).collect();
    assert!(ran.iter().all(|ran| ran.status == Some(0)), "{ran:?}");
}

#[test]
fn killed_at_any_moment_other_numbers_of_processes_go_on_and_leave_the_same_bytes() {
    let _exclusive = crate::exclusive();
    let expected = alone("morris-5");
    let mut dice = Dice(18);
    let (mut whole, mut hits, mut went_on) = (Duration::from_secs(2), 0, 0);
    let data = Data::new();
    // Twenty that hit; the others came when all was done.
    for attempt in 0..60 {
        if hits == 20 {
            break;
        }
        let many = 2 + attempt % 3;
        let team = Team::new(many);
        let line = "solve morris-5 --quiet --checkpoint-seconds 0";
        let mut started: Vec<Child> = (0..many)
            .map(|process| {
                let mut command = data.command(line);
                command.arg("--hosts").arg(&team.hosts).arg("--process").arg(process.to_string());
                // One that is killed before all were there is waited for as long as this.
                command.env("KANZEN_MESH_SECONDS", "3");
                command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
            })
            .collect();
        sleep(Duration::from_millis(dice.below(whole.as_millis() as u64)));
        let victim = dice.below(many as u64) as usize;
        let mut victim = started.swap_remove(victim);
        let alive = victim.try_wait().unwrap().is_none();
        victim.kill().unwrap();
        victim.wait().unwrap();
        hits += u32::from(alive);
        if !alive {
            whole = whole * 3 / 4;
        }
        went_on += u32::from(holds_work(data.path()));
        for child in started {
            let ran = within(LOADED, child);
            assert!(ran.status == Some(0) || ran.refused(), "attempt {attempt}: {ran:?}");
        }
        if data.join("morris-5").exists() {
            let mut files = data.files();
            // The last step of all is to remove the lock: killed before it, the database is whole and has that file.
            files.remove("morris-5/lock");
            let differ = |name: &&String| files.get(*name) != expected.get(*name);
            let others: Vec<&String> = files.keys().chain(expected.keys()).filter(differ).collect();
            assert!(others.is_empty(), "attempt {attempt} has other bytes: {others:?}");
            std::fs::remove_dir_all(data.join("morris-5")).unwrap();
        }
    }
    assert!(hits == 20 && went_on >= 3, "{hits} kills hit, {went_on} runs had something to go on from");
    let ran = data.run("solve morris-5 --quiet --processes 2");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(data.files() == expected, "other bytes in the end");
}

/// Whether a folder holds a shard or a plane. The survivors are at work in it: what vanishes meanwhile is passed over.
fn holds_work(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| {
        let name = path.to_string_lossy();
        name.contains("shard") || name.ends_with(".plane") || holds_work(&path)
    })
}

#[test]
fn a_stopped_process_ends_the_others_with_a_line_that_names_it() {
    let _exclusive = crate::exclusive();
    let team = Team::new(3);
    // A game that takes long enough; what it leaves is thrown away.
    let mut started = team.start_all("solve morris-7 --quiet");
    team.wait_for_work("morris-7");
    sleep(Duration::from_millis(500));
    let mut stopped = started.swap_remove(1);
    assert!(stopped.try_wait().unwrap().is_none(), "still at work");
    send("STOP", stopped.id());
    let begun = Instant::now();
    for child in started {
        let ran = within(LOADED, child);
        assert!(ran.refused() && ran.stderr.contains(&team.addresses[1]), "{ran:?}");
    }
    assert!(begun.elapsed() < Duration::from_secs(LOADED));
    stopped.kill().unwrap();
    stopped.wait().unwrap();
}

#[test]
fn an_error_of_one_is_reported_by_all() {
    let _exclusive = crate::exclusive();
    let team = Team::new(2);
    // The second process cannot write: its data folder is a file.
    std::fs::write(team.data.join("no folder"), "").unwrap();
    let first = team.start(0, "solve morris-5 --quiet");
    let mut second = crate::common::kanzen();
    second.arg("--data").arg(team.data.join("no folder")).args(["solve", "morris-5", "--quiet"]);
    second.arg("--hosts").arg(&team.hosts).args(["--process", "1"]).env("KANZEN_SECRET", "swordfish");
    let second = second.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (first, second) = (within(20, first), within(20, second));
    assert!(second.refused() && second.stderr.contains("no folder"), "{second:?}");
    assert!(
        first.refused() && first.stderr.contains(&team.addresses[1]) && first.stderr.contains("no folder"),
        "{first:?}"
    );
}

#[test]
fn a_mismatched_process_is_refused_with_the_difference() {
    let _exclusive = crate::exclusive();
    let team = Team::new(2);
    let first = team.start(0, "solve morris-5 --quiet");
    let other_secret = team.command(1, "solve morris-5 --quiet").env("KANZEN_SECRET", "mackerel").spawn().unwrap();
    let ran = within(20, other_secret);
    assert!(ran.refused() && ran.stderr.contains("wrong secret"), "{ran:?}");
    // An unknown client gets no answer, and the missing process may still join; but it asks for another game.
    for noise in [&b"GET / HTTP/1.1\r\n\r\n"[..], b"", &[0; 4000]] {
        let mut stray = TcpStream::connect(&team.addresses[0]).unwrap();
        stray.write_all(noise).ok();
        stray.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        stray.read_to_end(&mut Vec::new()).ok();
    }
    let other_game = within(20, team.start(1, "solve tictactoe --quiet"));
    assert!(other_game.refused() && other_game.stderr.contains("the game is"), "{other_game:?}");
    let ran = within(20, first);
    assert!(ran.refused() && ran.stderr.contains("the game is tictactoe there and morris-5 here"), "{ran:?}");
}

#[test]
fn another_version_command_or_number_of_processes_is_named_on_both_sides() {
    let _exclusive = crate::exclusive();
    let version = env!("CARGO_PKG_VERSION");
    let team = Team::new(2);
    // A process of another version is refused with the version, whatever else differs.
    let first = team.start(0, "solve morris-5 --quiet");
    let hosts = Hosts::read(&team.addresses.join("\n")).unwrap();
    let terms = Terms::new([("the version", "0.0.0".to_owned())]);
    let stranger = join(&hosts, 1, b"swordfish", &terms, Duration::from_secs(20)).err().unwrap().to_string();
    assert!(stranger.contains(&format!("the version is {version} there and 0.0.0 here")), "{stranger}");
    let ran = within(20, first);
    assert!(ran.refused() && ran.stderr.contains(&format!("the version is 0.0.0 there and {version} here")), "{ran:?}");

    let first = team.start(0, "solve morris-5 --quiet");
    let other = within(20, team.start(1, "verify morris-5 --quiet"));
    assert!(other.refused() && other.stderr.contains("the command is solve"), "{other:?}");
    let ran = within(20, first);
    assert!(ran.refused() && ran.stderr.contains("the command is verify"), "{ran:?}");

    // Its file of hosts has a line more.
    let first = team.start(0, "solve morris-5 --quiet");
    let longer = team.data.join("longer");
    std::fs::write(&longer, [&team.addresses[..], &crate::team::free_addresses(1)].concat().join("\n")).unwrap();
    let other = Team { hosts: longer, data: Data::new(), addresses: team.addresses.clone() };
    let other = within(20, other.start(1, "solve morris-5 --quiet"));
    let expected = "the number of processes is 2 there and 3 here";
    assert!(other.refused() && other.stderr.contains(expected), "{other:?}");
    let ran = within(20, first);
    assert!(ran.refused() && ran.stderr.contains("the number of processes is 3 there and 2 here"), "{ran:?}");
}

#[test]
fn two_processes_with_the_same_number_and_hosts_that_do_not_fit_are_refused() {
    let _exclusive = crate::exclusive();
    let team = Team::new(2);
    let mut first = team.start(0, "solve morris-5 --quiet");
    // It binds its address before the other asks for it, and refuses what connects here.
    let deadline = Instant::now() + Duration::from_secs(60);
    while TcpStream::connect(&team.addresses[0]).is_err() && Instant::now() < deadline {
        sleep(Duration::from_millis(20));
    }
    let again = within(20, team.start(0, "solve morris-5 --quiet"));
    assert!(again.refused() && again.stderr.contains("was the same process number given twice?"), "{again:?}");
    first.kill().unwrap();
    first.wait().unwrap();
    let beyond = within(20, team.start(2, "solve morris-5 --quiet"));
    assert!(beyond.refused() && beyond.stderr.contains("there is no process 2"), "{beyond:?}");
    std::fs::write(&team.hosts, "nowhere\n").unwrap();
    let wrong = within(20, team.start(0, "solve morris-5 --quiet"));
    assert!(wrong.refused() && wrong.stderr.contains("line 1 is not host:port"), "{wrong:?}");
    std::fs::write(&team.hosts, "192.0.2.1:4100\n192.0.2.2:4100\n").unwrap();
    // No secret, and one that can be guessed.
    for secret in ["", "swordfish"] {
        let mut careless = team.command(0, "solve morris-5 --quiet");
        let careless = Ran::of(careless.env("KANZEN_SECRET", secret).output().unwrap());
        assert!(careless.refused() && careless.stderr.contains("set KANZEN_SECRET"), "{careless:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn processes_that_were_started_end_when_the_one_that_started_them_is_killed() {
    let _exclusive = crate::exclusive();
    let data = Data::new();
    let mut met = 0;
    for _ in 0..10 {
        let mut command = data.command("solve morris-7 --quiet --processes 3");
        let mut parent = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let children = format!("/proc/{0}/task/{0}/children", parent.id());
        // At once: most of the time they have not met yet.
        let started = loop {
            let started = std::fs::read_to_string(&children).unwrap();
            if !started.is_empty() || parent.try_wait().unwrap().is_some() {
                break started;
            }
        };
        parent.kill().unwrap();
        parent.wait().unwrap();
        let deadline = Instant::now() + Duration::from_secs(LOADED);
        for child in started.split_whitespace() {
            met += 1;
            let is_alive = || {
                let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
                !stat.is_empty() && !stat.contains(") Z ")
            };
            while is_alive() {
                assert!(Instant::now() < deadline, "process {child} is still there");
                sleep(Duration::from_millis(10));
            }
        }
    }
    assert!(met > 5, "only {met} processes were met");
}

#[test]
fn a_game_that_only_one_process_can_solve_is_refused() {
    let _exclusive = crate::exclusive();
    let ran = Data::new().run("solve nocca-3x2 --quiet --processes 2");
    assert!(ran.refused() && ran.stderr.contains("cannot be solved by several processes"), "{ran:?}");
}

#[test]
fn questions_to_a_whole_database_and_proofs_are_shared_and_answered_as_by_one() {
    let _exclusive = crate::exclusive();
    let data = Data::new();
    data.stdout("solve nocca-3x3 --quiet");
    data.stdout("solve tictactoe --quiet");
    let lines = [
        "find nocca-3x3 --where only_move --json",
        "find nocca-3x3 --where distance>5 --limit 700 --csv",
        "find nocca-3x3 --where distance>5 --limit 3 --columns position,moves",
        "find nocca-3x3 --where moves>9 --order -distance --limit 50 --json",
        "find nocca-3x3 --where moves>9 --order wins --limit 50 --columns position,moves --csv",
        "find nocca-3x3 --where gap>2 --count --json",
        "find nocca-3x3 --where distance>5 --count",
        "find nocca-3x3 --where distance>9000",
        "find tictactoe --where moves>2 --sample 100 --json",
        "verify nocca-3x3 --full --json",
        "verify tictactoe --full",
        "verify nocca-3x3 --sample 5000 --json",
    ];
    for (at, line) in lines.into_iter().enumerate() {
        let alone = data.stdout(&format!("{line} --quiet"));
        let many = 2 + at % 2;
        assert_eq!(data.stdout(&format!("{line} --quiet --processes {many}")), alone, "{line} by {many}");
    }
    let wrong = data.run("find nocca-3x3 --where only_move --part 1/2 --processes 2");
    assert!(wrong.refused() && wrong.stderr.contains("share the whole database"), "{}", wrong.stderr);
    let wrong = data.run("find nocca-3x3 --where nonsense --processes 2");
    assert_eq!((wrong.status, wrong.stderr), {
        let alone = data.run("find nocca-3x3 --where nonsense");
        (alone.status, alone.stderr)
    });
}
