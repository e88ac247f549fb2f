//! Resolves a required file to a verdict.

use super::load_path::RubyLoadPath;
use pathfinder_literals::path::{ancestors, extension, join, name, parent};
use pathfinder_literals::report::{find_in_any_directory, find_moved_target, resolve_without_base, unknown};
use pathfinder_literals::typo_findings::is_mistyped;
use pathfinder_literals::{Kind, Lookup, Project, Reason, Report, Resolution, Severity, Target, Verdict, Want};

/// Libraries of Ruby, and libraries that many gems add files to: a directory with such a name is not the project's own
/// library.
const SHARED_LIBRARIES: &str = "abbrev action_cable action_controller action_dispatch action_mailer action_pack action_view active_job \
    active_model active_record active_storage active_support base64 benchmark bigdecimal bundler capistrano cgi chef coverage csv \
    cucumber date delegate digest dl drb e2mmap English erb etc expect extend extension facter fcntl fiddle fileutils find forwardable generators getoptlong \
    google helpers i18n io ipaddr irb json kconv logger matrix minitest mkmf monitor mutex_m net nkf objspace observer open open3 \
    openssl optparse ostruct pathname pp prettyprint prime profile pstore psych pty puppet racc rack rails rake rbconfig rdoc \
    readline reline resolv rexml rinda ripper rspec rss rubocop ruby rubygems securerandom set shell shellwords singleton \
    socket sprockets sorbet spec stringio strscan support syslog tasks tempfile test thor thread thwait time timeout tmpdir \
    tracer tsort unicode_normalize uri vagrant vendor weakref webrick win32 win32ole xmlrpc yaml yard zlib";

/// The files that a name without extension can mean, the likeliest first.
fn file_candidates(path: &str) -> Vec<String> {
    let is_whole = matches!(extension(path).as_str(), "rb" | "so" | "bundle" | "o" | "dll" | "rake");
    let endings: &[&str] = if is_whole { &["", ".rb"] } else { &[".rb", ".so", ".bundle"] };
    endings.iter().map(|ending| format!("{path}{ending}")).collect()
}

/// Resolves a file at a known path; `None` is a path out of the root.
pub(super) fn resolve_at(project: &Project, path: Option<String>, severity: Severity) -> Resolution {
    let Some(path) = path else { return unknown(Reason::Outside) };
    let found = file_candidates(&path).into_iter().find(|path| project.tree().kind(path) == Some(Kind::File));
    if let Some(path) = found {
        return (Verdict::Found(Target { path }), Vec::new());
    }
    if let Some(by) = find_generator(project, &path) {
        return unknown(by);
    }
    Lookup::new(project, Want::File).verdict(severity, file_candidates(&path).into_iter().take(1).map(Some))
}

/// Resolves the argument of `load` at a known path: unlike `require`, it adds no ending. `None` is a path out of the root.
pub(super) fn resolve_load_at(project: &Project, path: Option<String>, severity: Severity) -> Resolution {
    Lookup::new(project, Want::File).verdict(severity, [path])
}

/// Resolves the argument of `load`, which is relative to the working directory.
pub(super) fn resolve_load(report: &Report<'_>, literal: &str, severity: Severity) -> Resolution {
    if literal.starts_with(['/', '~']) || !literal.contains(['/', '.']) {
        return unknown(Reason::Elsewhere);
    }
    let candidates = ancestors(report.source.directory()).map(|directory| join(directory, literal));
    resolve_without_base(
        report.project,
        Want::File,
        severity.max(Severity::Warning),
        literal,
        candidates.collect::<Vec<_>>(),
    )
}

/// Resolves a file that is required by name.
pub(super) fn resolve_by_name(report: &Report<'_>, literal: &str, severity: Severity) -> Resolution {
    let project = report.project;
    if literal.starts_with('.') {
        return resolve_load(report, literal, severity);
    }
    if literal.starts_with(['/', '~']) {
        return unknown(Reason::Elsewhere);
    }
    let tree = project.tree();
    let load_path = project.index::<RubyLoadPath>();
    let here = report.source.directory();
    // The library of the file comes first, then the directories that tests add.
    let mut directories: Vec<String> = Vec::new();
    for directory in ancestors(here) {
        let below = ["lib", "test", "spec"].iter().filter_map(|name| join(directory, name));
        directories.extend(below.chain([directory.to_owned()]));
    }
    directories.extend(load_path.libraries.iter().cloned());
    for directory in &directories {
        let Some(path) = join(directory, literal) else { continue };
        // Most of the directories have no such directory below them.
        if !tree.can_have_entries(parent(&path)) {
            continue;
        }
        if let Some(path) = file_candidates(&path).into_iter().find(|path| tree.kind(path) == Some(Kind::File)) {
            return (Verdict::Found(Target { path }), Vec::new());
        }
    }
    let is_shared = |name: &str| SHARED_LIBRARIES.split_whitespace().any(|shared| shared == name);
    let Some((head, rest)) = literal.split_once('/') else {
        // Ruby has a library of the name, whatever the project has too.
        if is_shared(literal)
            && let Some(path) = find_in_any_directory(project, file_candidates(literal))
        {
            return unknown(Reason::Undecided(path.to_owned()));
        }
        // A gem, or a helper in the directory of the tests.
        let tests = directories.iter().filter(|directory| matches!(name(directory), "spec" | "test"));
        let helpers = tests.filter_map(|directory| Some(format!("{}.rb", join(directory, literal)?)));
        return (Verdict::Unknown(Reason::Elsewhere), helpers.collect());
    };
    if let Some(path) = find_in_any_directory(project, file_candidates(literal)) {
        return unknown(Reason::Undecided(path.to_owned()));
    }
    let is_local_gem = load_path.has_local_gem(head);
    if load_path.is_in_extension(literal) {
        return unknown(Reason::Elsewhere);
    }
    let gone = directories.iter().map(|directory| Some(format!("{}.rb", join(directory, literal)?)));
    let moved = find_moved_target(project, Want::File, severity.max(Severity::Warning), literal, gone);
    // Many gems put files into the directory of this one: only a move or a typo tells of which gem the missing one is.
    if is_local_gem && load_path.is_shared(head) && moved.is_none() {
        let files: Vec<String> = directories
            .iter()
            .filter(|directory| name(directory) == "lib")
            .filter_map(|lib| Some(format!("{}.rb", join(lib, literal)?)))
            .collect();
        if !is_mistyped(project, &files) {
            return unknown(Reason::Elsewhere);
        }
    }
    if !is_local_gem && (load_path.has_required_gem(head) || is_shared(head)) {
        // A project can list itself in its Gemfile, and tests have a directory `support`: git may have moved the file.
        let own = directories.iter().filter(|directory| matches!(name(directory), "lib" | "spec" | "test"));
        let mut own = own.filter_map(|directory| join(directory, head));
        let is_own = own.any(|path| tree.kind(&path) == Some(Kind::Directory));
        return moved.filter(|_| is_own).unwrap_or_else(|| unknown(Reason::Elsewhere));
    }
    directories.retain(|directory| name(directory) == "lib");
    let has_library = |directory: &&String| {
        let package = join(directory, head).unwrap_or_default();
        tree.kind(&format!("{package}.rb")) == Some(Kind::File) || tree.kind(&package) == Some(Kind::Directory)
    };
    let own_directory = directories.iter().find(has_library);
    // A renamed library has the same files under its new name.
    let renamed = || directories.iter().find(|directory| is_renamed_library(report, directory, rest));
    let (directory, severity) = match own_directory {
        Some(directory) => (directory, severity),
        None => match renamed() {
            Some(directory) => (directory, severity.max(Severity::Warning)),
            None => return moved.unwrap_or_else(|| unknown(Reason::Elsewhere)),
        },
    };
    resolve_at(project, join(directory, literal), severity)
}

/// Returns whether a library in `directory` contains the file, and the text does not name it yet. Without known gems, it must be
/// the library of this very file.
fn is_renamed_library(report: &Report<'_>, directory: &str, rest: &str) -> bool {
    let tree = report.project.tree();
    let path = report.source.path();
    // Only libraries that contain the file, or lie beside it, are considered.
    if !directory.strip_suffix("lib").is_some_and(|above| path.starts_with(above)) {
        return false;
    }
    let is_known = report.project.index::<RubyLoadPath>().is_known();
    let entries = tree.names(directory).to_vec().into_iter();
    let stems = entries.filter_map(|entry| entry.strip_suffix(".rb").map(str::to_owned));
    stems.filter(|stem| is_known || path == format!("{directory}/{stem}.rb")).any(|stem| {
        let own = format!("{stem}/{rest}");
        let is_there = join(directory, &format!("{own}.rb")).is_some_and(|path| tree.kind(&path).is_some());
        is_there && !report.source.text().contains(&own)
    })
}

/// The source that a compiler or a parser generator creates the file from.
fn find_generator(project: &Project, path: &str) -> Option<Reason> {
    let stem = path.strip_suffix(".rb").unwrap_or(path);
    let last = name(stem);
    let beside = [".y", ".ry", ".rl", ".kpeg", ".citrus", ".treetop", ".rb.in", ".rb.erb", ".rb.tt", ".proto"]
        .map(|ending| format!("{stem}{ending}"));
    let compiled = [".c", ".rs", ".java", ".cpp", ".proto"].map(|ending| format!("{last}{ending}"));
    let is_generated = last.ends_with("_pb") || last.ends_with("_ext") || last.ends_with("_native");
    let by = beside.into_iter().find(|path| project.tree().kind(path).is_some());
    by.or_else(|| find_in_any_directory(project, compiled).map(str::to_owned))
        .or_else(|| {
            find_in_any_directory(project, [format!("ext/{last}/extconf.rb"), format!("{last}/extconf.rb")])
                .map(str::to_owned)
        })
        .or_else(|| is_generated.then(|| "a build".to_owned()))
        .map(Reason::Produced)
}
