//! libFuzzer as a function: `run` is what the fuzz targets call when `tests/fuzz/run` has built them with `--cfg fuzzing`. Without that
//! the crate is empty, so that no other build compiles libFuzzer.
//!
//! Considered: bolero 0.13, which pins a version of indexmap that this workspace cannot have, and cargo-fuzz, whose targets are
//! programs of their own and would not see what is private to a package.
#![cfg(fuzzing)]

use std::ffi::{CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

// Links the library.
use libfuzzer_sys as _;

/// The target of this process.
static TARGET: OnceLock<fn(&[u8])> = OnceLock::new();

#[expect(unsafe_code, reason = "a function of libFuzzer")]
unsafe extern "C" {
    /// libFuzzer's documented entry for programs that have a `main` of their own (`FuzzerDriver.cpp`).
    fn LLVMFuzzerRunDriver(
        argc: *mut c_int,
        argv: *mut *mut *mut c_char,
        target: extern "C" fn(*const u8, usize) -> c_int,
    ) -> c_int;
}

/// Gives `target` inputs until libFuzzer's limits are reached, and ends the process. `arguments` are those of libFuzzer: options,
/// and directories of inputs, of which the first receives new ones.
#[expect(clippy::exit, reason = "libFuzzer owns the process from here on")]
pub fn run(target: fn(&[u8]), arguments: &[String]) -> ! {
    assert!(TARGET.set(target).is_ok(), "one target in a process");
    let program = std::iter::once("fuzz");
    let words = program.chain(arguments.iter().map(String::as_str));
    let words: Vec<CString> = words.map(|word| CString::new(word).expect("no NUL in an argument")).collect();
    let mut pointers: Vec<*mut c_char> = words.iter().map(|word| word.as_ptr().cast_mut()).collect();
    let mut count = c_int::try_from(pointers.len()).expect("few arguments");
    pointers.push(std::ptr::null_mut());
    let mut argv = pointers.as_mut_ptr();
    #[expect(
        unsafe_code,
        reason = "the one call into libFuzzer; `argc` and `argv` live until it returns, as for a `main`"
    )]
    // SAFETY: `argv` has `count` NUL-terminated strings and a null pointer behind them, all of which outlive the call.
    let status = unsafe { LLVMFuzzerRunDriver(&raw mut count, &raw mut argv, test_one_input) };
    std::process::exit(status)
}

/// One input of libFuzzer. A panic must not unwind into it, and an abort is how it learns of a failure.
extern "C" fn test_one_input(data: *const u8, size: usize) -> c_int {
    #[expect(unsafe_code, reason = "libFuzzer hands over a pointer and a length")]
    // SAFETY: libFuzzer's contract: `size` readable bytes at `data` for the time of the call; the pointer may be null for none.
    let input = if size == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(data, size) } };
    let target = TARGET.get().expect("set before the driver runs");
    if catch_unwind(AssertUnwindSafe(|| target(input))).is_err() {
        std::process::abort();
    }
    0
}

/// `libfuzzer-sys` calls this symbol from its own `main`; it has to exist to be linked.
#[expect(unsafe_code, reason = "a symbol that another library looks for")]
// SAFETY: no other library of this program defines this name.
#[unsafe(no_mangle)]
#[expect(improper_ctypes_definitions, reason = "`libfuzzer-sys` declares it so; both sides are Rust")]
extern "C" fn rust_fuzzer_test_input(_input: &[u8]) -> i32 {
    0
}
