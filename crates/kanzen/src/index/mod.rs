//! Positions as dense numbers.
