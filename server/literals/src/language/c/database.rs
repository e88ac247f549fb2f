//! `compile_commands.json`: the directories that compilers were told to search.

use crate::language::data::{Node, json};
use crate::path::join;
use crate::tree::{Kind, Tree};

/// Where it is made, or linked to.
const PLACES: [&str; 5] = [
    "compile_commands.json",
    "build/compile_commands.json",
    "out/compile_commands.json",
    "Build/compile_commands.json",
    "builddir/compile_commands.json",
];

/// The directories of all commands, relative to the root.
pub(super) fn directories(tree: &dyn Tree) -> Vec<String> {
    let Some(text) = PLACES.iter().find_map(|place| tree.read(place)) else { return Vec::new() };
    let Some(root) = json::read(&text) else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    let Some(above) = root.items().iter().find_map(|entry| above(tree, entry)) else { return found };
    let mut add = |directory: &str, path: &str| {
        let absolute = if path.starts_with('/') { path.to_owned() } else { format!("{directory}/{path}") };
        let inside = absolute.strip_prefix(&above).and_then(|inside| join("", inside));
        if let Some(inside) = inside.filter(|inside| !found.contains(inside)) {
            found.push(inside);
        }
    };
    for entry in root.items() {
        let directory = entry.get("directory").and_then(Node::str).unwrap_or_default();
        let command = entry.get("command").and_then(Node::str).unwrap_or_default();
        let words: Vec<&str> = match entry.get("arguments") {
            Some(arguments) => arguments.items().iter().filter_map(Node::str).collect(),
            None => command.split_whitespace().map(|word| word.trim_matches('"')).collect(),
        };
        for (word, next) in words.iter().zip(words.iter().skip(1).copied().chain([""])) {
            for flag in ["-I", "-iquote", "-isystem"] {
                match word.strip_prefix(flag) {
                    Some("") if !next.is_empty() => add(directory, next),
                    Some(path) if !path.is_empty() => add(directory, path),
                    _ => {}
                }
            }
        }
    }
    found
}

/// The absolute path of the root, with `/`: what is before the part of an entry's file that is there.
fn above(tree: &dyn Tree, entry: &Node) -> Option<String> {
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
    use super::directories;
    use crate::testing::Forest;

    #[test]
    fn read() {
        let check = |json: &str, expect: &[&str]| {
            let forest = Forest::new(&format!("src/a.c\ninclude/x.h\nbuild/compile_commands.json = {json}"));
            assert_eq!(directories(&forest), expect, "{json}");
        };
        check(
            "[{\"directory\": \"/w/p/build\", \"command\": \"cc -I../include -I /w/p/src -I/usr/x -c ../src/a.c\", \"file\": \"../src/a.c\"}]",
            &["include", "src"],
        );
        check(
            "[{\"directory\": \"/w/p\", \"arguments\": [\"cc\", \"-isystem\", \"lib\"], \"file\": \"/w/p/src/a.c\"}]",
            &["lib"],
        );
        check("[{\"directory\": \"/w/p\", \"file\": \"/w/p/gone.c\"}]", &[]);
        check("{", &[]);
    }
}
