//! The syntax tree of a text.

// The line above a variant explains its fields.
#![allow(missing_docs)]

use super::problem::Span;

/// A word of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A game as its text declares it.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// `game`: the title.
    pub title: Option<Name>,
    /// `source`, `about`, `fact`, `look`: keyword and what follows.
    pub headers: Vec<(Name, Name)>,
    /// `board`.
    pub board: Option<BoardShape>,
    /// `lines`: points in a row, each joined to the next.
    pub lines: Vec<Vec<Name>>,
    /// `sides`.
    pub sides: Vec<SideShape>,
    /// `piece`.
    pub pieces: Vec<PieceShape>,
    /// `hand`.
    pub hands: Vec<Hand>,
    /// `start`: letters and the cells where their pieces stand.
    pub start: Vec<(Name, Vec<Name>)>,
    /// `number`.
    pub numbers: Vec<NumberShape>,
    /// `area`.
    pub areas: Vec<Definition<Area>>,
    /// `test`.
    pub tests: Vec<Definition<Condition>>,
    /// `act`.
    pub acts: Vec<Definition<Block>>,
    /// `must`: turns that go before all others.
    pub must: Option<Block>,
    /// `turn`.
    pub turn: Option<Block>,
    /// `win`, `lose`, `draw`, in the order of the text.
    pub ends: Vec<End>,
    /// `stuck`.
    pub stuck: Option<(Stuck, Span)>,
    /// `endless`.
    pub endless: Option<(Ending, Span)>,
    /// `score`.
    pub score: Option<Score>,
}

/// `board 4x5, king, stacks of 3: bbbb ....`
#[derive(Clone, Debug)]
pub struct BoardShape {
    /// Columns.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
    /// What a neighbour is; without a word for it, orthogonal.
    pub neighbours: Option<(Group, Span)>,
    /// The most pieces on a cell.
    pub height: usize,
    /// The rows at the start, from the top; none if the board is empty.
    pub drawing: Vec<Name>,
    /// The size, where errors point to.
    pub span: Span,
}

/// `white w up`
#[derive(Clone, Debug)]
pub struct SideShape {
    /// What it is called.
    pub name: Name,
    /// The letters of its pieces.
    pub letters: Letters,
    /// Where forward is.
    pub forward: Option<(Compass, Span)>,
}

/// How the pieces of a side are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Letters {
    /// One kind of pieces, with this letter.
    One(char),
    /// The letter of the kind as a capital.
    Capital,
    /// The letter of the kind as it is.
    Small,
    /// `piece` names all kinds with their letters.
    Named,
}

/// `piece c chick step forward, becoming h on last row, in hand as c`
#[derive(Clone, Debug)]
pub struct PieceShape {
    /// `c`, or `m/M`: the letters of the two sides.
    pub letters: Name,
    /// What it is called.
    pub name: Name,
    /// Whose it is.
    pub owner: Owner,
    /// How `move` moves it.
    pub moves: Vec<(Gait, Ways)>,
    /// What it becomes when it moves into an area.
    pub becoming: Option<(Name, Area)>,
    /// What it is once in a hand, if not itself.
    pub in_hand_as: Option<Name>,
}

/// Whose a kind of pieces is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    /// Both sides have it.
    Both,
    /// Only one side has it.
    Side(Name),
    /// It belongs to no side.
    Neutral,
}

/// `hand black 4 c`
#[derive(Clone, Debug)]
pub struct Hand {
    /// The side; without it both.
    pub side: Option<Name>,
    /// How many.
    pub count: u32,
    /// Which kind; without it the only one.
    pub kind: Option<Name>,
    /// Where.
    pub span: Span,
}

/// `number moves 0 to 20`
#[derive(Clone, Debug)]
pub struct NumberShape {
    /// What it is called.
    pub name: Name,
    /// Its value at the start.
    pub start: u32,
    /// Its largest value.
    pub most: u32,
}

/// `act strike (n)`, `test full`, `area camp`: a name for something, with parameters that stand for values.
#[derive(Clone, Debug)]
pub struct Definition<T> {
    /// What it is called.
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<Name>,
    /// What it means.
    pub body: T,
}

/// The use of a definition.
#[derive(Clone, Debug)]
pub struct Call {
    /// What is used.
    pub name: Name,
    /// The values of its parameters.
    pub values: Vec<Value>,
}

/// The value of a parameter.
#[derive(Clone, Debug)]
pub enum Value {
    /// `3`
    Number(u32),
    /// `orthogonal`
    Ways(Ways),
    /// `enemy not in line 3`
    Set(Set),
}

/// Lines of which any one applies.
pub type Block = Vec<Line>;

/// One line of a block.
#[derive(Clone, Debug)]
pub struct Line {
    /// `white:`, the only side that it is for.
    pub side: Option<Name>,
    /// `if ...:`
    pub guard: Guard,
    /// What is done, one after the other.
    pub acts: Vec<Act>,
    /// Where.
    pub span: Span,
}

/// When a line applies.
#[derive(Clone, Debug)]
pub enum Guard {
    /// Always.
    Always,
    /// `if C:`
    If(Condition),
    /// `else if C:`, if no condition of the lines before holds.
    ElseIf(Condition),
    /// `else:`, if no condition of the lines before holds.
    Else,
}

/// An action, and where it stands.
#[derive(Clone, Debug)]
pub struct Act {
    /// What is done.
    pub what: What,
    /// Where.
    pub span: Span,
}

/// What an action does.
#[derive(Clone, Debug)]
pub enum What {
    /// `place own from hand on empty`
    Place { what: Set, from_hand: bool, on: Set },
    /// `own step forward to empty or enemy, taking it into hand`
    Move { who: Mover, how: How, to: Option<Set>, taking: Option<Goal> },
    /// `own push orthogonal into hole or off`
    Push { who: Mover, ways: Ways, into: Option<Set>, off: bool },
    /// `remove enemy not in line 3 into hand`
    Remove { set: Set, into: Goal },
    /// `take enemy flanked`, `flip at least 1 enemy flanked`
    Flank { change: Change, least: u32, set: Set, pattern: Flank, ways: Ways },
    /// `choose own`: the pointer goes to any cell of the set.
    Choose(Set),
    /// `go forward`: the pointer goes one cell.
    Go(Ways),
    /// `put own`, `put empty`: on the cell of the pointer.
    Put(Set),
    /// `flip it`
    Flip,
    /// `become h`: the piece on the cell of the pointer.
    Become(Name),
    /// `where C`: only if the condition holds.
    Where(Condition),
    /// `if C: ...`: only if the condition holds; else nothing happens.
    If(Condition, Vec<Act>),
    /// `let n be EXPRESSION`
    Let(Name, Amount),
    /// `( ... or ... )`
    Choice(Vec<Vec<Act>>),
    /// `optionally ( ... )`
    Optionally(Vec<Vec<Act>>),
    /// `repeat ( ... )`: any number of times, none too.
    Repeat(Vec<Vec<Act>>),
    /// `exhaust ( ... )`: as often as it is possible.
    Exhaust(Vec<Vec<Act>>),
    /// `again`: the same side has the next turn.
    Again,
    /// `win`, `lose`, `draw`: the game ends.
    End(Ending),
    /// `nothing`
    Nothing,
    /// A definition.
    Call(Call),
}

/// What moves.
#[derive(Clone, Debug)]
pub enum Mover {
    /// The piece on the cell of the pointer.
    It,
    /// Any piece of the set.
    Any(Set),
}

/// How a piece moves.
#[derive(Clone, Debug)]
pub enum How {
    /// One cell, or over empty cells.
    Along(Gait, Ways),
    /// Over one cell of the set to the next.
    Jump(Ways, Set),
    /// To any cell.
    Fly,
    /// As its kind does.
    Own,
}

/// One cell at a time, or any number of empty ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gait {
    /// One cell.
    Step,
    /// Any number of cells; all but the last are empty.
    Slide,
}

/// Where a piece goes that is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Out of the game.
    Off,
    /// Goal the hand of the side that takes it.
    Hand,
}

/// What happens to flanked pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// They leave the board.
    Take,
    /// They change sides.
    Flip,
}

/// Which pieces a move flanks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flank {
    /// `flanked`: those in a row between the piece and another one of its side.
    Flanked,
    /// `flanking`: two on opposite sides of the piece, next to it.
    Flanking,
}

/// Cells: a union of terms.
#[derive(Clone, Debug)]
pub struct Set {
    /// The terms.
    pub terms: Vec<Term>,
    /// Where.
    pub span: Span,
}

/// Cells by what stands on them, and qualified.
#[derive(Clone, Debug)]
pub struct Term {
    /// What stands on them.
    pub head: Head,
    /// What else holds of them.
    pub qualifiers: Vec<Qualifier>,
    /// Where.
    pub span: Span,
}

/// What stands on a cell.
#[derive(Clone, Debug)]
pub enum Head {
    /// `any`: whatever it is.
    Any,
    /// `empty`
    Empty,
    /// `piece`, `own`, `enemy`, `own l`, `l`.
    Piece(Whose, Option<Name>),
    /// A parameter.
    Parameter(Name),
    /// `( ... )`
    Group(Box<Set>),
}

/// Whose a piece is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// The side's whose turn it is, or was.
    Own,
    /// The other side's.
    Enemy,
    /// Anyone's.
    Any,
}

/// A property of a cell.
#[derive(Clone, Debug)]
pub struct Qualifier {
    /// `not`
    pub not: bool,
    /// The property.
    pub what: Property,
    /// Where.
    pub span: Span,
}

/// A property of a cell.
#[derive(Clone, Debug)]
pub enum Property {
    /// `on last row`
    On(Area),
    /// `in line 3`: of cells with what the term names.
    InLine(Number, Ways),
    /// `in square 2x2`
    InSquare(usize, usize),
    /// `next to SET`
    NextTo(Set),
    /// `attacked`: a piece of the other side could move there.
    Attacked,
    /// `enclosed`: the group of the cell has no empty neighbour.
    Enclosed,
}

/// A union of parts of the board.
pub type Area = Vec<Part>;

/// A part of the board.
#[derive(Clone, Debug)]
pub enum Part {
    /// A cell, or a named area.
    Named(Name),
    /// The row from which the side cannot go forward.
    LastRow(Span),
    /// The row from which the side cannot go backward.
    FirstRow(Span),
    /// `row 3`, counted from the bottom.
    Row(usize, Span),
    /// `column b`
    Column(usize, Span),
    /// The four corners.
    Corner,
    /// The cells at the rim.
    Edge,
    /// The cells that are not at the rim.
    Inside,
}

/// A number: a literal or a parameter.
#[derive(Clone, Debug)]
pub enum Number {
    /// `3`
    Literal(u32),
    /// A parameter.
    Parameter(Name),
}

/// A condition of a position, and of the cell of the pointer.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What must hold.
    pub what: Test,
    /// Where.
    pub span: Span,
}

/// What must hold.
#[derive(Clone, Debug)]
pub enum Test {
    /// All of them: `A and B`.
    All(Vec<Condition>),
    /// One of them: `(A or B)`.
    Either(Vec<Condition>),
    /// `not A`
    Not(Box<Condition>),
    /// `own on last row`, `at least 3 enemy on row 1`
    Cells(Quantity, Set),
    /// `own line 4`
    Line(Set, Number, Ways),
    /// `own square 2x2`
    Square(Set, usize, usize),
    /// `own joins first row to last row`
    Joins(Set, Area, Area),
    /// `fewer than 3 enemy in hand`, `... left`: in hand, or in hand and on the board.
    Held { quantity: Quantity, set: Set, and_board: bool },
    /// `enemy cannot move`
    CanMove { whose: Whose, able: bool },
    /// `can ( acts )`
    Can(Vec<Vec<Act>>),
    /// `it is enemy`, `it is in line 3`
    It(Set),
    /// `moves at least 3`: a declared number.
    Number(Name, Quantity),
    /// A definition.
    Call(Call),
}

/// How many.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// The comparison.
    pub compare: Compare,
    /// With what.
    pub number: Number,
}

/// How two numbers compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    /// `at least`
    AtLeast,
    /// `at most`
    AtMost,
    /// `exactly`
    Exactly,
    /// `fewer than`
    Fewer,
    /// `more than`
    More,
}

/// A sum of numbers: `moves plus 1 minus 2`.
#[derive(Clone, Debug)]
pub struct Amount {
    /// The terms; true if subtracted.
    pub terms: Vec<(bool, Summand)>,
}

/// A term of an amount.
#[derive(Clone, Debug)]
pub enum Summand {
    /// A literal.
    Literal(u32),
    /// A declared number or a parameter.
    Named(Name),
}

/// Directions, seen by the side that moves; a choice of them.
#[derive(Clone, Debug)]
pub struct Ways {
    /// The directions; none stands for the neighbours of the board.
    pub ways: Vec<Way>,
    /// Where.
    pub span: Span,
}

/// A direction or a group of them.
#[derive(Clone, Debug)]
pub enum Way {
    /// `up`, `down-left`: the same for both sides.
    Absolute(Compass),
    /// `forward`, `backward-left`: turned to where the side looks.
    Relative(Compass),
    /// `orthogonal`, `diagonal`, `king`, `knight`.
    Group(Group),
    /// A parameter.
    Parameter(Name),
}

/// A group of directions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Along rows and columns.
    Orthogonal,
    /// Along diagonals.
    Diagonal,
    /// Both.
    King,
    /// Two cells one way and one aside.
    Knight,
    /// The six neighbours of a board of hexagons: orthogonal, up-left and down-right.
    Hex,
}

/// One of eight directions as a step over columns and rows; rows count upwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Compass {
    /// Columns to the right.
    pub right: i8,
    /// Rows up.
    pub up: i8,
}

/// `win white: own line 3`
#[derive(Clone, Debug)]
pub struct End {
    /// For the side that has just moved.
    pub result: Ending,
    /// Only after a turn of this side.
    pub side: Option<Name>,
    /// When.
    pub when: Condition,
}

/// How a game ends, seen by the side that has just moved or, in `stuck`, by the side that cannot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// That side wins.
    Win,
    /// That side loses.
    Lose,
    /// No side wins.
    Draw,
    /// This side wins.
    Wins(Name),
}

/// What a side does that has no turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stuck {
    /// The game ends.
    Ends(Ending),
    /// The game ends and the score decides.
    Score,
    /// The other side goes on; if it has no turn either, the score decides.
    Pass,
}

/// `score own, empty to the winner`
#[derive(Clone, Debug)]
pub struct Score {
    /// What each side counts.
    pub set: Set,
    /// Whether the winner counts the empty cells too.
    pub empty_to_winner: bool,
    /// Where.
    pub span: Span,
}
