//! Comments that suppress findings, and those that no longer do.

use pathfinder_literals::path::name;

/// The marker of such a comment. It covers its own line and the next one; with `-file` in one of the first lines, the
/// whole file.
const MARKER: &str = "pathfinder-ignore";
/// Openers of comments in the checked formats.
const OPENERS: [&str; 9] = ["<!--", "#", "//", "/*", "{/*", ";", "%", "--", ".."];
/// Last line in which the marker for a whole file counts.
const MAX_FILE_MARK_LINE: usize = 10;

/// The comment that suppresses findings in the line after it; `None` if the file cannot have one, or its syntax is
/// unknown.
pub fn comment(file: &str) -> Option<String> {
    let name = name(file);
    let extension = name.rsplit_once('.').map_or(name, |(_, extension)| extension).to_ascii_lowercase();
    let (open, close) = match extension.as_str() {
        "rs" | "ts" | "tsx" | "mts" | "cts" | "js" | "jsx" | "mjs" | "cjs" | "c" | "h" | "cc" | "cpp" | "cxx"
        | "hpp" | "hh" | "m" | "mm" | "go" | "java" | "kt" | "kts" | "scala" | "groovy" | "gradle" | "swift"
        | "dart" | "zig" | "cs" | "php" | "proto" | "scss" | "less" | "jsonc" | "json5" => ("//", ""),
        "py" | "pyi" | "rb" | "rake" | "gemspec" | "sh" | "bash" | "zsh" | "fish" | "yaml" | "yml" | "toml" | "mk"
        | "makefile" | "gnumakefile" | "cmake" | "dockerfile" | "containerfile" | "tf" | "hcl" | "nix" | "pl" | "r"
        | "ex" | "exs" | "jl" | "bzl" | "bazel" | "build" | "gitignore" | "dockerignore" | "conf" | "properties"
        | "gemfile" | "rakefile" | "justfile" => ("#", ""),
        "lua" | "hs" | "sql" | "cabal" => ("--", ""),
        "md" | "markdown" | "html" | "htm" | "xml" | "vue" | "svelte" | "svg" | "csproj" | "fsproj" | "vbproj" => {
            ("<!--", " -->")
        }
        "mdx" => ("{/*", " */}"),
        "css" => ("/*", " */"),
        "tex" | "erl" => ("%", ""),
        "ini" | "el" | "clj" => (";", ""),
        "rst" => ("..", ""),
        "txt" if name.eq_ignore_ascii_case("CMakeLists.txt") => ("#", ""),
        _ => return None,
    };
    Some(format!("{open} {MARKER}{close}"))
}

/// The suppressing comments of one file.
pub(super) struct Suppressions {
    /// Line number, and whether the comment has suppressed a finding.
    lines: Vec<(usize, bool)>,
    file: Option<(usize, bool)>,
}

impl Suppressions {
    pub(super) fn parse(text: &str) -> Self {
        let mut this = Self { lines: Vec::new(), file: None };
        if !text.contains(MARKER) {
            return this;
        }
        for (at, line) in (1..).zip(text.split('\n')) {
            let Some((before, rest)) = line.split_once(MARKER) else { continue };
            // Prose that mentions the marker is no comment.
            if !OPENERS.iter().any(|opener| before.trim_end().ends_with(opener)) {
                continue;
            }
            if rest.starts_with("-file") {
                this.file = this.file.or((at <= MAX_FILE_MARK_LINE).then_some((at, false)));
            } else {
                this.lines.push((at, is_quoted(before)));
            }
        }
        this
    }

    /// Returns whether a finding in this line is suppressed, and marks the comment as used.
    pub(super) fn suppress(&mut self, line: usize) -> bool {
        if let Some((_, used)) = &mut self.file {
            *used = true;
            return true;
        }
        let mark = self.lines.iter_mut().find(|(at, _)| *at == line || *at + 1 == line);
        mark.map(|(_, used)| *used = true).is_some()
    }

    /// Lines of comments that have suppressed nothing.
    pub(super) fn useless(self) -> Vec<usize> {
        let all = self.lines.into_iter().chain(self.file);
        all.filter(|(_, used)| !used).map(|(line, _)| line).collect()
    }
}

/// Returns whether a string or a code span may be open after this part of a line. What stands in one may be text that only looks
/// like a comment, and is not called useless.
fn is_quoted(before: &str) -> bool {
    ['"', '`'].iter().any(|&quote| before.matches(quote).count() % 2 == 1)
}

#[cfg(test)]
mod tests {
    use super::{Suppressions, comment};

    /// Every offered comment works.
    #[test]
    fn offered_comments_suppress() {
        for file in [
            "a/b.rs",
            "x.py",
            "Makefile",
            "Dockerfile",
            "CMakeLists.txt",
            "a.lua",
            "README.md",
            "a.mdx",
            "a.css",
            "a.tex",
            "a.ini",
            "a.rst",
        ] {
            let text = format!("{}\nx", comment(file).expect(file));
            assert!(Suppressions::parse(&text).suppress(2), "{file}: {text}");
        }
        assert_eq!(comment("package.json"), None);
        assert_eq!(comment("notes.txt"), None);
    }

    #[test]
    fn suppresses_findings_and_reports_useless_comments() {
        let check = |text: &str, findings: &[usize], left: &[usize], useless: &[usize]| {
            let mut suppressions = Suppressions::parse(text);
            let kept: Vec<usize> = findings.iter().copied().filter(|line| !suppressions.suppress(*line)).collect();
            assert_eq!((kept.as_slice(), suppressions.useless().as_slice()), (left, useless), "{text}");
        };
        check("a\nb", &[1, 2], &[1, 2], &[]);
        check("say `pathfinder-ignore`, not pathfinder-ignore", &[1], &[1], &[]);
        check("a # pathfinder-ignore\nb\nc", &[1, 2, 3], &[3], &[]);
        check("a\n# pathfinder-ignore\nb", &[1], &[1], &[2]);
        check("say(\"a # pathfinder-ignore\")\nb", &[], &[], &[]);
        check("say(\"a\") # pathfinder-ignore\nb", &[], &[], &[1]);
        check("text `<!-- pathfinder-ignore -->`\nb", &[], &[], &[]);
        check("<!-- pathfinder-ignore-file -->\na\nb", &[2, 3], &[], &[]);
        check("# pathfinder-ignore-file", &[], &[], &[1]);
        check(&("\n".repeat(20) + "# pathfinder-ignore-file"), &[1], &[1], &[]);
    }
}
