//! Property tests of fixes: each fix removes its finding and adds no other, and a second run fixes nothing more.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;

use super::{Threshold, finding_key, plan_text};
use crate::{Checker, Finding, Options};
use pathfinder_project::settings::{Key, Overrides};
use pathfinder_project::snapshot::WorkspaceSnapshot;

const DIRECTORIES: [&str; 6] = ["", "a", "a/b", "a/c", "lib", "lib/inner"];
const STEMS: [&str; 5] = ["one", "two", "three", "index", "tow"];
const ENDINGS: [&str; 7] = ["md", "ts", "js", "css", "h", "py", "rs"];
/// The name of a file in each language: `{}` is its relative path, `{b}` that path without extension, `{d}` that path with
/// dots. The lines include two paths in one line, one path inside another, and one beside a template's placeholder.
const FORMS: [(&str, &[&str]); 6] = [
    ("md", &["[x]({}) and [y]({}#z)", "[![i]({})]({})", "<a href=\"{}\">[z]({})</a>", "[f]({{ v }}/{}) ![p](<{}>)"]),
    ("ts", &["import { n } from './{b}'; import './{}'", "export * from \"./{b}\"", "const m = () => import(`./{}`);"]),
    ("css", &["@import url({}); a { background: url('{}') }", "@import \"{}\";"]),
    ("h", &["#include \"{}\"", "#define M #include \"{}\"", "/* {} */ #include \"{}\""]),
    ("py", &["from .{d} import n", "import {d}, {d}"]),
    ("html", &["<script src='{}'></script><a href={}>t</a>", "<img src=\"{}\" srcset=\"{} 2x\">"]),
];

/// A file of the tree: indices of directory, stem and ending.
type FileName = (usize, usize, usize);
/// A line: its form, the files that it names, and whether paths start at the root.
type GeneratedLine = (prop::sample::Index, Vec<FileName>, bool);

fn name() -> impl Strategy<Value = FileName> {
    (0..DIRECTORIES.len(), 0..STEMS.len(), 0..ENDINGS.len())
}

fn path((directory, stem, ending): FileName) -> String {
    let (directory, stem, ending) = (DIRECTORIES[directory], STEMS[stem], ENDINGS[ending]);
    if directory.is_empty() { format!("{stem}.{ending}") } else { format!("{directory}/{stem}.{ending}") }
}

/// A path relative to a directory.
fn seen_from(directory: &str, path: &str) -> String {
    let up = directory.split('/').filter(|segment| !segment.is_empty()).count();
    match path.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/')) {
        Some(rest) => rest.to_owned(),
        None => format!("{}{path}", "../".repeat(up)),
    }
}

fn line(forms: &[&str], directory: &str, (form, names, is_from_root): &GeneratedLine) -> String {
    let mut text = form.get(forms).replace("{{", "\u{1}").replace("}}", "\u{2}");
    let mut names = names.iter().cycle();
    while let (Some(at), Some(name)) =
        (["{}", "{b}", "{d}"].iter().filter_map(|mark| text.find(mark)).min(), names.next())
    {
        let path = path(*name);
        let path = if *is_from_root { path } else { seen_from(directory, &path) };
        let bare = path.rsplit_once('.').map_or(path.as_str(), |(bare, _)| bare);
        let (mark, new) = match &text[at..at + 2] {
            "{}" => ("{}", path.clone()),
            "{b" => ("{b}", bare.to_owned()),
            _ => ("{d}", bare.replace("../", ".").replace('/', ".")),
        };
        text.replace_range(at..at + mark.len(), &new);
    }
    text.replace('\u{1}', "{{").replace('\u{2}', "}}")
}

fn checker(root: &Path, cache: &Path) -> Checker {
    let mut given = Overrides::default();
    given.set(Key::CacheDir, cache.to_owned().into());
    let workspace =
        Arc::new(WorkspaceSnapshot::open(&[root.to_owned()], &given, Duration::MAX, None).expect("a session"));
    Checker::new(&workspace, &Arc::new(Options::load(root, false).expect("options")))
}

fn keys<'f>(findings: impl Iterator<Item = &'f Finding>) -> Vec<(&'static str, &'f str)> {
    let mut keys: Vec<_> = findings.map(finding_key).collect();
    keys.sort_unstable();
    keys
}

/// Number of tested cases; without any the property would hold trivially.
#[derive(Debug, Default)]
struct Coverage {
    fixes: usize,
    fixed: usize,
}

fn holds(checker: &Checker, file: &str, text: &str, seen: &mut Coverage) -> Result<(), TestCaseError> {
    let findings = checker.check_bytes(file, text.as_bytes()).findings;
    let all = checker.judge_all(file, text.as_bytes()).findings;
    for finding in &findings {
        for fix in &finding.fixes {
            seen.fixes += 1;
            let mut after = text.to_owned();
            prop_assert!(fix.followers.is_empty(), "no construct of the tree binds names");
            after.replace_range(finding.range.clone(), &fix.literal);
            let now = checker.judge_all(file, after.as_bytes()).findings;
            let others = all.iter().filter(|other| other.range != finding.range);
            prop_assert_eq!(keys(now.iter()), keys(others), "{}: {:?} for {:?} in\n{}", file, fix, finding, text);
        }
    }
    for threshold in [Threshold::Preferred, Threshold::AtLeast(0.5), Threshold::AtLeast(0.0)] {
        let once = plan_text(checker, file, text.as_bytes().to_vec(), &findings, threshold);
        seen.fixed += once.fixed.len();
        let left = checker.check_bytes(file, &once.after).findings;
        prop_assert_eq!(left.len(), once.left, "what is left is counted: {}\n{}", file, text);
        let twice = plan_text(checker, file, once.after.clone(), &left, threshold);
        prop_assert!(twice.fixed.is_empty(), "{:?} after {:?} of {}\n{}", twice.fixed, once.fixed, file, text);
        // The reported positions refer to the original text.
        for fixed in &once.fixed {
            prop_assert_eq!(&text[fixed.range.clone()], &fixed.old);
            let line = text[..fixed.range.start].matches('\n').count() + 1;
            let column = fixed.range.start - text[..fixed.range.start].rfind('\n').map_or(0, |at| at + 1) + 1;
            prop_assert_eq!((fixed.line, fixed.column), (line, column));
        }
    }
    Ok(())
}

/// Trees with some files, and one file that names some of them and some missing ones.
#[test]
fn a_fix_removes_its_finding_and_adds_none() {
    let lines =
        prop::collection::vec((any::<prop::sample::Index>(), prop::collection::vec(name(), 1..4), any::<bool>()), 1..4);
    // One file of one language: most of the time goes into testing spellings.
    let strategy = (prop::collection::btree_set(name(), 5..30), 0..DIRECTORIES.len(), 0..FORMS.len(), lines);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 60,
        max_shrink_iters: 40,
        ..ProptestConfig::default()
    });
    let seen = std::cell::RefCell::new(Coverage::default());
    let result = runner.run(&strategy, |(there, directory, form, lines)| {
        let (root, cache) = (tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("a directory"));
        let root = dunce::canonicalize(root.path()).expect("a path");
        let write = |path: &str, text: &str| {
            fs::create_dir_all(root.join(path).parent().expect("a directory")).expect("made");
            fs::write(root.join(path), text).expect("written");
        };
        for name in &there {
            write(&path(*name), "# Z\n");
        }
        let directory = DIRECTORIES[directory];
        let (ending, forms) = FORMS[form];
        let text: String = lines.iter().map(|it| line(forms, directory, it) + "\n").collect();
        let file = if directory.is_empty() { format!("main.{ending}") } else { format!("{directory}/main.{ending}") };
        write(&file, &text);
        holds(&checker(&root, cache.path()), &file, &text, &mut seen.borrow_mut())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let seen = seen.into_inner();
    assert!(seen.fixes > 150 && seen.fixed > 40, "there was too little to look at: {seen:?}");
}
