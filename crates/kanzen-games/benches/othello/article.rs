//! A literal translation of listings 3 and 4 of the article (Otsuki, "Solving 4x4 Othello", Software Design) to Rust,
//! with the cut-off inside the loop, as in the text (listing 2); the printed listing 4 misplaces it.

const BLACK: i32 = 1;
const DX: [i32; 8] = [1, 0, -1, 0, 1, 1, -1, -1];
const DY: [i32; 8] = [0, 1, 0, -1, 1, -1, -1, 1];

fn step(ce: i32, d: usize) -> i32 {
    let (x, y) = (ce / 4 + DX[d], ce % 4 + DY[d]);
    if !(0..4).contains(&x) || !(0..4).contains(&y) { -1 } else { x * 4 + y }
}

fn iscolor(bl: i32, wh: i32, co: i32, ce: i32) -> bool {
    if ce == -1 {
        return false;
    }
    if co == BLACK { bl >> ce & 1 == 1 } else { wh >> ce & 1 == 1 }
}

fn put(bl: i32, wh: i32, co: i32, ce: i32) -> i32 {
    if (bl | wh) >> ce & 1 == 1 {
        return 0;
    }
    let mut result = 0;
    for d in 0..8 {
        let mut rev = 0;
        let mut ce2 = step(ce, d);
        while iscolor(bl, wh, 1 - co, ce2) {
            rev |= 1 << ce2;
            ce2 = step(ce2, d);
        }
        if iscolor(bl, wh, co, ce2) {
            result |= rev;
        }
    }
    result
}

fn calc(bl: i32, wh: i32, co: i32) -> i32 {
    let (mut nbl, mut nwh, mut nem) = (0, 0, 0);
    for ce in 0..16 {
        if bl >> ce & 1 == 1 {
            nbl += 1;
        } else if wh >> ce & 1 == 1 {
            nwh += 1;
        } else {
            nem += 1;
        }
    }
    if nbl > nwh {
        nbl += nem;
    } else if nbl < nwh {
        nwh += nem;
    }
    if co == BLACK { nbl - nwh } else { nwh - nbl }
}

fn rec(mut alpha: i32, beta: i32, bl: i32, wh: i32, co: i32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let (mut mine, mut opp) = (Vec::new(), Vec::new());
    for ce in 0..16 {
        if put(bl, wh, co, ce) != 0 {
            mine.push(ce);
        }
        if put(bl, wh, 1 - co, ce) != 0 {
            opp.push(ce);
        }
    }
    if mine.is_empty() && opp.is_empty() {
        return calc(bl, wh, co);
    }
    if mine.is_empty() {
        return -rec(-beta, -alpha, bl, wh, 1 - co, nodes);
    }
    for ce in mine {
        let rev = put(bl, wh, co, ce);
        let (mut bl2, mut wh2) = (bl ^ rev, wh ^ rev);
        if co == BLACK {
            bl2 |= 1 << ce;
        } else {
            wh2 |= 1 << ce;
        }
        let score = -rec(-beta, -alpha, bl2, wh2, 1 - co, nodes);
        alpha = alpha.max(score);
        if alpha >= beta {
            return alpha;
        }
    }
    alpha
}

/// Black's score of the 4x4 board, and the positions searched for it.
pub fn solve() -> (i32, u64) {
    let mut nodes = 0;
    let score = rec(-16, 16, 1 << 6 | 1 << 9, 1 << 5 | 1 << 10, BLACK, &mut nodes);
    (score, nodes)
}
