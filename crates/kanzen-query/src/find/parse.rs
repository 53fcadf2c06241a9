//! Reads conditions such as `value = 'win' AND distance > 20`, and lists of columns.
//!
//! The language is the part of SQL's WHERE clause that means something for positions. Operators that bind more tightly
//! stand further down:
//!
//! ```text
//! either     both (OR both)*
//! both       negated (AND negated)*
//! negated    NOT negated | tested
//! tested     compared (IS [NOT] (NULL | TRUE | FALSE | UNKNOWN))*
//! compared   operand [ (= <> != < <= > >=) operand | [NOT] BETWEEN operand AND operand | [NOT] IN (operand, ...) ]
//! operand    ( either ) | [+-] number | 'text' | NULL | TRUE | FALSE | column | column('kind of moves')
//! ```
//!
//! Each rule is a function that decides by the next token and never goes back, so that the work is linear in the text.
//! The length of the text and the depth of its parentheses are bounded.

use super::column::{Cell, Column, Kind, Schema};
use super::expression::{Comparison, Expression, Operand, Truth};
use super::token::{Token, Tokens};
use kanzen_core::vocabulary::Error;

/// The longest condition, in bytes. It bounds the cost of a hostile one, for each position as well.
const LONGEST: usize = 4096;
/// Parentheses and NOTs within each other.
const DEEPEST: usize = 64;
/// Words that are no columns unless they are quoted.
const RESERVED: [&str; 9] = ["AND", "OR", "NOT", "IN", "BETWEEN", "IS", "NULL", "TRUE", "FALSE"];
const COMPARISONS: [(&str, Comparison); 8] = [
    ("=", Comparison::Equal),
    ("==", Comparison::Equal),
    ("<>", Comparison::Differs),
    ("!=", Comparison::Differs),
    ("<", Comparison::Less),
    ("<=", Comparison::AtMost),
    (">", Comparison::More),
    (">=", Comparison::AtLeast),
];
const NO_OPERAND: &str = "expected a column, a number or a text";

/// Reads a condition. The columns it names are added to `columns`.
pub fn condition(text: &str, schema: &Schema, columns: &mut Vec<Column>) -> Result<Expression, Error> {
    let mut parser = Parser::new("condition", text, schema, columns)?;
    let term = parser.either()?;
    parser.end()?;
    parser.truth(term)
}

/// Reads a list of columns, separated by commas.
pub fn column_list(text: &str, schema: &Schema) -> Result<Vec<Column>, Error> {
    let mut none = Vec::new();
    let mut parser = Parser::new("list", text, schema, &mut none)?;
    let mut list = vec![parser.listed()?];
    while parser.symbol(",")? {
        list.push(parser.listed()?);
    }
    parser.end()?;
    Ok(list)
}

struct Parser<'a> {
    /// What is read, for messages.
    what: &'static str,
    text: &'a str,
    schema: &'a Schema,
    columns: &'a mut Vec<Column>,
    tokens: Tokens<'a>,
    depth: usize,
}

/// A part of a condition: itself one, or what a condition compares. Parentheses may stand around either.
struct Term {
    /// Where it begins, in bytes.
    at: usize,
    meaning: Meaning,
}

enum Meaning {
    Condition(Expression),
    /// NULL has no kind.
    Operand(Operand, Option<Kind>),
}

impl<'a> Parser<'a> {
    fn new(
        what: &'static str,
        text: &'a str,
        schema: &'a Schema,
        columns: &'a mut Vec<Column>,
    ) -> Result<Parser<'a>, Error> {
        if text.len() > LONGEST {
            let reason = format!("{} bytes are too long for a question (at most {LONGEST})", text.len());
            return Err(Error::BadRequest(reason));
        }
        let mut parser = Parser { what, text, schema, columns, tokens: Tokens::new(text), depth: 0 };
        parser.advance()?;
        if parser.tokens.current == Token::End {
            return Err(parser.wrong(0, "there is nothing to look for"));
        }
        Ok(parser)
    }

    fn wrong(&self, at: usize, reason: impl Into<String>) -> Error {
        let character = self.text[..at].chars().count() + 1;
        Error::BadQuestion { text: self.text.to_owned(), at: character, reason: reason.into() }
    }

    fn advance(&mut self) -> Result<(), Error> {
        self.tokens.advance().map_err(|(at, reason)| self.wrong(at, reason))
    }

    /// The error of something else than `wanted` at the current token.
    fn missing(&self, wanted: &str) -> Error {
        let at = self.tokens.start;
        match self.tokens.current {
            Token::End => {
                let stop = format!("the {} stops after `{}`: {wanted} is missing", self.what, self.tokens.last());
                self.wrong(self.text.len(), stop)
            }
            _ => self.wrong(at, format!("expected {wanted}, not `{}`", self.tokens.text())),
        }
    }

    fn end(&self) -> Result<(), Error> {
        let found = self.tokens.text();
        match &self.tokens.current {
            Token::End => Ok(()),
            Token::Symbol("+" | "-" | "*" | "/" | "%") => {
                let known = "AND, OR, =, <>, <, <=, >, >= are";
                Err(self.wrong(self.tokens.start, format!("{found} is not understood ({known})")))
            }
            _ => Err(self.wrong(self.tokens.start, format!("{found} is not expected"))),
        }
    }

    fn is(&self, word: &str) -> bool {
        matches!(self.tokens.current, Token::Word(found) if found.eq_ignore_ascii_case(word))
    }

    /// Goes past a word, if it is the current token.
    fn word(&mut self, word: &str) -> Result<bool, Error> {
        let is = self.is(word);
        if is {
            self.advance()?;
        }
        Ok(is)
    }

    /// Goes past a symbol, if it is the current token.
    fn symbol(&mut self, symbol: &str) -> Result<bool, Error> {
        let is = self.tokens.current == Token::Symbol(symbol);
        if is {
            self.advance()?;
        }
        Ok(is)
    }

    /// Reads something a level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.depth == DEEPEST {
            return Err(self.wrong(self.tokens.start, format!("too deeply nested (at most {DEEPEST} levels)")));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn either(&mut self) -> Result<Term, Error> {
        self.joined("OR", Self::both, Expression::Or)
    }

    fn both(&mut self) -> Result<Term, Error> {
        self.joined("AND", Self::negated, Expression::And)
    }

    /// One part, or several with a word between them.
    fn joined(
        &mut self,
        word: &str,
        part: fn(&mut Self) -> Result<Term, Error>,
        join: fn(Vec<Expression>) -> Expression,
    ) -> Result<Term, Error> {
        let first = part(self)?;
        if !self.is(word) {
            return Ok(first);
        }
        let at = first.at;
        let mut parts = vec![self.truth(first)?];
        while self.word(word)? {
            let next = part(self)?;
            parts.push(self.truth(next)?);
        }
        Ok(Term { at, meaning: Meaning::Condition(join(parts)) })
    }

    fn negated(&mut self) -> Result<Term, Error> {
        let at = self.tokens.start;
        if !self.word("NOT")? {
            return self.tested();
        }
        let part = self.deeper(Self::negated)?;
        Ok(Term { at, meaning: Meaning::Condition(not(self.truth(part)?)) })
    }

    fn tested(&mut self) -> Result<Term, Error> {
        let mut term = self.compared()?;
        let at = term.at;
        while self.word("IS")? {
            let negated = self.word("NOT")?;
            let tested = if self.word("NULL")? {
                Expression::IsNull(self.operand(term)?.0)
            } else if self.word("TRUE")? {
                Expression::Is(Box::new(self.truth(term)?), Truth::True)
            } else if self.word("FALSE")? {
                Expression::Is(Box::new(self.truth(term)?), Truth::False)
            } else if self.word("UNKNOWN")? {
                Expression::Is(Box::new(self.truth(term)?), Truth::Null)
            } else {
                return Err(self.missing("NULL, TRUE, FALSE or UNKNOWN"));
            };
            term = Term { at, meaning: Meaning::Condition(turned(negated, tested)) };
        }
        Ok(term)
    }

    fn compared(&mut self) -> Result<Term, Error> {
        let left = self.value("a condition")?;
        let at = left.at;
        let comparison = COMPARISONS.iter().find(|(symbol, _)| self.tokens.current == Token::Symbol(symbol));
        let expression = if let Some(&(_, comparison)) = comparison {
            self.advance()?;
            let right = self.value("a value")?;
            let left = (at, self.operand(left)?);
            self.compare(comparison, &left, right)?
        } else if self.is("NOT") || self.is("BETWEEN") || self.is("IN") {
            let negated = self.word("NOT")?;
            let left = (at, self.operand(left)?);
            if self.word("BETWEEN")? {
                let low = self.value("a value")?;
                let low = self.compare(Comparison::AtLeast, &left, low)?;
                if !self.word("AND")? {
                    return Err(self.missing("AND"));
                }
                let high = self.value("a value")?;
                let high = self.compare(Comparison::AtMost, &left, high)?;
                turned(negated, Expression::And(vec![low, high]))
            } else if self.word("IN")? {
                if !self.symbol("(")? {
                    return Err(self.missing("a list in parentheses"));
                }
                let mut any = Vec::new();
                loop {
                    let item = self.value("a value")?;
                    any.push(self.compare(Comparison::Equal, &left, item)?);
                    if !self.symbol(",")? {
                        break;
                    }
                }
                self.close()?;
                turned(negated, Expression::Or(any))
            } else {
                return Err(self.missing("BETWEEN or IN"));
            }
        } else {
            return Ok(left);
        };
        Ok(Term { at, meaning: Meaning::Condition(expression) })
    }

    fn close(&mut self) -> Result<(), Error> {
        match self.symbol(")")? {
            true => Ok(()),
            false => Err(self.missing("`)`")),
        }
    }

    /// A column, a constant, or anything in parentheses.
    fn value(&mut self, wanted: &str) -> Result<Term, Error> {
        let at = self.tokens.start;
        let constant = |cell, kind| Term { at, meaning: Meaning::Operand(Operand::Constant(cell), kind) };
        let term = match &self.tokens.current {
            Token::Symbol("(") => {
                self.advance()?;
                let inner = self.deeper(Self::either)?;
                self.close()?;
                return Ok(inner);
            }
            Token::Symbol(sign @ ("+" | "-")) => {
                let sign = if *sign == "-" { "-" } else { "" };
                self.advance()?;
                match self.tokens.current {
                    Token::Number(digits) => constant(self.integer(sign, digits)?, Some(Kind::Integer)),
                    Token::End => return Err(self.missing("a number")),
                    _ => return Err(self.wrong(self.tokens.start, "a sign stands before a number only")),
                }
            }
            Token::Number(digits) => constant(self.integer("", digits)?, Some(Kind::Integer)),
            Token::Text(text) => constant(Cell::Text(text.clone()), Some(Kind::Text)),
            Token::Word(_) if self.is("NULL") => constant(Cell::Null, None),
            Token::Word(_) if self.is("TRUE") => constant(Cell::Boolean(true), Some(Kind::Boolean)),
            Token::Word(_) if self.is("FALSE") => constant(Cell::Boolean(false), Some(Kind::Boolean)),
            Token::Word(word) if RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(word)) => {
                return Err(self.missing(wanted));
            }
            Token::Word(_) | Token::Quoted(_) => {
                let column = self.column()?;
                if column == Column::Position {
                    let reason = "a position can be shown, not searched for: `probe` looks up a given one";
                    return Err(self.wrong(at, reason));
                }
                let kind = column.kind();
                let known = self.columns.iter().position(|other| *other == column);
                let number = known.unwrap_or_else(|| {
                    self.columns.push(column);
                    self.columns.len() - 1
                });
                return Ok(Term { at, meaning: Meaning::Operand(Operand::Column(number), Some(kind)) });
            }
            Token::Symbol(_) | Token::End => return Err(self.missing(wanted)),
        };
        self.advance()?;
        Ok(term)
    }

    fn integer(&self, sign: &str, digits: &str) -> Result<Cell, Error> {
        let number = format!("{sign}{digits}").parse().ok().map(Cell::Integer);
        number.ok_or_else(|| self.wrong(self.tokens.start, format!("{digits} is not a whole number")))
    }

    /// A column of a list.
    fn listed(&mut self) -> Result<Column, Error> {
        match self.tokens.current {
            Token::Word(_) | Token::Quoted(_) => self.column(),
            Token::End => Err(self.missing("a column")),
            _ => Err(self.wrong(self.tokens.start, NO_OPERAND)),
        }
    }

    /// The column of the current word, which may count moves of a kind: `wins('hole')`.
    fn column(&mut self) -> Result<Column, Error> {
        let at = self.tokens.start;
        let (name, is_quoted) = match &self.tokens.current {
            Token::Quoted(name) => (name.clone(), true),
            _ => (self.tokens.text().to_owned(), false),
        };
        self.advance()?;
        if is_quoted || !self.symbol("(")? {
            let column = self.schema.column(&name, None);
            return column.map_err(|reason| match is_quoted {
                true => self.wrong(at, format!("there is no column \"{name}\" (texts have single quotes)")),
                false => self.wrong(at, reason),
            });
        }
        let Token::Text(tag) = &self.tokens.current else {
            let reason = format!("{name} takes the name of a kind of moves: {name}('takes')");
            return Err(self.wrong(at, reason));
        };
        let column = self.schema.column(&name, Some(tag)).map_err(|reason| self.wrong(at, reason))?;
        self.advance()?;
        self.close()?;
        Ok(column)
    }

    fn compare(
        &self,
        comparison: Comparison,
        (left_at, (left, left_kind)): &(usize, (Operand, Option<Kind>)),
        right: Term,
    ) -> Result<Expression, Error> {
        let right_at = right.at;
        let (right, right_kind) = self.operand(right)?;
        if let (Some(one), Some(other)) = (*left_kind, right_kind)
            && one != other
        {
            return Err(self.wrong(right_at, format!("{one} is compared with {other}")));
        }
        let ordered = !matches!(comparison, Comparison::Equal | Comparison::Differs);
        if let Some(kind) = left_kind.or(right_kind).filter(|kind| ordered && *kind != Kind::Integer) {
            return Err(self.wrong(*left_at, format!("{kind} is neither more nor less than another")));
        }
        self.check_value(left, &right, right_at)?;
        self.check_value(&right, left, *left_at)?;
        Ok(Expression::Compare(comparison, left.clone(), right))
    }

    /// A value is one of three words: another would be a slip that finds nothing.
    fn check_value(&self, one: &Operand, other: &Operand, at: usize) -> Result<(), Error> {
        let (Operand::Column(column), Operand::Constant(cell)) = (one, other) else { return Ok(()) };
        match cell.text() {
            Some(text) if self.columns[*column] == Column::Value && !["win", "loss", "draw"].contains(&text) => {
                Err(self.wrong(at, format!("a value is 'win', 'loss' or 'draw', never '{text}'")))
            }
            _ => Ok(()),
        }
    }

    /// The term as what a comparison takes.
    fn operand(&self, term: Term) -> Result<(Operand, Option<Kind>), Error> {
        match term.meaning {
            Meaning::Operand(operand, kind) => Ok((operand, kind)),
            Meaning::Condition(_) => Err(self.wrong(term.at, NO_OPERAND)),
        }
    }

    /// The term as a condition.
    fn truth(&self, term: Term) -> Result<Expression, Error> {
        match term.meaning {
            Meaning::Condition(expression) => Ok(expression),
            Meaning::Operand(_, Some(kind @ (Kind::Integer | Kind::Text))) => {
                Err(self.wrong(term.at, format!("this is {kind}, not a condition")))
            }
            Meaning::Operand(operand, _) => Ok(Expression::Operand(operand)),
        }
    }
}

fn not(expression: Expression) -> Expression {
    Expression::Not(Box::new(expression))
}

fn turned(negated: bool, expression: Expression) -> Expression {
    if negated { not(expression) } else { expression }
}
