//! Headers that are not files of the project: those of systems and well-known libraries, and those that tools generate.
//!
//! `resolve` calls it before it reports a header as missing.

use std::sync::OnceLock;

use parking_lot::RwLock;
use rustc_hash::FxHashMap;

use super::build_files::BuildFiles;
use crate::cmake::index::CmakeIndex;
use crate::make::index::MakefileIndex;
use pathfinder_literals::path::{extension, name};
use pathfinder_literals::{Project, ProjectIndex};

/// First directories of headers of systems and libraries, even if the project has a directory of that name.
const EXTERNAL_DIRECTORIES: [&str; 52] = [
    "android",
    "arpa",
    "asm",
    "asm-generic",
    "bits",
    "boost",
    "cuda",
    "curl",
    "dispatch",
    "event2",
    "flutter",
    "freetype2",
    "gdk",
    "glib",
    "gnu",
    "google",
    "gtk",
    "java",
    "jemalloc",
    "json",
    "kern",
    "libxml",
    "linux",
    "lua",
    "mach",
    "mach-o",
    "machine",
    "malloc",
    "mysql",
    "net",
    "netinet",
    "netinet6",
    "nghttp2",
    "node",
    "objc",
    "openssl",
    "os",
    "pcre",
    "perl",
    "php",
    "postgresql",
    "pthread",
    "python",
    "rpc",
    "ruby",
    "sys",
    "systemd",
    "uapi",
    "valgrind",
    "windows",
    "x86_64-linux-gnu",
    "zlib",
];

/// Headers of systems and libraries that are often quoted: lower-case, without extension, sorted.
const EXTERNAL_STEMS: [&str; 68] = [
    "arduino",
    "assert",
    "atlbase",
    "bzlib",
    "cblas",
    "cfitsio",
    "cuda",
    "cuda_runtime",
    "cudnn",
    "curses",
    "dirent",
    "dlfcn",
    "emscripten",
    "errno",
    "expat",
    "f2c",
    "fcntl",
    "fftw3",
    "float",
    "fuse",
    "gdi32",
    "getopt",
    "gmp",
    "hdf5",
    "inttypes",
    "io",
    "iostream",
    "jansson",
    "jni",
    "jpeglib",
    "lapack",
    "lauxlib",
    "libintl",
    "limits",
    "lua",
    "lualib",
    "malloc",
    "math",
    "memory",
    "mpi",
    "napi",
    "ncurses",
    "netdb",
    "node_api",
    "omp",
    "pcre",
    "png",
    "pthread",
    "python",
    "r",
    "readline",
    "regex",
    "sdl",
    "sdl2",
    "signal",
    "sqlite3",
    "stdint",
    "stdio",
    "stdlib",
    "string",
    "strings",
    "termios",
    "time",
    "unistd",
    "windows",
    "winsock2",
    "zconf",
    "zlib",
];

/// Headers in Debian's packages of systems and libraries: lower-case, sorted by bytes, one per line.
/// `models/literals/headers.py` generates the file and documents its content.
const KNOWN_HEADERS: &str = include_str!("headers.txt");

/// Returns whether a system or well-known library has this header: without a directory, or below a directory of such a library.
pub(super) fn is_known_header(path: &str) -> bool {
    static ALL: OnceLock<Vec<&str>> = OnceLock::new();
    let last = name(path);
    if path.split_once('/').is_some_and(|(head, _)| !is_external_directory(head)) {
        return false;
    }
    let all = ALL.get_or_init(|| KNOWN_HEADERS.lines().collect());
    is_external_name(last) || all.binary_search(&last.to_ascii_lowercase().as_str()).is_ok()
}

/// Returns whether headers below this directory belong to a system or a well-known library.
pub(super) fn is_external_directory(head: &str) -> bool {
    EXTERNAL_DIRECTORIES.contains(&head)
}

/// Returns whether a header without a directory belongs to a system or a well-known library.
pub(super) fn is_external_name(path: &str) -> bool {
    let stem = path.split('.').next().unwrap_or(path).to_ascii_lowercase();
    // Headers of the C++ standard library have no extension.
    !path.contains('.') || EXTERNAL_STEMS.binary_search(&stem.as_str()).is_ok()
}

/// The generators of the headers that were asked for, by the written path: most files include the same headers of the system.
#[derive(Debug, Default)]
struct HeaderGenerators(RwLock<FxHashMap<String, Option<String>>>);

impl HeaderGenerators {
    /// Limit of the stored headers: more than a large project includes, and some megabytes.
    const MAX_HEADERS: usize = 1 << 15;
}

impl ProjectIndex for HeaderGenerators {
    fn build(_: &Project) -> Self {
        Self::default()
    }
}

/// The tool that generates a header, judged by the name and by files of the project that it could be generated from.
pub(super) fn generated_by(project: &Project, written: &str) -> Option<String> {
    let known = project.index::<HeaderGenerators>();
    if let Some(by) = known.0.read().get(written) {
        return by.clone();
    }
    let by = find_generator(project, written);
    let mut all = known.0.write();
    if all.len() < HeaderGenerators::MAX_HEADERS {
        all.insert(written.to_owned(), by.clone());
    }
    by
}

/// Finds the answer of [`generated_by`].
fn find_generator(project: &Project, written: &str) -> Option<String> {
    let last = name(written);
    generated_by_name(last).map(str::to_owned).or_else(|| {
        if project.index::<CmakeIndex>().generates(last) {
            return Some("CMake".to_owned());
        }
        if project.index::<BuildFiles>().generates(last) {
            return Some("a build rule".to_owned());
        }
        if let Some(by) = project.index::<MakefileIndex>().rule_for(written.trim_start_matches("../")) {
            return Some(by.to_owned());
        }
        generated_by_source(project, last)
    })
}

/// The generator, judged by the name alone.
fn generated_by_name(last: &str) -> Option<&'static str> {
    const SUFFIXES: [(&str, &str); 29] = [
        (".pb.h", "protoc"),
        (".pb.cc", "protoc"),
        (".pb-c.h", "protoc-c"),
        (".pb.inc", "protoc"),
        (".upb.h", "protoc"),
        (".upbdefs.h", "protoc"),
        (".upb_minitable.h", "protoc"),
        (".moc", "moc"),
        (".moc.cpp", "moc"),
        (".tab.h", "bison"),
        (".tab.hh", "bison"),
        (".tab.c", "bison"),
        (".yy.h", "flex"),
        (".yy.c", "flex"),
        (".pbobjc.h", "protoc"),
        (".pbobjc.m", "protoc"),
        ("_export.h", "CMake"),
        ("_generated.h", "a code generator"),
        (".generated.h", "a code generator"),
        (".gen.h", "a code generator"),
        (".g.h", "a code generator"),
        (".skel.h", "bpftool"),
        ("-Swift.h", "the Swift compiler"),
        (".rs.h", "cxx"),
        (".gperf.h", "gperf"),
        ("_autogen.h", "a code generator"),
        ("_config.h", "configure"),
        ("-config.h", "configure"),
        (".embed.h", "a build rule"),
    ];
    const PREFIXES: [(&str, &str); 5] =
        [("moc_", "moc"), ("ui_", "uic"), ("qrc_", "rcc"), ("lex.", "flex"), ("GeneratedPluginRegistrant", "Flutter")];
    const NAMES: [(&str, &str); 14] = [
        ("config.h", "configure"),
        ("config.hpp", "configure"),
        ("autoconfig.h", "configure"),
        ("autoconf.h", "configure"),
        ("cmakeconfig.h", "CMake"),
        ("version.h", "a build rule"),
        ("version.hpp", "a build rule"),
        ("git_version.h", "a build rule"),
        ("revision.h", "a build rule"),
        ("build_info.h", "a build rule"),
        ("buildinfo.h", "a build rule"),
        ("y.tab.h", "bison"),
        ("y.tab.c", "bison"),
        ("flutter_export_environment.h", "Flutter"),
    ];
    let end = SUFFIXES.iter().find(|(end, _)| last.ends_with(end));
    let start = || PREFIXES.iter().find(|(start, _)| last.starts_with(start));
    let itself = || NAMES.iter().find(|(whole, _)| last.eq_ignore_ascii_case(whole));
    end.or_else(start).or_else(itself).map(|(_, by)| *by)
}

/// The file of the project that a header is generated from: `x.h.in` or the grammar `x.y` for an `x.h`.
fn generated_by_source(project: &Project, last: &str) -> Option<String> {
    const TEMPLATES: [&str; 12] =
        [".in", ".cmake", ".cmake.in", ".in.cmake", ".tmpl", ".template", ".tpl", ".j2", ".mako", ".erb", ".tt", ".sh"];
    const SOURCES: [&str; 12] = ["asn1", "gperf", "idl", "l", "ll", "map", "rl", "thrift", "txt", "xml", "y", "yy"];
    let stem = last.split('.').next().unwrap_or(last);
    let extension = extension(last);
    let others = ["in", "hin", "cmake"].map(|end| format!("{stem}.{end}"));
    let dashed = format!("{stem}-{extension}.in");
    let underlined = format!("{stem}_{extension}.in");
    let templates = TEMPLATES.iter().map(|end| format!("{last}{end}"));
    let sources = SOURCES.iter().map(|end| format!("{stem}.{end}"));
    templates
        .chain(others)
        .chain([dashed, underlined])
        .chain(sources)
        .find_map(|name| project.find_by_suffix(&name).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::EXTERNAL_STEMS;

    #[test]
    fn stems_are_sorted() {
        assert!(EXTERNAL_STEMS.is_sorted(), "{EXTERNAL_STEMS:?}");
    }
}
