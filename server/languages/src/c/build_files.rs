//! Reads the build files of a project: the include directories that they name, and the headers that their rules
//! generate.
//!
//! `BuildFiles` is read once from the text of all build files. Formats differ, but they name such directories in few
//! ways.

use std::sync::{Arc, OnceLock};

use parking_lot::RwLock;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cmake::{is_cmake, scan};
use crate::make::is_makefile;
use pathfinder_literals::path::{ancestors, extension, head, is_within, join, name, parent};
use pathfinder_literals::report::is_fixture;
use pathfinder_literals::{Kind, Project, ProjectIndex, Reason, Tree};

use super::compile_commands::{self, CompileCommand};
use super::directory_entries::DirectoryEntries;

/// A tree with more build files than this contains other projects too.
const MAX_BUILD_FILES: usize = 3_000;

/// Each directory is tried for each include, so more than this is too slow.
const MAX_DIRECTORIES: usize = 200;

/// Includes of which is kept where nothing generates them. The largest trees name some ten thousand headers that they lack.
const MAX_UNGENERATED: usize = 1 << 15;

/// A longer list holds sources, not directories or outputs of a rule.
const MAX_LIST_BYTES: usize = 20_000;

/// Variables of `CMake` that stand for a directory, each with the directory of the file that sets it.
type CmakeVariables = FxHashMap<String, (String, String)>;

/// Returns whether a compiler can read a path.
pub(super) fn is_file(tree: &dyn Tree, path: &str) -> bool {
    tree.kind(path).is_some_and(|kind| kind != Kind::Directory)
}

/// Include directories, compiler commands and generated files of all build files.
#[derive(Default)]
pub(crate) struct BuildFiles {
    directories: Vec<String>,
    directory_set: FxHashSet<String>,
    /// Those that a build file names by more than a variable.
    named: FxHashSet<String>,
    /// The compile command of each file that a database lists.
    commands: FxHashMap<String, CompileCommand>,
    /// Names of files that a rule generates.
    generated: FxHashSet<String>,
    /// Directories of build files that name an include directory by a project variable, whose value is unknown.
    variable_directories: FxHashSet<String>,
    /// The positions of the directories that have each first segment of an include.
    entries: OnceLock<DirectoryEntries>,
    /// The directories that have each include. All files of a project name the same headers, mostly those of the system.
    having: RwLock<FxHashMap<String, Arc<[String]>>>,
    /// The includes that nothing generates in any of the directories.
    ungenerated: RwLock<FxHashSet<String>>,
    /// For an include, the numbers of the directories in whose usual include directories nothing generates it.
    ungenerated_below: RwLock<FxHashMap<String, FxHashSet<usize>>>,
    /// Numbers of the directories above files with includes: most are above many, and each is asked about thousands of includes.
    numbers: RwLock<FxHashMap<String, usize>>,
    /// For an include, whether git moved it away from one of the directories.
    moved: RwLock<FxHashMap<String, bool>>,
}

impl ProjectIndex for BuildFiles {
    fn build(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl BuildFiles {
    /// Reads all build files of a tree.
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let mut build = Self { commands: compile_commands::read_commands(tree), ..Self::default() };
        let mut all: Vec<String> = build.commands.values().flat_map(|command| command.directories.clone()).collect();
        all.sort_unstable();
        all.dedup();
        for directory in all {
            build.add_directory(tree, directory);
        }
        let mut set = CmakeVariables::default();
        let is_build = |path: &&String| build_file_kind(path).is_some() && !is_fixture(path);
        for path in tree.files().iter().filter(is_build).take(MAX_BUILD_FILES) {
            let (Some(kind), Some(text)) = (build_file_kind(path), tree.read_shared(path)) else { continue };
            let here = parent(path);
            match kind {
                BuildFileKind::Cmake => build.add_cmake(tree, here, &text, &mut set),
                BuildFileKind::Flags => build.add_flags(tree, here, &text),
                BuildFileKind::Listed => {
                    for keyword in
                        ["include_dirs", "includes", "strip_include_prefix", "include_directories", "headerSearchPath"]
                    {
                        for word in strings_after(&text, keyword) {
                            build.add_word(tree, here, word);
                        }
                    }
                    for keyword in ["outs", "out", "output", "outputs"] {
                        build
                            .generated
                            .extend(strings_after(&text, keyword).into_iter().map(|word| name(word).to_owned()));
                    }
                }
            }
        }
        build
    }

    /// The compile command of a file. Headers have none: they are compiled as part of the files that include them.
    pub(super) fn compile_command(&self, path: &str) -> Option<&CompileCommand> {
        self.commands.get(path)
    }

    /// The include directories, those nearest to a file first.
    pub(super) fn directories_near(&self, path: &str) -> Vec<&str> {
        let shared = |directory: &str| path.split('/').zip(directory.split('/')).take_while(|(a, b)| a == b).count();
        let mut all: Vec<&str> = self.directories.iter().map(String::as_str).collect();
        all.sort_by_cached_key(|directory| std::cmp::Reverse(shared(directory)));
        all
    }

    /// Returns whether a build file names a directory by more than a variable, which could stand for one outside of the project.
    pub(super) fn is_named(&self, directory: &str) -> bool {
        self.named.contains(directory)
    }

    /// The include directories that have a file at a path below them.
    pub(super) fn having(&self, tree: &dyn Tree, path: &str) -> Arc<[String]> {
        if let Some(known) = self.having.read().get(path) {
            return Arc::clone(known);
        }
        let entries = self.entries.get_or_init(|| DirectoryEntries::new(tree, &self.directories));
        let has = |directory: &&String| join(directory, path).is_some_and(|path| is_file(tree, &path));
        let can_have = entries.directories_with(path).map(|at| &self.directories[at]);
        let having: Arc<[String]> = can_have.filter(has).cloned().collect();
        self.having.write().insert(path.to_owned(), Arc::clone(&having));
        having
    }

    /// The reason why a path below one of the include directories may be generated. `candidates` are that path in each of them, in
    /// the order in which they are asked; none are if their directories are not searched.
    pub(super) fn find_generator(
        &self,
        project: &Project,
        path: &str,
        candidates: impl ExactSizeIterator<Item = Option<String>>,
    ) -> Option<Reason> {
        if self.ungenerated.read().contains(path) {
            return None;
        }
        let has_all = candidates.len() == self.directories.len();
        let reason = candidates.flatten().find_map(|path| project.generated_by_once(&path));
        if reason.is_none() && has_all {
            self.ungenerated.write().insert(path.to_owned());
        }
        reason
    }

    /// Removes the directories from whose usual include directories it is known that nothing generates an include there.
    pub(super) fn remove_ungenerated(&self, path: &str, above: &mut Vec<&(usize, Vec<String>)>) {
        if let Some(known) = self.ungenerated_below.read().get(path) {
            above.retain(|(directory, _)| !known.contains(directory));
        }
    }

    /// Keeps that nothing generates an include in the usual include directories below this one.
    pub(super) fn add_ungenerated(&self, path: &str, directory: usize) {
        let mut all = self.ungenerated_below.write();
        if all.len() < MAX_UNGENERATED || all.contains_key(path) {
            all.entry(path.to_owned()).or_default().insert(directory);
        }
    }

    /// The number of a directory, the same for all files.
    pub(super) fn number(&self, directory: &str) -> usize {
        let mut all = self.numbers.write();
        let next = all.len();
        all.get(directory).copied().unwrap_or_else(|| *all.entry(directory.to_owned()).or_insert(next))
    }

    /// Returns whether git moved a path below one of the include directories away from there.
    pub(super) fn has_moved(&self, tree: &dyn Tree, path: &str) -> bool {
        if let Some(known) = self.moved.read().get(path) {
            return *known;
        }
        let mut all = self.directories.iter().filter_map(|directory| join(directory, path));
        let has_moved = all.any(|path| tree.moved(&path).is_some());
        let mut moved = self.moved.write();
        if moved.len() < MAX_UNGENERATED {
            moved.insert(path.to_owned(), has_moved);
        }
        has_moved
    }

    /// Returns whether a directory is an include directory.
    pub(super) fn is_searched(&self, directory: &str) -> bool {
        self.directory_set.contains(directory)
    }

    /// Returns whether a build file above this path names an include directory only by a variable.
    pub(super) fn has_variable_directories(&self, path: &str) -> bool {
        ancestors(parent(path)).any(|above| self.variable_directories.contains(above))
    }

    /// Returns whether a rule generates a file of this name.
    pub(super) fn generates(&self, name: &str) -> bool {
        self.generated.contains(name)
    }

    /// Adds the arguments of `include_directories` and `target_include_directories`. `set` has the variables of the files before, and gets those
    /// of this one.
    fn add_cmake(&mut self, tree: &dyn Tree, here: &str, text: &str, set: &mut CmakeVariables) {
        if !text.contains("nclude_directories") && !text.contains("NCLUDE_DIRECTORIES") {
            return;
        }
        let commands = scan::parse_commands(text);
        let word_at =
            |command: &scan::CmakeCommand, at: usize| command.words.get(at).map(|word| &text[word.at..word.end]);
        for command in commands.iter().filter(|command| command.name == "set" && command.words.len() == 2) {
            let below = word_at(command, 1).and_then(|value| value.strip_prefix("${CMAKE_CURRENT_SOURCE_DIR}/"));
            if let (Some(name), Some(directory)) = (word_at(command, 0), below.and_then(|below| join(here, below))) {
                set.insert(name.to_owned(), (here.to_owned(), directory));
            }
        }
        for command in commands.iter().filter(|command| command.name.ends_with("include_directories")) {
            for word in (0..command.words.len()).filter_map(|at| word_at(command, at)) {
                if is_project_variable(word) {
                    self.variable_directories.insert(here.to_owned());
                }
                let known = word.strip_prefix("${").and_then(|rest| rest.split_once('}'));
                let value = known.and_then(|(name, rest)| Some((set.get(name)?, rest)));
                // A variable has its value in the directories below.
                match value.filter(|((setter, _), _)| setter.is_empty() || is_within(here, setter)) {
                    Some(((_, directory), rest)) => {
                        if let Some(directory) = join(directory, rest.trim_start_matches('/')) {
                            self.named.insert(directory.clone());
                            self.add_directory(tree, directory);
                        }
                    }
                    None => self.add_word(tree, here, word),
                }
            }
        }
    }

    /// Adds the values of `-I` and similar flags anywhere in a text, and automake's lists of headers that `configure`
    /// generates.
    fn add_flags(&mut self, tree: &dyn Tree, here: &str, text: &str) {
        for flag in ["-I", "-iquote", "-isystem", "/I"] {
            for at in memchr::memmem::find_iter(text.as_bytes(), flag) {
                let is_word = at == 0
                    || text.as_bytes()[at - 1].is_ascii_whitespace()
                    || b"\"'=[,(".contains(&text.as_bytes()[at - 1]);
                let rest = text[at + flag.len()..].trim_start_matches([' ', '\n', '"', '\'', '=']);
                let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ']' | ';' | '\\'));
                let word = &rest[..end.unwrap_or(rest.len())];
                match make_variable(word) {
                    _ if !is_word => {}
                    Some(name) => match assigned_value(text, name) {
                        Some(value) => self.add_word(tree, here, value),
                        None => _ = self.variable_directories.insert(here.to_owned()),
                    },
                    None => self.add_word(tree, here, word),
                }
            }
        }
        for keyword in
            ["AC_CONFIG_HEADERS", "AC_CONFIG_HEADER", "AM_CONFIG_HEADER", "AC_CONFIG_FILES", "AC_CONFIG_LINKS"]
        {
            for at in memchr::memmem::find_iter(text.as_bytes(), keyword) {
                let rest = text[at + keyword.len()..].trim_start_matches(['(', '[', ' ', '\n']);
                let end = rest.find([')', ']']).unwrap_or(0);
                let words = rest[..end].split_whitespace().map(|word| word.split(':').next().unwrap_or(word));
                self.generated.extend(words.map(|word| name(word).to_owned()));
            }
        }
    }

    /// Adds the directory that a word names, perhaps with a variable in front.
    fn add_word(&mut self, tree: &dyn Tree, here: &str, word: &str) {
        let word = word.strip_prefix("$<BUILD_INTERFACE:").map_or(word, |rest| rest.trim_end_matches('>'));
        let (variable, rest) = match word.rfind(['}', ')']) {
            Some(at) => (&word[..=at], &word[at + 1..]),
            None => ("", word),
        };
        if word.is_empty()
            || rest.contains(['$', '<', '>', '*', '{', '(', '@'])
            || word.len() > 300
            || variable.is_empty() && rest.starts_with('/')
        {
            return;
        }
        // The variable usually stands for one of the directories above.
        let bases = if variable.is_empty() { 1 } else { usize::MAX };
        let all: Vec<String> = ancestors(here).take(bases).filter_map(|base| join(base, rest)).collect();
        for directory in all {
            if !rest.is_empty() && tree.kind(&directory) == Some(Kind::Directory) {
                self.named.insert(directory.clone());
            }
            self.add_directory(tree, directory);
        }
    }

    /// Adds a directory if it exists and the limit is not reached.
    fn add_directory(&mut self, tree: &dyn Tree, directory: String) {
        if self.directories.len() < MAX_DIRECTORIES
            && !self.directory_set.contains(&directory)
            && tree.kind(&directory) == Some(Kind::Directory)
        {
            self.directory_set.insert(directory.clone());
            self.directories.push(directory);
        }
    }
}

/// Returns whether a word is a variable that the project sets itself, not one of `CMake` or of a package that was found.
fn is_project_variable(word: &str) -> bool {
    let inside = word.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    inside.is_some_and(|name| {
        let is_known = ["CMAKE_", "PROJECT_"].iter().any(|start| name.starts_with(start))
            || ["_SOURCE_DIR", "_BINARY_DIR", "_INCLUDE_DIR", "_INCLUDE_DIRS", "_INCLUDES"]
                .iter()
                .any(|end| name.ends_with(end));
        !is_known
    })
}

/// The name of the variable that a word of a makefile consists of, except those of the source directories.
fn make_variable(word: &str) -> Option<&str> {
    let inside = word.strip_prefix("$(").and_then(|rest| rest.strip_suffix(')'));
    let name = inside.or_else(|| word.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')))?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_source = matches!(name, "CURDIR" | "srcdir" | "top_srcdir" | "builddir" | "top_builddir" | "abs_srcdir");
    (is_name && !is_source).then_some(name)
}

/// The path that a makefile assigns to a variable, if it is written out.
fn assigned_value<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find_map(|line| {
        let (left, right) = line.split_once('=')?;
        let value = right.split_whitespace().next()?;
        (left.trim_end_matches([':', '?', '+', ' ', '\t']).trim_start() == name && !value.contains('$'))
            .then_some(value)
    })
}

/// The format of a build file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BuildFileKind {
    Cmake,
    Flags,
    /// By its keywords with lists of strings.
    Listed,
}

/// The kind of a build file; `None` for other files.
fn build_file_kind(path: &str) -> Option<BuildFileKind> {
    if is_cmake(path) {
        return Some(BuildFileKind::Cmake);
    }
    let is_flags = is_makefile(path)
        || matches!(name(path), "compile_flags.txt" | ".clangd" | "configure.ac" | "configure.in" | "Makefile.in")
        || matches!(extension(path).as_str(), "gn" | "m4");
    if is_flags {
        return Some(BuildFileKind::Flags);
    }
    let is_listed = matches!(name(path), "meson.build" | "BUILD" | "BUILD.bazel" | "Package.swift")
        || matches!(extension(path).as_str(), "bzl" | "gyp" | "gypi");
    is_listed.then_some(BuildFileKind::Listed)
}

/// The strings that follow a keyword, up to the bracket that closes their list.
fn strings_after<'t>(text: &'t str, keyword: &str) -> Vec<&'t str> {
    let mut all = Vec::new();
    for at in memchr::memmem::find_iter(text.as_bytes(), keyword) {
        let is_inside = |byte: Option<&u8>| byte.is_some_and(|byte| *byte == b'_' || byte.is_ascii_alphanumeric());
        let after = at + keyword.len();
        if at > 0 && is_inside(text.as_bytes().get(at - 1)) || is_inside(text.as_bytes().get(after)) {
            continue;
        }
        let rest = text[after..].trim_start_matches(['\'', '"', ' ', '=', ':', '\n']);
        if let Some(list) = rest.strip_prefix(['[', '(']) {
            let list = head(list, MAX_LIST_BYTES);
            all.extend(list[..list.find([']', ')']).unwrap_or(0)].split(['"', '\'']).skip(1).step_by(2));
        } else if text[after..text.len() - rest.len()].ends_with(['"', '\'']) {
            // Without a list the value is one string.
            all.extend(rest.find(['"', '\'', '\n']).map(|end| &rest[..end]));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{BuildFiles, strings_after};
    use crate::testing::MemoryTree;

    #[test]
    fn reads_lists_after_keywords() {
        assert_eq!(strings_after("outs = [\"a.h\", 'b.h']\nout = \"c.h\"\nouts_x = [\"d\"]", "outs"), ["a.h", "b.h"]);
        assert_eq!(strings_after("out = \"c.h\",", "out"), ["c.h"]);
        assert_eq!(strings_after("include_directories('a', 'b')", "include_directories"), ["a", "b"]);
        assert_eq!(strings_after("outs = [", "outs"), Vec::<&str>::new());
    }

    #[test]
    fn collects_include_directories() {
        let check = |tree: &str, expect: &[&str]| {
            let build = BuildFiles::new(&MemoryTree::new(tree));
            assert_eq!(build.directories, expect, "{tree}");
        };
        check(
            "inc/a.h\nlib/CMakeLists.txt = target_include_directories(a PUBLIC ${PROJECT_SOURCE_DIR}/inc $<BUILD_INTERFACE:${X}/gone>)",
            &["inc"],
        );
        // A variable that a file sets, here and below.
        let set = "set(A_SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/src)";
        let includes = "target_include_directories(a PRIVATE ${A_SOURCE_DIR} ${A_SOURCE_DIR}/../inc)";
        let tree = format!("a/src/x.h\na/inc/y.h\na/CMakeLists.txt = {set}\\n{includes}");
        check(&tree, &["a/src", "a/inc"]);
        let tree = format!(
            "a/src/x.h\na/inc/y.h\na/CMakeLists.txt = {set}include_directories()\na/t/CMakeLists.txt = {includes}"
        );
        check(&tree, &["a/src", "a/inc"]);
        check("a/inc/x.h\na/Makefile = CFLAGS += -Iinc -I $(top_srcdir)/a -I/usr/include", &["a/inc", "a"]);
        check("lib/x.h\na/Makefile = LIB ?= ../lib\\nA = -I$(LIB) -I$(GONE)\\nGONE = $(LIB)/x", &["lib"]);
        check("i/x.h\nmeson.build = inc = include_directories('i')", &["i"]);
        check("i/x.h\ncompile_flags.txt = -xc++\\n-Ii\\n-isystem\\ni", &["i"]);
    }
}
