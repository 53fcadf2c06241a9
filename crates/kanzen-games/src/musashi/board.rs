//! The boards as data: points, lines, and which pairs of points face each other across a third.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The boards of the paper, whose figures we have as lists of points and lines.
const BOARDS: &str = include_str!("boards.json");

/// A renumbering of the points that keeps all lines: `symmetry[p]` is where point `p` goes.
pub type Symmetry = Vec<u8>;

/// A board.
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
    /// The board of 25, 31 or 33 points.
    pub fn of_points(points: usize) -> Option<Board> {
        let mut boards: BTreeMap<String, Data> = serde_json::from_str(BOARDS).expect("the boards are well-formed");
        boards.remove(&points.to_string()).map(Board::new)
    }

    /// The part of this board on which only some points are left, with the lines between them: small boards to test
    /// with. The flip must keep the points among themselves. Black begins on the first point, brown on the rest that
    /// brown holds at the beginning.
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

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.points
    }

    /// Column and row of a point; rows count from the top.
    pub fn xy(&self, point: u8) -> (u8, u8) {
        self.xy[usize::from(point)]
    }

    /// The lines between adjacent points.
    pub fn edges(&self) -> &[(u8, u8)] {
        &self.edges
    }

    /// The points one step away, in ascending order.
    pub fn neighbours(&self, point: u8) -> &[u8] {
        &self.neighbours[usize::from(point)]
    }

    /// The pairs of points on opposite sides of a point.
    pub fn captures(&self, point: u8) -> &[(u8, u8)] {
        &self.captures[usize::from(point)]
    }

    /// The reflection of top and bottom.
    pub fn flip(&self) -> &Symmetry {
        &self.flip
    }

    /// All symmetries, the identity first.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// Black's point at the beginning.
    pub fn initial_black(&self) -> u8 {
        self.black
    }

    /// Brown's points at the beginning, a bit each.
    pub fn initial_brown(&self) -> u64 {
        self.brown
    }

    /// Those of the eight reflections and rotations of the plane that keep points, lines and captures.
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

/// Where a set of points goes.
pub fn image(set: u64, symmetry: &Symmetry) -> u64 {
    let mut left = set;
    let mut there = 0;
    while left != 0 {
        there |= 1 << symmetry[left.trailing_zeros() as usize];
        left &= left - 1;
    }
    there
}
