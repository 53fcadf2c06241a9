//! Unpacking zstd frames: by the C library where it is there, by pure Rust where it is not, as in a browser.
//!
//! A test compares the two on every block of several databases, and on frames of every shape.

#[cfg(not(target_family = "wasm"))]
mod native;
pub(super) mod portable;

#[cfg(not(target_family = "wasm"))]
pub(super) use native::{frame_bytes, pack, unpack};
#[cfg(target_family = "wasm")]
pub(super) use portable::{frame_bytes, pack, unpack};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{native, portable};

    fn packed(bytes: &[u8], level: i32) -> Vec<u8> {
        let mut frame = Vec::with_capacity(zstd::zstd_safe::compress_bound(bytes.len()));
        zstd::zstd_safe::compress(&mut frame, bytes, level).unwrap();
        frame
    }

    fn check(pieces: &[Vec<u8>], level: i32) {
        let frames: Vec<u8> = pieces.iter().flat_map(|piece| packed(piece, level)).collect();
        let whole = pieces.concat();
        assert_eq!(portable::unpack(&frames, whole.len()).as_ref(), Some(&whole));
        assert_eq!(native::unpack(&frames, whole.len()).as_ref(), Some(&whole));
        assert_eq!(portable::unpack(&frames, whole.len() + 1), None);
        let mut rest = &frames[..];
        while !rest.is_empty() {
            let length = native::frame_bytes(rest);
            assert_eq!(portable::frame_bytes(rest), length);
            rest = &rest[length.unwrap()..];
        }
    }

    #[test]
    fn frames_of_every_kind_of_block_are_unpacked_alike() {
        let noise: Vec<u8> = (0..300_000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let words: Vec<u8> = (0..300_000u32).flat_map(|at| (at / 7 % 1000).to_le_bytes()).collect();
        for level in [1, 3, 19] {
            check(&[vec![], vec![7], vec![7; 200_000], noise.clone(), words.clone()], level);
            check(&words.chunks(8192).take(20).map(<[u8]>::to_vec).collect::<Vec<_>>(), level);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_unpacked_alike(pieces in prop::collection::vec(prop::collection::vec(0u8..6, 0..5000), 0..6)) {
            check(&pieces, 3);
        }

        #[test]
        fn what_is_no_frame_is_refused_and_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200), at in 0usize..100) {
            let _ = portable::frame_bytes(&bytes);
            let _ = portable::unpack(&bytes, 100);
            let mut damaged = packed(&[3; 5000], 3);
            let at = at % damaged.len();
            damaged[at] ^= 1 << (bytes.len() % 8);
            let _ = portable::unpack(&damaged, 5000);
            let _ = portable::unpack(&damaged[..at], 5000);
        }
    }
}
