//! Which vector instructions to use, decided once at run time.
//!
//! A kernel is written once, in plain Rust on arrays of eight words. [`kernels!`] compiles it three times, for AVX-512,
//! for AVX2 and for any machine, and calls the one an [`Isa`] names.

/// An instruction set that this machine has.
///
/// ```
/// use kanzen::solve::slices::Isa;
/// assert!(Isa::available().contains(&Isa::best()));
/// assert!(Isa::available().contains(&Isa::PORTABLE));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Isa(Level);

// Private, so that nobody can name a set that the machine lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Isa {
    /// What every machine has.
    pub const PORTABLE: Isa = Isa(Level::Portable);

    /// All that this machine has, the best last.
    pub fn available() -> Vec<Isa> {
        #[allow(unused_mut)]
        let mut sets = vec![Isa::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            let popcnt = is_x86_feature_detected!("popcnt");
            let bmi = is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2");
            if popcnt && is_x86_feature_detected!("avx2") && bmi {
                sets.push(Isa(Level::Avx2));
            }
            if popcnt
                && bmi
                && is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vpopcntdq")
            {
                sets.push(Isa(Level::Avx512));
            }
        }
        sets
    }

    /// The best that this machine has.
    pub fn best() -> Isa {
        *Isa::available().last().expect("there is always the portable one")
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

    pub(super) fn level(self) -> Level {
        self.0
    }
}

/// Compiles kernels for each instruction set. The first parameter of each, `isa`, chooses.
macro_rules! kernels {
    ($($(#[$doc:meta])* $vis:vis fn $name:ident$(<$generic:ident: $bound:ident>)?(
        isa, $($arg:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block)*) => {$(
        $(#[$doc])*
        $vis fn $name$(<$generic: $bound>)?(isa: $crate::solve::slices::Isa, $($arg: $type),*) $(-> $result)? {
            #[inline(always)]
            fn plain$(<$generic: $bound>)?($($arg: $type),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
            fn avx2$(<$generic: $bound>)?($($arg: $type),*) $(-> $result)? { plain$(::<$generic>)?($($arg),*) }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt")]
            fn avx512$(<$generic: $bound>)?($($arg: $type),*) $(-> $result)? { plain$(::<$generic>)?($($arg),*) }

            match isa.level() {
                $crate::solve::slices::isa::Level::Portable => plain$(::<$generic>)?($($arg),*),
                // SAFETY: an `Isa` of this level exists only where its instructions were detected.
                #[cfg(target_arch = "x86_64")]
                $crate::solve::slices::isa::Level::Avx2 => unsafe { avx2$(::<$generic>)?($($arg),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                $crate::solve::slices::isa::Level::Avx512 => unsafe { avx512$(::<$generic>)?($($arg),*) },
            }
        }
    )*};
}
pub(super) use kernels;
