//! What one rename costs the reverse index: to ask it who has to be looked at, and to bring it up to date.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use pathfinder_literals::{Document, Mentions, Project};

use crate::tree::Memory;
use crate::{Numbers, Watch, report};

/// Files of the projects in which something is renamed.
pub(crate) const FILES: [usize; 2] = [5_000, 30_000];
/// Renames that are measured.
const RENAMES: usize = 200;

/// Renames files, then directories, of a project in which every file names five others.
pub(crate) fn measure(count: usize) {
    let directories = count / 100;
    let place = |n: usize| format!("docs/d{}/f{n}.md", n % directories);
    let texts = (0..count).map(|n| {
        let links = (1..=5).map(|k| {
            let target = (n * 7 + k * 37) % count;
            format!("[x](../d{}/f{target}.md)\n", target % directories)
        });
        (place(n), links.collect::<String>())
    });
    let tree = Arc::new(Memory::new(texts.collect()));
    let project = Project::new(tree.clone());
    let mut mentions = Mentions::default();
    let mut all = BTreeMap::new();
    for (path, text) in &tree.texts {
        let checked = Document::new(path, text.as_str()).check(&project);
        all.insert(path.clone(), checked);
    }
    let start = Instant::now();
    for (path, checked) in &all {
        mentions.set(path, checked);
    }
    let built = start.elapsed();
    let mut numbers = Numbers(7);
    let mut times = Vec::with_capacity(RENAMES);
    let mut named = 0;
    for _ in 0..RENAMES {
        let path = place(numbers.below(count));
        let new = format!("{path}.new.md");
        let watch = Watch::start();
        let files: Vec<String> =
            [path.as_str(), &new].iter().flat_map(|path| mentions.of(path)).map(str::to_owned).collect();
        mentions.remove(&path);
        mentions.set(&new, &all[&path]);
        times.push(watch.stop());
        mentions.remove(&new);
        mentions.set(&path, &all[&path]);
        named += files.len();
    }
    let more = format!(
        "{:.1} files to check again on average; built in {:.0} ms",
        named as f64 / RENAMES as f64,
        built.as_secs_f64() * 1e3
    );
    report(&format!("rename a file, {count} files"), &times, &more);
    let mut times = Vec::with_capacity(RENAMES);
    named = 0;
    for _ in 0..RENAMES {
        let number = numbers.below(directories);
        let (old, new) = (format!("docs/d{number}"), format!("docs/new{number}"));
        let files: Vec<String> = (number..count).step_by(directories).map(place).collect();
        let watch = Watch::start();
        let mut affected: BTreeSet<String> = BTreeSet::new();
        for path in [&old, &new].into_iter().chain(&files) {
            affected.extend(mentions.of(path).into_iter().map(str::to_owned));
        }
        for path in &files {
            mentions.remove(path);
            mentions.set(&path.replace(&old, &new), &all[path]);
        }
        times.push(watch.stop());
        for path in &files {
            mentions.remove(&path.replace(&old, &new));
            mentions.set(path, &all[path]);
        }
        named += affected.len();
    }
    let more = format!("{:.0} files to check again on average", named as f64 / RENAMES as f64);
    report(&format!("a directory of 100, {count}"), &times, &more);
}
