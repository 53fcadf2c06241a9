//! Reads the rules of a game.
//!
//! ```text
//! sum     = chain { "+" chain }
//! chain   = { element [ "*" | "^" number ] }
//! element = direction | "(" sum ")" | "{" pieces "}" | "[" piece "]" | "{?" sum "}" | "{!" sum "}"
//!         | "{$" value compare value "}" | "[$" name "=" value { "," name "=" value } "]" | "->" player | "->>"
//! value   = term { ("+" | "-") term }          term = factor { ("*" | "/") factor }
//! ```

use super::tokens::Tokens;
use super::{Names, Result, Wrong};
use crate::core::{Comparison, Expression, MAX_DEPTH, MAX_PARTS, PieceSet, Player, Rule};

/// Brackets within brackets; each becomes at most three levels of the core.
const MAX_NESTING: usize = MAX_DEPTH / 3 - 1;

/// Reads all of it.
pub(super) fn read(tokens: &mut Tokens, names: &Names) -> Result<Rule> {
    let mut reader = Reader { tokens, names, depth: 0 };
    let (rule, _) = reader.sum()?;
    match reader.tokens.peek() {
        Some(_) => Err(reader.tokens.wrong("the end of the rules")),
        None => Ok(rule),
    }
}

struct Reader<'r> {
    tokens: &'r mut Tokens,
    names: &'r Names,
    depth: usize,
}

/// A rule and how many parts it has.
type Sized = (Rule, usize);

impl Reader<'_> {
    fn sum(&mut self) -> Result<Sized> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(self.tokens.wrong("less nesting"));
        }
        let mut chains = vec![self.chain()?];
        while self.tokens.take("+") {
            chains.push(self.chain()?);
        }
        self.depth -= 1;
        self.joined(chains, Rule::Choice)
    }

    fn chain(&mut self) -> Result<Sized> {
        let mut elements = Vec::new();
        while let Some((element, size)) = self.element()? {
            elements.push(if self.tokens.take("*") {
                (Rule::repeat(element), size + 1)
            } else if self.tokens.take("^") {
                let times = self.tokens.number()? as usize;
                if size.saturating_mul(times) > MAX_PARTS {
                    return Err(self.tokens.wrong("a smaller power"));
                }
                (Rule::Sequence(vec![element; times]), size * times + 1)
            } else {
                (element, size)
            });
        }
        self.joined(elements, Rule::Sequence)
    }

    fn joined(&self, mut rules: Vec<Sized>, join: fn(Vec<Rule>) -> Rule) -> Result<Sized> {
        if rules.len() == 1 {
            return Ok(rules.remove(0));
        }
        let size = rules.iter().map(|(_, size)| size).sum::<usize>() + 1;
        match size > MAX_PARTS {
            true => Err(self.tokens.wrong("the end of rules that grow too large")),
            false => Ok((join(rules.into_iter().map(|(rule, _)| rule).collect()), size)),
        }
    }

    /// The next element, unless a closing bracket, a plus or the end comes next.
    fn element(&mut self) -> Result<Option<Sized>> {
        let Some(first) = self.tokens.peek().cloned() else { return Ok(None) };
        let rule = match &*first.text {
            "(" => {
                self.tokens.expect("(")?;
                let inner = self.sum()?;
                self.tokens.expect(")")?;
                return Ok(Some(inner));
            }
            "{?" | "{!" => {
                self.tokens.expect(&first.text)?;
                let (inner, size) = self.sum()?;
                self.tokens.expect("}")?;
                let rule = if first.is("{?") { Rule::look(inner) } else { Rule::unless(inner) };
                return Ok(Some((rule, size + 1)));
            }
            "{" => {
                self.tokens.expect("{")?;
                let mut set = PieceSet::EMPTY;
                while !self.tokens.take("}") {
                    let name = self.tokens.name("a piece")?;
                    let piece = self.names.pieces.get(&*name.text);
                    let piece = piece.ok_or_else(|| Wrong::new(name.at, format!("{} is no piece", name.text)))?;
                    set = set.or(PieceSet::of(*piece));
                    if !self.tokens.at("}") {
                        self.tokens.expect(",")?;
                    }
                }
                Rule::On(set)
            }
            "[" => {
                self.tokens.expect("[")?;
                let name = self.tokens.name("a piece")?;
                let piece = self.names.pieces.get(&*name.text);
                let piece = piece.ok_or_else(|| Wrong::new(name.at, format!("{} is no piece", name.text)))?;
                self.tokens.expect("]")?;
                Rule::Put(*piece)
            }
            "{$" => {
                self.tokens.expect("{$")?;
                let left = self.value(0)?;
                let comparison = self.comparison()?;
                let right = self.value(0)?;
                self.tokens.expect("}")?;
                Rule::Compare(left, comparison, right)
            }
            "[$" => return self.assignments().map(Some),
            "->>" => {
                self.tokens.expect("->>")?;
                Rule::Turn(Player::Keeper)
            }
            "->" => {
                self.tokens.expect("->")?;
                let name = self.tokens.name("a player")?;
                match self.names.players.iter().position(|player| name.is(player)) {
                    Some(0) => Rule::Turn(Player::First),
                    Some(_) => Rule::Turn(Player::Second),
                    None => return Err(Wrong::new(name.at, format!("{} is no player", name.text))),
                }
            }
            _ if first.is_name() => {
                let name = self.tokens.name("a direction")?;
                let label = self.names.labels.get(&*name.text);
                Rule::Shift(*label.ok_or_else(|| Wrong::new(name.at, format!("{} is no direction", name.text)))?)
            }
            ")" | "}" | "]" | "+" => return Ok(None),
            _ => return Err(self.tokens.wrong("an action")),
        };
        Ok(Some((rule, 1)))
    }

    fn assignments(&mut self) -> Result<Sized> {
        self.tokens.expect("[$")?;
        let mut assignments = Vec::new();
        loop {
            let name = self.tokens.name("a variable")?;
            let variable = self.names.variables.get(&*name.text);
            let variable = *variable.ok_or_else(|| Wrong::new(name.at, format!("{} is no variable", name.text)))?;
            self.tokens.expect("=")?;
            assignments.push((Rule::Assign(variable, self.value(0)?), 1));
            if self.tokens.take("]") {
                return self.joined(assignments, Rule::Sequence);
            }
            self.tokens.expect(",")?;
        }
    }

    fn comparison(&mut self) -> Result<Comparison> {
        let comparisons = [
            ("==", Comparison::Equal),
            ("!=", Comparison::NotEqual),
            ("<=", Comparison::LessEqual),
            (">=", Comparison::GreaterEqual),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
        ];
        let found = comparisons.into_iter().find(|(sign, _)| self.tokens.take(sign));
        found.map(|(_, comparison)| comparison).ok_or_else(|| self.tokens.wrong("a comparison"))
    }

    /// Sums have level 0, products level 1. A long chain nests on its left side, and counts as nesting.
    fn value(&mut self, level: usize) -> Result<Expression> {
        let mut left = if level == 0 { self.value(1)? } else { self.factor()? };
        let before = self.depth;
        loop {
            let signs = if level == 0 { ["+", "-"] } else { ["*", "/"] };
            let Some(sign) = signs.into_iter().find(|sign| self.tokens.take(sign)) else {
                self.depth = before;
                return Ok(left);
            };
            self.depth += 1;
            if self.depth > MAX_NESTING {
                return Err(self.tokens.wrong("a shorter expression"));
            }
            let right = Box::new(if level == 0 { self.value(1)? } else { self.factor()? });
            let all = Box::new(left);
            left = match sign {
                "+" => Expression::Add(all, right),
                "-" => Expression::Subtract(all, right),
                "*" => Expression::Multiply(all, right),
                _ => Expression::Divide(all, right),
            };
        }
    }

    fn factor(&mut self) -> Result<Expression> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(self.tokens.wrong("a shorter expression"));
        }
        let value = if self.tokens.take("(") {
            let value = self.value(0)?;
            self.tokens.expect(")")?;
            value
        } else if self.tokens.take("-") {
            Expression::Subtract(Box::new(Expression::Constant(0)), Box::new(self.factor()?))
        } else if self.tokens.peek().is_some_and(|token| token.is_name()) {
            let name = self.tokens.name("a name")?;
            if let Some(&variable) = self.names.variables.get(&*name.text) {
                Expression::Variable(variable)
            } else if let Some(&piece) = self.names.pieces.get(&*name.text) {
                Expression::Count(PieceSet::of(piece))
            } else {
                return Err(Wrong::new(name.at, format!("{} is no variable and no piece", name.text)));
            }
        } else {
            Expression::Constant(self.tokens.number()?)
        };
        self.depth -= 1;
        Ok(value)
    }
}
