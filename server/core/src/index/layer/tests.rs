//! Tests of `Layer`: each lookup that generators and features use.

use super::{Layer, Node};
use crate::probe::Kind;
use crate::testing::Tree;

/// Names before and after `/` in byte order stand beside directories, so that a wrong order shows.
const TREE: &str = "
    README.md
    a-b/client.go
    a/client.go
    a/client/mod.rs
    a/client/server.rs
    a/client/tests/client.go
    a/link -> client
    a.go
    b/client/client.go
    b/client/client_test.go
    caf\\xe9.txt
    empty/
    lib.RS
";

fn layer() -> Layer {
    Layer::build(&[Tree::new(TREE).found()])
}

fn find(layer: &Layer, path: &str) -> Option<Node> {
    layer.find(path.split('/').filter(|segment| !segment.is_empty()).map(str::as_bytes))
}

#[track_caller]
fn directory(layer: &Layer, path: &str) -> u32 {
    find(layer, path).filter(|node| node.is_directory()).expect("a directory of the tree").number()
}

#[track_caller]
fn name(layer: &Layer, name: &str) -> u32 {
    layer.names().find(name.as_bytes()).expect("a name of the tree")
}

/// Joins the paths of nodes with spaces.
fn paths(layer: &Layer, nodes: impl Iterator<Item = Node>) -> String {
    let paths: Vec<String> = nodes.map(|node| String::from_utf8_lossy(&layer.path(node)).into_owned()).collect();
    paths.join(" ")
}

#[test]
fn finds_entries_and_returns_their_paths() {
    let layer = layer();
    for (path, kind) in Tree::new(TREE).entries() {
        let node = layer.find(path.split(|&byte| byte == b'/')).expect("every entry is found");
        assert_eq!((layer.path(node), layer.kind(node)), (path, kind));
    }
    assert_eq!(find(&layer, ""), Some(Node::ROOT));
    for absent in ["a/client.rs", "client", "b/a", "a.go/x", "a/link/mod.rs", "a/client/client", "README"] {
        assert_eq!(find(&layer, absent), None, "{absent}");
    }
}

#[test]
fn lists_subtrees_as_ranges() {
    let layer = layer();
    let check = |path: &str, files: &str, directories: &str, below: &str| {
        let at = directory(&layer, path);
        assert_eq!(paths(&layer, layer.files_in(at).map(Node::file)), files, "files in {path:?}");
        assert_eq!(
            paths(&layer, layer.directories_in(at).map(Node::directory)),
            directories,
            "directories in {path:?}"
        );
        let all = layer.files_below(at).map(Node::file).chain(layer.directories_below(at).map(Node::directory));
        assert_eq!(paths(&layer, all), below, "below {path:?}");
    };
    check("empty", "", "", "");
    check("a-b", "a-b/client.go", "", "a-b/client.go");
    check("a/client/tests", "a/client/tests/client.go", "", "a/client/tests/client.go");
    check(
        "a",
        "a/client.go a/link",
        "a/client",
        "a/client.go a/link a/client/mod.rs a/client/server.rs a/client/tests/client.go a/client a/client/tests",
    );
    check("b", "", "b/client", "b/client/client.go b/client/client_test.go b/client");
    let root = directory(&layer, "");
    assert_eq!(paths(&layer, layer.files_in(root).map(Node::file)), "README.md a.go caf\u{fffd}.txt lib.RS");
    assert_eq!(paths(&layer, layer.directories_in(root).map(Node::directory)), "a a-b b empty");
    assert_eq!(layer.files_below(root), 0..layer.file_count());
    assert_eq!(layer.directories_below(root), 1..layer.directory_count());
}

#[test]
fn finds_entries_by_name_below_a_directory() {
    let layer = layer();
    let check = |wanted: &str, place: &str, expected: &str| {
        let (wanted, place) = (name(&layer, wanted), directory(&layer, place));
        assert_eq!(paths(&layer, layer.nodes_named_below(wanted, place)), expected);
    };
    check("client.go", "", "a/client.go a/client/tests/client.go a-b/client.go b/client/client.go");
    check("client.go", "a", "a/client.go a/client/tests/client.go");
    check("client.go", "a/client", "a/client/tests/client.go");
    check("client.go", "b", "b/client/client.go");
    check("client.go", "empty", "");
    check("client", "", "a/client b/client");
    check("client", "a", "a/client");
    // A directory is not below itself.
    check("client", "a/client", "");

    assert_eq!(paths(&layer, layer.nodes_named(name(&layer, "link"))), "a/link");
    let clients = layer.directories_named(name(&layer, "client")).map(Node::directory);
    assert_eq!(paths(&layer, clients), "a/client b/client");
    assert_eq!(layer.directories_named(name(&layer, "client.go")).count(), 0);
}

#[test]
fn finds_only_direct_children() {
    let layer = layer();
    let check = |parent: &str, child: &str, expected: Option<Kind>| {
        let (parent, child) = (directory(&layer, parent), name(&layer, child));
        let directory = layer.child_directory(parent, child).map(Node::directory);
        let node = directory.or(layer.child_file(parent, child).map(Node::file));
        assert_eq!(node.map(|node| layer.kind(node)), expected);
        if let Some(node) = node {
            assert_eq!((layer.parent(node), layer.name_of(node)), (parent, child));
        }
    };
    check("a", "client", Some(Kind::Directory));
    check("a", "client.go", Some(Kind::File));
    check("a", "link", Some(Kind::Symlink));
    // Below it, but not in it.
    check("a", "tests", None);
    check("", "client", None);
    check("", "client.go", None);
    check("", "b", Some(Kind::Directory));
    check("empty", "client", None);
}

#[test]
fn adds_parents_that_no_walk_listed() {
    let layer = layer();
    let chain = |path: &str| {
        let mut chain = Vec::new();
        layer.push_name_chain(directory(&layer, path), &mut chain);
        chain.into_iter().map(|name| String::from_utf8_lossy(layer.names().get(name)).into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(chain("a/client/tests"), ["a", "client", "tests"]);
    assert_eq!(chain(""), [""; 0]);
    assert_eq!(layer.parent(Node::ROOT), 0);
}

#[test]
fn prefers_directories_over_links_over_files() {
    let check = |kinds: &[Kind], expected: Kind| {
        let mut found = crate::index::WalkedEntries::default();
        for &kind in kinds {
            found.push_path(b"a/b", kind);
        }
        let layer = Layer::build(&[found]);
        let node = find(&layer, "a/b").expect("it was found");
        assert_eq!(layer.kind(node), expected, "{kinds:?}");
        assert_eq!(layer.file_count() + layer.directory_count(), 3, "{kinds:?}: root, a, and b once");
    };
    check(&[Kind::File, Kind::File], Kind::File);
    check(&[Kind::File, Kind::Symlink], Kind::Symlink);
    check(&[Kind::Symlink, Kind::File], Kind::Symlink);
    check(&[Kind::File, Kind::Directory], Kind::Directory);
    check(&[Kind::Directory, Kind::Symlink, Kind::File], Kind::Directory);
}

#[test]
fn counts_extensions_of_files() {
    let layer = layer();
    let check = |extension: &str, files: u32| {
        assert_eq!(layer.files_with_extension(extension.as_bytes()), files, "{extension:?}");
    };
    check("go", 6);
    // `lib.RS` is one of them.
    check("rs", 3);
    check("md", 1);
    // A link; directories are not counted.
    check("", 1);
    check("py", 0);
    check("g", 0);
}

#[test]
fn finds_names_by_word_and_counts_entries() {
    let layer = layer();
    let check = |word: &str, names: &[&str], entries: u32| {
        let Some(number) = layer.words().find(word.as_bytes()) else {
            assert_eq!((names.len(), entries), (0, 0), "{word} is no word");
            return;
        };
        let named = layer.names_with_word(number).map(|name| String::from_utf8_lossy(layer.names().get(name)));
        assert_eq!(named.collect::<Vec<_>>(), names, "{word}");
        assert_eq!(layer.entries_with_word(number), entries, "{word}");
    };
    check("client", &["client", "client.go", "client_test.go"], 7);
    check("test", &["client_test.go"], 1);
    check("tests", &["tests"], 1);
    check("b", &["a-b", "b"], 2);
    // The extension is a word like any other.
    check("go", &["a.go", "client.go", "client_test.go"], 6);
    check("clien", &[], 0);
    check("README", &[], 0);
    check("readme", &["README.md"], 1);
}

#[test]
fn answers_when_empty() {
    let layer = Layer::build(&[]);
    assert_eq!((layer.file_count(), layer.directory_count()), (0, 1));
    assert_eq!(find(&layer, "a"), None);
    assert_eq!(layer.path(Node::ROOT), b"");
    assert_eq!(layer.files_with_extension(b"rs"), 0);
    assert_eq!(layer.words().len(), 0);
}
