//! `BuildFiles`: the texts of a tree's build files and scripts. A missing path that one of them names is often created or
//! fetched by the build.

mod beside;
mod scripts;
mod searched_texts;

use std::sync::OnceLock;

use memchr::memmem::{self, Finder};
use pathfinder_literals::path::{self, extension, name, parent};
use pathfinder_literals::{Kind, LiteralKind, Project};

use super::checkouts;
use super::evidence::Evidence;
use super::form::{FileRole, missing_root};
use crate::source_tree::SourceTree;
pub(super) use beside::is_made_beside;
use beside::{is_mounted, is_overlaid, is_put_beside};
use scripts::{MAX_BYTES, MIN_NAME_BYTES, SCRIPT_ENDS, copies, is_copied_back, is_written_by_script, releases};
use searched_texts::SearchedTexts;
pub(super) use searched_texts::has_word;

/// Most build files that are read. A larger tree names its modules in all of them alike.
const MAX_FILES: usize = 400;
/// Build files of more bytes together are not read: each miss searches all of them, which takes a millisecond for each 8 MB.
const MAX_BYTES_OF_ALL: usize = 16 << 20;
/// Files of a missing path's name that a script may copy; a more common name says nothing.
const MAX_NAMESAKES: usize = 4;

/// The texts of a tree's build files and scripts, each read on first use.
#[derive(Debug, Default)]
pub(super) struct BuildFiles {
    builds: OnceLock<SearchedTexts>,
    scripts: OnceLock<SearchedTexts>,
    servers: OnceLock<Vec<(String, Vec<u8>)>>,
    /// Directories of checkouts of other repositories.
    checkouts: OnceLock<Vec<String>>,
}

impl BuildFiles {
    fn builds(&self, tree: &dyn SourceTree) -> &SearchedTexts {
        let read = || read(tree, |path| is_build_file(path) || is_page_builder(tree, path));
        self.builds.get_or_init(|| SearchedTexts::new(read()))
    }

    fn scripts(&self, tree: &dyn SourceTree) -> &SearchedTexts {
        self.scripts.get_or_init(|| SearchedTexts::new(read(tree, is_script)))
    }

    /// Returns whether a build file names both a file and what it misses, in its own directory or under a name that no file has: the
    /// build puts both into another directory. So does a script, if git never had the file's own directory with it (`is_new`). Or a
    /// container has the file in one, and the tree has what it misses elsewhere. Or directories of one name become one.
    pub(super) fn gathers(
        &self,
        tree: &dyn SourceTree,
        project: &Project,
        file: &str,
        (wanted, is_new): (&str, bool),
    ) -> bool {
        let names = [name(file), name(wanted)];
        let is_nowhere = project.find_all_by_suffix(name(wanted), 1).is_empty();
        if !is_nowhere && (is_mounted(tree, file) || is_new && is_overlaid(project, file, wanted)) {
            return true;
        }
        let is_beside = parent(file) == parent(wanted);
        if is_new && is_beside && !is_nowhere && is_put_beside(tree, file, name(wanted)) {
            return true;
        }
        (is_beside || is_nowhere)
            && names.iter().all(|name| name.len() >= MIN_NAME_BYTES)
            && (self.builds(tree).have_both(names) || is_new && is_beside && self.scripts(tree).have_both(names))
    }

    /// Returns whether a build file other than this one lays out the directory of a missing path among its outputs:
    /// `${BINARY_DIR}/images/default` is one of them, in which `images/default/a.png` is.
    fn lays_out(&self, tree: &dyn SourceTree, file: &str, wanted: &str) -> bool {
        const OUTPUTS: [&str; 7] = ["bin", "build", "dest", "dist", "install", "out", "prefix"];
        /// Names of variables are shorter.
        const MAX_VARIABLE_BYTES: usize = 40;
        let directory = parent(wanted);
        if !directory.contains('/') || tree.kind(directory).is_some() {
            return false;
        }
        let finder = Finder::new(directory);
        let is_output = |before: &[u8]| {
            let before = String::from_utf8_lossy(&before[before.len().saturating_sub(MAX_VARIABLE_BYTES)..]);
            let variable = before.strip_suffix("}/").or_else(|| before.strip_suffix(")/"));
            let variable = variable.and_then(|rest| rest.rsplit(['{', '(']).next()).unwrap_or_default();
            OUTPUTS.iter().any(|output| variable.to_ascii_lowercase().contains(output))
        };
        let is_whole =
            |after: Option<&u8>| !after.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte));
        let lays_out = |(path, text): &(String, Vec<u8>)| {
            path != file
                && finder.find_iter(text).any(|at| is_output(&text[..at]) && is_whole(text.get(at + directory.len())))
        };
        self.builds(tree).all.iter().any(lays_out)
    }

    /// Returns whether what git says moved to another file is made from that: a template of code, the source of a copy, or what is laid out.
    pub(super) fn make_from(
        &self,
        tree: &dyn SourceTree,
        kind: LiteralKind,
        from: &str,
        (file, wanted): (&str, &str),
    ) -> bool {
        const TEMPLATES: [&str; 12] =
            ["cog", "ejs", "erb", "ftl", "gyb", "hbs", "in", "j2", "jinja", "mustache", "template", "tmpl"];
        let is_template = |path: &str| TEMPLATES.contains(&extension(path).as_str());
        !kind.is_of_page() && is_template(from) && !is_template(wanted)
            || is_copied_back(tree, from, wanted)
            || self.lays_out(tree, file, wanted)
            || self.builds(tree).all.iter().any(|(build, text)| is_copied_by(build, text, from))
    }

    /// Returns whether a program that serves pages has a path's name as an address: `app.use("/favicon.ico", …)`.
    pub(super) fn serves(&self, tree: &dyn SourceTree, wanted: &str) -> bool {
        let last = name(wanted);
        let addresses = [format!("\"/{last}\""), format!("'/{last}'"), format!("`/{last}`")];
        let serves =
            |(_, text): &(String, Vec<u8>)| addresses.iter().any(|it| memmem::find(text, it.as_bytes()).is_some());
        self.servers.get_or_init(|| read(tree, is_server)).iter().any(serves)
    }

    /// Returns whether a workflow checks out another repository that can have a path.
    pub(super) fn checks_out(&self, tree: &dyn SourceTree, wanted: &str) -> bool {
        tree.kind(parent(wanted)).is_none()
            && checkouts::contain(self.checkouts.get_or_init(|| checkouts::read(tree)), wanted)
    }

    /// Returns the evidence of what names a missing path or its first missing directory: a script that names `file` as well, which it
    /// takes apart or puts beside what it writes, or another build file. A name that an existing file has stands for that file. A slip
    /// is refuted only by a script that writes the path.
    pub(super) fn find_naming(
        &self,
        tree: &dyn SourceTree,
        project: &Project,
        (file, is_slip): (&str, bool),
        wanted: &str,
    ) -> Option<Evidence> {
        let is_there = || !project.find_all_by_suffix(name(wanted), 1).is_empty();
        if is_written_by_script(tree, file, wanted) {
            return Some(Evidence::ScriptNames);
        }
        if is_slip {
            return None;
        }
        if is_there() && self.scripts(tree).all.iter().any(|(_, text)| copies(text, file)) {
            return Some(Evidence::ScriptNames);
        }
        let namesakes = project.find_all_by_suffix(name(wanted), MAX_NAMESAKES);
        if namesakes.iter().any(|file| self.scripts(tree).all.iter().any(|(_, text)| releases(text, file))) {
            return Some(Evidence::ScriptNames);
        }
        let names = own_names(tree, project, wanted);
        if names.is_empty() {
            return None;
        }
        let own = name(file);
        if own.len() >= MIN_NAME_BYTES && !is_manifest(own) {
            let scripts = self.scripts(tree);
            let naming = scripts.having(own);
            if !naming.is_empty() && names.iter().any(|name| scripts.other_has(file, name, |at| naming.contains(&at))) {
                return Some(Evidence::ScriptNames);
            }
        }
        let builds = self.builds(tree);
        names.iter().any(|name| builds.other_has(file, name, |_| true)).then_some(Evidence::BuildNames)
    }
}

/// Returns whether a build file copies a path below its directory: `file(COPY media/sky DESTINATION ${BIN}/media)`.
fn is_copied_by(build: &str, text: &[u8], path: &str) -> bool {
    const COPIES: [&[u8]; 4] = [b"COPY ", b"copy", b"cp ", b"install"];
    /// Between the word that copies and the path are the options of the command.
    const MAX_DISTANCE: usize = 80;
    let directory = parent(build);
    let below = path.strip_prefix(directory).map(|rest| rest.trim_start_matches('/'));
    let Some(below) = below.filter(|below| !directory.is_empty() && below.contains('/')) else { return false };
    memmem::find_iter(text, below).any(|at| {
        let before = &text[at.saturating_sub(MAX_DISTANCE)..at];
        let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let is_whole = text.get(at + below.len()).is_none_or(|byte| b" \t\r\n\"')".contains(byte));
        is_whole && COPIES.iter().any(|word| memmem::find(line, word).is_some())
    })
}

/// The names of a missing path that no existing file has.
fn own_names(tree: &dyn SourceTree, project: &Project, wanted: &str) -> Vec<String> {
    let root = missing_root(tree, wanted);
    let mut names = names(root);
    names.retain(|name| project.find_all_by_suffix(name, 1).is_empty());
    // A package's name stands for its directory elsewhere.
    let package = root.rmatch_indices('/').nth(2).map_or(root, |(at, _)| &root[at + 1..]);
    if !project.find_all_by_suffix(package, 1).is_empty() {
        names.retain(|name| !name.contains('.') || name.contains('/') || name.ends_with(path::name(root)));
    }
    names
}

/// The names by which a build may refer to a path: with its extension, as a package, with dashes.
fn names(path: &str) -> Vec<String> {
    let (parent, last) = path.rsplit_once('/').unwrap_or(("", path));
    let above = parent.rsplit('/').next().unwrap_or_default();
    let mut names = Vec::new();
    if let Some((stem, end)) = last.rsplit_once('.') {
        names.push(last.to_owned());
        // A site's configuration says where a file is copied to: `"src/x.css": "css/x.css"`.
        if !above.is_empty() {
            names.push(format!("{above}/{last}"));
        }
        // A JVM build names the package into which it relocates another one's classes.
        if matches!(end, "java" | "kt" | "scala" | "groovy") {
            let from = parent.rmatch_indices('/').nth(1).map_or(0, |(at, _)| at + 1);
            names.push(parent[from..].replace('/', "."));
        }
        if stem.trim_matches('_').contains('_') {
            names.push(stem.replace('_', "-"));
        }
    } else if !above.is_empty() {
        names.push(format!("{above}.{last}"));
        names.push(format!("{above}/{last}"));
    }
    names.retain(|name| name.len() >= MIN_NAME_BYTES);
    names
}

fn read(tree: &dyn SourceTree, is_read: impl Fn(&str) -> bool) -> Vec<(String, Vec<u8>)> {
    let files = tree.files().iter().filter(|path| is_read(path)).take(MAX_FILES);
    let text = |path: &String| Some((path.clone(), tree.bytes(path).filter(|bytes| bytes.len() <= MAX_BYTES)?));
    let mut bytes = 0;
    let is_within = |(_, text): &(String, Vec<u8>)| {
        bytes += text.len();
        bytes <= MAX_BYTES_OF_ALL
    };
    files.filter_map(text).take_while(is_within).collect()
}

/// Returns whether a file is a script in a directory of tools.
fn is_script(path: &str) -> bool {
    const WORDS: [&str; 9] = ["bin", "build", "ci", "dev", "hack", "script", "scripts", "tool", "tools"];
    SCRIPT_ENDS.contains(&extension(path).as_str())
        && parent(path).split(['/', '-', '_', '.']).any(|word| WORDS.contains(&word))
        && FileRole::from_path(path) == FileRole::Plain
}

/// Returns whether a file is a program that can answer requests, by the words of its path.
fn is_server(path: &str) -> bool {
    const ENDS: [&str; 13] = ["cjs", "cs", "ex", "go", "java", "js", "kt", "mjs", "php", "py", "rb", "rs", "ts"];
    const WORDS: [&str; 7] = ["app", "http", "router", "routes", "serve", "server", "web"];
    ENDS.contains(&extension(path).as_str())
        && path.split(['/', '-', '_', '.']).any(|word| WORDS.contains(&word))
        && FileRole::from_path(path) == FileRole::Plain
}

/// Returns whether a file is a module beside the `conf.py` of a documentation, which extends the build of its pages.
fn is_page_builder(tree: &dyn SourceTree, path: &str) -> bool {
    extension(path) == "py" && {
        let directory = parent(path);
        let configuration = if directory.is_empty() { "conf.py".to_owned() } else { format!("{directory}/conf.py") };
        tree.kind(&configuration) == Some(Kind::File)
    }
}

/// Returns whether a file has the name that the manifest of each project of a language has: a script that names it may name any.
fn is_manifest(name: &str) -> bool {
    const MANIFESTS: [&str; 10] = [
        "Cargo.toml",
        "build.gradle",
        "composer.json",
        "go.mod",
        "jsr.json",
        "package.json",
        "pom.xml",
        "pyproject.toml",
        "setup.cfg",
        "tsconfig.json",
    ];
    MANIFESTS.contains(&name)
}

/// Returns whether a file's name says that it describes a build.
fn is_build_file(path: &str) -> bool {
    const NAMES: [&str; 26] = [
        "SConscript",
        "SConstruct",
        "wscript",
        "Doxyfile",
        "Doxyfile.in",
        "BUCK",
        "BUILD",
        "BUILD.bazel",
        "CMakeLists.txt",
        "Makefile",
        "Makefile.am",
        "GNUmakefile",
        "meson.build",
        "configure.ac",
        "pom.xml",
        "build.sbt",
        "build.rs",
        "build.zig",
        "setup.py",
        "noxfile.py",
        "conf.py",
        "Rakefile",
        "justfile",
        "Justfile",
        "mix.exs",
        "project.clj",
    ];
    const ENDS: [&str; 7] = [".bzl", ".gradle", ".gradle.kts", ".cmake", ".mk", ".nix", ".sbt"];
    const STARTS: [&str; 3] = ["gulpfile.", "Gruntfile.", "webpack."];
    // `vite.config.ts`, `eleventy.config.js`.
    const CONFIGURATIONS: [&str; 5] = [".config.js", ".config.mjs", ".config.cjs", ".config.ts", ".config.mts"];
    let name = name(path);
    NAMES.contains(&name)
        || ENDS.iter().chain(&CONFIGURATIONS).any(|end| name.ends_with(end))
        || STARTS.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::{is_build_file, is_copied_by, is_script, names};

    #[test]
    fn recognises_copies() {
        let check = |text: &str, expect: bool| {
            assert_eq!(is_copied_by("src/sky/CMakeLists.txt", text.as_bytes(), "src/sky/media/sky"), expect, "{text}");
        };
        check("file(COPY media/sky DESTINATION ${BIN}/media)", true);
        check("set(X media/sky)", false);
        check("file(COPY media/skyline DESTINATION x)", false);
        check("file(COPY a)\nset(X media/sky)", false);
    }

    #[test]
    fn lists_the_names_of_a_path() {
        let check = |path: &str, expect: &[&str]| assert_eq!(names(path), expect, "{path}");
        check("numpy/__config__.py", &["__config__.py", "numpy/__config__.py"]);
        check("core/org/spring/objenesis/It.java", &["It.java", "objenesis/It.java", "spring.objenesis"]);
        check("src/c/netty_jni_util.h", &["netty_jni_util.h", "c/netty_jni_util.h", "netty-jni-util"]);
        check("core/org/springframework/objenesis", &["springframework.objenesis", "springframework/objenesis"]);
        check("a.b", &[]);
        check("made", &[]);
    }

    #[test]
    fn recognises_scripts_of_tools() {
        let check = |path: &str, expect: bool| assert_eq!(is_script(path), expect, "{path}");
        check("build-scripts/build-web-examples.pl", true);
        check("hack/gen.sh", true);
        check("src/main.py", false);
        check("tests/tools/x.py", false);
        check("tools/README.md", false);
    }

    #[test]
    fn recognises_build_files() {
        let check = |path: &str, expect: bool| assert_eq!(is_build_file(path), expect, "{path}");
        check("site/eleventy.config.js", true);
        check("vite.config.mts", true);
        check("a/BUILD.bazel", true);
        check("a/gulpfile.babel.js", true);
        check("config.js", false);
        check("src/eleventy.configure.js", false);
    }
}
