//! Recognizes packages that add modules at run time.

use parking_lot::Mutex;
use pathfinder_literals::path::{ancestors, head, join, name, parent};
use pathfinder_literals::{Project, ProjectIndex, Reason};
use rustc_hash::FxHashMap;

/// Bytes of an `__init__` that are searched for each missing module. Those that register modules by hand are shorter.
const MAX_INIT_BYTES: usize = 64 << 10;

/// The files that were searched, by their paths, and whether they add modules. Many missing modules ask for the same files, which can be large.
#[derive(Default)]
struct AddingFiles(Mutex<FxHashMap<String, bool>>);

impl ProjectIndex for AddingFiles {
    fn build(_project: &Project) -> Self {
        Self::default()
    }
}

/// Returns whether a file exists and adds modules. Its text is searched once.
fn adds_modules(project: &Project, path: &str) -> bool {
    let known = &project.index::<AddingFiles>().0;
    if let Some(known) = known.lock().get(path) {
        return *known;
    }
    let marks = ["sys.modules", "__path__", "def __getattr__"];
    let is_adding = |text: &str| match name(path) {
        "__init__.py" => is_dynamic_package(text),
        // A module that is a file but has submodules defines them itself, like `six.moves`.
        _ => marks.iter().any(|mark| text.contains(mark)),
    };
    let adds = project.tree().read_shared(path).is_some_and(|text| is_adding(&text));
    known.lock().insert(path.to_owned(), adds);
    adds
}

/// The package that puts the module at a path into `sys.modules` under its former name, so that old imports work. The name is in quotes there,
/// as in `"shop.cart"` or `".cart"`.
pub(super) fn registering_package(project: &Project, path: &str) -> Option<Reason> {
    ancestors(parent(path)).find_map(|package| {
        let init = join(package, "__init__.py")?;
        let text = project.tree().read_shared(&init)?;
        let text = Some(head(&text, MAX_INIT_BYTES)).filter(|text| text.contains("sys.modules"))?;
        let name = path[package.len()..].trim_start_matches('/').replace('/', ".");
        let is_quoted = |(at, _): (usize, &str)| {
            text[..at].ends_with(['.', '"', '\'']) && text[at + name.len()..].starts_with(['"', '\''])
        };
        let is_named = !name.is_empty() && text.match_indices(name.as_str()).any(is_quoted);
        is_named.then_some(Reason::Undecided(init))
    })
}

/// The module between a package and a path that defines its content at run time, so that no verdict is possible.
pub(super) fn dynamic_package(project: &Project, package: &str, path: &str) -> Option<Reason> {
    let ends = path.match_indices('/').map(|(at, _)| at).filter(|at| *at >= package.len());
    let directories = std::iter::once(package).chain(ends.map(|at| &path[..at]));
    for directory in directories {
        let files = [join(directory, "__init__.py")?, format!("{directory}.py")];
        if let Some(file) = files.iter().find(|file| adds_modules(project, file)) {
            return Some(Reason::Undecided(format!("the modules that {file} adds")));
        }
    }
    None
}

/// Returns whether the text of a package's `__init__` changes the modules of the package.
pub(super) fn is_dynamic_package(text: &str) -> bool {
    const MARKS: [&str; 6] = [
        "extend_path(",
        "declare_namespace(",
        "meta_path",
        "_LazyModule",
        "sys.modules.update",
        "sys.modules.setdefault",
    ];
    let own_path = |line: &str| {
        line.strip_prefix("__path__").is_some_and(|rest| rest.trim_start().starts_with(['=', '.', '+', '[']))
    };
    // A package that replaces itself in `sys.modules` keeps its modules.
    let mut put = text.match_indices("sys.modules[").filter_map(|(at, mark)| text[at + mark.len()..].split_once(']'));
    MARKS.iter().any(|mark| text.contains(mark))
        || text.lines().any(own_path)
        || put.any(|(key, rest)| {
            let rest = rest.trim_start_matches([' ', '\t']);
            key != "__name__" && rest.starts_with('=') && !rest.starts_with("==")
        })
}
