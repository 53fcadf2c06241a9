//! A condition on the columns of a position, evaluated in SQL's three-valued logic, also when some cells are unknown.
//!
//! SQL has three truth values: a comparison with NULL is neither true nor false. Where the cells of some columns are
//! not known yet, a condition may still come out in several ways: [`outcomes`](Expression::outcomes) returns the set
//! of them. A position whose condition cannot be true any more is dropped.

use super::column::Cell;

/// A condition.
#[derive(Clone, PartialEq, Debug)]
pub enum Expression {
    /// All of these hold.
    And(Vec<Expression>),
    /// One of these holds at least.
    Or(Vec<Expression>),
    /// This does not hold.
    Not(Box<Expression>),
    /// Two operands compare so.
    Compare(Comparison, Operand, Operand),
    /// The operand is NULL.
    IsNull(Operand),
    /// The condition comes out so: never NULL itself.
    Is(Box<Expression>, Truth),
    /// A column of true and false, or such a constant.
    Operand(Operand),
}

/// What is compared.
#[derive(Clone, PartialEq, Debug)]
pub enum Operand {
    /// A column, by its number in the list of the question.
    Column(usize),
    /// A constant.
    Constant(Cell),
}

/// How two operands compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<>`
    Differs,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

/// One of the three ways a condition can come out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// It holds.
    True,
    /// It does not.
    False,
    /// Neither: something is NULL.
    Null,
}

/// The ways in which a condition may come out, as far as is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcomes(u8);

impl Outcomes {
    /// Nothing is known.
    pub const ANY: Outcomes = Outcomes(7);

    const fn of(truth: Truth) -> Outcomes {
        Outcomes(1 << truth as u8)
    }

    const fn has(self, truth: Truth) -> bool {
        self.0 >> truth as u8 & 1 == 1
    }

    /// Whether it may be true.
    pub const fn may_hold(self) -> bool {
        self.has(Truth::True)
    }

    /// Whether it is true, whatever is not known yet.
    #[cfg(test)]
    pub const fn holds(self) -> bool {
        self.0 == Outcomes::of(Truth::True).0
    }

    /// All that can come of one outcome of each.
    fn combined(self, other: Outcomes, combine: impl Fn(Truth, Truth) -> Truth) -> Outcomes {
        let mut bits = 0;
        for one in TRUTHS.into_iter().filter(|truth| self.has(*truth)) {
            for two in TRUTHS.into_iter().filter(|truth| other.has(*truth)) {
                bits |= Outcomes::of(combine(one, two)).0;
            }
        }
        Outcomes(bits)
    }
}

const TRUTHS: [Truth; 3] = [Truth::True, Truth::False, Truth::Null];

fn both(one: Truth, other: Truth) -> Truth {
    match (one, other) {
        (Truth::False, _) | (_, Truth::False) => Truth::False,
        (Truth::True, Truth::True) => Truth::True,
        _ => Truth::Null,
    }
}

fn not(truth: Truth) -> Truth {
    match truth {
        Truth::True => Truth::False,
        Truth::False => Truth::True,
        Truth::Null => Truth::Null,
    }
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Truth {
        if holds { Truth::True } else { Truth::False }
    }
}

impl Expression {
    /// The ways in which it may come out, where `cells` has a cell for each column or nothing if it is not known.
    pub fn outcomes(&self, cells: &[Option<Cell>]) -> Outcomes {
        match self {
            Expression::And(parts) => {
                let mut all = Outcomes::of(Truth::True);
                for part in parts {
                    all = all.combined(part.outcomes(cells), both);
                    if all == Outcomes::of(Truth::False) {
                        break;
                    }
                }
                all
            }
            Expression::Or(parts) => {
                let mut any = Outcomes::of(Truth::False);
                for part in parts {
                    any = any.combined(part.outcomes(cells), |one, other| not(both(not(one), not(other))));
                    if any == Outcomes::of(Truth::True) {
                        break;
                    }
                }
                any
            }
            Expression::Not(part) => part.outcomes(cells).combined(Outcomes::of(Truth::True), |one, _| not(one)),
            Expression::Is(part, wanted) => {
                part.outcomes(cells).combined(Outcomes::of(Truth::True), |one, _| (one == *wanted).into())
            }
            Expression::Compare(comparison, one, other) => match (one.cell(cells), other.cell(cells)) {
                (Some(Cell::Null), _) | (_, Some(Cell::Null)) => Outcomes::of(Truth::Null),
                (Some(one), Some(other)) => Outcomes::of(comparison.holds(one, other).into()),
                _ => Outcomes::ANY,
            },
            Expression::IsNull(operand) => match operand.cell(cells) {
                Some(cell) => Outcomes::of((*cell == Cell::Null).into()),
                None => Outcomes::ANY.combined(Outcomes::of(Truth::True), |one, _| (one == Truth::True).into()),
            },
            Expression::Operand(operand) => match operand.cell(cells) {
                Some(Cell::Boolean(holds)) => Outcomes::of((*holds).into()),
                Some(_) => Outcomes::of(Truth::Null),
                None => Outcomes::ANY,
            },
        }
    }

    /// Whether it holds; all cells must be known.
    #[cfg(test)]
    pub fn holds(&self, cells: &[Option<Cell>]) -> bool {
        self.outcomes(cells).holds()
    }
}

impl Operand {
    fn cell<'a>(&'a self, cells: &'a [Option<Cell>]) -> Option<&'a Cell> {
        match self {
            Operand::Column(number) => cells.get(*number).and_then(Option::as_ref),
            Operand::Constant(cell) => Some(cell),
        }
    }
}

impl Comparison {
    /// Cells of one kind; texts compare as equal or not, whichever way they are kept.
    fn holds(self, one: &Cell, other: &Cell) -> bool {
        let order = match (one.text(), other.text()) {
            (Some(one), Some(other)) => one.cmp(other),
            _ => one.cmp(other),
        };
        match self {
            Comparison::Equal => order.is_eq(),
            Comparison::Differs => order.is_ne(),
            Comparison::Less => order.is_lt(),
            Comparison::AtMost => order.is_le(),
            Comparison::More => order.is_gt(),
            Comparison::AtLeast => order.is_ge(),
        }
    }
}
