//! Follows the modules of a crate from its root to a file: `crate::a::b` is `src/a/b.rs`.

use std::cell::RefCell;
use std::ops::Deref;
use std::sync::Arc;

use parking_lot::RwLock;
use rustc_hash::{FxHashMap, FxHashSet};

use pathfinder_literals::path::{name, parent};
use pathfinder_literals::{Kind, Project, ProjectIndex};

use super::listed_modules::{ModuleMacros, NameList, name_list};
use super::packages::CargoPackages;
use super::scope::ModuleScope;
use super::tokens::{RustToken, RustTokenKind, tokenize};

/// The declarations of each file that is a module, read on first use.
#[derive(Default)]
pub(super) struct ModuleTree {
    files: RwLock<FxHashMap<String, Arc<ModuleFile>>>,
}

impl ProjectIndex for ModuleTree {
    fn build(_project: &Project) -> Self {
        Self::default()
    }
}

/// The names that a file binds at its top level.
#[derive(Debug, Default)]
pub(super) struct ModuleFile {
    /// The modules of `mod name;`, with their `#[path]`.
    declared: FxHashMap<String, Option<String>>,
    /// Other names that may be items, imports or made by a macro.
    bound: FxHashSet<String>,
    /// True if `use …::*` can bind any name.
    has_glob: bool,
    /// Names in the arguments of macros, of which some are modules.
    lists: Vec<(String, Vec<String>)>,
}

/// A module that is a file of its own.
#[derive(Clone, Debug)]
pub(super) struct Module(Arc<FileModule>);

/// The file of a module, and what it has.
#[derive(Debug)]
pub(super) struct FileModule {
    pub(super) file: String,
    scope: ModuleScope,
    pub(super) contents: Arc<ModuleFile>,
}

impl Deref for Module {
    type Target = FileModule;

    fn deref(&self) -> &FileModule {
        &self.0
    }
}

/// The modules below others that were looked up for one file, whose paths have most names in common.
#[derive(Default)]
pub(super) struct KnownChildren(RefCell<FxHashMap<String, KnownNames>>);

/// The modules below one, by their names.
struct KnownNames {
    scope: ModuleScope,
    by_name: FxHashMap<String, Option<Module>>,
}

impl KnownChildren {
    /// Returns a module below another one as [`ModuleTree::child`] does.
    pub(super) fn child(&self, project: &Project, module: &Module, name: &str) -> Option<Module> {
        if let Some(names) = self.0.borrow().get(&module.file).filter(|names| names.scope == module.scope)
            && let Some(known) = names.by_name.get(name)
        {
            return known.clone();
        }
        let child = project.index::<ModuleTree>().child(project, module, name);
        let mut known = self.0.borrow_mut();
        let of_module = || KnownNames { scope: module.scope.clone(), by_name: FxHashMap::default() };
        let names = known.entry(module.file.clone()).or_insert_with(of_module);
        // A file that is a root too has other modules there.
        if names.scope == module.scope {
            names.by_name.insert(name.to_owned(), child.clone());
        }
        child
    }
}

impl ModuleTree {
    /// The module of a crate root.
    pub(super) fn root(&self, project: &Project, file: &str) -> Module {
        self.module(project, file, ModuleScope::for_root(file))
    }

    fn module(&self, project: &Project, file: &str, scope: ModuleScope) -> Module {
        let known = self.files.read().get(file).cloned();
        let contents = known.unwrap_or_else(|| {
            let mut read = ModuleFile::read(&project.tree().read_shared(file).unwrap_or_default());
            read.declare_listed(project, &scope);
            Arc::clone(self.files.write().entry(file.to_owned()).or_insert(Arc::new(read)))
        });
        Module(Arc::new(FileModule { file: file.to_owned(), scope, contents }))
    }

    /// Returns a module below another one, if it is a file.
    pub(super) fn child(&self, project: &Project, module: &Module, name: &str) -> Option<Module> {
        if let Some(Some(path)) = module.contents.declared.get(name) {
            let file = module.scope.path_target(path)?;
            let is_file = project.tree().kind(&file) == Some(Kind::File);
            return is_file.then(|| self.module(project, &file, ModuleScope::for_root(&file)));
        }
        if !module.contents.is_declared(name) && module.contents.is_bound(name) {
            return None;
        }
        let files = module.child_files(name);
        let Some(file) = files.iter().find(|file| project.tree().kind(file) == Some(Kind::File)) else {
            return self.directory_without_file(project, module, name, &files);
        };
        // A file does not contain itself: `src/bin/a.rs` in `src/bin`.
        (*file != module.file).then(|| self.at(project, file))
    }

    /// Returns the module of a directory whose own file is still to be written, as after a move to a new directory: only this module
    /// can lead to the files there.
    fn directory_without_file(
        &self,
        project: &Project,
        module: &Module,
        name: &str,
        files: &[String],
    ) -> Option<Module> {
        let file = files.iter().find(|file| file.ends_with("/mod.rs"))?;
        let is_directory = project.tree().kind(parent(file)) == Some(Kind::Directory);
        (is_directory && !module.contents.is_declared(name)).then(|| self.at(project, file))
    }

    /// The module of a file that is no crate root and that no `#[path]` names. The file need not exist.
    pub(super) fn at(&self, project: &Project, file: &str) -> Module {
        let is_directory = name(file) == "mod.rs";
        self.module(project, file, if is_directory { ModuleScope::for_root(file) } else { ModuleScope::for_file(file) })
    }

    /// Returns the modules from the crate root down to where a file was.
    pub(super) fn earlier_lineage(&self, project: &Project, file: &str) -> Option<Vec<Module>> {
        let root = crate_roots(project, file).into_iter().next()?;
        let mut all = vec![self.root(project, &root)];
        let inside = file.strip_prefix(parent(&root))?.trim_start_matches('/');
        let mut names: Vec<&str> =
            inside.strip_suffix("/mod.rs").or_else(|| inside.strip_suffix(".rs"))?.split('/').collect();
        names.pop();
        for segment in names {
            all.push(self.child(project, all.last()?, segment)?);
        }
        all.push(self.at(project, file));
        Some(all)
    }

    /// Returns whether each module from a crate root down to a file is declared by the one above it.
    fn declares_all(&self, project: &Project, root: &str, file: &str) -> bool {
        let Some(modules) = self.lineage(project, root, file) else { return false };
        modules.iter().zip(&modules[1..]).all(|(module, child)| module.declares(child))
    }

    /// Returns the modules from the crate root down to a file; `None` if the names of directories do not lead there.
    pub(super) fn lineage(&self, project: &Project, root: &str, file: &str) -> Option<Vec<Module>> {
        let mut all = vec![self.root(project, root)];
        if file == root {
            return Some(all);
        }
        let directory = parent(root);
        let inside = file.strip_prefix(directory)?.trim_start_matches('/');
        let stem = inside.strip_suffix("/mod.rs").or_else(|| inside.strip_suffix(".rs"))?;
        for segment in stem.split('/') {
            let last = all.last()?;
            // A file that has just moved is there, though the module around it has another item of its name.
            let file =
                || last.child_files(segment).into_iter().find(|file| project.tree().kind(file) == Some(Kind::File));
            let next = self.child(project, last, segment).or_else(|| Some(self.at(project, &file()?)))?;
            all.push(next);
        }
        (all.last()?.file == file).then_some(all)
    }
}

impl Module {
    /// The name by which its parent declares it.
    pub(super) fn name(&self) -> &str {
        let stem = self.file.strip_suffix("/mod.rs").or_else(|| self.file.strip_suffix(".rs")).unwrap_or(&self.file);
        name(stem)
    }

    /// Returns whether `mod` declares this module below it, by its name or by `#[path]`.
    pub(super) fn declares(&self, child: &Module) -> bool {
        let mut paths = self.contents.declared.values().flatten();
        self.contents.is_declared(child.name())
            || paths.any(|path| self.scope.path_target(path).as_deref() == Some(child.file.as_str()))
    }

    /// The files that a module below it can have, by the rules of the compiler.
    pub(super) fn child_files(&self, name: &str) -> Vec<String> {
        self.scope.module_files(name).into_iter().flatten().collect()
    }
}

impl ModuleFile {
    /// Returns whether `mod name;` declares the module.
    pub(super) fn is_declared(&self, name: &str) -> bool {
        self.declared.contains_key(name)
    }

    /// The names of `mod name;`, in no order.
    pub(super) fn declared_names(&self) -> impl Iterator<Item = &str> {
        self.declared.keys().map(String::as_str)
    }

    /// Returns whether the name may be bound in another way than by `mod name;`.
    pub(super) fn is_bound(&self, name: &str) -> bool {
        self.bound.contains(name)
    }

    /// Returns whether a name that is not written in the file may still be bound there.
    pub(super) fn has_glob(&self) -> bool {
        self.has_glob
    }

    /// Declares the names that a macro of the project makes modules of. Macros of which no name is a file are not looked for.
    fn declare_listed(&mut self, project: &Project, scope: &ModuleScope) {
        for (macro_name, names) in std::mem::take(&mut self.lists) {
            let is_there = |path: &String| project.tree().kind(path) == Some(Kind::File);
            let is_file = |name: &String| scope.module_files(name).iter().flatten().any(is_there);
            if !names.iter().any(is_file) {
                continue;
            }
            if let Some(found) = project.index::<ModuleMacros>().find(&macro_name) {
                self.has_glob |= found.has_glob;
                self.declared.extend(names.into_iter().map(|name| (name, None)));
            }
        }
    }

    /// Reads the top level of a file. Inner blocks bind nothing outside of them, but groups of `use` and arguments of macros do.
    fn read(text: &str) -> Self {
        let tokens = tokenize(text, 0..text.len());
        let word = |at: usize| {
            tokens
                .get(at)
                .filter(|token: &&RustToken| token.kind == RustTokenKind::Word)
                .map(|it| &text[it.range.clone()])
        };
        let is_sign = |at: usize, sign: u8| tokens.get(at).is_some_and(|token| token.is_punct(sign));
        let mut file = Self::default();
        let (mut depth, mut is_transparent, mut path) = (0_usize, false, None);
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let is_read = depth == 0 || is_transparent;
            match token.kind {
                RustTokenKind::Punct(b'{') => depth += 1,
                RustTokenKind::Punct(b'}') => {
                    depth = depth.saturating_sub(1);
                    is_transparent &= depth > 0;
                    path = None;
                }
                RustTokenKind::Punct(b';') if depth == 0 => (is_transparent, path) = (false, None),
                RustTokenKind::Punct(b'!') if depth == 0 && word(at.wrapping_sub(1)).is_some() => {
                    is_transparent = true;
                    let names = |list: NameList| list.names.into_iter().map(|name| text[name].to_owned()).collect();
                    let list = name_list(text, &tokens, at);
                    file.lists.extend(list.map(|list| (list.macro_name.clone(), names(list))));
                }
                RustTokenKind::Punct(b'*') if is_read && is_sign(at.wrapping_sub(1), b':') => file.has_glob = true,
                RustTokenKind::Word if is_read => match (&text[token.range.clone()], word(at + 1)) {
                    ("use", _) if depth == 0 => is_transparent = true,
                    ("path", _) if is_sign(at + 1, b'=') => {
                        let value = tokens.get(at + 2).filter(|value| value.kind == RustTokenKind::Text);
                        path = value.map(|value| text[value.range.clone()].to_owned());
                    }
                    ("mod", Some(module)) if is_sign(at + 2, b';') => {
                        file.declared.insert(module.to_owned(), path.take());
                        at += 2;
                    }
                    (bound, _) if !is_sign(at + 1, b':') || !is_sign(at + 2, b':') => {
                        file.bound.insert(bound.to_owned());
                    }
                    _ => {}
                },
                _ => {}
            }
            at += 1;
        }
        file
    }
}

/// The crate roots that a file can belong to.
pub(super) fn crate_roots(project: &Project, path: &str) -> Vec<String> {
    let packages = project.index::<CargoPackages>();
    if packages.is_root(path) {
        return vec![path.to_owned()];
    }
    let Some(package) = packages.package_of(path) else { return Vec::new() };
    // A binary or a test can have a directory of its own; above it is the library or binary of the package.
    let above = std::iter::successors(Some(parent(path)), |at| Some(parent(at)).filter(|_| !at.is_empty()));
    let mut nearest = None;
    for directory in above.take_while(|at| at.len() >= package.len()) {
        let roots = packages.roots_in(project.tree(), directory);
        // A file in `tests` can belong to any of the crates there.
        let is_of_targets = matches!(name(directory), "tests" | "examples" | "benches") && parent(directory) == package;
        if roots.is_empty() && !is_of_targets {
            continue;
        }
        // A binary can lie in a directory of modules of the library: the file belongs to the crate that declares it.
        if is_of_targets {
            return roots;
        }
        let declares = |root: &String| project.index::<ModuleTree>().declares_all(project, root, path);
        let declaring: Vec<String> = roots.iter().filter(|root| declares(root)).cloned().collect();
        if !declaring.is_empty() {
            return declaring;
        }
        nearest.get_or_insert(roots);
    }
    nearest.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::ModuleFile;

    #[test]
    fn reads_the_names_of_a_file() {
        let check = |text: &str, declared: &[&str], bound: &[&str], has_glob: bool| {
            let file = ModuleFile::read(text);
            assert!(declared.iter().all(|name| file.is_declared(name)), "{text}: {file:?}");
            assert!(bound.iter().all(|name| file.is_bound(name) && !file.is_declared(name)), "{text}: {file:?}");
            assert_eq!(file.has_glob(), has_glob, "{text}");
        };
        check("mod a; pub(crate) mod b; #[path = \"x.rs\"] mod c;", &["a", "b", "c"], &[], false);
        check("mod a { fn b() {} } fn c() { d(); }", &[], &["a", "c"], false);
        assert!(!ModuleFile::read("mod a { fn b() {} } fn c() { d(); } use e::F;").is_bound("b"));
        assert!(!ModuleFile::read("use e::F; use g::{h::I};").is_bound("e"));
        check("use a::{b as c, d::{self, e}}; m! { f } g!(h);", &[], &["c", "e", "f", "h"], false);
        check("pub use a::*;", &[], &[], true);
        check("cfg_if! { if #[cfg(unix)] { mod a; } }", &["a"], &[], false);
        check("const A: u8 = 2 * B;", &[], &["A"], false);
    }
}
