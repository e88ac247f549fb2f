//! `JsModules`: the resolver, aliases, packages and declared modules that all scripts of a project share.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use oxc_resolver::{ResolveOptions, ResolverGeneric, TsconfigDiscovery};
use rustc_hash::FxHashSet;

use super::aliases::Aliases;
use super::extensions::{EXTENSIONS, OUTPUT_EXTENSIONS};
use super::packages::JsPackages;
use super::tree_file_system::{TreeFileSystem, to_resolver_path, to_tree_path};
use pathfinder_literals::{Project, ProjectIndex, Tree};

/// Data that the scripts of a project share. Each part is built on first use.
pub(crate) struct JsModules {
    tree: Arc<dyn Tree>,
    import_resolver: OnceLock<ResolverGeneric<TreeFileSystem>>,
    require_resolver: OnceLock<ResolverGeneric<TreeFileSystem>>,
    aliases: OnceLock<Aliases>,
    packages: OnceLock<JsPackages>,
    declared: OnceLock<DeclaredModules>,
}

impl ProjectIndex for JsModules {
    fn build(project: &Project) -> Self {
        Self::new(project.shared_tree())
    }
}

/// The longest resolved path, which is `PATH_MAX` of Linux. The resolver recurses once per segment, so longer paths
/// would exhaust the stack.
const MAX_PATH_BYTES: usize = 4096;

impl JsModules {
    /// Creates the modules of a tree.
    pub(crate) fn new(tree: Arc<dyn Tree>) -> Self {
        Self {
            tree,
            import_resolver: OnceLock::new(),
            require_resolver: OnceLock::new(),
            aliases: OnceLock::new(),
            packages: OnceLock::new(),
            declared: OnceLock::new(),
        }
    }

    /// Resolves a specifier by the rules of Node, TypeScript and bundlers; `None` if the target is missing or outside
    /// of the tree.
    pub(super) fn resolve(&self, file: &str, specifier: &str, is_require: bool) -> Option<String> {
        if file.len() + specifier.len() > MAX_PATH_BYTES {
            return None;
        }
        let resolver = if is_require {
            self.require_resolver.get_or_init(|| new_resolver(&self.tree, "require"))
        } else {
            self.import_resolver.get_or_init(|| new_resolver(&self.tree, "import"))
        };
        let file: PathBuf = to_resolver_path(file);
        to_tree_path(resolver.resolve_file(file, specifier).ok()?.path())
    }

    /// Returns the aliases of all configurations.
    pub(super) fn aliases(&self) -> &Aliases {
        self.aliases.get_or_init(|| Aliases::new(&*self.tree))
    }

    /// Returns the packages of the project.
    pub(super) fn packages(&self) -> &JsPackages {
        self.packages.get_or_init(|| JsPackages::new(&*self.tree))
    }

    /// Returns whether a declaration file declares a module of this name. A declaration of all names that begin with the prefix of an
    /// alias, or of all with an extension, only gives them types: the bundler needs their files.
    pub(super) fn is_declared(&self, specifier: &str, alias: Option<&str>) -> bool {
        let all = self.declared.get_or_init(|| find_declared_modules(&*self.tree));
        let matches = |(before, after): &(String, String)| match (before.as_str(), after.as_str()) {
            (before, "") if alias.is_some_and(|prefix| prefix.starts_with(before)) => false,
            ("", after) if alias.is_some() && after.starts_with('.') => false,
            (before, after) => {
                specifier.len() >= before.len() + after.len()
                    && specifier.starts_with(before)
                    && specifier.ends_with(after)
            }
        };
        all.names.contains(specifier) || all.patterns.iter().any(matches)
    }
}

/// Creates a resolver for `import` or `require`, by the name of its condition in `exports`.
fn new_resolver(tree: &Arc<dyn Tree>, condition: &str) -> ResolverGeneric<TreeFileSystem> {
    let conditions = [condition, "types", "module", "node", "browser", "development", "svelte", "default"];
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let options = ResolveOptions {
        tsconfig: Some(TsconfigDiscovery::Auto),
        condition_names: owned(&conditions),
        extensions: owned(&EXTENSIONS),
        extension_alias: OUTPUT_EXTENSIONS.iter().map(|(from, to)| ((*from).to_owned(), owned(to))).collect(),
        alias_fields: vec![owned(&["browser"])],
        main_fields: owned(&["types", "module", "main"]),
        // The tree has resolved links, and environment variables do not belong to it.
        symlinks: false,
        node_path: false,
        builtin_modules: true,
        ..ResolveOptions::default()
    };
    ResolverGeneric::new_with_file_system(TreeFileSystem::new(Arc::clone(tree)), options)
}

/// The names in `declare module "x"` of all declaration files.
struct DeclaredModules {
    names: FxHashSet<String>,
    /// The texts before and after the `*` of others, sorted.
    patterns: Vec<(String, String)>,
}

fn find_declared_modules(tree: &dyn Tree) -> DeclaredModules {
    /// Each import is compared with all patterns, of which projects have some ten.
    const MAX_PATTERNS: usize = 1_000;
    const START: &str = "declare module";
    let mut names = FxHashSet::default();
    for path in tree.files().iter().filter(|path| path.ends_with(".d.ts")) {
        let Some(text) = tree.read_shared(path) else { continue };
        for (at, _) in text.match_indices(START) {
            let rest = text[at + START.len()..].trim_start();
            let Some(mark) = rest.chars().next().filter(|mark| matches!(mark, '"' | '\'')) else { continue };
            names.extend(rest[1..].split_once(mark).map(|(name, _)| name.to_owned()).filter(|name| name != "*"));
        }
    }
    let split = |name: String| name.split_once('*').map(|(before, after)| (before.to_owned(), after.to_owned()));
    let mut patterns: Vec<_> = names.extract_if(|name: &String| name.contains('*')).filter_map(split).collect();
    patterns.sort_unstable();
    patterns.truncate(MAX_PATTERNS);
    DeclaredModules { names, patterns }
}
