//! From the syntax tree down to the core.
//!
//! `turn` is lowered once for each side, with `own`, `enemy` and `forward` resolved. A turn is a walk of the pointer:
//!
//! ```text
//! own step forward to enemy, taking it
//!     Anywhere  On {own}  Put empty  Shift up  On {enemy}  Put own
//! ```
//!
//! Tests leave the pointer where it is; actions leave it where the next one goes on: after a move on the target, after
//! `remove` on the emptied cell.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::geometry::Geometry;
use super::pieces::{EMPTY, Pieces, SIDES, index};
use super::problem::{Problem, Span};
use super::tree::*;
use crate::core::{
    Check, Comparison, Definition as Core, Ends, Expression, Label, Outcome, Piece, PieceSet, Player, Rule, Side,
    Variable, VariableId,
};

/// The most parts of rules that are made, those within others counted at each level.
const MAX_WORK: usize = 4_000_000;
/// The most definitions within each other.
const MAX_CALLS: usize = 24;

type Lowered<T> = std::result::Result<T, Problem>;

/// A game lowered to the core.
pub(super) struct Outcomes {
    pub core: Core,
    pub warnings: Vec<Problem>,
}

/// The value of a parameter.
#[derive(Clone)]
enum Bound {
    Number(u32),
    Ways(Vec<Label>),
    /// A set with the environment that it was written in.
    Set(Set, Environment),
}

/// Whose turn it is, and what the parameters stand for.
#[derive(Clone)]
struct Environment {
    side: Side,
    bound: Rc<HashMap<String, Bound>>,
}

/// What the rules turn out to need while they are lowered; known in full in the second pass.
#[derive(Clone, Default)]
struct Needs {
    /// Hands that a rule reads, by side and kind.
    hands: BTreeSet<(usize, usize)>,
    /// Some act ends the game, as a win of the first side, of the second, or a draw.
    over: [bool; 3],
    /// Pieces come from elsewhere than from hands.
    creates: bool,
    /// Taken pieces go to hands.
    takes_into_hand: bool,
}

/// What the rules make use of, for the warnings.
#[derive(Default)]
struct Uses {
    /// Pieces that move, and pieces that are placed.
    moved: PieceSet,
    placed: PieceSet,
    definitions: BTreeSet<String>,
    /// Terms, and whether any piece fits one of them for either side.
    terms: BTreeMap<Span, bool>,
    warnings: Vec<Problem>,
}

struct Lowering<'t> {
    text: &'t Text,
    pieces: &'t Pieces,
    geometry: &'t mut Geometry,
    needs: Needs,
    found: Needs,
    hands: BTreeMap<(usize, usize), VariableId>,
    variables: Vec<Variable>,
    /// A number that is 1 once the first side has won, the second, or neither, for each of the three that occurs.
    over: [Option<VariableId>; 3],
    uses: Uses,
    work: usize,
    calls: Vec<String>,
    turns: Vec<Side>,
}

fn on(pieces: PieceSet) -> Rule {
    Rule::On(pieces)
}

/// How many parts a rule has.
fn parts(rule: &Rule) -> usize {
    match rule {
        Rule::Sequence(rules) | Rule::Choice(rules) => 1 + rules.iter().map(parts).sum::<usize>(),
        Rule::Look(inner) | Rule::Unless(inner) | Rule::Repeat(inner) => 1 + parts(inner),
        _ => 1,
    }
}

fn is_empty() -> Rule {
    Rule::On(PieceSet::of(EMPTY))
}

/// The rules one after the other; sequences within are joined.
fn all(rules: impl IntoIterator<Item = Rule>) -> Rule {
    let mut joined = Vec::new();
    for rule in rules {
        match rule {
            Rule::Sequence(mut inner) => joined.append(&mut inner),
            rule => joined.push(rule),
        }
    }
    if joined.len() == 1 { joined.remove(0) } else { Rule::Sequence(joined) }
}

/// One of the rules.
fn one(rules: impl IntoIterator<Item = Rule>) -> Rule {
    let mut rules: Vec<Rule> = rules.into_iter().collect();
    if rules.len() == 1 { rules.remove(0) } else { Rule::Choice(rules) }
}

/// Whether a rule only tests the cell of the pointer and the variables, so that it needs no look-ahead.
fn is_plain(rule: &Rule) -> bool {
    match rule {
        Rule::On(_) | Rule::Compare(..) | Rule::Look(_) | Rule::Unless(_) => true,
        Rule::Sequence(rules) => rules.iter().all(is_plain),
        _ => false,
    }
}

fn look(rule: Rule) -> Rule {
    if is_plain(&rule) { rule } else { Rule::look(rule) }
}

/// The opposite of a test.
fn not(rule: Rule) -> Rule {
    match rule {
        Rule::Unless(inner) => Rule::Look(inner),
        Rule::Look(inner) => Rule::Unless(inner),
        rule => Rule::unless(rule),
    }
}

fn compare(left: Expression, quantity: Compare, number: u32) -> Rule {
    let comparison = match quantity {
        Compare::AtLeast => Comparison::GreaterEqual,
        Compare::AtMost => Comparison::LessEqual,
        Compare::Exactly => Comparison::Equal,
        Compare::Fewer => Comparison::Less,
        Compare::More => Comparison::Greater,
    };
    Rule::Compare(left, comparison, Expression::Constant(number as i32))
}

fn plus(a: Expression, b: Expression) -> Expression {
    Expression::Add(Box::new(a), Box::new(b))
}

fn minus(a: Expression, b: Expression) -> Expression {
    Expression::Subtract(Box::new(a), Box::new(b))
}

/// Lowers a text, twice: the first pass finds out which hands the rules read.
pub(super) fn lower(
    text: &Text,
    pieces: &Pieces,
    geometry: &mut Geometry,
) -> std::result::Result<Outcomes, Vec<Problem>> {
    let first = Lowering::new(text, pieces, geometry, Needs::default()).and_then(|lowering| lowering.run());
    let (_, needs) = first.map_err(|problem| vec![problem])?;
    let second = Lowering::new(text, pieces, geometry, needs).and_then(|lowering| lowering.run());
    second.map(|(outcomes, _)| outcomes).map_err(|problem| vec![problem])
}

impl<'t> Lowering<'t> {
    fn new(text: &'t Text, pieces: &'t Pieces, geometry: &'t mut Geometry, needs: Needs) -> Lowered<Lowering<'t>> {
        let mut lowering = Lowering {
            text,
            pieces,
            geometry,
            needs,
            found: Needs::default(),
            hands: BTreeMap::new(),
            variables: Vec::new(),
            over: [None; 3],
            uses: Uses::default(),
            work: 0,
            calls: Vec::new(),
            turns: Vec::new(),
        };
        lowering.declare()?;
        Ok(lowering)
    }

    /// Declares numbers, hands and whether the game is over.
    fn declare(&mut self) -> Lowered<()> {
        for number in &self.text.numbers {
            if number.start > number.most {
                let message = format!("`{}` starts above its largest value", number.name.text);
                return Err(Problem::error(number.name.span, message));
            }
            self.variable(&number.name.text, number.start, number.most);
        }
        let mut held: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        for hand in &self.text.hands {
            let sides: Vec<usize> = match &hand.side {
                Some(side) => vec![index(self.side_named(side)?)],
                None => vec![0, 1],
            };
            for side in sides {
                let kind = match &hand.kind {
                    Some(kind) => self.pieces.kind_named(self.text, kind)?,
                    None => {
                        let mut own =
                            (0..self.pieces.kinds.len()).filter(|&kind| self.pieces.kinds[kind].of[side].is_some());
                        match (own.next(), own.next()) {
                            (Some(kind), None) => kind,
                            _ => {
                                return Err(Problem::error(hand.span, "there are several kinds")
                                    .expecting("a kind after the number"));
                            }
                        }
                    }
                };
                *held.entry((side, kind)).or_default() += hand.count;
            }
        }
        let total = self.start()?.iter().filter(|piece| **piece != EMPTY).count() as u32 + held.values().sum::<u32>();
        for (side, kind) in self.needs.hands.clone() {
            let start = held.get(&(side, kind)).copied().unwrap_or(0);
            let most = match self.needs.takes_into_hand {
                true if self.needs.creates => self.geometry.board.len() as u32 + total,
                true => {
                    self.can_be_held(kind)? + held.iter().filter(|(key, _)| key.1 == kind).map(|(_, n)| n).sum::<u32>()
                }
                false => start,
            };
            let name = format!("{} hand {}", self.text.sides[side].name.text, self.pieces.kinds[kind].name);
            let id = self.variable(name.trim_end(), start, most);
            self.hands.insert((side, kind), id);
        }
        for (code, name) in ["first has won", "second has won", "drawn"].into_iter().enumerate() {
            if self.needs.over[code] {
                self.over[code] = Some(self.variable(name, 0, 1));
            }
        }
        Ok(())
    }

    fn variable(&mut self, name: &str, start: u32, most: u32) -> VariableId {
        self.variables.push(Variable { name: name.to_owned(), start: start as i32, max: most as i32 });
        VariableId((self.variables.len() - 1).min(255) as u8)
    }

    /// How many pieces of the start can end up in a hand as this kind.
    fn can_be_held(&self, kind: usize) -> Lowered<u32> {
        let mut count = 0;
        for piece in self.start()?.into_iter().filter(|piece| *piece != EMPTY) {
            let Some(own) = self.pieces.kind_of(piece) else { continue };
            let mut kinds = vec![own];
            while let Some(&last) = kinds.last() {
                let becoming =
                    self.pieces.kinds[last].shape.and_then(|number| self.text.pieces[number].becoming.as_ref());
                match becoming {
                    Some((name, _)) => {
                        let next = self.pieces.kind_named(self.text, name)?;
                        if kinds.contains(&next) {
                            break;
                        }
                        kinds.push(next);
                    }
                    None => break,
                }
            }
            for other in kinds {
                if self.kind_in_hand(other)? == kind {
                    count += 1;
                    break;
                }
            }
        }
        Ok(count)
    }

    fn kind_in_hand(&self, kind: usize) -> Lowered<usize> {
        let shape = self.pieces.kinds[kind].shape.map(|number| &self.text.pieces[number]);
        match shape.and_then(|shape| shape.in_hand_as.as_ref()) {
            Some(name) => self.pieces.kind_named(self.text, name),
            None => Ok(kind),
        }
    }

    fn side_named(&self, name: &Name) -> Lowered<Side> {
        let found = self.text.sides.iter().position(|side| side.name.text == name.text);
        found.map(|at| SIDES[at.min(1)]).ok_or_else(|| Problem::error(name.span, format!("`{}` is no side", name.text)))
    }

    /// The pieces at the start.
    fn start(&self) -> Lowered<Vec<Piece>> {
        let mut start = vec![EMPTY; self.geometry.board.len()];
        let shape = self.text.board.as_ref();
        let letter_of = |letter: char, span: Span| {
            self.pieces.lettered(letter).ok_or_else(|| {
                let letters: String = self.pieces.letters.iter().collect();
                Problem::error(span, format!("`{letter}` is no piece")).expecting(format!("one of `{letters}`"))
            })
        };
        if let Some(shape) = shape {
            for (down, row) in shape.drawing.iter().enumerate() {
                for (column, letter) in row.text.chars().enumerate().filter(|(_, letter)| *letter != '_') {
                    let piece = letter_of(letter, row.span)?;
                    let name = format!("{}{}", char::from(b'a' + column as u8), shape.rows - down);
                    match self.geometry.named(&name) {
                        Some(cell) => start[cell.0 as usize] = piece,
                        None if piece == EMPTY => {}
                        None => {
                            let message = format!("a piece on {name}, which is on no line");
                            return Err(Problem::error(row.span, message));
                        }
                    }
                }
            }
        }
        for (letter, cells) in &self.text.start {
            let mut letters = letter.text.chars();
            let piece = match (letters.next(), letters.next()) {
                (Some(only), None) => letter_of(only, letter.span)?,
                _ => return Err(Problem::error(letter.span, "no letter of a piece")),
            };
            for name in cells {
                let cell = self.geometry.named(&name.text);
                let cell =
                    cell.ok_or_else(|| Problem::error(name.span, format!("`{}` is not on the board", name.text)))?;
                start[cell.0 as usize] = piece;
            }
        }
        Ok(start)
    }

    fn run(mut self) -> Lowered<(Outcomes, Needs)> {
        let text = self.text;
        let Some(turn) = &text.turn else {
            let span = text.title.as_ref().map_or(Span::default(), |title| title.span);
            return Err(Problem::error(span, "the text has no turn").expecting("`turn` and what a side does"));
        };
        let mut turns = Vec::new();
        for side in SIDES {
            turns.push(self.turn(turn, side)?);
        }
        let passes = matches!(text.stuck, Some((Stuck::Pass, _)));
        let mut parts = Vec::new();
        for side in SIDES {
            let (here, there) = (index(side), index(side.other()));
            let (last, again) = turns[here].clone();
            let mut last = last;
            if passes {
                let any = |(last, again): &(Vec<Rule>, Vec<Rule>)| one(last.iter().chain(again).cloned());
                last.push(all([Rule::unless(any(&turns[here])), Rule::look(any(&turns[there]))]));
            }
            let switch = Rule::Turn(Player::from(side));
            parts.push(switch.clone());
            if !again.is_empty() {
                parts.push(Rule::repeat(all([one(again), switch])));
            }
            parts.push(one(last));
        }
        let checks = self.checks()?;
        let stuck = match &text.stuck {
            None => Outcome::MoverLoses,
            Some((Stuck::Ends(ending), _)) => self.outcome(ending, None)?,
            Some((Stuck::Score | Stuck::Pass, span)) => self.score(*span)?,
        };
        let endless = match &text.endless {
            None => Outcome::Draw,
            Some((ending, _)) => self.outcome(ending, None)?,
        };
        let start = self.start()?;
        self.lint(&start);
        let core = Core {
            board: self.geometry.board.clone(),
            pieces: self.piece_names(),
            sides: [text.sides[0].name.text.clone(), text.sides[1].name.text.clone()],
            variables: self.variables,
            start,
            rules: Rule::repeat(Rule::Sequence(parts)),
            ends: Ends { checks, stuck, endless },
        };
        Ok((Outcomes { core, warnings: self.uses.warnings }, self.found))
    }

    fn piece_names(&self) -> Vec<String> {
        let name = |at: usize| {
            let piece = Piece(at as u8);
            let kind = self.pieces.kind_of(piece).map_or("empty", |kind| self.pieces.kinds[kind].name.as_str());
            let side = self.pieces.owner(piece).map_or("", |side| self.text.sides[index(side)].name.text.as_str());
            let space = if side.is_empty() || kind.is_empty() { "" } else { " " };
            format!("{side}{space}{kind}")
        };
        (0..self.pieces.len()).map(name).collect()
    }

    /// Warnings about what the rules do not make use of.
    fn lint(&mut self, start: &[Piece]) {
        let text = self.text;
        for (span, fits) in std::mem::take(&mut self.uses.terms) {
            if !fits {
                self.uses.warnings.push(Problem::warning(span, "no piece fits this, so the rule never applies"));
            }
        }
        let definitions = text.acts.iter().map(|act| &act.name).chain(text.tests.iter().map(|test| &test.name));
        for name in definitions.filter(|name| !self.uses.definitions.contains(&name.text)) {
            self.uses.warnings.push(Problem::warning(name.span, format!("`{}` is not used", name.text)));
        }
        let stands = |piece: &Piece| start.contains(piece) || self.uses.placed.contains(*piece);
        for kind in &self.pieces.kinds {
            let Some(shape) = kind.shape.map(|number| &text.pieces[number]) else { continue };
            let own: Vec<Piece> = kind.of.into_iter().flatten().collect();
            if own.iter().any(stands)
                && !self.uses.moved.is_empty()
                && !own.iter().any(|p| self.uses.moved.contains(*p))
            {
                let message = format!("no rule moves `{}`", shape.name.text);
                self.uses.warnings.push(Problem::warning(shape.name.span, message));
            }
        }
        for (side, kind) in &self.needs.hands {
            let id = self.hands[&(*side, *kind)];
            if self.variables[id.0 as usize].max == 0 && !text.hands.iter().any(|hand| hand.side.is_some()) {
                let span = text.sides[*side].name.span;
                let message = format!(
                    "a rule places pieces from the hand of `{}`, which is always empty",
                    text.sides[*side].name.text
                );
                self.uses.warnings.push(Problem::warning(span, message));
            }
        }
    }

    fn outcome(&self, ending: &Ending, just_moved: Option<Side>) -> Lowered<Outcome> {
        // Seen by the side that has just moved, or by the one that is stuck: the side to move.
        Ok(match (ending, just_moved) {
            (Ending::Win, Some(side)) => Outcome::Wins(side),
            (Ending::Lose, Some(side)) => Outcome::Wins(side.other()),
            (Ending::Win, None) => Outcome::MoverWins,
            (Ending::Lose, None) => Outcome::MoverLoses,
            (Ending::Draw, _) => Outcome::Draw,
            (Ending::Wins(name), _) => Outcome::Wins(self.side_named(name)?),
        })
    }

    /// Each side's pieces of a set; the winner's and the empty cells, if the text has it so.
    fn score(&mut self, stuck: Span) -> Lowered<Outcome> {
        let Some(score) = &self.text.score else {
            return Err(Problem::error(stuck, "the text does not declare what the score is").expecting("`score own`"));
        };
        let mut counts = Vec::new();
        for side in SIDES {
            let environment = self.environment(side);
            counts.push(Expression::Count(self.mask(&score.set, &environment)?));
        }
        if let Some(term) = score.set.terms.iter().find(|term| !term.qualifiers.is_empty()) {
            return Err(Problem::error(term.span, "a score counts whole kinds").expecting("`own` or kinds of pieces"));
        }
        let [first, second] = [counts[0].clone(), counts[1].clone()];
        if !score.empty_to_winner {
            return Ok(Outcome::Score(first, second));
        }
        // With d from -n to n, (d + n) / (n + 1) is 1 if d > 0, else 0.
        let n = Expression::Constant(self.geometry.board.len() as i32);
        let above = |a: &Expression, b: &Expression| {
            let raised = plus(minus(a.clone(), b.clone()), n.clone());
            Expression::Divide(Box::new(raised), Box::new(plus(n.clone(), Expression::Constant(1))))
        };
        let bonus = |ahead| Expression::Multiply(Box::new(Expression::Count(PieceSet::of(EMPTY))), Box::new(ahead));
        let ahead = [above(&first, &second), above(&second, &first)];
        let [one, two] = ahead.map(bonus);
        Ok(Outcome::Score(plus(first, one), plus(second, two)))
    }

    fn checks(&mut self) -> Lowered<Vec<Check>> {
        let mut checks = Vec::new();
        // For each mover in the same order, so that an exchange of the sides maps the checks to each other.
        for mover in SIDES {
            let (own, other) = (index(mover), index(mover.other()));
            let outcomes = [Outcome::Wins(mover), Outcome::Wins(mover.other()), Outcome::Draw];
            for (id, outcome) in [self.over[own], self.over[other], self.over[2]].into_iter().zip(outcomes) {
                if let Some(id) = id {
                    let when = compare(Expression::Variable(id), Compare::Exactly, 1);
                    checks.push(Check { mover: Some(mover), when, outcome });
                }
            }
        }
        for end in &self.text.ends {
            for side in SIDES {
                if end.side.as_ref().is_some_and(|name| self.text.sides[index(side)].name.text != name.text) {
                    continue;
                }
                let environment = self.environment(side);
                let when = self.condition(&end.when, &environment)?;
                let outcome = self.outcome(&end.result, Some(side))?;
                checks.push(Check { mover: Some(side.other()), when, outcome });
            }
        }
        Ok(checks)
    }

    fn environment(&self, side: Side) -> Environment {
        Environment { side, bound: Rc::new(HashMap::new()) }
    }

    fn spend(&mut self, span: Span) -> Lowered<()> {
        self.work += 1;
        match self.work > MAX_WORK {
            true => Err(Problem::error(span, "the rules grow too large here, through definitions within definitions")),
            false => Ok(()),
        }
    }

    /// Counts the parts of a rule, so that rules that hold others twice do not grow without bound.
    fn charge(&mut self, rule: &Rule, span: Span) -> Lowered<()> {
        self.work += parts(rule);
        self.spend(span)
    }

    /// The turns of a side: those that hand over, and those after which it goes on.
    fn turn(&mut self, block: &'t Block, side: Side) -> Lowered<(Vec<Rule>, Vec<Rule>)> {
        if self.turns.contains(&side) {
            let span = block.first().map_or(Span::default(), |line| line.span);
            return Err(Problem::error(span, "a turn asks whether the same side can move, and so on without an end"));
        }
        self.turns.push(side);
        let environment = self.environment(side);
        let must = match &self.text.must {
            Some(must) => self.lines(must, &environment, true)?,
            None => (Vec::new(), Vec::new()),
        };
        let (last, again) = self.lines(block, &environment, true)?;
        self.turns.pop();
        if must.0.is_empty() && must.1.is_empty() {
            return Ok((last, again));
        }
        let free = Rule::unless(one(must.0.iter().chain(&must.1).cloned()));
        let guarded = |rules: Vec<Rule>| match rules.is_empty() {
            true => None,
            false => Some(all([free.clone(), one(rules)])),
        };
        let join = |must: Vec<Rule>, rest: Vec<Rule>| must.into_iter().chain(guarded(rest)).collect();
        Ok((join(must.0, last), join(must.1, again)))
    }

    /// The lines of a block that are for this side.
    fn lines(&mut self, block: &Block, environment: &Environment, is_turn: bool) -> Lowered<(Vec<Rule>, Vec<Rule>)> {
        let (mut last, mut again) = (Vec::new(), Vec::new());
        let mut before: Option<Vec<Rule>> = None;
        for line in block {
            if let Some(name) = &line.side
                && self.side_named(name)? != environment.side
            {
                continue;
            }
            let mut rules: Vec<Rule> = Vec::new();
            match &line.guard {
                Guard::Always => before = None,
                Guard::If(condition) => {
                    let holds = self.condition(condition, environment)?;
                    rules.push(holds.clone());
                    before = Some(vec![not(holds)]);
                }
                Guard::ElseIf(_) | Guard::Else => {
                    let Some(chain) = &mut before else {
                        return Err(Problem::error(line.span, "`else` stands below an `if`"));
                    };
                    rules.extend(chain.iter().cloned());
                    if let Guard::ElseIf(condition) = &line.guard {
                        let holds = self.condition(condition, environment)?;
                        rules.push(holds.clone());
                        chain.push(not(holds));
                    } else {
                        before = None;
                    }
                }
            }
            let (goes_on, acts) = match line.acts.split_last() {
                Some((Act { what: What::Again, .. }, acts)) if is_turn => (true, acts),
                _ => (false, &line.acts[..]),
            };
            rules.push(self.acts(acts, environment)?);
            (if goes_on { &mut again } else { &mut last }).push(all(rules));
        }
        if !is_turn && let Some(chain) = before {
            last.push(all(chain));
        }
        Ok((last, again))
    }

    fn acts(&mut self, acts: &[Act], environment: &Environment) -> Lowered<Rule> {
        let rules: Lowered<Vec<Rule>> = acts.iter().map(|act| self.act(act, environment)).collect();
        Ok(all(rules?))
    }

    fn alternatives(&mut self, alternatives: &[Vec<Act>], environment: &Environment) -> Lowered<Rule> {
        let rules: Lowered<Vec<Rule>> = alternatives.iter().map(|acts| self.acts(acts, environment)).collect();
        Ok(one(rules?))
    }

    fn act(&mut self, act: &Act, environment: &Environment) -> Lowered<Rule> {
        let rule = self.what(act, environment)?;
        self.charge(&rule, act.span)?;
        Ok(rule)
    }

    fn what(&mut self, act: &Act, environment: &Environment) -> Lowered<Rule> {
        self.spend(act.span)?;
        let span = act.span;
        Ok(match &act.what {
            What::Place { what, from_hand, on } => self.place(what, *from_hand, on, environment, span)?,
            What::Move { who, how, to, taking } => self.moves(who, how, to.as_ref(), *taking, environment, span)?,
            What::Push { who, ways, into, off } => self.push(who, ways, into.as_ref(), *off, environment, span)?,
            What::Remove { set, into } => {
                let pieces = self.solid_mask(set, environment)?;
                let choose = self.choose(set, PieceSet::all(32), environment)?;
                all([choose, self.take(pieces, *into, environment)?, Rule::Put(EMPTY)])
            }
            What::Flank { change, least, set, pattern, ways } => {
                if *least > 1 {
                    return Err(Problem::error(span, "`at least` is 1 here").expecting("`at least 1`, or nothing"));
                }
                let ways = self.ways(ways, environment, false)?;
                let pieces = self.solid_mask(set, environment)?;
                self.flank(*change, *least, pieces, *pattern, &ways, environment)
            }
            What::Choose(set) => self.choose(set, PieceSet::all(32), environment)?,
            What::Go(ways) => one(self.ways(ways, environment, true)?.into_iter().map(Rule::Shift)),
            What::Put(set) => {
                let pieces = self.mask(set, environment)?;
                self.found.creates = true;
                let one_piece = pieces.iter().next().filter(|_| pieces.len() == 1);
                let Some(piece) = one_piece else {
                    return Err(
                        Problem::error(set.span, "this is not one piece").expecting("`empty`, or one kind of one side")
                    );
                };
                Rule::Put(piece)
            }
            What::Flip => {
                let pieces = self.pieces.of_side(environment.side).or(self.pieces.of_side(environment.side.other()));
                self.flipped(pieces)
            }
            What::Become(name) => {
                self.found.creates = true;
                let kind = self.pieces.kind_named(self.text, name)?;
                let mut cases = Vec::new();
                for side in SIDES {
                    if let Some(piece) = self.pieces.kinds[kind].of[index(side)] {
                        cases.push(all([on(self.pieces.of_side(side)), Rule::Put(piece)]));
                    }
                }
                one(cases)
            }
            What::Where(condition) => self.condition(condition, environment)?,
            What::If(condition, acts) => {
                let holds = self.condition(condition, environment)?;
                let acts = self.acts(acts, environment)?;
                one([all([holds.clone(), acts]), not(holds)])
            }
            What::Let(name, amount) => {
                let id = self.number(name)?;
                let mut sum: Option<Expression> = None;
                for (negative, term) in &amount.terms {
                    let value = self.summand(term, environment)?;
                    sum = Some(match sum {
                        None => value,
                        Some(sum) if *negative => minus(sum, value),
                        Some(sum) => plus(sum, value),
                    });
                }
                Rule::Assign(id, sum.unwrap_or(Expression::Constant(0)))
            }
            What::Choice(alternatives) => self.alternatives(alternatives, environment)?,
            What::Optionally(alternatives) => one([Rule::NOTHING, self.alternatives(alternatives, environment)?]),
            What::Repeat(alternatives) => Rule::repeat(self.alternatives(alternatives, environment)?),
            What::Exhaust(alternatives) => {
                let each = self.alternatives(alternatives, environment)?;
                all([Rule::repeat(each.clone()), Rule::unless(each)])
            }
            What::Again => {
                return Err(Problem::error(span, "`again` is the last word of a line of `turn`"));
            }
            What::End(ending) => {
                let code = match self.outcome(ending, Some(environment.side))? {
                    Outcome::Wins(Side::First) => 0,
                    Outcome::Wins(Side::Second) => 1,
                    _ => 2,
                };
                self.found.over[code] = true;
                // In the first pass the variable does not exist yet.
                self.over[code].map_or(Rule::NOTHING, |id| Rule::Assign(id, Expression::Constant(1)))
            }
            What::Nothing => Rule::NOTHING,
            What::Call(call) => {
                let text = self.text;
                let Some(act) = text.acts.iter().find(|act| act.name.text == call.name.text) else {
                    return Err(Problem::error(call.name.span, format!("`{}` is no act", call.name.text)));
                };
                let inner = self.enter(call, &act.parameters, environment)?;
                let (rules, _) = self.lines(&act.body, &inner, false)?;
                self.calls.pop();
                one(rules)
            }
        })
    }

    /// Binds the parameters of a definition to the values of a call.
    fn enter(&mut self, call: &Call, parameters: &[Name], environment: &Environment) -> Lowered<Environment> {
        let name = &call.name.text;
        self.uses.definitions.insert(name.clone());
        if self.calls.contains(name) {
            return Err(Problem::error(call.name.span, format!("`{name}` uses itself, without an end")));
        }
        if self.calls.len() >= MAX_CALLS {
            return Err(Problem::error(call.name.span, format!("more than {MAX_CALLS} definitions within each other")));
        }
        let mut bound = HashMap::new();
        for (parameter, value) in parameters.iter().zip(&call.values) {
            let value = match value {
                Value::Number(number) => Bound::Number(*number),
                Value::Ways(ways) => Bound::Ways(self.ways(ways, environment, true)?),
                Value::Set(set) => match self.bound_alone(set, environment) {
                    Some(bound) => bound,
                    None => Bound::Set(set.clone(), environment.clone()),
                },
            };
            bound.insert(parameter.text.clone(), value);
        }
        self.calls.push(name.clone());
        Ok(Environment { side: environment.side, bound: Rc::new(bound) })
    }

    /// The value of a parameter that stands alone as the value of another one.
    fn bound_alone(&self, set: &Set, environment: &Environment) -> Option<Bound> {
        match &set.terms[..] {
            [Term { head: Head::Parameter(name), qualifiers, .. }] if qualifiers.is_empty() => {
                environment.bound.get(&name.text).cloned()
            }
            _ => None,
        }
    }

    fn number(&self, name: &Name) -> Lowered<VariableId> {
        let found = self.text.numbers.iter().position(|number| number.name.text == name.text);
        let found = found.map(|at| VariableId(at.min(255) as u8));
        found.ok_or_else(|| Problem::error(name.span, format!("`{}` is no number", name.text)))
    }

    fn summand(&self, summand: &Summand, environment: &Environment) -> Lowered<Expression> {
        match summand {
            Summand::Literal(number) => Ok(Expression::Constant(*number as i32)),
            Summand::Named(name) => match environment.bound.get(&name.text) {
                Some(Bound::Number(number)) => Ok(Expression::Constant(*number as i32)),
                Some(_) => Err(Problem::error(name.span, format!("`{}` is no number here", name.text))),
                None => self.number(name).map(Expression::Variable),
            },
        }
    }

    fn literal(&self, number: &Number, environment: &Environment) -> Lowered<u32> {
        match number {
            Number::Literal(number) => Ok(*number),
            Number::Parameter(name) => match environment.bound.get(&name.text) {
                Some(Bound::Number(number)) => Ok(*number),
                _ => Err(Problem::error(name.span, format!("`{}` is no number here", name.text))),
            },
        }
    }

    /// Directions as labels. Without a word, the neighbours of the board for steps, all lines otherwise.
    fn ways(&mut self, ways: &Ways, environment: &Environment, steps: bool) -> Lowered<Vec<Label>> {
        if ways.ways.is_empty() {
            return Ok(if steps { self.geometry.neighbours() } else { self.geometry.lines() });
        }
        let mut labels: Vec<Label> = Vec::new();
        for way in &ways.ways {
            let found = match way {
                Way::Absolute(compass) => self.geometry.way(*compass).into_iter().collect(),
                Way::Relative(compass) => {
                    let turned = self.turned(*compass, environment.side, ways.span)?;
                    self.geometry.way(turned).into_iter().collect()
                }
                Way::Group(group) => self.geometry.group(*group),
                Way::Parameter(name) => match environment.bound.get(&name.text) {
                    Some(Bound::Ways(labels)) => labels.clone(),
                    _ => return Err(Problem::error(name.span, format!("`{}` is no direction here", name.text))),
                },
            };
            labels.extend(found.into_iter().filter(|label| !labels.contains(label)).collect::<Vec<_>>());
        }
        match labels.is_empty() {
            true => Err(Problem::error(ways.span, "the board has no lines in this direction")),
            false => Ok(labels),
        }
    }

    /// A direction seen by a side: forward is up for a side that looks up.
    fn turned(&self, compass: Compass, side: Side, span: Span) -> Lowered<Compass> {
        let shape = &self.text.sides[index(side)];
        let forward = match shape.forward {
            Some((forward, _)) => forward,
            // Only forward and backward need to know; left and right of a side that looks nowhere are the board's.
            None if compass.up == 0 => Compass { right: 0, up: 1 },
            None => {
                let message = format!("`{}` does not look anywhere", shape.name.text);
                return Err(Problem::error(span, message).expecting("a direction in `sides`, such as `white w up`"));
            }
        };
        let right = compass.right * forward.up + compass.up * forward.right;
        let up = compass.up * forward.up - compass.right * forward.right;
        Ok(Compass { right, up })
    }

    /// The pieces on the cells of a set, qualified or not.
    fn mask(&mut self, set: &Set, environment: &Environment) -> Lowered<PieceSet> {
        set.terms.iter().try_fold(PieceSet::EMPTY, |mask, term| Ok(mask.or(self.term_mask(term, environment)?)))
    }

    fn term_mask(&mut self, term: &Term, environment: &Environment) -> Lowered<PieceSet> {
        self.spend(term.span)?;
        let mask = match &term.head {
            Head::Any => self.pieces.all(),
            Head::Empty => PieceSet::of(EMPTY),
            Head::Piece(whose, kind) => {
                let owned = match whose {
                    Whose::Own => self.pieces.of_side(environment.side),
                    Whose::Enemy => self.pieces.of_side(environment.side.other()),
                    Whose::Any => self.pieces.solid(),
                };
                match kind {
                    Some(name) => {
                        let named = self.pieces.named(self.text, &name.text);
                        if named.is_empty() {
                            return Err(Problem::error(name.span, format!("`{}` is no piece", name.text)));
                        }
                        owned.and(named)
                    }
                    None => owned,
                }
            }
            Head::Parameter(name) => match environment.bound.get(&name.text).cloned() {
                Some(Bound::Set(set, outer)) => self.mask(&set, &outer)?,
                _ => return Err(Problem::error(name.span, format!("`{}` is no set of cells here", name.text))),
            },
            Head::Group(set) => self.mask(set, environment)?,
        };
        *self.uses.terms.entry(term.span).or_insert(false) |= !mask.is_empty();
        Ok(mask)
    }

    /// The pieces of a set that must not hold the empty cell.
    fn solid_mask(&mut self, set: &Set, environment: &Environment) -> Lowered<PieceSet> {
        let mask = self.mask(set, environment)?;
        match mask.contains(EMPTY) {
            true => {
                Err(Problem::error(set.span, "an empty cell is no piece").expecting("pieces such as `own` or `enemy`"))
            }
            false => Ok(mask),
        }
    }

    /// Tests whether the cell of the pointer is in the set and holds one of the pieces.
    fn test(&mut self, set: &Set, only: PieceSet, environment: &Environment) -> Lowered<Rule> {
        let plain = set
            .terms
            .iter()
            .all(|term| term.qualifiers.is_empty() && !matches!(term.head, Head::Parameter(_) | Head::Group(_)));
        if plain {
            let mask = self.mask(set, environment)?.and(only);
            return Ok(self.top(mask));
        }
        let mut rules = Vec::new();
        for term in &set.terms {
            let mask = self.term_mask(term, environment)?.and(only);
            if !mask.is_empty() {
                rules.push(self.term(term, mask, environment)?);
            }
        }
        Ok(match rules.len() {
            0 => on(PieceSet::EMPTY),
            1 => rules.remove(0),
            _ => Rule::look(Rule::Choice(rules)),
        })
    }

    /// The cell of the pointer holds one of the pieces, on top of its stack.
    fn top(&self, mask: PieceSet) -> Rule {
        let (Some(above), Some(below)) = (self.geometry.above, self.geometry.below) else { return on(mask) };
        let solid = mask.without(PieceSet::of(EMPTY));
        let uncovered = Rule::unless(all([Rule::Shift(above), on(self.pieces.solid())]));
        let piece = all([on(solid), uncovered]);
        let ground = all([is_empty(), Rule::unless(Rule::Shift(below))]);
        match (solid.is_empty(), mask.contains(EMPTY)) {
            (true, _) => ground,
            (false, false) => piece,
            (false, true) => one([piece, ground]),
        }
    }

    fn term(&mut self, term: &Term, mask: PieceSet, environment: &Environment) -> Lowered<Rule> {
        let mut rules = match &term.head {
            Head::Parameter(name) => match environment.bound.get(&name.text).cloned() {
                Some(Bound::Set(set, outer)) => vec![self.test(&set, mask, &outer)?],
                _ => return Err(Problem::error(name.span, format!("`{}` is no set of cells here", name.text))),
            },
            Head::Group(set) => vec![self.test(set, mask, environment)?],
            _ => vec![self.top(mask)],
        };
        for qualifier in &term.qualifiers {
            let rule = self.property(qualifier, term, environment)?;
            rules.push(if qualifier.not { not(rule) } else { rule });
        }
        Ok(all(rules))
    }

    fn property(&mut self, qualifier: &Qualifier, term: &Term, environment: &Environment) -> Lowered<Rule> {
        self.spend(qualifier.span)?;
        let span = qualifier.span;
        Ok(match &qualifier.what {
            Property::On(area) => {
                let rule = self.stay_on(area, environment, span)?;
                if qualifier.not { Rule::look(rule) } else { rule }
            }
            Property::InLine(number, ways) => {
                let mask = self.term_mask(term, environment)?;
                let length = self.literal(number, environment)?;
                let axes = self.axes(ways, length, environment, span)?;
                let mut walks = Vec::new();
                for way in axes {
                    let back = self.geometry.opposite(way);
                    for behind in 0..length {
                        // Back over `behind` cells, to the start again, and on over the rest.
                        let mut walk = Vec::new();
                        walk.extend((0..behind).flat_map(|_| [Rule::Shift(back), on(mask)]));
                        walk.extend((0..behind).map(|_| Rule::Shift(way)));
                        walk.extend((behind + 1..length).flat_map(|_| [Rule::Shift(way), on(mask)]));
                        walks.push(Rule::Sequence(walk));
                    }
                }
                Rule::look(one(walks))
            }
            Property::InSquare(columns, rows) => {
                let mask = self.term_mask(term, environment)?;
                let [up, right, down, left] = self.compass(span)?;
                let mut walks = Vec::new();
                for (down_by, left_by) in (0..*rows).flat_map(|d| (0..*columns).map(move |l| (d, l))) {
                    let mut walk: Vec<Rule> = Vec::new();
                    walk.extend((0..down_by).map(|_| Rule::Shift(down)));
                    walk.extend((0..left_by).map(|_| Rule::Shift(left)));
                    walk.push(rectangle(mask, *columns, *rows, [up, right, left]));
                    walks.push(Rule::Sequence(walk));
                }
                Rule::look(one(walks))
            }
            Property::NextTo(set) => {
                let test = self.test(set, PieceSet::all(32), environment)?;
                let ways = self.geometry.neighbours();
                Rule::look(all([one(ways.into_iter().map(Rule::Shift)), test]))
            }
            Property::Attacked => self.attacked(term, environment, span)?,
            Property::Enclosed => {
                let mask = self.term_mask(term, environment)?;
                let step = one(self.geometry.neighbours().into_iter().map(Rule::Shift));
                let group = Rule::repeat(all([step.clone(), on(mask)]));
                Rule::unless(all([group, step, is_empty()]))
            }
        })
    }

    fn axes(&mut self, ways: &Ways, length: u32, environment: &Environment, span: Span) -> Lowered<Vec<Label>> {
        let ways = self.ways(ways, environment, false)?;
        let axes = self.geometry.axes(&ways);
        if length == 0 || !self.geometry.has_line(&axes, length) {
            return Err(Problem::error(span, format!("the board has no line of {length} cells")));
        }
        Ok(axes)
    }

    /// Up, right, down and left.
    fn compass(&mut self, span: Span) -> Lowered<[Label; 4]> {
        match self.geometry.group(Group::Orthogonal)[..] {
            [up, right, down, left] => Ok([up, right, down, left]),
            _ => Err(Problem::error(span, "squares are on boards without `lines`")),
        }
    }

    /// A piece of the other side could move to the cell of the pointer.
    fn attacked(&mut self, term: &Term, environment: &Environment, span: Span) -> Lowered<Rule> {
        let enemies_own = matches!(term.head, Head::Piece(Whose::Enemy, _));
        let attacker = if enemies_own { environment.side } else { environment.side.other() };
        let seen = self.environment(attacker);
        let mut walks = Vec::new();
        for kind in 0..self.pieces.kinds.len() {
            let (Some(piece), Some(shape)) = (self.pieces.kinds[kind].of[index(attacker)], self.shape(kind)) else {
                continue;
            };
            for (gait, ways) in &shape.moves {
                for way in self.ways(ways, &seen, true)? {
                    let back = Rule::Shift(self.geometry.opposite(way));
                    let slide = match gait {
                        Gait::Step => Rule::NOTHING,
                        Gait::Slide => Rule::repeat(all([is_empty(), back.clone()])),
                    };
                    walks.push(all([back, slide, on(PieceSet::of(piece))]));
                }
            }
        }
        match walks.is_empty() {
            true => Err(Problem::error(span, "no piece of the other side has moves of its own")
                .expecting("`step` or `slide` in a `piece` line")),
            false => Ok(Rule::look(one(walks))),
        }
    }

    fn shape(&self, kind: usize) -> Option<&'t PieceShape> {
        let text = self.text;
        self.pieces.kinds[kind].shape.map(|number| &text.pieces[number])
    }

    fn stay_on(&mut self, area: &Area, environment: &Environment, span: Span) -> Lowered<Rule> {
        let mut cells = vec![false; self.geometry.board.len()];
        self.mark(area, environment, span, &mut cells, 0)?;
        if !cells.contains(&true) {
            return Err(Problem::error(span, "the board has no such cell"));
        }
        let name = format!("area {}", self.geometry.board.labels().len());
        let label = self.geometry.stay_on(&cells, &name).map_err(|error| Problem::error(span, error.to_string()))?;
        Ok(Rule::Shift(label))
    }

    /// Marks the cells of an area.
    fn mark(
        &mut self,
        area: &Area,
        environment: &Environment,
        span: Span,
        cells: &mut [bool],
        depth: usize,
    ) -> Lowered<()> {
        self.spend(span)?;
        let (columns, rows) = (self.geometry.columns, self.geometry.rows);
        for part in area {
            let edge_ahead = |lowering: &Self, up: i8, span: Span| {
                let forward = lowering.turned(Compass { right: 0, up }, environment.side, span)?;
                Ok(match (forward.right, forward.up) {
                    (0, 1) => (None, Some(rows - 1)),
                    (0, _) => (None, Some(0)),
                    (1, _) => (Some(columns - 1), None),
                    _ => (Some(0), None),
                })
            };
            let (column, row) = match part {
                Part::LastRow(span) => edge_ahead(self, 1, *span)?,
                Part::FirstRow(span) => edge_ahead(self, -1, *span)?,
                Part::Row(row, span) if *row >= rows => {
                    return Err(Problem::error(*span, format!("the board has {rows} rows")));
                }
                Part::Column(column, span) if *column >= columns => {
                    return Err(Problem::error(*span, format!("the board has {columns} columns")));
                }
                Part::Row(row, _) => (None, Some(*row)),
                Part::Column(column, _) => (Some(*column), None),
                Part::Named(name) => {
                    let text = self.text;
                    if let Some(named) = text.areas.iter().find(|named| named.name.text == name.text) {
                        if depth >= MAX_CALLS {
                            return Err(Problem::error(
                                name.span,
                                format!("`{}` uses itself, without an end", name.text),
                            ));
                        }
                        self.mark(&named.body, environment, span, cells, depth + 1)?;
                        continue;
                    }
                    match super::geometry::place(&name.text) {
                        Some((column, row)) if self.geometry.named(&name.text).is_some() => (Some(column), Some(row)),
                        _ => return Err(Problem::error(name.span, format!("`{}` is not on the board", name.text))),
                    }
                }
                Part::Corner | Part::Edge | Part::Inside => (None, None),
            };
            for (at, spot) in self.geometry.spots.iter().enumerate() {
                let sides = usize::from(spot.column == 0 || spot.column + 1 == columns)
                    + usize::from(spot.row == 0 || spot.row + 1 == rows);
                let within = match part {
                    Part::Corner => sides == 2,
                    Part::Edge => sides > 0,
                    Part::Inside => sides == 0,
                    _ => column.is_none_or(|column| spot.column == column) && row.is_none_or(|row| spot.row == row),
                };
                cells[at] |= within;
            }
        }
        Ok(())
    }

    /// The pointer goes to any cell of the set that holds one of the pieces.
    fn choose(&mut self, set: &Set, only: PieceSet, environment: &Environment) -> Lowered<Rule> {
        Ok(all([Rule::Anywhere, self.test(set, only, environment)?]))
    }

    fn place(
        &mut self,
        what: &Set,
        from_hand: bool,
        onto: &Set,
        environment: &Environment,
        span: Span,
    ) -> Lowered<Rule> {
        let side = environment.side;
        let named = self.solid_mask(what, environment)?;
        let placed = named.and(self.pieces.of_side(side).or(self.pieces.neutral()));
        self.uses.placed = self.uses.placed.or(placed);
        let target = self.mask(onto, environment)?;
        let target = match self.geometry.above {
            // A piece goes on top: to the first free level of any stack whose top fits.
            Some(above) => {
                let climb = Rule::repeat(all([on(self.pieces.solid()), Rule::Shift(above)]));
                let top = self.choose(onto, target, environment)?;
                all([top, climb, is_empty()])
            }
            None if target == PieceSet::of(EMPTY) => self.choose(onto, target, environment)?,
            None => return Err(Problem::error(onto.span, "pieces are placed on empty cells").expecting("`empty`")),
        };
        let mut cases = Vec::new();
        for piece in placed.iter() {
            let mut rules = Vec::new();
            if from_hand {
                let kind = self.pieces.kind_of(piece).unwrap_or(0);
                rules.extend(
                    self.held(side, kind)
                        .map(|id| Rule::Assign(id, minus(Expression::Variable(id), Expression::Constant(1)))),
                );
            } else {
                self.found.creates = true;
            }
            rules.push(Rule::Put(piece));
            cases.push(all(rules));
        }
        match cases.is_empty() {
            true if named.is_empty() => Err(Problem::error(span, "the side has no such piece")),
            _ => Ok(all([target, one(cases)])),
        }
    }

    /// The variable of a hand. In the first pass there is none yet.
    fn held(&mut self, side: Side, kind: usize) -> Option<VariableId> {
        self.found.hands.insert((index(side), kind));
        self.hands.get(&(index(side), kind)).copied()
    }

    /// Takes one of these pieces from the cell of the pointer; what is put there is the caller's part.
    fn take(&mut self, pieces: PieceSet, goal: Goal, environment: &Environment) -> Lowered<Rule> {
        if goal == Goal::Off {
            return Ok(on(pieces));
        }
        self.found.takes_into_hand = true;
        let mut off = PieceSet::EMPTY;
        let mut cases = Vec::new();
        for piece in pieces.iter() {
            let kind = self.kind_in_hand(self.pieces.kind_of(piece).unwrap_or(0))?;
            // A hand that no rule reads is no part of the position.
            match self.hands.get(&(index(environment.side), kind)).copied() {
                Some(id) => cases.push(all([
                    on(PieceSet::of(piece)),
                    Rule::Assign(id, plus(Expression::Variable(id), Expression::Constant(1))),
                ])),
                None => off = off.or(PieceSet::of(piece)),
            }
        }
        if !off.is_empty() || cases.is_empty() {
            cases.push(on(off));
        }
        Ok(one(cases))
    }

    fn moves(
        &mut self,
        who: &Mover,
        how: &How,
        to: Option<&Set>,
        taking: Option<Goal>,
        environment: &Environment,
        span: Span,
    ) -> Lowered<Rule> {
        let pieces = match who {
            Mover::It => self.pieces.of_side(environment.side).or(self.pieces.neutral()),
            Mover::Any(set) => self.solid_mask(set, environment)?,
        };
        self.uses.moved = self.uses.moved.or(pieces);
        let mut cases = Vec::new();
        let mut immobile = true;
        for piece in pieces.iter() {
            let origin = match who {
                Mover::It => self.top(PieceSet::of(piece)),
                Mover::Any(set) => self.test(set, PieceSet::of(piece), environment)?,
            };
            let land = self.land(piece, to, taking, matches!(how, How::Jump(..)), environment, span)?;
            let lift = Rule::Put(EMPTY);
            let travel = match how {
                How::Fly => {
                    let board = &self.geometry.board;
                    let others = |from| one(board.cells().filter(|to| *to != from).map(Rule::Go));
                    let from_each =
                        board.cells().map(|from| all([Rule::Go(from), origin.clone(), lift.clone(), others(from)]));
                    if matches!(who, Mover::It) || self.geometry.above.is_some() {
                        let problem = Problem::error(span, "`fly` is for pieces of a set, on boards without stacks");
                        return Err(problem);
                    }
                    cases.push(all([one(from_each), land]));
                    immobile = false;
                    continue;
                }
                How::Along(gait, ways) => {
                    let ways = self.ways(ways, environment, true)?;
                    Some(self.along(*gait, &ways, span)?)
                }
                How::Jump(ways, over) => {
                    let ways = self.ways(ways, environment, true)?;
                    let jumped = self.solid_mask(over, environment)?;
                    let fits = self.test(over, jumped, environment)?;
                    let taken = match taking {
                        Some(goal) => all([self.take(jumped, goal, environment)?, Rule::Put(EMPTY)]),
                        None => Rule::NOTHING,
                    };
                    let each = |way| all([Rule::Shift(way), fits.clone(), taken.clone(), Rule::Shift(way)]);
                    Some(one(ways.into_iter().map(each)))
                }
                How::Own => self.own_way(piece, environment.side, span)?,
            };
            let Some(travel) = travel else { continue };
            immobile = false;
            let first = if matches!(who, Mover::It) { Rule::NOTHING } else { Rule::Anywhere };
            cases.push(all([first, origin, lift, travel, land]));
        }
        if immobile && !pieces.is_empty() {
            let problem = Problem::error(span, "none of these pieces has moves of its own");
            return Err(problem.expecting("`step` or `slide` in their `piece` lines, or a direction here"));
        }
        Ok(one(cases))
    }

    fn along(&mut self, gait: Gait, ways: &[Label], span: Span) -> Lowered<Rule> {
        if gait == Gait::Step {
            return Ok(one(ways.iter().copied().map(Rule::Shift)));
        }
        if self.geometry.above.is_some() {
            return Err(Problem::error(span, "`slide` is for boards without stacks"));
        }
        let slide = |&way: &Label| all([Rule::Shift(way), Rule::repeat(all([is_empty(), Rule::Shift(way)]))]);
        Ok(one(ways.iter().map(slide)))
    }

    /// How a piece moves by its `piece` line; `None` if it does not.
    fn own_way(&mut self, piece: Piece, side: Side, span: Span) -> Lowered<Option<Rule>> {
        let side = self.pieces.owner(piece).unwrap_or(side);
        let environment = self.environment(side);
        let Some(shape) = self.pieces.kind_of(piece).and_then(|kind| self.shape(kind)) else { return Ok(None) };
        let mut rules = Vec::new();
        for (gait, ways) in &shape.moves {
            let ways = self.ways(ways, &environment, true)?;
            rules.push(self.along(*gait, &ways, span)?);
        }
        Ok((!rules.is_empty()).then(|| one(rules)))
    }

    /// The piece comes down on the cell of the pointer.
    fn land(
        &mut self,
        piece: Piece,
        to: Option<&Set>,
        taking: Option<Goal>,
        jumps: bool,
        environment: &Environment,
        span: Span,
    ) -> Lowered<Rule> {
        let put = self.put_moved(piece, environment)?;
        let Some(above) = self.geometry.above else {
            let Some(to) = to else { return Ok(all([is_empty(), put])) };
            let target = self.mask(to, environment)?;
            let solid = target.without(PieceSet::of(EMPTY));
            let fits = self.test(to, target, environment)?;
            return match taking {
                None if !solid.is_empty() => {
                    let problem = Problem::error(to.span, "the move ends on a piece");
                    Err(problem.expecting("`, taking it` after it, or a target without pieces"))
                }
                Some(_) if solid.is_empty() && !jumps => {
                    let problem = Problem::error(span, "`taking it` has nothing to take");
                    Err(problem.expecting("a target such as `empty or enemy`"))
                }
                Some(goal) if !jumps && goal == Goal::Hand => {
                    let free = on(target.and(PieceSet::of(EMPTY)));
                    let take = self.take(solid, goal, environment)?;
                    let cases = if target.contains(EMPTY) { one([free, take]) } else { take };
                    Ok(all([fits, cases, put]))
                }
                _ => Ok(all([fits, put])),
            };
        };
        if taking.is_some() {
            return Err(Problem::error(span, "on stacks nothing is taken by moving onto it"));
        }
        // Up to the first free level; what lies below it is what the target names.
        let climb = Rule::repeat(all([on(self.pieces.solid()), Rule::Shift(above)]));
        let mut rules = vec![climb, is_empty()];
        if let (Some(to), Some(below)) = (to, self.geometry.below) {
            let target = self.mask(to, environment)?;
            if target != self.pieces.all() {
                let ground = Rule::unless(Rule::Shift(below));
                let upon = Rule::look(all([Rule::Shift(below), on(target.without(PieceSet::of(EMPTY)))]));
                rules.push(if target.contains(EMPTY) { one([ground, upon]) } else { upon });
            }
            if let Some(term) = to.terms.iter().find(|term| !term.qualifiers.is_empty()) {
                return Err(Problem::error(term.span, "on stacks a target has no qualifiers"));
            }
        }
        rules.push(put);
        Ok(all(rules))
    }

    /// Puts a piece that has moved, promoted where its kind becomes another.
    fn put_moved(&mut self, piece: Piece, environment: &Environment) -> Lowered<Rule> {
        let shape = self.pieces.kind_of(piece).and_then(|kind| self.shape(kind));
        let Some((name, area)) = shape.and_then(|shape| shape.becoming.as_ref()) else { return Ok(Rule::Put(piece)) };
        let side = self.pieces.owner(piece).unwrap_or(environment.side);
        let kind = self.pieces.kind_named(self.text, name)?;
        let Some(promoted) = self.pieces.kinds[kind].of[index(side)] else {
            return Err(Problem::error(name.span, "the side has no such piece"));
        };
        self.uses.placed = self.uses.placed.or(PieceSet::of(promoted));
        let there = self.stay_on(area, &self.environment(side), name.span)?;
        Ok(one([all([there.clone(), Rule::Put(promoted)]), all([Rule::unless(there), Rule::Put(piece)])]))
    }

    /// Flips whichever of the pieces stands on the cell of the pointer.
    fn flipped(&self, pieces: PieceSet) -> Rule {
        let pairs = pieces.iter().filter_map(|piece| Some((piece, self.pieces.of_other(piece)?)));
        one(pairs.map(|(piece, other)| all([on(PieceSet::of(piece)), Rule::Put(other)])))
    }

    fn flank(
        &self,
        change: Change,
        least: u32,
        pieces: PieceSet,
        pattern: Flank,
        ways: &[Label],
        environment: &Environment,
    ) -> Rule {
        let own = on(self.pieces.of_side(environment.side));
        let changed = match change {
            Change::Take => all([on(pieces), Rule::Put(EMPTY)]),
            Change::Flip => self.flipped(pieces),
        };
        let mut patterns = Vec::new();
        let mut rules = Vec::new();
        let ways = if pattern == Flank::Flanking { self.geometry.axes(ways) } else { ways.to_vec() };
        for way in ways {
            let (there, back) = (Rule::Shift(way), Rule::Shift(self.geometry.opposite(way)));
            let (there, back) = (|| there.clone(), || back.clone());
            let (pattern, apply) = match pattern {
                // Over the row to the own piece at its end; on the way back each of the row changes, up to the start.
                Flank::Flanked => {
                    let each = all([there(), on(pieces)]);
                    let row = all([each.clone(), Rule::repeat(each), there(), own.clone()]);
                    let change = all([changed.clone(), back()]);
                    let apply = all([row.clone(), back(), change.clone(), Rule::repeat(change), own.clone()]);
                    (row, apply)
                }
                Flank::Flanking => {
                    let pair = all([there(), on(pieces), back(), back(), on(pieces)]);
                    let apply = all([pair.clone(), changed.clone(), there(), there(), changed.clone(), back()]);
                    (pair, apply)
                }
            };
            rules.push(one([apply, Rule::unless(pattern.clone())]));
            patterns.push(pattern);
        }
        let first = if least == 1 { Rule::look(one(patterns)) } else { Rule::NOTHING };
        all([first, all(rules)])
    }

    /// A piece steps and pushes the row of pieces before it.
    fn push(
        &mut self,
        who: &Mover,
        ways: &Ways,
        into: Option<&Set>,
        off: bool,
        environment: &Environment,
        span: Span,
    ) -> Lowered<Rule> {
        let Mover::Any(set) = who else {
            return Err(Problem::error(span, "`push` is for pieces of a set").expecting("`own push`"));
        };
        if self.geometry.above.is_some() {
            return Err(Problem::error(span, "`push` is for boards without stacks"));
        }
        let movers = self.solid_mask(set, environment)?;
        self.uses.moved = self.uses.moved.or(movers);
        let traps = match into {
            Some(into) => self.solid_mask(into, environment)?,
            None => PieceSet::EMPTY,
        };
        let pushed = self.pieces.solid().without(self.pieces.neutral()).without(traps);
        let ways = self.ways(ways, environment, true)?;
        let mut cases = Vec::new();
        for piece in movers.iter() {
            let origin = self.choose(set, PieceSet::of(piece), environment)?;
            let mut directions = Vec::new();
            for &way in &ways {
                let (there, back) = (Rule::Shift(way), Rule::Shift(self.geometry.opposite(way)));
                // The pointer is on the cell to fill: from the cell behind it, back to the mover's own, which is empty.
                let copies = pushed
                    .iter()
                    .map(|moved| all([on(PieceSet::of(moved)), there.clone(), Rule::Put(moved), back.clone()]));
                let shift = Rule::repeat(all([back.clone(), one(copies)]));
                let fill = all([shift, back.clone(), is_empty(), there.clone(), Rule::Put(piece)]);
                let row = Rule::repeat(all([on(pushed), there.clone()]));
                let mut ends = vec![all([is_empty(), fill.clone()])];
                if !traps.is_empty() {
                    let falls = one([is_empty(), all([on(pushed), fill.clone()])]);
                    ends.push(all([on(traps), back.clone(), falls]));
                }
                if off {
                    ends.push(all([on(pushed), Rule::unless(there.clone()), fill]));
                }
                directions.push(all([there.clone(), row, one(ends)]));
                if off {
                    directions.push(Rule::unless(there));
                }
            }
            cases.push(all([origin, Rule::Put(EMPTY), one(directions)]));
        }
        Ok(one(cases))
    }

    /// A test that leaves the pointer where it is.
    fn condition(&mut self, condition: &Condition, environment: &Environment) -> Lowered<Rule> {
        let rule = self.holds(condition, environment)?;
        self.charge(&rule, condition.span)?;
        Ok(rule)
    }

    fn holds(&mut self, condition: &Condition, environment: &Environment) -> Lowered<Rule> {
        self.spend(condition.span)?;
        let span = condition.span;
        Ok(match &condition.what {
            Test::All(conditions) => {
                let rules: Lowered<Vec<Rule>> =
                    conditions.iter().map(|each| self.condition(each, environment)).collect();
                all(rules?)
            }
            Test::Either(conditions) => {
                let rules: Lowered<Vec<Rule>> =
                    conditions.iter().map(|each| self.condition(each, environment)).collect();
                let mut rules = rules?;
                if rules.len() == 1 { rules.remove(0) } else { Rule::look(Rule::Choice(rules)) }
            }
            Test::Not(inner) => not(self.condition(inner, environment)?),
            Test::Cells(quantity, set) => self.cells(quantity, set, environment)?,
            Test::Line(set, number, ways) => {
                let length = self.literal(number, environment)?;
                let axes = self.axes(ways, length, environment, span)?;
                let first = self.choose(set, PieceSet::all(32), environment)?;
                let each = self.test(set, PieceSet::all(32), environment)?;
                let along = |way| all((1..length).flat_map(|_| [Rule::Shift(way), each.clone()]));
                Rule::look(all([first, one(axes.into_iter().map(along))]))
            }
            Test::Square(set, columns, rows) => {
                if *columns > self.geometry.columns || *rows > self.geometry.rows {
                    return Err(Problem::error(span, format!("the board has no square of {columns}x{rows} cells")));
                }
                let [up, right, _, left] = self.compass(span)?;
                if let Some(term) = set.terms.iter().find(|term| !term.qualifiers.is_empty()) {
                    return Err(Problem::error(term.span, "the set of a square has no qualifiers"));
                }
                let mask = self.mask(set, environment)?;
                Rule::look(all([Rule::Anywhere, rectangle(mask, *columns, *rows, [up, right, left])]))
            }
            Test::Joins(set, from, to) => {
                let first = self.choose(set, PieceSet::all(32), environment)?;
                let start = self.stay_on(from, environment, span)?;
                let end = self.stay_on(to, environment, span)?;
                let step = one(self.geometry.neighbours().into_iter().map(Rule::Shift));
                let each = self.test(set, PieceSet::all(32), environment)?;
                Rule::look(all([first, start, Rule::repeat(all([step, each])), end]))
            }
            Test::Held { quantity, set, and_board } => {
                let pieces = self.solid_mask(set, environment)?;
                let number = self.literal(&quantity.number, environment)?;
                let mut sum = if *and_board { Expression::Count(pieces) } else { Expression::Constant(0) };
                for piece in pieces.iter() {
                    let (Some(side), Some(kind)) = (self.pieces.owner(piece), self.pieces.kind_of(piece)) else {
                        continue;
                    };
                    let exists = self.needs.hands.contains(&(index(side), kind));
                    // `left` counts the hands that other rules use; `in hand` is a use of its own.
                    let id = if *and_board && !exists { None } else { self.held(side, kind) };
                    if let Some(id) = id {
                        let held = Expression::Variable(id);
                        sum = if sum == Expression::Constant(0) { held } else { plus(sum, held) };
                    }
                }
                compare(sum, quantity.compare, number)
            }
            Test::CanMove { whose, able } => {
                let side = if *whose == Whose::Own { environment.side } else { environment.side.other() };
                let text = self.text;
                let Some(block) = &text.turn else { return Err(Problem::error(span, "the text has no turn")) };
                let (last, again) = self.turn(block, side)?;
                let any = one(last.into_iter().chain(again));
                if *able { Rule::look(any) } else { Rule::unless(any) }
            }
            Test::Can(alternatives) => Rule::look(self.alternatives(alternatives, environment)?),
            Test::It(set) => {
                let test = self.test(set, PieceSet::all(32), environment)?;
                look(test)
            }
            Test::Number(name, quantity) => {
                let number = self.literal(&quantity.number, environment)?;
                compare(Expression::Variable(self.number(name)?), quantity.compare, number)
            }
            Test::Call(call) => {
                let text = self.text;
                let Some(test) = text.tests.iter().find(|test| test.name.text == call.name.text) else {
                    return Err(Problem::error(call.name.span, format!("`{}` is no test", call.name.text)));
                };
                let inner = self.enter(call, &test.parameters, environment)?;
                let rule = self.condition(&test.body, &inner)?;
                self.calls.pop();
                rule
            }
        })
    }

    /// So many cells of a set: by counting pieces where that is enough, else by finding them in order.
    fn cells(&mut self, quantity: &Quantity, set: &Set, environment: &Environment) -> Lowered<Rule> {
        let number = self.literal(&quantity.number, environment)?;
        let qualified = set
            .terms
            .iter()
            .any(|term| !term.qualifiers.is_empty() || matches!(term.head, Head::Parameter(_) | Head::Group(_)));
        if !qualified {
            let mask = self.mask(set, environment)?;
            return Ok(compare(Expression::Count(mask), quantity.compare, number));
        }
        if number > 20 {
            return Err(Problem::error(set.span, "such cells are counted up to 20"));
        }
        Ok(match quantity.compare {
            Compare::AtLeast => self.at_least(number, set, environment)?,
            Compare::More => self.at_least(number + 1, set, environment)?,
            Compare::Fewer => not(self.at_least(number, set, environment)?),
            Compare::AtMost => not(self.at_least(number + 1, set, environment)?),
            Compare::Exactly => {
                let enough = self.at_least(number, set, environment)?;
                all([enough, not(self.at_least(number + 1, set, environment)?)])
            }
        })
    }

    fn at_least(&mut self, number: u32, set: &Set, environment: &Environment) -> Lowered<Rule> {
        if number == 0 {
            return Ok(Rule::NOTHING);
        }
        let mut rules = vec![self.choose(set, PieceSet::all(32), environment)?];
        if number > 1 {
            let next = self.geometry.next().map_err(|error| Problem::error(set.span, error.to_string()))?;
            let test = self.test(set, PieceSet::all(32), environment)?;
            let further = all([Rule::Shift(next), Rule::repeat(Rule::Shift(next)), test]);
            rules.extend((1..number).map(|_| further.clone()));
        }
        Ok(Rule::look(all(rules)))
    }
}

/// All cells of a rectangle hold one of the pieces; the pointer is on its lower left cell and goes to and fro.
fn rectangle(mask: PieceSet, columns: usize, rows: usize, [up, right, left]: [Label; 3]) -> Rule {
    let mut walk = vec![on(mask)];
    for row in 0..rows {
        if row > 0 {
            walk.extend([Rule::Shift(up), on(mask)]);
        }
        let way = if row % 2 == 0 { right } else { left };
        walk.extend((1..columns).flat_map(|_| [Rule::Shift(way), on(mask)]));
    }
    Rule::Sequence(walk)
}
