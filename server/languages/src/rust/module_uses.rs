//! Checks the modules that paths begin with: `crate::a::b::C`, `super::b`, `self::b`, a child module, a library of the workspace.
//!
//! The compiler reports a path that leads nowhere, and a module can come from a macro, a glob or a re-export. So a path is a
//! literal only if its module is a file, and missing only if git's history says where that file went and no name stands in for it.

use std::ops::Range;

use pathfinder_literals::path::extension;
use pathfinder_literals::report::severity_in;
use pathfinder_literals::{Code, Kind, LiteralKind, Missing, Reason, Report, Severity, Target, Verdict, Want};

use rustc_hash::FxHashSet;

use super::kinds;
use super::listed_modules::{ModuleMacros, NameList};
use super::module_tree::{KnownChildren, Module, ModuleTree, crate_roots};
use super::packages::CargoPackages;
use super::use_bindings::{BoundModule, UseBindings};
use super::use_paths::{NamePath, find_paths};

/// Adds the modules that the paths of a file begin with.
pub(super) fn check(report: &mut Report<'_>) {
    let text = report.source.text();
    let scan = find_paths(text);
    if scan.paths.is_empty() && scan.lists.is_empty() {
        return;
    }
    let mut resolver = UseResolver::new(report);
    let starts = scan.paths.iter().filter(|path| !path.is_use).map(|path| &text[path.names[0].clone()]);
    resolver.used = starts.map(str::to_owned).collect();
    let bindings = UseBindings::new(text, &scan, &mut |at| resolver.find_bound(report, &scan.paths[at]));
    resolver.bindings = bindings;
    for path in &scan.paths {
        if let Some(literal) = resolver.resolve(report, path) {
            report.add(literal.kind, literal.range.start, literal.range.len(), (literal.verdict, literal.tried));
        }
    }
    if let Some(own) = resolver.lineage.last() {
        scan.lists.iter().for_each(|list| check_list(report, own, list));
    }
}

/// Adds the modules that a macro of the project declares by their names.
fn check_list(report: &mut Report<'_>, own: &Module, list: &NameList) {
    let (project, text) = (report.project, report.source.text());
    let file_of = |name: &Range<usize>| {
        own.child_files(&text[name.clone()]).into_iter().find(|file| project.tree().kind(file) == Some(Kind::File))
    };
    let files: Vec<Option<String>> = list.names.iter().map(file_of).collect();
    if files.iter().all(Option::is_none) || project.index::<ModuleMacros>().find(&list.macro_name).is_none() {
        return;
    }
    for (name, file) in list.names.iter().zip(files) {
        let verdict = file.map_or(Verdict::Unknown(Reason::Elsewhere), |path| Verdict::Found(Target { path }));
        report.add(kinds::MOD, name.start, name.len(), (verdict, own.child_files(&text[name.clone()])));
    }
}

/// The beginning of a path that names a module.
pub(super) struct UseLiteral {
    pub(super) kind: LiteralKind,
    pub(super) range: Range<usize>,
    pub(super) verdict: Verdict,
    pub(super) tried: Vec<String>,
}

/// The modules that the paths of one file start from.
pub(super) struct UseResolver {
    /// The crate roots of the file.
    pub(super) roots: Vec<Module>,
    /// The modules from a root to the file; empty if their names do not lead to it.
    pub(super) lineage: Vec<Module>,
    /// The modules from a root down to each earlier path of the file.
    earlier: Option<Vec<Vec<Module>>>,
    /// The names that paths outside of `use` begin with.
    used: FxHashSet<String>,
    /// The modules that names stand for.
    pub(super) bindings: UseBindings,
    /// The modules that paths led through.
    children: KnownChildren,
}

/// A module that a path leads to.
pub(super) struct Reached {
    pub(super) module: Module,
    /// The number of names up to it.
    pub(super) count: usize,
    /// True if it is in the crate of the file.
    is_own: bool,
    /// True if the module around it also binds the last name, as `mod run; pub use run::run;` does.
    can_be_item: bool,
}

impl Reached {
    fn new(module: Module, count: usize, is_own: bool) -> Self {
        Self { module, count, is_own, can_be_item: false }
    }
}

/// A module that a path led to before git moved it.
pub(super) struct MovedModule {
    /// The number of names up to it.
    count: usize,
    was: Module,
    is: Module,
    reason: String,
    tried: Vec<String>,
}

impl MovedModule {
    /// The module of a file that was at one path and is at another one.
    pub(super) fn new(
        report: &Report<'_>,
        count: usize,
        (was, is): (&str, &str),
        reason: String,
        tried: Vec<String>,
    ) -> Self {
        let modules = report.project.index::<ModuleTree>();
        let (was, is) = (modules.at(report.project, was), modules.at(report.project, is));
        Self { count, was, is, reason, tried }
    }

    /// Adds the names of modules below both, so that the path is one literal before and after a fix. One of them can have moved out of
    /// the other.
    pub(super) fn extended(mut self, report: &Report<'_>, names: &[&str]) -> Self {
        let modules = report.project.index::<ModuleTree>();
        let moved = |is: &Module, name: &str| {
            let files = is.child_files(name);
            let to = files.iter().find_map(|file| report.project.tree().moved(file))?.to;
            (extension(&to) == "rs").then(|| modules.at(report.project, &to))
        };
        // A module below that moved to another place than the one above is where it went.
        let moved_apart = |was: &Module, name: &str| {
            let mut files = was.child_files(name).into_iter();
            files.find_map(|file| {
                let moved = report.project.tree().moved(&file).filter(|moved| extension(&moved.to) == "rs")?;
                Some((modules.at(report.project, &file), modules.at(report.project, &moved.to), moved))
            })
        };
        while let Some(name) = names.get(self.count) {
            if let Some(next) = modules.child(report.project, &self.is, name).or_else(|| moved(&self.is, name)) {
                let files = self.was.child_files(name);
                let is_directory = next.file.ends_with("/mod.rs");
                let Some(file) = files.iter().find(|file| file.ends_with("/mod.rs") == is_directory) else { break };
                (self.was, self.is) = (modules.at(report.project, file), next);
            } else if let Some((was, is, moved)) = moved_apart(&self.was, name) {
                (self.was, self.is) = (was, is);
                self.reason = format!("moved to {} in {}", moved.to, moved.commit);
            } else {
                break;
            }
            self.count += 1;
        }
        self
    }

    fn into_literal(self, kind: LiteralKind, report: &Report<'_>, path: &NamePath) -> UseLiteral {
        let verdict = Verdict::Missing(Missing {
            code: Code::MovedPath,
            severity: severity_in(report.source.path(), Severity::Error),
            reason: self.reason,
            wanted: self.was.file.clone(),
            want: Want::File,
            instead: Some(self.is.file.clone()),
        });
        UseLiteral { kind, range: range_of(path, self.count), verdict, tried: self.tried }
    }
}

impl UseResolver {
    fn new(report: &Report<'_>) -> Self {
        let (project, path) = (report.project, report.source.path());
        let tree = project.index::<ModuleTree>();
        let roots = crate_roots(project, path);
        let lineage = roots.iter().find_map(|root| tree.lineage(project, root, path)).unwrap_or_default();
        let roots = roots.iter().map(|root| tree.root(project, root)).collect();
        Self {
            roots,
            lineage,
            earlier: None,
            used: FxHashSet::default(),
            bindings: UseBindings::default(),
            children: KnownChildren::default(),
        }
    }

    /// Returns the module that the first name of a path stands for by a `use`.
    fn bound_module(&self, path: &NamePath, names: &[&str]) -> Option<&Module> {
        names.first().filter(|_| !path.is_use).and_then(|first| self.bindings.module(first))
    }

    /// Returns the furthest modules that a path leads to.
    fn follow(&self, report: &Report<'_>, path: &NamePath, names: &[&str]) -> Vec<Reached> {
        let follow = |mut at: Reached| {
            let child = |module: &Module, count: usize| self.children.child(report.project, module, names.get(count)?);
            let is_file = |module: &Module| report.project.tree().kind(&module.file) == Some(Kind::File);
            while let Some(next) = child(&at.module, at.count) {
                // A module without a file leads to files only.
                let (next, count) = if is_file(&next) {
                    (next, at.count + 1)
                } else {
                    let Some(below) = child(&next, at.count + 1).filter(is_file) else { break };
                    (below, at.count + 2)
                };
                let last = names[count - 1];
                let can_be_item = count == at.count + 1 && at.module.contents.is_bound(last);
                at = Reached { module: next, count, can_be_item, ..at };
            }
            at
        };
        let starts = match self.bound_module(path, names) {
            Some(module) => vec![Reached::new(module.clone(), 1, true)],
            None => self.starts_of_path(report, path, names),
        };
        let mut ends: Vec<Reached> = starts.into_iter().map(follow).collect();
        let furthest = ends.iter().map(|end| end.count).max();
        ends.retain(|end| Some(end.count) == furthest);
        ends
    }

    /// Returns the module that all names of a path lead to, or led to before git moved it.
    fn find_bound(&mut self, report: &Report<'_>, path: &NamePath) -> Option<BoundModule> {
        let mut names = names_of(report, path);
        names.truncate(names.len() - usize::from(names.len() > 1 && names.last() == Some(&"self")));
        if path.is_in_macro || names.iter().all(|name| is_relative(name)) {
            return None;
        }
        let ends = self.follow(report, path, &names);
        // The names before a group are a literal of their own, and bind what is in the group.
        let whole = NamePath { own: 0, ..path.clone() };
        if let Some(moved) = self.find_moved(report, &whole, &names, &ends) {
            return (moved.count == names.len()).then_some(BoundModule::Moved(moved.is));
        }
        let end = ends.into_iter().next().filter(|end| end.count == names.len() && (end.is_own || end.count > 1))?;
        Some(BoundModule::Found(end.module))
    }

    fn resolve(&mut self, report: &Report<'_>, path: &NamePath) -> Option<UseLiteral> {
        let names = names_of(report, path);
        let ends = self.follow(report, path, &names);
        // A kind of their own: such a name is not spelled like the paths of `use`.
        let kind = if self.bound_module(path, &names).is_some() { kinds::BOUND } else { kinds::USE };
        if let Some(moved) = self.find_moved(report, path, &names, &ends) {
            return Some(moved.into_literal(kind, report, path));
        }
        if let Some(mistyped) = self.find_mistyped(report, path, &names, &ends) {
            return Some(mistyped);
        }
        if ends.is_empty() {
            return self.find_mistyped_first(report, path, &names).or_else(|| self.find_renamed(report, path, &names));
        }
        let end = ends.into_iter().next()?;
        // The name of a library alone is that of its package, not of its file.
        let least = usize::from(!end.is_own);
        let is_named = names[least..end.count].iter().any(|name| !is_relative(name));
        if end.count <= path.own || !is_named {
            return None;
        }
        // The path of an item, which its module exports wherever that lies.
        let is_last = end.count == names.len() && !path.has_more;
        let begins_path = path.is_use && names.last().is_some_and(|last| self.used.contains(*last));
        if end.can_be_item && is_last && !begins_path {
            return None;
        }
        let target = end.module.file.clone();
        let verdict = if path.is_in_macro {
            Verdict::Unknown(Reason::Undecided(target.clone()))
        } else {
            Verdict::Found(Target { path: target.clone() })
        };
        Some(UseLiteral { kind, range: range_of(path, end.count), verdict, tried: vec![target] })
    }

    /// The modules that a path starts from. In the edition of 2015, `use` starts from the crate root, also for a module of which only
    /// git knows.
    fn starts_of_path(&self, report: &Report<'_>, path: &NamePath, names: &[&str]) -> Vec<Reached> {
        let own = || self.starts(report, names, path.depth, &self.lineage);
        let packages = report.project.index::<CargoPackages>();
        let first = names.first().filter(|first| path.is_use && !is_relative(first));
        let Some(first) = first.filter(|_| packages.has_root_paths(report.source.path())) else { return own() };
        let from = |root: &Module| Reached::new(root.clone(), 0, true);
        let declaring: Vec<Reached> =
            self.roots.iter().filter(|root| self.can_be_child(report, root, first)).map(from).collect();
        if !declaring.is_empty() {
            return declaring;
        }
        let starts = own();
        let can_have_moved = starts.is_empty()
            && packages.library(first).is_none()
            && !packages.is_dependency(report.project.tree(), report.source.path(), first);
        if can_have_moved { self.roots.iter().map(from).collect() } else { starts }
    }

    /// The modules that a path starts from, with the number of names that say so.
    fn starts(&self, report: &Report<'_>, names: &[&str], depth: usize, lineage: &[Module]) -> Vec<Reached> {
        let Some(first) = names.first() else { return Vec::new() };
        let own = |ups: usize| lineage.len().checked_sub(ups + 1).map(|at| lineage[at].clone());
        match *first {
            "crate" => self.roots.iter().map(|root| Reached::new(root.clone(), 1, true)).collect(),
            "self" | "super" => {
                let ups = names.iter().take_while(|name| is_relative(name)).filter(|name| **name == "super").count();
                let count = names.iter().take_while(|name| is_relative(name)).count();
                let module = ups.checked_sub(depth).and_then(own);
                module.map(|module| Reached::new(module, count, true)).into_iter().collect()
            }
            first => {
                // In `mod run; pub use run::run;` the first name of a longer path is that of the module.
                let is_module =
                    |own: &&Module| !own.contents.is_bound(first) || names.len() > 1 && own.contents.is_declared(first);
                let Some(own) = lineage.last().filter(is_module) else { return Vec::new() };
                if depth == 0 && self.can_be_child(report, own, first) {
                    return vec![Reached::new(own.clone(), 0, true)];
                }
                let library = report.project.index::<CargoPackages>().library(first);
                let root = library.map(|root| report.project.index::<ModuleTree>().root(report.project, root));
                root.map(|module| Reached::new(module, 1, false)).into_iter().collect()
            }
        }
    }

    /// Returns the first name of a path that no module has and that no item or macro can have, nor a glob, unless `is_typo`: a glob binds no
    /// name that is nearly one of a module.
    pub(super) fn missing_name<'n>(
        &self,
        report: &Report<'_>,
        path: &NamePath,
        names: &[&'n str],
        (ends, is_typo): (&[Reached], bool),
    ) -> Option<&'n str> {
        let count = ends.first()?.count;
        let next = *names.get(count)?;
        let is_module_name = !next.is_empty() && !next.chars().any(char::is_uppercase) && !is_relative(next);
        // A macro of any file can be exported to the root. It is the last name of a path, as functions are.
        let is_last = names.len() == count + 1 && !path.has_more && !self.used.contains(next);
        let is_free = |end: &Reached| {
            let contents = &end.module.contents;
            let can_be_macro = is_last && end.count == usize::from(names[0] != "self");
            // A declared module is none that a glob or a macro gives: in `mod a; pub use a::*;` both name one file.
            let is_module = contents.is_declared(next) && (names.len() > count + 1 || path.has_more);
            (is_module || !contents.is_bound(next))
                && ((is_typo || !contents.has_glob()) && !can_be_macro || contents.is_declared(next))
        };
        if path.is_in_macro || count < path.own || !is_module_name || !ends.iter().all(is_free) {
            return None;
        }
        // The files of a directory are there, and its own is still to be written or moved.
        let has_directory = |end: &Reached| self.children.child(report.project, &end.module, next).is_some();
        if ends.iter().any(has_directory) {
            return None;
        }
        // A file that no module declares is not compiled, unless it has just moved.
        let is_compiled = || self.lineage.windows(2).all(|pair| pair[0].declares(&pair[1]));
        let has_moved = || !report.project.tree().origins(report.source.path()).is_empty();
        (!self.lineage.is_empty() && (is_compiled() || has_moved())).then_some(next)
    }

    /// Returns the module of a path that git's history moved: nothing in the parent module has its name any more.
    fn find_moved(
        &mut self,
        report: &Report<'_>,
        path: &NamePath,
        names: &[&str],
        ends: &[Reached],
    ) -> Option<MovedModule> {
        let Some(next) = self.missing_name(report, path, names, (ends, false)) else {
            return self.find_moved_with_crate(report, path, names, ends);
        };
        let count = ends.first()?.count;
        let tree = report.project.tree();
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
        Some(MovedModule::new(report, count + 1, (&wanted, &to), reason, tried).extended(report, names))
    }

    /// Returns the literal for a name that a `use` bound to a module before that was renamed.
    fn find_renamed(&self, report: &Report<'_>, path: &NamePath, names: &[&str]) -> Option<UseLiteral> {
        let first = *names.first().filter(|first| !path.is_use && !is_relative(first))?;
        let own = self.lineage.last()?;
        if path.is_in_macro || own.contents.is_declared(first) {
            return None;
        }
        let renamed = self.bindings.find_renamed(report, first)?;
        if report.project.index::<CargoPackages>().is_dependency(report.project.tree(), report.source.path(), first) {
            return None;
        }
        let reason = format!("the module is {} now", renamed.is.file);
        let tried = vec![renamed.was.file.clone()];
        if renamed.is_bound {
            let verdict = Verdict::Unknown(Reason::Undecided(renamed.is.file.clone()));
            return Some(UseLiteral { kind: kinds::BOUND, range: range_of(path, 1), verdict, tried });
        }
        let moved = MovedModule { count: 1, was: renamed.was, is: renamed.is, reason, tried };
        Some(moved.extended(report, names).into_literal(kinds::BOUND, report, path))
    }

    /// Returns the file that a relative path leads to from an earlier path of this file, and that earlier path.
    fn find_from_earlier_path(
        &mut self,
        report: &Report<'_>,
        names: &[&str],
        depth: usize,
        count: usize,
    ) -> Option<(String, String)> {
        if !is_relative(names.first()?) {
            return None;
        }
        if names[0] == "crate" {
            let (_, to, path) = self.find_from_earlier_crate(report, names, count)?;
            return Some((to, path));
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
            (start.count == count)
                .then(|| (module.file.clone(), lineage.last().map_or(String::new(), |own| own.file.clone())))
        })
    }

    /// Returns a module below another one.
    pub(super) fn child(&self, report: &Report<'_>, module: &Module, name: &str) -> Option<Module> {
        self.children.child(report.project, module, name)
    }

    /// Returns whether a name at the start of a path is a module below that of the file: a declared one, or a file that will be
    /// declared once it has moved there. Then no dependency may have its name.
    fn can_be_child(&self, report: &Report<'_>, own: &Module, name: &str) -> bool {
        let project = report.project;
        let child = || self.children.child(project, own, name);
        own.contents.is_declared(name)
            || child().is_some_and(|child| project.tree().kind(&child.file) == Some(Kind::File))
                && !project.index::<CargoPackages>().is_dependency(project.tree(), report.source.path(), name)
    }
}

/// The names of a path.
fn names_of<'t>(report: &Report<'t>, path: &NamePath) -> Vec<&'t str> {
    path.names.iter().map(|range| &report.source.text()[range.clone()]).collect()
}

/// Returns whether a name says where a path starts.
pub(super) fn is_relative(name: &str) -> bool {
    matches!(name, "crate" | "self" | "super")
}

/// The range of the first names of a path, as far as they are in its innermost group.
pub(super) fn range_of(path: &NamePath, count: usize) -> Range<usize> {
    path.names[path.own].start..path.names[count - 1].end
}
