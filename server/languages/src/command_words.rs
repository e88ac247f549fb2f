//! Recognises command arguments that look like paths of source files. The checks of shell scripts and makefiles use it.
//!
//! Such a word may be an output, a name in an archive, a path in a container or below another working directory. So it must
//! look like a source file. It is missing only if no directory of the tree makes it resolve and its first segment is a name of
//! the project.

use crate::left_paths;
use pathfinder_literals::path::{ancestors, extension, join};
use pathfinder_literals::report::{resolve_without_base, severity_in};
use pathfinder_literals::{Reason, Report, Resolution, Severity, Verdict, Want};

/// Extensions of hand-written files. Extensions that tools mostly write (`.xml`, `.html`, `.o`, archives) are left out.
const SOURCE_EXTENSIONS: [&str; 69] = [
    "adoc", "bash", "bat", "bats", "c", "cc", "cfg", "cjs", "clj", "cmake", "conf", "cpp", "cs", "cu", "cxx", "dart",
    "el", "erl", "ex", "exs", "fish", "go", "gradle", "graphql", "h", "hh", "hpp", "hs", "in", "inc", "ini", "java",
    "js", "json", "jsx", "kt", "lua", "m", "md", "mjs", "mk", "ml", "nix", "php", "pl", "pm", "proto", "ps1", "py",
    "rb", "rs", "rst", "s", "scala", "scss", "sh", "sql", "swift", "tcl", "tf", "tmpl", "toml", "ts", "tsx", "vue",
    "yaml", "yml", "zig", "zsh",
];

/// Directories that tools write to.
const OUTPUT_DIRECTORIES: [&str; 20] = [
    "_output",
    "artifacts",
    "build",
    "cache",
    "coverage",
    "dist",
    "gen",
    "generated",
    "logs",
    "node_modules",
    "obj",
    "out",
    "output",
    "reports",
    "results",
    "site",
    "target",
    "temp",
    "tmp",
    "vendor",
];

/// Returns whether a word looks like the path of a source file: a directory, a known extension, only plain characters.
pub(crate) fn is_path(word: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '+' | '-');
    let Some((directories, name)) = word.rsplit_once('/') else { return false };
    let mut rest = directories.split('/').skip_while(|segment| matches!(*segment, "." | ".."));
    let head = rest.next().unwrap_or_default();
    !word.starts_with(['/', '-', '+'])
        && word.chars().all(is_plain)
        && !word.contains("//")
        && !name.starts_with('.')
        // Excludes `github.com/a/b.go` and `sed` expressions such as `s/a/b.c`.
        && (head.starts_with('.') || !head.contains('.'))
        && head != "s"
        && SOURCE_EXTENSIONS.contains(&extension(word).as_str())
}

/// Resolves a word relative to `bases`, the directory of its file and the directories above it. `is_generated` is true if the command
/// writes the path.
pub(crate) fn outcome(report: &Report<'_>, word: &str, bases: &[String], is_generated: bool) -> Resolution {
    let severity = severity_in(report.source.path(), Severity::Warning);
    let directories = bases.iter().map(String::as_str).chain(ancestors(report.source.directory()));
    let candidates: Vec<Option<String>> = directories.map(|directory| join(directory, word)).collect();
    // Drops candidates that lead out of the root; from another directory the word may resolve.
    let candidates: Vec<Option<String>> = candidates.into_iter().flatten().map(Some).collect();
    let outcome = resolve_without_base(report.project, Want::Any, severity, word, candidates);
    let (verdict, tried) = left_paths::follow(report.project, (Want::Any, severity), outcome);
    let is_output = || word.split('/').any(|segment| OUTPUT_DIRECTORIES.contains(&segment));
    let is_made = match &verdict {
        Verdict::Missing(missing) => is_generated || missing.instead.is_none() && is_output(),
        Verdict::Unknown(_) | Verdict::Found(_) => false,
    };
    if is_made {
        return (Verdict::Unknown(Reason::Produced("a command".to_owned())), tried);
    }
    (verdict, tried)
}

#[cfg(test)]
mod tests {
    use super::is_path;

    #[test]
    fn recognises_source_paths() {
        for word in ["src/a.c", "./x.sh", "../a/b.py", ".github/x.yml", "a/b-c+d.h"] {
            assert!(is_path(word), "{word}");
        }
        for word in [
            "a.c",
            "/etc/a.sh",
            "github.com/a/b.go",
            "s/a/b.c",
            "a/b",
            "a/.sh",
            "-o/a.c",
            "a/$x.c",
            "a//b.c",
            "a/*.c",
            "a/b.o",
        ] {
            assert!(!is_path(word), "{word}");
        }
    }
}
