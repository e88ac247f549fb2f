//! Returns free memory to the system. Called by `main` and after an index was built.
//!
//! A walk and the decoding of git's index briefly need several times the memory of the finished index. glibc keeps
//! nearly all of it: at 100,000 files 130 bytes per path stayed resident for an index of 46. `BENCHMARKS.md` has the
//! numbers with these calls. mimalloc was tried instead and kept 700.
//!
//! This is the only `unsafe` code of the program: no crate wraps these two functions of the allocator.

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

/// Makes the allocator keep freed memory, for a command that ends soon. `check` reads and parses every file; giving each text back
/// and asking for memory again for the next took 6 % of its time in laravel/framework.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// Larger than any text that is read at once.
        const LARGE_BLOCK: libc::c_int = 8 << 20;
        /// No limit: the process ends before it matters.
        const KEPT_BYTES: libc::c_int = 1 << 30;
        /// Memory asked for at once: a few times what a parsed file takes.
        const STEP_BYTES: libc::c_int = 4 << 20;
        let parameters = [
            (libc::M_MMAP_THRESHOLD, LARGE_BLOCK),
            (libc::M_TRIM_THRESHOLD, KEPT_BYTES),
            (libc::M_TOP_PAD, STEP_BYTES),
        ];
        for (parameter, value) in parameters {
            #[expect(unsafe_code, reason = "no crate wraps this function")]
            // SAFETY: passes two numbers and sets a parameter of the allocator, under the allocator's own lock.
            let set = unsafe { libc::mallopt(parameter, value) };
            debug_assert_eq!(set, 1, "mallopt refuses only values above 32 MiB for blocks");
        }
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
