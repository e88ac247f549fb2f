//! Finds imports and directives in a Go file.

use std::ops::Range;

use pathfinder_syntax::lexer::{Lexer, LexerOptions, LexerToken, TokenKind};

/// Go's strings and comments.
const GO: LexerOptions = LexerOptions::C_LIKE;

/// The paths of a file's imports, without quotes.
pub(super) fn find_imports(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut tokens = Lexer::new(text, GO).filter(|token| token.kind != TokenKind::Comment).peekable();
    let first = tokens.peek().map_or("", |token| &text[token.range.clone()]);
    // `package x`. A document shows imports without it.
    if first == "package" {
        tokens.by_ref().take(2).for_each(drop);
    } else if first != "import" {
        return found;
    }
    let mut is_group = false;
    let mut is_import = false;
    for token in tokens {
        match (token.kind, &text[token.range.clone()]) {
            (_, ";" | ".") => {}
            (_, "import") => is_import = true,
            (_, "(") if is_import && !is_group => is_group = true,
            (_, ")") if is_group => (is_group, is_import) = (false, false),
            (TokenKind::String, _) if is_import => {
                found.extend(unquoted_range(&token, text));
                is_import = is_group;
            }
            // The local name of the package.
            (TokenKind::Word, _) if is_import => {}
            // Imports cannot follow the first declaration.
            _ => break,
        }
    }
    found
}

/// The path in the import comment of the package clause, without quotes: `package x // import "path"`.
pub(super) fn find_import_comment(text: &str) -> Option<Range<usize>> {
    let mut tokens = Lexer::new(text, GO).skip_while(|token| token.kind == TokenKind::Comment);
    let is_clause = tokens.next().is_some_and(|token| &text[token.range] == "package");
    let name = tokens.next().filter(|token| is_clause && token.kind == TokenKind::Word)?;
    let comment = tokens.next().filter(|token| token.kind == TokenKind::Comment)?;
    if text[name.range.end..comment.range.start].contains('\n') {
        return None;
    }
    let written = &text[comment.range.clone()];
    let inside = written[2..].trim_start();
    let start = comment.range.start + written.len() - inside.strip_prefix("import")?.trim_start().len();
    let quoted = text[start..comment.range.end].strip_prefix('"')?;
    let path = &quoted[..quoted.find('"')?];
    let is_last = quoted[path.len() + 1..].trim_end_matches("*/").trim().is_empty();
    (is_last && !path.is_empty() && !path.contains(['\\', '\n'])).then_some(start + 1..start + 1 + path.len())
}

/// The range between the quotes of a token.
fn unquoted_range(token: &LexerToken, text: &str) -> Option<Range<usize>> {
    let Range { start, end } = token.range;
    let written = &text[start..end];
    let is_closed = written.len() > 2 && written[1..].ends_with(&written[..1]);
    (is_closed && !written.contains(['\\', '\n'])).then_some(start + 1..end - 1)
}

/// The patterns of `//go:embed` directives, without quotes.
pub(super) fn find_embeds(text: &str) -> Vec<Range<usize>> {
    const DIRECTIVE: &str = "//go:embed";
    if !text.contains(DIRECTIVE) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for comment in Lexer::new(text, GO).filter(|token| token.kind == TokenKind::Comment) {
        let Some(rest) = text[comment.range.clone()].strip_prefix(DIRECTIVE) else { continue };
        if rest.starts_with([' ', '\t']) {
            parse_patterns(rest, comment.range.start + DIRECTIVE.len(), &mut found);
        }
    }
    found
}

/// The patterns in the rest of a directive: words, or strings if a name contains spaces.
fn parse_patterns(rest: &str, offset: usize, found: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while let Some(from) = rest[at..].find(|c: char| !c.is_whitespace()).map(|from| at + from) {
        let word = &rest[from..];
        let quote = word.starts_with(['"', '`']).then(|| &word[..1]);
        let (start, end, next) = match quote.map(|quote| word[1..].find(quote)) {
            Some(Some(end)) => (from + 1, from + 1 + end, from + end + 2),
            Some(None) => return,
            None => {
                let end = from + word.find(char::is_whitespace).unwrap_or(word.len());
                (from, end, end)
            }
        };
        found.push(offset + start..offset + end);
        at = next;
    }
}

/// The build constraint of a file (`//go:build`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BuildConstraint {
    /// The file is always part of the package.
    None,
    /// The file is part of the package under a condition.
    Conditional,
    /// The file is never part of the package: it is a program run by hand.
    Never,
}

/// The build constraint of a file, which precedes `package`.
pub(super) fn build_constraint(text: &str) -> BuildConstraint {
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("package "));
    let mut tags = lines.filter_map(|line| {
        let rest = line.strip_prefix("//go:build ").or_else(|| line.strip_prefix("// +build "));
        rest.or_else(|| line.strip_prefix("//+build "))
    });
    let Some(first) = tags.next() else { return BuildConstraint::None };
    let is_never = |line: &str| {
        let mut words = line.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '!')));
        words.any(|word| matches!(word, "ignore" | "ignored" | "never" | "none" | "exclude" | "disabled"))
    };
    if is_never(first) || tags.any(is_never) { BuildConstraint::Never } else { BuildConstraint::Conditional }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, ranges: &[Range<usize>]) -> Vec<String> {
        ranges.iter().map(|range| text[range.clone()].to_owned()).collect()
    }

    #[test]
    fn finds_imported_paths() {
        let check = |text: &str, expect: &[&str]| assert_eq!(words(text, &find_imports(text)), expect, "{text}");
        check("package a\nimport \"fmt\"\nimport x \"a/b\"; import . `c`\nvar y = \"no\"", &["fmt", "a/b", "c"]);
        check(
            "// package\npackage a // import \"x/y\"\nimport (\n\t// \"no\"\n\t_ \"b\"\n\t\"c\" /* \"d\" */\n)\nfunc f() { \"e\" }",
            &["b", "c"],
        );
        check("package a\nimport (\n\t\"b\"\n)\nimport \"C\"\nconst t = `package b\nimport \"no\"`", &["b", "C"]);
        check("import \"b\"\n\nb.Run()", &["b"]);
        check("b.Run()\nimport \"b\"", &[]);
        check("package a\nfunc import2() {}\nimport \"late\"", &[]);
        check("package a\nimport (\"b", &[]);
    }

    #[test]
    fn finds_the_import_comment() {
        let check = |text: &str, expect: &str| {
            assert_eq!(find_import_comment(text).map_or("", |range| &text[range]), expect, "{text}");
        };
        check("// A\npackage a // import \"x/y\"\nimport \"b\"", "x/y");
        check("package a /* import \"x/y\" */", "x/y");
        check("package a //import \"x/y\" here", "");
        check("package a // imports \"x/y\"", "");
        check("package a\n// import \"x/y\"", "");
        check("var a // import \"x/y\"", "");
        check("package a // import \"", "");
        check("package a // import \"\"", "");
    }

    #[test]
    fn finds_embed_patterns() {
        let check = |text: &str, expect: &[&str]| assert_eq!(words(text, &find_embeds(text)), expect, "{text}");
        check("//go:embed a b/*.txt all:c \"d e\" `f`\nvar x embed.FS", &["a", "b/*.txt", "all:c", "d e", "f"]);
        check("const x = `\n//go:embed no`\n// go:embed no\n//go:embedded no", &[]);
        check("//go:embed \"a", &[]);
    }

    #[test]
    fn reads_build_constraints() {
        assert_eq!(build_constraint("package a\n//go:build ignore"), BuildConstraint::None);
        assert_eq!(build_constraint("//go:build linux && !cgo\n\npackage a"), BuildConstraint::Conditional);
        assert_eq!(build_constraint("// +build ignore\n\npackage main"), BuildConstraint::Never);
        assert_eq!(build_constraint("//go:build ignore || x\npackage main"), BuildConstraint::Never);
    }
}
