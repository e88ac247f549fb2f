//! Files whose extension does not say their language: scripts name the interpreter in their first line, headers of C++ the mode of an
//! editor, and templates have the extension of what a build makes of them before their own.

use crate::path::{extension, name};
use crate::source::Source;

/// Programs that run the script in their first argument, if that has an extension.
pub const SCRIPT_RUNNERS: [&str; 14] =
    ["bash", "bun", "deno", "node", "perl", "php", "pwsh", "python", "python3", "ruby", "sh", "ts-node", "tsx", "zsh"];

/// Interpreters without their versions, and the extension of their scripts. Shells are told apart by the check of shell scripts.
const INTERPRETERS: [(&str, &str); 5] =
    [("lua", "lua"), ("node", "js"), ("php", "php"), ("python", "py"), ("ruby", "rb")];

/// Extensions of templates that a build fills in: those of configure scripts, and of Cython's templates.
const TEMPLATE_EXTENSIONS: [&str; 2] = ["in", "tp"];

/// Returns the path of a source file that says the language of a script or a header without an extension, or of a template of source
/// files; `None` for other files.
pub(crate) fn path_as_source(source: &Source<'_>) -> Option<String> {
    let path = source.path();
    if let Some(output) = path_of_output(path) {
        return Some(output.to_owned());
    }
    let first = source.text().lines().next().filter(|_| extension(path).is_empty())?;
    // `/* -*- C++ -*- */`, as Emacs reads it.
    if first.starts_with('/') && first.split_once("-*-").is_some_and(|(_, mode)| has_mode_of_cpp(mode)) {
        return Some(format!("{path}.h"));
    }
    let line = first.strip_prefix("#!")?;
    // `env` finds the interpreter, with options and variables of its own.
    let is_other = |word: &&str| *word == "env" || word.starts_with('-') || word.contains('=');
    let program = line.split_whitespace().map(name).find(|word| !is_other(word))?;
    let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let (_, ending) = INTERPRETERS.iter().find(|(interpreter, _)| *interpreter == program)?;
    Some(format!("{path}.{ending}"))
}

/// Returns the path of the source file that a build makes of a template beside it; `None` for other files.
pub(crate) fn path_of_output(path: &str) -> Option<&str> {
    let (output, ending) = path.rsplit_once('.')?;
    (TEMPLATE_EXTENSIONS.contains(&ending) && !extension(output).is_empty()).then_some(output)
}

/// Returns whether the mode line of an editor, behind its first mark, names C++.
fn has_mode_of_cpp(mode: &str) -> bool {
    mode.split("-*-").next().is_some_and(|mode| mode.to_ascii_lowercase().contains("c++"))
}

#[cfg(test)]
mod tests {
    use super::path_as_source;
    use crate::source::Source;

    #[test]
    fn reads_the_interpreter() {
        let check = |path: &str, text: &str, expect: Option<&str>| {
            let source = Source::new(path, text.as_bytes()).expect("the text is UTF-8");
            assert_eq!(path_as_source(&source).as_deref(), expect, "{path} {text}");
        };
        check("bin/x", "#!/usr/bin/env node\n", Some("bin/x.js"));
        check("bin/x", "#! /usr/bin/python3.11 -u\nimport a", Some("bin/x.py"));
        check("bin/x", "#!/usr/bin/env -S A=b ruby --yjit", Some("bin/x.rb"));
        for text in ["#!/bin/sh\n", "#!/usr/bin/env\n", "#!", "", "import a\n#!node", "#!/usr/bin/nodejs-x"] {
            check("bin/x", text, None);
        }
        check("x.txt", "#!/usr/bin/env node\n", None);
        check("a/math.pyx.in", "", Some("a/math.pyx"));
        check("requirements.in", "", None);
        check("inc/View", "/* --*-c++-*-- */\n", Some("inc/View.h"));
        check("inc/View", "// -*- mode: C++; tab-width: 2 -*-", Some("inc/View.h"));
        check("inc/View", "// c++ -*- x -*-", None);
        check("inc/View", "/* a */ -*-c++-*-", Some("inc/View.h"));
    }
}
