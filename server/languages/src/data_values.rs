//! Values of data files at keys without a rule of their own.
//!
//! A value is a path if its neighbours are: at least [`MIN_NEIGHBOURS`] values at the same key lead to files from one
//! directory, and nearly all do. A value that git's history moved needs no neighbours.

use pathfinder_literals::path::{extension, has_scheme, is_dynamic, join, name, parent};
use pathfinder_literals::{LiteralKind, Lookup, Severity, Source, Want};
use pathfinder_syntax::data::{Node, Text};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::data_report::{DataReport, has_variable, is_foreign};

/// Values at one key that must lead to a file before another is expected to: two can do so by chance.
const MIN_NEIGHBOURS: usize = 3;
/// Larger files are data, not configuration.
const MAX_BYTES: usize = 64 << 10;
/// Values that are looked up in one file. No configuration has more paths.
const MAX_VALUES: usize = 512;

/// Returns whether a file is configuration whose values can be paths. Most data need not be parsed.
pub(crate) fn can_have_paths(source: &Source<'_>) -> bool {
    source.text().len() <= MAX_BYTES && !is_foreign(source.path()) && source.text().contains('/')
}

/// Checks the values of a file that no rule has reported yet.
pub(crate) fn check(report: &mut DataReport<'_>, root: &Node, kind: LiteralKind) {
    let mut values = Vec::new();
    collect(root, "", "", &mut values);
    let reported = report.reported_ranges();
    values.retain(|value| !reported.contains(&value.text.range.start) && is_path(&value.text.text));
    values.truncate(MAX_VALUES);
    let own = report.here();
    // `.github/x.yml` and `.circleci/config.yml` name files from the directory above.
    let above = if name(own).starts_with('.') { parent(own) } else { own };
    let mut bases = vec![own, above, ""];
    bases.dedup();
    for base in &bases {
        check_from(report, &values, base, kind);
    }
    check_moved(report, &values, &bases, kind);
}

/// A string at a key.
struct Value<'n> {
    text: &'n Text<'n>,
    /// The key that has it.
    key: &'n str,
    /// The key above.
    parent_key: &'n str,
}

/// Appends all strings below a node. The parsers limit the depth, so recursion is bounded.
fn collect<'n>(node: &'n Node, key: &'n str, parent_key: &'n str, values: &mut Vec<Value<'n>>) {
    match node {
        Node::Text(text) => values.push(Value { text, key, parent_key }),
        Node::List(items) => items.iter().for_each(|item| collect(item, key, parent_key, values)),
        Node::Map(entries) => entries.iter().for_each(|(name, item)| collect(item, &name.text, key, values)),
        Node::Other(_) => {}
    }
}

/// Returns whether a text has the form of a relative path with at least two segments.
fn is_path(text: &str) -> bool {
    /// Longer texts are prose or data.
    const MAX_PATH_BYTES: usize = 200;
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '/' | '.' | '-' | '_' | '@' | '+');
    let path = text.strip_prefix("./").unwrap_or(text);
    text.len() <= MAX_PATH_BYTES
        && path.contains('/')
        && !path.starts_with(['/', '@', '-'])
        && !path.ends_with('/')
        && !path.contains("//")
        && path.chars().all(is_plain)
        && path.split('/').all(|segment| segment != ".")
        && !has_scheme(text)
        && !is_dynamic(text)
        && !has_variable(text)
}

/// Checks the groups of values whose members lead to files from one directory.
fn check_from(report: &mut DataReport<'_>, values: &[Value<'_>], base: &str, kind: LiteralKind) {
    let mut groups: FxHashMap<(bool, &str), Vec<&Value<'_>>> = FxHashMap::default();
    for value in values {
        groups.entry((true, value.key)).or_default().push(value);
        if !value.parent_key.is_empty() {
            groups.entry((false, value.parent_key)).or_default().push(value);
        }
    }
    let mut broken: Vec<&Text<'_>> = Vec::new();
    for group in groups.into_values() {
        let mut found: FxHashMap<String, FxHashSet<&str>> = FxHashMap::default();
        let mut missing: Vec<(&Value<'_>, String)> = Vec::new();
        for value in group {
            match join(base, &value.text.text) {
                Some(path) if report.exists(&path) => {
                    found.entry(extension(&path)).or_default().insert(&value.text.text);
                }
                Some(path) => missing.push((value, path)),
                None => {}
            }
        }
        let count: usize = found.values().map(FxHashSet::len).sum();
        let gone: FxHashSet<&str> = missing.iter().map(|(_, path)| path.as_str()).collect();
        // One miss in a short list, one in eight of a long one.
        if count < MIN_NEIGHBOURS || gone.len() > 1.max(count / 8) {
            continue;
        }
        // Neighbours have the same ending, and the directory is the project's own.
        let fits = |path: &str| found.contains_key(&extension(path)) && report.exists(parent(path));
        broken.extend(missing.iter().filter(|(_, path)| fits(path)).map(|(value, _)| value.text));
    }
    broken.sort_by_key(|text| text.range.start);
    broken.dedup_by_key(|text| text.range.start);
    let reported = report.reported_ranges();
    for text in broken.into_iter().filter(|text| !reported.contains(&text.range.start)) {
        let exists_elsewhere =
            ["", report.here()].iter().any(|base| join(base, &text.text).is_some_and(|it| report.exists(&it)));
        if !exists_elsewhere {
            let resolution =
                Lookup::new(report.project, Want::Any).verdict(Severity::Warning, [join(base, &text.text)]);
            report.add(kind, text, resolution);
        }
    }
}

/// Reports values whose target a commit moved. A value with exactly the earlier path of a file named that file.
fn check_moved(report: &mut DataReport<'_>, values: &[Value<'_>], bases: &[&str], kind: LiteralKind) {
    let reported = report.reported_ranges();
    for value in values.iter().filter(|value| !reported.contains(&value.text.range.start)) {
        let paths: Vec<String> = bases.iter().filter_map(|base| join(base, &value.text.text)).collect();
        if paths.iter().any(|path| report.exists(path)) {
            continue;
        }
        let tree = report.project.tree();
        let moved = paths
            .into_iter()
            .find(|path| tree.moved(path).is_some_and(|moved| extension(&moved.to) == extension(path)));
        if let Some(path) = moved {
            let resolution = Lookup::new(report.project, Want::Any).verdict(Severity::Warning, [Some(path)]);
            report.add(kind, value.text, resolution);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    const TREE: &str = "ci/a.sh\nci/b.sh\nci/c.sh\nci/d.txt\nsrc/a.rs\nmoved old/setup.sh ci/a.sh\nignore dist/";

    #[test]
    fn judges_a_value_by_its_neighbours() {
        let three = "steps:\n- file: ci/a.sh\n- file: ci/b.sh\n- file: ./ci/c.sh\n";
        check(TREE, "x.yml", &format!("{three}- file: ci/gone.sh\n"), "yaml.value ci/gone.sh → missing");
        check(TREE, "x.yml", &format!("{three}- file: ci/gone.py\n- other: ci/gone.sh\n"), "");
        check(TREE, "x.yml", &format!("{three}- file: ci/gone.sh\n- file: ci/other.sh\n"), "");
        check(TREE, "x.yml", &format!("{three}- file: gone/gone.sh\n"), "");
        check(TREE, "x.yml", "steps:\n- file: ci/a.sh\n- file: ci/b.sh\n- file: ci/gone.sh\n", "");
        check(TREE, "tests/fixtures/x.yml", &format!("{three}- file: ci/gone.sh\n"), "");
        let json = r#"{"icons": {"a": "ci/a.sh", "b": "ci/b.sh", "c": "ci/c.sh", "d": "ci/e.sh"}}"#;
        check(TREE, "x.json", json, "json.value ci/e.sh → missing");
        let toml = "a = [\"ci/a.sh\", \"ci/b.sh\", \"ci/c.sh\", \"ci/e.sh\", \"x y/z.sh\"]\n";
        check(TREE, "x.toml", toml, "toml.value ci/e.sh → missing");
    }

    #[test]
    fn reports_a_value_that_moved() {
        check(TREE, "x.yml", "env:\n  SETUP: old/setup.sh\n  OTHER: old/other.sh\n", "yaml.value old/setup.sh → moved");
        check(TREE, "ci/x.yml", "SETUP: ../old/setup.sh\n", "yaml.value ../old/setup.sh → moved");
    }
}
