//! The processor: which instructions it has, bits gathered and spread, and work compiled for it.

mod gather;
mod isa;
mod work;

pub use crate::__kernels as kernels;
pub use gather::{Gather, Portable, pdep, pext};
pub use isa::Isa;
#[cfg(target_arch = "x86_64")]
pub use isa::{Avx2, Avx512};
pub use work::{Work, dispatch, dispatch_on};
