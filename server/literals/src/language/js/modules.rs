//! `Modules`: what all scripts of a project share: the resolver, aliases, packages, and modules that are only declared.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use oxc_resolver::{ResolveOptions, ResolverGeneric, TsconfigDiscovery};
use rustc_hash::FxHashSet;

use super::aliases::Aliases;
use super::endings::{EXTENSIONS, WRITTEN_FOR};
use super::files::{Files, inside, outside};
use super::packages::Packages;
use crate::project::Project;
use crate::project_index::ProjectIndex;
use crate::tree::Tree;

/// See the module's text. Everything is made when it is first asked for.
pub(crate) struct Modules {
    tree: Arc<dyn Tree>,
    imports: OnceLock<ResolverGeneric<Files>>,
    requires: OnceLock<ResolverGeneric<Files>>,
    aliases: OnceLock<Aliases>,
    packages: OnceLock<Packages>,
    declared: OnceLock<FxHashSet<String>>,
}

impl ProjectIndex for Modules {
    fn build(project: &Project) -> Self {
        Self::new(project.shared_tree())
    }
}

/// No program opens a longer path: `PATH_MAX` of Linux. The resolver calls itself once per segment, so that thousands of them would
/// exhaust the stack.
const MAX_PATH_BYTES: usize = 4096;

impl Modules {
    /// Of a tree.
    pub(crate) fn new(tree: Arc<dyn Tree>) -> Self {
        Self {
            tree,
            imports: OnceLock::new(),
            requires: OnceLock::new(),
            aliases: OnceLock::new(),
            packages: OnceLock::new(),
            declared: OnceLock::new(),
        }
    }

    /// Where a specifier in a file leads, by the rules of Node, TypeScript and bundlers; `None` if that is not there, or
    /// not in the tree.
    pub(super) fn resolve(&self, file: &str, specifier: &str, is_require: bool) -> Option<String> {
        if file.len() + specifier.len() > MAX_PATH_BYTES {
            return None;
        }
        let resolver = if is_require {
            self.requires.get_or_init(|| resolver(&self.tree, "require"))
        } else {
            self.imports.get_or_init(|| resolver(&self.tree, "import"))
        };
        let file: PathBuf = outside(file);
        inside(resolver.resolve_file(file, specifier).ok()?.path())
    }

    pub(super) fn aliases(&self) -> &Aliases {
        self.aliases.get_or_init(|| Aliases::new(&*self.tree))
    }

    pub(super) fn packages(&self) -> &Packages {
        self.packages.get_or_init(|| Packages::new(&*self.tree))
    }

    /// Whether some declaration says that there is a module of this name, whatever lies there.
    pub(super) fn is_declared(&self, specifier: &str) -> bool {
        let all = self.declared.get_or_init(|| declared(&*self.tree));
        all.iter().any(|name| match name.split_once('*') {
            Some((before, after)) => {
                specifier.len() >= before.len() + after.len()
                    && specifier.starts_with(before)
                    && specifier.ends_with(after)
            }
            None => name == specifier,
        })
    }
}

fn resolver(tree: &Arc<dyn Tree>, condition: &str) -> ResolverGeneric<Files> {
    let conditions = [condition, "types", "module", "node", "browser", "development", "svelte", "default"];
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let options = ResolveOptions {
        tsconfig: Some(TsconfigDiscovery::Auto),
        condition_names: owned(&conditions),
        extensions: owned(&EXTENSIONS),
        extension_alias: WRITTEN_FOR.iter().map(|(from, to)| ((*from).to_owned(), owned(to))).collect(),
        alias_fields: vec![owned(&["browser"])],
        main_fields: owned(&["types", "module", "main"]),
        // The tree has followed links, and the variable of the environment is none of the tree's.
        symlinks: false,
        node_path: false,
        builtin_modules: true,
        ..ResolveOptions::default()
    };
    ResolverGeneric::new_with_file_system(Files::new(Arc::clone(tree)), options)
}

/// The names in `declare module "x"` of all declarations.
fn declared(tree: &dyn Tree) -> FxHashSet<String> {
    const START: &str = "declare module";
    let mut names = FxHashSet::default();
    for path in tree.files().iter().filter(|path| path.ends_with(".d.ts")) {
        let Some(text) = tree.read(path) else { continue };
        for (at, _) in text.match_indices(START) {
            let rest = text[at + START.len()..].trim_start();
            let Some(mark) = rest.chars().next().filter(|mark| matches!(mark, '"' | '\'')) else { continue };
            names.extend(rest[1..].split_once(mark).map(|(name, _)| name.to_owned()).filter(|name| name != "*"));
        }
    }
    names
}
