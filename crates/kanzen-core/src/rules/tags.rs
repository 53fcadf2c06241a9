//! Tags: the kinds of moves that games share.

use std::fmt;

/// A kind of move that the rules name. A game declares which it has ([`Game::known_tags`](crate::Game::known_tags)), and
/// which a move has ([`Game::tags`](crate::Game::tags)).
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::rules::Tag;
/// assert_eq!(Tag::named("hole"), Some(Tag::Hole));
/// assert_eq!(Tag::Takes.name(), "takes");
/// assert_eq!(Tag::named("castles"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tag {
    /// An enemy piece leaves the board.
    Takes,
    /// A piece of the mover's own leaves the board, for nothing.
    Gives,
    /// The hole moves.
    Hole,
    /// A piece comes from the hand.
    Drop,
    /// A piece becomes another.
    Promotes,
    /// A mill is closed.
    Mill,
    /// A piece that may go anywhere moves, be it along a line.
    Flies,
    /// A piece walks off the board to win.
    Off,
    /// Nothing moves.
    Pass,
}

impl Tag {
    /// All of them.
    pub const ALL: [Tag; 9] =
        [Tag::Takes, Tag::Gives, Tag::Hole, Tag::Drop, Tag::Promotes, Tag::Mill, Tag::Flies, Tag::Off, Tag::Pass];

    /// As questions name it.
    pub const fn name(self) -> &'static str {
        match self {
            Tag::Takes => "takes",
            Tag::Gives => "gives",
            Tag::Hole => "hole",
            Tag::Drop => "drop",
            Tag::Promotes => "promotes",
            Tag::Mill => "mill",
            Tag::Flies => "flies",
            Tag::Off => "off",
            Tag::Pass => "pass",
        }
    }

    /// The tag of a name.
    pub fn named(name: &str) -> Option<Tag> {
        Tag::ALL.into_iter().find(|tag| tag.name() == name)
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of [`Tag`]s: those of a move, or those that a game has.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::rules::{Tag, Tags};
/// let capture = Tags::NONE.with_if(Tag::Takes, true).with_if(Tag::Drop, false);
/// assert!(capture.has(Tag::Takes) && !capture.has(Tag::Drop));
/// assert_eq!(Tags::of(&[Tag::Drop, Tag::Takes]).iter().collect::<Vec<_>>(), [Tag::Takes, Tag::Drop]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Tags(u16);

impl Tags {
    /// The tags of a move of no kind in particular.
    pub const NONE: Tags = Tags(0);

    /// A set of some tags.
    pub const fn of(tags: &[Tag]) -> Tags {
        let (mut bits, mut at) = (0, 0);
        while at < tags.len() {
            bits |= 1 << tags[at] as u16;
            at += 1;
        }
        Tags(bits)
    }

    /// The same, and this one if it holds.
    pub const fn with_if(self, tag: Tag, holds: bool) -> Tags {
        Tags(self.0 | (holds as u16) << tag as u16)
    }

    /// Whether a tag is among them.
    pub const fn has(self, tag: Tag) -> bool {
        self.0 >> tag as u16 & 1 == 1
    }

    /// Whether all of these are among the others.
    pub const fn within(self, others: Tags) -> bool {
        self.0 & !others.0 == 0
    }

    /// Each of them, in the order of [`Tag::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Tag> {
        Tag::ALL.into_iter().filter(move |tag| self.has(*tag))
    }
}

impl fmt::Debug for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Tag::name)).finish()
    }
}
