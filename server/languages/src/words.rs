//! Checks the words of build files and configurations that no grammar of ours reads: Jenkinsfiles, Meson, `CODEOWNERS`,
//! `nginx.conf`, and what the rules for makefiles and Gradle pass over. What a word is, is decided by the tree and git
//! alone; see `path_words`.

use std::ops::Range;

use pathfinder_literals::path::{extension, name};
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Source};

use crate::path_words;

/// Names of such files.
const NAMES: [&str; 19] = [
    ".eslintignore",
    ".gitattributes",
    ".npmignore",
    ".prettierignore",
    "CODEOWNERS",
    "Caddyfile",
    "Dockerfile",
    "Earthfile",
    "GNUmakefile",
    "Jenkinsfile",
    "Justfile",
    "MANIFEST.in",
    "Makefile",
    "Procfile",
    "Tiltfile",
    "dune",
    "justfile",
    "makefile",
    "meson.build",
];

/// Their extensions.
const EXTENSIONS: [&str; 30] = [
    "ac",
    "am",
    "bat",
    "bp",
    "cfg",
    "cmake",
    "cmd",
    "conf",
    "fish",
    "gn",
    "gni",
    "gradle",
    "groovy",
    "gyp",
    "gypi",
    "hcl",
    "ini",
    "iss",
    "just",
    "kts",
    "mak",
    "mk",
    "nsi",
    "pri",
    "pro",
    "properties",
    "ps1",
    "sbt",
    "service",
    "spec",
];

/// Beginnings of lines that are comments in one of these formats, or that remove what they name.
const SKIPPED_STARTS: [&str; 13] =
    ["#", "//", "/*", "*", ";", "--", "%", "<!--", "dnl ", "rem ", "REM ", "rm ", "-rm "];

/// The words of build files and configurations.
pub(crate) struct Words;

mod kinds {
    pathfinder_literals::literal_kinds! {
        /// Word of a build file or a configuration that is a path by the tree or git.
        WORD = "words.path";
    }
}

impl Language for Words {
    fn name(&self) -> &'static str {
        "words"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        NAMES.contains(&name(path)) || EXTENSIONS.contains(&extension(path).as_str())
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        path_words::check(source, project, found, kinds::WORD, lines_of(source.text()));
    }
}

/// Returns the byte ranges of the lines that are no comments, without spaces around them. A path from the root, as `CODEOWNERS`
/// has them, begins after its slash.
fn lines_of(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.lines().filter_map(move |line| {
        let line = line.trim();
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        let skipped = usize::from(line.starts_with('/'));
        let is_skipped = SKIPPED_STARTS.iter().any(|start| line.starts_with(start));
        (!is_skipped && line.contains('/')).then(|| at + skipped..at + line.len())
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    const TREE: &str = "src/main.c\nsrc/util.c\nci/common.groovy\nsrc/web/a.js\nmoved src/old.c src/util.c";

    #[test]
    fn reads_words_that_the_tree_or_git_explains() {
        check(
            TREE,
            "meson.build",
            "executable('x', 'src/mian.c', 'src/util.c')\n",
            "words.path src/mian.c → missing\nwords.path src/util.c → src/util.c",
        );
        check(TREE, "Jenkinsfile", "load 'ci/comon.groovy'\n", "words.path ci/comon.groovy → missing");
        check(TREE, "CODEOWNERS", "/src/old.c @a\n", "words.path src/old.c → moved");
        check(TREE, "nginx.conf", "  include src/main.c;\n", "words.path src/main.c → src/main.c");
        check(TREE, "x.ini", "files = src/other.c, build/main.o\n# src/mian.c\n", "");
        check(TREE, "x.mk", "A = src/old.c\nall:\n\trm -f src/old.c\n", "make.path src/old.c → moved");
        check(TREE, "testdata/x.conf", "include src/mian.c;\n", "");
    }
}
