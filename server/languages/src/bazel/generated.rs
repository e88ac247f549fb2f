//! An index of what the packages of a project generate, from all of their files. It is read once per tree.

use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::{Call, parse_calls};
use super::{BUILD_FILES, attribute_kind};
use pathfinder_literals::path::{ancestors, name, parent};
use pathfinder_literals::{Project, ProjectIndex, Tree};

/// A repository with more packages than this is never checked as a whole.
const MAX_PACKAGES: usize = 20_000;

/// Rules and outputs of all packages of a project.
#[derive(Default)]
pub(crate) struct BazelOutputs {
    packages: FxHashMap<String, BazelPackage>,
}

/// The rules and outputs of one package.
#[derive(Default)]
struct BazelPackage {
    /// Names of rules, outputs of rules, and other arguments of macros, which may be outputs.
    names: FxHashSet<String>,
    /// Files that rules certainly write.
    outputs: FxHashSet<String>,
    /// Names of macro calls; their outputs mostly begin with these.
    macros: Vec<String>,
    /// True if the package declares rules or outputs with computed names.
    has_computed_names: bool,
}

impl ProjectIndex for BazelOutputs {
    fn build(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl BazelOutputs {
    /// Reads all packages of a tree.
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let mut outputs = Self::default();
        for path in tree.files().iter().filter(|path| BUILD_FILES.contains(&name(path))).take(MAX_PACKAGES) {
            let Some(text) = tree.read_shared(path) else { continue };
            let all = parse_calls(&text);
            let package = outputs.packages.entry(parent(path).to_owned()).or_default();
            package.has_computed_names |= all.has_computed_rules;
            all.calls.iter().for_each(|call| package.add_call(call, &text));
        }
        outputs
    }

    /// The package whose rule writes this file.
    pub(crate) fn package_writing(&self, path: &str) -> Option<String> {
        let (at, package) = self.package_of(path)?;
        let inside = path.strip_prefix(at)?.trim_start_matches('/');
        package.outputs.contains(inside).then(|| if at.is_empty() { "//".to_owned() } else { format!("//{at}") })
    }

    /// Returns whether a rule or an output of the package in `directory` can have this name.
    pub(super) fn may_generate(&self, directory: &str, name: &str) -> bool {
        let Some(package) = self.packages.get(directory) else { return false };
        package.has_computed_names
            || package.names.contains(name)
            || package.macros.iter().any(|by| pathfinder_literals::path::name(name).starts_with(by.as_str()))
    }

    /// The innermost package that contains a path.
    fn package_of(&self, path: &str) -> Option<(&str, &BazelPackage)> {
        ancestors(parent(path))
            .find_map(|at| self.packages.get_key_value(at))
            .map(|(at, package)| (at.as_str(), package))
    }
}

impl BazelPackage {
    /// Adds the rule names, outputs and other strings of a call.
    fn add_call(&mut self, call: &Call<'_>, text: &str) {
        let is_rule = is_rule(call.name);
        self.outputs.extend(archive_header(call, text));
        for attribute in &call.attributes {
            let strings = attribute.strings.iter().map(|&(at, end)| text[at..end].trim_start_matches(':').to_owned());
            match attribute.name {
                "name" if is_rule || call.name == "load" => self.names.extend(strings),
                "name" => {
                    let strings: Vec<String> = strings.collect();
                    self.macros.extend(strings.iter().cloned());
                    self.names.extend(strings);
                    // A computed name can be any name.
                    self.has_computed_names |= !attribute.is_plain;
                }
                "out" | "outs" | "output" | "outputs" => {
                    self.has_computed_names |= !attribute.is_plain;
                    for output in strings {
                        self.outputs.insert(output.clone());
                        self.names.insert(output);
                    }
                }
                other if !is_rule && attribute_kind(other).is_none() => self.names.extend(strings),
                _ => {}
            }
        }
    }
}

/// The C header that Go writes beside an archive or library of this name.
fn archive_header(call: &Call<'_>, text: &str) -> Option<String> {
    let plain = |name: &str| {
        let attribute = call.attributes.iter().find(|attribute| attribute.name == name)?;
        attribute.strings.first().map(|&(at, end)| &text[at..end])
    };
    let is_archive = call.name == "go_binary" && matches!(plain("linkmode"), Some("c-archive" | "c-shared"));
    plain("name").filter(|_| is_archive).map(|name| format!("{name}.h"))
}

/// Returns whether a call is a rule that writes only the sources it names, by conventional rule names. Other rules bundle or
/// compile to files that are named after them.
fn is_rule(name: &str) -> bool {
    const RULES: [&str; 13] = [
        "alias",
        "bzl_library",
        "config_setting",
        "copy_file",
        "expand_template",
        "exports_files",
        "filegroup",
        "gazelle",
        "genrule",
        "package",
        "proto_library",
        "test_suite",
        "write_file",
    ];
    const LANGUAGES: [&str; 9] = ["cc", "go", "java", "kt_jvm", "objc", "py", "rust", "sh", "swift"];
    const PRODUCTS: [&str; 4] = ["binary", "import", "library", "test"];
    let by_language = name
        .rsplit_once('_')
        .is_some_and(|(language, product)| LANGUAGES.contains(&language) && PRODUCTS.contains(&product));
    RULES.contains(&name) || by_language
}
