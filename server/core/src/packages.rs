//! Replaces package names in readings by their directories: `@acme/ui/button.ts` if `packages/ui/package.json` is named `@acme/ui`.
//! Called by `Engine` before candidates are gathered.

use crate::index::Snapshot;
use crate::query::{Note, Reading};

/// Cost of a package's name read as its directory: a directory of that name may be wanted instead.
const DIRECTORY_COST: f32 = 0.05;
/// Cost of a package's name read as its `src/`, in which most packages keep what others import.
const SOURCE_DIRECTORY_COST: f32 = 0.07;
/// Segments that a package name can take: `github.com/acme/tool/v2` is four.
const MAX_NAME_SEGMENTS: usize = 4;
/// Cheapest readings that are expanded; dearer ones are changed too much to begin with a package's name.
const MAX_READINGS_EXPANDED: usize = 4;

/// Adds readings in which leading segments that name a package are its directory; sorts all by cost.
pub(crate) fn with_packages(mut readings: Vec<Reading>, snapshots: &[&Snapshot]) -> Vec<Reading> {
    let mut more = Vec::new();
    for (root, snapshot) in snapshots.iter().enumerate() {
        if snapshot.packages().is_empty() {
            continue;
        }
        for reading in readings
            .iter()
            .take(MAX_READINGS_EXPANDED)
            .filter(|reading| reading.root.is_none_or(|wanted| wanted == root))
        {
            add_package_readings(reading, root, snapshot, &mut more);
        }
    }
    if !more.is_empty() {
        more.retain(|reading: &Reading| !readings.iter().any(|other| other.segments == reading.segments));
        readings.extend(more);
        readings
            .sort_by(|left, right| left.cost.total_cmp(&right.cost).then_with(|| left.segments.cmp(&right.segments)));
    }
    readings
}

fn add_package_readings(reading: &Reading, root: usize, snapshot: &Snapshot, more: &mut Vec<Reading>) {
    // A workspace links its own packages into `node_modules/`.
    let installed = reading.segments.iter().rposition(|segment| segment == "node_modules");
    let inside = installed.map(|at| Reading { segments: reading.segments[at + 1..].to_vec(), ..reading.clone() });
    let reading = inside.as_ref().unwrap_or(reading);
    // The whole path may be a package's name: then the reading is its directory.
    for length in 1..=reading.segments.len().min(MAX_NAME_SEGMENTS) {
        let name = reading.segments[..length].join("/");
        // Rust and Python write `-` as `_` where they name a package in a path.
        let dashed = name.replace('_', "-");
        let other = if dashed == name { &[][..] } else { snapshot.packages_named(&dashed) };
        for package in snapshot.packages_named(&name).iter().chain(other) {
            let directory = package.directory.text();
            let directory: Vec<String> =
                directory.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
            let rest = &reading.segments[length..];
            // A package with the name of its directory adds nothing.
            if directory == reading.segments[..length] || directory.len() + rest.len() == 0 {
                continue;
            }
            let mut named = |middle: &[&str], cost: f32| {
                let middle = middle.iter().map(|&part| part.to_owned());
                let segments = directory.iter().cloned().chain(middle).chain(rest.iter().cloned()).collect();
                let mut notes = reading.notes.clone();
                notes.retain(|&note| note != Note::AsWritten);
                notes.push(Note::Package);
                more.push(Reading { segments, notes, root: Some(root), cost: reading.cost + cost, ..reading.clone() });
            };
            named(&[], DIRECTORY_COST);
            if !rest.is_empty() && rest.first().is_none_or(|first| first != "src") {
                named(&["src"], SOURCE_DIRECTORY_COST);
            }
        }
    }
}
