//! The boards and the rules of Sixteen Musashi.

use std::collections::BTreeMap;

use kanzen::view::View;
use kanzen::{BadPosition, Game, Notation, Value};
use kanzen_core::rules::{Tag, Tags};
use serde::Deserialize;

use super::text;

/// The boards of the paper as points and lines, read off its figures.
const BOARDS: &str = include_str!("boards.json");

/// A permutation of the points that keeps all lines: `symmetry[p]` is the image of point `p`.
pub type Symmetry = Vec<u8>;

/// A board: points, lines, and the pairs of points on opposite sides of a third.
///
/// ```
/// use kanzen_games::musashi::Board;
/// let board = Board::of_points(33).unwrap();
/// assert_eq!(board.neighbours(4), [3, 5, 10, 11, 12, 23, 24, 25]);
/// assert_eq!(board.symmetries().len(), 2);
/// assert!(Board::of_points(26).is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Board {
    points: usize,
    xy: Vec<(u8, u8)>,
    edges: Vec<(u8, u8)>,
    neighbours: Vec<Vec<u8>>,
    captures: Vec<Vec<(u8, u8)>>,
    symmetries: Vec<Symmetry>,
    flip: Symmetry,
    black: u8,
    brown: u64,
}

#[derive(Deserialize)]
struct Data {
    points: usize,
    xy: Vec<(u8, u8)>,
    flip: Symmetry,
    edges: Vec<(u8, u8)>,
    captures: BTreeMap<u8, Vec<(u8, u8)>>,
    initial: Initial,
}

#[derive(Deserialize)]
struct Initial {
    black: u8,
    browns: Vec<u8>,
}

impl Board {
    /// Returns the board of 25, 31 or 33 points.
    pub fn of_points(points: usize) -> Option<Board> {
        let mut boards: BTreeMap<String, Data> = serde_json::from_str(BOARDS).expect("the boards are well-formed");
        boards.remove(&points.to_string()).map(Board::new)
    }

    /// Returns the part of this board with only the points of `keep` and the lines between them: a small board for
    /// tests.
    ///
    /// The flip must map `keep` to itself. Black starts on the first point, brown on the kept points of its initial
    /// position.
    pub fn part(&self, keep: &[u8]) -> Board {
        let number = |p: u8| keep.iter().position(|&kept| kept == p).map(|n| n as u8);
        let both = |&(p, q): &(u8, u8)| Some((number(p)?, number(q)?));
        Board::new(Data {
            points: keep.len(),
            xy: keep.iter().map(|&p| self.xy[usize::from(p)]).collect(),
            flip: keep.iter().map(|&p| number(self.flip[usize::from(p)]).expect("closed under the flip")).collect(),
            edges: self.edges.iter().filter_map(both).collect(),
            captures: (0u8..)
                .zip(keep)
                .map(|(n, &p)| (n, self.captures[usize::from(p)].iter().filter_map(both).collect()))
                .collect(),
            initial: Initial {
                black: 0,
                browns: (1u8..).zip(&keep[1..]).filter(|(_, p)| self.brown >> **p & 1 == 1).map(|(n, _)| n).collect(),
            },
        })
    }

    fn new(data: Data) -> Board {
        let mut neighbours = vec![Vec::new(); data.points];
        for &(p, q) in &data.edges {
            neighbours[usize::from(p)].push(q);
            neighbours[usize::from(q)].push(p);
        }
        neighbours.iter_mut().for_each(|list| list.sort_unstable());
        let mut captures = vec![Vec::new(); data.points];
        for (point, pairs) in data.captures {
            captures[usize::from(point)] = pairs;
        }
        let mut board = Board {
            points: data.points,
            xy: data.xy,
            edges: data.edges,
            neighbours,
            captures,
            symmetries: Vec::new(),
            flip: data.flip,
            black: data.initial.black,
            brown: data.initial.browns.iter().fold(0, |mask, &p| mask | 1 << p),
        };
        board.symmetries = board.find_symmetries();
        board
    }

    /// Returns the number of points.
    pub fn points(&self) -> usize {
        self.points
    }

    /// Returns the column and row of a point; rows count from the top.
    pub fn xy(&self, point: u8) -> (u8, u8) {
        self.xy[usize::from(point)]
    }

    /// Returns the lines between adjacent points.
    pub fn edges(&self) -> &[(u8, u8)] {
        &self.edges
    }

    /// Returns the adjacent points, in ascending order.
    pub fn neighbours(&self, point: u8) -> &[u8] {
        &self.neighbours[usize::from(point)]
    }

    /// Returns the pairs of points on opposite sides of a point.
    pub fn captures(&self, point: u8) -> &[(u8, u8)] {
        &self.captures[usize::from(point)]
    }

    /// Returns the reflection that exchanges top and bottom.
    pub fn flip(&self) -> &Symmetry {
        &self.flip
    }

    /// Returns all symmetries, the identity first.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// Returns black's initial point.
    pub fn initial_black(&self) -> u8 {
        self.black
    }

    /// Returns brown's initial points, one bit each.
    pub fn initial_brown(&self) -> u64 {
        self.brown
    }

    /// Finds those of the eight symmetries of the square that keep points, lines and captures.
    fn find_symmetries(&self) -> Vec<Symmetry> {
        let width = self.xy.iter().map(|xy| xy.0).max().unwrap_or(0);
        let height = self.xy.iter().map(|xy| xy.1).max().unwrap_or(0);
        let low = (self.xy.iter().map(|xy| xy.0).min().unwrap_or(0), self.xy.iter().map(|xy| xy.1).min().unwrap_or(0));
        let mut found: Vec<Symmetry> = Vec::new();
        for number in 0..8 {
            let image = |(x, y): (u8, u8)| {
                let x = if number & 1 == 0 { x - low.0 } else { width - x };
                let y = if number & 2 == 0 { y - low.1 } else { height - y };
                let (x, y) = if number & 4 == 0 { (x, y) } else { (y, x) };
                (x + low.0, y + low.1)
            };
            let to: Option<Symmetry> = (self.xy.iter())
                .map(|&xy| self.xy.iter().position(|&other| other == image(xy)).map(|p| p as u8))
                .collect();
            if let Some(to) = to
                && self.keeps_lines(&to)
                && !found.contains(&to)
            {
                found.push(to);
            }
        }
        found
    }

    fn keeps_lines(&self, to: &Symmetry) -> bool {
        let sorted = |(p, q): (u8, u8)| (p.min(q), p.max(q));
        let image = |&(p, q): &(u8, u8)| sorted((to[usize::from(p)], to[usize::from(q)]));
        self.edges.iter().all(|edge| self.edges.iter().any(|&other| sorted(other) == image(edge)))
            && (0..self.points).all(|point| {
                let there = &self.captures[usize::from(to[point])];
                there.len() == self.captures[point].len()
                    && self.captures[point].iter().all(|pair| there.iter().any(|&other| sorted(other) == image(pair)))
            })
    }
}

/// Returns the image of a set of points.
pub fn image(set: u64, symmetry: &Symmetry) -> u64 {
    let mut left = set;
    let mut there = 0;
    while left != 0 {
        there |= 1 << symmetry[left.trailing_zeros() as usize];
        left &= left - 1;
    }
    there
}

/// Sixteen Musashi on one of its boards.
///
/// Brown moves first. A move takes one piece along a line to an adjacent empty point. After a black move, every pair of
/// brown pieces on opposite sides of black's new point is captured, all pairs at once. Brown wins if black has no move.
/// Black wins if brown has no move or a position repeats.
#[derive(Clone, Debug)]
pub struct Musashi {
    board: Board,
}

/// A position: black's point, brown's points and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// Black's point.
    pub black: u8,
    /// Brown's points, one bit each.
    pub brown: u64,
    /// Whether brown is to move.
    pub brown_to_move: bool,
}

/// A move from one point to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The point left.
    pub from: u8,
    /// The point taken.
    pub to: u8,
}

impl Musashi {
    /// Returns the game on the board of 25, 31 or 33 points.
    pub fn new(points: usize) -> Option<Musashi> {
        Board::of_points(points).map(Musashi::on)
    }

    /// Returns the game on any board.
    pub fn on(board: Board) -> Musashi {
        Musashi { board }
    }

    /// Returns the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns brown's pieces that remain after black has moved to a point.
    pub fn captured(&self, brown: u64, black: u8) -> u64 {
        let pairs = self.board.captures(black).iter().map(|&(p, q)| 1 << p | 1 << q);
        pairs.filter(|pair| brown & pair == *pair).fold(brown, |left, pair: u64| left & !pair)
    }

    /// Visits all brown sets before black's move to a point that left `left`: one per choice of captured pairs.
    fn uncaptured(&self, left: u64, black: u8, mut visit: impl FnMut(u64)) {
        let pairs = self.board.captures(black).iter().map(|&(p, q)| 1 << p | 1 << q);
        let empty: Vec<u64> = pairs.filter(|pair| left & pair == 0).collect();
        for chosen in 0..1u32 << empty.len() {
            let taken = (0..).zip(&empty).filter(|(n, _)| chosen >> n & 1 == 1).fold(0, |all, (_, pair)| all | pair);
            if self.captured(left | taken, black) == left {
                visit(left | taken);
            }
        }
    }
}

impl Game for Musashi {
    type Position = Position;
    type Move = Move;
    type Key = u64;

    fn initial(&self) -> Position {
        Position { black: self.board.initial_black(), brown: self.board.initial_brown(), brown_to_move: true }
    }

    fn moves(&self, position: Position, play: &mut impl FnMut(Move, Position)) {
        let Position { black, brown, brown_to_move } = position;
        let empty = |&to: &u8| to != black && brown >> to & 1 == 0;
        if !brown_to_move {
            for to in self.board.neighbours(black).iter().copied().filter(empty) {
                let left = self.captured(brown, to);
                play(Move { from: black, to }, Position { black: to, brown: left, brown_to_move: true });
            }
            return;
        }
        for from in (0..self.board.points() as u8).filter(|from| brown >> from & 1 == 1) {
            for to in self.board.neighbours(from).iter().copied().filter(empty) {
                let moved = brown & !(1 << from) | 1 << to;
                play(Move { from, to }, Position { black, brown: moved, brown_to_move: false });
            }
        }
    }

    fn unmoves(&self, position: Position, visit: &mut impl FnMut(Position)) -> bool {
        let Position { black, brown, brown_to_move } = position;
        let empty = |&from: &u8| from != black && brown >> from & 1 == 0;
        if brown_to_move {
            for from in self.board.neighbours(black).iter().copied().filter(empty) {
                self.uncaptured(brown, black, |before| {
                    if before >> from & 1 == 0 {
                        visit(Position { black: from, brown: before, brown_to_move: false });
                    }
                });
            }
            return true;
        }
        for to in (0..self.board.points() as u8).filter(|to| brown >> to & 1 == 1) {
            for from in self.board.neighbours(to).iter().copied().filter(empty) {
                visit(Position { black, brown: brown & !(1 << to) | 1 << from, brown_to_move: true });
            }
        }
        true
    }

    fn known_tags(&self) -> Tags {
        Tags::of(&[Tag::Takes])
    }

    fn tags(&self, position: Position, _: Move, child: Position) -> Tags {
        Tags::NONE.with_if(Tag::Takes, child.brown.count_ones() < position.brown.count_ones())
    }

    fn passed(&self, position: Position) -> Option<Position> {
        Some(Position { brown_to_move: !position.brown_to_move, ..position })
    }

    fn has_passing(&self) -> bool {
        true
    }

    fn show(&self, position: Position) -> String {
        text::show(&self.board, position)
    }

    fn show_move(&self, _: Position, step: Move) -> String {
        format!("{}-{}", text::square(&self.board, step.from), text::square(&self.board, step.to))
    }

    // Brown's points in the low bits, then the side to move, then black's point.
    fn pack(&self, position: Position) -> u64 {
        position.brown | u64::from(position.brown_to_move) << 40 | u64::from(position.black) << 41
    }

    fn unpack(&self, key: u64) -> Position {
        Position { black: (key >> 41) as u8, brown: key & ((1 << 40) - 1), brown_to_move: key >> 40 & 1 == 1 }
    }

    fn to_move(&self, position: Position) -> &'static str {
        if position.brown_to_move { "o" } else { "X" }
    }

    // Brown without a move loses; like every win of black's, it has no distance.
    fn stuck(&self, position: Position) -> Value {
        if position.brown_to_move { Value::UNTIMED_LOSS } else { Value::loss(0) }
    }

    fn endless(&self, position: Position) -> Value {
        if position.brown_to_move { Value::UNTIMED_LOSS } else { Value::UNTIMED_WIN }
    }

    fn canonical(&self, position: Position) -> Position {
        let images = self.board.symmetries().iter().map(|symmetry| Position {
            black: symmetry[usize::from(position.black)],
            brown: image(position.brown, symmetry),
            ..position
        });
        images.min().unwrap_or(position)
    }

    fn class(&self, position: Position) -> u32 {
        position.brown.count_ones()
    }

    fn class_label(&self, class: u32) -> Vec<(&'static str, u32)> {
        vec![("brown", class)]
    }

    fn material(&self, position: Position) -> i32 {
        let brown = position.brown.count_ones() as i32;
        if position.brown_to_move { brown } else { -brown }
    }

    fn roots(&self, visit: &mut impl FnMut(Position)) {
        for black in 0..self.board.points() as u8 {
            for brown in (0..1u64 << self.board.points()).filter(|brown| brown >> black & 1 == 0) {
                for brown_to_move in [false, true] {
                    visit(Position { black, brown, brown_to_move });
                }
            }
        }
    }
}

impl Notation for Musashi {
    fn notation(&self) -> String {
        text::NOTATION.to_owned()
    }

    fn read(&self, text: &str) -> Result<Position, BadPosition> {
        text::read(&self.board, text)
    }
}

impl kanzen::Board for Musashi {
    fn draw(&self, position: Position) -> String {
        kanzen::drawing::points(&self.view(), &self.show(position))
    }

    fn view(&self) -> View {
        text::view(&self.board)
    }
}
