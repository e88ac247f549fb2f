//! Measures one rename in `ReverseDependencies`: the query for affected files, and the update.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use pathfinder_literals::{Document, Project, ReverseDependencies};

use crate::memory_tree::BenchTree;
use crate::{Random, Stopwatch, report};

/// Numbers of files of the measured projects.
pub(crate) const FILE_COUNTS: [usize; 2] = [5_000, 30_000];
/// Number of measured renames.
const RENAME_COUNT: usize = 200;

/// Renames files, then directories, of a project in which every file links to five others.
pub(crate) fn measure(count: usize) {
    let directories = count / 100;
    let path_of = |n: usize| format!("docs/d{}/f{n}.md", n % directories);
    let texts = (0..count).map(|n| {
        let links = (1..=5).map(|k| {
            let target = (n * 7 + k * 37) % count;
            format!("[x](../d{}/f{target}.md)\n", target % directories)
        });
        (path_of(n), links.collect::<String>())
    });
    let tree = Arc::new(BenchTree::new(texts.collect()));
    let project = Project::new(tree.clone(), pathfinder_languages::ALL);
    let mut dependencies = ReverseDependencies::default();
    let mut all = BTreeMap::new();
    for (path, text) in &tree.texts {
        let checked = Document::new(path, text.as_str()).check(&project);
        all.insert(path.clone(), checked);
    }
    let start = Instant::now();
    for (path, checked) in &all {
        dependencies.set(path, checked);
    }
    let built = start.elapsed();
    let mut random = Random(7);
    let mut times = Vec::with_capacity(RENAME_COUNT);
    let mut affected_count = 0;
    for _ in 0..RENAME_COUNT {
        let path = path_of(random.below(count));
        let new = format!("{path}.new.md");
        let stopwatch = Stopwatch::start();
        let files: Vec<String> =
            [path.as_str(), &new].iter().flat_map(|path| dependencies.dependents(path)).map(str::to_owned).collect();
        dependencies.remove(&path);
        dependencies.set(&new, &all[&path]);
        times.push(stopwatch.stop());
        dependencies.remove(&new);
        dependencies.set(&path, &all[&path]);
        affected_count += files.len();
    }
    let more = format!(
        "{:.1} files to check again on average; built in {:.0} ms",
        affected_count as f64 / RENAME_COUNT as f64,
        built.as_secs_f64() * 1e3
    );
    report(&format!("rename a file, {count} files"), &times, &more);
    let mut times = Vec::with_capacity(RENAME_COUNT);
    affected_count = 0;
    for _ in 0..RENAME_COUNT {
        let number = random.below(directories);
        let (old, new) = (format!("docs/d{number}"), format!("docs/new{number}"));
        let files: Vec<String> = (number..count).step_by(directories).map(path_of).collect();
        let stopwatch = Stopwatch::start();
        let mut affected: BTreeSet<String> = BTreeSet::new();
        for path in [&old, &new].into_iter().chain(&files) {
            affected.extend(dependencies.dependents(path).into_iter().map(str::to_owned));
        }
        for path in &files {
            dependencies.remove(path);
            dependencies.set(&path.replace(&old, &new), &all[path]);
        }
        times.push(stopwatch.stop());
        for path in &files {
            dependencies.remove(&path.replace(&old, &new));
            dependencies.set(path, &all[path]);
        }
        affected_count += affected.len();
    }
    let more = format!("{:.0} files to check again on average", affected_count as f64 / RENAME_COUNT as f64);
    report(&format!("a directory of 100, {count}"), &times, &more);
}
