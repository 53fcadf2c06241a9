//! Symmetries of a game: permutations of the cells, alone or with an exchange of the sides, that keep its operators.
//!
//! A permutation is a symmetry if it maps the set of operators to itself, with all that they ask for, and the checks that
//! end the game. Candidates come from counts that a symmetry must keep: for each pair of cells, what operators and
//! conditions ask of both. Whether a text has all the symmetries of its board is the best check of it that there is.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use kanzen_core::index::{Permutation, PermutationGroup};

use crate::core::{Cell, Expression, Outcome, Piece, PieceSet, Side, VariableId};
use crate::ground::{Condition, Cube, Grounded, MAX_PIECES, Operator, Target, Write, outcome_of_scores};
use crate::operators::{MAX_VARIABLES, State};

/// The most work: pairs of cells of operators, steps of the search, operators that are mapped.
const MAX_WORK: usize = 100_000_000;
/// The most ways to exchange pieces, variables and points that are tried.
const MAX_EXCHANGES: usize = 256;
/// The largest group: its elements are numbered with a byte.
const MAX_ORDER: usize = 256;

/// What else an exchange of the sides maps.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Labels {
    pieces: Vec<u8>,
    variables: Vec<u8>,
    points: Vec<usize>,
    exchange: bool,
}

/// An exchange of the sides: cells, pieces, variables and points of the rules are permuted together.
#[derive(Clone, Debug)]
pub struct Exchange {
    cells: Permutation,
    labels: Labels,
}

impl Exchange {
    /// The position with the sides exchanged.
    #[must_use]
    pub fn apply(&self, state: &State) -> State {
        let mut after =
            State { point: self.point(state.point), planes: [0; MAX_PIECES], variables: [0; MAX_VARIABLES] };
        for (piece, &image) in self.labels.pieces.iter().enumerate() {
            after.planes[image as usize] = self.cells.apply(state.planes[piece]);
        }
        for (id, &image) in self.labels.variables.iter().enumerate() {
            after.variables[image as usize] = state.variables[id];
        }
        after
    }

    /// Where a point goes.
    #[must_use]
    pub fn point(&self, point: u16) -> u16 {
        self.labels.points[point as usize] as u16
    }

    /// Where the cells go.
    #[must_use]
    pub fn cells(&self) -> &Permutation {
        &self.cells
    }
}

/// The symmetries of a game.
#[derive(Clone, Debug)]
pub struct Symmetries {
    /// Those that permute cells alone.
    pub group: PermutationGroup,
    /// One exchange of the sides, if there is any; all others are products of it with the group.
    pub exchange: Option<Exchange>,
}

impl Symmetries {
    /// The identity alone.
    #[must_use]
    pub fn none(game: &Grounded) -> Symmetries {
        Symmetries { group: PermutationGroup::trivial(game.game.board.len() as u32), exchange: None }
    }

    /// Finds all symmetries. Where the search would take too long, fewer.
    ///
    /// ```
    /// use kanzen_text::{ground::Grounded, symmetry::Symmetries};
    /// let game = kanzen_text::rbg::read("
    ///     #players = left(1), right(1)
    ///     #pieces = e, x
    ///     #variables =
    ///     #board = rectangle(up, down, west, east, [e, e, e])
    ///     #put(me; foe) = ->me (east* + west*) {e} [x] [$ me = 1, foe = 0]
    ///     #rules = (put(left; right) put(right; left))*
    /// ")?;
    /// // Any cell for any other: the rules put crosses and look at nothing else.
    /// let symmetries = Symmetries::find(&Grounded::new(&game)?);
    /// assert_eq!(symmetries.group.order(), 6);
    /// assert!(symmetries.exchange.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn find(game: &Grounded) -> Symmetries {
        let mut search = Search::new(game);
        let same = Labels {
            pieces: (0..game.game.pieces.len() as u8).collect(),
            variables: (0..game.game.variables.len() as u8).collect(),
            points: (0..game.points.len()).collect(),
            exchange: false,
        };
        let found = search.permutations(&same, usize::MAX).filter(|found| found.len() <= MAX_ORDER);
        let Some(found) = found.filter(|found| !found.is_empty()) else { return Symmetries::none(game) };
        let group = PermutationGroup::generated_by(found);
        if group.order() > MAX_ORDER {
            return Symmetries::none(game);
        }
        let exchanges = search.exchanges();
        let exchange = exchanges.into_iter().find_map(|labels| {
            let cells = search.permutations(&labels, 1)?.into_iter().next()?;
            Some(Exchange { cells, labels })
        });
        Symmetries { group, exchange }
    }
}

struct Search<'a> {
    game: &'a Grounded,
    operators: HashSet<&'a Operator>,
    numbers: HashMap<&'a Condition, usize>,
    /// Conditions that operators or checks ask for.
    used: Vec<bool>,
    work: usize,
}

impl<'a> Search<'a> {
    fn new(game: &'a Grounded) -> Search<'a> {
        let mut used = vec![false; game.conditions.len()];
        let guards = game.operators.iter().map(|operator| &operator.guard);
        for cube in guards.chain(game.checks.iter().map(|check| &check.when)) {
            cube.conditions.iter().for_each(|(number, _)| used[*number] = true);
        }
        for number in (0..used.len()).rev() {
            if let (true, Condition::Any(cubes)) = (used[number], &game.conditions[number]) {
                cubes.iter().flat_map(|cube| &cube.conditions).for_each(|(inner, _)| used[*inner] = true);
            }
        }
        Search {
            game,
            operators: game.operators.iter().collect(),
            numbers: game.conditions.iter().enumerate().map(|(number, condition)| (condition, number)).collect(),
            used,
            work: 0,
        }
    }

    /// Counts work; `None` if there is too much.
    fn spend(&mut self, work: usize) -> Option<()> {
        self.work += work;
        (self.work <= MAX_WORK).then_some(())
    }

    /// What operators and conditions ask of each pair of cells, with labels mapped; the diagonal is for each cell alone.
    fn signatures(&self, labels: &Labels) -> Vec<Vec<u64>> {
        let cells = self.game.game.board.len();
        let mut signatures = vec![vec![0u64; cells]; cells];
        let mut add = |seed: u64, cells: &[(Cell, u64)]| {
            for (a, of_a) in cells {
                for (b, of_b) in cells {
                    let mut hasher = DefaultHasher::new();
                    (seed, of_a, of_b, a == b, cells.len()).hash(&mut hasher);
                    let at = &mut signatures[a.0 as usize][b.0 as usize];
                    *at = at.wrapping_add(hasher.finish());
                }
            }
        };
        let mapped = |set: PieceSet| u64::from(labels.set(set).0) << 8;
        for operator in &self.game.operators {
            let mut asked: HashMap<Cell, u64> =
                operator.guard.cells.iter().map(|(cell, set)| (*cell, mapped(*set))).collect();
            for write in &operator.writes {
                *asked.entry(write.cell).or_default() += 1 + u64::from(labels.pieces[write.new.0 as usize]);
            }
            let asked: Vec<(Cell, u64)> = asked.into_iter().collect();
            add(labels.points[operator.from] as u64, &asked);
        }
        for (condition, _) in self.game.conditions.iter().zip(&self.used).filter(|(_, used)| **used) {
            if let Condition::Any(cubes) = condition {
                for cube in cubes {
                    let asked: Vec<(Cell, u64)> = cube.cells.iter().map(|(cell, set)| (*cell, mapped(*set))).collect();
                    add(u64::MAX, &asked);
                }
            }
        }
        for cube in self.game.checks.iter().map(|check| &check.when) {
            let asked: Vec<(Cell, u64)> = cube.cells.iter().map(|(cell, set)| (*cell, mapped(*set))).collect();
            add(u64::MAX - 1, &asked);
        }
        signatures
    }

    /// The permutations of cells that are symmetries with these labels, at most so many; `None` if that takes too long.
    fn permutations(&mut self, labels: &Labels, most: usize) -> Option<Vec<Permutation>> {
        let pairs = self.game.operators.iter().map(|operator| operator.guard.cells.len().pow(2) + 1).sum::<usize>();
        let of_condition = |condition: &Condition| match condition {
            Condition::Any(cubes) => cubes.iter().map(|cube| cube.len().pow(2) + 1).sum(),
            Condition::Compare(..) => 1,
        };
        let size = pairs + self.game.conditions.iter().map(of_condition).sum::<usize>();
        self.spend(2 * size)?;
        let same = self.game.points.len();
        let plain = Labels {
            pieces: (0..self.game.game.pieces.len() as u8).collect(),
            variables: labels.variables.clone(),
            points: (0..same).collect(),
            exchange: false,
        };
        let (from, to) = (self.signatures(labels), self.signatures(&plain));
        let cells = from.len();
        let mut found = Vec::new();
        let mut images: Vec<usize> = Vec::new();
        // The next image to try for each cell.
        let mut next = vec![0];
        while let Some(image) = next.last_mut() {
            let cell = images.len();
            self.spend(cells)?;
            let fits = |image: usize| {
                !images.contains(&image)
                    && from[cell][cell] == to[image][image]
                    && images.iter().enumerate().all(|(other, &of_other)| {
                        from[cell][other] == to[image][of_other] && from[other][cell] == to[of_other][image]
                    })
            };
            match (*image..cells).find(|&image| fits(image)) {
                None => {
                    next.pop();
                    images.pop();
                }
                Some(chosen) => {
                    *image = chosen + 1;
                    images.push(chosen);
                    if images.len() < cells {
                        next.push(0);
                        continue;
                    }
                    self.spend(size)?;
                    let bytes: Vec<u8> = images.iter().map(|image| *image as u8).collect();
                    if let Some(permutation) = Permutation::new(&bytes).filter(|cells| self.keeps(cells, labels)) {
                        found.push(permutation);
                    }
                    images.pop();
                    if found.len() >= most {
                        return Some(found);
                    }
                }
            }
        }
        Some(found)
    }

    /// Whether operators, checks and results are mapped to themselves.
    fn keeps(&self, cells: &Permutation, labels: &Labels) -> bool {
        // Those with smaller numbers come first.
        let mut mapped: Vec<Option<usize>> = Vec::with_capacity(self.used.len());
        for (number, condition) in self.game.conditions.iter().enumerate() {
            let image = match (self.used[number], condition) {
                (false, _) => None,
                (true, Condition::Any(cubes)) => {
                    let cubes: Option<Vec<Cube>> = cubes.iter().map(|cube| labels.cube(cube, cells, &mapped)).collect();
                    cubes.map(|mut cubes| {
                        cubes.sort();
                        Condition::Any(cubes)
                    })
                }
                (true, Condition::Compare(a, comparison, b)) => {
                    Some(Condition::Compare(labels.expression(a), *comparison, labels.expression(b)))
                }
            };
            let image = image.and_then(|image| self.numbers.get(&image).copied());
            if image.is_none() && self.used[number] {
                return false;
            }
            mapped.push(image);
        }
        let operators = self.game.operators.iter().all(|operator| {
            let image = labels.operator(operator, cells, &mapped);
            image.is_some_and(|image| self.operators.contains(&image))
        });
        operators && self.keeps_ends(cells, labels, &mapped)
    }

    /// Checks are mapped to each other, in the same order for each side to move.
    fn keeps_ends(&self, cells: &Permutation, labels: &Labels, mapped: &[Option<usize>]) -> bool {
        let stuck = &self.game.game.ends.stuck;
        let worth = |point: usize| {
            let point = &self.game.points[point];
            outcome_of_scores(stuck, point.mover, &point.scores, &self.game.scores)
        };
        let sign = if labels.exchange { -1 } else { 1 };
        let stuck_kept = (0..self.game.points.len()).all(|point| match (worth(point), worth(labels.points[point])) {
            (Some(a), Some(b)) => a == sign * b,
            _ => labels.outcome(stuck) == *stuck,
        });
        let endless = &self.game.game.ends.endless;
        let sides = [Side::First, Side::Second];
        stuck_kept
            && labels.outcome(endless) == *endless
            && sides.into_iter().all(|side| {
                let of =
                    |side: Side| self.game.checks.iter().filter(move |check| check.mover.is_none_or(|m| m == side));
                let images = of(side)
                    .map(|check| Some((labels.cube(&check.when, cells, mapped)?, labels.outcome(&check.outcome))));
                let image_side = if labels.exchange { side.other() } else { side };
                images.eq(of(image_side).map(|check| Some((check.when.clone(), check.outcome.clone()))))
            })
    }

    /// Ways to exchange pieces, variables and points with the sides.
    fn exchanges(&self) -> Vec<Labels> {
        let game = self.game;
        let mut of_piece = vec![(0usize, 0usize, 0usize); game.game.pieces.len()];
        for (piece, counts) in of_piece.iter_mut().enumerate() {
            let piece = Piece(piece as u8);
            counts.0 = game.possible.iter().filter(|set| set.contains(piece)).count();
            counts.1 = game.operators.iter().flat_map(|operator| &operator.writes).filter(|w| w.new == piece).count();
            counts.2 = game.operators.iter().flat_map(|operator| &operator.writes).filter(|w| w.old == piece).count();
        }
        let mut of_variable = vec![(0, 0usize, 0usize); game.game.variables.len()];
        for (id, counts) in of_variable.iter_mut().enumerate() {
            let changes =
                || game.operators.iter().flat_map(|operator| &operator.changes).filter(|c| c.0.0 as usize == id);
            counts.0 = game.game.variables[id].max;
            counts.1 = changes().filter(|change| change.1 > 0).count();
            counts.2 = changes().filter(|change| change.1 < 0).count();
        }
        let mut of_point = vec![0usize; game.points.len()];
        game.operators.iter().for_each(|operator| of_point[operator.from] += 1);
        let fits = |a: usize, b: usize| of_point[a] == of_point[b] && game.points[a].mover != game.points[b].mover;
        let mut all = Vec::new();
        for points in involutions(game.points.len(), &fits, false) {
            for pieces in involutions(game.game.pieces.len(), &|a, b| of_piece[a] == of_piece[b], true) {
                for variables in involutions(game.game.variables.len(), &|a, b| of_variable[a] == of_variable[b], true)
                {
                    if all.len() == MAX_EXCHANGES {
                        return all;
                    }
                    all.push(Labels {
                        pieces: pieces.iter().map(|&piece| piece as u8).collect(),
                        variables: variables.iter().map(|&id| id as u8).collect(),
                        points: points.clone(),
                        exchange: true,
                    });
                }
            }
        }
        // Those that exchange fewest come first: a hole for a stone is an exchange of little use.
        all.sort_by_key(|labels| {
            labels.pieces.iter().enumerate().filter(|(piece, image)| *piece != **image as usize).count()
        });
        all
    }
}

/// Permutations that are their own inverse and map what fits; `fixed` if something may stay where it is.
fn involutions(count: usize, fits: &dyn Fn(usize, usize) -> bool, fixed: bool) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let mut open = vec![vec![usize::MAX; count]];
    while let Some(images) = open.pop() {
        if all.len() == MAX_EXCHANGES {
            break;
        }
        let Some(first) = images.iter().position(|image| *image == usize::MAX) else {
            all.push(images);
            continue;
        };
        for image in (first..count).filter(|&image| images[image] == usize::MAX) {
            if image == first && !fixed || image != first && !fits(first, image) {
                continue;
            }
            let mut next = images.clone();
            next[first] = image;
            next[image] = first;
            open.push(next);
        }
    }
    all
}

impl Labels {
    fn piece(&self, piece: Piece) -> Piece {
        Piece(self.pieces[piece.0 as usize])
    }

    fn set(&self, set: PieceSet) -> PieceSet {
        set.iter().filter(|piece| (piece.0 as usize) < self.pieces.len()).map(|piece| self.piece(piece)).collect()
    }

    fn cube(&self, cube: &Cube, cells: &Permutation, mapped: &[Option<usize>]) -> Option<Cube> {
        let cell = |cell: Cell| Cell(cells.image(cell.0.into()) as u16);
        let variable = |id: VariableId| VariableId(self.variables[id.0 as usize]);
        let conditions = cube.conditions.iter().map(|(number, holds)| Some((mapped[*number]?, *holds)));
        let mut image = Cube {
            cells: cube.cells.iter().map(|(at, set)| (cell(*at), self.set(*set))).collect(),
            variables: cube.variables.iter().map(|(id, values)| (variable(*id), *values)).collect(),
            conditions: conditions.collect::<Option<_>>()?,
        };
        image.cells.sort_unstable();
        image.variables.sort_unstable();
        image.conditions.sort_unstable();
        Some(image)
    }

    fn operator(&self, operator: &Operator, cells: &Permutation, mapped: &[Option<usize>]) -> Option<Operator> {
        let write = |write: &Write| Write {
            cell: Cell(cells.image(write.cell.0.into()) as u16),
            old: self.piece(write.old),
            new: self.piece(write.new),
        };
        let mut image = Operator {
            from: self.points[operator.from],
            to: match operator.to {
                Target::Point(to) => Target::Point(self.points[to]),
                Target::Over(score) => Target::Over(if self.exchange { -score } else { score }),
            },
            guard: self.cube(&operator.guard, cells, mapped)?,
            writes: operator.writes.iter().map(write).collect(),
            changes: operator
                .changes
                .iter()
                .map(|(id, add)| (VariableId(self.variables[id.0 as usize]), *add))
                .collect(),
        };
        image.writes.sort_unstable();
        image.changes.sort_unstable();
        Some(image)
    }

    fn expression(&self, expression: &Expression) -> Expression {
        let both = |make: fn(Box<Expression>, Box<Expression>) -> Expression, a: &Expression, b: &Expression| {
            make(Box::new(self.expression(a)), Box::new(self.expression(b)))
        };
        match expression {
            Expression::Constant(number) => Expression::Constant(*number),
            Expression::Variable(id) => Expression::Variable(VariableId(self.variables[id.0 as usize])),
            Expression::Count(pieces) => Expression::Count(self.set(*pieces)),
            Expression::Add(a, b) => both(Expression::Add, a, b),
            Expression::Subtract(a, b) => both(Expression::Subtract, a, b),
            Expression::Multiply(a, b) => both(Expression::Multiply, a, b),
            Expression::Divide(a, b) => both(Expression::Divide, a, b),
        }
    }

    fn outcome(&self, outcome: &Outcome) -> Outcome {
        match outcome {
            Outcome::Wins(side) if self.exchange => Outcome::Wins(side.other()),
            Outcome::Score(first, second) if self.exchange => {
                Outcome::Score(self.expression(second), self.expression(first))
            }
            Outcome::Score(first, second) => Outcome::Score(self.expression(first), self.expression(second)),
            other => other.clone(),
        }
    }
}
