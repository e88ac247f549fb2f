//! Decides whether a missing sheet can come from a library or from a load path.

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use pathfinder_literals::path::{ancestors, extension, join, name, parent, strip_parent_steps};
use pathfinder_literals::{Kind, Project, ProjectIndex, Report};
use pathfinder_syntax::data::json::read;

/// Sass libraries that often come from a load path outside of the repository.
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

/// Returns whether the first word of a sheet's name can be the project's own. It is not if a dependency list or the
/// list of libraries contains it. A first word that no directory has can still be renamed; `is_trusted` in `rules`
/// decides that.
pub(super) fn is_first_party(report: &Report<'_>, written: &str) -> bool {
    let head = written.split('/').next().unwrap_or(written).trim_start_matches('_');
    !LIBRARIES
        .iter()
        .any(|library| head.strip_prefix(library).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
        && !is_dependency(report, head)
}

/// Returns whether a dependency list above the sheet has a package whose name begins with `head`.
fn is_dependency(report: &Report<'_>, head: &str) -> bool {
    const LISTS: [&str; 6] =
        ["package.json", "bower.json", "component.json", "composer.json", "Gemfile", "Gemfile.lock"];
    let tree = report.project.tree();
    // `material-color` is a sheet of the package `material-design-color`.
    let family = head.split_once('-').map(|(first, _)| &head[..=first.len()]);
    let begins = |key: &str| {
        let name = pathfinder_literals::path::name(key);
        [key, name].iter().any(|name| name.starts_with(head) || family.is_some_and(|family| name.starts_with(family)))
    };
    let is_in = |path: &str, list: &str| {
        if extension(path) == "json" {
            let tables = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "require"];
            let Some(root) = read(list) else { return false };
            return tables.iter().any(|table| root.texts(&format!("{table}.@")).any(|key| begins(&key.text)));
        }
        // Bundler writes `gem "head"` and `head (1.0)`.
        list.lines().map(str::trim_start).any(|line| {
            let gem = line.strip_prefix("gem ").map(|rest| rest.trim_start_matches(['(', ' ', '"', '\'']));
            line.starts_with(head) && line.contains('(') || gem.is_some_and(|gem| gem.starts_with(head))
        })
    };
    ancestors(report.source.directory())
        .flat_map(|here| LISTS.iter().filter_map(move |name| join(here, name)))
        .any(|path| tree.read_shared(&path).is_some_and(|list| is_in(&path, &list)))
}

/// A tree with more configuration files is a monorepo, in which any directory can be a load path.
const MAX_CONFIGURATION_FILES: usize = 400;

/// More matches of one name prove nothing.
const MAX_MATCHES: usize = 20;

/// Returns a path in the tree that a load path would resolve one of these spellings to.
///
/// A load path is configured somewhere, or tools use it by default: the root, a package's directory, or the style
/// sheets of Rails.
pub(super) fn find_by_load_path(report: &Report<'_>, written: &str, spellings: &[String]) -> Option<String> {
    let tails = spellings.iter().filter_map(|path| strip_parent_steps(path));
    for tail in tails {
        let matches = report.project.find_all_by_suffix(&tail, MAX_MATCHES);
        // A name with directories is as often that of a library.
        let is_sure = !tail.contains('/') || written.starts_with('.');
        let can_be = |path: &&str| {
            let at = path.strip_suffix(tail.as_str()).unwrap_or(path).trim_end_matches('/');
            !is_sure || can_be_load_path(report, at)
        };
        if let Some(path) =
            if matches.len() == MAX_MATCHES { matches.first() } else { matches.iter().find(|path| can_be(path)) }
        {
            return Some((*path).to_owned());
        }
    }
    None
}

/// Caches by directory whether it can be a load path.
struct LoadPaths(Mutex<FxHashMap<String, bool>>);

impl ProjectIndex for LoadPaths {
    fn build(_project: &Project) -> Self {
        Self(Mutex::default())
    }
}

/// Returns whether a directory can be a load path, from the cache if possible.
fn can_be_load_path(report: &Report<'_>, at: &str) -> bool {
    let known = &report.project.index::<LoadPaths>().0;
    let before = known.lock().get(at).copied();
    before.unwrap_or_else(|| {
        let answer = is_declared_or_conventional(report, at);
        known.lock().insert(at.to_owned(), answer);
        answer
    })
}

/// Decides whether a directory is a conventional load path, or is named by a configuration.
fn is_declared_or_conventional(report: &Report<'_>, at: &str) -> bool {
    let tree = report.project.tree();
    let is_package = join(at, "package.json").is_some_and(|path| tree.kind(&path).is_some());
    // A directory beside packages is a package, and is found by its name.
    let has_packages = || {
        let names = tree.names(at).to_vec().into_iter().take(MAX_CONFIGURATION_FILES);
        names
            .filter_map(|name| join(at, &format!("{name}/package.json")))
            .any(|path| tree.kind(&path) == Some(Kind::File))
    };
    if at.is_empty()
        || is_package
        // A top-level directory of sheets can be configured outside of the repository.
        || matches!(name(at), "common" | "css" | "less" | "sass" | "scss" | "shared" | "style" | "styles" | "stylesheets")
        || ["app", "lib", "vendor"].iter().any(|above| at.contains(&format!("{above}/assets")))
        || at.contains("node_modules")
        || has_packages()
    {
        return true;
    }
    let mut all = tree.files().iter().filter(|path| is_compiler_configuration(path));
    let mut seen = 0;
    all.any(|path| {
        seen += 1;
        // The path is relative to the directory of the configuration, or to one above it.
        let above =
            ancestors(parent(path)).find(|above| pathfinder_literals::path::is_within(at, above) || above.is_empty());
        let rest = at.strip_prefix(above.unwrap_or_default()).unwrap_or(at).trim_start_matches('/');
        let segments: Vec<&str> = rest.split('/').collect();
        seen > MAX_CONFIGURATION_FILES
            || tree.read_shared(path).is_some_and(|text| mentions_segments(&text, &segments, extension(path) != "json"))
    })
}

/// Returns whether a text contains these segments in sequence (`a/b`, `'a', 'b'`). In a script the last segment suffices, as
/// the others can be computed.
fn mentions_segments(text: &str, segments: &[&str], is_script: bool) -> bool {
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

/// Returns whether a file can configure the load paths of a style sheet compiler.
fn is_compiler_configuration(path: &str) -> bool {
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
