//! Constructors of views: grids, points with lines, rings, piles, and what modifies them.

use super::{Exit, Ground, Hands, Label, Notation, Piece, Point, Shape, Side, Surface, Tone, Translation, Turn, View};

/// How far a label is from the place it stands beside.
const BESIDE: f32 = 0.72;

impl Default for View {
    fn default() -> View {
        View::text()
    }
}

impl View {
    /// Nothing but text.
    pub fn text() -> View {
        View {
            ground: Ground::Text,
            surface: Surface::Wood,
            sides: [
                Side::new("", "First player", "先手", Tone::Dark),
                Side::new("", "Second player", "後手", Tone::Light),
            ],
            places: Vec::new(),
            lines: Vec::new(),
            labels: Vec::new(),
            pieces: Vec::new(),
            exits: Vec::new(),
            notation: Notation {
                rows: Vec::new(),
                row_joint: "/",
                cell_joint: "",
                empty: '.',
                stack: 1,
                turn: Turn::Letter,
                hands: Hands::None,
                history: None,
            },
            flips: false,
            japanese: None,
        }
    }

    /// A heap of stones: a position is their number, a move the number taken.
    pub fn pile() -> View {
        let mut view = View::text();
        view.ground = Ground::Pile;
        view.notation.turn = Turn::Mover;
        view.pieces = vec![Piece { letter: 'o', side: None, shape: Shape::Disc, mark: None }];
        view
    }

    /// Squares in rows; columns are a, b, c from the left, rows 1, 2, 3 from the bottom.
    pub fn grid(rows: usize, columns: usize) -> View {
        View::named_grid(rows, columns, |row| rows - row)
    }

    /// Squares in rows; rows are 1, 2, 3 from the top, as in Othello.
    pub fn grid_from_the_top(rows: usize, columns: usize) -> View {
        View::named_grid(rows, columns, |row| row + 1)
    }

    fn named_grid(rows: usize, columns: usize, number: impl Fn(usize) -> usize) -> View {
        let letter = |column: usize| char::from(b'a' + column as u8);
        let mut view = View::text();
        view.ground = Ground::Squares;
        view.flips = true;
        view.notation.rows = vec![columns; rows];
        for row in 0..rows {
            for column in 0..columns {
                let name = format!("{}{}", letter(column), number(row));
                view.places.push(Point { name, x: column as f32, y: row as f32 });
            }
            view.labels.push(Label { text: number(row).to_string(), x: -BESIDE, y: row as f32 });
        }
        for column in 0..columns {
            view.labels.push(Label {
                text: letter(column).to_string(),
                x: column as f32,
                y: rows as f32 - 1.0 + BESIDE,
            });
        }
        view
    }

    /// Points joined by lines, in the order of the notation; points of one height are one row of it.
    pub fn points(places: Vec<Point>, lines: Vec<[usize; 2]>) -> View {
        let mut view = View::text();
        view.ground = Ground::Points;
        view.flips = true;
        view.notation.rows = places.chunk_by(|one, other| one.y == other.y).map(<[Point]>::len).collect();
        view.places = places;
        view.lines = lines;
        view.label_points();
        view
    }

    /// Letters below the board and numbers on its left, where all points of a column or a row share theirs.
    fn label_points(&mut self) {
        let left = self.places.iter().map(|place| place.x).fold(f32::INFINITY, f32::min);
        let bottom = self.places.iter().map(|place| place.y).fold(f32::NEG_INFINITY, f32::max);
        let letters = |place: &Point| place.name.trim_end_matches(|sign: char| sign.is_ascii_digit()).to_owned();
        let digits = |place: &Point| place.name.trim_start_matches(|sign: char| !sign.is_ascii_digit()).to_owned();
        let mut labels = Vec::new();
        for (number, place) in self.places.iter().enumerate() {
            let (before, all) = (&self.places[..number], &self.places);
            if !before.iter().any(|other| other.x == place.x)
                && all.iter().all(|other| other.x != place.x || letters(other) == letters(place))
            {
                labels.push(Label { text: letters(place), x: place.x, y: bottom + BESIDE });
            }
            if !before.iter().any(|other| other.y == place.y)
                && all.iter().all(|other| other.y != place.y || digits(other) == digits(place))
            {
                labels.push(Label { text: digits(place), x: left - BESIDE, y: place.y });
            }
        }
        self.labels = labels;
    }

    /// Concentric rings of eight points, from the outermost, clockwise from the top left corner, and perhaps a centre:
    /// the boards of morris. Squares are joined round; `lines` adds what joins one ring to the next.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::view::View;
    /// let mill = View::rings(3, false, (0..2).flat_map(|ring| [1, 3, 5, 7].map(|side| [8 * ring + side, 8 * ring + side + 8])));
    /// assert_eq!((mill.places.len(), mill.lines.len()), (24, 32));
    /// assert_eq!(mill.notation.rows, [8, 8, 8]);
    /// assert_eq!((mill.places[0].name.as_str(), mill.places[12].name.as_str()), ("a7", "f2"));
    /// let labels: String = mill.labels.iter().map(|label| label.text.as_str()).collect();
    /// assert_eq!(labels, "a7dg41b6f2c5e3"); // a column and a row for each point that begins one
    /// ```
    pub fn rings(rings: usize, centre: bool, lines: impl IntoIterator<Item = [usize; 2]>) -> View {
        const ROUND: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)];
        let middle = rings as i32;
        let place = |dx: i32, dy: i32| {
            let (x, y) = (middle + dx, middle + dy);
            let name = format!("{}{}", char::from(b'a' + x as u8), 2 * middle + 1 - y);
            Point { name, x: x as f32, y: y as f32 }
        };
        let mut view = View::points(Vec::new(), Vec::new());
        for ring in 0..rings {
            let radius = middle - ring as i32;
            view.places.extend(ROUND.map(|(dx, dy)| place(radius * dx, radius * dy)));
            view.lines.extend((0..8).map(|at| [8 * ring + at, 8 * ring + (at + 1) % 8]));
        }
        view.notation.rows = vec![8; rings];
        if centre {
            view.places.push(place(0, 0));
            view.notation.rows.push(1);
        }
        view.lines.extend(lines);
        view.label_points();
        view
    }

    /// Gives the places other names, in the order of the notation.
    pub fn named(mut self, name: impl Fn(usize) -> String) -> View {
        for (number, place) in self.places.iter_mut().enumerate() {
            place.name = name(number);
        }
        if self.ground == Ground::Points {
            self.label_points();
        }
        self
    }

    /// A board of green cloth.
    pub fn felt(mut self) -> View {
        self.surface = Surface::Felt;
        self
    }

    /// Names the players, the one who begins first.
    pub fn sides(mut self, first: Side, second: Side) -> View {
        self.sides = [first, second];
        self
    }

    /// Adds a kind of piece.
    pub fn piece(mut self, letter: char, side: Option<usize>, shape: Shape) -> View {
        self.pieces.push(Piece { letter, side, shape, mark: None });
        self
    }

    /// Adds a kind of piece with a mark on it.
    pub fn marked_piece(mut self, letter: char, side: usize, shape: Shape, mark: &'static str) -> View {
        self.pieces.push(Piece { letter, side: Some(side), shape, mark: Some(mark) });
        self
    }

    /// Cells hold stacks of up to so many pieces and are joined by commas.
    pub fn stacks(mut self, most: usize) -> View {
        self.notation.stack = most;
        self.notation.cell_joint = ",";
        self
    }

    /// What stands between rows.
    pub fn rows_joined_by(mut self, joint: &'static str) -> View {
        self.notation.row_joint = joint;
        self
    }

    /// How an empty cell is written.
    pub fn empty(mut self, letter: char) -> View {
        self.notation.empty = letter;
        self
    }

    /// The position names no side: pieces of the first side are the mover's.
    pub fn seen_by_the_mover(mut self) -> View {
        self.notation.turn = Turn::Mover;
        self
    }

    /// Pieces in hand follow the side to move.
    pub fn hands(mut self, hands: Hands) -> View {
        self.notation.hands = hands;
        self
    }

    /// After this sign a record of earlier play follows, which the picture leaves out.
    pub fn history_after(mut self, sign: char) -> View {
        self.notation.history = Some(sign);
        self
    }

    /// Adds a way off the board: for one side or for both, in this direction.
    pub fn exit(mut self, word: &'static str, side: Option<usize>, dx: f32, dy: f32) -> View {
        self.exits.push(Exit { word, side, dx, dy });
        self
    }

    /// The game in Japanese.
    pub fn japanese(mut self, title: impl Into<String>, rules: impl Into<String>) -> View {
        self.japanese = Some(Translation { title: title.into(), rules: rules.into() });
        self
    }
}
