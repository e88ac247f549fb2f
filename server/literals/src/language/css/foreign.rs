//! Which sheets can come from elsewhere: from a library, or from a load path.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::language::data::json::read;
use crate::language::html::site::ancestors;
use crate::path::{extension, join, name, parent};
use crate::project::Project;
use crate::project_index::ProjectIndex;
use crate::report::Report;
use crate::suffix_index::tail;
use crate::tree::Kind;

/// Libraries that Sass is given by a load path of which no file of the repository tells.
const LIBRARIES: [&str; 16] = [
    "angular",
    "bootstrap",
    "bourbon",
    "breakpoint",
    "bulma",
    "compass",
    "fontawesome",
    "font-awesome",
    "foundation-sites",
    "jquery",
    "materialize",
    "neat",
    "normalize",
    "sass",
    "slick",
    "susy",
];

/// Whether the head of a sheet's name can be the project's own: no list of dependencies has it, and no library is called
/// so. A head that no directory has can still be one that was renamed; `is_trusted` decides on that.
pub(super) fn is_first_party(report: &Report<'_>, written: &str) -> bool {
    let head = written.split('/').next().unwrap_or(written).trim_start_matches('_');
    !LIBRARIES
        .iter()
        .any(|library| head.strip_prefix(library).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
        && !is_dependency(report, head)
}

/// Whether a list of dependencies above the sheet has a package whose name begins so.
fn is_dependency(report: &Report<'_>, head: &str) -> bool {
    const LISTS: [&str; 6] =
        ["package.json", "bower.json", "component.json", "composer.json", "Gemfile", "Gemfile.lock"];
    let tree = report.project.tree();
    // `material-color` is a sheet of `material-design-color`.
    let family = head.split_once('-').map(|(first, _)| &head[..=first.len()]);
    let begins = |key: &str| {
        let name = key.rsplit('/').next().unwrap_or(key);
        [key, name].iter().any(|name| name.starts_with(head) || family.is_some_and(|family| name.starts_with(family)))
    };
    let is_in = |path: &str, list: &str| {
        if extension(path) == "json" {
            let tables = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "require"];
            let Some(root) = read(list) else { return false };
            return tables.iter().any(|table| root.texts(&format!("{table}.@")).any(|key| begins(&key.text)));
        }
        // `gem "head"` and `head (1.0)` of Bundler.
        list.lines().map(str::trim_start).any(|line| {
            let gem = line.strip_prefix("gem ").map(|rest| rest.trim_start_matches(['(', ' ', '"', '\'']));
            line.starts_with(head) && line.contains('(') || gem.is_some_and(|gem| gem.starts_with(head))
        })
    };
    ancestors(report.source.directory())
        .flat_map(|here| LISTS.iter().filter_map(move |name| join(here, name)))
        .any(|path| tree.read(&path).is_some_and(|list| is_in(&path, &list)))
}

/// More files of configuration than this are a monorepo's: then anything may be a load path.
const CONFIGURATIONS: usize = 400;

/// More places of one name say nothing.
const PLACES: usize = 20;

/// A path in the tree that a load path would make one of these spellings lead to.
///
/// A load path is written down somewhere, or it is a directory that tools take by themselves: the root, that of a package,
/// or the style sheets of Rails.
pub(super) fn by_load_path(report: &Report<'_>, written: &str, spellings: &[String]) -> Option<String> {
    let tails = spellings.iter().filter_map(|path| tail(path));
    for tail in tails {
        let there = report.project.all_ending_in(&tail, PLACES);
        // A name with directories is one of a library as often.
        let is_sure = !tail.contains('/') || written.starts_with('.');
        let may_be = |path: &&str| {
            let at = path.strip_suffix(tail.as_str()).unwrap_or(path).trim_end_matches('/');
            !is_sure || may_be_load_path(report, at)
        };
        if let Some(path) = if there.len() == PLACES { there.first() } else { there.iter().find(|path| may_be(path)) } {
            return Some((*path).to_owned());
        }
    }
    None
}

/// Directories, and whether style sheets can be read from there; filled by who asks.
struct LoadPaths(Mutex<FxHashMap<String, bool>>);

impl ProjectIndex for LoadPaths {
    fn build(_project: &Project) -> Self {
        Self(Mutex::default())
    }
}

fn may_be_load_path(report: &Report<'_>, at: &str) -> bool {
    let known = &report.project.index::<LoadPaths>().0;
    let before = known.lock().unwrap_or_else(PoisonError::into_inner).get(at).copied();
    before.unwrap_or_else(|| {
        let answer = is_named_or_usual(report, at);
        known.lock().unwrap_or_else(PoisonError::into_inner).insert(at.to_owned(), answer);
        answer
    })
}

fn is_named_or_usual(report: &Report<'_>, at: &str) -> bool {
    let tree = report.project.tree();
    let is_package = join(at, "package.json").is_some_and(|path| tree.kind(&path).is_some());
    // What lies beside packages is a package, and found by its name.
    let has_packages = || {
        let names = tree.names(at).to_vec().into_iter().take(CONFIGURATIONS);
        names
            .filter_map(|name| join(at, &format!("{name}/package.json")))
            .any(|path| tree.kind(&path) == Some(Kind::File))
    };
    if at.is_empty()
        || is_package
        // The top of all sheets, of which a configuration may tell that is not in the repository.
        || matches!(name(at), "common" | "css" | "less" | "sass" | "scss" | "shared" | "style" | "styles" | "stylesheets")
        || ["app", "lib", "vendor"].iter().any(|above| at.contains(&format!("{above}/assets")))
        || at.contains("node_modules")
        || has_packages()
    {
        return true;
    }
    let mut all = tree.files().iter().filter(|path| is_configuration(path));
    let mut seen = 0;
    all.any(|path| {
        seen += 1;
        // Written from the directory of the configuration, or from one above it.
        let above = ancestors(parent(path)).find(|above| crate::project::within(at, above) || above.is_empty());
        let rest = at.strip_prefix(above.unwrap_or_default()).unwrap_or(at).trim_start_matches('/');
        let segments: Vec<&str> = rest.split('/').collect();
        seen > CONFIGURATIONS
            || tree.read(path).is_some_and(|text| mentions(&text, &segments, extension(path) != "json"))
    })
}

/// Whether a text has these segments one behind the other (`a/b`, `'a', 'b'`), or, in a script, the last of them as all that
/// is written of a path of which the rest is computed.
fn mentions(text: &str, segments: &[&str], is_script: bool) -> bool {
    let (Some(first), Some(last)) = (segments.first(), segments.last()) else { return true };
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let whole = text.match_indices(first).any(|(at, _)| {
        let mut rest = &text[at..];
        let follow = segments.iter().all(|segment| {
            // A slash, or quotes, a comma and spaces.
            let skipped = rest.len() - rest.trim_start_matches(|c: char| !is_word(c) && c != '\n').len();
            let after =
                rest[skipped..].strip_prefix(segment).filter(|after| skipped <= 8 && !after.starts_with(is_word));
            after.inspect(|after| rest = after).is_some()
        });
        follow && !text[..at].ends_with(is_word)
    });
    let alone = |(at, _): (usize, &str)| {
        let before = text[..at].trim_end_matches('/');
        before.ends_with(['\'', '"', '`', '}', '.']) && !text[at + last.len()..].starts_with(is_word)
    };
    whole || is_script && text.match_indices(last).any(alone)
}

/// Whether a file may tell a compiler of sheets where to look.
fn is_configuration(path: &str) -> bool {
    const STARTS: [&str; 14] = [
        "BUILD",
        "CMakeLists",
        "GNUmakefile",
        "Gruntfile",
        "Makefile",
        "Rakefile",
        "angular",
        "config",
        "gruntfile",
        "gulp",
        "package.json",
        "project",
        "vite",
        "webpack",
    ];
    const ENDS: [&str; 9] = ["js", "cjs", "mjs", "ts", "json", "rb", "mk", "toml", "yml"];
    let name = name(path);
    let is_build = parent(path).split('/').any(|at| matches!(at, "gulp" | "build" | "webpack" | "config" | "scripts"));
    STARTS.iter().any(|start| name.starts_with(start))
        || name.contains(".config.")
        || name.ends_with("config.yml")
        || extension(name) == "sh"
        || is_build && ENDS.contains(&extension(name).as_str())
}
