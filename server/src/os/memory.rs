//! Memory that is free goes back to the system.
//!
//! A walk and the decoding of git's index need, for a moment, several times the memory of the index that they leave
//! behind. glibc keeps nearly all of it: at 100,000 files 130 bytes a path stayed resident for an index of 46. What
//! stays with these calls is in `BENCHMARKS.md`. mimalloc was tried instead and kept 700.
//!
//! The only `unsafe` code of the program: no crate wraps these two functions.

/// Blocks of at least this many bytes are mapped on their own, and so go back when they are freed. It is glibc's own
/// starting value; naming it stops glibc from raising it, up to 32 MiB, with each large block that is freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const OWN_MAPPING: libc::c_int = 128 * 1024;

/// Makes the allocator return large blocks at once. To be called first thing in `main`.
pub(crate) fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "see the module's text")]
        // SAFETY: takes two numbers and sets a parameter of the allocator; no other thread runs yet.
        let set = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, OWN_MAPPING) };
        debug_assert_eq!(set, 1, "mallopt refuses only values above 32 MiB");
    }
}

/// Returns what the allocator still keeps. To be called after an index was built from a walk; takes about a millisecond.
pub(crate) fn trim_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "see the module's text")]
        // SAFETY: takes a number and touches only free memory, under the allocator's own locks; may be called at any
        // time and from any thread.
        let returned = unsafe { libc::malloc_trim(0) };
        tracing::debug!(returned, "memory given back");
    }
}

pub(crate) use trim_heap as give_back;
