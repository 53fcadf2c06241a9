//! Class and slot numbers.

use std::fmt;

/// The number of a class: a set of positions that quiet moves do not leave. Classes are solved in this order.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::{ClassId, Slot};
/// let (class, slot) = (ClassId(3), Slot(70));
/// assert_eq!(format!("{class}, {slot}"), "class 3, slot 70");
/// assert_eq!(class.index(), 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ClassId(pub u32);

/// The dense number of a position within its class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Slot(pub u64);

impl ClassId {
    /// As an index into what there is for each class.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Slot {
    /// As an index into what there is for each slot.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<usize> for ClassId {
    fn from(index: usize) -> ClassId {
        ClassId(index as u32)
    }
}

impl fmt::Display for ClassId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "class {}", self.0)
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slot {}", self.0)
    }
}
