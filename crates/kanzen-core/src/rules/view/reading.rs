//! Reads and writes positions by a view, exactly as the page does, so that views are tested without a browser.

use super::{Exit, Ground, Hands, Turn, View};

/// The content of a position's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Content {
    /// The pieces of each place, bottom first.
    pub cells: Vec<String>,
    /// The letter of the side to move, if the notation has it.
    pub turn: String,
    /// Pieces in hand and a record of earlier play, as they are written.
    pub rest: String,
}

/// One thing to click for a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Click<'a> {
    /// A place, by its number.
    Place(usize),
    /// A way off the board.
    Exit(&'a Exit),
    /// A piece in the mover's hand.
    Hand(&'a str),
}

impl View {
    /// The content of a position's text; an error if the view does not fit the text.
    pub fn read(&self, text: &str) -> Result<Content, String> {
        if matches!(self.ground, Ground::Text | Ground::Pile) {
            return Ok(Content { cells: Vec::new(), turn: String::new(), rest: text.to_owned() });
        }
        let notation = &self.notation;
        let at = notation.history.and_then(|sign| text.find(sign)).unwrap_or(text.len());
        let (board, history) = text.split_at(at);
        let (board, after) = board.split_once(' ').unwrap_or((board, ""));
        let (turn, hands) = after.split_once(' ').unwrap_or((after, ""));
        let rows: Vec<&str> = board.split(notation.row_joint).collect();
        let mut cells = Vec::new();
        for row in &rows {
            match notation.cell_joint {
                "" => cells.extend(row.chars().map(|letter| self.cell(&letter.to_string()))),
                joint => cells.extend(row.split(joint).map(|cell| self.cell(cell))),
            }
        }
        let lengths_fit = rows.len() == notation.rows.len() && cells.len() == self.places.len();
        let turn_fits = match notation.turn {
            Turn::Letter => self.sides.iter().any(|side| side.letter == turn),
            Turn::Mover => turn.is_empty(),
        };
        let known = |letter: char| self.pieces.iter().any(|piece| piece.letter == letter);
        let pieces_fit = cells.iter().all(|cell| cell.chars().count() <= notation.stack && cell.chars().all(known));
        if lengths_fit && turn_fits && pieces_fit && (notation.hands == Hands::None) == hands.is_empty() {
            return Ok(Content { cells, turn: turn.to_owned(), rest: format!("{hands}{history}") });
        }
        Err(format!("the view does not fit the position {text:?}"))
    }

    fn cell(&self, text: &str) -> String {
        if text == self.notation.empty.to_string() { String::new() } else { text.to_owned() }
    }

    /// The text of the content that [`read`](View::read) returned.
    pub fn write(&self, content: &Content) -> String {
        if self.places.is_empty() {
            return content.rest.clone();
        }
        let notation = &self.notation;
        let mut cells = content.cells.iter();
        let empty = notation.empty.to_string();
        let mut row = |length: usize| {
            let cells: Vec<&str> =
                cells.by_ref().take(length).map(|cell| if cell.is_empty() { empty.as_str() } else { cell }).collect();
            cells.join(notation.cell_joint)
        };
        let rows: Vec<String> = notation.rows.iter().map(|&length| row(length)).collect();
        let mut text = rows.join(notation.row_joint);
        if notation.turn == Turn::Letter {
            text += &format!(" {}", content.turn);
        }
        if notation.hands != Hands::None { text + " " + &content.rest } else { text + &content.rest }
    }

    /// What to click for a move: places and ways off the board. None for a move that names no place (`pass`).
    pub fn clicks<'a>(&'a self, turn: Option<usize>, text: &'a str) -> Option<Vec<Click<'a>>> {
        let place = |name: &str| self.places.iter().position(|place| place.name == name).map(Click::Place);
        if let Some((piece, to)) = text.split_once('@') {
            return Some(vec![Click::Hand(piece), place(to)?]);
        }
        let (main, taken) = text.split_once('x').map_or((text, None), |(main, taken)| (main, Some(taken)));
        let (first, second) = main.split_once('-').map_or((main, None), |(first, second)| (first, Some(second)));
        let mut steps = vec![place(first)?];
        if let Some(second) = second {
            let exit =
                |exit: &&Exit| exit.word == second && (exit.side.is_none() || turn.is_none() || exit.side == turn);
            steps.push(place(second).or_else(|| self.exits.iter().find(exit).map(Click::Exit))?);
        }
        if let Some(taken) = taken {
            steps.push(place(taken)?);
        }
        Some(steps)
    }

    /// The number of the side that a letter names.
    pub fn side(&self, letter: &str) -> Option<usize> {
        self.sides.iter().position(|side| side.letter == letter)
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::view::{Click, Hands, Shape, Side, Tone, View};

    fn sides(view: View, first: &'static str, second: &'static str) -> View {
        view.sides(Side::new(first, "First", "先手", Tone::Light), Side::new(second, "Second", "後手", Tone::Dark))
    }

    #[test]
    fn ostle_is_seen_by_the_mover_and_remembers_a_board() {
        let view = View::grid(5, 5)
            .rows_joined_by("-")
            .empty('0')
            .seen_by_the_mover()
            .history_after('/')
            .piece('1', Some(0), Shape::Disc)
            .piece('2', Some(1), Shape::Disc)
            .piece('3', None, Shape::Hole)
            .exit("off-left", None, -1.0, 0.0);
        let text = "00100-11200-00001-31022-20020/00000-22200-00102-32011-10010";
        let content = view.read(text).unwrap();
        assert_eq!((content.cells[2].as_str(), content.cells[15].as_str(), content.cells[0].as_str()), ("1", "3", ""));
        assert_eq!(view.write(&content), text);
        assert_eq!(view.clicks(None, "a5-off-left"), Some(vec![Click::Place(0), Click::Exit(&view.exits[0])]));
        assert!(view.read("0010-11200-00001-31022-20020").is_err());
        assert!(view.read("00100-11200-00001-31022-20024").is_err());
    }

    #[test]
    fn morris_has_rings_hands_and_takes() {
        let view = sides(View::rings(2, true, []), "w", "b").hands(Hands::Counts);
        let view = view.piece('w', Some(0), Shape::Disc).piece('b', Some(1), Shape::Disc);
        let text = "w......./.b....../. b 5-6";
        assert_eq!(view.write(&view.read(text).unwrap()), text);
        assert_eq!(view.clicks(Some(0), "a5-c5xc3"), Some(vec![Click::Place(0), Click::Place(1), Click::Place(16)]));
        assert_eq!(view.clicks(Some(0), "pass"), None);
    }

    #[test]
    fn animals_are_dropped_from_the_hand() {
        let view = sides(View::grid(2, 2), "b", "w").hands(Hands::Letters);
        let view = view.marked_piece('C', 0, Shape::Tile, "C").marked_piece('c', 1, Shape::Tile, "C");
        for text in ["C./.c b -", "../.. w Cc"] {
            assert_eq!(view.write(&view.read(text).unwrap()), text);
        }
        assert_eq!(view.clicks(Some(1), "C@b1"), Some(vec![Click::Hand("C"), Click::Place(3)]));
    }

    #[test]
    fn ways_off_the_board_belong_to_a_side() {
        let view = sides(View::grid(3, 2), "w", "b").exit("off", Some(0), 0.0, -1.0).exit("off", Some(1), 0.0, 1.0);
        assert_eq!(view.clicks(Some(1), "a1-off"), Some(vec![Click::Place(4), Click::Exit(&view.exits[1])]));
        assert_eq!(view.clicks(Some(0), "a3-off"), Some(vec![Click::Place(0), Click::Exit(&view.exits[0])]));
    }
}
