//! The command `kanzen`.
fn main() {}
