//! An index of Docker builds: the contexts of each Dockerfile in compose files and workflows, and scripts that write
//! files before a build.

use rustc_hash::FxHashMap;

use crate::yaml::{is_compose, services, subdirectory_of_commit};
use pathfinder_literals::path::{extension, join, name, parent};
use pathfinder_literals::{Project, ProjectIndex};
use pathfinder_syntax::data::Node;
use pathfinder_syntax::data::yaml::read;

/// The limit of build files that are read; no usual repository has more.
const MAX_BUILD_FILES: usize = 400;
/// Commands that write a file which the same line names.
const WRITERS: [&str; 12] =
    ["cp ", "mv ", "curl", "wget", "> ", "-o ", "tee ", "install ", "rsync", "tar ", "--output", "ln "];

/// Build contexts and file-writing commands of a project.
#[derive(Default)]
pub(crate) struct BuildContexts {
    /// The contexts of each Dockerfile.
    by_dockerfile: FxHashMap<String, Vec<String>>,
    /// Lines of build scripts that write files, each with its script.
    write_lines: Vec<(String, String)>,
}

impl ProjectIndex for BuildContexts {
    fn build(project: &Project) -> Self {
        Self::read(project)
    }
}

impl BuildContexts {
    /// The contexts of a project, read once.
    pub(crate) fn for_project(project: &Project) -> &Self {
        project.index()
    }

    /// Reads the compose files, workflows and build scripts of a project.
    fn read(project: &Project) -> Self {
        let mut contexts = Self::default();
        let mut files = 0;
        for path in project.tree().files() {
            let workflow = path.starts_with(".github/workflows/");
            let compose = is_compose(path);
            let script = matches!(extension(path).as_str(), "sh" | "bash" | "mk" | "hcl" | "ps1")
                || matches!(
                    name(path),
                    "Makefile"
                        | "GNUmakefile"
                        | "justfile"
                        | "Justfile"
                        | "Jenkinsfile"
                        | ".gitlab-ci.yml"
                        | "Taskfile.yml"
                        | "package.json"
                );
            if !(workflow || compose || script) || files >= MAX_BUILD_FILES {
                continue;
            }
            files += 1;
            let Some(text) = project.tree().read_shared(path) else { continue };
            if compose || workflow {
                for root in read(&text) {
                    if compose {
                        contexts.add_compose(path, &root);
                    } else {
                        contexts.add_workflow(&root);
                    }
                }
            }
            if !compose {
                let lines = text.lines().filter(|line| WRITERS.iter().any(|writer| line.contains(writer)));
                contexts.write_lines.extend(lines.map(|line| (path.clone(), line.to_owned())));
            }
        }
        contexts
    }

    fn add_context(&mut self, dockerfile: Option<String>, context: Option<String>) {
        if let (Some(dockerfile), Some(context)) = (dockerfile, context) {
            let known = self.by_dockerfile.entry(dockerfile).or_default();
            if !known.contains(&context) {
                known.push(context);
            }
        }
    }

    /// Adds the services of a compose file.
    fn add_compose(&mut self, path: &str, root: &Node) {
        for (context, dockerfile) in services(root) {
            let context = join(parent(path), context);
            let file = context.as_deref().and_then(|context| join(context, dockerfile.unwrap_or("Dockerfile")));
            self.add_context(file, context);
        }
    }

    /// Adds the steps of `docker/build-push-action`, whose paths are relative to the root.
    fn add_workflow(&mut self, root: &Node) {
        for with in root.values("jobs.*.steps.with") {
            let Some(written) = with.get("context").and_then(Node::str) else { continue };
            let of_commit = subdirectory_of_commit(written);
            let Some(context) = join("", of_commit.unwrap_or(written)) else { continue };
            let file = match with.get("file").and_then(Node::str) {
                Some(file) => join(of_commit.unwrap_or(""), file),
                None => join(&context, "Dockerfile"),
            };
            self.add_context(file, Some(context));
        }
    }

    /// The possible contexts of a Dockerfile: those that are named, its directory, and all above it.
    pub(crate) fn contexts_of(&self, dockerfile: &str) -> Vec<String> {
        let mut contexts = self.by_dockerfile.get(dockerfile).cloned().unwrap_or_default();
        let mut at = parent(dockerfile);
        loop {
            if !contexts.iter().any(|context| context == at) {
                contexts.push(at.to_owned());
            }
            if at.is_empty() {
                return contexts;
            }
            at = parent(at);
        }
    }

    /// The script that may write a file of this name.
    pub(crate) fn find_writer(&self, name: &str) -> Option<String> {
        let line = self.write_lines.iter().find(|(_, line)| line.contains(name));
        line.map(|(path, _)| path.clone())
    }
}
