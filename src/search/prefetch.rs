//! Asking the processor to fetch a cache line ahead of time.
//!
//! The table is far larger than the caches, so a probe waits for memory unless
//! its line was asked for when the move was chosen.
#![allow(unsafe_code, reason = "the prefetch instruction has no safe form")]

/// Fetches the cache line that holds this value, where the processor can be told
/// so. Never changes a result.
#[inline(always)]
pub(super) fn line<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction is part of every x86-64 processor; it only hints,
    // and the address is that of a live value.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
