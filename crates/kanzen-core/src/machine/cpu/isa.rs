//! Detects the instruction sets of this processor, and issues proof tokens for them.
//!
//! ```text
//! Isa                 one of three sets: any machine, AVX2, AVX-512
//! Avx2, Avx512        a value of the type proves that the processor has the set: unsafe code requires one
//! kernels!            compiles a function for all three and calls the one that an `Isa` names
//! ```
//!
//! `KANZEN_CPU=portable` (or `avx2`) hides what is above it, for tests and comparisons.

use std::sync::OnceLock;

/// A set of instructions that this machine has.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::machine::cpu::Isa;
/// assert!(Isa::available().contains(&Isa::best()));
/// assert!(Isa::available().contains(&Isa::PORTABLE));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Isa(Level);

// Private, so that no caller can construct a set that the machine lacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Proof that the processor has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// Proof that the processor has what [`Avx2`] proves, and AVX-512 with its parts F, BW, CD, DQ, VL and VPOPCNTDQ.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// The proof of the smaller set, which this one holds.
    #[inline]
    pub fn avx2(self) -> Avx2 {
        Avx2(())
    }
}

impl Isa {
    /// What every machine has.
    pub const PORTABLE: Isa = Isa(Level::Portable);

    /// The best that this machine has, and that `KANZEN_CPU` allows.
    #[inline]
    pub fn best() -> Isa {
        static BEST: OnceLock<Isa> = OnceLock::new();
        *BEST.get_or_init(|| match std::env::var("KANZEN_CPU").as_deref() {
            Ok("portable") => Isa::PORTABLE,
            #[cfg(target_arch = "x86_64")]
            Ok("avx2") => Isa(detect().0.min(Level::Avx2)),
            _ => detect(),
        })
    }

    /// All that this machine has and may use, the best last.
    pub fn available() -> Vec<Isa> {
        let all = [
            Level::Portable,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2,
            #[cfg(target_arch = "x86_64")]
            Level::Avx512,
        ];
        all.into_iter().filter(|&level| level <= Isa::best().0).map(Isa).collect()
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self.0 {
            Level::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "AVX-512",
        }
    }

    /// The proof of AVX2, if this set has it.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub fn avx2(self) -> Option<Avx2> {
        (self.0 >= Level::Avx2).then_some(Avx2(()))
    }

    /// The proof of AVX-512, if this set has it.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub fn avx512(self) -> Option<Avx512> {
        (self.0 >= Level::Avx512).then_some(Avx512(()))
    }
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Isa {
    macro_rules! has {
        ($($feature:tt)*) => { $(is_x86_feature_detected!($feature))&&* };
    }
    Isa(match has!("avx2" "bmi1" "bmi2" "lzcnt" "popcnt") {
        false => Level::Portable,
        true if has!("avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl" "avx512vpopcntdq") => Level::Avx512,
        true => Level::Avx2,
    })
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Isa {
    Isa::PORTABLE
}

/// Compiles kernels for each instruction set. The first parameter of each, `isa`, chooses.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::machine::cpu::{Isa, kernels};
/// kernels! {
///     /// The ones of all words.
///     fn ones(isa, words: &[u64]) -> u32 { words.iter().map(|word| word.count_ones()).sum() }
/// }
/// for isa in Isa::available() {
///     assert_eq!(ones(isa, &[7, 8]), 4);
/// }
/// ```
#[macro_export]
#[doc(hidden)]
macro_rules! __kernels {
    ($($(#[$doc:meta])* $vis:vis fn $name:ident$(<$generic:ident: $bound:ident>)?(
        isa, $($arg:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block)*) => {$(
        $(#[$doc])*
        $vis fn $name$(<$generic: $bound>)?(isa: $crate::machine::cpu::Isa, $($arg: $type),*) $(-> $result)? {
            #[inline(always)]
            fn plain$(<$generic: $bound>)?($($arg: $type),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn avx2$(<$generic: $bound>)?($($arg: $type),*) $(-> $result)? { plain$(::<$generic>)?($($arg),*) }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vpopcntdq")]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn avx512$(<$generic: $bound>)?($($arg: $type),*) $(-> $result)? { plain$(::<$generic>)?($($arg),*) }

            #[cfg(target_arch = "x86_64")]
            if isa.avx512().is_some() {
                // SAFETY: the proof exists only where these instructions were detected.
                return unsafe { avx512$(::<$generic>)?($($arg),*) };
            }
            #[cfg(target_arch = "x86_64")]
            if isa.avx2().is_some() {
                // SAFETY: as above.
                return unsafe { avx2$(::<$generic>)?($($arg),*) };
            }
            // Elsewhere there is but one way.
            let _ = isa;
            plain$(::<$generic>)?($($arg),*)
        }
    )*};
}
