//! Notation and drawing of Ostle: reads and writes positions and moves, and draws boards for the terminal and the
//! browser.
//!
//! ```text
//! 11111-00000-00300-00000-22222     25 digits row by row, dashes ignored: 0 empty, 1 mover, 2 opponent, 3 hole
//! BOARD/BOARD                       the second is the board before the last move, from the view of the side that made it
//! c1-c2, a5-off-left                columns a to e from the left, rows 1 to 5 from the bottom
//!
//! 5  A  A  A  A  A                  on the drawn board A moved first and B second, whichever is to move: the digits of the
//! 4  .  .  .  .  .                  text swap with every ply, which would be hard to follow on a board.
//! 3  .  .  #  .  .                  # is the hole.
//! ```

use kanzen::notation::square as square_name;
use kanzen::view::{Shape, Side, Tone, View};
use kanzen::{BadPosition, Game, drawing};

use super::board::{Board, NEXT, OFF};
use super::ko::Ko;
use super::moves::{Effect, Move};
use super::rules::{Ostle, Position};

/// The notation, described for users.
pub const NOTATION: &str = "25 digits row by row from the top, '-' ignored: 0 empty, 1 a piece of the mover, 2 one of the opponent, \
    3 the hole. After '/' may stand the board before the last move, as its own mover saw it, where it forbids a move. A \
    move is from-to, columns a to e from the left and rows 1 to 5 from the bottom, of a piece or of the hole; \
    from-off-left, -right, -up or -down pushes off the board. On the drawn board A moved first, whichever side is to move.";

pub fn show(position: Position) -> String {
    match position.previous {
        None => show_board(&position.board),
        Some(previous) => format!("{}/{}", show_board(&position.board), show_board(&previous)),
    }
}

fn show_board(board: &Board) -> String {
    let digit = |square: u8| match 1 << square {
        bit if bit & board.mover != 0 => '1',
        bit if bit & board.opponent != 0 => '2',
        bit if bit & board.pit() != 0 => '3',
        _ => '0',
    };
    let rows: Vec<String> = (0..5).map(|row| (5 * row..5 * row + 5).map(digit).collect()).collect();
    rows.join("-")
}

pub fn show_move(mv: Move) -> String {
    let names = ["up", "left", "right", "down"];
    let name = |square: u8| square_name(usize::from(square % 5), usize::from(5 - square / 5));
    match NEXT[usize::from(mv.direction)][usize::from(mv.from)] {
        OFF => format!("{}-off-{}", name(mv.from), names[usize::from(mv.direction)]),
        to => format!("{}-{}", name(mv.from), name(to)),
    }
}

pub fn read(game: &Ostle, text: &str) -> Result<Position, BadPosition> {
    let (board, previous) = match text.split_once('/') {
        None => (text, None),
        Some((board, previous)) => (board, Some(previous)),
    };
    let board = read_board(board)?;
    let lost = board.mover.count_ones() + 1 == game.army.least;
    let counted = Board { mover: if lost { with_one_more(board.mover) } else { board.mover }, ..board };
    check_pieces(game, &counted)?;
    let Some(previous) = previous else { return Ok(Position { board, previous: None }) };
    let previous = read_board(previous).map_err(|wrong| BadPosition::new(format!("the previous board: {wrong}")))?;
    check_pieces(game, &previous).map_err(|wrong| BadPosition::new(format!("the previous board: {wrong}")))?;
    arrival(game, board, previous).ok_or_else(|| {
        BadPosition::new(format!(
            "no move leads from the previous board {} to {}",
            show_board(&previous),
            show_board(&board)
        ))
    })
}

/// Returns the position after the move from `previous` to `board`, or `None` if there is no such move.
fn arrival(game: &Ostle, board: Board, previous: Board) -> Option<Position> {
    let mut found = None;
    game.board_moves(&previous, |_, next, effect| {
        if next == board {
            found = Some(effect);
        }
    });
    let position = game.arrive(board, previous, found?);
    // A finished game forbids nothing.
    Some(if game.ended(position).is_some() || !matches!(found, Some(Effect::Quiet { .. })) {
        Position { board, previous: None }
    } else {
        position
    })
}

fn with_one_more(mask: u32) -> u32 {
    mask | !mask & (mask + 1)
}

fn read_board(text: &str) -> Result<Board, BadPosition> {
    let digits: Vec<char> = text.chars().filter(|&letter| letter != '-').collect();
    if let Some((at, wrong)) = digits.iter().enumerate().find(|(_, digit)| !('0'..='3').contains(*digit)) {
        return Err(BadPosition::new(format!("{wrong:?} at square {} is none of 0, 1, 2, 3", at + 1)));
    }
    if digits.len() != 25 {
        return Err(BadPosition::new(format!("{} squares, expected 25", digits.len())));
    }
    let of = |digit: char| (0..25).filter(|&at| digits[at] == digit).map(|at| 1u32 << at).sum::<u32>();
    let hole = of('3');
    if hole.count_ones() != 1 {
        return Err(BadPosition::new(format!("{} holes, expected 1", hole.count_ones())));
    }
    Ok(Board { hole: hole.trailing_zeros() as u8, mover: of('1'), opponent: of('2') })
}

fn check_pieces(game: &Ostle, board: &Board) -> Result<(), BadPosition> {
    let (least, most) = (game.army.least, game.army.most);
    for (name, side) in [("the mover", board.mover), ("the opponent", board.opponent)] {
        let pieces = side.count_ones();
        if !(least..=most).contains(&pieces) {
            return Err(BadPosition::new(format!("{name} has {pieces} pieces, expected {least} to {most}")));
        }
    }
    let pieces = board.pieces().count_ones();
    if pieces > game.pieces {
        return Err(BadPosition::new(format!("{pieces} pieces on the board, at most {} here", game.pieces)));
    }
    Ok(())
}

const PLAYERS: [char; 2] = ['A', 'B'];
const HOLE: char = '#';

/// Draws the board after `ply` plies of a game, with the side to move and the forbidden move.
pub fn draw(game: &Ostle, position: Position, ply: u64) -> String {
    let [mover, opponent] = if ply.is_multiple_of(2) { PLAYERS } else { [PLAYERS[1], PLAYERS[0]] };
    let board = position.board;
    let letter = |square: usize| match 1 << square {
        bit if bit & board.mover != 0 => mover,
        bit if bit & board.opponent != 0 => opponent,
        bit if bit & board.pit() != 0 => HOLE,
        _ => '.',
    };
    let mut text = drawing::board(&kanzen::notation::show_rows([5; 5], letter));
    text += &format!("\n\n{mover} to move; {HOLE} is the hole");
    for name in forbidden(game, position) {
        text += &format!("\nforbidden: {name}, which would bring back the board of two plies before");
    }
    text
}

/// The moves that the board allows but the previous board forbids: one at most.
fn forbidden(game: &Ostle, position: Position) -> Vec<String> {
    if game.ended(position).is_some() {
        return Vec::new();
    }
    let mut allowed = Vec::new();
    game.moves(position, &mut |mv, _| allowed.push(mv));
    let mut forbidden = Vec::new();
    game.board_moves(&position.board, |mv, _, _| {
        if !allowed.contains(&mv) {
            forbidden.push(show_move(mv));
        }
    });
    forbidden
}

/// Describes the board for the browser: a grid with a moving hole, and exits on all four sides.
pub fn view(game: &Ostle) -> View {
    let most =
        if game.pieces == 2 * game.army.most { String::new() } else { format!("（駒{}個まで）", game.pieces) };
    let (ko, reading) = match game.ko {
        Ko::Literal => ("2手前と同じ盤面", ""),
        Ko::Symmetric => ("2手前と同じ盤面（回転・鏡映も含む）", "・対称コウ"),
    };
    View::grid(5, 5)
        .rows_joined_by("-")
        .empty('0')
        .seen_by_the_mover()
        .history_after('/')
        .sides(Side::new("", "First player", "先手", Tone::Light), Side::new("", "Second player", "後手", Tone::Dark))
        .piece('1', Some(0), Shape::Disc)
        .piece('2', Some(1), Shape::Disc)
        .piece('3', None, Shape::Hole)
        .exit("off-left", None, -1.0, 0.0)
        .exit("off-right", None, 1.0, 0.0)
        .exit("off-up", None, 0.0, -1.0)
        .exit("off-down", None, 0.0, 1.0)
        .japanese(
            format!("オストル{most}{reading}"),
            format!(
                "自分の駒を縦横に1歩動かします。前にある駒は並んだまま押されます。または穴を隣の空きマスへ動かします。\
                 盤の外や穴に落ちた駒は取り除かれ、駒が残り{}個になった側の負けです。{ko}に戻す手は指せません。\
                 千日手は引き分けです。",
                game.army.least - 1
            ),
        )
}
