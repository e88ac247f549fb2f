//! Finds the files that build scripts write into the source tree, as far as they name them in literals.

use rustc_hash::FxHashSet;

use pathfinder_literals::path::{is_within, join, name, parent};
use pathfinder_literals::{Project, ProjectIndex, Tree};

use super::tokens::{RustTokenKind, tokenize};

/// A tree with more build scripts than this contains other projects too.
const MAX_BUILD_SCRIPTS: usize = 500;

/// Calls in scripts that write files, directly or through a library.
const WRITE_CALLS: [&str; 10] = [
    "::create(",
    "OpenOptions",
    "build_protos",
    "compile_protos",
    "copy(",
    "fs::write",
    "out_dir(",
    "write_all",
    "write_to",
    "Command::new",
];

/// All build scripts of a tree that write files.
pub(crate) struct BuildScripts {
    scripts: Vec<BuildScript>,
}

/// A build script that writes files.
struct BuildScript {
    path: String,
    /// Names of files in its literals.
    names: FxHashSet<String>,
    /// Directories in its literals.
    directories: Vec<String>,
}

impl ProjectIndex for BuildScripts {
    fn build(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl BuildScripts {
    /// Reads the build scripts of all packages of a tree.
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let all = tree.files().iter().filter(|path| name(path) == "build.rs").take(MAX_BUILD_SCRIPTS);
        Self { scripts: all.filter_map(|path| BuildScript::new(tree, path)).collect() }
    }

    /// The build script that writes a path of its package.
    pub(crate) fn writer_of(&self, path: &str) -> Option<&str> {
        let knows = |script: &&BuildScript| {
            is_within(path, parent(&script.path))
                || parent(&script.path).is_empty()
                || script.directories.iter().any(|directory| is_within(path, directory))
        };
        let writes = |script: &&BuildScript| {
            script.names.contains(name(path)) || script.directories.iter().any(|directory| is_within(path, directory))
        };
        self.scripts.iter().filter(knows).find(writes).map(|script| script.path.as_str())
    }
}

impl BuildScript {
    /// Reads a script; `None` if it writes no files.
    fn new(tree: &dyn Tree, path: &str) -> Option<Self> {
        let text = tree.read_shared(path)?;
        if !WRITE_CALLS.iter().any(|word| text.contains(word)) {
            return None;
        }
        let mut script = Self { path: path.to_owned(), names: FxHashSet::default(), directories: Vec::new() };
        for token in tokenize(&text, 0..text.len()).into_iter().filter(|token| token.kind == RustTokenKind::Text) {
            let written = &text[token.range];
            if written.is_empty() || written.len() > 200 || written.contains(['{', '\n', ' ', ':', '=', '*']) {
                continue;
            }
            let last = name(written.trim_end_matches('/'));
            // Every script that reads modules contains these names.
            if matches!(last, "mod.rs" | "lib.rs" | "main.rs") {
                continue;
            }
            if last.contains('.') && last != "." && last != ".." {
                script.names.insert(last.to_owned());
            } else if !matches!(last, "src" | "tests" | "examples" | "benches" | "." | ".." | "") {
                // Every script reads the source directories, so they are no evidence.
                script.directories.extend(join(parent(path), written).filter(|directory| !directory.is_empty()));
            }
        }
        Some(script)
    }
}

#[cfg(test)]
mod tests {
    use super::BuildScripts;
    use crate::testing::MemoryTree;

    #[test]
    fn knows_what_scripts_write() {
        let forest = MemoryTree::new(
            "a/build.rs = fs::write(Path::new(\"src\").join(\"made.rs\"), x); // \"other.rs\"\n\
             b/build.rs = tonic::configure().out_dir(\"src/pb\").compile_protos(&[\"x.proto\"])\n\
             c/build.rs = println!(\"cargo:rerun-if-changed=src/made.rs\"); \"made.rs\"\n\
             d/build.rs = fs::write(\"../e/src/made.rs\", x)",
        );
        let scripts = BuildScripts::new(&forest);
        let check = |path: &str, by: Option<&str>| assert_eq!(scripts.writer_of(path), by, "{path}");
        check("a/src/made.rs", Some("a/build.rs"));
        check("a/src/other.rs", None);
        check("b/src/pb/x/y.rs", Some("b/build.rs"));
        check("b/src/made.rs", None);
        check("c/src/made.rs", None);
        check("x/made.rs", None);
    }
}
