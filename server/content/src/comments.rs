//! Tells the comment lines of a text from its code, by the extension of its path.

/// The comments of a family of languages.
#[derive(Clone, Copy, Debug)]
struct CommentSyntax {
    /// Beginnings of a comment line.
    line: &'static [&'static str],
    /// Beginning and end of block comments and documentation strings.
    block: &'static [(&'static str, &'static str)],
}

const C_LIKE: CommentSyntax = CommentSyntax { line: &["//", "*"], block: &[("/*", "*/")] };
const HASH: CommentSyntax = CommentSyntax { line: &["#"], block: &[] };
const PYTHON: CommentSyntax = CommentSyntax { line: &["#"], block: &[("\"\"\"", "\"\"\""), ("'''", "'''")] };
const RUBY: CommentSyntax = CommentSyntax { line: &["#"], block: &[("=begin", "=end")] };
const PHP: CommentSyntax = CommentSyntax { line: &["//", "#", "*"], block: &[("/*", "*/")] };
const HASKELL: CommentSyntax = CommentSyntax { line: &["--"], block: &[("{-", "-}")] };
const LUA: CommentSyntax = CommentSyntax { line: &["--"], block: &[("--[[", "]]")] };
const SQL: CommentSyntax = CommentSyntax { line: &["--"], block: &[("/*", "*/")] };
const ELIXIR: CommentSyntax = CommentSyntax { line: &["#"], block: &[("doc \"\"\"", "\"\"\"")] };
const LISP: CommentSyntax = CommentSyntax { line: &[";"], block: &[] };
const PERCENT: CommentSyntax = CommentSyntax { line: &["%"], block: &[] };
const OCAML: CommentSyntax = CommentSyntax { line: &["//"], block: &[("(*", "*)")] };
const MARKUP: CommentSyntax = CommentSyntax { line: &[], block: &[("<!--", "-->")] };
const NO_COMMENTS: CommentSyntax = CommentSyntax { line: &[], block: &[] };

fn syntax_for(extension: &str) -> CommentSyntax {
    match extension {
        "py" | "pyi" | "pyx" | "bzl" | "star" | "sage" => PYTHON,
        "rb" | "rake" | "gemspec" | "ru" => RUBY,
        "php" | "phtml" => PHP,
        "sh" | "bash" | "zsh" | "ksh" | "bats" | "fish" | "yaml" | "yml" | "toml" | "pl" | "pm" | "r" | "jl" | "mk"
        | "cmake" | "nix" | "tcl" | "awk" | "ps1" | "psm1" | "tf" | "hcl" | "nim" | "cr" | "gd" | "coffee" | "just" => {
            HASH
        }
        "hs" | "elm" | "purs" | "hsc" => HASKELL,
        "lua" => LUA,
        "sql" | "ddl" | "pgsql" | "psql" => SQL,
        "ex" | "exs" => ELIXIR,
        "clj" | "cljs" | "cljc" | "el" | "lisp" | "scm" | "rkt" => LISP,
        "erl" | "hrl" | "tex" | "sty" => PERCENT,
        "ml" | "mli" | "fs" | "fsi" | "fsx" => OCAML,
        "html" | "htm" | "xml" | "md" | "mdx" | "markdown" => MARKUP,
        "txt" | "rst" | "json" | "csv" | "adoc" | "org" => NO_COMMENTS,
        _ => C_LIKE,
    }
}

/// Follows a text line by line.
#[derive(Debug)]
pub(crate) struct CommentLines {
    syntax: CommentSyntax,
    /// The end of the block that the last line left open.
    open: Option<&'static str>,
}

impl CommentLines {
    /// Begins a text whose path has this extension, in lower case.
    pub(crate) fn new(extension: &str) -> Self {
        Self { syntax: syntax_for(extension), open: None }
    }

    /// Returns whether the next line is a comment. A comment behind code counts as code.
    pub(crate) fn is_comment(&mut self, line: &str) -> bool {
        let line = line.trim();
        if let Some(end) = self.open {
            if line.contains(end) {
                self.open = None;
            }
            return true;
        }
        for (begin, end) in self.syntax.block {
            let documents = begin.ends_with('"') && !begin.starts_with('"');
            let rest = if documents {
                // `@moduledoc """`: the words before the quotes name the attribute.
                line.find(begin).filter(|_| line.starts_with('@')).map(|at| &line[at + begin.len()..])
            } else {
                // `r"""` is a raw documentation string.
                line.strip_prefix('r').unwrap_or(line).strip_prefix(begin).or_else(|| line.strip_prefix(begin))
            };
            if let Some(rest) = rest {
                if !rest.contains(end) {
                    self.open = Some(end);
                }
                return true;
            }
        }
        self.syntax.line.iter().any(|begin| line.starts_with(begin))
    }
}

#[cfg(test)]
mod tests {
    use super::CommentLines;

    #[track_caller]
    fn check(extension: &str, text: &str, expected: &str) {
        let mut lines = CommentLines::new(extension);
        let found: String = text.lines().map(|line| if lines.is_comment(line) { 'c' } else { '.' }).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn tells_comments_from_code() {
        check("rs", "/// doc\nfn a() {} // behind\n/* one\n two */\nlet b;", "c.cc.");
        check("py", "def a():\n    \"\"\"One.\"\"\"\n    r'''Two\n    more'''\n    # three\n    b = 1", ".cccc.");
        check("ex", "@doc \"\"\"\nReads.\n\"\"\"\ndef a, do: 1", "ccc.");
        check("hs", "-- | one\n{- two\n-}\nmain = a", "ccc.");
        check("txt", "# heading", ".");
    }
}
