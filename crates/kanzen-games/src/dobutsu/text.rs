//! Notation and view of animal shogi: reads and writes positions and moves, in the style of shogi's SFEN.
//!
//! ```text
//! gle/.c./.C./ELG b -      rows from the top; capitals belong to the first player, who plays up; then the side to move
//!                          (b first, w second) and the hands (`-` for none, `Ccg` for C to the first, c and g to the second)
//! b2-b3, C@a2              columns a to c from the left, rows 1 to 4 from the bottom; a drop names its animal
//! ```

use kanzen::notation::{self, read_rows, read_side, show_rows};
use kanzen::view::{Hands, Shape, Side, Tone, View};
use kanzen::{BadPosition, Colour};

use super::board::{COLUMNS, Kind, Piece, Position, ROWS, Squares};
use super::rules::Action;

/// The notation, described for users.
pub const NOTATION: &str = "Rows from the top joined by '/': L lion, G giraffe, E elephant, C chick, H hen, capitals the first \
    player's, who plays up, '.' empty; a space, the side to move (b first, w second), a space, and the animals in hand, \
    '-' if there are none. A move is from-to, or the animal and where it is dropped, such as C@a2; columns a to c from \
    the left, rows 1 to 4 from the bottom.";

const LETTERS: [char; 5] = ['L', 'G', 'E', 'C', 'H'];

fn letter(piece: Piece) -> char {
    let capital = LETTERS[piece.kind as usize];
    if piece.side == Colour::Black { capital } else { capital.to_ascii_lowercase() }
}

fn piece(letter: char) -> Option<Piece> {
    let kind = LETTERS.iter().position(|capital| *capital == letter.to_ascii_uppercase())?;
    let side = if letter.is_ascii_uppercase() { Colour::Black } else { Colour::White };
    Some(Piece { side, kind: Kind::ALL[kind] })
}

fn square_name(square: usize) -> String {
    notation::square(square % COLUMNS, ROWS - square / COLUMNS)
}

pub fn show_action(action: Action) -> String {
    match action {
        Action::Step(from, to) => format!("{}-{}", square_name(from), square_name(to)),
        Action::Drop(kind, to) => format!("{}@{}", LETTERS[kind as usize], square_name(to)),
    }
}

pub fn show(board: &Position) -> String {
    let rows = show_rows([COLUMNS; ROWS], |square| board.squares.at(square).map_or('.', letter));
    let mut hands = String::new();
    for side in [Colour::Black, Colour::White] {
        for (held, kind) in Kind::IN_HAND.into_iter().enumerate() {
            let count = board.hands[side as usize][held];
            (0..count).for_each(|_| hands.push(letter(Piece { side, kind })));
        }
    }
    if hands.is_empty() {
        hands.push('-');
    }
    format!("{rows} {} {hands}", board.to_move.letter())
}

pub fn read(text: &str) -> Result<Position, BadPosition> {
    let parts: Vec<&str> = text.split(' ').collect();
    let [rows, side, hands] = parts[..] else {
        return Err(BadPosition::new(
            "expected rows joined by '/', the side to move and the hands, such as gle/.c./.C./ELG b -",
        ));
    };
    let to_move = read_side(side, [("b", Colour::Black), ("w", Colour::White)])?;
    let board = Position { squares: read_squares(rows)?, hands: read_hands(hands)?, to_move };
    count_animals(&board)?;
    Ok(board)
}

fn read_squares(text: &str) -> Result<Squares, BadPosition> {
    let mut squares = Squares::default();
    for (square, (row, sign)) in read_rows(text, ["row", "squares"], [COLUMNS; ROWS])?.into_iter().enumerate() {
        let piece = piece(sign);
        if piece.is_none() && sign != '.' {
            return Err(BadPosition::new(format!("unknown letter {sign:?} in row {row}")));
        }
        squares = squares.with(square, piece);
    }
    Ok(squares)
}

fn read_hands(text: &str) -> Result<[[u8; 3]; 2], BadPosition> {
    let mut hands = [[0; 3]; 2];
    if text == "-" {
        return Ok(hands);
    }
    for sign in text.chars() {
        let piece = piece(sign).ok_or_else(|| BadPosition::new(format!("unknown letter {sign:?} in the hands")))?;
        let Some(held) = Kind::IN_HAND.iter().position(|kind| *kind == piece.kind) else {
            return Err(BadPosition::new(format!("{sign:?} cannot be in a hand")));
        };
        hands[piece.side as usize][held] += 1;
        if hands[piece.side as usize][held] > 2 {
            return Err(BadPosition::new(format!("more than 2 {sign:?} in a hand")));
        }
    }
    Ok(hands)
}

/// Checks the material: two giraffes, two elephants, two chicks or hens in all; one lion each, of which the mover's may
/// have just been captured.
fn count_animals(board: &Position) -> Result<(), BadPosition> {
    let on_board = |kinds: &[Kind]| board.squares.each().flatten().filter(|piece| kinds.contains(&piece.kind)).count();
    let kinds: [(&str, &[Kind]); 3] =
        [("giraffes", &[Kind::Giraffe]), ("elephants", &[Kind::Elephant]), ("chicks", &[Kind::Chick, Kind::Hen])];
    for (held, (name, kinds)) in kinds.into_iter().enumerate() {
        let found = on_board(kinds) + usize::from(board.hands[0][held] + board.hands[1][held]);
        if found != 2 {
            return Err(BadPosition::new(format!("{found} {name}, expected 2")));
        }
    }
    for side in [Colour::Black, Colour::White] {
        let lion = Some(Piece { side, kind: Kind::Lion });
        let lions = board.squares.each().filter(|square| *square == lion).count();
        if lions > 1 || lions == 0 && side != board.to_move {
            let name = if side == Colour::Black { 'L' } else { 'l' };
            return Err(BadPosition::new(format!("{lions} lions {name:?}, expected 1")));
        }
    }
    Ok(())
}

/// The letters and the characters on the tiles.
const ANIMALS: [(char, &str); 5] = [('L', "獅"), ('G', "麒"), ('E', "象"), ('C', "雛"), ('H', "鶏")];

/// Draws tiles that point at the opponent, and hands.
pub fn view() -> View {
    let mut view = View::grid(4, 3)
        .hands(Hands::Letters)
        .sides(Side::new("b", "First player", "先手", Tone::Light), Side::new("w", "Second player", "後手", Tone::Brown))
        .japanese(
            "どうぶつしょうぎ",
            "動物を一つ動かすか、取った動物を打ちます。ひよこは盤上で一番奥の段に進むとにわとりに成り、取られるとひよこに\
             戻ります。相手のライオンを取るか、自分のライオンが一番奥の段に無事にたどり着けば勝ちです。千日手は引き分けです。",
        );
    for (letter, mark) in ANIMALS {
        view = view.marked_piece(letter, 0, Shape::Tile, mark);
        view = view.marked_piece(letter.to_ascii_lowercase(), 1, Shape::Tile, mark);
    }
    view
}
