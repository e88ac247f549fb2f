//! Checks the modules that paths begin with: `crate::a::b::C`, `super::b`, `self::b`, a child module, a library of the workspace.
//!
//! The compiler reports a path that leads nowhere, and a module can come from a macro, a glob or a re-export. So a path is a
//! literal only if its module is a file, and missing only if git's history says where that file went and no name stands in for it.

use std::ops::Range;

use pathfinder_literals::path::extension;
use pathfinder_literals::report::severity_in;
use pathfinder_literals::{Code, Missing, Reason, Report, Severity, Target, Verdict, Want};

use super::kinds;
use super::module_tree::{Module, ModuleTree, crate_roots};
use super::packages::CargoPackages;
use super::use_paths::{NamePath, find_paths};

/// Adds the modules that the paths of a file begin with.
pub(super) fn check(report: &mut Report<'_>) {
    let text = report.source.text();
    let paths = find_paths(text);
    if paths.is_empty() {
        return;
    }
    let mut resolver = UseResolver::new(report);
    for path in paths {
        if let Some(literal) = resolver.resolve(report, &path) {
            report.add(kinds::USE, literal.range.start, literal.range.len(), (literal.verdict, literal.tried));
        }
    }
}

/// The beginning of a path that names a module.
struct UseLiteral {
    range: Range<usize>,
    verdict: Verdict,
    tried: Vec<String>,
}

/// The modules that the paths of one file start from.
struct UseResolver {
    /// The crate roots of the file.
    roots: Vec<Module>,
    /// The modules from a root to the file; empty if their names do not lead to it.
    lineage: Vec<Module>,
    /// The modules from a root down to each earlier path of the file.
    earlier: Option<Vec<Vec<Module>>>,
}

/// A module that a path leads to.
struct Reached {
    module: Module,
    /// The number of names up to it.
    count: usize,
    /// True if it is in the crate of the file.
    is_own: bool,
}

impl UseResolver {
    fn new(report: &Report<'_>) -> Self {
        let (project, path) = (report.project, report.source.path());
        let tree = project.index::<ModuleTree>();
        let roots = crate_roots(project, path);
        let lineage = roots.iter().find_map(|root| tree.lineage(project, root, path)).unwrap_or_default();
        Self { roots: roots.iter().map(|root| tree.root(project, root)).collect(), lineage, earlier: None }
    }

    fn resolve(&mut self, report: &Report<'_>, path: &NamePath) -> Option<UseLiteral> {
        let text = report.source.text();
        let names: Vec<&str> = path.names.iter().map(|range| &text[range.clone()]).collect();
        let starts = self.starts(report, &names, path.depth, &self.lineage);
        let tree = report.project.index::<ModuleTree>();
        let mut ends: Vec<Reached> = starts
            .into_iter()
            .map(|mut at| {
                while let Some(next) = names.get(at.count).and_then(|name| tree.child(report.project, &at.module, name))
                {
                    at = Reached { module: next, count: at.count + 1, ..at };
                }
                at
            })
            .collect();
        let furthest = ends.iter().map(|end| end.count).max()?;
        ends.retain(|end| end.count == furthest);
        if let Some(missing) = self.find_moved(report, path, &names, &ends) {
            return Some(missing);
        }
        let end = ends.into_iter().next()?;
        // The name of a library alone is that of its package, not of its file.
        let least = usize::from(!end.is_own);
        let is_named = names[least..end.count].iter().any(|name| !is_relative(name));
        if end.count <= path.own || !is_named {
            return None;
        }
        let target = end.module.file;
        let verdict = if path.is_in_macro {
            Verdict::Unknown(Reason::Undecided(target.clone()))
        } else {
            Verdict::Found(Target { path: target.clone() })
        };
        Some(UseLiteral { range: range_of(path, end.count), verdict, tried: vec![target] })
    }

    /// The modules that a path starts from, with the number of names that say so.
    fn starts(&self, report: &Report<'_>, names: &[&str], depth: usize, lineage: &[Module]) -> Vec<Reached> {
        let Some(first) = names.first() else { return Vec::new() };
        let own = |ups: usize| lineage.len().checked_sub(ups + 1).map(|at| lineage[at].clone());
        match *first {
            "crate" => self.roots.iter().map(|root| Reached { module: root.clone(), count: 1, is_own: true }).collect(),
            "self" | "super" => {
                let ups = names.iter().take_while(|name| is_relative(name)).filter(|name| **name == "super").count();
                let count = names.iter().take_while(|name| is_relative(name)).count();
                let module = ups.checked_sub(depth).and_then(own);
                module.map(|module| Reached { module, count, is_own: true }).into_iter().collect()
            }
            first => {
                let Some(own) = lineage.last().filter(|own| !own.contents.is_bound(first)) else { return Vec::new() };
                if depth == 0 && can_be_child(report, own, first) {
                    return vec![Reached { module: own.clone(), count: 0, is_own: true }];
                }
                let library = report.project.index::<CargoPackages>().library(first);
                let root = library.map(|root| report.project.index::<ModuleTree>().root(report.project, root));
                root.map(|module| Reached { module, count: 1, is_own: false }).into_iter().collect()
            }
        }
    }

    /// Returns the literal for a module that git's history moved: nothing in the parent module has its name any more.
    fn find_moved(
        &mut self,
        report: &Report<'_>,
        path: &NamePath,
        names: &[&str],
        ends: &[Reached],
    ) -> Option<UseLiteral> {
        let count = ends.first()?.count;
        let next = *names.get(count)?;
        let is_module_name = !next.is_empty() && !next.chars().any(char::is_uppercase) && !is_relative(next);
        // A macro of any file can be exported to the root. It is the last name of a path, as functions are.
        let is_last = names.len() == count + 1 && !path.has_group;
        let is_free = |end: &Reached| {
            let contents = &end.module.contents;
            let can_be_macro = is_last && end.count == usize::from(names[0] != "self");
            !contents.is_bound(next) && !contents.has_glob() && (!can_be_macro || contents.is_declared(next))
        };
        if path.is_in_macro || count < path.own || !is_module_name || !ends.iter().all(is_free) {
            return None;
        }
        let tree = report.project.tree();
        // A file that no module declares is not compiled, unless it has just moved.
        let is_compiled = || self.lineage.windows(2).all(|pair| pair[0].contents.is_declared(pair[1].name()));
        if self.lineage.is_empty() || !is_compiled() && tree.origins(report.source.path()).is_empty() {
            return None;
        }
        let tried: Vec<String> = ends.iter().flat_map(|end| end.module.child_files(next)).collect();
        let moved = tried.iter().find_map(|file| Some((file.clone(), tree.moved(file)?)));
        let (wanted, to, reason) = if let Some((wanted, moved)) = moved {
            let reason = format!("moved to {} in {}", moved.to, moved.commit);
            (wanted, moved.to, reason)
        } else {
            let (to, was) = self.find_from_earlier_path(report, names, path.depth, count)?;
            (tried.first()?.clone(), to, format!("this file was {was}, and this path still starts from there"))
        };
        if extension(&to) != "rs" {
            return None;
        }
        // Names behind it are below the moved module, so that the path is one literal before and after a fix.
        let modules = report.project.index::<ModuleTree>();
        let (mut wanted, mut end) = (modules.at(report.project, &wanted), modules.at(report.project, &to));
        let mut count = count + 1;
        while let Some(name) = names.get(count)
            && let Some(next) = modules.child(report.project, &end, name)
        {
            let files = wanted.child_files(name);
            let is_directory = next.file.ends_with("/mod.rs");
            let Some(file) = files.iter().find(|file| file.ends_with("/mod.rs") == is_directory) else { break };
            (wanted, end, count) = (modules.at(report.project, file), next, count + 1);
        }
        let verdict = Verdict::Missing(Missing {
            code: Code::MovedPath,
            severity: severity_in(report.source.path(), Severity::Error),
            reason,
            wanted: wanted.file,
            want: Want::File,
            instead: Some(end.file),
        });
        Some(UseLiteral { range: range_of(path, count), verdict, tried })
    }

    /// Returns the file that a relative path leads to from an earlier path of this file, and that earlier path.
    fn find_from_earlier_path(
        &mut self,
        report: &Report<'_>,
        names: &[&str],
        depth: usize,
        count: usize,
    ) -> Option<(String, String)> {
        if !is_relative(names.first()?) || names[0] == "crate" {
            return None;
        }
        let tree = report.project.index::<ModuleTree>();
        if self.earlier.is_none() {
            let origins = report.project.tree().origins(report.source.path());
            let lineages = origins.iter().filter_map(|path| tree.earlier_lineage(report.project, path));
            self.earlier = Some(lineages.collect());
        }
        self.earlier.iter().flatten().find_map(|lineage| {
            let start = self.starts(report, names, depth, lineage).into_iter().next()?;
            let module = tree.child(report.project, &start.module, names.get(start.count)?)?;
            (start.count == count).then(|| (module.file, lineage.last().map_or(String::new(), |own| own.file.clone())))
        })
    }
}

/// Returns whether a name at the start of a path is a module below that of the file: a declared one, or a file that will be
/// declared once it has moved there. Then no dependency may have its name.
fn can_be_child(report: &Report<'_>, own: &Module, name: &str) -> bool {
    let project = report.project;
    own.contents.is_declared(name)
        || project.index::<ModuleTree>().child(project, own, name).is_some()
            && !project.index::<CargoPackages>().is_dependency(project.tree(), report.source.path(), name)
}

/// Returns whether a name says where a path starts.
fn is_relative(name: &str) -> bool {
    matches!(name, "crate" | "self" | "super")
}

/// The range of the first names of a path, as far as they are in its innermost group.
fn range_of(path: &NamePath, count: usize) -> Range<usize> {
    path.names[path.own].start..path.names[count - 1].end
}
