//! The values of earlier classes, here or on other processes.
//!
//! Where several processes share a class, they share those before it too. A stretch of slots is then looked at
//! twice: the first pass only records which values are needed from which process, in order; then all are requested at
//! once, and the second pass reads the answers in the same order. So graphs need not know of it, as long as what they
//! ask for does not depend on the answers.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use crate::mesh::{RoundRobin, Share};
use kanzen_core::machine::{Codes, prefetch};
use kanzen_core::vocabulary::{Reservation, Value};

/// The answer for a position that the owner of its key does not know: no value has this code.
pub(super) const UNKNOWN: i16 = i16::MIN;
/// What is read before anything is known.
static NOTHING: i16 = Value::DRAW.code();

/// Finished classes that the class at work needs, or the share of them that is here.
#[derive(Default)]
pub struct EarlierClasses {
    classes: Vec<Option<Arc<Kept>>>,
}

struct Kept {
    codes: Codes,
    _memory: Reservation,
}

impl EarlierClasses {
    pub fn insert(&mut self, class: usize, codes: Codes, memory: Reservation) {
        if self.classes.len() <= class {
            self.classes.resize_with(class + 1, || None);
        }
        self.classes[class] = Some(Arc::new(Kept { codes, _memory: memory }));
    }

    pub fn keep_only(&mut self, needed: &[usize]) {
        for (class, codes) in self.classes.iter_mut().enumerate() {
            if !needed.contains(&class) {
                *codes = None;
            }
        }
    }

    pub fn has(&self, class: usize) -> bool {
        self.classes.get(class).is_some_and(Option::is_some)
    }

    /// The codes of a class that are here.
    pub fn codes(&self, class: usize) -> Option<&[i16]> {
        self.classes.get(class)?.as_ref().map(|kept| &kept.codes[..])
    }

    /// All values are here.
    pub fn view(&self) -> Earlier {
        Earlier { classes: self.classes.clone(), far: None }
    }

    /// For callers that need where moves lead, not the values: values of other processes are made up.
    pub fn unasked(&self, share: RoundRobin) -> Earlier {
        Earlier { classes: self.classes.clone(), far: Some(Far { share, phase: Phase::Unasked }) }
    }

    /// For the first pass: records which values other processes own. `widths` are the bytes of a name, by class.
    pub fn asking(&self, share: RoundRobin, widths: &Arc<Vec<usize>>) -> Earlier {
        let asked = (0..share.peers).map(|_| RefCell::default()).collect();
        Earlier { classes: self.classes.clone(), far: Some(Far { share, phase: Phase::Asking(asked, widths.clone()) }) }
    }

    /// For the second pass: reads the answers of each process.
    pub fn answered(&self, share: RoundRobin, answers: Vec<Vec<i16>>) -> Earlier {
        let answers = answers.into_iter().map(|codes| (codes, Cell::new(0))).collect();
        Earlier { classes: self.classes.clone(), far: Some(Far { share, phase: Phase::Answered(answers) }) }
    }
}

/// The values of the earlier classes that a class needs.
#[derive(Default)]
pub struct Earlier {
    classes: Vec<Option<Arc<Kept>>>,
    far: Option<Far>,
}

/// What other processes have.
struct Far {
    share: RoundRobin,
    phase: Phase,
}

enum Phase {
    Unasked,
    Asking(Vec<RefCell<Asked>>, Arc<Vec<usize>>),
    Answered(Vec<(Vec<i16>, Cell<usize>)>),
}

/// What one process is asked for: runs of names, each with its class and length.
#[derive(Default)]
struct Asked {
    bytes: Vec<u8>,
    /// The class of the last run, and where its length stands.
    run: Option<(usize, usize)>,
}

impl Asked {
    fn push(&mut self, class: usize, name: u128, width: usize) {
        let at = match self.run {
            Some((last, at)) if last == class => at,
            _ => {
                self.bytes.extend((class as u32).to_le_bytes());
                let at = self.bytes.len();
                self.bytes.extend([0; 4]);
                self.run = Some((class, at));
                at
            }
        };
        let length = &mut self.bytes[at..at + 4];
        let count = u32::from_le_bytes([length[0], length[1], length[2], length[3]]) + 1;
        length.copy_from_slice(&count.to_le_bytes());
        self.bytes.extend(&name.to_le_bytes()[..width]);
    }
}

impl Far {
    fn code(&self, class: usize, owner: usize, name: u128) -> &i16 {
        match &self.phase {
            Phase::Unasked => &NOTHING,
            Phase::Asking(asked, widths) => {
                asked[owner].borrow_mut().push(class, name, widths[class]);
                &NOTHING
            }
            Phase::Answered(answers) => {
                let (codes, next) = &answers[owner];
                let code = codes.get(next.replace(next.get() + 1));
                // More requests than in the first pass: an unknown value has been met already, which is an error.
                code.unwrap_or(&UNKNOWN)
            }
        }
    }
}

impl Earlier {
    fn here(&self, class: usize) -> &[i16] {
        &self.classes[class].as_ref().expect("a class that the graph needs").codes
    }

    /// What other processes are to be asked for, by process.
    pub(super) fn into_asked(self) -> Vec<Vec<u8>> {
        match self.far.map(|far| far.phase) {
            Some(Phase::Asking(asked, _)) => asked.into_iter().map(|asked| asked.into_inner().bytes).collect(),
            _ => Vec::new(),
        }
    }

    /// The codes ([`Value::code`]) of the slots of an earlier class, from a slot on.
    ///
    /// # Panics
    /// If the class is not among those the graph [`needs`](super::Graph::needs).
    pub fn codes(&self, class: usize, first: u64) -> EarlierCodes<'_> {
        match &self.far {
            None => EarlierCodes { here: &self.here(class)[first as usize..], far: None },
            Some(far) => EarlierCodes { here: self.here(class), far: Some((far, class, first)) },
        }
    }

    /// The codes of all slots of an earlier class, if none of them is on another process.
    ///
    /// # Panics
    /// If the class is not among those the graph [`needs`](super::Graph::needs).
    pub fn plane(&self, class: usize) -> Option<&[i16]> {
        self.far.is_none().then(|| self.here(class))
    }

    /// The value of a slot of an earlier class.
    ///
    /// # Panics
    /// If the class is not among those the graph [`needs`](super::Graph::needs).
    pub fn value(&self, class: usize, slot: u64) -> Value {
        Value::from_code(*self.codes(class, slot).fetch(0)).unwrap_or(Value::DRAW)
    }

    /// The value of a position of an earlier class that another process has, by its name; nothing if it does not know
    /// the name.
    pub(super) fn value_by_name(&self, class: usize, owner: usize, name: u128) -> Option<Value> {
        Value::from_code(*self.far.as_ref()?.code(class, owner, name))
    }
}

/// Codes of an earlier class, from a slot on.
#[derive(Clone, Copy)]
pub struct EarlierCodes<'a> {
    here: &'a [i16],
    far: Option<(&'a Far, usize, u64)>,
}

impl<'a> EarlierCodes<'a> {
    /// Asks for the code of a slot, to be read later.
    ///
    /// # Panics
    /// If the class has no such slot.
    #[inline(always)]
    pub fn fetch(&self, slot: u64) -> &'a i16 {
        match self.far {
            None => {
                let code = &self.here[slot as usize];
                prefetch(code);
                code
            }
            Some(far) => self.fetch_shared(far, slot),
        }
    }

    #[cold]
    #[inline(never)]
    fn fetch_shared(&self, (far, class, first): (&'a Far, usize, u64), slot: u64) -> &'a i16 {
        let (owner, local) = (far.share.owner(first + slot), far.share.local(first + slot));
        if owner == far.share.me { &self.here[local as usize] } else { far.code(class, owner, local.into()) }
    }
}
