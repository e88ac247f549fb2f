//! Walls between packages: arrows, circles of files, dependencies of each edge, and lints that differ per package.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Output};

use toml_edit::{DocumentMut, Item};

use super::{check, files, read, repository};

/// Crates that core is built of: data structures, Unicode, error types and threads for computing.
const PURE: [&str; 17] = [
    "crossbeam-deque",
    "crossbeam-epoch",
    "crossbeam-utils",
    "either",
    "pathfinder-core",
    "proc-macro2",
    "quote",
    "rayon",
    "rayon-core",
    "rustc-hash",
    "smallvec",
    "syn",
    "thiserror",
    "thiserror-impl",
    "tinyvec",
    "unicode-ident",
    "unicode-normalization",
];
/// Packages that ask the system: the disk's own, the program, and the measurements that start it.
const ASKS_THE_SYSTEM: [&str; 3] = ["vfs", "bench", ""];
/// Files of one package that may import each other in a circle. A reader has to know all of them to change one.
const MAX_CIRCLE: &str = "10";
/// Picture of the arrows, which `ARCHITECTURE.md` shows.
const PICTURE: &str = "server/packages.svg";

/// Directories below `server` that are packages; the program itself is `""`.
fn packages() -> Vec<String> {
    let all = files();
    let below = all.iter().filter_map(|name| name.strip_prefix("server/")?.strip_suffix("Cargo.toml"));
    below.map(|name| name.trim_end_matches('/').to_owned()).collect()
}

fn manifest(package: &str) -> DocumentMut {
    read(&format!("server/{package}/Cargo.toml").replace("//", "/")).parse().unwrap()
}

/// The packages of this repository that a package depends on, without those of its tests.
fn dependencies(package: &str) -> BTreeSet<String> {
    let manifest = manifest(package);
    let names = manifest["dependencies"].as_table().unwrap().iter().map(|(name, _)| name);
    names.filter_map(|name| name.strip_prefix("pathfinder-")).map(str::to_owned).collect()
}

/// The texts in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The column "may import" of the table in `ARCHITECTURE.md`, by package; without the program, which may import all but `bench`.
fn allowed() -> BTreeMap<String, BTreeSet<String>> {
    let text = read("ARCHITECTURE.md");
    let rows =
        text.lines().filter(|line| line.starts_with("| `server/")).map(|line| line.split('|').collect::<Vec<_>>());
    let mut allowed = BTreeMap::new();
    for row in rows {
        for name in quoted(row[1]) {
            allowed.insert(name.trim_start_matches("server/").to_owned(), quoted(row[3]).map(str::to_owned).collect());
        }
    }
    allowed
}

fn python(arguments: &[&str]) -> Output {
    Command::new("python3").args(arguments).current_dir(repository()).output().expect("python3 runs")
}

/// Names of the crates that a package is linked with on this system.
fn linked(package: &str) -> BTreeSet<String> {
    let arguments = ["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none", "--package", package];
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(repository()).output().unwrap();
    assert!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn packages_import_as_the_table_says() {
    let allowed = allowed();
    assert!(allowed.len() > 10, "the table in ARCHITECTURE.md was not found");
    for package in packages().iter().filter(|name| !name.is_empty()) {
        let Some(direct) = allowed.get(package) else {
            panic!("server/{package} has no row in the table of ARCHITECTURE.md");
        };
        let mut reachable = direct.clone();
        while let Some(new) =
            reachable.iter().flat_map(|name| &allowed[name]).find(|name| !reachable.contains(*name)).cloned()
        {
            reachable.insert(new);
        }
        let dependencies = dependencies(package);
        let wrong = dependencies.difference(&reachable).map(|name| format!("{package} → {name}"));
        check("arrows that the table of ARCHITECTURE.md does not have", wrong);
        let unused = direct.difference(&dependencies).map(|name| format!("{package} → {name}"));
        check("arrows of the table that no manifest has", unused);
        assert!(!reachable.contains(package), "{package} imports itself");
    }
    check("packages that the program must not have", dependencies("").into_iter().filter(|name| name == "bench"));
}

/// A table of the program's own package takes the profile's `strip` away from it, without a word.
#[test]
fn the_released_program_is_stripped() {
    let manifest: DocumentMut = read("Cargo.toml").parse().unwrap();
    let release = &manifest["profile"]["release"];
    for (name, table) in [("the profile", release), ("the program", &release["package"]["pathfinder"])] {
        assert_eq!(table.get("strip").and_then(Item::as_str), Some("symbols"), "strip of {name} in Cargo.toml");
    }
}

#[test]
fn files_import_each_other_in_small_circles_only() {
    let output = python(&["tests/import_graph.py", "--max", MAX_CIRCLE]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "circles above {MAX_CIRCLE} files:\n{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(text.contains("pathfinder-core: "), "it looks at core:\n{text}");
}

#[test]
fn the_picture_shows_todays_arrows() {
    let output = python(&["tests/import_graph.py", "--svg", "-"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let is_current = String::from_utf8_lossy(&output.stdout) == read(PICTURE);
    assert!(is_current, "{PICTURE} is out of date: tests/import_graph.py --svg {PICTURE}");
}

#[test]
fn edges_are_linked_with_their_own_protocol_only() {
    for (package, forbidden) in [
        ("pathfinder-lsp", &["rmcp", "hyper", "http"][..]),
        ("pathfinder-mcp", &["tower-lsp-server", "ls-types", "lsp-types"]),
        ("pathfinder-hooks", &["rmcp", "hyper", "tower-lsp-server"]),
    ] {
        let linked = linked(package);
        assert!(linked.contains("pathfinder-ipc"), "{package} is listed: {linked:?}");
        check(
            &format!("crates that {package} must not have"),
            linked.into_iter().filter(|name| forbidden.contains(&name.as_str())),
        );
    }
}

#[test]
fn core_has_pure_dependencies_only() {
    check(
        "crates that core must not have",
        linked("pathfinder-core").into_iter().filter(|name| !PURE.contains(&name.as_str())),
    );
    let manifest = manifest("core");
    // Only this program's own messages need it.
    let is_optional = |item: &Item| item.get("optional").and_then(Item::as_bool) == Some(true);
    let optional = manifest["dependencies"].as_table().unwrap().iter().filter(|(_, item)| is_optional(item));
    check(
        "optional crates of core but serde",
        optional.map(|(name, _)| name.to_owned()).filter(|name| name != "serde"),
    );
    assert!(manifest["features"].get("default").is_none(), "core has no feature by default");
}

#[test]
fn only_some_packages_ask_the_system() {
    let strict = read("server/core/.clippy.toml");
    let shared = read(".clippy.toml");
    check(
        "rules of the root's .clippy.toml that a package would lose",
        shared.lines().filter(|line| !strict.contains(line)).map(str::to_owned),
    );
    for call in
        ["std::fs::read", "std::env::var_os", "std::process::Command", "std::time::Instant", "std::net::TcpStream"]
    {
        assert!(strict.contains(&format!("\"{call}\"")), "{call} is a lint");
    }
    let strict_packages = packages().into_iter().filter(|name| !ASKS_THE_SYSTEM.contains(&name.as_str()));
    let path = |name: &String| repository().join("server").join(name).join(".clippy.toml");
    let differs =
        strict_packages.filter(|name| std::fs::read_to_string(path(name)).ok().as_deref() != Some(strict.as_str()));
    check("packages without the .clippy.toml of core: copy it", differs);
}
