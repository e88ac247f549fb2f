//! An index of all `CMake` files: generated files, variable values and projects. It is read once per tree.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use pathfinder_literals::path::{extension, is_within, join, name, parent};
use pathfinder_literals::{Project, ProjectIndex, Tree};

use super::scan::parse_commands;

/// A tree with more files than this contains other projects too.
const MAX_CMAKE_FILES: usize = 2_000;

/// A variable with more values than this decides nothing.
const MAX_VALUES: usize = 16;

/// Maximum number of paths of one module: projects have their modules in one directory or a few.
const MAX_MODULE_PATHS: usize = 16;

/// A value of a variable.
pub(super) struct VariableValue {
    /// The value as it is written.
    pub(super) text: String,
    /// The directory of the file that sets it.
    pub(super) directory: String,
    /// True if the file is the list of its directory, whose variables the directories around it do not see.
    is_of_list: bool,
}

/// Outputs, variables and projects of all `CMake` files.
#[derive(Default)]
pub(crate) struct CmakeIndex {
    /// Names of files that a command generates.
    names: FxHashSet<String>,
    /// Targets that functions of projects add, which can name what they generate by them.
    custom_targets: FxHashSet<String>,
    /// Values of variables.
    values: FxHashMap<String, Vec<VariableValue>>,
    /// Variables that commands compute: their values are more than those that are set.
    computed: FxHashSet<String>,
    /// Directories of projects, by project name.
    projects: FxHashMap<String, Vec<String>>,
    /// Names given to `find_package`; such packages can bring modules of their own.
    packages: FxHashSet<String>,
    /// Names of included modules.
    modules: FxHashSet<String>,
    /// Directories that have an included module, sorted.
    module_directories: Vec<String>,
    /// Other directories with files that have the ending of a module, sorted.
    other_directories: Vec<String>,
    has_foreign_modules: bool,
    sets_module_path: bool,
}

/// `CMake` commands that generate no file from their arguments.
const COMMANDS_WITHOUT_OUTPUT: [&str; 69] = [
    "add_compile_definitions",
    "add_compile_options",
    "add_definitions",
    "add_dependencies",
    "add_executable",
    "add_library",
    "add_link_options",
    "add_subdirectory",
    "add_test",
    "break",
    "cmake_minimum_required",
    "cmake_policy",
    "continue",
    "define_property",
    "else",
    "elseif",
    "enable_language",
    "enable_testing",
    "endforeach",
    "endfunction",
    "endif",
    "endmacro",
    "endwhile",
    "find_file",
    "find_library",
    "find_package",
    "find_path",
    "find_program",
    "foreach",
    "function",
    "get_directory_property",
    "get_filename_component",
    "get_property",
    "get_source_file_property",
    "get_target_property",
    "get_test_property",
    "if",
    "include",
    "include_directories",
    "include_guard",
    "install",
    "link_directories",
    "link_libraries",
    "list",
    "macro",
    "mark_as_advanced",
    "math",
    "message",
    "option",
    "project",
    "return",
    "separate_arguments",
    "set",
    "set_directory_properties",
    "set_property",
    "set_target_properties",
    "set_tests_properties",
    "source_group",
    "target_compile_definitions",
    "target_compile_features",
    "target_compile_options",
    "target_include_directories",
    "target_link_directories",
    "target_link_libraries",
    "target_link_options",
    "target_precompile_headers",
    "target_sources",
    "unset",
    "while",
];

/// Packages that `CMake` finds by itself and that bring no modules.
const PLAIN_PACKAGES: [&str; 20] = [
    "BISON",
    "CURL",
    "Curses",
    "Doxygen",
    "FLEX",
    "Git",
    "JNI",
    "Java",
    "LibXml2",
    "MPI",
    "OpenMP",
    "OpenSSL",
    "Perl",
    "PkgConfig",
    "Python",
    "Python3",
    "PythonInterp",
    "PythonLibs",
    "Threads",
    "ZLIB",
];

impl ProjectIndex for CmakeIndex {
    fn build(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl CmakeIndex {
    /// Reads all `CMake` files of a tree.
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let mut index = Self::default();
        let mut variables = FxHashSet::default();
        for path in tree.files().iter().filter(|path| super::is_cmake(path)).take(MAX_CMAKE_FILES) {
            let Some(text) = tree.read_shared(path) else { continue };
            for command in parse_commands(&text) {
                let words: Vec<&str> = command.words.iter().map(|word| &text[word.at..word.end]).collect();
                index.add_command(tree, path, &command.name, &words, &mut variables);
            }
        }
        // A package is first-party if the tree has its `FindX.cmake`, or the package is a project of the tree.
        let own = |package: &String| {
            let module = format!("Find{package}.cmake");
            PLAIN_PACKAGES.contains(&package.as_str())
                || index.projects.contains_key(package)
                || tree.files().iter().any(|path| name(path) == module)
        };
        index.has_foreign_modules |= !index.packages.iter().all(own);
        let module = |path: &&String| name(path).strip_suffix(".cmake").is_some_and(|it| index.modules.contains(it));
        let directories = tree.files().iter().filter(module).map(|path| parent(path).to_owned());
        index.module_directories = directories.collect::<BTreeSet<_>>().into_iter().collect();
        let others = tree.files().iter().filter(|path| extension(path) == "cmake").map(|path| parent(path));
        let others: BTreeSet<&str> =
            others.filter(|at| index.module_directories.iter().all(|known| known != at)).collect();
        index.other_directories = others.into_iter().map(str::to_owned).collect();
        // `OUTPUT ${OUT}` generates each value of `OUT`.
        let mut variables: Vec<String> = variables.into_iter().collect();
        variables.sort_unstable();
        for variable in variables {
            let values = index.values.get(&variable).into_iter().flatten();
            let values: Vec<String> = values.map(|value| value.text.clone()).collect();
            for value in &values {
                index.add_name(value);
            }
        }
        index
    }

    /// Adds what a command sets, declares or generates. Variables among its outputs go into `variables`.
    fn add_command(
        &mut self,
        tree: &dyn Tree,
        path: &str,
        command: &str,
        words: &[&str],
        variables: &mut FxHashSet<String>,
    ) {
        let (directory, first) = (parent(path), words.first().copied().unwrap_or_default());
        match command {
            "set" => {
                self.sets_module_path |= first == "CMAKE_MODULE_PATH";
                let is_given_up = words.iter().any(|word| matches!(*word, "CACHE" | "PARENT_SCOPE"));
                let is_of_list = name(path) == "CMakeLists.txt" && !is_given_up;
                let values = self.values.entry(first.to_owned()).or_default();
                for value in words.iter().skip(1).filter(|value| value.len() < 300) {
                    if values.len() < MAX_VALUES {
                        let (text, directory) = ((*value).to_owned(), directory.to_owned());
                        values.push(VariableValue { text, directory, is_of_list });
                    }
                }
            }
            // Keywords among the words are no variables.
            "file" | "string" | "cmake_path" | "execute_process" => {
                let is_name = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                self.computed.extend(words.iter().filter(is_name).map(|word| (*word).to_owned()));
            }
            "list" => self.sets_module_path |= words.get(1) == Some(&"CMAKE_MODULE_PATH"),
            "project" => self.projects.entry(first.to_owned()).or_default().push(directory.to_owned()),
            "include" => _ = self.modules.insert(first.to_owned()),
            "find_package" => _ = self.packages.insert(first.to_owned()),
            "fetchcontent_makeavailable" | "fetchcontent_populate" | "cpmaddpackage" | "externalproject_add" => {
                self.has_foreign_modules = true;
            }
            "configure_file" | "configure_package_config_file" => {
                words.iter().skip(1).for_each(|word| self.add_output(word, variables));
            }
            _ => {}
        }
        // A variable can be the directory of another project.
        let reads = command == "file" && matches!(words.first(), Some(&("READ" | "STRINGS")));
        // `set_property(SOURCE a.c PROPERTY GENERATED ON)`.
        let is_custom = (!COMMANDS_WITHOUT_OUTPUT.contains(&command) || words.contains(&"GENERATED"))
            && !matches!(command, "configure_file" | "add_custom_command" | "add_custom_target");
        if is_custom && command.starts_with("add_") && !has_source(tree, directory, first) {
            self.custom_targets.insert(first.to_owned());
        }
        let mut is_output = is_custom;
        let inputs = if is_custom { InputList::new(tree, directory, words) } else { InputList::default() };
        for word in words {
            let is_keyword = word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            if is_keyword {
                is_output = is_custom || matches!(*word, "OUTPUT" | "BYPRODUCTS" | "OUTPUT_FILE" | "OUTPUT_VARIABLE");
            } else if is_output && (!reads || word.contains('$')) && !inputs.has(word) {
                self.add_output(word, variables);
            }
        }
    }

    /// Adds an output of a command, which may be a variable.
    fn add_output(&mut self, word: &str, variables: &mut FxHashSet<String>) {
        if let Some(variable) = word.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) {
            variables.insert(variable.to_owned());
        }
        self.add_name(word);
    }

    fn add_name(&mut self, word: &str) {
        let name = name(word);
        if name.contains('.') && name.len() < 200 {
            self.names.insert(name.to_owned());
        }
    }

    /// The directories that have a module which is included by its name.
    pub(super) fn module_directories(&self) -> &[String] {
        &self.module_directories
    }

    /// Paths at which a module can be, the likeliest directories first.
    pub(super) fn module_paths(&self, module: &str) -> Vec<String> {
        let directories = self.module_directories.iter().chain(&self.other_directories);
        directories.filter_map(|directory| join(directory, module)).take(MAX_MODULE_PATHS).collect()
    }

    /// Returns whether a function of a project adds a target with the name of this header, which it can generate.
    pub(crate) fn adds_target(&self, name: &str) -> bool {
        let is_of_target =
            |(stem, end): (&str, &str)| matches!(end, "h" | "hpp" | "inc") && self.custom_targets.contains(stem);
        name.rsplit_once('.').is_some_and(is_of_target)
    }

    /// Returns whether a command generates a file of this name.
    pub(crate) fn generates(&self, path: &str) -> bool {
        let name = name(path);
        self.names.contains(name)
            || self.adds_target(name)
            || ["moc_", "ui_", "qrc_"].iter().any(|start| name.starts_with(start))
            || [".pb.h", ".pb.cc", ".moc"].iter().any(|end| name.ends_with(end))
    }

    /// The values of a variable that a file in a directory can see.
    pub(super) fn values(&self, variable: &str, directory: &str) -> impl Iterator<Item = &VariableValue> {
        let is_below = move |value: &&VariableValue| {
            let is_within = directory.is_empty() || is_within(&value.directory, directory);
            value.is_of_list && value.directory != directory && is_within
        };
        self.values.get(variable).into_iter().flatten().filter(move |value| !is_below(value))
    }

    /// Returns whether a command computes a value of this variable.
    pub(super) fn is_computed(&self, variable: &str) -> bool {
        self.computed.contains(variable)
    }

    /// The directories of the projects of this name.
    pub(super) fn projects(&self, name: &str) -> &[String] {
        self.projects.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns whether every included module is either built into `CMake` or in the repository.
    pub(super) fn has_own_modules_only(&self) -> bool {
        self.sets_module_path && !self.has_foreign_modules
    }
}

/// Returns whether a directory has a source with the name of a target: the target is built from it, and generates no file of its name.
fn has_source(tree: &dyn Tree, directory: &str, target: &str) -> bool {
    const ENDS: [&str; 6] = ["c", "cc", "cpp", "cu", "cxx", "m"];
    let names = tree.names(directory);
    names.iter().any(|name| name.split_once('.').is_some_and(|(stem, end)| stem == target && ENDS.contains(&end)))
}

/// The files that a command of a project reads: those that exist, and others with their extension.
#[derive(Default)]
struct InputList<'w> {
    files: FxHashSet<&'w str>,
    /// The number of existing files, by extension.
    extensions: FxHashMap<String, usize>,
}

impl<'w> InputList<'w> {
    fn new(tree: &dyn Tree, directory: &str, words: &[&'w str]) -> Self {
        let mut list = Self::default();
        // The sorted list answers faster than the disk: a build of Qt names thousands of files so.
        let is_file = |word: &&str| {
            word.contains('.') && join(directory, word).is_some_and(|path| tree.files().binary_search(&path).is_ok())
        };
        for word in words.iter().copied().filter(is_file) {
            if list.files.insert(word) {
                *list.extensions.entry(extension(word).as_str().to_owned()).or_default() += 1;
            }
        }
        list
    }

    fn has(&self, word: &str) -> bool {
        /// A command that lists so many sources lists no output among them. Two can be the inputs of what it writes.
        const MIN_FILES: usize = 3;
        self.files.contains(word)
            || self.extensions.get(extension(word).as_str()).is_some_and(|count| *count >= MIN_FILES)
    }
}
