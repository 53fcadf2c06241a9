//! Takes apart and reassembles the contents of block files: planes, keys and values with exceptions.

use super::block_file::{BlockParts, packed};

/// A plane: one index into a palette for each slot.
pub struct Plane {
    pub slots: u64,
    pub entries: u64,
    pub page: u64,
    /// Codes of values, worst first.
    pub palette: Vec<i16>,
    pub indices: Vec<u16>,
}

fn numbers(head: &[u8]) -> [u64; 3] {
    [0, 8, 16].map(|at| u64::from_le_bytes(head[at..at + 8].try_into().unwrap()))
}

fn width(palette: usize) -> usize {
    if palette <= 256 { 1 } else { 2 }
}

impl Plane {
    pub fn of(parts: &BlockParts) -> Plane {
        let last = parts.blocks.len() - 1;
        let head = parts.unpacked(last);
        let [slots, entries, page] = numbers(&head);
        let palette: Vec<i16> = head[24..].chunks_exact(2).map(|code| i16::from_le_bytes([code[0], code[1]])).collect();
        let bytes: Vec<u8> = (0..last).flat_map(|block| parts.unpacked(block)).collect();
        let indices = match width(palette.len()) {
            1 => bytes.into_iter().map(u16::from).collect(),
            _ => bytes.chunks_exact(2).map(|index| u16::from_le_bytes([index[0], index[1]])).collect(),
        };
        Plane { slots, entries, page, palette, indices }
    }

    /// Writes it to a file, as valid as its parts allow.
    pub fn put(&self, parts: &mut BlockParts) {
        let wide = width(self.palette.len()) == 2;
        let page = (self.page as usize).clamp(1, 1 << 20);
        let encode = |indices: &[u16]| -> Vec<u8> {
            match wide {
                true => indices.iter().flat_map(|index| index.to_le_bytes()).collect(),
                false => indices.iter().map(|&index| index as u8).collect(),
            }
        };
        let chunks = self.indices.chunks((self.entries as usize).clamp(1, 1 << 20));
        parts.blocks = chunks.map(|indices| packed(&encode(indices), page)).collect();
        parts.blocks.push(packed(&self.head(), page));
    }

    /// Its head.
    pub fn head(&self) -> Vec<u8> {
        let mut head: Vec<u8> = [self.slots, self.entries, self.page].iter().flat_map(|n| n.to_le_bytes()).collect();
        head.extend(self.palette.iter().flat_map(|code| code.to_le_bytes()));
        head
    }
}

/// A list of keys.
pub struct Keys {
    pub len: u64,
    pub per_block: u64,
    pub width: u64,
    pub keys: Vec<u128>,
}

impl Keys {
    pub fn of(parts: &BlockParts) -> Keys {
        let last = parts.blocks.len() - 1;
        let head = parts.unpacked(last);
        let [len, per_block, width] = numbers(&head);
        let firsts = head[24..].chunks_exact(width as usize).map(|first| {
            let mut wide = [0; 16];
            wide[..first.len()].copy_from_slice(first);
            u128::from_le_bytes(wide)
        });
        let mut keys = Vec::new();
        for (block, first) in firsts.enumerate() {
            keys.push(first);
            let mut distance = (0u128, 0);
            for byte in parts.unpacked(block) {
                distance = (distance.0 | u128::from(byte & 0x7f) << distance.1, distance.1 + 7);
                if byte < 0x80 {
                    keys.push(keys[keys.len() - 1] + distance.0 + 1);
                    distance = (0, 0);
                }
            }
        }
        Keys { len, per_block, width, keys }
    }

    /// Writes the keys in their current order.
    pub fn put(&self, parts: &mut BlockParts) {
        let chunks: Vec<&[u128]> = self.keys.chunks((self.per_block as usize).clamp(1, 1 << 20)).collect();
        let encode = |keys: &[u128]| -> Vec<u8> {
            let mut bytes = Vec::new();
            for pair in keys.windows(2) {
                let mut distance = pair[1].wrapping_sub(pair[0]).wrapping_sub(1);
                while distance >= 0x80 {
                    bytes.push(distance as u8 | 0x80);
                    distance >>= 7;
                }
                bytes.push(distance as u8);
            }
            bytes
        };
        parts.blocks = chunks.iter().map(|keys| packed(&encode(keys), 1 << 20)).collect();
        let mut head: Vec<u8> = [self.len, self.per_block, self.width].iter().flat_map(|n| n.to_le_bytes()).collect();
        for keys in chunks {
            head.extend(&keys[0].to_le_bytes()[..(self.width as usize).clamp(1, 16)]);
        }
        parts.blocks.push(packed(&head, 1 << 20));
    }
}

/// Values with exceptions, chunk by chunk: a value and a case for each slot, and the exceptions of the cases.
pub struct Exceptions {
    pub chunks: Vec<[Vec<u8>; 3]>,
}

impl Exceptions {
    pub fn of(parts: &BlockParts) -> Exceptions {
        let chunk = |first: usize| [0, 1, 2].map(|part| parts.unpacked(3 * first + part));
        Exceptions { chunks: (0..parts.blocks.len() / 3).map(chunk).collect() }
    }

    pub fn put(&self, parts: &mut BlockParts) {
        parts.blocks = self.chunks.iter().flatten().map(|bytes| packed(bytes, 1 << 26)).collect();
    }

    /// Changes the value, case and exception of a slot, and keeps the exception bytes in step.
    pub fn set(&mut self, chunk: usize, slot: usize, value: u8, case: u8, then: u8) {
        let [values, cases, thens] = &mut self.chunks[chunk];
        let place = cases[..slot].iter().filter(|&&case| case != 0).count();
        if cases[slot] != 0 {
            thens.remove(place);
        }
        if case != 0 {
            thens.insert(place, then);
        }
        (values[slot], cases[slot]) = (value, case);
    }
}
