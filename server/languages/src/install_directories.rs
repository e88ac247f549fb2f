//! `InstallDirectories`: the absolute directories at which a project is when its scripts run, learned from the paths in them.
//!
//! Nothing in a repository says that `/opt/app/bin/run.sh` is its `bin/run.sh`. If nearly all paths below an absolute directory are those of
//! files below the root, the project is there.

use std::collections::{BTreeMap, BTreeSet};

use pathfinder_literals::path::{extension, head, name};
use pathfinder_literals::report::{is_fixture, is_vendored};
use pathfinder_literals::{Project, ProjectIndex};

use crate::formats::is_dockerfile;

/// Endings of files that name installed files: scripts, and configurations of services.
const ENDINGS: [&str; 14] =
    ["bash", "cfg", "conf", "cron", "ini", "php", "pl", "py", "rb", "service", "sh", "toml", "yaml", "yml"];
/// The most files that are read, evenly spread over the tree: a project that is installed names itself all over its scripts.
const MAX_FILES: usize = 200;
/// The part of a file that is searched. Scripts are shorter.
const MAX_SEARCHED_BYTES: usize = 16 << 10;
/// The fewest distinct paths that are files of the tree. Two or three are there by chance: `/etc/nginx/nginx.conf`.
const MIN_FOUND: usize = 6;
/// One in so many paths can be none, besides one: it may be made when the project is installed, or be broken.
const MISSING_DIVISOR: usize = 6;
/// The most names of a directory. Deeper ones are those of one machine.
const MAX_DEPTH: usize = 4;
/// The most paths that are looked up, each below some directories.
const MAX_PATHS: usize = 2_000;

/// The directories, each with a slash at its end.
pub(crate) struct InstallDirectories(Vec<String>);

impl ProjectIndex for InstallDirectories {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let is_read = |path: &&String| {
            let is_script = ENDINGS.contains(&extension(path).as_str()) || is_dockerfile(path);
            is_script && !is_vendored(path) && !is_fixture(path)
        };
        let files: Vec<&String> = tree.files().iter().filter(is_read).collect();
        let mut paths: BTreeSet<String> = BTreeSet::new();
        for file in files.iter().step_by(files.len().div_ceil(MAX_FILES).max(1)) {
            let Some(text) = tree.read_shared(file) else { continue };
            paths.extend(find_absolute(head(&text, MAX_SEARCHED_BYTES)).map(str::to_owned));
            if paths.len() > MAX_PATHS {
                break;
            }
        }
        let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for path in &paths {
            for (at, _) in path.match_indices('/').skip(1).take(MAX_DEPTH) {
                let (directory, rest) = path.split_at(at + 1);
                // A name alone is that of any file of a directory.
                if rest.contains('/') {
                    counts.entry(directory).or_default()[usize::from(tree.kind(rest).is_some())] += 1;
                }
            }
        }
        let is_installed = |[missing, found]: [usize; 2]| found >= MIN_FOUND && missing <= 1 + found / MISSING_DIVISOR;
        let all = counts.into_iter().filter(|(_, counts)| is_installed(*counts));
        Self(all.map(|(directory, _)| directory.to_owned()).collect())
    }
}

impl InstallDirectories {
    /// The path below the root that an absolute path leads to, if the project is installed there.
    pub(crate) fn strip<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.0.iter().find_map(|directory| path.strip_prefix(directory.as_str())).filter(|rest| !rest.is_empty())
    }
}

/// The absolute paths of files in a text, which begin a word.
fn find_absolute(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '+' | '-');
    text.split(move |c| !is_part(c)).filter(move |word| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        let is_start = at == 0
            || matches!(text.as_bytes()[at - 1], b' ' | b'\t' | b'\n' | b'"' | b'\'' | b'=' | b'|' | b'(' | b'`');
        is_start && word.starts_with('/') && !word.contains("//") && name(word).trim_end_matches('.').contains('.')
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    /// Scripts that run each other where the project is installed.
    fn tree(prefix: &str) -> String {
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        let lines = names
            .iter()
            .enumerate()
            .map(|(at, name)| format!("bin/{name}.sh = {prefix}/bin/{}.sh x", names[(at + 1) % names.len()]));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn reads_paths_where_the_project_is_installed() {
        let installed = format!("{}\nlib/run.php\nmoved bin/run.php lib/run.php", tree("/opt/app"));
        check(&installed, "x.sh", "/opt/app/bin/run.php a\n", "sh.path bin/run.php → moved");
        check(&installed, "x.php", "<?php f(\"/opt/app/bin/run.php\");\n", "code.string bin/run.php → moved");
        check(&installed, "x.ini", "a = /opt/app/bin/run.php\n", "words.path bin/run.php → moved");
        check(&installed, "x.sh", "/opt/other/bin/run.php a\n", "");
        let elsewhere = format!("{}\nlib/run.php\nmoved bin/run.php lib/run.php", tree("$HOME"));
        check(&elsewhere, "x.ini", "a = /opt/app/bin/run.php\n", "");
    }
}
