//! Memory for large tables, in huge pages where the system grants them: random
//! access to ordinary ones keeps missing the processor's table of pages.
#![allow(unsafe_code, reason = "advice about memory has no safe form")]

use bytemuck::Zeroable;

/// A table of zeros.
///
/// # Panics
/// If the memory cannot be had; for tables of a fixed, moderate size.
pub(super) fn zeroed<T: Zeroable>(length: usize) -> Box<[T]> {
    try_zeroed(length).expect("a few megabytes can be had")
}

/// A table of zeros, or nothing if the memory cannot be had.
pub(super) fn try_zeroed<T: Zeroable>(length: usize) -> Option<Box<[T]>> {
    let table = bytemuck::allocation::try_zeroed_slice_box(length).ok()?;
    advise(&table);
    Some(table)
}

/// Asks for huge pages. The system is free not to listen.
fn advise<T>(table: &[T]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let start = table.as_ptr().addr().next_multiple_of(PAGE);
        let end = (table.as_ptr().addr() + size_of_val(table)) / PAGE * PAGE;
        if end > start {
            let first = table.as_ptr().with_addr(start).cast_mut().cast();
            // SAFETY: whole pages that belong to the table, which is alive; the
            // advice changes how they are backed, never what they hold.
            let _ = unsafe { libc::madvise(first, end - start, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = table;
}
