//! Where the parts of a style sheet lead.

use crate::checked::{Reason, Severity, Verdict};
use crate::language::html::site::Site;
use crate::lookup::{Lookup, Want};
use crate::path::{extension, has_scheme, is_dynamic, join, name, parent, percent_decoded, without_query};
use crate::report::{Report, Resolution, severity_in, unknown};
use crate::suffix_index::tail;
use crate::typo::only_neighbor;

use super::Dialect;
use super::foreign::{by_load_path, is_first_party};
use super::sass::spellings;
use super::scan::{Part, Rule, parts};

/// Adds everything that a sheet names.
pub(super) fn check(report: &mut Report<'_>, dialect: &Dialect) {
    let text = report.source.text();
    // What Javadoc writes names a sheet of fonts that it does not write.
    if text.lines().take(4).any(|line| line.contains("Javadoc style sheet")) {
        return;
    }
    let is_plain = dialect.name == "css";
    let is_indented = extension(report.source.path()) == "sass";
    let site = Site::of(report.project, report.source.directory());
    let mut outcomes = Vec::new();
    for part in parts(text, !is_plain, is_indented) {
        let (Part::Url { at, end } | Part::Rule { at, end, .. }) = part;
        let written = &text[at..end];
        let is_fragment = written.starts_with(['#', '?']) && !written.starts_with("#{");
        if written.is_empty() || is_fragment || has_scheme(written) {
            continue;
        }
        let (kind, outcome) = match part {
            // `@import url(x.css)` is an import in every dialect, and relative to the sheet.
            Part::Url { .. } => (dialect.url, url(report, &site, is_plain, written)),
            Part::Rule { rule, .. } if is_plain => match rule {
                Rule::Import => (dialect.import, import(report, written)),
                Rule::Use | Rule::Forward => continue,
            },
            Part::Rule { rule, .. } => (kind(rule, dialect), sheet(report, dialect, written)),
        };
        outcomes.push((kind, at, end, outcome));
    }
    // Sheets beside this one are found by their names alone: then such a name is not one of a library.
    let sheets = || outcomes.iter().filter(|(kind, ..)| *kind != dialect.url);
    let beside = sheets().filter(|(_, _, _, outcome)| is_beside(report, &outcome.0)).count();
    let missing = sheets().filter(|(_, _, _, outcome)| matches!(outcome.0, Verdict::Missing(_))).count();
    // All but one of many are there: then that one was, too.
    let found = sheets().filter(|(_, _, _, outcome)| matches!(outcome.0, Verdict::Found(_))).count();
    let is_whole = missing == 1 && beside >= 5 && found + missing == sheets().count();
    let is_read = outcomes.iter().any(|(_, _, _, outcome)| matches!(outcome.0, Verdict::Found(_)));
    for (kind, at, end, mut outcome) in outcomes {
        if let Verdict::Missing(missing) = &outcome.0 {
            let written = &text[at..end];
            let is_trusted = kind == dialect.url || is_plain || {
                let head = written.split_once('/').map(|(head, _)| head);
                let is_known = head.map_or(beside > 0, |head| report.project.has_name(head));
                is_known
                    || is_whole
                    || is_relative_only(written)
                    || written.starts_with('_')
                    || is_mistyped(report, written)
            };
            if !is_trusted {
                outcome.0 = Verdict::Unknown(Reason::Elsewhere);
            } else if !is_read
                && (!written.contains('/') || is_plain || kind == dialect.url)
                && (kind == dialect.url || !is_mistyped(report, written))
                && !is_anchored(report, &missing.wanted)
            {
                // A sheet of which nothing is there is not read where it lies.
                outcome.0 = Verdict::Unknown(Reason::Undecided("where the sheet is read".to_owned()));
            }
        }
        report.add(kind, at, end - at, outcome);
    }
}

fn kind(rule: Rule, dialect: &Dialect) -> &'static str {
    match (rule, dialect.name) {
        (Rule::Use, "scss") => "scss.use",
        (Rule::Forward, "scss") => "scss.forward",
        _ => dialect.import,
    }
}

/// Whether a sheet was found from the directory of this one.
fn is_beside(report: &Report<'_>, verdict: &Verdict) -> bool {
    let Verdict::Found(target) = verdict else { return false };
    let directory = report.source.directory();
    directory.is_empty() || crate::project::within(&target.path, directory)
}

/// Whether part of a literal is computed by Sass, Less, or what fills in a template.
fn is_computed(written: &str) -> bool {
    is_dynamic(written) || written.contains(['$', '{', '}', '*', '<', '>', '\\', '+', '"', '\'', ' ', '\n', '`'])
}

/// The severity of a finding in this sheet; what was made elsewhere was taken from where its files are.
fn severity(report: &Report<'_>, severity: Severity) -> Severity {
    let path = report.source.path();
    let is_made = path.contains(".min.") || path.split('/').any(|segment| matches!(segment, "dist" | "lib" | "libs"));
    severity_in(path, if is_made { Severity::Hint } else { severity })
}

fn url(report: &Report<'_>, site: &Site, is_plain: bool, written: &str) -> Resolution {
    if is_computed(written) || written.starts_with(['@', '~', '%', '=', '^', '!']) {
        return unknown(Reason::Dynamic);
    }
    let path = percent_decoded(without_query(written));
    let (project, directory) = (report.project, report.source.directory());
    let severity = severity(report, Severity::Warning);
    if path.starts_with('/') {
        return site.verdict(project, severity, &path);
    }
    let (verdict, tried) = Lookup::new(project, Want::Any).verdict(severity, [join(directory, &path)]);
    let Verdict::Missing(missing) = &verdict else { return (verdict, tried) };
    let end = extension(&path);
    let reason = if end.is_empty() || end == "css" && is_made_sheet(report, &path) {
        Some(Reason::Undecided("a build".to_owned()))
    } else if is_plain {
        // A sheet that a build puts together or moves has its names from there.
        (!is_anchored(report, &missing.wanted) && elsewhere(report, &path).is_some())
            .then(|| Reason::Undecided("where the sheet is served".to_owned()))
    } else {
        // Sass leaves `url()` as it is written: it is relative to what is made of this sheet, wherever that goes.
        elsewhere(report, &path).map(Reason::Undecided)
    };
    (reason.map_or(verdict, Verdict::Unknown), tried)
}

/// Whether another reference of the same directory could hold: the directory that is named is there.
fn is_anchored(report: &Report<'_>, wanted: &str) -> bool {
    let directory = parent(wanted);
    directory != report.source.directory() && report.project.tree().kind(directory).is_some()
}

/// Whether a sheet of this name is made of another.
fn is_made_sheet(report: &Report<'_>, path: &str) -> bool {
    let stem = name(path).trim_end_matches(".css");
    ["scss", "sass", "less", "styl"].iter().any(|end| report.project.ending_in(&format!("{stem}.{end}")).is_some())
}

/// A directory from which the path would be there, and in which a sheet could be.
fn elsewhere(report: &Report<'_>, path: &str) -> Option<String> {
    let tail = tail(path)?;
    let there = report.project.ending_in(&tail)?;
    let from = there.strip_suffix(&tail)?.trim_end_matches('/');
    // Nobody keeps sheets among the pictures.
    let is_media = ["img", "images", "image", "icons", "fonts", "font", "media", "pics"].contains(&name(from));
    (path.starts_with("..") || !is_media).then(|| there.to_owned())
}

/// `@import` of plain CSS.
fn import(report: &Report<'_>, written: &str) -> Resolution {
    if is_computed(written) {
        return unknown(Reason::Dynamic);
    }
    if written.starts_with(['@', '~', '/', '%']) {
        return unknown(Reason::Elsewhere);
    }
    let path = percent_decoded(without_query(written));
    let is_relative = path.starts_with("./") || path.starts_with("../");
    let (project, directory) = (report.project, report.source.directory());
    let severity = severity(report, Severity::Error);
    // PostCSS finds sheets without their endings, and partials.
    let mut candidates = vec![join(directory, &path)];
    candidates.extend(spellings("scss", &path).into_iter().map(|path| join(directory, &path)));
    let (verdict, tried) = Lookup::new(project, Want::Any).verdict(severity, candidates);
    let Verdict::Missing(_) = verdict else { return (verdict, tried) };
    let reason = if extension(&path) != "css" && !is_relative {
        Reason::Elsewhere
    } else if is_made_sheet(report, &path) || extension(&path) != "css" {
        Reason::Produced("a style sheet compiler".to_owned())
    } else if !is_relative && !path.contains('/') {
        // `normalize.css` is a package, too.
        Reason::Elsewhere
    } else if let Some(there) = (!is_relative).then(|| elsewhere(report, &path)).flatten() {
        Reason::Undecided(there)
    } else if !is_relative && !project.has_name(path.split('/').next().unwrap_or_default()) {
        Reason::Elsewhere
    } else {
        return (verdict, tried);
    };
    (Verdict::Unknown(reason), tried)
}

/// `@import`, `@use` and `@forward` of Sass and Less.
fn sheet(report: &Report<'_>, dialect: &Dialect, written: &str) -> Resolution {
    if is_computed(written) {
        return unknown(Reason::Dynamic);
    }
    if written.starts_with(['@', '~', '/', '%', '=', '^', '!']) || (dialect.name == "less" && written.contains('@')) {
        return unknown(Reason::Elsewhere);
    }
    let (project, directory) = (report.project, report.source.directory());
    let severity = severity(report, Severity::Error);
    let all = spellings(dialect.name, written);
    let candidates = all.iter().map(|path| join(directory, path));
    let (verdict, tried) = Lookup::new(project, Want::File).verdict(severity, candidates);
    let Verdict::Missing(_) = verdict else { return (verdict, tried) };
    // `@import "a.css"` of Sass is left to the browser.
    if dialect.name == "scss" && extension(written) == "css" {
        return (Verdict::Unknown(Reason::Elsewhere), tried);
    }
    // What the sheet's own directory does not have, a load path may have.
    let reason = if let Some(found) = by_load_path(report, written, &all) {
        Reason::Undecided(found)
    } else if let Some(template) = template(report, written) {
        Reason::Produced(template)
    } else if is_relative_only(written) || is_mistyped(report, written) || is_first_party(report, written) {
        return (verdict, tried);
    } else {
        Reason::Elsewhere
    };
    (Verdict::Unknown(reason), tried)
}

/// The file of which a sheet of this name is made: `_x.template.scss`, where the directory that is named has one.
fn template(report: &Report<'_>, written: &str) -> Option<String> {
    let tail = tail(written)?;
    let directory = report.project.ending_in(parent(&tail))?;
    let stem = name(&tail);
    let is_of = |file: &str| file.trim_start_matches('_').strip_prefix(stem).is_some_and(|rest| rest.starts_with('.'));
    let file = report.project.tree().names(directory).to_vec().into_iter().find(|file| is_of(file))?;
    join(directory, &file)
}

/// Whether a name is that of one sheet in its directory mistyped: then no library is meant.
fn is_mistyped(report: &Report<'_>, written: &str) -> bool {
    let is_sheet = |rest: &str| matches!(rest, ".scss" | ".sass" | ".less" | ".css");
    let path = join(report.source.directory(), written);
    path.is_some_and(|path| only_neighbor(report.project.tree(), &path, is_sheet).is_some())
}

fn is_relative_only(written: &str) -> bool {
    written.starts_with("./") || written.starts_with("../")
}
