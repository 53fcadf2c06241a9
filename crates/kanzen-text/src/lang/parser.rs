//! Reads a text into its syntax tree, by recursive descent with bounded depth.

use super::problem::{Problem, Span};
use super::token::{Declaration, Sign, Token, declarations};
use super::tree::*;

/// The deepest nesting of parentheses, conditions and actions.
const MAX_DEPTH: usize = 40;
/// The most problems that a text reports.
const MAX_PROBLEMS: usize = 20;
/// The most columns of a board, named a to z.
const MAX_COLUMNS: usize = 26;
/// The most rows of a board.
const MAX_ROWS: usize = 40;
/// The most pieces on a cell.
const MAX_HEIGHT: usize = 8;

/// What a `piece` line needs after its letter.
const PIECE_NAME: &str = "the name of a piece";

type Read<T> = std::result::Result<T, Problem>;

const KEYWORDS: &[&str] = &[
    "game", "source", "about", "fact", "look", "board", "lines", "sides", "piece", "hand", "start", "number", "area",
    "test", "act", "must", "turn", "win", "lose", "draw", "stuck", "endless", "score",
];

const FACTS: &[&str] = &["value", "distance", "longest", "positions", "wins", "losses", "draws"];

const ACTS: &[&str] = &[
    "place",
    "remove",
    "take",
    "flip",
    "choose",
    "go",
    "put",
    "become",
    "where",
    "if",
    "let",
    "optionally",
    "repeat",
    "exhaust",
    "again",
    "win",
    "lose",
    "draw",
    "nothing",
    "it",
    "own",
    "enemy",
    "piece",
];

const HOWS: &[&str] = &["step", "slide", "jump", "fly", "move", "push"];

/// Words that follow a set in a condition, so that an `or` before it does not join it to another set.
const FOLLOWERS: &[&str] = &["line", "square", "joins", "in", "left", "can", "cannot"];

/// Words that no definition may take as its name.
const RESERVED: &[&str] = &[
    "own",
    "enemy",
    "piece",
    "empty",
    "any",
    "it",
    "is",
    "not",
    "no",
    "some",
    "at",
    "least",
    "most",
    "exactly",
    "fewer",
    "more",
    "than",
    "and",
    "or",
    "on",
    "in",
    "to",
    "from",
    "hand",
    "into",
    "off",
    "over",
    "taking",
    "place",
    "remove",
    "take",
    "flip",
    "choose",
    "go",
    "put",
    "become",
    "where",
    "if",
    "else",
    "let",
    "be",
    "plus",
    "minus",
    "optionally",
    "repeat",
    "exhaust",
    "again",
    "win",
    "lose",
    "draw",
    "wins",
    "nothing",
    "step",
    "slide",
    "jump",
    "fly",
    "move",
    "push",
    "line",
    "square",
    "joins",
    "left",
    "can",
    "cannot",
    "next",
    "attacked",
    "enclosed",
    "flanked",
    "flanking",
    "row",
    "column",
    "corner",
    "edge",
    "inside",
    "pass",
    "score",
];

/// Names that the text declares, found before it is read.
#[derive(Default)]
struct Names {
    sides: Vec<String>,
    kinds: Vec<String>,
    areas: Vec<String>,
    numbers: Vec<String>,
    tests: Vec<(String, usize)>,
    acts: Vec<(String, usize)>,
}

impl Names {
    fn of(declarations: &[Declaration<'_>]) -> Names {
        let mut names = Names::default();
        for declaration in declarations {
            let tokens = &declaration.tokens;
            let word = |at: usize| tokens.get(at).filter(|token| token.sign == Sign::Word).map(|token| token.text);
            let defined = word(0).map(str::to_owned);
            match declaration.keyword.text {
                "sides" => {
                    for item in tokens.split(|token| matches!(token.sign, Sign::Comma | Sign::Line)) {
                        names.sides.extend(item.first().map(|token| token.text.to_owned()));
                        names.kinds.extend(item.get(1).filter(|t| t.text.chars().count() == 1).map(|t| t.text.into()));
                    }
                }
                "piece" => {
                    for item in tokens.split(|token| token.sign == Sign::Line) {
                        for token in item.iter().take(2) {
                            names.kinds.push(token.text.to_owned());
                            if let Some((first, second)) = token.text.split_once('/') {
                                names.kinds.extend([first.to_owned(), second.to_owned()]);
                            }
                        }
                    }
                }
                "area" => names.areas.extend(defined),
                "number" => names.numbers.extend(defined),
                "test" => names.tests.extend(defined.map(|name| (name, arity(tokens)))),
                "act" => names.acts.extend(defined.map(|name| (name, arity(tokens)))),
                _ => {}
            }
        }
        names
    }
}

/// How many parameters a definition has: `name (a, b): ...`.
fn arity(tokens: &[Token<'_>]) -> usize {
    match tokens.get(1) {
        Some(open) if open.sign == Sign::Open => {
            let inside = tokens[2..].iter().take_while(|token| token.sign != Sign::Close);
            inside.filter(|token| token.sign == Sign::Word).count()
        }
        _ => 0,
    }
}

/// Reads a text.
///
/// ```
/// use kanzen_text::lang::parse;
/// let problems = parse("game X\nboard 3x3\nsides a A, b B\ntrun place own on empty").unwrap_err();
/// assert_eq!(problems[0].message, "unknown declaration `trun`");
/// assert_eq!(problems[0].expected.as_deref(), Some("`turn`"));
/// ```
///
/// # Errors
/// The problems of each declaration that could not be read, at most twenty.
pub fn parse(text: &str) -> std::result::Result<Text, Vec<Problem>> {
    let mut found = declarations(text).map_err(|problem| vec![problem])?;
    found.iter_mut().for_each(join_lines);
    let names = Names::of(&found);
    let mut tree = Text::default();
    let mut problems = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for declaration in &found {
        let keyword = declaration.keyword.text;
        let once = matches!(keyword, "game" | "board" | "sides" | "must" | "turn" | "stuck" | "endless" | "score");
        if once && seen.contains(&keyword) {
            problems.push(Problem::error(declaration.keyword.span, format!("a second `{keyword}`")));
        }
        seen.push(keyword);
        let mut parser = Parser {
            tokens: &declaration.tokens,
            at: 0,
            end: declaration.end,
            names: &names,
            parameters: vec![],
            depth: 0,
        };
        if let Err(problem) = parser.declaration(declaration, &mut tree) {
            problems.push(problem);
        }
        if problems.len() >= MAX_PROBLEMS {
            break;
        }
    }
    if problems.is_empty() { Ok(tree) } else { Err(problems) }
}

/// Drops ends of lines within parentheses and after commas.
fn join_lines(declaration: &mut Declaration<'_>) {
    let (mut open, mut after_comma) = (0usize, false);
    declaration.tokens.retain(|token| {
        match token.sign {
            Sign::Open => open += 1,
            Sign::Close => open = open.saturating_sub(1),
            _ => {}
        }
        let keep = token.sign != Sign::Line || (open == 0 && !after_comma);
        after_comma = token.sign == Sign::Comma || (after_comma && !keep);
        keep
    });
}

/// The word of a list that has few letters changed.
fn closest(word: &str, words: &[&str]) -> Option<String> {
    let distance = |other: &str| {
        let other: Vec<char> = other.chars().collect();
        let mut row: Vec<usize> = (0..=other.len()).collect();
        for (i, a) in word.chars().take(32).enumerate() {
            let mut before = std::mem::replace(&mut row[0], i + 1);
            for (j, b) in other.iter().enumerate() {
                let best = (before + usize::from(a != *b)).min(row[j] + 1).min(row[j + 1] + 1);
                before = std::mem::replace(&mut row[j + 1], best);
            }
        }
        row[other.len()]
    };
    let best = words.iter().copied().min_by_key(|other| distance(other))?;
    (distance(best) <= 2.min(word.chars().count() / 2)).then(|| format!("`{best}`"))
}

struct Parser<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    end: Span,
    names: &'a Names,
    parameters: Vec<String>,
    depth: usize,
}

fn name_of(token: Token<'_>) -> Name {
    Name { text: token.text.to_owned(), span: token.span }
}

/// A cell such as `b12`.
fn is_cell(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(|c| c.is_ascii_lowercase()) && word.len() > 1 && letters.all(|c| c.is_ascii_digit())
}

fn group(word: &str) -> Option<Group> {
    match word {
        "orthogonal" => Some(Group::Orthogonal),
        "diagonal" => Some(Group::Diagonal),
        "king" => Some(Group::King),
        "knight" => Some(Group::Knight),
        "hex" => Some(Group::Hex),
        _ => None,
    }
}

fn way(word: &str) -> Option<Way> {
    let compass = |right, up| Compass { right, up };
    let absolute = |right, up| Some(Way::Absolute(compass(right, up)));
    let relative = |right, up| Some(Way::Relative(compass(right, up)));
    match word {
        "up" => absolute(0, 1),
        "down" => absolute(0, -1),
        "up-left" => absolute(-1, 1),
        "up-right" => absolute(1, 1),
        "down-left" => absolute(-1, -1),
        "down-right" => absolute(1, -1),
        "forward" => relative(0, 1),
        "backward" => relative(0, -1),
        "left" => relative(-1, 0),
        "right" => relative(1, 0),
        "forward-left" => relative(-1, 1),
        "forward-right" => relative(1, 1),
        "backward-left" => relative(-1, -1),
        "backward-right" => relative(1, -1),
        word => group(word).map(Way::Group),
    }
}

/// `3x4`
fn size(word: &str) -> Option<(usize, usize)> {
    let (columns, rows) = word.split_once('x')?;
    Some((columns.parse().ok()?, rows.parse().ok()?))
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn word_at(&self, ahead: usize) -> &'a str {
        let token = self.tokens.get(self.at + ahead);
        token.filter(|token| token.sign == Sign::Word).map_or("", |token| token.text)
    }

    fn word(&self) -> &'a str {
        self.word_at(0)
    }

    /// Where the next token is, or the end of the declaration.
    fn here(&self) -> Span {
        match self.peek() {
            Some(token) if token.sign != Sign::Line => token.span,
            _ => {
                let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(self.end, |t| t.span);
                Span { start: last.end, end: last.end }
            }
        }
    }

    /// From a start to the last token read.
    fn since(&self, start: Span) -> Span {
        match self.at.checked_sub(1).and_then(|at| self.tokens.get(at)) {
            Some(last) => start.to(last.span),
            None => start,
        }
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        self.at += usize::from(found);
        found
    }

    fn eat_sign(&mut self, sign: Sign) -> bool {
        let found = self.peek().is_some_and(|token| token.sign == sign);
        self.at += usize::from(found);
        found
    }

    fn fail<T>(&self, expected: impl Into<String>) -> Read<T> {
        let message = match self.peek() {
            Some(token) if token.sign != Sign::Line => format!("`{}` does not fit here", shorten(token.text)),
            _ => "the line ends here".to_owned(),
        };
        Err(Problem::error(self.here(), message).expecting(expected))
    }

    fn expect(&mut self, word: &str) -> Read<()> {
        if self.eat(word) { Ok(()) } else { self.fail(format!("`{word}`")) }
    }

    fn expect_sign(&mut self, sign: Sign, text: &str) -> Read<()> {
        if self.eat_sign(sign) { Ok(()) } else { self.fail(format!("`{text}`")) }
    }

    fn any_word(&mut self, expected: &str) -> Read<Name> {
        match self.peek() {
            Some(token) if token.sign == Sign::Word => {
                self.at += 1;
                Ok(name_of(token))
            }
            _ => self.fail(expected),
        }
    }

    fn new_name(&mut self, expected: &str) -> Read<Name> {
        let name = self.any_word(expected)?;
        if matches!(name.text.as_str(), "king" | "knight") && expected == PIECE_NAME {
            return Ok(name); // directions stand where no piece can
        }
        let taken = RESERVED.contains(&name.text.as_str()) || way(&name.text).is_some() || is_cell(&name.text);
        let plain = name.text.chars().next().is_some_and(char::is_alphabetic);
        if taken || !plain {
            let message = format!("`{}` cannot be a name", shorten(&name.text));
            let expected = "a word of your own that starts with a letter";
            return Err(Problem::error(name.span, message).expecting(expected));
        }
        Ok(name)
    }

    fn count(&mut self, most: u32) -> Read<u32> {
        match self.word().parse::<u32>() {
            Ok(number) if number <= most => {
                self.at += 1;
                Ok(number)
            }
            _ => self.fail(format!("a number up to {most}")),
        }
    }

    fn number(&mut self) -> Read<Number> {
        if self.is_parameter() {
            return Ok(Number::Parameter(self.any_word("a number")?));
        }
        self.count(1_000_000).map(Number::Literal)
    }

    fn is_parameter(&self) -> bool {
        self.parameters.iter().any(|name| name == self.word())
    }

    /// Runs a part of the parser one level deeper.
    fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Problem::error(self.here(), format!("nested more than {MAX_DEPTH} levels deep")));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    fn finish(&self) -> Read<()> {
        if self.at == self.tokens.len() { Ok(()) } else { self.fail("the end of the line") }
    }

    fn declaration(&mut self, declaration: &Declaration<'a>, tree: &mut Text) -> Read<()> {
        let keyword = declaration.keyword;
        let free = Name { text: declaration.line.to_owned(), span: declaration.line_span };
        match keyword.text {
            "game" | "source" | "about" | "fact" | "look" if free.text.is_empty() => {
                return Err(Problem::error(keyword.span, format!("nothing stands after `{}`", keyword.text)));
            }
            "game" => tree.title = Some(free),
            "fact" if !FACTS.contains(&self.word()) => {
                return self.fail(FACTS.map_list());
            }
            "source" | "about" | "fact" | "look" => tree.headers.push((name_of(keyword), free)),
            "board" => tree.board = Some(self.board()?),
            "lines" => self.items(true, |parser| {
                let mut line = Vec::new();
                while is_cell(parser.word()) {
                    line.push(parser.any_word("a point")?);
                }
                if line.len() < 2 {
                    return parser.fail("two or more points in a row, such as `a1 b1 c1`");
                }
                tree.lines.push(line);
                Ok(())
            })?,
            "sides" => {
                self.items(true, |parser| parser.side().map(|side| tree.sides.push(side)))?;
                if tree.sides.len() != 2 {
                    let message = format!("{} sides", tree.sides.len());
                    return Err(Problem::error(keyword.span.to(declaration.end), message).expecting("two"));
                }
            }
            "piece" => self.items(false, |parser| parser.piece().map(|piece| tree.pieces.push(piece)))?,
            "hand" => self.items(true, |parser| parser.hand().map(|hand| tree.hands.push(hand)))?,
            "start" => self.items(true, |parser| {
                let letter = parser.any_word("the letter of a piece")?;
                let mut cells = Vec::new();
                while is_cell(parser.word()) {
                    cells.push(parser.any_word("a cell")?);
                }
                if cells.is_empty() {
                    return parser.fail("cells such as `a1 b1`");
                }
                tree.start.push((letter, cells));
                Ok(())
            })?,
            "number" => self.items(true, |parser| {
                let name = parser.new_name("a name for the number")?;
                let start = parser.count(1_000_000)?;
                parser.expect("to")?;
                let most = parser.count(1_000_000)?;
                tree.numbers.push(NumberShape { name, start, most });
                Ok(())
            })?,
            "area" => {
                let (name, parameters) = self.heading(false)?;
                let body = self.area()?;
                tree.areas.push(super::tree::Definition { name, parameters, body });
            }
            "test" => {
                let (name, parameters) = self.heading(true)?;
                let body = self.condition()?;
                tree.tests.push(super::tree::Definition { name, parameters, body });
            }
            "act" => {
                let (name, parameters) = self.heading(true)?;
                let body = self.block()?;
                tree.acts.push(super::tree::Definition { name, parameters, body });
            }
            "must" => tree.must = Some(self.block()?),
            "turn" => tree.turn = Some(self.block()?),
            "win" | "lose" | "draw" => self.items(false, |parser| {
                let result = match keyword.text {
                    "win" => Ending::Win,
                    "lose" => Ending::Lose,
                    _ => Ending::Draw,
                };
                let side = parser.side_guard()?;
                let when = parser.condition()?;
                tree.ends.push(End { result, side, when });
                Ok(())
            })?,
            "stuck" => {
                let span = self.here();
                let stuck = if self.eat("pass") {
                    Stuck::Pass
                } else if self.eat("score") {
                    Stuck::Score
                } else {
                    Stuck::Ends(self.ending("`lose`, `win`, `draw`, `pass`, `score` or a side and `wins`")?)
                };
                tree.stuck = Some((stuck, self.since(span)));
            }
            "endless" => {
                let span = self.here();
                let ending = self.ending("`draw`, or a side and `wins`")?;
                if matches!(ending, Ending::Win | Ending::Lose) {
                    let problem = Problem::error(self.since(span), "endless play has no last move");
                    return Err(problem.expecting("`draw`, or a side and `wins`"));
                }
                tree.endless = Some((ending, self.since(span)));
            }
            "score" => {
                let span = self.here();
                let set = self.set()?;
                let empty_to_winner = self.eat_sign(Sign::Comma);
                if empty_to_winner {
                    ["empty", "to", "the", "winner"].into_iter().try_for_each(|word| self.expect(word))?;
                }
                tree.score = Some(Score { set, empty_to_winner, span: self.since(span) });
            }
            other => {
                let message = format!("unknown declaration `{}`", shorten(other));
                let expected = closest(other, KEYWORDS).unwrap_or_else(|| KEYWORDS.map_list());
                return Err(Problem::error(keyword.span, message).expecting(expected));
            }
        }
        match keyword.text {
            "game" | "source" | "about" | "fact" | "look" => Ok(()),
            _ => self.finish(),
        }
    }

    /// Reads items separated by ends of lines, and by commas if `commas`.
    fn items(&mut self, commas: bool, mut item: impl FnMut(&mut Self) -> Read<()>) -> Read<()> {
        self.eat_sign(Sign::Line);
        loop {
            item(self)?;
            let more = self.eat_sign(Sign::Line) || (commas && self.eat_sign(Sign::Comma));
            if !more {
                return Ok(());
            }
        }
    }

    fn board(&mut self) -> Read<BoardShape> {
        let span = self.here();
        let Some((columns, rows)) = size(self.word()) else { return self.fail("columns x rows, such as `4x5`") };
        if !(1..=MAX_COLUMNS).contains(&columns) || !(1..=MAX_ROWS).contains(&rows) {
            return self.fail(format!("1 to {MAX_COLUMNS} columns and 1 to {MAX_ROWS} rows"));
        }
        self.at += 1;
        let mut board = BoardShape { columns, rows, neighbours: None, height: 1, drawing: Vec::new(), span };
        while self.eat_sign(Sign::Comma) {
            if self.eat("stacks") {
                self.expect("of")?;
                board.height = self.count(MAX_HEIGHT as u32)?.max(1) as usize;
            } else if let Some(group) = group(self.word()) {
                board.neighbours = Some((group, self.here()));
                self.at += 1;
            } else {
                return self.fail("`orthogonal`, `diagonal`, `king`, `knight`, `hex` or `stacks of` a number");
            }
        }
        if self.eat_sign(Sign::Colon) {
            while let Some(token) = self.peek() {
                match token.sign {
                    Sign::Word => board.drawing.push(name_of(token)),
                    Sign::Line => {}
                    _ => return self.fail("rows such as `bbb`"),
                }
                self.at += 1;
            }
        }
        Ok(board)
    }

    fn side(&mut self) -> Read<SideShape> {
        let name = self.new_name("the name of a side")?;
        let mut letters = Letters::Named;
        let word = self.word();
        let mut only = word.chars();
        match (word, only.next(), only.next()) {
            ("capital", ..) => letters = Letters::Capital,
            ("small", ..) => letters = Letters::Small,
            (_, Some('.' | '_'), None) => return self.fail("a letter; `.` is an empty cell and `_` is no cell"),
            (_, Some(letter), None) => letters = Letters::One(letter),
            _ => {}
        }
        self.at += usize::from(letters != Letters::Named);
        let mut forward = None;
        if self.peek().is_some_and(|token| token.sign == Sign::Word) {
            let direction = match self.word() {
                "right" => Some(Compass { right: 1, up: 0 }),
                "left" => Some(Compass { right: -1, up: 0 }),
                word => match way(word) {
                    Some(Way::Absolute(compass)) if compass.right == 0 => Some(compass),
                    _ => None,
                },
            };
            let Some(direction) = direction else { return self.fail("`up`, `down`, `left` or `right`") };
            forward = Some((direction, self.here()));
            self.at += 1;
        }
        Ok(SideShape { name, letters, forward })
    }

    fn piece(&mut self) -> Read<PieceShape> {
        let letters = self.any_word("the letter of a piece")?;
        let name = self.new_name(PIECE_NAME)?;
        let mut piece =
            PieceShape { letters, name, owner: Owner::Both, moves: vec![], becoming: None, in_hand_as: None };
        self.eat_sign(Sign::Comma);
        while self.peek().is_some_and(|token| token.sign == Sign::Word) {
            if self.eat("of") {
                piece.owner = Owner::Side(self.side_name()?);
            } else if self.eat("neutral") {
                piece.owner = Owner::Neutral;
            } else if self.eat("step") {
                piece.moves.push((Gait::Step, self.ways()?));
            } else if self.eat("slide") {
                piece.moves.push((Gait::Slide, self.ways()?));
            } else if self.eat("becoming") {
                let kind = self.kind()?;
                self.expect("on")?;
                piece.becoming = Some((kind, self.area()?));
            } else if self.eat("in") {
                self.expect("hand")?;
                self.expect("as")?;
                piece.in_hand_as = Some(self.kind()?);
            } else {
                return self.fail("`step`, `slide`, `becoming`, `in hand as`, `of` a side or `neutral`");
            }
            if !self.eat_sign(Sign::Comma) {
                break;
            }
        }
        Ok(piece)
    }

    fn hand(&mut self) -> Read<Hand> {
        let span = self.here();
        let has_side = self.names.sides.iter().any(|side| side == self.word());
        let side = if has_side { Some(self.side_name()?) } else { None };
        let count = self.count(99)?;
        let has_kind = self.peek().is_some_and(|token| token.sign == Sign::Word);
        let kind = if has_kind { Some(self.kind()?) } else { None };
        Ok(Hand { side, count, kind, span: self.since(span) })
    }

    /// `name (a, b):`
    fn heading(&mut self, may_have_parameters: bool) -> Read<(Name, Vec<Name>)> {
        let name = self.new_name("a name")?;
        let mut parameters = Vec::new();
        if may_have_parameters && self.eat_sign(Sign::Open) {
            loop {
                let parameter = self.new_name("a parameter")?;
                self.parameters.push(parameter.text.clone());
                parameters.push(parameter);
                if !self.eat_sign(Sign::Comma) {
                    break;
                }
            }
            self.expect_sign(Sign::Close, ")")?;
        }
        self.expect_sign(Sign::Colon, ":")?;
        self.eat_sign(Sign::Line);
        Ok((name, parameters))
    }

    fn side_name(&mut self) -> Read<Name> {
        if self.names.sides.iter().any(|side| side == self.word()) {
            return self.any_word("a side");
        }
        self.fail(format!("a side: {}", self.names.sides.map_list()))
    }

    fn is_kind(&self, word: &str) -> bool {
        !word.is_empty() && self.names.kinds.iter().any(|kind| kind == word)
    }

    fn kind(&mut self) -> Read<Name> {
        if self.is_kind(self.word()) {
            return self.any_word("a piece");
        }
        self.fail(format!("a piece: {}", self.names.kinds.map_list()))
    }

    fn ending(&mut self, expected: &str) -> Read<Ending> {
        if self.eat("win") {
            Ok(Ending::Win)
        } else if self.eat("lose") {
            Ok(Ending::Lose)
        } else if self.eat("draw") {
            Ok(Ending::Draw)
        } else if self.names.sides.iter().any(|side| side == self.word()) {
            let side = self.side_name()?;
            self.expect("wins")?;
            Ok(Ending::Wins(side))
        } else {
            self.fail(expected)
        }
    }

    /// `white:` before what is for one side only.
    fn side_guard(&mut self) -> Read<Option<Name>> {
        let colon = self.tokens.get(self.at + 1).is_some_and(|token| token.sign == Sign::Colon);
        if !colon || self.word().is_empty() || self.word() == "else" {
            return Ok(None);
        }
        let side = self.side_name()?;
        self.expect_sign(Sign::Colon, ":")?;
        Ok(Some(side))
    }

    fn block(&mut self) -> Read<Block> {
        let mut block = Vec::new();
        self.items(false, |parser| {
            let start = parser.here();
            let side = parser.side_guard()?;
            let guard = if parser.eat("if") {
                Guard::If(parser.condition()?)
            } else if parser.eat("else") {
                if parser.eat("if") { Guard::ElseIf(parser.condition()?) } else { Guard::Else }
            } else {
                Guard::Always
            };
            if !matches!(guard, Guard::Always) {
                parser.expect_sign(Sign::Colon, ":")?;
            }
            let acts = parser.acts()?;
            block.push(Line { side, guard, acts, span: parser.since(start) });
            Ok(())
        })?;
        Ok(block)
    }

    fn acts(&mut self) -> Read<Vec<Act>> {
        let mut acts: Vec<Act> = Vec::new();
        loop {
            let start = self.here();
            if self.eat("taking") {
                self.expect("it")?;
                let goal = self.goal()?;
                let span = self.since(start);
                match acts.last_mut().map(|act| &mut act.what) {
                    Some(What::Move { taking, .. }) if taking.is_none() => *taking = Some(goal),
                    _ => return Err(Problem::error(span, "`taking it` stands after a move")),
                }
            } else {
                acts.push(self.deeper(Self::act)?);
            }
            if !self.eat_sign(Sign::Comma) {
                return Ok(acts);
            }
        }
    }

    /// `into hand`, or nothing.
    fn goal(&mut self) -> Read<Goal> {
        if !self.eat("into") {
            return Ok(Goal::Off);
        }
        self.expect("hand")?;
        Ok(Goal::Hand)
    }

    fn act(&mut self) -> Read<Act> {
        let start = self.here();
        let what = self.what()?;
        Ok(Act { what, span: self.since(start) })
    }

    fn what(&mut self) -> Read<What> {
        let next = self.word();
        if let Some((_, arity)) = self.names.acts.iter().find(|(name, _)| name == next) {
            return self.call(*arity).map(What::Call);
        }
        if self.peek().is_some_and(|token| token.sign == Sign::Open) {
            return self.alternatives().map(What::Choice);
        }
        if self.starts_set() {
            let set = self.set()?;
            return self.moves(Mover::Any(set));
        }
        if !ACTS.contains(&next) {
            if let Some(token) = self.peek().filter(|token| token.sign == Sign::Word) {
                let problem = Problem::error(token.span, format!("unknown word `{}`", shorten(next)));
                let mut words = ACTS.to_vec();
                words.extend(self.names.acts.iter().map(|(name, _)| name.as_str()));
                let expected =
                    closest(next, &words).unwrap_or_else(|| "an action such as `place` or `own step`".into());
                return Err(problem.expecting(expected));
            }
            return self.fail("an action such as `place` or `own step`");
        }
        self.at += 1;
        Ok(match next {
            "it" => return self.moves(Mover::It),
            "place" => {
                let what = self.heads()?;
                let from_hand = self.eat("from");
                if from_hand {
                    self.expect("hand")?;
                }
                self.expect("on")?;
                What::Place { what, from_hand, on: self.set()? }
            }
            "remove" => {
                let set = self.set()?;
                What::Remove { set, into: self.goal()? }
            }
            "flip" if self.eat("it") => What::Flip,
            "take" | "flip" => {
                let change = if next == "take" { Change::Take } else { Change::Flip };
                let least = if self.eat("at") {
                    self.expect("least")?;
                    self.count(99)?
                } else {
                    0
                };
                let set = self.set()?;
                let pattern = if self.eat("flanked") {
                    Flank::Flanked
                } else {
                    self.expect("flanking").or_else(|_| self.fail("`flanked` or `flanking`"))?;
                    Flank::Flanking
                };
                What::Flank { change, least, set, pattern, ways: self.ways()? }
            }
            "choose" => What::Choose(self.set()?),
            "go" => What::Go(self.ways()?),
            "put" => What::Put(self.set()?),
            "become" => What::Become(self.kind()?),
            "where" => What::Where(self.condition()?),
            "if" => {
                let condition = self.condition()?;
                self.expect_sign(Sign::Colon, ":")?;
                What::If(condition, self.acts()?)
            }
            "let" => {
                let name = self.number_name()?;
                self.expect("be")?;
                What::Let(name, self.amount()?)
            }
            "optionally" => What::Optionally(self.alternatives()?),
            "repeat" => What::Repeat(self.alternatives()?),
            "exhaust" => What::Exhaust(self.alternatives()?),
            "again" => What::Again,
            "win" => What::End(Ending::Win),
            "lose" => What::End(Ending::Lose),
            "draw" => What::End(Ending::Draw),
            _ => What::Nothing,
        })
    }

    /// `( acts or acts )`
    fn alternatives(&mut self) -> Read<Vec<Vec<Act>>> {
        self.expect_sign(Sign::Open, "(")?;
        let mut found = vec![self.acts()?];
        while self.eat("or") {
            found.push(self.acts()?);
        }
        self.expect_sign(Sign::Close, ")")?;
        Ok(found)
    }

    fn moves(&mut self, who: Mover) -> Read<What> {
        let word = self.word();
        if !HOWS.contains(&word) {
            return self.fail("`step`, `slide`, `jump`, `fly`, `move` or `push`");
        }
        self.at += 1;
        if word == "push" {
            let ways = self.ways()?;
            let (mut into, mut off) = (None, false);
            if self.eat("into") {
                into = Some(self.set()?);
            }
            if self.eat("or") || into.is_none() {
                off = self.eat("off");
                if !off && into.is_some() {
                    return self.fail("`off`");
                }
            }
            return Ok(What::Push { who, ways, into, off });
        }
        let how = match word {
            "step" => How::Along(Gait::Step, self.ways()?),
            "slide" => How::Along(Gait::Slide, self.ways()?),
            "jump" => {
                let ways = self.ways()?;
                self.expect("over")?;
                How::Jump(ways, self.set()?)
            }
            "fly" => How::Fly,
            _ => How::Own,
        };
        let to = if self.eat("to") { Some(self.set()?) } else { None };
        Ok(What::Move { who, how, to, taking: None })
    }

    fn number_name(&mut self) -> Read<Name> {
        if self.names.numbers.iter().any(|name| name == self.word()) {
            return self.any_word("a number");
        }
        self.fail("a number that the text declares")
    }

    fn amount(&mut self) -> Read<Amount> {
        let mut terms = Vec::new();
        let mut minus = false;
        loop {
            let named = self.is_parameter() || self.names.numbers.iter().any(|name| name == self.word());
            let term = if named {
                Summand::Named(self.any_word("a number")?)
            } else {
                Summand::Literal(self.count(1_000_000)?)
            };
            terms.push((minus, term));
            match self.word() {
                "plus" => minus = false,
                "minus" => minus = true,
                _ => return Ok(Amount { terms }),
            }
            self.at += 1;
        }
    }

    fn call(&mut self, arity: usize) -> Read<Call> {
        let name = self.any_word("a name")?;
        let mut values = Vec::new();
        if arity > 0 {
            self.expect_sign(Sign::Open, "(")?;
            loop {
                values.push(self.value()?);
                if !self.eat_sign(Sign::Comma) {
                    break;
                }
            }
            self.expect_sign(Sign::Close, ")")?;
        }
        if values.len() != arity {
            let message = format!("`{}` has {arity} parameters, not {}", name.text, values.len());
            return Err(Problem::error(self.since(name.span), message));
        }
        Ok(Call { name, values })
    }

    fn value(&mut self) -> Read<Value> {
        if self.word().starts_with(|c: char| c.is_ascii_digit()) {
            return self.count(1_000_000).map(Value::Number);
        }
        if way(self.word()).is_some() {
            return self.ways().map(Value::Ways);
        }
        self.set().map(Value::Set)
    }

    fn starts_way(&self) -> bool {
        way(self.word()).is_some() || self.is_parameter()
    }

    fn ways(&mut self) -> Read<Ways> {
        let span = self.here();
        let mut ways = Vec::new();
        while self.starts_way() {
            let word = self.any_word("a direction")?;
            ways.push(way(&word.text).unwrap_or(Way::Parameter(word)));
            let more = self.word() == "or" && (way(self.word_at(1)).is_some());
            if !more {
                break;
            }
            self.at += 1;
        }
        let span = if ways.is_empty() { span } else { self.since(span) };
        Ok(Ways { ways, span })
    }

    fn starts_set(&self) -> bool {
        matches!(self.word(), "own" | "enemy" | "piece" | "empty" | "any")
            || self.is_kind(self.word())
            || self.is_parameter()
    }

    fn set(&mut self) -> Read<Set> {
        self.deeper(|parser| {
            let start = parser.here();
            let mut terms = vec![parser.term()?];
            while parser.word() == "or" {
                let before = parser.at;
                parser.at += 1;
                let group = parser.peek().is_some_and(|token| token.sign == Sign::Open);
                if !parser.starts_set() && !group {
                    parser.at = before;
                    break;
                }
                // What follows may be the next alternative rather than a part of this set.
                match parser.term() {
                    Ok(term) if !HOWS.contains(&parser.word()) && !FOLLOWERS.contains(&parser.word()) => {
                        terms.push(term)
                    }
                    Err(problem) if !group => return Err(problem),
                    _ => {
                        parser.at = before;
                        break;
                    }
                }
            }
            Ok(Set { terms, span: parser.since(start) })
        })
    }

    /// What `place` places: kinds without qualifiers, since `on` follows.
    fn heads(&mut self) -> Read<Set> {
        let start = self.here();
        let mut terms = Vec::new();
        loop {
            let first = self.here();
            let head = self.head()?;
            terms.push(Term { head, qualifiers: Vec::new(), span: self.since(first) });
            if !self.eat("or") {
                return Ok(Set { terms, span: self.since(start) });
            }
        }
    }

    fn term(&mut self) -> Read<Term> {
        let start = self.here();
        let head = self.head()?;
        let qualifiers = self.qualifiers()?;
        Ok(Term { head, qualifiers, span: self.since(start) })
    }

    fn head(&mut self) -> Read<Head> {
        Ok(match self.word() {
            "any" => {
                self.at += 1;
                Head::Any
            }
            "empty" => {
                self.at += 1;
                Head::Empty
            }
            "piece" => {
                self.at += 1;
                Head::Piece(Whose::Any, None)
            }
            whose @ ("own" | "enemy") => {
                self.at += 1;
                let kind = if self.is_kind(self.word()) { Some(self.kind()?) } else { None };
                Head::Piece(if whose == "own" { Whose::Own } else { Whose::Enemy }, kind)
            }
            _ if self.is_parameter() => Head::Parameter(self.any_word("a parameter")?),
            word if self.is_kind(word) => Head::Piece(Whose::Any, Some(self.kind()?)),
            _ if self.eat_sign(Sign::Open) => {
                let set = self.set()?;
                self.expect_sign(Sign::Close, ")")?;
                Head::Group(Box::new(set))
            }
            word => {
                let expected = "cells such as `own`, `enemy` or `empty`";
                return match closest(word, &["own", "enemy", "empty", "piece", "any"]) {
                    Some(near) if !word.is_empty() => self.fail(near),
                    _ => self.fail(expected),
                };
            }
        })
    }

    fn qualifiers(&mut self) -> Read<Vec<Qualifier>> {
        let mut found = Vec::new();
        loop {
            let start = self.here();
            let not = self.word() == "not";
            let ahead = usize::from(not);
            let what = match (self.word_at(ahead), self.word_at(ahead + 1)) {
                ("on", _) => {
                    self.at += ahead + 1;
                    Property::On(self.area()?)
                }
                ("in", "line") => {
                    self.at += ahead + 2;
                    let number = self.number()?;
                    Property::InLine(number, self.ways()?)
                }
                ("in", "square") => {
                    self.at += ahead + 2;
                    let (columns, rows) = self.rectangle()?;
                    Property::InSquare(columns, rows)
                }
                ("next", "to") => {
                    self.at += ahead + 2;
                    Property::NextTo(self.deeper(Self::plain_set)?)
                }
                ("attacked", _) => {
                    self.at += ahead + 1;
                    Property::Attacked
                }
                ("enclosed", _) => {
                    self.at += ahead + 1;
                    Property::Enclosed
                }
                _ => return Ok(found),
            };
            found.push(Qualifier { not, what, span: self.since(start) });
        }
    }

    /// One term without `or`: a longer set stands in parentheses.
    fn plain_set(&mut self) -> Read<Set> {
        let start = self.here();
        let term = self.term()?;
        Ok(Set { terms: vec![term], span: self.since(start) })
    }

    fn rectangle(&mut self) -> Read<(usize, usize)> {
        match size(self.word()) {
            Some((columns @ 1..=26, rows @ 1..=26)) => {
                self.at += 1;
                Ok((columns, rows))
            }
            _ => self.fail("a size such as `2x2`"),
        }
    }

    fn starts_part(&self, ahead: usize) -> bool {
        let word = self.word_at(ahead);
        match word {
            "last" | "first" => self.word_at(ahead + 1) == "row",
            "row" | "column" | "corner" | "edge" | "inside" => true,
            _ => is_cell(word) || self.names.areas.iter().any(|area| area == word),
        }
    }

    fn area(&mut self) -> Read<Area> {
        let mut parts = vec![self.part()?];
        while self.word() == "or" && self.starts_part(1) {
            self.at += 1;
            parts.push(self.part()?);
        }
        Ok(parts)
    }

    fn part(&mut self) -> Read<Part> {
        let start = self.here();
        if !self.starts_part(0) {
            return self.fail("a part of the board such as `last row`, `row 1`, `column a`, `edge` or `a1`");
        }
        let word = self.any_word("a part of the board")?;
        Ok(match word.text.as_str() {
            "last" | "first" => {
                self.expect("row")?;
                if word.text == "last" { Part::LastRow(self.since(start)) } else { Part::FirstRow(self.since(start)) }
            }
            "row" => {
                let row = self.count(MAX_ROWS as u32)?;
                if row == 0 {
                    return Err(Problem::error(self.since(start), "rows count from 1, at the bottom"));
                }
                Part::Row(row as usize - 1, self.since(start))
            }
            "column" => {
                let column = self.any_word("the letter of a column")?;
                let mut letters = column.text.chars();
                match (letters.next(), letters.next()) {
                    (Some(letter @ 'a'..='z'), None) => Part::Column(letter as usize - 'a' as usize, self.since(start)),
                    _ => return Err(Problem::error(column.span, "no column").expecting("a letter from `a` on")),
                }
            }
            "corner" => Part::Corner,
            "edge" => Part::Edge,
            "inside" => Part::Inside,
            _ => Part::Named(word),
        })
    }

    fn condition(&mut self) -> Read<Condition> {
        self.deeper(|parser| {
            let start = parser.here();
            let first = parser.single()?;
            if parser.word() != "and" {
                return Ok(first);
            }
            let mut all = vec![first];
            while parser.eat("and") {
                all.push(parser.single()?);
            }
            Ok(Condition { what: Test::All(all), span: parser.since(start) })
        })
    }

    fn single(&mut self) -> Read<Condition> {
        self.deeper(|parser| {
            let start = parser.here();
            let what = parser.single_test()?;
            Ok(Condition { what, span: parser.since(start) })
        })
    }

    fn quantity(&mut self) -> Read<Option<Quantity>> {
        let fixed = |compare, number| Ok(Some(Quantity { compare, number: Number::Literal(number) }));
        let compare = match (self.word(), self.word_at(1)) {
            ("some", _) => {
                self.at += 1;
                return fixed(Compare::AtLeast, 1);
            }
            ("no", _) => {
                self.at += 1;
                return fixed(Compare::AtMost, 0);
            }
            ("exactly", _) => {
                self.at += 1;
                Compare::Exactly
            }
            ("at", "least") => self.two_words(Compare::AtLeast),
            ("at", "most") => self.two_words(Compare::AtMost),
            ("fewer", "than") => self.two_words(Compare::Fewer),
            ("more", "than") => self.two_words(Compare::More),
            _ => return Ok(None),
        };
        Ok(Some(Quantity { compare, number: self.number()? }))
    }

    fn two_words(&mut self, compare: Compare) -> Compare {
        self.at += 2;
        compare
    }

    fn single_test(&mut self) -> Read<Test> {
        if self.eat("not") {
            return Ok(Test::Not(Box::new(self.single()?)));
        }
        if self.eat_sign(Sign::Open) {
            let mut either = vec![self.condition()?];
            while self.eat("or") {
                either.push(self.condition()?);
            }
            self.expect_sign(Sign::Close, ")")?;
            return Ok(Test::Either(either));
        }
        let next = self.word();
        if matches!(next, "can" | "cannot") {
            let start = self.here();
            self.at += 1;
            let test = Test::Can(self.alternatives()?);
            let able = next == "can";
            let span = self.since(start);
            return Ok(if able { test } else { Test::Not(Box::new(Condition { what: test, span })) });
        }
        if self.eat("it") {
            self.expect("is")?;
            return self.it();
        }
        if let Some((_, arity)) = self.names.tests.iter().find(|(name, _)| name == next) {
            return self.call(*arity).map(Test::Call);
        }
        if self.names.numbers.iter().any(|name| name == next) {
            let name = self.any_word("a number")?;
            return match self.quantity()? {
                Some(quantity) => Ok(Test::Number(name, quantity)),
                None => self.fail("`at least`, `at most`, `exactly`, `fewer than` or `more than`"),
            };
        }
        let quantity = self.quantity()?;
        if quantity.is_none() && !self.starts_set() {
            return self.fail("a condition such as `own line 3`, `no enemy` or `it is on edge`");
        }
        let set = self.set()?;
        if quantity.is_none() {
            match self.word() {
                "line" => {
                    self.at += 1;
                    let number = self.number()?;
                    return Ok(Test::Line(set, number, self.ways()?));
                }
                "square" => {
                    self.at += 1;
                    let (columns, rows) = self.rectangle()?;
                    return Ok(Test::Square(set, columns, rows));
                }
                "joins" => {
                    self.at += 1;
                    let from = self.area()?;
                    self.expect("to")?;
                    return Ok(Test::Joins(set, from, self.area()?));
                }
                word @ ("can" | "cannot") => {
                    let whose = match &set.terms[..] {
                        [Term { head: Head::Piece(whose @ (Whose::Own | Whose::Enemy), None), qualifiers, .. }]
                            if qualifiers.is_empty() =>
                        {
                            *whose
                        }
                        _ => return self.fail("`own` or `enemy` before it"),
                    };
                    self.at += 1;
                    self.expect("move")?;
                    return Ok(Test::CanMove { whose, able: word == "can" });
                }
                _ => {}
            }
        }
        let some = Quantity { compare: Compare::AtLeast, number: Number::Literal(1) };
        let quantity = quantity.unwrap_or(some);
        if self.word() == "in" && self.word_at(1) == "hand" {
            self.at += 2;
            return Ok(Test::Held { quantity, set, and_board: false });
        }
        if self.eat("left") {
            return Ok(Test::Held { quantity, set, and_board: true });
        }
        Ok(Test::Cells(quantity, set))
    }

    /// After `it is`: qualifiers of whatever stands there, or a set.
    fn it(&mut self) -> Read<Test> {
        let start = self.here();
        let not_set = self.word() == "not" && {
            self.at += 1;
            let starts = self.starts_set();
            self.at -= usize::from(!starts);
            starts
        };
        if self.starts_set() {
            let set = self.set()?;
            let span = set.span;
            let test = Test::It(set);
            return Ok(if not_set { Test::Not(Box::new(Condition { what: test, span })) } else { test });
        }
        let qualifiers = self.qualifiers()?;
        if qualifiers.is_empty() {
            return self.fail("what it is, such as `enemy`, `in line 3` or `on last row`");
        }
        let span = self.since(start);
        let head = match qualifiers.iter().any(|q| matches!(q.what, Property::InLine(..) | Property::InSquare(..))) {
            true => Head::Piece(Whose::Own, None),
            false => Head::Any,
        };
        Ok(Test::It(Set { terms: vec![Term { head, qualifiers, span }], span }))
    }
}

/// At most some letters of a word, for messages.
fn shorten(word: &str) -> String {
    match word.char_indices().nth(30) {
        Some((at, _)) => format!("{}...", &word[..at]),
        None => word.to_owned(),
    }
}

/// A list of words for a message.
trait MapList {
    fn map_list(&self) -> String;
}

impl<S: AsRef<str>> MapList for [S] {
    fn map_list(&self) -> String {
        let quoted: Vec<String> = self.iter().take(30).map(|word| format!("`{}`", shorten(word.as_ref()))).collect();
        match quoted.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
            None => "a name that the text declares".to_owned(),
        }
    }
}
