//! Resolves the URLs of a page, and decides from the page as a whole whether missing targets can be trusted.

use pathfinder_literals::path::{
    ancestors, extension, has_scheme, is_dynamic, is_within, join, name, parent, percent_decoded, without_query,
};
use pathfinder_literals::report::{FILLED_IN_PAGE, severity_in, unknown};
use pathfinder_literals::{Code, Kind, Lookup, Project, Reason, Report, Resolution, Severity, Verdict, Want};

use rustc_hash::{FxHashMap, FxHashSet};

use super::made::{is_bundle, is_in_tests, is_input, is_lost_page};
use super::references::PageReferences;
use super::site::SiteRoots;
use crate::documents::doc_sites::PublishedDirectories;

/// The name of what makes a file if nothing more is known.
const BUILD: &str = "a build";

/// Extensions of files that a static server serves. Other paths are routes or are generated on request.
const STATIC_EXTENSIONS: [&str; 35] = [
    "avif",
    "bmp",
    "cjs",
    "css",
    "eot",
    "gif",
    "htm",
    "html",
    "ico",
    "jpeg",
    "jpg",
    "js",
    "jsx",
    "m4a",
    "mjs",
    "mp3",
    "mp4",
    "ogg",
    "ogv",
    "otf",
    "pdf",
    "png",
    "svg",
    "tif",
    "tiff",
    "ts",
    "tsx",
    "ttf",
    "wasm",
    "wav",
    "webm",
    "webmanifest",
    "webp",
    "woff",
    "woff2",
];

/// Checks every URL of a page.
pub(super) fn check(report: &mut Report<'_>, is_svg: bool) {
    let text = report.source.text();
    let references = PageReferences::parse(text, is_svg);
    if references.references.is_empty() {
        return;
    }
    let base = match references.base.map(|(at, end)| text[at..end].trim()) {
        None if report.source.path().ends_with(".component.html") => {
            PageBase::Component(report.source.directory().to_owned())
        }
        None | Some("" | "." | "./") => PageBase::Directory(report.source.directory().to_owned()),
        Some("/") => PageBase::Site,
        Some(href) if has_scheme(href) || is_dynamic(href) || href.starts_with('/') => PageBase::Elsewhere,
        // The text after the last slash of a base is no part of the directory.
        Some(href) => match join(report.source.directory(), &href[..href.rfind('/').unwrap_or(0)]) {
            Some(directory) => PageBase::Directory(directory),
            None => PageBase::Elsewhere,
        },
    };
    let site = SiteRoots::new(report.project, report.source.directory());
    let is_part = !has_root_element(text);
    let is_tested = is_in_tests(report.source.path());
    let is_input = is_tested && is_input(report.project.tree(), report.source.path());
    let mut outcomes = Vec::new();
    for reference in &references.references {
        let written = &text[reference.at..reference.end];
        if written.is_empty() || written.starts_with(['#', '?']) || has_scheme(written) {
            continue;
        }
        let mut outcome = resolve(report, &site, &base, written, reference.is_needed);
        if let (PageBase::Directory(directory), Verdict::Missing(_)) = (&base, &outcome.0) {
            let path = percent_decoded(without_query(written));
            let is_of_page = is_part || begins_with_own_name(directory, &path);
            let from_page = || is_of_page.then(|| find_in_parent(report.project, directory, &path)).flatten();
            if let Some(there) = find_served(report.project, directory, &path).or_else(from_page) {
                outcome.0 = Verdict::Unknown(Reason::Undecided(there));
            }
        }
        if is_in_tests(report.source.path())
            && (!reference.is_needed && is_lost_page(&outcome.0)
                || is_input && matches!(outcome.0, Verdict::Missing(_)))
        {
            outcome.0 = Verdict::Unknown(Reason::Undecided("a test that needs no page".to_owned()));
        }
        outcomes.push((reference, outcome));
    }
    leave_what_comes_with_a_build(report.source.directory(), &mut outcomes);
    if let PageBase::Directory(directory) = &base {
        leave_what_is_laid_beside(report, directory, &mut outcomes);
    }
    let doubt = doubt_reason(report, outcomes.iter().map(|(_, outcome)| outcome));
    for (reference, (verdict, tried)) in outcomes {
        let verdict = match (verdict, &doubt) {
            // A name in another case is no chance: the page is read here.
            (Verdict::Missing(missing), Some(doubt)) if missing.code != Code::CaseMismatch => {
                Verdict::Unknown(Reason::Undecided((*doubt).to_owned()))
            }
            (verdict, _) => verdict,
        };
        report.add(reference.kind, reference.at, reference.end - reference.at, (verdict, tried));
    }
}

/// Makes missing files beside a page unknown if a build makes another one there: a page for the files of a package, such as those of
/// Swagger UI, lies beside them only when it is served.
fn leave_what_comes_with_a_build<T>(directory: &str, outcomes: &mut [(T, Resolution)]) {
    let is_beside = |tried: &[String]| tried.first().is_some_and(|path| parent(path) == directory);
    let is_made = |(_, (verdict, tried)): &(T, Resolution)| {
        matches!(verdict, Verdict::Unknown(Reason::Produced(by)) if by == BUILD) && is_beside(tried)
    };
    if outcomes.iter().any(is_made) {
        for (_, (verdict, tried)) in outcomes {
            if matches!(verdict, Verdict::Missing(missing) if missing.instead.is_none()) && is_beside(tried) {
                *verdict = Verdict::Unknown(Reason::Undecided("what a build puts beside it".to_owned()));
            }
        }
    }
}

/// Makes missing files unknown of which several lie alike below one other directory: what publishes the page puts both directories
/// together. A page that moved has other reasons, and those above it are where its URLs led from.
fn leave_what_is_laid_beside<T>(report: &Report<'_>, directory: &str, outcomes: &mut [(T, Resolution)]) {
    /// Fewer files have the same names by chance.
    const MIN_FILES: usize = 3;
    /// Directories with a file of the path that are asked about; more say nothing.
    const MAX_DIRECTORIES: usize = 4;
    let mut by_base: FxHashMap<&str, FxHashSet<String>> = FxHashMap::default();
    for (_, (verdict, _)) in &*outcomes {
        let Verdict::Missing(missing) = verdict else { continue };
        let is_below = directory.is_empty() || is_within(&missing.wanted, directory);
        let tail = missing.wanted.get(directory.len()..).unwrap_or_default().trim_start_matches('/');
        if missing.instead.is_none() && is_below && tail.contains('/') {
            for path in report.project.find_all_by_suffix(tail, MAX_DIRECTORIES) {
                let other = path[..path.len() - tail.len()].trim_end_matches('/');
                if !is_within(directory, other) {
                    by_base.entry(other).or_default().insert(missing.wanted.clone());
                }
            }
        }
    }
    let mut bases: Vec<_> = by_base.into_iter().filter(|(_, wanted)| wanted.len() >= MIN_FILES).collect();
    if bases.is_empty() || !report.project.tree().origins(report.source.path()).is_empty() {
        return;
    }
    bases.sort_unstable_by_key(|(base, _)| *base);
    for (base, wanted) in bases {
        for (_, (verdict, _)) in outcomes.iter_mut() {
            if matches!(verdict, Verdict::Missing(missing) if wanted.contains(&missing.wanted)) {
                *verdict = Verdict::Unknown(Reason::Undecided(format!("where it is published together with {base}")));
            }
        }
    }
}

/// The base of relative URLs.
enum PageBase {
    Directory(String),
    /// The unknown page that includes a part of Angular, which lies in this directory.
    Component(String),
    Site,
    Elsewhere,
}

/// Returns whether a bundler replaces a name in capitals between two percent signs, such as `%PUBLIC_URL%`. Escaped bytes have two
/// digits of base 16 after each sign.
fn has_placeholder(written: &str) -> bool {
    let is_name = |part: &str| {
        part.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') && part.bytes().any(|byte| byte > b'F')
    };
    let mut parts = written.split('%');
    parts.next_back();
    parts.skip(1).any(is_name)
}

/// Resolves one URL.
fn resolve(report: &Report<'_>, site: &SiteRoots, base: &PageBase, written: &str, is_needed: bool) -> Resolution {
    let marks = ['{', '}', '<', '>', '$', '*', '|', '@', '`', '\\', '"', '\'', '+', '\n'];
    if is_dynamic(written) || written.contains(marks) || has_placeholder(written) || written.contains("__") {
        return unknown(Reason::Dynamic);
    }
    if has_entity(written) {
        return unknown(Reason::Undecided("a character by its name or number".to_owned()));
    }
    let path = without_query(written).replace("&amp;", "&");
    let path = percent_decoded(&path);
    let project = report.project;
    let severity = severity_in(report.source.path(), if is_needed { Severity::Error } else { Severity::Warning });
    let is_from_root = path.starts_with('/');
    let outcome = match base {
        _ if is_from_root => site.resolve(project, severity, &path),
        PageBase::Directory(directory) => {
            // A bundler serves the files of `public` beside the page.
            let served = join(directory, "public").and_then(|public| join(&public, &path));
            // Xcode puts localized pages below the other resources of an application.
            let resource = path.strip_prefix("../").filter(|_| extension(directory) == "lproj");
            let shipped = resource.and_then(|rest| join(parent(directory), &format!("Resources/{rest}")));
            let is_there = |path: &String| project.tree().kind(path).is_some();
            let plain = join(directory, &path);
            // Sphinx copies pages as they are, beside what it publishes.
            let published = || project.index::<PublishedDirectories>().find(project, report.source.path(), &path);
            let published = if plain.as_ref().is_some_and(is_there) { None } else { published() };
            let others = [served, shipped, published].into_iter().flatten().filter(is_there);
            let candidates = std::iter::once(plain).chain(others.map(Some));
            Lookup::new(project, Want::Any).verdict(severity, candidates)
        }
        PageBase::Component(directory) => return resolve_in_component(project, severity, directory, &path),
        PageBase::Site => site.resolve(project, severity, &path),
        PageBase::Elsewhere => return unknown(Reason::Elsewhere),
    };
    let Verdict::Missing(missing) = &outcome.0 else { return outcome };
    let reason = if !STATIC_EXTENSIONS.contains(&extension(&path).as_str()) {
        Reason::Undecided("a route, or a file".to_owned())
    } else if let Some(by) = find_generator(report, &missing.wanted, is_from_root) {
        Reason::Produced(by.to_owned())
    } else if missing.instead.is_none() && is_mounted(project, report.source.directory(), &path) {
        Reason::Undecided("the name by which a server has the directory".to_owned())
    } else {
        return outcome;
    };
    (Verdict::Unknown(reason), outcome.1)
}

/// Resolves a URL of a part of Angular. The page that includes it is not known; from any, a browser stops at the root of the site, so that
/// the steps up do not count: `../../assets/a.svg` leads to the `assets` of a directory above the part.
fn resolve_in_component(project: &Project, severity: Severity, directory: &str, path: &str) -> Resolution {
    let rest = path.trim_start_matches("../").trim_start_matches("./");
    let above = ancestors(directory).skip(1).take(MAX_STEPS).map(|above| join(above, rest));
    let candidates = std::iter::once(join(directory, path)).flatten().map(Some).chain(above);
    let (verdict, tried) = Lookup::new(project, Want::File).verdict(severity, candidates);
    match verdict {
        Verdict::Missing(_) => (Verdict::Unknown(Reason::Undecided("the page that includes it".to_owned())), tried),
        verdict => (verdict, tried),
    }
}

/// Returns whether a text is a whole page, and no part that others include.
fn has_root_element(text: &str) -> bool {
    ["<html", "<!doctype", "<svg", "<HTML", "<!DOCTYPE"].iter().any(|start| text.contains(start))
}

/// Returns whether a URL begins with the name of the page's directory. A server that has the directory under its name shows the page at its
/// own root: `static/logo.svg` of `web/static/index.html`.
fn begins_with_own_name(directory: &str, path: &str) -> bool {
    path.split_once('/').is_some_and(|(first, _)| first == name(directory))
}

/// Returns whether a file is beside the page by all of a URL but its first name, which no directory there has: a server can have the page's
/// directory under any name, `app.use('/static', express.static('client'))`.
fn is_mounted(project: &Project, directory: &str, path: &str) -> bool {
    let Some((first, rest)) = path.split_once('/').filter(|(first, _)| !first.starts_with('.')) else { return false };
    let is_there = |path: Option<String>| path.is_some_and(|path| project.tree().kind(&path).is_some());
    !is_there(join(directory, first)) && is_there(join(directory, rest))
}

/// Directories above a page from which a URL is looked for; pages of real sites are less deep, and each URL of a page asks for all.
const MAX_STEPS: usize = 16;

/// Finds a relative URL from a directory above: a part of a page has the URLs of the page, which lies higher.
fn find_in_parent(project: &Project, directory: &str, path: &str) -> Option<String> {
    let there = ancestors(directory).skip(1).take(MAX_STEPS).filter_map(|above| join(above, path));
    there.into_iter().find(|path| project.tree().kind(path).is_some())
}

/// Finds a relative URL in a directory that a bundler serves together with its pages: with `static` beside `src`, the page
/// `src/404.html` has `static/x.png` as `x.png`.
fn find_served(project: &Project, directory: &str, path: &str) -> Option<String> {
    /// Names that bundlers give this directory unless they are told another.
    const SERVED: [&str; 3] = ["public", "static", "www"];
    let tree = project.tree();
    let is_package = |root: &&str| join(root, "package.json").is_some_and(|path| tree.kind(&path).is_some());
    ancestors(directory).take(MAX_STEPS).filter(is_package).find_map(|root| {
        // The page's own directory counts from any of the directories between.
        let tails = std::iter::successors(Some(directory[root.len()..].trim_start_matches('/')), |rest| {
            (!rest.is_empty()).then(|| rest.split_once('/').map_or("", |(_, rest)| rest))
        });
        let served = SERVED.iter().filter_map(|name| join(root, name));
        let served = served.filter(|it| !is_within(directory, it) && tree.kind(it) == Some(Kind::Directory));
        served.into_iter().find_map(|served| {
            let there = tails.clone().take(MAX_STEPS).filter_map(|tail| join(&join(&served, tail)?, path));
            there.into_iter().find(|path| tree.kind(path).is_some())
        })
    })
}

/// Returns whether the path of a URL has an entity other than `&amp;`: `&#9825;`. Their 2,231 names are known to `html5gum`, which
/// does not give the place of what it replaces, and few paths have one.
fn has_entity(url: &str) -> bool {
    let path = url.split('?').next().unwrap_or(url);
    path.split('&').skip(1).filter_map(|rest| rest.split_once(';')).any(|(name, _)| {
        let letters = name.strip_prefix('#').unwrap_or(name);
        name != "amp" && !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// The tool that generates a missing file of this name.
fn find_generator(report: &Report<'_>, wanted: &str, is_served: bool) -> Option<&'static str> {
    let tree = report.project.tree();
    let (stem, end) = (wanted.rsplit_once('.').map_or(wanted, |(stem, _)| stem), extension(wanted));
    let beside = |ends: &[&str]| ends.iter().any(|end| tree.kind(&format!("{stem}.{end}")).is_some());
    let anywhere = |ends: &[&str]| {
        let stem = name(stem);
        ends.iter().any(|end| report.project.find_by_suffix(&format!("{stem}.{end}")).is_some())
    };
    match end.as_str() {
        "html" | "htm" => {
            const PAGE_SOURCES: [&str; 19] = [
                "md", "markdown", "rst", "adoc", "asciidoc", "ipynb", "pug", "jade", "haml", "erb", "slim", "ejs",
                "hbs", "txt", "dbk", "org", "tex", "texi", "xml",
            ];
            if beside(&PAGE_SOURCES) || anywhere(&PAGE_SOURCES[..8]) {
                return Some("a site generator");
            }
            // A source of the same name beside it, in whatever language: `Tutorial.v`.
            let last = name(stem);
            let is_source = |file: &String| {
                let rest = file.strip_prefix(last).filter(|_| !last.is_empty()).and_then(|rest| rest.strip_prefix('.'));
                rest.is_some_and(|end| !end.contains('.') && !STATIC_EXTENSIONS.contains(&end))
            };
            if tree.names(parent(stem)).iter().any(is_source) {
                return Some("a program that makes pages");
            }
            // The page of a directory, for Hugo.
            if last == "index" && tree.names(parent(stem)).iter().any(|file| file.starts_with("_index.")) {
                return Some("a site generator");
            }
            // `Tag.java.html` shows `Tag.java`.
            if stem.contains('.') && !report.project.find_all_by_suffix(name(stem), 1).is_empty() {
                return Some("a program that shows sources");
            }
        }
        "css" if anywhere(&["scss", "sass", "less", "styl"]) => return Some("a style sheet compiler"),
        "js" | "mjs" if !is_served && anywhere(&["ts", "tsx", "coffee", "jsx"]) => return Some("a compiler"),
        "js" | "mjs" if is_bundle(tree, stem) && !tree.was_there(wanted) => return Some("the package's build"),
        _ => {}
    }
    let is_in_output = wanted.split('/').enumerate().any(|(index, segment)| {
        const OUTPUT_DIRECTORIES: [&str; 14] = [
            "dist",
            "build",
            "out",
            "output",
            "bundle",
            "bundles",
            "generated",
            "gen",
            "pkg",
            "release",
            "bower_components",
            "jspm_packages",
            "components",
            "coverage",
        ];
        OUTPUT_DIRECTORIES.contains(&segment) && {
            let end = wanted.split('/').take(index + 1).map(|segment| segment.len() + 1).sum::<usize>() - 1;
            tree.kind(&wanted[..end]).is_none()
        }
    });
    if is_in_output || name(wanted).contains("bundle") {
        return Some(BUILD);
    }
    if matches!(end.as_str(), "js" | "mjs" | "css" | "wasm" | "html") && is_named_by_build(report, wanted) {
        return Some(BUILD);
    }
    // A library that lies below the page was moved, not generated.
    let is_library = ["lib", "libs", "vendor"].iter().any(|below| {
        join(report.source.directory(), &format!("{below}/{}", name(wanted)))
            .is_some_and(|path| tree.kind(&path).is_some())
    });
    let is_code = matches!(end.as_str(), "js" | "mjs" | "css" | "wasm") && !is_library;
    let is_in_output_directory = tree.kind(parent(wanted)).is_none() || parent(wanted) == report.source.directory();
    (is_code && is_in_output_directory && has_bundler(report)).then_some("a bundler")
}

/// Returns whether a file configures how scripts and style sheets are built.
fn is_build_file(name: &str) -> bool {
    const STARTS: [&str; 8] = [
        "webpack.",
        "rollup.config.",
        "gulpfile.",
        "Gruntfile.",
        "esbuild.",
        "brunch-config.",
        "angular.json",
        "Cargo.toml",
    ];
    STARTS.iter().any(|start| name.starts_with(start)) || matches!(name, "Makefile" | "BUILD" | "BUILD.bazel")
}

/// Returns whether the directories around the page configure a bundler or a build, or the page is a resource that Kotlin puts beside
/// the script that it makes: `src/jsMain/resources`.
fn has_bundler(report: &Report<'_>) -> bool {
    let tree = report.project.tree();
    let directory = report.source.directory();
    directory.strip_suffix("/resources").is_some_and(|set| set.ends_with("Main") && name(parent(set)) == "src")
        || ancestors(report.source.directory()).any(|here| tree.names(here).iter().any(|name| is_build_file(name)))
}

/// Returns whether a build file around the page names this file.
fn is_named_by_build(report: &Report<'_>, wanted: &str) -> bool {
    let tree = report.project.tree();
    let file = name(wanted);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    ancestors(report.source.directory()).any(|here| {
        let names = tree.names(here);
        let builds = names.iter().filter(|name| is_build_file(name));
        let mut builds = builds.filter_map(|name| Some((name, tree.read_shared(&join(here, name)?)?)));
        // A Bazel rule lacks the extension of its output.
        builds.any(|(name, text)| text.contains(file) || name.starts_with("BUILD") && text.contains(stem))
    })
}

/// The reason why missing targets of this page are not reported, if there is one.
fn doubt_reason<'o>(report: &Report<'_>, outcomes: impl Iterator<Item = &'o Resolution>) -> Option<&'static str> {
    const TEMPLATES: [&str; 12] = [
        "_layouts",
        "_includes",
        "_layout",
        "layouts",
        "layout",
        "templates",
        "template",
        "partials",
        "_partials",
        "views",
        "themes",
        "theme",
    ];
    const MARKS: [&str; 7] = ["{{", "{%", "<%", "<?php", "<#", "[[${", "th:src"];
    let (mut found, mut missing, mut plausible) = (0, 0, 0);
    for (verdict, tried) in outcomes {
        match verdict {
            Verdict::Found(_) => found += 1,
            Verdict::Missing(missing_one) => {
                missing += 1;
                let directory = parent(&missing_one.wanted);
                let is_other = directory != report.source.directory() && !directory.is_empty();
                // A file that a commit moved was read from here.
                let is_placed = tried.len() > 1 || missing_one.instead.is_some();
                plausible += usize::from(is_placed || is_other && report.project.tree().kind(directory).is_some());
            }
            Verdict::Unknown(_) => {}
        }
    }
    if missing == 0 {
        return None;
    }
    let text = report.source.text();
    if text.trim_start().starts_with("---") || MARKS.iter().any(|mark| text.contains(mark)) {
        return Some(FILLED_IN_PAGE);
    }
    // Javadoc takes it for the text of the page that it writes for the package.
    if name(report.source.path()) == "package.html" {
        return Some("a page of javadoc");
    }
    if report.source.path().split('/').any(|segment| TEMPLATES.contains(&segment)) {
        return Some("a directory of templates");
    }
    let stem = name(report.source.path()).rsplit_once('.').map_or("", |(stem, _)| stem);
    if stem.strip_suffix("template").is_some_and(|before| before.is_empty() || before.ends_with(['_', '-', '.'])) {
        return Some(FILLED_IN_PAGE);
    }
    // A program of the JVM writes what it carries beside other files; a server finds pages in these directories.
    let carried = report.source.path().split_once("src/main/resources/").map(|(_, path)| path);
    if carried.is_some_and(|path| !path.split('/').any(|part| matches!(part, "public" | "resources" | "static"))) {
        return Some("the program that carries it");
    }
    // If no URL of a page resolves, the page is read elsewhere, unless its URLs name other directories that exist.
    (found == 0 && plausible < missing).then_some("where the page is read")
}
