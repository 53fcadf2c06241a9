//! A generator of bad requests, each with its acceptable outcomes.

/// A small seeded pseudo-random generator.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }

    pub fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.roll(words.len())]
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        let length = self.roll(most) + 1;
        (0..length).map(|_| self.roll(256) as u8).collect()
    }

    /// Returns random characters that are valid in a URL.
    fn letters(&mut self, most: usize) -> String {
        let length = self.roll(most) + 1;
        (0..length)
            .map(|_| self.pick(&["a", "Z", "0", "-", ".", "_", "%41", "%ff", "%00", "/", ",", "b", "w", "x"]))
            .collect()
    }
}

/// A bad request. A 4xx is always acceptable.
pub struct Bad {
    pub bytes: Vec<u8>,
    /// The server may close the connection without a response.
    pub may_close: bool,
    /// The server may answer 200 with an error in the body.
    pub may_answer: bool,
}

impl Bad {
    fn refused(bytes: impl Into<Vec<u8>>) -> Bad {
        Bad { bytes: bytes.into(), may_close: false, may_answer: false }
    }

    /// Returns whether a status is acceptable; 0 is a connection closed without a response.
    pub fn may_end(&self, status: u16) -> bool {
        match status {
            0 => self.may_close,
            200 => self.may_answer,
            status => (400..500).contains(&status),
        }
    }
}

/// The number of kinds.
pub const KINDS: usize = 17;

/// Returns a condition that begins much and ends little: parts of each production, some of them many times.
fn hostile(dice: &mut Dice) -> String {
    const PARTS: [&str; 18] = [
        "(",
        ")",
        "NOT ",
        "POSITION(",
        "wins(",
        "wins('takes')",
        "distance IN (",
        "distance BETWEEN ",
        "1 AND ",
        "1, ",
        "only_move AND ",
        "only_move OR ",
        "IS NOT ",
        "IS NULL ",
        "- ",
        "value = ",
        "'win'",
        "''",
    ];
    (0..=dice.roll(6)).map(|_| dice.pick(&PARTS).repeat(1 << dice.roll(9))).collect()
}

/// Returns a bad request of one kind.
pub fn bad(dice: &mut Dice, kind: usize) -> Bad {
    const HOST: &str = "Host: 127.0.0.1\r\n";
    const END: &str = "HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n";
    let game = dice.pick(&["tictactoe", "nocca-3x2"]);
    let posted = |path: String, body: &[u8]| {
        let head = format!("POST {path} {END}Content-Length: {}\r\n\r\n", body.len());
        [head.as_bytes(), body].concat()
    };
    let probe = format!("/api/{game}/probe");
    match kind {
        0 => Bad { may_close: true, ..Bad::refused([dice.bytes(300), b"\r\n\r\n".to_vec()].concat()) },
        1 => {
            let method = dice.pick(&["BREW", "DELETE", "PUT", "PATCH", "get", "G E T"]);
            Bad::refused(format!("{method} /api/games {END}\r\n"))
        }
        2 => Bad::refused(format!("GET /x{} {END}\r\n", dice.letters(60))),
        3 => Bad::refused(format!("GET /api/x{}/probe {END}\r\n", dice.letters(20).replace('/', ""))),
        4 => Bad::refused(format!("GET {probe}?position=!{} {END}\r\n", dice.letters(60))),
        5 => Bad::refused(format!("GET /api/{game}/line?position=%f{} {END}\r\n", dice.letters(20))),
        6 => Bad::refused(posted(probe, &dice.bytes(400))),
        7 => {
            let body = format!("[\"!{}\", \".../.../... X\"]", dice.letters(40));
            Bad { may_answer: true, ..Bad::refused(posted(probe, body.as_bytes())) }
        }
        8 if dice.roll(20) == 0 => Bad::refused(posted(probe, &vec![b' '; 300 << 10])),
        8 if dice.roll(20) == 0 => {
            let (path, header) = ("y".repeat(dice.roll(90_000)), "z".repeat(dice.roll(900_000)));
            Bad { may_close: true, ..Bad::refused(format!("GET /{path} {END}X-Long: {header}\r\n\r\n")) }
        }
        8 => Bad::refused(format!("GET /{} {END}\r\n", "y".repeat(dice.roll(4000) + 1))),
        9 => Bad::refused(posted(format!("/api/{game}/solve"), b"")),
        10 => Bad::refused(format!(
            "GET {probe} HTTP/1.1\r\nHost: {}.example\r\n\r\n",
            dice.letters(5).replace(['/', '%'], "")
        )),
        11 => Bad::refused(format!(
            "GET {probe} {END}Sec-Fetch-Site: {}\r\n\r\n",
            dice.pick(&["cross-site", "same-site"])
        )),
        12 => Bad::refused(format!("GET {probe}?x{}=1 {END}\r\n", dice.letters(6).replace(['/', '%'], ""))),
        13 => Bad::refused(format!("GET {probe}?position=a&position={} {END}\r\n", dice.letters(6))),
        // Garbage after a valid request: the valid one is answered.
        14 => {
            let start = format!("GET {probe} HTTP/1.1\r\n{HOST}\r\n");
            Bad { may_close: true, may_answer: true, ..Bad::refused([start.into_bytes(), dice.bytes(200)].concat()) }
        }
        15 => {
            let condition = hostile(dice).replace(' ', "+");
            let (most, column) = (dice.roll(3000), dice.pick(&["where", "columns"]));
            let condition = &condition[..condition.len().min(most)];
            Bad { may_answer: true, ..Bad::refused(format!("GET /api/{game}/find?{column}={condition} {END}\r\n")) }
        }
        // Contradictory lengths.
        _ => Bad::refused(format!(
            "POST {probe} HTTP/1.1\r\n{HOST}Content-Length: 5\r\nContent-Length: {}\r\n\r\n[]",
            dice.roll(100) + 6
        )),
    }
}
