//! From the text of a question to its condition and columns. The parser is that of `sqlparser`; what follows here is
//! which of SQL's expressions mean something for positions, and where in the text they stand.

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, ObjectNamePart, Spanned,
    UnaryOperator, Value as Literal,
};
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use super::column::{Cell, Column, Kind, Schema};
use super::expression::{Comparison, Expression, Operand, Truth};
use kanzen_core::machine::with_stack;
use kanzen_core::vocabulary::Error;

/// The longest question, in bytes. It bounds what a hostile one can cost.
const LONGEST: usize = 4096;
/// Parentheses within parentheses.
const DEEPEST: usize = 40;
/// With more words and blanks than these the parser gets a stack of its own: it recurses in many ways, its frames are
/// large, and nobody knows how much the caller's thread has left.
const SHALLOW: usize = 16;
/// Room for the deepest question, however the parser was compiled.
const STACK: usize = 32 << 20;

/// Reads a condition. The columns it names are added to `columns`.
pub fn condition(text: &str, schema: &Schema, columns: &mut Vec<Column>) -> Result<Expression, Error> {
    let reader = Reader { text, schema };
    let parsed = reader.parse(|parser| parser.parse_expr())?;
    reader.condition(&parsed, columns)
}

/// Reads a list of columns, separated by commas.
pub fn column_list(text: &str, schema: &Schema) -> Result<Vec<Column>, Error> {
    let reader = Reader { text, schema };
    let parsed = reader.parse(|parser| parser.parse_comma_separated(|parser| parser.parse_expr()))?;
    parsed.iter().map(|expr| reader.column(expr)).collect()
}

struct Reader<'a> {
    text: &'a str,
    schema: &'a Schema,
}

impl Reader<'_> {
    fn wrong(&self, at: Location, reason: impl Into<String>) -> Error {
        Error::BadQuestion { text: self.text.to_owned(), at: self.character(at), reason: reason.into() }
    }

    /// The character of a place, from 1. The parser counts lines and columns.
    fn character(&self, at: Location) -> usize {
        let lines = self.text.split_inclusive('\n').take((at.line as usize).saturating_sub(1));
        lines.map(|line| line.chars().count()).sum::<usize>() + (at.column as usize).max(1)
    }

    fn parse<T: Send>(&self, read: impl FnOnce(&mut Parser<'_>) -> Result<T, ParserError> + Send) -> Result<T, Error> {
        let start = Location::new(1, 1);
        if self.text.len() > LONGEST {
            let reason = format!("{} bytes are too long for a question (at most {LONGEST})", self.text.len());
            return Err(Error::BadRequest(reason));
        }
        if self.text.trim().is_empty() {
            return Err(self.wrong(start, "there is nothing to look for"));
        }
        let dialect = GenericDialect {};
        let tokens = Tokenizer::new(&dialect, self.text).tokenize_with_location();
        let tokens = tokens.map_err(|wrong| match wrong.message.contains("Unterminated") {
            true => self.wrong(wrong.location, "a quote is not closed"),
            false => self.wrong(wrong.location, wrong.message.clone()),
        })?;
        let mut depth = 0usize;
        for token in &tokens {
            match token.token {
                Token::LParen => depth += 1,
                Token::RParen => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > DEEPEST {
                return Err(self.wrong(token.span.start, "too many parentheses within each other"));
            }
        }
        if tokens.len() <= SHALLOW {
            return self.parse_tokens(tokens, read);
        }
        with_stack(STACK, || self.parse_tokens(tokens, read))?
    }

    fn parse_tokens<T>(
        &self,
        tokens: Vec<TokenWithSpan>,
        read: impl FnOnce(&mut Parser<'_>) -> Result<T, ParserError>,
    ) -> Result<T, Error> {
        let dialect = GenericDialect {};
        let mut parser = Parser::new(&dialect).with_recursion_limit(2 * DEEPEST).with_tokens_with_locations(tokens);
        let parsed = read(&mut parser).map_err(|wrong| {
            let at = parser.peek_token_ref().span.start;
            match wrong {
                ParserError::RecursionLimitExceeded => self.wrong(at, "too deeply nested"),
                ParserError::ParserError(reason) | ParserError::TokenizerError(reason) => {
                    self.wrong(at, lowered(without_place(&reason)))
                }
            }
        })?;
        let next = parser.peek_token();
        if next.token != Token::EOF {
            return Err(self.wrong(next.span.start, format!("{} is not expected", next.token)));
        }
        Ok(parsed)
    }

    fn condition(&self, expr: &Expr, columns: &mut Vec<Column>) -> Result<Expression, Error> {
        Ok(match expr {
            Expr::Nested(inner) => self.condition(inner, columns)?,
            Expr::BinaryOp { op: op @ (BinaryOperator::And | BinaryOperator::Or), .. } => {
                let mut parts = Vec::new();
                for part in chain(expr, op) {
                    parts.push(self.condition(part, columns)?);
                }
                if *op == BinaryOperator::And { Expression::And(parts) } else { Expression::Or(parts) }
            }
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => not(self.condition(expr, columns)?),
            Expr::BinaryOp { left, op, right } => {
                let comparison = comparison(op).ok_or_else(|| {
                    self.wrong(self.place(right), format!("{op} is not understood (AND, OR, =, <>, <, <=, >, >= are)"))
                })?;
                self.compared(comparison, left, right, columns)?
            }
            Expr::Between { expr, negated, low, high } => {
                let low = self.compared(Comparison::AtLeast, expr, low, columns)?;
                let high = self.compared(Comparison::AtMost, expr, high, columns)?;
                turned(*negated, Expression::And(vec![low, high]))
            }
            Expr::InList { expr, list, negated } => {
                let mut any = Vec::new();
                for item in list {
                    any.push(self.compared(Comparison::Equal, expr, item, columns)?);
                }
                turned(*negated, Expression::Or(any))
            }
            Expr::IsNull(inner) => Expression::IsNull(self.operand(inner, columns)?.0),
            Expr::IsNotNull(inner) => not(Expression::IsNull(self.operand(inner, columns)?.0)),
            Expr::IsTrue(inner) => is(self.condition(inner, columns)?, Truth::True),
            Expr::IsNotTrue(inner) => not(is(self.condition(inner, columns)?, Truth::True)),
            Expr::IsFalse(inner) => is(self.condition(inner, columns)?, Truth::False),
            Expr::IsNotFalse(inner) => not(is(self.condition(inner, columns)?, Truth::False)),
            Expr::IsUnknown(inner) => is(self.condition(inner, columns)?, Truth::Null),
            Expr::IsNotUnknown(inner) => not(is(self.condition(inner, columns)?, Truth::Null)),
            _ => {
                let (operand, kind) = self.operand(expr, columns)?;
                if let Some(kind) = kind.filter(|kind| *kind != Kind::Boolean) {
                    return Err(self.wrong(self.place(expr), format!("this is {kind}, not a condition")));
                }
                Expression::Operand(operand)
            }
        })
    }

    fn compared(
        &self,
        comparison: Comparison,
        left: &Expr,
        right: &Expr,
        columns: &mut Vec<Column>,
    ) -> Result<Expression, Error> {
        let (one, one_kind) = self.operand(left, columns)?;
        let (other, other_kind) = self.operand(right, columns)?;
        if let (Some(one), Some(other)) = (one_kind, other_kind)
            && one != other
        {
            return Err(self.wrong(self.place(right), format!("{one} is compared with {other}")));
        }
        let ordered = !matches!(comparison, Comparison::Equal | Comparison::Differs);
        if let Some(kind) = one_kind.or(other_kind).filter(|kind| ordered && *kind != Kind::Integer) {
            return Err(self.wrong(self.place(left), format!("{kind} is neither more nor less than another")));
        }
        for ((one, expr), other) in [((&one, right), &other), ((&other, left), &one)] {
            self.check_value(one, other, self.place(expr), columns)?;
        }
        Ok(Expression::Compare(comparison, one, other))
    }

    /// A value is one of three words: another would be a slip that finds nothing.
    fn check_value(&self, one: &Operand, other: &Operand, at: Location, columns: &[Column]) -> Result<(), Error> {
        let (Operand::Column(column), Operand::Constant(cell)) = (one, other) else { return Ok(()) };
        match cell.text() {
            Some(text) if columns[*column] == Column::Value && !["win", "loss", "draw"].contains(&text) => {
                Err(self.wrong(at, format!("a value is 'win', 'loss' or 'draw', never '{text}'")))
            }
            _ => Ok(()),
        }
    }

    /// A column or a constant, and its kind; NULL has none.
    fn operand(&self, expr: &Expr, columns: &mut Vec<Column>) -> Result<(Operand, Option<Kind>), Error> {
        let constant = |cell, kind| Ok((Operand::Constant(cell), kind));
        match expr {
            Expr::Nested(inner) => self.operand(inner, columns),
            Expr::Value(value) => match &value.value {
                Literal::Number(digits, _) => constant(self.integer(digits, "", expr)?, Some(Kind::Integer)),
                Literal::SingleQuotedString(text) => constant(Cell::Text(text.clone()), Some(Kind::Text)),
                Literal::Boolean(holds) => constant(Cell::Boolean(*holds), Some(Kind::Boolean)),
                Literal::Null => constant(Cell::Null, None),
                other => Err(self.wrong(value.span.start, format!("{other} is no number and no text"))),
            },
            Expr::UnaryOp { op: op @ (UnaryOperator::Minus | UnaryOperator::Plus), expr: inner } => match &**inner {
                Expr::Value(value) => match &value.value {
                    Literal::Number(digits, _) => {
                        let sign = if *op == UnaryOperator::Minus { "-" } else { "" };
                        constant(self.integer(digits, sign, inner)?, Some(Kind::Integer))
                    }
                    _ => Err(self.wrong(value.span.start, "a sign stands before a number only")),
                },
                _ => Err(self.wrong(self.place(inner), "a sign stands before a number only")),
            },
            _ => {
                let column = self.column(expr)?;
                if column == Column::Position {
                    let reason = "a position can be shown, not searched for: probe tells of a given one";
                    return Err(self.wrong(self.place(expr), reason));
                }
                let kind = column.kind();
                let known = columns.iter().position(|other| *other == column);
                let number = known.unwrap_or_else(|| {
                    columns.push(column);
                    columns.len() - 1
                });
                Ok((Operand::Column(number), Some(kind)))
            }
        }
    }

    fn integer(&self, digits: &str, sign: &str, expr: &Expr) -> Result<Cell, Error> {
        let number = format!("{sign}{digits}").parse().ok().map(Cell::Integer);
        number.ok_or_else(|| self.wrong(self.place(expr), format!("{digits} is not a whole number")))
    }

    fn column(&self, expr: &Expr) -> Result<Column, Error> {
        match expr {
            Expr::Nested(inner) => self.column(inner),
            Expr::Identifier(name)
                if name.quote_style == Some('"') && self.schema.column(&name.value, None).is_err() =>
            {
                Err(self.wrong(name.span.start, format!("there is no column {name} (texts have single quotes)")))
            }
            Expr::Identifier(name) => {
                self.schema.column(&name.value, None).map_err(|reason| self.wrong(name.span.start, reason))
            }
            Expr::Function(function) => self.counted(function),
            _ => Err(self.wrong(self.place(expr), "expected a column, a number or a text")),
        }
    }

    /// Moves of a kind: `wins('hole')`.
    fn counted(&self, function: &Function) -> Result<Column, Error> {
        let at = function.name.span().start;
        let [ObjectNamePart::Identifier(name)] = &function.name.0[..] else {
            return Err(self.wrong(at, "expected a column, a number or a text"));
        };
        let expected = || self.wrong(at, format!("{name} takes the name of a kind of moves: {name}('takes')"));
        let FunctionArguments::List(list) = &function.args else { return Err(expected()) };
        let plain = function.over.is_none() && function.filter.is_none() && list.clauses.is_empty();
        match &list.args[..] {
            [FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(value)))] if plain => match &value.value {
                Literal::SingleQuotedString(tag) => {
                    self.schema.column(&name.value, Some(tag)).map_err(|reason| self.wrong(at, reason))
                }
                _ => Err(expected()),
            },
            _ => Err(expected()),
        }
    }

    fn place(&self, expr: &Expr) -> Location {
        expr.span().start
    }
}

/// The parts of `a AND b AND c`, without going down as deep as there are parts.
fn chain<'e>(expr: &'e Expr, op: &BinaryOperator) -> Vec<&'e Expr> {
    let (mut parts, mut rest) = (Vec::new(), expr);
    while let Expr::BinaryOp { left, op: other, right } = rest
        && other == op
    {
        parts.push(&**right);
        rest = left;
    }
    parts.push(rest);
    parts.reverse();
    parts
}

fn comparison(op: &BinaryOperator) -> Option<Comparison> {
    Some(match op {
        BinaryOperator::Eq => Comparison::Equal,
        BinaryOperator::NotEq => Comparison::Differs,
        BinaryOperator::Lt => Comparison::Less,
        BinaryOperator::LtEq => Comparison::AtMost,
        BinaryOperator::Gt => Comparison::More,
        BinaryOperator::GtEq => Comparison::AtLeast,
        _ => return None,
    })
}

fn not(expression: Expression) -> Expression {
    Expression::Not(Box::new(expression))
}

fn turned(negated: bool, expression: Expression) -> Expression {
    if negated { not(expression) } else { expression }
}

fn is(expression: Expression, truth: Truth) -> Expression {
    Expression::Is(Box::new(expression), truth)
}

/// The parser ends its sentences with a line and a column, which we tell in our own way.
fn without_place(reason: &str) -> &str {
    reason.split(" at Line:").next().unwrap_or(reason)
}

fn lowered(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}
