//! The rules as a graph of nodes and steps, the form that the interpreter and the grounding walk.
//!
//! A walk through a rule is a path from its first to its last node:
//!
//! ```text
//! sequence a b    ( )--a-->( )--b-->( )
//! choice   a b    ( )==a,b==>( )
//! repeat   a      ( )---->(hub)---->( )      and a from the hub to the hub
//! ```

use std::collections::BTreeSet;

use crate::core::{
    Cell, Comparison, CoreError, Definition, Expression, Label, Piece, PieceSet, Player, Rule, VariableId,
};

/// A node of the graph.
pub(crate) type Node = u32;

/// What happens on the way from one node to the next.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Nothing,
    Shift(Label),
    Go(Cell),
    Anywhere,
    On(PieceSet),
    Put(Piece),
    Assign(VariableId, Expression),
    Compare(Expression, Comparison, Expression),
    Turn(Player),
    /// There is a walk through a part of the graph; or, if not `wanted`, there is none.
    Look {
        wanted: bool,
        part: Part,
    },
}

/// A part of the graph with its own first and last node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Part {
    pub first: Node,
    pub last: Node,
}

/// The graph of a definition.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    /// The steps that leave each node.
    steps: Vec<Vec<(Step, Node)>>,
    /// Where the keeper starts.
    pub start: Node,
    /// The part of each check of the ends.
    pub checks: Vec<Part>,
    /// Nodes from which the cell of the pointer makes no difference.
    free: Vec<bool>,
}

impl Automaton {
    /// Builds the graph.
    ///
    /// # Errors
    /// If the definition does not fit together.
    pub fn new(game: &Definition) -> Result<Automaton, CoreError> {
        game.check()?;
        let mut graph = Automaton { steps: Vec::new(), start: 0, checks: Vec::new(), free: Vec::new() };
        graph.start = graph.part(&game.rules).first;
        graph.checks = game.ends.checks.iter().map(|check| graph.part(&check.when)).collect();
        graph.find_free(game);
        Ok(graph)
    }

    /// The steps that leave a node.
    pub fn steps(&self, node: Node) -> &[(Step, Node)] {
        &self.steps[node as usize]
    }

    /// Whether what can happen from this node on is the same for every cell of the pointer.
    pub fn is_free(&self, node: Node) -> bool {
        self.free[node as usize]
    }

    fn node(&mut self) -> Node {
        self.steps.push(Vec::new());
        self.steps.len() as Node - 1
    }

    fn part(&mut self, rule: &Rule) -> Part {
        let part = Part { first: self.node(), last: self.node() };
        self.add(rule, part.first, part.last);
        part
    }

    /// Adds a rule between two nodes: edges leave `from` and enter `to`, never the other way round.
    fn add(&mut self, rule: &Rule, from: Node, to: Node) {
        let step = match rule {
            Rule::Sequence(rules) => {
                let mut at = from;
                for (number, rule) in rules.iter().enumerate() {
                    let next = if number + 1 == rules.len() { to } else { self.node() };
                    self.add(rule, at, next);
                    at = next;
                }
                if !rules.is_empty() {
                    return;
                }
                Step::Nothing
            }
            Rule::Choice(rules) => return rules.iter().for_each(|rule| self.add(rule, from, to)),
            Rule::Repeat(rule) => {
                let (hub, back) = (self.node(), self.node());
                self.steps[from as usize].push((Step::Nothing, hub));
                self.add(rule, hub, back);
                self.steps[back as usize].push((Step::Nothing, hub));
                self.steps[hub as usize].push((Step::Nothing, to));
                return;
            }
            Rule::Shift(label) => Step::Shift(*label),
            Rule::Go(cell) => Step::Go(*cell),
            Rule::Anywhere => Step::Anywhere,
            Rule::On(pieces) => Step::On(*pieces),
            Rule::Put(piece) => Step::Put(*piece),
            Rule::Assign(id, value) => Step::Assign(*id, value.clone()),
            Rule::Compare(a, comparison, b) => Step::Compare(a.clone(), *comparison, b.clone()),
            Rule::Turn(player) => Step::Turn(*player),
            Rule::Look(rule) => Step::Look { wanted: true, part: self.part(rule) },
            Rule::Unless(rule) => Step::Look { wanted: false, part: self.part(rule) },
        };
        self.steps[from as usize].push((step, to));
    }

    /// Finds the largest set of nodes that are free: from each of them, walks that only move the pointer lead from every
    /// cell to the same steps on the same cells. Of steps that ignore the pointer, free targets count as one.
    fn find_free(&mut self, game: &Definition) {
        self.free = vec![true; self.steps.len()];
        // Only these are asked for: the targets of switches and of steps that ignore the pointer, and first nodes.
        let mut asked = BTreeSet::from([self.start]);
        for (step, to) in self.steps.iter().flatten() {
            match step {
                Step::Look { part, .. } => asked.extend([part.first, *to]),
                Step::Turn(_) | Step::Assign(..) | Step::Compare(..) => drop(asked.insert(*to)),
                _ => {}
            }
        }
        loop {
            let wrong: Vec<Node> = asked
                .iter()
                .copied()
                .filter(|&node| self.free[node as usize])
                .filter(|&node| {
                    let first = self.touched(game, node, Cell(0));
                    game.board.cells().skip(1).any(|cell| self.touched(game, node, cell) != first)
                })
                .collect();
            if wrong.is_empty() {
                return;
            }
            wrong.into_iter().for_each(|node| self.free[node as usize] = false);
        }
    }

    /// The nodes, with the pointer's cell if it matters, that walks which only move the pointer reach and where more
    /// than that can happen.
    fn touched(&self, game: &Definition, node: Node, cell: Cell) -> BTreeSet<(Node, Option<Cell>)> {
        let mut touched = BTreeSet::new();
        let mut walk = Walk::new(node, cell);
        while let Some((node, cell)) = walk.next() {
            for (step, to) in self.steps(node) {
                match step {
                    Step::On(_) | Step::Put(_) => drop(touched.insert((node, Some(cell)))),
                    Step::Turn(_) | Step::Assign(..) | Step::Compare(..) => {
                        touched.insert((node, (!self.is_free(*to)).then_some(cell)));
                    }
                    Step::Look { part, .. } => {
                        let free = self.is_free(*to) && self.is_free(part.first);
                        touched.insert((node, (!free).then_some(cell)));
                    }
                    _ => walk.follow(game, step, *to, cell),
                }
            }
            // The end of a part is reached or not.
            if self.steps(node).is_empty() {
                touched.insert((node, None));
            }
        }
        touched
    }
}

/// A walk over pairs of node and cell, each once.
pub(crate) struct Walk {
    seen: BTreeSet<(Node, Cell)>,
    open: Vec<(Node, Cell)>,
}

impl Walk {
    /// Starts there.
    pub fn new(node: Node, cell: Cell) -> Walk {
        Walk { seen: BTreeSet::from([(node, cell)]), open: vec![(node, cell)] }
    }

    /// The next pair.
    pub fn next(&mut self) -> Option<(Node, Cell)> {
        self.open.pop()
    }

    /// Goes on to a pair unless it was seen.
    pub fn push(&mut self, node: Node, cell: Cell) {
        if self.seen.insert((node, cell)) {
            self.open.push((node, cell));
        }
    }

    /// Goes on along a step that moves the pointer or does nothing; along no other.
    pub fn follow(&mut self, game: &Definition, step: &Step, to: Node, cell: Cell) {
        match step {
            Step::Nothing => self.push(to, cell),
            Step::Shift(label) => {
                if let Some(cell) = game.board.neighbour(*label, cell) {
                    self.push(to, cell);
                }
            }
            Step::Go(cell) => self.push(to, *cell),
            Step::Anywhere => game.board.cells().for_each(|cell| self.push(to, cell)),
            _ => {}
        }
    }
}
