//! Xcode: checks the files and groups of a `project.pbxproj`, and the files that its build settings name.
//!
//! A file lies in the directory of its group, which lies in that of the group above. The format is a property list of `NeXTSTEP`, which
//! the library `plist` does not read, and those for Xcode keep no offsets, so it is read here.

mod kinds;
mod objects;
#[cfg(test)]
mod tests;

use std::ops::Range;

use pathfinder_literals::path::{is_dynamic, join, name, parent};
use pathfinder_literals::report::{is_fixture, severity_in, unknown};
use pathfinder_literals::{Checked, Language, LiteralKind, Lookup, Project, Reason, Report, Severity, Source, Want};
use rustc_hash::{FxHashMap, FxHashSet};

use objects::{Entry, Object, parse};

/// Build settings that name one file below the directory of the project.
const FILE_SETTINGS: [&str; 5] =
    ["CODE_SIGN_ENTITLEMENTS", "GCC_PREFIX_HEADER", "INFOPLIST_FILE", "MODULEMAP_FILE", "SWIFT_OBJC_BRIDGING_HEADER"];

/// Groups deeper than this are not read; people nest some ten.
const MAX_DEPTH: usize = 64;

/// The [`Language`] of `project.pbxproj` files.
pub(crate) struct Xcode;

impl Language for Xcode {
    fn name(&self) -> &'static str {
        "xcode"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        name(path) == "project.pbxproj" && parent(path).ends_with(".xcodeproj")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        // A template has its names filled in.
        if is_fixture(source.path()) || is_dynamic(source.path()) || source.path().contains("___") {
            return;
        }
        let text = source.text();
        let objects = parse(text);
        let root = parent(source.directory()).to_owned();
        let mut report = Report::new(source, project, found);
        let by_id: FxHashMap<&str, &Object<'_>> = objects.iter().map(|object| (object.id, object)).collect();
        let main = objects.iter().find(|object| object.isa == "PBXProject");
        let directory = main.and_then(|main| join(&root, unquoted(main.value("projectDirPath").unwrap_or_default())));
        let Some(directory) = directory else { return };
        let mut walk = Walk { report: &mut report, by_id: &by_id, root: &directory, seen: FxHashSet::default() };
        if let Some(group) = main.and_then(|main| main.value("mainGroup")) {
            walk.check_entry(group, Some(&directory), 0);
        }
        for object in &objects {
            for (key, range) in &object.settings {
                if FILE_SETTINGS.contains(key) {
                    check_setting(&mut report, &directory, range);
                }
            }
        }
    }
}

/// The way through the groups of a project.
struct Walk<'w, 'r, 's> {
    report: &'w mut Report<'r>,
    by_id: &'w FxHashMap<&'s str, &'w Object<'s>>,
    /// The directory of the project.
    root: &'w str,
    /// Objects that were checked. A damaged project can have a group in itself.
    seen: FxHashSet<&'s str>,
}

impl Walk<'_, '_, '_> {
    /// Checks a file or a group with all in it. `above` is the directory of its group; `None` if that is not in the project.
    fn check_entry(&mut self, id: &str, above: Option<&str>, depth: usize) {
        let Some(object) = self.by_id.get(id).copied() else { return };
        if depth > MAX_DEPTH || !self.seen.insert(object.id) {
            return;
        }
        let base = match object.value("sourceTree").map(unquoted) {
            Some("<group>") => above,
            Some("SOURCE_ROOT") => Some(self.root),
            // Products, SDKs and absolute paths.
            _ => None,
        };
        let path = object.path.clone().filter(|path| is_plain(&self.report.source.text()[path.clone()]));
        let directory = match (base, &path, object.path.is_some()) {
            (Some(base), Some(path), _) => join(base, &self.report.source.text()[path.clone()]),
            (Some(base), None, false) => Some(base.to_owned()),
            _ => None,
        };
        if let (Some(range), Some(_)) = (path, base) {
            self.check_path(object, &range, directory.clone());
        }
        // The versions of a data model lie in its directory.
        for child in &object.children {
            self.check_entry(child, directory.as_deref(), depth + 1);
        }
    }

    fn check_path(&mut self, object: &Object<'_>, range: &Range<usize>, path: Option<String>) {
        let kind = match object.entry {
            Entry::File => kinds::FILE,
            Entry::Group => kinds::GROUP,
        };
        let outcome = match path {
            None => unknown(Reason::Outside),
            path => {
                let severity = severity_in(self.report.source.path(), Severity::Warning);
                Lookup::new(self.report.project, Want::Any).verdict(severity, [path])
            }
        };
        self.report.add(kind, range.start, range.len(), outcome);
    }
}

/// Checks a file that a build setting names.
fn check_setting(report: &mut Report<'_>, directory: &str, range: &Range<usize>) {
    let written = &report.source.text()[range.clone()];
    let rooted = ["$(SRCROOT)/", "${SRCROOT}/", "$(PROJECT_DIR)/", "$SRCROOT/"];
    let rest = rooted.iter().find_map(|root| written.strip_prefix(root)).unwrap_or(written);
    if rest.is_empty() || !is_plain(rest) {
        return;
    }
    let severity = severity_in(report.source.path(), Severity::Warning);
    let outcome = match join(directory, rest) {
        None => unknown(Reason::Outside),
        path => Lookup::new(report.project, Want::File).verdict(severity, [path]),
    };
    report.add(kinds::SETTING, range.end - rest.len(), rest.len(), outcome);
}

/// Returns whether a value is a path as it is written.
fn is_plain(path: &str) -> bool {
    !path.is_empty() && !path.starts_with('/') && !path.contains(['\\', '$', '~'])
}

/// A value without its quotes.
fn unquoted(value: &str) -> &str {
    value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value)
}
