//! What `--version` tells: enough to know from a report which program it was.

use kanzen::machine::cpu::Isa;

/// The version, the commit and target it was built from and for, its features, and the kernels it will use here. A text
/// for as long as the program runs, which is all that clap takes.
pub fn long() -> &'static str {
    let known: Vec<&str> = Isa::available().into_iter().map(Isa::name).collect();
    let features = match env!("KANZEN_FEATURES") {
        "" => "none",
        features => features,
    };
    String::leak(format!(
        "{}\ncommit    {}\ntarget    {}\nfeatures  {features}\nkernels   {}, of {}; KANZEN_CPU=portable or avx2 asks for others",
        env!("CARGO_PKG_VERSION"),
        env!("KANZEN_COMMIT"),
        env!("KANZEN_TARGET"),
        Isa::best().name(),
        known.join(", "),
    ))
}
