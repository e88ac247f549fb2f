//! A heuristic for first-party headers: whether a missing quoted header belongs to the project.
//!
//! It compares names of the project's headers and of the including file. Nothing else separates a project's `"ntdll.h"`
//! from that of a system.

use super::headers::HeaderIndex;
use pathfinder_literals::path::name;

/// Names that no library gives to a header for others to include.
const FIRST_PARTY_STEMS: [&str; 20] = [
    "common",
    "constants",
    "defs",
    "globals",
    "helper",
    "helpers",
    "internal",
    "internals",
    "macros",
    "options",
    "precomp",
    "private",
    "settings",
    "stdafx",
    "test",
    "testing",
    "tests",
    "types",
    "util",
    "utils",
];

/// Words that do not tell a project's header from others: platforms, and libraries that files are named after.
const AMBIGUOUS_WORDS: [&str; 44] = [
    "api", "base", "c", "config", "cpp", "cuda", "gl", "gpu", "hip", "image", "impl", "internal", "io", "jni", "lib",
    "linux", "llvm", "lua", "mac", "main", "mpi", "net", "opencl", "openssl", "os", "osx", "posix", "py", "python",
    "sdl", "sql", "ssl", "string", "sys", "test", "thread", "unix", "util", "utils", "vulkan", "win", "win32",
    "windows", "zlib",
];

/// Returns whether a quoted header without a directory belongs to the project.
pub(super) fn is_first_party(headers: &HeaderIndex, includer: &str, header: &str) -> bool {
    headers.is_in_family(header) || FIRST_PARTY_STEMS.contains(&stem(header)) || shares_word(includer, header)
}

/// Returns whether a name of several words shares a distinctive word with the including file.
fn shares_word(includer: &str, header: &str) -> bool {
    let words = |path| stem(path).split(['_', '-']).filter(|word: &&str| word.len() > 1);
    let is_distinctive = |word: &&str| !AMBIGUOUS_WORDS.contains(&word.to_ascii_lowercase().as_str());
    words(header).count() > 1
        && words(header).filter(is_distinctive).any(|word| words(includer).any(|other| other == word))
}

fn stem(path: &str) -> &str {
    let name = name(path);
    name.split('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::super::headers::HeaderIndex;
    use super::is_first_party;

    #[test]
    fn recognizes_first_party_headers() {
        let headers = HeaderIndex::new(&[]);
        let check = |includer: &str, header: &str, expect: bool| {
            assert_eq!(is_first_party(&headers, includer, header), expect, "{header} in {includer}");
        };
        check("test/runner-unix.c", "test-runner-unix.h", true);
        check("include/uv.h", "uv-version.h", true);
        check("src/win/a.c", "common.h", true);
        check("compat/ipc-win32.c", "accctrl.h", false);
        check("src/unix/os390-syscalls.h", "zos-base.h", false);
        check("src/zstd_file.c", "zstd.h", false);
        check("src/cuda_math.cu", "cuda_fp16.h", false);
        check("src/win32_io.c", "win32_api.h", false);
    }
}
