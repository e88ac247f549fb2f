//! Other forms of the same path that exist: the index file for its directory and the reverse, the file of a module.
//!
//! Such a form is a reading only when it is there: a project has hundreds of `mod.rs`, and one of them elsewhere is no
//! better an answer for being called so.

use crate::index::Snapshot;
use crate::query::{Note, Reading};
use crate::words::split_extension;

/// `a/foo.rs` for `a/foo/mod.rs` and the reverse: languages leave the choice, and projects change it.
const INDEX_FORM: f32 = 0.04;
/// `a/foo_bar.rs` for `a/foo/bar.rs`: who remembers the module's whole name writes it so.
const SEPARATOR: f32 = 0.06;
/// Separators of a name that are read as `/`, the first ones: a file is seldom deeper below the directory named.
const SEPARATORS_MAX: usize = 4;
/// A module's file, by the extension of its language.
const MODULE_FILE: f32 = 0.02;
/// The last part of a module form may be a name inside the file; each one dropped costs this.
const NAME_DROPPED: f32 = 0.03;
/// Names inside a file that a module form may end with: a type and its method.
const DROPPED_MAX: usize = 2;
/// Readings whose forms are looked up.
const LOOKED_AT: usize = 4;

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

/// Extensions of languages whose modules are named with dots or colons.
const MODULE_EXTENSIONS: &[&str] = &[
    "rs", "py", "pyi", "java", "kt", "scala", "cs", "go", "ts", "tsx", "js", "rb", "php", "pm", "ex", "hs", "cpp",
    "hpp", "h",
];

/// The readings, and those of their other forms that exist; sorted by cost.
pub(crate) fn with_forms(mut readings: Vec<Reading>, snapshots: &[&Snapshot]) -> Vec<Reading> {
    let mut more: Vec<Reading> = Vec::new();
    for reading in readings.iter().take(LOOKED_AT) {
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
                    directory: false,
                    ..reading.clone()
                };
                more.push(form);
            }
            !roots.is_empty()
        };
        // `a/Foo/Foo.tsx` is what became of `a/Foo.tsx`; the index beside it only passes it on.
        if directory_of_its_own(&reading.segments).is_none_or(|segments| roots_with(&segments).is_empty()) {
            index_forms(&reading.segments, &mut |segments| {
                add(segments, Note::IndexForm, INDEX_FORM);
            });
        }
        if reading.module {
            module_files(&reading.segments, &mut |segments, cost| add(segments, Note::ModuleFile, cost));
        }
        separator_forms(reading, snapshots, &mut more);
    }
    if !more.is_empty() {
        more.retain(|form| !readings.iter().any(|other| other.segments == form.segments));
        readings.extend(more);
        readings
            .sort_by(|left, right| left.cost.total_cmp(&right.cost).then_with(|| left.segments.cmp(&right.segments)));
    }
    readings
}

/// `foo/bar.rs` for `foo_bar.rs`, which nothing is called, where some directory `foo` has a `bar.rs`.
fn separator_forms(reading: &Reading, snapshots: &[&Snapshot], more: &mut Vec<Reading>) {
    let Some((name, directories)) = reading.segments.split_last() else { return };
    if snapshots.iter().any(|snapshot| snapshot.entries_named(name.as_bytes()) > 0) {
        return;
    }
    let stem = split_extension(name.as_bytes()).0.len();
    let marks = name[..stem].match_indices(['_', '-']).map(|(at, _)| at).filter(|&at| at > 0 && at + 1 < stem);
    for at in marks.take(SEPARATORS_MAX) {
        let (directory, file) = (&name[..at], &name[at + 1..]);
        if snapshots.iter().any(|snapshot| snapshot.has_in(directory.as_bytes(), file.as_bytes())) {
            let mut notes = reading.notes.clone();
            notes.retain(|&note| note != Note::AsWritten);
            notes.push(Note::SeparatorAsSlash);
            let segments = [directories, &[directory.to_owned(), file.to_owned()]].concat();
            more.push(Reading { segments, notes, cost: reading.cost + SEPARATOR, ..reading.clone() });
        }
    }
}

/// `a/foo/foo.rs` for `a/foo.rs`.
fn directory_of_its_own(segments: &[String]) -> Option<Vec<String>> {
    let (name, directories) = segments.split_last()?;
    let stem = String::from_utf8_lossy(split_extension(name.as_bytes()).0).into_owned();
    Some([directories, &[stem, name.clone()]].concat())
}

fn index_forms(segments: &[String], add: &mut impl FnMut(Vec<String>)) {
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

/// `add` says whether there is such a file. A name is one inside a file only where no file is called so.
fn module_files(segments: &[String], add: &mut impl FnMut(Vec<String>, f32) -> bool) {
    for dropped in 0..=DROPPED_MAX.min(segments.len().saturating_sub(1)) {
        let Some((stem, directories)) = segments[..segments.len() - dropped].split_last() else { continue };
        let cost = MODULE_FILE + NAME_DROPPED * dropped as f32;
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
    fn separators_and_installed_packages_are_directories() {
        check("src/pool/multi_thread_worker.rs", "src/pool/multi_thread/worker.rs");
        check("multi_thread_worker.rs", "src/pool/multi_thread/worker.rs");
        check("node_modules/@acme/ui/src/button.ts", "packages/ui/src/button.ts");
        check("src/worker_pol.rs", "src/worker_pool.rs");
    }
}
