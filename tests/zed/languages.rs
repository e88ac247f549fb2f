//! The languages for which Zed starts the server: each is one that Zed or a published extension has, and every language whose
//! paths are checked has its files opened by one of them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops where it stands")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use pathfinder_languages::ALL;
use serde_json::Value;

/// A language of Zed's.
struct Known {
    id: &'static str,
    suffixes: Vec<&'static str>,
}

/// `languages.txt`, by name.
fn known() -> BTreeMap<&'static str, Known> {
    let lines = include_str!("languages.txt").lines().filter(|line| !line.starts_with('#'));
    let all: Vec<_> = lines
        .map(|line| {
            let columns: Vec<&str> = line.split(" | ").collect();
            let [name, id, suffixes, _extension, seen] = columns[..] else { panic!("five columns: {line}") };
            assert_eq!(seen.splitn(3, ' ').count(), 3, "repository, commit and path: {line}");
            (name, Known { id, suffixes: suffixes.split(' ').filter(|suffix| *suffix != "-").collect() })
        })
        .collect();
    let by_name: BTreeMap<_, _> = all.into_iter().collect();
    assert!(by_name.len() > 40, "{}", by_name.len());
    by_name
}

impl Known {
    /// Returns whether Zed opens a file in it: its name is one of the suffixes, or ends in one after a dot.
    fn opens(&self, file: &str) -> bool {
        let name = file.rsplit('/').next().unwrap();
        self.suffixes
            .iter()
            .any(|suffix| name.strip_suffix(suffix).is_some_and(|before| before.is_empty() || before.ends_with('.')))
    }
}

fn read(path: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    toml_edit::de::from_str(&text).unwrap()
}

fn server() -> Value {
    read("zed-extension/extension.toml")["language_servers"]["pathfinder"].clone()
}

#[test]
fn every_language_was_seen() {
    let (known, server) = (known(), server());
    let listed: Vec<_> = server["languages"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let once: BTreeSet<_> = listed.iter().copied().collect();
    assert_eq!(once.len(), listed.len(), "none is listed twice");
    let expected: BTreeSet<_> = known.keys().copied().collect();
    assert_eq!(once, expected, "extension.toml and languages.txt name the same");
    let ids: BTreeMap<_, _> = server["language_ids"].as_object().unwrap().iter().collect();
    for (name, known) in &known {
        let id = ids.get(&(*name).to_owned()).and_then(|id| id.as_str());
        assert_eq!(id, Some(known.id), "{name}");
    }
    assert_eq!(ids.len(), known.len(), "no id of a language that is not listed");
}

#[test]
fn every_kind_of_literal_has_its_languages() {
    let known = known();
    let mut idle: BTreeSet<_> = known.keys().copied().collect();
    let mut kinds = BTreeSet::new();
    for line in include_str!("kinds.txt").lines().filter(|line| !line.starts_with('#')) {
        let (kind, files) = line.split_once(": ").unwrap();
        let language = ALL.iter().find(|language| language.name() == kind);
        let language = language.unwrap_or_else(|| panic!("there is no language {kind}"));
        kinds.insert(kind);
        let of_none = files.strip_prefix("not ").map(|closed| ("", closed));
        let (opened, closed) = of_none.or_else(|| files.split_once(" not ")).unwrap_or((files, ""));
        for file in opened.split(' ').filter(|file| !file.is_empty()) {
            assert!(language.claims(file), "{kind} does not claim {file}");
            let by: Vec<_> = known.iter().filter(|(_, known)| known.opens(file)).map(|(name, _)| *name).collect();
            assert!(!by.is_empty(), "{kind}: no language of extension.toml opens {file}");
            idle.retain(|name| !by.contains(name));
        }
        for file in closed.split(' ').filter(|file| !file.is_empty()) {
            assert!(language.claims(file), "{kind} does not claim {file}");
            let by = known.iter().find(|(_, known)| known.opens(file)).map(|(name, _)| *name);
            assert_eq!(by, None, "{kind}: {file} is opened after all");
        }
    }
    let all: BTreeSet<_> = ALL.iter().map(|language| language.name()).collect();
    assert_eq!(kinds, all, "kinds.txt has every language once");
    // It has no suffixes of its own.
    assert_eq!(idle, BTreeSet::from(["GitHub Actions"]), "a language without a file that is checked");
}

#[test]
fn the_extension_agrees_with_itself_and_the_program() {
    let manifest = read("zed-extension/extension.toml");
    let package = read("zed-extension/Cargo.toml")["package"].clone();
    let workspace = read("Cargo.toml")["workspace"]["package"].clone();
    assert_eq!(manifest["version"], package["version"], "of extension.toml and Cargo.toml");
    assert_eq!(manifest["repository"], package["repository"], "of extension.toml and Cargo.toml");
    assert_eq!(package["repository"], workspace["repository"], "of the extension and the program");
    assert_eq!(manifest["schema_version"].as_i64(), Some(1));
    // As https://zed.dev/docs/extensions/publishing/prerequisites asks.
    let (id, name) = (manifest["id"].as_str().unwrap(), manifest["name"].as_str().unwrap().to_lowercase());
    assert!(id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{id} is not in kebab case");
    assert!(["zed", "extension"].iter().all(|word| !id.contains(word) && !name.contains(word)), "{id}, {name}");
    assert_eq!(package["license"].as_str(), Some("MIT OR Apache-2.0"), "both are accepted");
    assert!(manifest["context_servers"]["pathfinder"].as_object().unwrap().is_empty(), "Zed knows no setting there");
    let lock = read("zed-extension/Cargo.lock");
    let locked =
        lock["package"].as_array().unwrap().iter().find(|one| one["name"].as_str() == Some("zed_extension_api"));
    assert_eq!(locked.unwrap()["version"].as_str(), Some("0.7.0"), "the newest that stable Zed accepts");
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let at = |folder: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder).join(licence);
        let text = |folder| std::fs::read(at(folder)).unwrap();
        assert_eq!(text("."), text("zed-extension"), "the registry wants {licence} in the extension's folder");
    }
}
