//! `TemplateRoots`: the directories of a project that template engines search.

use pathfinder_literals::path::{join, name, parent};
use pathfinder_literals::{Project, ProjectIndex};
use rustc_hash::{FxHashMap, FxHashSet};

/// The template directories of a project, by the directories of templates in them.
pub(super) struct TemplateRoots {
    /// From a directory relative to a root to the roots that have it, in order.
    roots: FxHashMap<String, Vec<String>>,
    /// From the name of an application with templates to its root.
    applications: FxHashMap<String, String>,
    /// Names of applications that have a directory of templates of that name.
    namespaces: FxHashSet<String>,
}

/// Returns whether a directory of this name is one that engines search.
pub(super) fn is_root_name(name: &str) -> bool {
    matches!(name, "templates" | "jinja2")
}

/// Returns the template directory that a file lies in: the outermost one.
pub(super) fn root_of(path: &str) -> Option<&str> {
    let mut end = 0;
    for segment in parent(path).split('/') {
        end += segment.len();
        if is_root_name(segment) {
            return Some(&path[..end]);
        }
        end += 1;
    }
    None
}

impl ProjectIndex for TemplateRoots {
    fn build(project: &Project) -> Self {
        let mut roots: FxHashMap<String, Vec<String>> = FxHashMap::default();
        let mut applications: FxHashMap<String, String> = FxHashMap::default();
        let mut namespaces = FxHashSet::default();
        let mut labels = FxHashMap::default();
        let mut last = "";
        for file in project.tree().files() {
            let directory = parent(file);
            // The files are sorted, so most share the directory of the one before.
            if directory == last {
                continue;
            }
            last = directory;
            let Some(root) = root_of(file) else { continue };
            let mut below = directory[root.len()..].trim_start_matches('/');
            let application = parent(root);
            applications.entry(name(application).to_owned()).or_insert_with(|| root.to_owned());
            let label = labels.entry(root).or_insert_with(|| read_label(project, application));
            loop {
                if !below.is_empty() && (below == name(application) || label.as_deref() == Some(below)) {
                    namespaces.insert(below.to_owned());
                }
                let known = roots.entry(below.to_owned()).or_default();
                if known.last().is_none_or(|last| last != root) && !known.iter().any(|other| other == root) {
                    known.push(root.to_owned());
                }
                if below.is_empty() {
                    break;
                }
                below = parent(below);
            }
        }
        Self { roots, applications, namespaces }
    }
}

/// Reads the label that Django's configuration of an application gives it: `label = "x"` in `apps.py`.
fn read_label(project: &Project, application: &str) -> Option<String> {
    let text = project.tree().read(&join(application, "apps.py")?)?;
    let value = text.lines().find_map(|line| line.trim().strip_prefix("label")?.trim().strip_prefix('='))?;
    Some(value.trim().trim_matches(['"', '\'']).to_owned())
}

impl TemplateRoots {
    /// Returns the roots that have a directory.
    pub(super) fn with_directory(&self, directory: &str) -> impl Iterator<Item = &str> {
        self.roots.get(directory).into_iter().flatten().map(String::as_str)
    }

    /// Returns whether an application has its own templates in a directory of its name.
    pub(super) fn is_in_application(&self, namespace: &str) -> bool {
        self.namespaces.contains(namespace)
    }

    /// Returns the template directory of the application of this name.
    pub(super) fn of_application(&self, name: &str) -> Option<&str> {
        self.applications.get(name).filter(|_| !name.is_empty()).map(String::as_str)
    }
}
