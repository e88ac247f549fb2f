//! Recognizes modules that a build generates or compiles from another language.

use parking_lot::RwLock;
use pathfinder_literals::path::{extension, join, name, parent};
use pathfinder_literals::{Project, ProjectIndex, Reason};
use rustc_hash::FxHashMap;

/// Suffixes of a module's file, the likeliest first. The source of a compiled module counts as the module.
pub(super) const MODULE_SUFFIXES: [&str; 9] =
    [".py", "/__init__.py", ".pyi", "/__init__.pyi", ".pyx", ".so", ".pyd", ".abi3.so", ".pxd"];

/// Those of files that people write, and that a commit can move.
pub(super) const SOURCE_SUFFIXES: [&str; 4] = [".py", "/__init__.py", ".pyi", ".pyx"];

/// Files that say how the modules of a directory are built.
const RECIPE_FILES: [&str; 9] = [
    "Dockerfile",
    "setup.py",
    "pyproject.toml",
    "BUILD",
    "BUILD.bazel",
    "meson.build",
    "CMakeLists.txt",
    "Makefile",
    "Cargo.toml",
];

/// Words in a build file that compiles or generates modules.
const BUILD_MARKS: [&str; 19] = [
    // Without the bracket it is also a classifier of packages for Sphinx.
    "Extension(",
    "ext_modules",
    "ext-modules",
    "cffi_modules",
    "maturin",
    "pyo3",
    "rust_extensions",
    "setuptools-rust",
    "setuptools_rust",
    "mesonpy",
    "meson-python",
    "extension_module",
    // Not `scikit-learn`, which packages depend on.
    "scikit-build",
    "scikit_build",
    "skbuild",
    "ython_add_module",
    "genrule",
    "nanobind",
    "pybind11",
];

/// The generators of modules that were asked for, by the path without suffix. Each tested spelling asks for those of its file again.
#[derive(Default)]
struct ModuleGenerators(RwLock<FxHashMap<String, Option<Reason>>>);

impl ProjectIndex for ModuleGenerators {
    fn build(_: &Project) -> Self {
        Self::default()
    }
}

/// Maximum number of modules in [`ModuleGenerators`]. The largest trees have some ten thousand that are missing.
const MAX_CACHED_MODULES: usize = 1 << 15;

/// The generator of the module at a path without suffix.
pub(super) fn find_generator(project: &Project, module: &str) -> Option<Reason> {
    let known = &project.index::<ModuleGenerators>().0;
    if let Some(known) = known.read().get(module) {
        return known.clone();
    }
    let by = look_for_generator(project, module);
    let mut known = known.write();
    if known.len() < MAX_CACHED_MODULES {
        known.insert(module.to_owned(), by.clone());
    }
    by
}

fn look_for_generator(project: &Project, module: &str) -> Option<Reason> {
    let produced = |by: &str| Some(Reason::Produced(by.to_owned()));
    let last = name(module);
    let by_name = [
        ("_pb2", "protoc"),
        ("_pb2_grpc", "protoc"),
        ("_grpc", "protoc"),
        ("_capnp", "capnp"),
        ("_rc", "Qt"),
        ("_ui", "Qt"),
        ("_generated", "a code generator"),
        ("_gen", "a code generator"),
        ("_cython", "Cython"),
        ("_ext", "a compiler"),
        ("_native", "a compiler"),
        ("Parser", "ANTLR"),
        ("Lexer", "ANTLR"),
        ("Visitor", "ANTLR"),
        ("Listener", "ANTLR"),
    ];
    if let Some((_, by)) = by_name.iter().find(|(ending, _)| last.ends_with(ending)) {
        return produced(by);
    }
    let versions = ["_version", "__version__", "_build_info", "__config__", "version_info", "_git_version"];
    // Tests import modules that do not exist, and name them so.
    if ["missing", "not_found", "notfound", "bogus"].iter().any(|word| module.contains(word)) {
        return Some(Reason::Optional);
    }
    if versions.contains(&last) || last.starts_with("ui_") || last.starts_with("_version") {
        return produced("a build");
    }
    // Some part of the path is a directory named for generated code.
    if module.split('/').any(|segment| matches!(segment, "_generated" | "generated" | "gen" | "_gen" | "pb" | "protos"))
    {
        return produced("a code generator");
    }
    [".c", ".cpp", ".cc", ".rs", ".pyx.in", ".pyx.tp", ".py.in", ".py.tmpl", ".py.mako", ".py.j2", ".go", ".pxi"]
        .iter()
        .map(|ending| format!("{module}{ending}"))
        .find(|path| project.tree().kind(path).is_some())
        .map(Reason::Produced)
        .or_else(|| find_recipe(project, module))
}

/// Returns whether what generates a module names it in a string, alone or with its packages: `'_speed'`, `"app._speed"`.
pub(super) fn is_named(project: &Project, generator: &Reason, module: &str) -> bool {
    let Reason::Produced(recipe) = generator else { return false };
    let last = name(module);
    project.tree().read_shared(recipe).is_some_and(|text| {
        text.match_indices(last)
            .any(|(at, _)| text[..at].ends_with(['"', '\'', '.']) && text[at + last.len()..].starts_with(['"', '\'']))
    })
}

/// The build file above a module that generates it: it names the file, or builds modules that can include this one.
fn find_recipe(project: &Project, module: &str) -> Option<Reason> {
    let tree = project.tree();
    let last = name(module);
    let own = name(parent(module)) == last;
    let file = format!("/{last}.py");
    // Names of several parts do not coincide by chance.
    let is_distinctive = last.len() >= 8 && last.contains('_');
    let mut here = Some(parent(module));
    while let Some(directory) = here {
        let bazel = tree
            .names(directory)
            .to_vec()
            .into_iter()
            .filter(|name| matches!(extension(name).as_str(), "bzl" | "cmake"));
        for recipe in RECIPE_FILES.iter().map(|name| (*name).to_owned()).chain(bazel) {
            let path = join(directory, &recipe)?;
            let Some(text) = tree.read_shared(&path) else { continue };
            let builds = BUILD_MARKS.iter().any(|word| text.contains(word));
            let packs = matches!(recipe.as_str(), "setup.py" | "pyproject.toml" | "Cargo.toml");
            let beside = join("", &module[directory.len()..]).is_some_and(|path| text.contains(&format!("{path}.py")));
            let generates = match recipe.as_str() {
                "Dockerfile" => text.lines().any(|line| line.starts_with("COPY") && line.contains(&file)),
                _ => {
                    beside
                        || builds && (last.starts_with('_') || own || is_word(&text, last))
                        || !packs && is_distinctive && is_word(&text, last)
                }
            };
            if generates {
                return Some(Reason::Produced(path));
            }
        }
        here = (!directory.is_empty()).then(|| parent(directory));
    }
    None
}

/// Returns whether a text contains a name as a whole word.
pub(super) fn is_word(text: &str, name: &str) -> bool {
    let is_name = |c: char| c == '_' || c.is_alphanumeric();
    !name.is_empty()
        && text
            .match_indices(name)
            .any(|(at, _)| !text[..at].ends_with(is_name) && !text[at + name.len()..].starts_with(is_name))
}
