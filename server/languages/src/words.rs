//! Checks what files of languages without rules of their own include, and the words of build files and configurations that no
//! grammar of ours reads: Jenkinsfiles, Meson, `CODEOWNERS`, `nginx.conf`, and what the rules for makefiles and Gradle pass over.
//! The tree and git alone decide whether a word is a path; see `path_words`.

mod includes;

use std::ops::Range;

use pathfinder_literals::path::{extension, name};
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Report, Source};

use crate::formats::is_dockerfile;
use crate::path_words;

/// Names of such files.
const NAMES: [&str; 22] = [
    ".bazelrc",
    ".coveragerc",
    ".flake8",
    ".gitattributes",
    ".npmrc",
    ".pylintrc",
    "CMakeLists.txt",
    "CODEOWNERS",
    "Caddyfile",
    "Doxyfile",
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
const EXTENSIONS: [&str; 37] = [
    "ac",
    "am",
    "bat",
    "bp",
    "cabal",
    "cfg",
    "cmake",
    "cmd",
    "conf",
    "csh",
    "desktop",
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
    "makefile",
    "mk",
    "neon",
    "nsi",
    "pri",
    "pro",
    "properties",
    "ps1",
    "psm1",
    "sbt",
    "service",
    "spec",
    "xcconfig",
];

/// Languages in which `#include`, `#import` or `%include` is no comment.
const DIRECTIVES: [&str; 12] =
    ["asm", "frag", "geom", "gql", "graphql", "hlsl", "metal", "nasm", "tesc", "tese", "typ", "vert"];

/// Beginnings of lines that are comments in one of these formats, or that remove what they name.
const SKIPPED_STARTS: [&str; 13] =
    ["#", "//", "/*", "*", ";", "--", "%", "<!--", "dnl ", "rem ", "REM ", "rm ", "-rm "];

/// Extensions of languages whose inclusions are quoted paths after a word for it.
const INCLUDING: [&str; 55] = [
    "asm",
    "awk",
    "bicep",
    "cairo",
    "capnp",
    "circom",
    "cr",
    "cue",
    "dhall",
    "el",
    "erl",
    "f",
    "f90",
    "fbs",
    "frag",
    "geom",
    "gql",
    "graphql",
    "hlsl",
    "hrl",
    "jl",
    "jsonnet",
    "libsonnet",
    "lisp",
    "metal",
    "ml",
    "mli",
    "nasm",
    "nim",
    "odin",
    "pas",
    "pl",
    "pm",
    "pug",
    "r",
    "rkt",
    "robot",
    "scm",
    "sol",
    "ss",
    "styl",
    "sv",
    "svh",
    "t",
    "tcl",
    "tesc",
    "tese",
    "thrift",
    "typ",
    "v",
    "vert",
    "vh",
    "vhd",
    "vim",
    "wgsl",
];

/// The inclusions and the words of files without rules of their own.
pub(crate) struct Words;

mod kinds {
    pathfinder_literals::literal_kinds! {
        /// Quoted path that a file of a language without rules of its own includes.
        INCLUDE = "words.include";
        /// Word of a build file or a configuration that is a path by the tree or git.
        WORD = "words.path";
        /// Word of a program that is a path by the tree or git; the program can use it from any directory.
        STRING = "words.string";
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
        let ending = extension(path);
        NAMES.contains(&name(path))
            || is_ignore_list(name(path))
            || is_dockerfile(path)
            || EXTENSIONS.contains(&&*ending)
            || INCLUDING.contains(&&*ending)
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        let is_program = INCLUDING.contains(&extension(source.path()).as_str());
        if is_program {
            let mut report = Report::new(source, project, found);
            for range in lines_of(source).flat_map(|line| includes::find_paths(text, line)) {
                if let Some(outcome) = includes::resolve(source, project, &text[range.clone()]) {
                    report.add(kinds::INCLUDE, range.start, range.len(), outcome);
                }
            }
        }
        let kind = if is_program { kinds::STRING } else { kinds::WORD };
        path_words::check(source, project, found, kind, lines_of(source));
    }
}

/// Lists of the repository's own paths, in which a slash at the start of a line stands for the root. Elsewhere it is that of the
/// machine or of a container.
const LISTS: [&str; 3] = [".gitattributes", "CODEOWNERS", "MANIFEST.in"];

/// Returns whether a file lists what a tool leaves out, as `.eslintignore` does. Git's own lists name what is not there, those of Gitleaks what
/// was there in any commit, and Docker's have rules of their own.
fn is_ignore_list(name: &str) -> bool {
    const OTHERS: [&str; 4] = [".dockerignore", ".gitignore", ".gitleaksignore", ".hgignore"];
    name.starts_with('.') && name.ends_with("ignore") && !OTHERS.contains(&name)
}

/// Returns whether a name without a directory is a pattern in this file, which matches in all directories.
pub(crate) fn matches_names_anywhere(path: &str) -> bool {
    matches!(name(path), ".gitattributes" | "CODEOWNERS") || is_ignore_list(name(path))
}

/// Returns the byte ranges of the lines that are no comments, without spaces around them, or without the slash that stands for the root.
fn lines_of(source: &Source<'_>) -> impl Iterator<Item = Range<usize>> {
    let text = source.text();
    let has_directives = DIRECTIVES.contains(&extension(source.path()).as_str());
    let name = name(source.path());
    let is_list = LISTS.contains(&name) || is_ignore_list(name);
    text.lines().filter_map(move |line| {
        let line = line.trim();
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        let skipped = usize::from(is_list && line.starts_with('/'));
        let is_inclusion = has_directives
            && line.get(1..).is_some_and(|rest| rest.starts_with("include") || rest.starts_with("import"));
        let is_skipped = !is_inclusion && SKIPPED_STARTS.iter().any(|start| line.starts_with(start));
        (!is_skipped && line.contains(['/', '"', '\'', '.'])).then(|| at + skipped..at + line.len())
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
        check(TREE, ".gitleaksignore", "src/old.c:key:1\n", "");
        check(TREE, "Dockerfile", "ENTRYPOINT [\"/src/old.c\"]\n", "");
        check(TREE, "Dockerfile", "RUN x && \\\n /src/old.c\n", "");
        check(TREE, "nginx.conf", "  include src/main.c;\n", "words.path src/main.c → src/main.c");
        check(TREE, "x.ini", "files = src/other.c, build/main.o\n# src/mian.c\n", "");
        check(TREE, "x.mk", "A = src/old.c\nall:\n\trm -f src/old.c\n", "make.path src/old.c → moved");
        check(TREE, "testdata/x.conf", "include src/mian.c;\n", "");
        check(TREE, ".jshintignore", "/src/old.c\n", "words.path src/old.c → moved");
        check(TREE, ".gitignore", "/src/old.c\n", "");
        check(TREE, "x.cabal", "data-files: src/old.c\n", "words.path src/old.c → moved");
        check(TREE, "x.Makefile", "a: src/old.c\n", "make.path src/old.c → moved");
    }

    #[test]
    fn reads_what_is_included() {
        let tree = "libs/Math.sol\nB.sol\nlib/utils.R\nfoo/bar.cr\ndefs.svh\nmoved old.sol B.sol";
        check(
            tree,
            "A.sol",
            "import \"./B.sol\";\nimport {X} from \"./libs/Mth.sol\";\nimport \"./old.sol\";\nimport \"@a/b/C.sol\";\n// import \"./No.sol\";\nx = \"./No.sol\";\n",
            "words.include ./B.sol → B.sol
             words.include ./libs/Mth.sol → missing
             words.include ./old.sol → moved",
        );
        check(
            tree,
            "a.R",
            "source(\"lib/utls.R\")\nlibrary(\"stats\")\nsource('gone.R')\n",
            "words.include lib/utls.R → missing",
        );
        check(tree, "a.R", "x <- '\n#include \"./gone.h\"\n'\n", "");
        check(tree, "a.cr", "require \"./foo/bar\"\nrequire \"json\"\n", "words.include ./foo/bar → foo/bar.cr");
        check(
            tree,
            "a.graphql",
            "#import \"./gone.graphql\"\n# import \"./no.graphql\"\n",
            "words.include ./gone.graphql → missing",
        );
        check(
            tree,
            "foo/a.cr",
            "require \"../foo/gone\"\nrequire \"../../gone\"\n",
            "words.include ../foo/gone → missing",
        );
        check(tree, "a.sv", "`include \"dfs.svh\"\n`include \"uvm.svh\"\n", "words.include dfs.svh → missing");
    }
}
