//! Reads the names that each package's `__init__` binds, and whether it can bind others at run time. `submodules` calls it.

use std::sync::Arc;

use parking_lot::Mutex;
use pathfinder_syntax::grammars::PYTHON;
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::dynamic_modules::is_dynamic_package;
use super::relative::file_of;
use pathfinder_literals::path::{join, name};
use pathfinder_literals::{Kind, Project, ProjectIndex, Source};

/// Words of a module that binds names at run time.
const DYNAMIC_MARKS: [&str; 12] = [
    "import *",
    "__getattr__",
    "globals()",
    "locals()",
    "vars(",
    "setattr(",
    "exec(",
    "sys.modules",
    "importlib",
    "lazy",
    "Lazy",
    "__class__",
];

/// The names that a package binds.
#[derive(Default)]
pub(super) struct BoundNames {
    /// Those that its text shows.
    names: FxHashSet<String>,
    /// Set if it can bind others at run time, or its text cannot be read.
    can_be_more: bool,
}

impl BoundNames {
    /// Returns whether the package binds a name; `None` if that is not known.
    pub(super) fn have(&self, name: &str) -> Option<bool> {
        (!self.can_be_more || self.names.contains(name)).then(|| self.names.contains(name))
    }
}

/// The bound names by package directory, each read when first needed: many files import from one package.
#[derive(Default)]
pub(crate) struct PackageBindings(Mutex<FxHashMap<String, Arc<BoundNames>>>);

impl ProjectIndex for PackageBindings {
    fn build(_project: &Project) -> Self {
        Self::default()
    }
}

impl PackageBindings {
    /// The names of the package in a directory. If `source` is its `__init__`, the unsaved text counts.
    pub(super) fn names(&self, project: &Project, source: &Source<'_>, package: &str) -> Arc<BoundNames> {
        let lock = || self.0.lock();
        let is_own = name(source.path()).starts_with("__init__.") && source.directory() == package;
        if let Some(known) = (!is_own).then(|| lock().get(package).cloned()).flatten() {
            return known;
        }
        let names = Arc::new(read_names(project, source, package));
        if !is_own {
            lock().insert(package.to_owned(), Arc::clone(&names));
        }
        names
    }
}

/// Reads the names that the `__init__` of a package binds.
fn read_names(project: &Project, source: &Source<'_>, package: &str) -> BoundNames {
    let mut bound = BoundNames::default();
    // A module may share the package's own name; names imported from it are bound.
    let own = join(package, name(package));
    let itself = if own.is_some_and(|own| file_of(project, &own).is_some()) { "" } else { package };
    for path in ["__init__.py", "__init__.pyi"].into_iter().filter_map(|file| join(package, file)) {
        let kind = project.tree().kind(&path);
        if kind.is_none() {
            continue;
        }
        let own = (path == source.path()).then(|| source.text().to_owned());
        let text = own.or_else(|| project.tree().read(&path)).filter(|_| kind == Some(Kind::File));
        let Some((text, tree)) = text.and_then(|text| PYTHON.parse(&text).map(|tree| (text, tree))) else {
            bound.can_be_more = true;
            continue;
        };
        bound.can_be_more |= tree.root_node().has_error()
            || is_dynamic_package(&text)
            || DYNAMIC_MARKS.iter().any(|mark| text.contains(mark));
        collect_bound(tree.root_node(), &text, itself, &mut bound.names);
    }
    bound
}

/// Adds all names bound below a node of the package at this path.
///
/// Names that are bound only temporarily count too: a name too many only costs a finding.
fn collect_bound(root: Node<'_>, text: &str, package: &str, names: &mut FxHashSet<String>) {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        let field = |field: &str| node.child_by_field_name(field);
        let bound = match node.kind() {
            "assignment" | "for_statement" | "for_in_clause" | "type_alias_statement" => field("left"),
            "named_expression" | "function_definition" | "class_definition" => field("name"),
            "as_pattern_target" | "global_statement" | "case_pattern" => Some(node),
            "import_statement" | "import_from_statement" => {
                collect_imported(node, text, package, names);
                None
            }
            _ => None,
        };
        if let Some(bound) = bound {
            collect_identifiers(bound, text, names);
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

fn collect_identifiers(root: Node<'_>, text: &str, names: &mut FxHashSet<String>) {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.kind() == "identifier" {
            names.insert(text[node.byte_range()].to_owned());
        }
        if cursor.goto_first_child() {
            continue;
        }
        loop {
            if cursor.node().id() == root.id() {
                return;
            }
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// `import a.b` binds `a`, and `from a import b as c` binds `c`. A name that a package imports from itself is bound
/// elsewhere in it, or is a submodule.
fn collect_imported(node: Node<'_>, text: &str, package: &str, names: &mut FxHashSet<String>) {
    let module = node.child_by_field_name("module_name").map(|module| &text[module.byte_range()]);
    let from_itself = module.is_some_and(|module| module == "." || names_package(module, package));
    let mut cursor = node.walk();
    for child in node.children_by_field_name("name", &mut cursor) {
        let field = |field: &str| child.child_by_field_name(field).map(|node| &text[node.byte_range()]);
        if let Some(alias) = field("alias") {
            if !from_itself || field("name") != Some(alias) {
                names.insert(alias.to_owned());
            }
        } else if !from_itself {
            let first = text[child.byte_range()].split('.').next().unwrap_or_default();
            names.insert(first.trim().to_owned());
        }
    }
}

/// Returns whether a module without leading dots is the package at this path, comparing names from the end.
fn names_package(module: &str, package: &str) -> bool {
    !package.is_empty()
        && !module.starts_with('.')
        && module.rsplit('.').zip(package.rsplit('/')).all(|(written, there)| written == there)
}

#[cfg(test)]
mod tests {
    use pathfinder_syntax::grammars::PYTHON;
    use rustc_hash::FxHashSet;

    #[test]
    fn collects_bound_names() {
        let check = |text: &str, expect: &str| {
            let mut names = FxHashSet::default();
            super::collect_bound(PYTHON.parse(text).expect("a tree").root_node(), text, "x/pkg", &mut names);
            let mut names: Vec<_> = names.into_iter().collect();
            names.sort();
            assert_eq!(names.join(" "), expect, "{text}");
        };
        check("import a.b, c as d\nfrom e import f, g as h\nfrom .i import j\n", "a d f h j");
        check("from . import a, b as b, c as d\nfrom pkg import e\nfrom x.pkg import f\n", "d");
        check("from .pkg import a\nfrom pkg.pkg import b\nfrom y.pkg import c\nfrom a.x.pkg import d\n", "a b c");
        check("a = b.c\nd, (e, f) = g\nh: int = 1\ni: str\n", "a d e f h i");
        check("def a(b): c = d\nclass E(f): pass\n", "E a c");
        check("for a in b: pass\nwith c() as d: pass\ntry: pass\nexcept E as f: pass\nif (g := 1): pass\n", "a d f g");
        check("x.y = 1\nprint(z)  # w\n\"v\"\n", "x y");
    }
}
