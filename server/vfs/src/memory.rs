//! Returns free memory to the system. Called by `main` and after an index was built.
//!
//! A walk and the decoding of git's index briefly need several times the memory of the finished index. glibc keeps
//! nearly all of it: at 100,000 files 130 bytes per path stayed resident for an index of 46. `BENCHMARKS.md` has the
//! numbers with these calls. mimalloc was tried instead and kept 700.
//!
//! This is the only `unsafe` code of the program: no crate wraps these two functions.

/// Blocks of at least this many bytes are mapped on their own, so freeing them returns their memory. It is glibc's own
/// initial threshold. Setting it stops glibc from raising it, up to 32 MiB, with each large block that is freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const OWN_MAPPING: libc::c_int = 128 * 1024;

/// Makes the allocator return large blocks as soon as they are freed. Call it first in `main`.
pub fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "no crate wraps this function")]
        // SAFETY: passes two numbers and sets a parameter of the allocator; no other thread runs yet.
        let set = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, OWN_MAPPING) };
        debug_assert_eq!(set, 1, "mallopt refuses only values above 32 MiB");
    }
}

/// Returns free memory that the allocator still holds. Call it after building an index from a walk; takes about a
/// millisecond.
pub fn trim_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "no crate wraps this function")]
        // SAFETY: passes a number and touches only free memory, under the allocator's own locks; any thread may call it
        // at any time.
        let returned = unsafe { libc::malloc_trim(0) };
        tracing::debug!(returned, "returned free memory to the system");
    }
}
