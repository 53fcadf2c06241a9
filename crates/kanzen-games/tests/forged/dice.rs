//! Seeded random numbers.

/// A generator (splitmix64).
pub struct Dice(u64);

impl Dice {
    /// A generator with a seed.
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// Any number.
    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let once = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let twice = (once ^ once >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        twice ^ twice >> 31
    }

    /// A number below `sides`; 0 if `sides` is 0.
    pub fn below(&mut self, sides: usize) -> usize {
        (self.any() % sides.max(1) as u64) as usize
    }

    /// True with probability 1 / `sides`.
    pub fn one_in(&mut self, sides: usize) -> bool {
        self.below(sides) == 0
    }

    /// A random element.
    pub fn pick<'a, T>(&mut self, some: &'a [T]) -> &'a T {
        &some[self.below(some.len())]
    }

    /// A replacement for `old`: near it, at the limits of its type, or any number.
    pub fn other(&mut self, old: u64) -> u64 {
        let any = self.any() >> self.below(64);
        let edges = [
            0,
            1,
            2,
            old.wrapping_add(1),
            old.wrapping_sub(1),
            old.wrapping_mul(2),
            old / 2,
            u64::from(u16::MAX),
            u64::from(u32::MAX),
            1 << 26,
            (1 << 26) + 1,
            1 << 40,
            1 << 63,
            u64::MAX - 1,
            u64::MAX,
            any,
        ];
        *self.pick(&edges)
    }
}
