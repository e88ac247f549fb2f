//! What the packages of a project make: read once, from all of their files.

use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::{Call, parse_calls};
use super::{BUILD_FILES, attribute_kind};
use crate::facts::Fact;
use crate::language::html::site::ancestors;
use crate::path::{name, parent};
use crate::project::Project;
use crate::tree::Tree;

/// More packages than this are a monorepo's, of which nobody asks for all of them at once.
const MAX_PACKAGES: usize = 20_000;

/// All packages of a project.
#[derive(Default)]
pub(crate) struct BazelOutputs {
    packages: FxHashMap<String, BazelPackage>,
}

/// One package.
#[derive(Default)]
struct BazelPackage {
    /// Rules by their names, files that rules write, and what else macros are given: they may write it.
    names: FxHashSet<String>,
    /// Files that rules surely write.
    outputs: FxHashSet<String>,
    /// Names that macros are given: what they make is mostly called after them.
    macros: Vec<String>,
    /// Whether something makes rules whose names are not written.
    is_open: bool,
}

impl Fact for BazelOutputs {
    fn of(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl BazelOutputs {
    /// Of all packages of a tree.
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let mut outputs = Self::default();
        for path in tree.files().iter().filter(|path| BUILD_FILES.contains(&name(path))).take(MAX_PACKAGES) {
            let Some(text) = tree.read(path) else { continue };
            let all = parse_calls(&text);
            let package = outputs.packages.entry(parent(path).to_owned()).or_default();
            package.is_open |= all.is_open;
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

    /// Whether a name in the package of `directory` can be something else than a file that is there.
    pub(super) fn may_generate(&self, directory: &str, name: &str) -> bool {
        let Some(package) = self.packages.get(directory) else { return false };
        package.is_open
            || package.names.contains(name)
            || package.macros.iter().any(|by| crate::path::name(name).starts_with(by.as_str()))
    }

    /// The innermost package that a path is in.
    fn package_of(&self, path: &str) -> Option<(&str, &BazelPackage)> {
        ancestors(parent(path))
            .find_map(|at| self.packages.get_key_value(at))
            .map(|(at, package)| (at.as_str(), package))
    }
}

impl BazelPackage {
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
                    // A name that is computed may be that of anything.
                    self.is_open |= !attribute.is_plain;
                }
                "out" | "outs" | "output" | "outputs" => {
                    self.is_open |= !attribute.is_plain;
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

/// The header that Go writes for C beside an archive or a library of this name.
fn archive_header(call: &Call<'_>, text: &str) -> Option<String> {
    let plain = |name: &str| {
        let attribute = call.attributes.iter().find(|attribute| attribute.name == name)?;
        attribute.strings.first().map(|&(at, end)| &text[at..end])
    };
    let is_archive = call.name == "go_binary" && matches!(plain("linkmode"), Some("c-archive" | "c-shared"));
    plain("name").filter(|_| is_archive).map(|name| format!("{name}.h"))
}

/// Whether a call is that of a rule that writes no sources but those that it names: by how such rules are called everywhere.
/// Rules of other names bundle or compile to files that are called after them.
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
