//! `UseBindings`: the modules that names stand for after `use crate::a::b;`, so that `b::f()` is a path to `b`.
//!
//! While `use` names `b`, which git moved to `c`, only `use` is missing: the paths behind it are undecided. Once `use` names `c`,
//! nothing binds `b` any more, and git says that `c` was `b`. So these paths are missing then, and the fix of `use` rewrites them.

use rustc_hash::{FxHashMap, FxHashSet};

use pathfinder_literals::Report;

use super::module_tree::{Module, ModuleTree};
use super::use_paths::{PathScan, UseBinding};

/// The names that the `use` items and modules of one file bind.
#[derive(Default)]
pub(super) struct UseBindings {
    /// The modules that names stand for which one `use` binds and nothing else.
    modules: FxHashMap<String, BoundModule>,
    /// Every other name that a `use` or a module binds.
    others: FxHashSet<String>,
    /// True if a glob can bind any name.
    has_glob: bool,
}

/// A module that a `use` names.
pub(super) enum BoundModule {
    /// It is there.
    Found(Module),
    /// Git moved it to this one.
    Moved(Module),
}

/// A name that stood for a module before that had another name.
pub(super) struct RenamedModule {
    pub(super) was: Module,
    pub(super) is: Module,
    /// True if a `use` that is missing itself binds the name.
    pub(super) is_bound: bool,
}

impl UseBindings {
    /// Reads the bindings of a text. `find_module` returns the module that the path of this index leads to.
    pub(super) fn new(text: &str, scan: &PathScan, find_module: &mut dyn FnMut(usize) -> Option<BoundModule>) -> Self {
        let mut times: FxHashMap<&str, usize> = FxHashMap::default();
        let names = scan.bindings.iter().map(|binding| &binding.name).chain(&scan.modules);
        names.for_each(|name| *times.entry(&text[name.clone()]).or_default() += 1);
        let module_of = |binding: &UseBinding| {
            let name = &text[binding.name.clone()];
            let is_one = times.get(name) == Some(&1) && !name.starts_with(char::is_uppercase);
            Some((name.to_owned(), binding.path.filter(|_| is_one).and_then(&mut *find_module)?))
        };
        let modules: FxHashMap<String, BoundModule> = scan.bindings.iter().filter_map(module_of).collect();
        let is_other = |name: &&str| !modules.contains_key(*name);
        let others = times.into_keys().filter(is_other).map(str::to_owned).collect();
        Self { modules, others, has_glob: scan.has_glob }
    }

    /// Returns the module that a name stands for.
    pub(super) fn module(&self, name: &str) -> Option<&Module> {
        match self.modules.get(name)? {
            BoundModule::Found(module) => Some(module),
            BoundModule::Moved(_) => None,
        }
    }

    /// The names that stand for modules that are there, in no order.
    pub(super) fn modules(&self) -> impl Iterator<Item = (&str, &Module)> {
        self.modules.iter().filter_map(|(name, module)| match module {
            BoundModule::Found(module) => Some((name.as_str(), module)),
            BoundModule::Moved(_) => None,
        })
    }

    /// Returns whether a `use` or a module binds a name.
    pub(super) fn is_bound(&self, name: &str) -> bool {
        self.modules.contains_key(name) || self.others.contains(name)
    }

    /// Returns the module that a name stood for until that was renamed. The caller knows that no module has the name.
    pub(super) fn find_renamed(&self, report: &Report<'_>, name: &str) -> Option<RenamedModule> {
        if self.has_glob || self.others.contains(name) {
            return None;
        }
        let modules = report.project.index::<ModuleTree>();
        let origin = |module: &Module| {
            let origins = report.project.tree().origins(&module.file);
            origins.iter().map(|file| modules.at(report.project, file)).find(|was| was.name() == name)
        };
        match self.modules.get(name) {
            Some(BoundModule::Found(_)) => None,
            Some(BoundModule::Moved(is)) => {
                let is_free = !self.others.contains(is.name()) && !self.modules.contains_key(is.name());
                let was = origin(is).filter(|was| was.name() != is.name() && is_free)?;
                Some(RenamedModule { was, is: is.clone(), is_bound: true })
            }
            None => {
                let found = self.modules.values().filter_map(|bound| match bound {
                    BoundModule::Found(is) => Some((origin(is)?, is)),
                    BoundModule::Moved(_) => None,
                });
                let mut found: Vec<(Module, &Module)> = found.take(2).collect();
                let (was, is) = found.pop().filter(|_| found.is_empty())?;
                Some(RenamedModule { was, is: is.clone(), is_bound: false })
            }
        }
    }
}
