//! Where a required file is.

use super::load_path::LoadPath;
use crate::checked::{Reason, Severity, Target, Verdict};
use crate::language::html::site::ancestors;
use crate::lookup::{Lookup, Want};
use crate::path::{extension, join, name};
use crate::project::Project;
use crate::report::{Report, Resolution, anywhere, moved_away, undecided, unknown};
use crate::tree::Kind;

/// Libraries that many gems have files in, and those that come with Ruby: a directory of that name is no library of the
/// project's own.
const SHARED: &str = "abbrev action_cable action_controller action_dispatch action_mailer action_pack action_view active_job \
    active_model active_record active_storage active_support base64 benchmark bigdecimal bundler capistrano cgi chef coverage csv \
    cucumber date delegate digest dl drb e2mmap English erb etc expect extend extension facter fcntl fiddle fileutils find forwardable generators getoptlong \
    google helpers i18n io ipaddr irb json kconv logger matrix minitest mkmf monitor mutex_m net nkf objspace observer open open3 \
    openssl optparse ostruct pathname pp prettyprint prime profile pstore psych pty puppet racc rack rails rake rbconfig rdoc \
    readline reline resolv rexml rinda ripper rspec rss rubocop ruby rubygems securerandom set shell shellwords singleton \
    socket sprockets sorbet spec stringio strscan support syslog tasks tempfile test thor thread thwait time timeout tmpdir \
    tracer tsort unicode_normalize uri vagrant vendor weakref webrick win32 win32ole xmlrpc yaml yard zlib";

/// What a name without ending can mean, the likeliest first.
fn files(path: &str) -> Vec<String> {
    let is_whole = matches!(extension(path).as_str(), "rb" | "so" | "bundle" | "o" | "dll" | "rake");
    let endings: &[&str] = if is_whole { &["", ".rb"] } else { &[".rb", ".so", ".bundle"] };
    endings.iter().map(|ending| format!("{path}{ending}")).collect()
}

/// The verdict on a file at a known place (`None`: out of the root).
pub(super) fn at(project: &Project, path: Option<String>, severity: Severity) -> Resolution {
    let Some(path) = path else { return unknown(Reason::Outside) };
    let there = files(&path).into_iter().find(|path| project.tree().kind(path) == Some(Kind::File));
    if let Some(path) = there {
        return (Verdict::Found(Target { path }), Vec::new());
    }
    if let Some(by) = made(project, &path) {
        return unknown(by);
    }
    Lookup::new(project, Want::File).verdict(severity, files(&path).into_iter().take(1).map(Some))
}

/// The verdict on what is loaded as it is written: from where the program is run.
pub(super) fn loaded(report: &Report<'_>, literal: &str, severity: Severity) -> Resolution {
    if literal.starts_with(['/', '~']) || !literal.contains(['/', '.']) {
        return unknown(Reason::Elsewhere);
    }
    let candidates = ancestors(report.source.directory()).map(|directory| join(directory, literal));
    undecided(report.project, Want::File, severity.max(Severity::Warning), literal, candidates.collect::<Vec<_>>())
}

/// The verdict on what is required by its name.
pub(super) fn by_name(report: &Report<'_>, literal: &str, severity: Severity) -> Resolution {
    let project = report.project;
    if literal.starts_with('.') {
        return loaded(report, literal, severity);
    }
    if literal.starts_with(['/', '~']) {
        return unknown(Reason::Elsewhere);
    }
    let tree = project.tree();
    let load_path = project.index::<LoadPath>();
    let here = report.source.directory();
    // The library that the file is in comes first, then the directories that tests put there.
    let mut places: Vec<String> = Vec::new();
    for directory in ancestors(here) {
        let below = ["lib", "test", "spec"].iter().filter_map(|name| join(directory, name));
        places.extend(below.chain([directory.to_owned()]));
    }
    places.extend(load_path.libraries.iter().cloned());
    for place in &places {
        let Some(path) = join(place, literal) else { continue };
        if let Some(path) = files(&path).into_iter().find(|path| tree.kind(path) == Some(Kind::File)) {
            return (Verdict::Found(Target { path }), Vec::new());
        }
    }
    let Some((head, rest)) = literal.split_once('/') else { return unknown(Reason::Elsewhere) };
    if let Some(path) = anywhere(project, files(literal)) {
        return unknown(Reason::Undecided(path.to_owned()));
    }
    let makes = load_path.makes(head);
    if !makes && (load_path.needs_gem(head) || SHARED.split_whitespace().any(|name| name == head)) {
        return unknown(Reason::Elsewhere);
    }
    let gone = places.iter().map(|place| Some(format!("{}.rb", join(place, literal)?)));
    let told = moved_away(project, Want::File, severity.max(Severity::Warning), literal, gone);
    places.retain(|place| name(place) == "lib");
    let is_own = |place: &&String| {
        let package = join(place, head).unwrap_or_default();
        tree.kind(&format!("{package}.rb")) == Some(Kind::File) || tree.kind(&package) == Some(Kind::Directory)
    };
    let own = places.iter().find(is_own);
    // A library that was called otherwise has the same files under its new name.
    let renamed = || places.iter().find(|place| has_rest(report, place, rest));
    let (place, severity) = match own {
        Some(place) => (place, severity),
        None => match renamed() {
            Some(place) => (place, severity.max(Severity::Warning)),
            None => return told.unwrap_or_else(|| unknown(Reason::Elsewhere)),
        },
    };
    at(project, join(place, literal), severity)
}

/// Whether a library of the project, whose name is that of a file beside it, has this file, and this text does not
/// name it already. Where nothing is said of gems, it must be the library that this very file stands for.
fn has_rest(report: &Report<'_>, place: &str, rest: &str) -> bool {
    let tree = report.project.tree();
    let path = report.source.path();
    // Only what is near: this file is in the library, or beside it.
    if !place.strip_suffix("lib").is_some_and(|above| path.starts_with(above)) {
        return false;
    }
    let is_known = report.project.index::<LoadPath>().is_known();
    let entries = tree.names(place).to_vec().into_iter();
    let stems = entries.filter_map(|entry| entry.strip_suffix(".rb").map(str::to_owned));
    stems.filter(|stem| is_known || path == format!("{place}/{stem}.rb")).any(|stem| {
        let own = format!("{stem}/{rest}");
        let is_there = join(place, &format!("{own}.rb")).is_some_and(|path| tree.kind(&path).is_some());
        is_there && !report.source.text().contains(&own)
    })
}

/// What would make a file: a compiler, or a generator of parsers.
fn made(project: &Project, path: &str) -> Option<Reason> {
    let stem = path.strip_suffix(".rb").unwrap_or(path);
    let last = name(stem);
    let beside = [".y", ".ry", ".rl", ".kpeg", ".citrus", ".treetop", ".rb.in", ".rb.erb", ".rb.tt", ".proto"]
        .map(|ending| format!("{stem}{ending}"));
    let compiled = [".c", ".rs", ".java", ".cpp", ".proto"].map(|ending| format!("{last}{ending}"));
    let generated = last.ends_with("_pb") || last.ends_with("_ext") || last.ends_with("_native");
    let by = beside.into_iter().find(|path| project.tree().kind(path).is_some());
    by.or_else(|| anywhere(project, compiled).map(str::to_owned))
        .or_else(|| {
            anywhere(project, [format!("ext/{last}/extconf.rb"), format!("{last}/extconf.rb")]).map(str::to_owned)
        })
        .or_else(|| generated.then(|| "a build".to_owned()))
        .map(Reason::Produced)
}
