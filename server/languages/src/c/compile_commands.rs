//! Reads `compile_commands.json`: the include directories of each compiled file. `BuildFiles` calls it.

use rustc_hash::FxHashMap;

use pathfinder_literals::path::join;
use pathfinder_literals::{Kind, Tree};
use pathfinder_syntax::data::{Node, json};

/// Paths at which build tools write the database or link to it.
const DATABASE_PATHS: [&str; 5] = [
    "compile_commands.json",
    "build/compile_commands.json",
    "out/compile_commands.json",
    "Build/compile_commands.json",
    "builddir/compile_commands.json",
];

/// The include directories of one compile command.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CompileCommand {
    /// The directories in search order, relative to the root.
    pub(super) directories: Vec<String>,
    /// True if the compiler searches no other directories than these and those of the system.
    pub(super) is_complete: bool,
}

/// Prefixes of directories that belong to compilers and systems; no file of the project lies there.
const SYSTEM_PREFIXES: [&str; 5] = ["/usr/", "/opt/", "/nix/", "/Library/", "/Applications/"];

/// Flags that take a directory, in the order in which a compiler searches these directories.
const DIRECTORY_FLAGS: [&str; 4] = ["-iquote", "-I", "-isystem", "-idirafter"];

/// Flags that are not evaluated here and can add directories or headers: response files, forced includes, overlays.
const UNREAD_FLAGS: [&str; 6] = ["@", "-include", "-imacros", "-iprefix", "-ivfsoverlay", "--include-directory"];

/// The commands by compiled file, relative to the root. Several commands for one file are merged.
pub(super) fn read_commands(tree: &dyn Tree) -> FxHashMap<String, CompileCommand> {
    let mut commands: FxHashMap<String, CompileCommand> = FxHashMap::default();
    let Some(text) = DATABASE_PATHS.iter().find_map(|path| tree.read_shared(path)) else { return commands };
    let Some(root) = json::read(&text) else { return commands };
    let Some(prefix) = root.items().iter().find_map(|entry| root_prefix(tree, entry)) else { return commands };
    let inside = |directory: &str, path: &str| {
        let absolute = if path.starts_with('/') { path.to_owned() } else { format!("{directory}/{path}") };
        let absolute = format!("/{}", join("", &absolute)?);
        let root = prefix.trim_end_matches('/');
        Some(absolute.strip_prefix(root)?.trim_start_matches('/').to_owned())
            .filter(|_| absolute.len() == root.len() || absolute.starts_with(&prefix))
    };
    for entry in root.items() {
        let directory = entry.get("directory").and_then(Node::str).unwrap_or_default();
        let Some(file) = entry.get("file").and_then(Node::str).and_then(|file| inside(directory, file)) else {
            continue;
        };
        let text = entry.get("command").and_then(Node::str).unwrap_or_default();
        let words: Vec<&str> = match entry.get("arguments") {
            Some(arguments) => arguments.items().iter().filter_map(Node::str).collect(),
            None => text.split_whitespace().map(|word| word.trim_matches('"')).collect(),
        };
        let is_new = !commands.contains_key(&file);
        let command = commands.entry(file).or_default();
        command.is_complete = (is_new || command.is_complete)
            && words.len() > 1
            && !words.iter().any(|word| UNREAD_FLAGS.iter().any(|other| word.starts_with(other)));
        for flag in DIRECTORY_FLAGS {
            for (word, next) in words.iter().zip(words.iter().skip(1).copied().chain([""])) {
                let path = match word.strip_prefix(flag) {
                    Some("") => next,
                    Some(path) => path,
                    None => continue,
                };
                match inside(directory, path) {
                    Some(path) if !command.directories.contains(&path) => command.directories.push(path),
                    Some(_) => {}
                    None => command.is_complete &= SYSTEM_PREFIXES.iter().any(|system| path.starts_with(system)),
                }
            }
        }
    }
    commands
}

/// The absolute path of the root, with a final `/`: the part of an entry's path before the suffix that is in the tree.
fn root_prefix(tree: &dyn Tree, entry: &Node) -> Option<String> {
    let file = entry.get("file").and_then(Node::str)?;
    let directory = entry.get("directory").and_then(Node::str)?;
    let file = if file.starts_with('/') { file.to_owned() } else { format!("{directory}/{file}") };
    let file = join("", &file)?;
    let inside = std::iter::successors(Some(file.as_str()), |rest| Some(rest.split_once('/')?.1))
        .find(|rest| tree.kind(rest) == Some(Kind::File))?;
    Some(format!("/{}", file.strip_suffix(inside)?))
}

#[cfg(test)]
mod tests {
    use super::read_commands;
    use crate::testing::MemoryTree;

    /// Expects the directories of each file, and `+` if the command is closed.
    #[test]
    fn reads_include_directories() {
        let check = |json: &str, expect: &[&str]| {
            let forest =
                MemoryTree::new(&format!("src/a.c\nsrc/b.c\ninclude/x.h\nbuild/compile_commands.json = {json}"));
            let rows = read_commands(&forest).into_iter().map(|(file, command)| {
                format!("{file}: {}{}", command.directories.join(" "), if command.is_complete { " +" } else { "" })
            });
            let mut rows: Vec<String> = rows.collect();
            rows.sort();
            assert_eq!(rows, expect, "{json}");
        };
        check(
            "[{\"directory\": \"/w/p/build\", \"command\": \"cc -I../include -I /w/p/src -I/usr/x -c ../src/a.c\", \"file\": \"../src/a.c\"}]",
            &["src/a.c: include src +"],
        );
        check(
            "[{\"directory\": \"/w/p\", \"arguments\": [\"cc\", \"-isystem\", \"lib\", \"-iquotesrc\"], \"file\": \"/w/p/src/a.c\"}, {\"directory\": \"/w/p\", \"command\": \"cc -I. -I/w/other b.c\", \"file\": \"src/b.c\"}]",
            &["src/a.c: src lib +", "src/b.c: "],
        );
        check("[{\"directory\": \"/w/p\", \"command\": \"cc @flags\", \"file\": \"/w/p/src/a.c\"}]", &["src/a.c: "]);
        check("[{\"directory\": \"/w/p\", \"file\": \"/w/p/src/a.c\"}]", &["src/a.c: "]);
        check("[{\"directory\": \"/w/p\", \"file\": \"/w/p/gone.c\"}]", &[]);
        check("{", &[]);
    }
}
