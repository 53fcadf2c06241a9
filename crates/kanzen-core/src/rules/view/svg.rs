//! Draws a board as an SVG picture from its view: for sheets of puzzles and documents.
//!
//! One unit of the view is [`UNIT`] pixels. Colours are plain attributes, so that any viewer and any printer shows the
//! picture as it is.

use std::fmt::Write as _;

use super::{Content, Ground, Hands, Piece, Shape, Surface, Tone, View};

/// Pixels of the side of a square.
pub const UNIT: f32 = 40.0;
/// Around the board: room for labels.
const MARGIN: f32 = 1.2;
const INK: &str = "#3a2c1c";
const FONT: &str = "font-family=\"sans-serif\" text-anchor=\"middle\" dominant-baseline=\"central\"";

/// A picture without its frame: to be placed in a larger one.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawing {
    /// The elements; the upper left corner is at 0, 0.
    pub elements: String,
    /// The width in pixels.
    pub width: f32,
    /// The height in pixels.
    pub height: f32,
}

impl Drawing {
    /// The picture as a file of its own.
    pub fn to_svg(&self) -> String {
        framed(self.width, self.height, &self.elements)
    }
}

/// Elements as a file.
///
/// ```
/// # use kanzen_core as kanzen;
/// let svg = kanzen::view::svg::framed(10.0, 20.0, "<circle r=\"3\"/>");
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
/// ```
pub fn framed(width: f32, height: f32, elements: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n{elements}</svg>\n"
    )
}

/// A text as it may stand in a picture.
///
/// ```
/// # use kanzen_core as kanzen;
/// assert_eq!(kanzen::view::svg::escaped("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
/// ```
pub fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for letter in text.chars() {
        match letter {
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '&' => safe += "&amp;",
            '"' => safe += "&quot;",
            control if control.is_control() => safe.push(' '),
            plain => safe.push(plain),
        }
    }
    safe
}

/// Draws a position. A game without a board is drawn as its text; it is an error if the view does not fit the text.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::view::{Shape, Side, Tone, View, svg};
/// let view = View::grid(3, 3)
///     .sides(Side::new("X", "Crosses", "×", Tone::Dark), Side::new("O", "Noughts", "○", Tone::Light))
///     .piece('X', Some(0), Shape::Cross)
///     .piece('O', Some(1), Shape::Ring);
/// let picture = svg::draw(&view, "X../.O./... X")?.to_svg();
/// assert_eq!(picture.matches("<rect").count(), 10); // the board and its squares
/// assert!(svg::draw(&view, "X../.O. X").is_err());
/// # Ok::<(), String>(())
/// ```
pub fn draw(view: &View, text: &str) -> Result<Drawing, String> {
    let content = view.read(text)?;
    if view.places.is_empty() {
        return Ok(words(view, text));
    }
    let mut canvas = Canvas::new(view);
    canvas.ground(view);
    for (place, cell) in view.places.iter().zip(&content.cells) {
        canvas.stack(view, (place.x, place.y), cell);
    }
    canvas.below(view, &content);
    Ok(canvas.drawing())
}

/// A position that has no board.
fn words(view: &View, text: &str) -> Drawing {
    let shown = if view.ground == Ground::Pile { format!("{text} stones") } else { text.to_owned() };
    let width = UNIT * 2.0 + 9.0 * shown.chars().count() as f32;
    let elements =
        format!("<text x=\"{:.1}\" y=\"{UNIT:.1}\" fill=\"{INK}\" {FONT}>{}</text>\n", width / 2.0, escaped(&shown));
    Drawing { elements, width, height: 2.0 * UNIT }
}

/// What is drawn so far, in units of the view.
struct Canvas {
    elements: String,
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

impl Canvas {
    fn new(view: &View) -> Canvas {
        let range = |of: fn(&super::Point) -> f32| {
            let all = view.places.iter().map(of);
            all.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
        };
        let ((left, right), (top, bottom)) = (range(|place| place.x), range(|place| place.y));
        let mut canvas = Canvas {
            elements: String::new(),
            left: left - MARGIN,
            top: top - MARGIN,
            right: right + MARGIN,
            bottom: bottom + MARGIN,
        };
        canvas.rectangle((left - 0.6, top - 0.6), (right + 0.6, bottom + 0.6), board_colour(view), "none");
        canvas
    }

    fn x(&self, x: f32) -> f32 {
        (x - self.left) * UNIT
    }

    fn y(&self, y: f32) -> f32 {
        (y - self.top) * UNIT
    }

    fn rectangle(&mut self, from: (f32, f32), to: (f32, f32), fill: &str, stroke: &str) {
        let (x, y) = (self.x(from.0), self.y(from.1));
        let (width, height) = ((to.0 - from.0) * UNIT, (to.1 - from.1) * UNIT);
        let _ = writeln!(
            self.elements,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{fill}\" \
             stroke=\"{stroke}\"/>"
        );
    }

    fn line(&mut self, from: (f32, f32), to: (f32, f32), stroke: &str, width: f32) {
        let (x1, y1, x2, y2) = (self.x(from.0), self.y(from.1), self.x(to.0), self.y(to.1));
        let _ = writeln!(
            self.elements,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{stroke}\" \
             stroke-width=\"{width:.1}\" stroke-linecap=\"round\"/>"
        );
    }

    fn circle(&mut self, at: (f32, f32), radius: f32, fill: &str, stroke: &str, width: f32) {
        let (x, y, radius) = (self.x(at.0), self.y(at.1), radius * UNIT);
        let _ = writeln!(
            self.elements,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"{stroke}\" \
             stroke-width=\"{width:.1}\"/>"
        );
    }

    fn text(&mut self, at: (f32, f32), size: f32, fill: &str, text: &str) {
        let (x, y, size) = (self.x(at.0), self.y(at.1), size * UNIT);
        let _ = writeln!(
            self.elements,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\" fill=\"{fill}\" {FONT}>{}</text>",
            escaped(text)
        );
    }

    /// Squares, or points and lines, and the labels.
    fn ground(&mut self, view: &View) {
        if view.ground == Ground::Squares {
            for place in &view.places {
                let (from, to) = ((place.x - 0.5, place.y - 0.5), (place.x + 0.5, place.y + 0.5));
                self.rectangle(from, to, "none", INK);
            }
        }
        let at = |number: usize| (view.places[number].x, view.places[number].y);
        for &[one, other] in &view.lines {
            self.line(at(one), at(other), INK, 1.5);
        }
        if view.ground == Ground::Points {
            for place in &view.places {
                self.circle((place.x, place.y), 0.07, INK, "none", 0.0);
            }
        }
        for label in &view.labels {
            self.text((label.x, label.y), 0.3, "#777777", &label.text);
        }
    }

    /// The pieces of a place, bottom first.
    fn stack(&mut self, view: &View, (x, y): (f32, f32), cell: &str) {
        let lift = if view.notation.stack > 1 { 0.26 } else { 0.0 };
        let base = if view.notation.stack > 1 { y + 0.26 } else { y };
        for (height, letter) in cell.chars().enumerate() {
            if let Some(piece) = view.pieces.iter().find(|piece| piece.letter == letter) {
                self.piece(view, (x, base - lift * height as f32), piece);
            }
        }
    }

    fn piece(&mut self, view: &View, at: (f32, f32), piece: &Piece) {
        let tone = piece.side.map(|side| view.sides[side].tone);
        let (fill, ink) = colours(tone);
        let (x, y) = at;
        match piece.shape {
            Shape::Disc => self.circle(at, 0.38, fill, INK, 1.5),
            Shape::Drum => {
                let (cx, cy) = (self.x(x), self.y(y));
                let (rx, ry) = (0.38 * UNIT, 0.13 * UNIT);
                let _ = writeln!(
                    self.elements,
                    "<path d=\"M{:.1} {:.1} v{:.1} a{rx:.1} {ry:.1} 0 0 0 {:.1} 0 v{:.1}\" fill=\"{fill}\" stroke=\"{INK}\"/>\
                     <ellipse cx=\"{cx:.1}\" cy=\"{:.1}\" rx=\"{rx:.1}\" ry=\"{ry:.1}\" fill=\"{fill}\" stroke=\"{INK}\"/>",
                    cx - rx,
                    cy - 0.1 * UNIT,
                    0.2 * UNIT,
                    2.0 * rx,
                    -0.2 * UNIT,
                    cy - 0.1 * UNIT,
                );
            }
            Shape::Cross => {
                self.line((x - 0.28, y - 0.28), (x + 0.28, y + 0.28), INK, 5.0);
                self.line((x - 0.28, y + 0.28), (x + 0.28, y - 0.28), INK, 5.0);
            }
            Shape::Ring => self.circle(at, 0.3, "none", INK, 5.0),
            Shape::Hole => self.circle(at, 0.4, "#241a10", INK, 1.5),
            Shape::Tile => {
                // It points at the opponent: up for the first side.
                let tip = if piece.side == Some(1) { 0.42 } else { -0.42 };
                let corners = [(0.0, tip), (0.34, tip / 2.0), (0.38, -tip), (-0.38, -tip), (-0.34, tip / 2.0)];
                let points: Vec<String> =
                    corners.iter().map(|(dx, dy)| format!("{:.1},{:.1}", self.x(x + dx), self.y(y + dy))).collect();
                let _ = writeln!(
                    self.elements,
                    "<polygon points=\"{}\" fill=\"{fill}\" stroke=\"{INK}\"/>",
                    points.join(" ")
                );
            }
        }
        if let Some(mark) = piece.mark {
            self.text((x, y + 0.04), 0.42, ink, mark);
        }
    }

    /// Whose turn it is, and what is in hand.
    fn below(&mut self, view: &View, content: &Content) {
        let side = view.sides.iter().find(|side| !side.letter.is_empty() && side.letter == content.turn);
        let mut words = side.map(|side| format!("{} to move", side.name)).unwrap_or_default();
        if view.notation.hands != Hands::None && content.rest != "-" && !content.rest.is_empty() {
            words += &format!("{}in hand: {}", if words.is_empty() { "" } else { ", " }, content.rest);
        }
        if !words.is_empty() {
            let at = ((self.left + self.right) / 2.0, self.bottom + 0.1);
            self.text(at, 0.32, INK, &words);
            self.bottom += 0.5;
        }
    }

    fn drawing(self) -> Drawing {
        let (width, height) = ((self.right - self.left) * UNIT, (self.bottom - self.top) * UNIT);
        Drawing { elements: self.elements, width, height }
    }
}

fn board_colour(view: &View) -> &'static str {
    match view.surface {
        Surface::Wood => "#e9c98f",
        Surface::Felt => "#3f8f5f",
    }
}

/// A piece, and what stands on it.
fn colours(tone: Option<Tone>) -> (&'static str, &'static str) {
    match tone {
        Some(Tone::Light) => ("#fbf7ea", INK),
        Some(Tone::Dark) => ("#2b2b2b", "#ffffff"),
        Some(Tone::Brown) => ("#a5652f", "#ffffff"),
        None => ("#9a9a9a", INK),
    }
}

/// Several drawings on one sheet, in rows, each with lines of text below it.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::view::{View, svg};
/// let board = svg::draw(&View::text(), "21")?;
/// let sheet = svg::sheet("stones", &[(board.clone(), vec!["1. win".into()]), (board, vec!["2. draw".into()])], 2);
/// assert_eq!((sheet.matches("<g ").count(), sheet.matches("<text").count()), (2, 5));
/// # Ok::<(), String>(())
/// ```
pub fn sheet(title: &str, boards: &[(Drawing, Vec<String>)], columns: usize) -> String {
    const LINE: f32 = 18.0;
    let columns = columns.clamp(1, boards.len().max(1));
    let lines = boards.iter().map(|(_, lines)| lines.len()).max().unwrap_or(0);
    let longest = boards.iter().flat_map(|(_, lines)| lines).map(|line| line.chars().count()).max().unwrap_or(0);
    let widest = boards.iter().map(|(board, _)| board.width).fold(7.5 * longest as f32, f32::max) + UNIT / 2.0;
    let highest = boards.iter().map(|(board, _)| board.height).fold(0.0, f32::max) + LINE * (lines as f32 + 1.0);
    let width = widest * columns as f32;
    let mut elements = String::new();
    let text = |at: (f32, f32), size: f32, text: &str| {
        format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size}\" fill=\"{INK}\" {FONT}>{}</text>\n",
            at.0,
            at.1,
            escaped(text)
        )
    };
    elements += &text((width / 2.0, LINE * 1.2), 18.0, title);
    for (number, (board, lines)) in boards.iter().enumerate() {
        let (column, row) = ((number % columns) as f32, (number / columns) as f32);
        let (left, top) = (widest * column, highest * row + 2.0 * LINE);
        let _ = writeln!(
            elements,
            "<g transform=\"translate({:.1} {top:.1})\">\n{}</g>",
            left + (widest - board.width) / 2.0,
            board.elements
        );
        for (number, line) in lines.iter().enumerate() {
            let at = (left + widest / 2.0, top + board.height + LINE * (number as f32 + 0.5));
            elements += &text(at, 13.0, line);
        }
    }
    framed(width, highest * boards.len().div_ceil(columns) as f32 + 2.5 * LINE, &elements)
}
