//! RustTokenKind the build scripts of packages write into the source tree, as far as it is written in them.

use rustc_hash::FxHashSet;

use crate::facts::Fact;
use crate::path::{join, name, parent};
use crate::project::{Project, within};
use crate::tree::Tree;

use super::tokens::{RustTokenKind, tokens};

/// More scripts than this are some other project's, too.
const MAX_BUILD_SCRIPTS: usize = 500;

/// Words of a script that writes files, by itself or through what it calls.
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

/// All scripts of a tree that write.
pub(crate) struct BuildScripts {
    scripts: Vec<BuildScript>,
}

struct BuildScript {
    path: String,
    /// Names of files that it knows.
    names: FxHashSet<String>,
    /// Directories that it knows.
    directories: Vec<String>,
}

impl Fact for BuildScripts {
    fn of(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl BuildScripts {
    /// Of all packages of a tree.
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let all = tree.files().iter().filter(|path| name(path) == "build.rs").take(MAX_BUILD_SCRIPTS);
        Self { scripts: all.filter_map(|path| BuildScript::new(tree, path)).collect() }
    }

    /// The script that knows a path of its package.
    pub(crate) fn writer_of(&self, path: &str) -> Option<&str> {
        let knows = |script: &&BuildScript| {
            within(path, parent(&script.path))
                || parent(&script.path).is_empty()
                || script.directories.iter().any(|directory| within(path, directory))
        };
        let writes = |script: &&BuildScript| {
            script.names.contains(name(path)) || script.directories.iter().any(|directory| within(path, directory))
        };
        self.scripts.iter().filter(knows).find(writes).map(|script| script.path.as_str())
    }
}

impl BuildScript {
    fn new(tree: &dyn Tree, path: &str) -> Option<Self> {
        let text = tree.read(path)?;
        if !WRITE_CALLS.iter().any(|word| text.contains(word)) {
            return None;
        }
        let mut script = Self { path: path.to_owned(), names: FxHashSet::default(), directories: Vec::new() };
        for token in tokens(&text, 0..text.len()).into_iter().filter(|token| token.kind == RustTokenKind::Text) {
            let written = &text[token.range];
            if written.is_empty() || written.len() > 200 || written.contains(['{', '\n', ' ', ':', '=', '*']) {
                continue;
            }
            let last = name(written.trim_end_matches('/'));
            // Every script that reads modules knows these names.
            if matches!(last, "mod.rs" | "lib.rs" | "main.rs") {
                continue;
            }
            if last.contains('.') && last != "." && last != ".." {
                script.names.insert(last.to_owned());
            } else if !matches!(last, "src" | "tests" | "examples" | "benches" | "." | ".." | "") {
                // The directories of code are read by every script: they say nothing.
                script.directories.extend(join(parent(path), written).filter(|directory| !directory.is_empty()));
            }
        }
        Some(script)
    }
}

#[cfg(test)]
mod tests {
    use super::BuildScripts;
    use crate::testing::Forest;

    #[test]
    fn knows_what_scripts_write() {
        let forest = Forest::new(
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
