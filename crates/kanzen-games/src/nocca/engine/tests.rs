use kanzen::progress::Silent;
use kanzen::{Game, Outcome, Value};

use crate::nocca::Side;

use super::layout::{Array, Layout};
use super::{stuck::stuck, sweep::Sweeper};

fn rounds(layout: &Layout, distances: &mut [Vec<u8>; 2]) -> Vec<(u64, u64)> {
    let mut losses = vec![0u64; layout.words(Array::Losses)];
    let mut wins = vec![0u64; layout.words(Array::Wins)];
    for (slab, start) in layout.slabs(Array::Losses) {
        let words = slab.boards * layout.space(Array::Losses, slab.top, slab.bottom).width();
        stuck(layout, slab, &mut losses[start..start + words]);
    }
    let mut out = vec![(0, losses.iter().map(|w| w.count_ones() as u64).sum())];
    let mut valid = vec![0u64; losses.len()];
    for (slab, start) in layout.slabs(Array::Losses) {
        let space = layout.space(Array::Losses, slab.top, slab.bottom);
        for b in 0..slab.boards {
            valid[start + b * space.width()..][..space.width()].copy_from_slice(&space.all()[..space.width()]);
        }
    }
    let t = std::time::Instant::now();
    let ws = Sweeper::new(layout, Array::Wins);
    let ls = Sweeper::new(layout, Array::Losses);
    println!("plans {:?}", t.elapsed());
    for distance in 1.. {
        let t = std::time::Instant::now();
        let new: u64;
        if distance % 2 == 1 {
            let mut found = vec![0; wins.len()];
            ws.sweep(&losses, false, &mut found, &Silent);
            new = found.iter().zip(&wins).map(|(f, w)| (f & !w).count_ones() as u64).sum();
            wins.iter_mut().zip(&found).for_each(|(w, f)| *w |= f);
        } else {
            let mut found = vec![0; wins.len()];
            ls.sweep(&wins, true, &mut found, &Silent);
            found.iter_mut().zip(&valid).for_each(|(f, v)| *f = !*f & v);
            new = found.iter().zip(&losses).map(|(f, w)| (f & !w).count_ones() as u64).sum();
            losses.iter_mut().zip(&found).for_each(|(w, f)| *w |= f);
        }
        println!("{distance} {new} {:?}", t.elapsed());
        for (d, set) in distances.iter_mut().zip([&losses, &wins]) {
            if d.is_empty() { continue; }
            for bit in 0..d.len() {
                if d[bit] == 255 && set[bit / 64] >> (bit % 64) & 1 == 1 {
                    d[bit] = if std::ptr::eq(set, &losses) && distance == 1 { 0 } else { distance as u8 };
                }
            }
        }
        if new == 0 && distance > 2 {
            break;
        }
        out.push((distance, new));
    }
    out
}

#[test]
fn trial() {
    let size = std::env::var("SIZE").unwrap_or("3x2".into());
    let (r, c) = size.split_once('x').unwrap();
    let layout = Layout::new(r.parse().unwrap(), c.parse().unwrap());
    let mut none = [Vec::new(), Vec::new()];
    println!("{:?}", rounds(&layout, &mut none));
}

#[test]
fn compare() {
    for (r, c) in [(3, 2), (4, 2), (5, 2), (6, 2), (3, 3), (4, 3)] {
        let layout = Layout::new(r, c);
        let mut d = [vec![255u8; 64 * layout.words(Array::Losses)], vec![255u8; 64 * layout.words(Array::Wins)]];
        rounds(&layout, &mut d);
        let game = crate::nocca::Nocca::new(r, c).unwrap();
        let solved = crate::nocca::tests::solve(&game);
        let mut bad = 0;
        for side in [Side::White, Side::Black] {
            game.placements(side, &mut |board| {
                let expected = crate::nocca::tests::value(&game, &solved, board);
                let Some(slot) = layout.slot(&board) else {
                    assert_eq!(expected, Value::win(1));
                    return;
                };
                let array = Array::of(side);
                let width = layout.space(array, slot.rows[0], slot.rows[1]).width();
                let bit = 64 * (layout.start(array, slot.rows[0], slot.rows[1]) + slot.board * width) + slot.colouring;
                let found = d[usize::from(side == Side::Black)][bit];
                let right = match (side, expected.outcome()) {
                    (Side::White, Outcome::Loss) | (Side::Black, Outcome::Win) => expected.distance().unwrap() as u8,
                    _ => 255,
                };
                if found != right {
                    bad += 1;
                    if bad < 10 { println!("{} {expected:?} found {found}", game.show(board)); }
                }
                let slab = layout.slab(slot.rows[0], slot.rows[1]).unwrap();
                let back = layout.position(array, slab, slot.board, slot.colouring);
                assert_eq!(layout.slot(&back), Some(slot));
                assert_eq!(game.canonical(back), game.canonical(board));
            });
        }
        assert_eq!(bad, 0, "{r}x{c}");
    }
}

#[test]
fn experiment() {
    let Ok(size) = std::env::var("DUMP") else { return };
    let (r, c) = size.split_once('x').unwrap();
    let layout = Layout::new(r.parse().unwrap(), c.parse().unwrap());
    let mut d = [vec![255u8; 64 * layout.words(Array::Losses)], vec![255u8; 64 * layout.words(Array::Wins)]];
    rounds(&layout, &mut d);
    let game = crate::nocca::Nocca::new(r.parse().unwrap(), c.parse().unwrap()).unwrap();
    let mut out = [Vec::new(), Vec::new(), Vec::new()];
    // every slab: sample runs of 300 boards every 6000
    let mut count = 0usize;
    for array in [Array::Losses, Array::Wins] {
        for (slab, start) in layout.slabs(array) {
            let space = layout.space(array, slab.top, slab.bottom);
            for board in 0..slab.boards {
                count += 1;
                if count % 32768 >= 1024 { continue; }
                for colouring in 0..space.len() {
                    let bit = 64 * (start + board * space.width()) + colouring;
                    let i = usize::from(array == Array::Wins);
                    out[i].push(d[i][bit]);
                    if i == 0 {
                        let mut v = d[0][bit];
                        if v == 255 {
                            let p = layout.position(array, slab, board, colouring);
                            let t = game.turned(p);
                            let slot = layout.slot(&t).unwrap();
                            let w = layout.space(Array::Wins, slot.rows[0], slot.rows[1]).width();
                            v = d[1][64 * (layout.start(Array::Wins, slot.rows[0], slot.rows[1]) + slot.board * w) + slot.colouring];
                        }
                        out[2].push(v);
                    }
                }
            }
        }
    }
    for (name, bytes) in ["losses", "wins", "joint"].iter().zip(&out) {
        std::fs::write(format!("/tmp/kanzen-data/nocca/{name}-{size}"), bytes).unwrap();
    }
}
