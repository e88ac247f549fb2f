//! Adds readings for other forms of a path that exist: index file for directory and the reverse, the file of a module.
//!
//! Called by `Engine` after `packages`. A form must exist to become a reading: a project has hundreds of `mod.rs`, and the
//! name alone does not make one of them a good answer.

use crate::index::Snapshot;
use crate::query::{Note, Reading};
use crate::words::split_extension;

/// `a/foo.rs` for `a/foo/mod.rs` and the reverse: languages leave the choice, and projects change it.
const INDEX_FORM_COST: f32 = 0.04;
/// `a/foo_bar.rs` for `a/foo/bar.rs`: callers that remember the module's whole name write it so.
const SEPARATOR_COST: f32 = 0.06;
/// First separators of a name that are read as `/`: a file is seldom deeper below the named directory.
const MAX_SEPARATORS: usize = 4;
/// The file of a module, with an extension of its language.
const MODULE_FILE_COST: f32 = 0.02;
/// Cost of each last part of a module name that is dropped, because it may be a name inside the file.
const DROPPED_NAME_COST: f32 = 0.03;
/// Last parts that may be names inside the file: a type and its method.
const MAX_DROPPED_NAMES: usize = 2;
/// Cheapest readings whose forms are looked up.
const MAX_READINGS_EXPANDED: usize = 4;

/// Index files by the extension that their siblings have.
const INDEX_FILES: &[(&str, &[&str])] = &[
    ("rs", &["mod.rs"]),
    ("py", &["__init__.py"]),
    ("ts", &["index.ts", "index.tsx"]),
    ("tsx", &["index.tsx", "index.ts"]),
    ("js", &["index.js", "index.jsx"]),
    ("jsx", &["index.jsx", "index.js"]),
    ("mjs", &["index.mjs"]),
    ("vue", &["index.vue"]),
    ("md", &["index.md", "README.md", "_index.md"]),
    ("mdx", &["index.mdx"]),
    ("html", &["index.html"]),
    ("scss", &["_index.scss", "index.scss"]),
];

/// Extensions of languages with dotted or `::` module names.
const MODULE_EXTENSIONS: &[&str] = &[
    "rs", "py", "pyi", "java", "kt", "scala", "cs", "go", "ts", "tsx", "js", "rb", "php", "pm", "ex", "hs", "cpp",
    "hpp", "h",
];

/// Adds the existing other forms of the readings; sorts all by cost.
pub(crate) fn with_forms(mut readings: Vec<Reading>, snapshots: &[&Snapshot]) -> Vec<Reading> {
    let mut more: Vec<Reading> = Vec::new();
    for reading in readings.iter().take(MAX_READINGS_EXPANDED) {
        let roots_with = |segments: &[String]| -> Vec<usize> {
            let path = segments.join("/");
            let roots = (0..snapshots.len()).filter(|&root| reading.root.is_none_or(|wanted| wanted == root));
            roots.filter(|&root| snapshots[root].get(path.as_bytes()).is_some()).collect()
        };
        let mut add = |segments: Vec<String>, note: Note, cost: f32| {
            let roots = roots_with(&segments);
            for &root in &roots {
                let mut notes = reading.notes.clone();
                notes.retain(|&note| note != Note::AsWritten);
                notes.push(note);
                let form = Reading {
                    segments: segments.clone(),
                    notes,
                    root: Some(root),
                    cost: reading.cost + cost,
                    is_directory: false,
                    ..reading.clone()
                };
                more.push(form);
            }
            !roots.is_empty()
        };
        // `a/Foo/Foo.tsx` replaces `a/Foo.tsx`; the index beside it only re-exports it.
        if in_own_directory(&reading.segments).is_none_or(|segments| roots_with(&segments).is_empty()) {
            add_index_forms(&reading.segments, &mut |segments| {
                add(segments, Note::IndexForm, INDEX_FORM_COST);
            });
        }
        if reading.is_module {
            add_module_files(&reading.segments, &mut |segments, cost| add(segments, Note::ModuleFile, cost));
        }
        add_separator_forms(reading, snapshots, &mut more);
    }
    if !more.is_empty() {
        more.retain(|form| !readings.iter().any(|other| other.segments == form.segments));
        readings.extend(more);
        readings
            .sort_by(|left, right| left.cost.total_cmp(&right.cost).then_with(|| left.segments.cmp(&right.segments)));
    }
    readings
}

/// Adds `foo/bar.rs` for `foo_bar.rs`, if no entry has that name and some directory `foo` has a `bar.rs`.
fn add_separator_forms(reading: &Reading, snapshots: &[&Snapshot], more: &mut Vec<Reading>) {
    let Some((name, directories)) = reading.segments.split_last() else { return };
    if snapshots.iter().any(|snapshot| snapshot.entries_named(name.as_bytes()) > 0) {
        return;
    }
    let stem = split_extension(name.as_bytes()).0.len();
    let marks = name[..stem].match_indices(['_', '-']).map(|(at, _)| at).filter(|&at| at > 0 && at + 1 < stem);
    for at in marks.take(MAX_SEPARATORS) {
        let (directory, file) = (&name[..at], &name[at + 1..]);
        if snapshots.iter().any(|snapshot| snapshot.has_in(directory.as_bytes(), file.as_bytes())) {
            let mut notes = reading.notes.clone();
            notes.retain(|&note| note != Note::AsWritten);
            notes.push(Note::SeparatorAsSlash);
            let segments = [directories, &[directory.to_owned(), file.to_owned()]].concat();
            more.push(Reading { segments, notes, cost: reading.cost + SEPARATOR_COST, ..reading.clone() });
        }
    }
}

/// Returns `a/foo/foo.rs` for `a/foo.rs`.
fn in_own_directory(segments: &[String]) -> Option<Vec<String>> {
    let (name, directories) = segments.split_last()?;
    let stem = String::from_utf8_lossy(split_extension(name.as_bytes()).0).into_owned();
    Some([directories, &[stem, name.clone()]].concat())
}

fn add_index_forms(segments: &[String], add: &mut impl FnMut(Vec<String>)) {
    let Some((name, directories)) = segments.split_last() else { return };
    let (stem, extension) = split_extension(name.as_bytes());
    let extension = String::from_utf8_lossy(extension);
    let Some((_, indexes)) = INDEX_FILES.iter().find(|(other, _)| *other == extension) else { return };
    if indexes.iter().any(|index| index == name) {
        // `a/foo/mod.rs` for `a/foo.rs`.
        if let Some((last, before)) = directories.split_last() {
            add([before, &[format!("{last}.{extension}")]].concat());
        }
    } else {
        let directory = [directories, &[String::from_utf8_lossy(stem).into_owned()]].concat();
        for index in *indexes {
            add([directory.as_slice(), &[(*index).to_owned()]].concat());
        }
    }
}

/// Adds the files of a module. `add` returns whether the file exists. Last parts are dropped only if no file has that name.
fn add_module_files(segments: &[String], add: &mut impl FnMut(Vec<String>, f32) -> bool) {
    for dropped in 0..=MAX_DROPPED_NAMES.min(segments.len().saturating_sub(1)) {
        let Some((stem, directories)) = segments[..segments.len() - dropped].split_last() else { continue };
        let cost = MODULE_FILE_COST + DROPPED_NAME_COST * dropped as f32;
        let mut there = false;
        for extension in MODULE_EXTENSIONS {
            there |= add([directories, &[format!("{stem}.{extension}")]].concat(), cost);
        }
        let directory = [directories, std::slice::from_ref(stem)].concat();
        for index in ["mod.rs", "__init__.py", "index.ts"] {
            there |= add([directory.as_slice(), &[index.to_owned()]].concat(), cost);
        }
        if there {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Request;
    use crate::testing::Tree;

    #[track_caller]
    fn check(asked: &str, expected: &str) {
        let tree = "src/pool/multi_thread/worker.rs\nsrc/pool/current.rs\nsrc/worker_pool.rs\nsrc/lib.rs\n\
                    package @acme/ui = packages/ui\npackages/ui/package.json\npackages/ui/src/button.ts\n";
        let answer = Tree::new(tree).ask(&Request::new(asked));
        let found = answer.path.map(|(_, path)| path.text().into_owned());
        assert_eq!(found.as_deref(), Some(expected), "{asked}: {} {}", answer.confidence, answer.why);
    }

    #[test]
    fn reads_separators_and_installed_packages_as_directories() {
        check("src/pool/multi_thread_worker.rs", "src/pool/multi_thread/worker.rs");
        check("multi_thread_worker.rs", "src/pool/multi_thread/worker.rs");
        check("node_modules/@acme/ui/src/button.ts", "packages/ui/src/button.ts");
        check("src/worker_pol.rs", "src/worker_pool.rs");
    }
}
