//! Finds prefixes of absolute paths under which other machines keep projects, so that `interpreter` can drop them.

use super::cost;

/// The kind of directory that a known prefix leads to.
#[derive(Clone, Copy, PartialEq)]
enum PrefixKind {
    /// A project itself.
    Project,
    /// A directory that holds projects, or directories of projects.
    Holder,
}

use PrefixKind::{Holder, Project};

/// Known prefixes; `*` is any segment. Homes, containers, CI services, sandboxes, registries.
const PREFIXES: &[(&[&str], PrefixKind)] = &[
    (&["home", "*"], Holder),
    (&["home", "runner", "work", "*", "*"], Project),
    (&["users", "*"], Holder),
    (&["var", "home", "*"], Holder),
    (&["documents and settings", "*"], Holder),
    (&["root"], Holder),
    (&["workspace"], Holder),
    (&["workspaces"], Holder),
    (&["work"], Holder),
    (&["projects"], Holder),
    (&["repos"], Holder),
    (&["dev"], Holder),
    (&["git"], Holder),
    (&["app"], Project),
    (&["src"], Project),
    (&["repo"], Project),
    (&["code"], Holder),
    (&["project"], Project),
    (&["testbed"], Project),
    (&["sandbox"], Holder),
    (&["content"], Holder),
    (&["data"], Holder),
    (&["build"], Project),
    (&["builds", "*", "*"], Project),
    (&["a", "*", "*"], Project),
    (&["github", "workspace"], Project),
    (&["vercel", "path0"], Project),
    (&["usr", "src"], Holder),
    (&["usr", "src", "app"], Project),
    (&["opt"], Holder),
    (&["opt", "build", "repo"], Project),
    (&["srv"], Holder),
    (&["mnt"], Holder),
    (&["mnt", "data"], Holder),
    (&["media", "*", "*"], Holder),
    (&["volumes", "*"], Holder),
    (&["var", "www"], Holder),
    (&["var", "www", "html"], Project),
    (&["var", "task"], Project),
    (&["tmp"], Holder),
    (&["tmp", "*"], Project),
    (&["private", "tmp"], Holder),
    (&["private", "tmp", "*"], Project),
    (&["var", "tmp", "*"], Project),
    (&["go", "src", "*", "*", "*"], Project),
    (&["__w", "*", "*"], Project),
    (&["azp", "_work", "*", "s"], Project),
    (&["home", "vsts", "work", "*", "s"], Project),
    (&["var", "lib", "jenkins", "workspace", "*"], Project),
    (&["drone", "src"], Project),
    (&["bitrise", "src"], Project),
    (&["vagrant"], Project),
];

/// Directories in which people collect projects.
const HOLDERS: &[&str] = &[
    "code",
    "src",
    "source",
    "projects",
    "project",
    "repos",
    "repositories",
    "repo",
    "git",
    "github",
    "dev",
    "development",
    "work",
    "workspace",
    "workspaces",
    "documents",
    "desktop",
    "downloads",
    "go",
    "sites",
    "my",
];

/// A project is rarely more than this many holders deep (`Documents/Github/work`).
const MAX_HOLDERS: usize = 3;

/// Numbers of leading segments that can be cut off, each with its cost; at most [`MAX_HOLDERS`] + 2.
pub(super) fn find_cuts(segments: &[&str]) -> Vec<(usize, f32)> {
    let mut cuts = Vec::new();
    let Some((prefix, kind)) = longest_known_prefix(segments) else { return cuts };
    let mut at = prefix.len();
    if kind == Project {
        cuts.push((at, cost::MACHINE_PROJECT));
    } else {
        cuts.push((at, cost::MACHINE_HOLDER));
        for _ in 0..MAX_HOLDERS {
            if !segments.get(at).is_some_and(|segment| HOLDERS.iter().any(|name| name.eq_ignore_ascii_case(segment))) {
                break;
            }
            at += 1;
            cuts.push((at, cost::MACHINE_HOLDER));
        }
        cuts.push((at + 1, cost::MACHINE_NAMED));
    }
    // Something must be left to look for.
    cuts.retain(|&(at, _)| at < segments.len());
    cuts
}

/// The longest known prefix of a path, and its kind.
fn longest_known_prefix(segments: &[&str]) -> Option<(&'static [&'static str], PrefixKind)> {
    let fitting = PREFIXES.iter().filter(|(prefix, _)| starts_with_prefix(segments, prefix));
    fitting.max_by_key(|(prefix, _)| prefix.len()).copied()
}

/// Returns whether the path begins with a directory in which other machines hold projects.
pub(super) fn holds_projects(segments: &[&str]) -> bool {
    longest_known_prefix(segments).is_some_and(|(_, kind)| kind == Holder)
}

/// Returns whether the path lies in a directory of the operating system, so that its `/` is not a project's root.
pub(super) fn is_system(segments: &[&str]) -> bool {
    matches!(
        segments.first(),
        Some(
            &("home"
                | "Users"
                | "mnt"
                | "tmp"
                | "var"
                | "root"
                | "usr"
                | "opt"
                | "private"
                | "Volumes"
                | "etc"
                | "proc"
                | "sys")
        )
    )
}

fn starts_with_prefix(segments: &[&str], prefix: &[&str]) -> bool {
    segments.len() > prefix.len()
        && prefix.iter().zip(segments).all(|(name, segment)| *name == "*" || name.eq_ignore_ascii_case(segment))
}

/// Returns whether a relative path begins like an absolute one without its `/`.
pub(super) fn looks_absolute(segments: &[&str]) -> bool {
    segments.len() > 3 && matches!(segments[0], "home" | "Users" | "workspace" | "workspaces" | "mnt")
}
