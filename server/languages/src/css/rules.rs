//! Resolves the references of a style sheet.

use crate::css::kinds;
use crate::documents::html::site::SiteRoots;
use pathfinder_literals::path::{
    ancestors, extension, has_scheme, is_dynamic, join, name, parent, percent_decoded, strip_parent_steps,
    without_query,
};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::typo::only_neighbor;
use pathfinder_literals::{Kind, LiteralKind, Lookup, Reason, Report, Resolution, Severity, Target, Verdict, Want};

use super::StyleDialect;
use super::candidates::sheet_candidates;
use super::load_paths::{find_by_load_path, is_first_party};
use super::scan::{AtRule, StyleReference, find_references};

/// Checks every reference of a sheet.
pub(super) fn check(report: &mut Report<'_>, dialect: &StyleDialect) {
    let text = report.source.text();
    // The style sheet of Javadoc names a font sheet that Javadoc does not write.
    if text.lines().take(4).any(|line| line.contains("Javadoc style sheet")) {
        return;
    }
    let is_plain = dialect.name == "css";
    let is_indented = extension(report.source.path()) == "sass";
    let site = SiteRoots::new(report.project, report.source.directory());
    let mut outcomes = Vec::new();
    for reference in find_references(text, !is_plain, is_indented) {
        let (StyleReference::Url { at, end } | StyleReference::AtRule { at, end, .. }) = reference;
        let written = &text[at..end];
        let is_fragment = written.starts_with(['#', '?']) && !written.starts_with("#{");
        if written.is_empty() || is_fragment || has_scheme(written) {
            continue;
        }
        let (kind, outcome) = match reference {
            // `@import url(x.css)` is an import in every dialect, and relative to the sheet.
            StyleReference::Url { .. } => (dialect.url, resolve_url(report, &site, is_plain, written)),
            StyleReference::AtRule { rule, .. } if is_plain => match rule {
                AtRule::Import => (dialect.import, resolve_import(report, written)),
                AtRule::Use | AtRule::Forward => continue,
            },
            StyleReference::AtRule { rule, .. } => {
                (literal_kind(rule, dialect), resolve_sheet(report, dialect, written))
            }
        };
        outcomes.push((kind, at, end, outcome));
    }
    // If sheets beside this one are imported by bare names, such a name is not one of a library.
    let sheets = || outcomes.iter().filter(|(kind, ..)| *kind != dialect.url);
    let nearby = sheets().filter(|(_, _, _, outcome)| is_found_nearby(report, &outcome.0)).count();
    let missing = sheets().filter(|(_, _, _, outcome)| matches!(outcome.0, Verdict::Missing(_))).count();
    // If only one of many imports is missing, it was a file of the project too.
    let found = sheets().filter(|(_, _, _, outcome)| matches!(outcome.0, Verdict::Found(_))).count();
    let is_only_missing = missing == 1 && nearby >= 5 && found + missing == sheets().count();
    let is_mistyped = |at: usize, end: usize| is_misspelled(report, &text[at..end]);
    let is_read = outcomes.iter().any(|(kind, at, end, outcome)| match outcome.0 {
        Verdict::Found(_) => true,
        Verdict::Missing(_) => *kind != dialect.url && is_mistyped(*at, *end),
        Verdict::Unknown(_) => false,
    });
    for (kind, at, end, mut outcome) in outcomes {
        if let Verdict::Missing(missing) = &outcome.0 {
            let written = &text[at..end];
            let is_trusted = kind == dialect.url || is_plain || {
                let head = written.split_once('/').map(|(head, _)| head);
                let is_known = head.map_or(nearby > 0, |head| report.project.has_name(head));
                is_known
                    || is_only_missing
                    || is_relative_only(written)
                    || written.starts_with('_')
                    || is_misspelled(report, written)
            };
            if !is_trusted {
                outcome.0 = Verdict::Unknown(Reason::Elsewhere);
            } else if !is_read
                && (!written.contains('/') || is_plain || kind == dialect.url)
                && (kind == dialect.url || !is_misspelled(report, written))
                && !has_existing_directory(report, &missing.wanted)
            {
                // If no reference of a sheet resolves, the sheet is read elsewhere.
                outcome.0 = Verdict::Unknown(Reason::Undecided("where the sheet is read".to_owned()));
            }
        }
        report.add(kind, at, end - at, outcome);
    }
}

/// The literal kind of a rule.
fn literal_kind(rule: AtRule, dialect: &StyleDialect) -> LiteralKind {
    match (rule, dialect.name) {
        (AtRule::Use, "scss") => kinds::SCSS_USE,
        (AtRule::Forward, "scss") => kinds::SCSS_FORWARD,
        _ => dialect.import,
    }
}

/// Returns whether a sheet resolved below the directory of this one.
fn is_found_nearby(report: &Report<'_>, verdict: &Verdict) -> bool {
    let Verdict::Found(target) = verdict else { return false };
    let directory = report.source.directory();
    directory.is_empty() || pathfinder_literals::path::is_within(&target.path, directory)
}

/// Returns whether part of a literal is computed by Sass, Less, or a template engine.
fn is_computed(written: &str) -> bool {
    is_dynamic(written) || written.contains(['$', '{', '}', '*', '<', '>', '\\', '+', '"', '\'', ' ', '\n', '`'])
}

/// The severity of a finding in this sheet. A copied build output keeps the paths of its origin.
fn severity(report: &Report<'_>, severity: Severity) -> Severity {
    let path = report.source.path();
    let is_output = path.contains(".min.") || path.split('/').any(|segment| matches!(segment, "dist" | "lib" | "libs"));
    severity_in(path, if is_output { Severity::Hint } else { severity })
}

/// Resolves a `resolve_url()`.
fn resolve_url(report: &Report<'_>, site: &SiteRoots, is_plain: bool, written: &str) -> Resolution {
    if is_computed(written) || written.starts_with(['@', '~', '%', '=', '^', '!']) {
        return unknown(Reason::Dynamic);
    }
    let path = percent_decoded(without_query(written));
    let (project, directory) = (report.project, report.source.directory());
    let severity = severity(report, Severity::Warning);
    if path.starts_with('/') {
        return site.resolve(project, severity, &path);
    }
    let (verdict, tried) = Lookup::new(project, Want::Any).verdict(severity, [join(directory, &path)]);
    let Verdict::Missing(missing) = &verdict else { return (verdict, tried) };
    let end = extension(&path);
    let reason = if end.is_empty() || end == "css" && is_compiled_sheet(report, &path) {
        Some(Reason::Undecided("a build".to_owned()))
    } else if is_plain {
        // A sheet that a build combines or moves has paths relative to its destination.
        (!has_existing_directory(report, &missing.wanted) && find_other_base(report, &path).is_some())
            .then(|| Reason::Undecided("where the sheet is served".to_owned()))
    } else {
        // Sass copies `resolve_url()` unchanged: it is relative to the compiled sheet, whose directory is unknown.
        find_other_base(report, &path).map(Reason::Undecided)
    };
    (reason.map_or(verdict, Verdict::Unknown), tried)
}

/// Returns whether the directory of a path exists, and is not the sheet's own.
fn has_existing_directory(report: &Report<'_>, wanted: &str) -> bool {
    let directory = parent(wanted);
    directory != report.source.directory() && report.project.tree().kind(directory).is_some()
}

/// Returns whether a sheet of this name is compiled from another.
fn is_compiled_sheet(report: &Report<'_>, path: &str) -> bool {
    let stem = name(path).trim_end_matches(".css");
    ["scss", "sass", "less", "styl"].iter().any(|end| report.project.find_by_suffix(&format!("{stem}.{end}")).is_some())
}

/// A file that the path resolves to from another directory that can contain sheets.
fn find_other_base(report: &Report<'_>, path: &str) -> Option<String> {
    let tail = strip_parent_steps(path)?;
    let other = report.project.find_by_suffix(&tail)?;
    let from = other.strip_suffix(&tail)?.trim_end_matches('/');
    // Directories of images contain no sheets.
    let is_media = ["img", "images", "image", "icons", "fonts", "font", "media", "pics"].contains(&name(from));
    (path.starts_with("..") || !is_media).then(|| other.to_owned())
}

/// Resolves `@import` of plain CSS.
fn resolve_import(report: &Report<'_>, written: &str) -> Resolution {
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
    // PostCSS finds sheets without their extensions, and partials.
    let mut candidates = vec![join(directory, &path)];
    candidates.extend(sheet_candidates("scss", &path).into_iter().map(|path| join(directory, &path)));
    let (verdict, tried) = Lookup::new(project, Want::Any).verdict(severity, candidates);
    let Verdict::Missing(_) = verdict else { return (verdict, tried) };
    let reason = if extension(&path) != "css" && !is_relative {
        Reason::Elsewhere
    } else if is_compiled_sheet(report, &path) || extension(&path) != "css" {
        Reason::Produced("a style sheet compiler".to_owned())
    } else if !is_relative && !path.contains('/') {
        // `normalize.css` is also a package.
        Reason::Elsewhere
    } else if let Some(other) = (!is_relative).then(|| find_other_base(report, &path)).flatten() {
        Reason::Undecided(other)
    } else if !is_relative && !project.has_name(path.split('/').next().unwrap_or_default()) {
        Reason::Elsewhere
    } else {
        return (verdict, tried);
    };
    (Verdict::Unknown(reason), tried)
}

/// Resolves `@import`, `@use` and `@forward` of Sass and Less.
fn resolve_sheet(report: &Report<'_>, dialect: &StyleDialect, written: &str) -> Resolution {
    if is_computed(written) {
        return unknown(Reason::Dynamic);
    }
    if written.starts_with(['@', '~', '/', '%', '=', '^', '!']) || (dialect.name == "less" && written.contains('@')) {
        return unknown(Reason::Elsewhere);
    }
    let (project, directory) = (report.project, report.source.directory());
    let severity = severity(report, Severity::Error);
    let all = sheet_candidates(dialect.name, written);
    let candidates = all.iter().map(|path| join(directory, path));
    let (verdict, mut tried) = Lookup::new(project, Want::File).verdict(severity, candidates);
    let Verdict::Missing(_) = verdict else { return (verdict, tried) };
    // Jekyll loads sheets from here.
    let loaded = ancestors(directory).filter_map(|above| join(above, "_sass"));
    let loaded: Vec<_> = loaded.flat_map(|base| all.iter().filter_map(move |path| join(&base, path))).collect();
    if let Some(path) = loaded.iter().find(|path| project.tree().kind(path) == Some(Kind::File)) {
        return (Verdict::Found(Target { path: path.clone() }), tried);
    }
    // One of these with a typo is no sheet of a library.
    let there = loaded.into_iter().filter(|path| project.tree().kind(parent(path)) == Some(Kind::Directory));
    tried.splice(tried.len().min(1)..tried.len().min(1), there);
    // Sass leaves `@import "a.css"` to the browser.
    if dialect.name == "scss" && extension(written) == "css" {
        return (Verdict::Unknown(Reason::Elsewhere), tried);
    }
    // A load path can provide sheets that the sheet's own directory lacks.
    let reason = if let Some(found) = find_by_load_path(report, written, &all) {
        Reason::Undecided(found)
    } else if let Some(template) = find_template(report, written) {
        Reason::Produced(template)
    } else if is_relative_only(written) || is_misspelled(report, written) || is_first_party(report, written) {
        return (verdict, tried);
    } else {
        Reason::Elsewhere
    };
    (Verdict::Unknown(reason), tried)
}

/// The template that a sheet of this name is generated from: `_x.template.scss` in the named directory.
fn find_template(report: &Report<'_>, written: &str) -> Option<String> {
    let tail = strip_parent_steps(written)?;
    let directory = report.project.find_by_suffix(parent(&tail))?;
    let stem = name(&tail);
    let is_of = |file: &str| file.trim_start_matches('_').strip_prefix(stem).is_some_and(|rest| rest.starts_with('.'));
    let file = report.project.tree().names(directory).to_vec().into_iter().find(|file| is_of(file))?;
    join(directory, &file)
}

/// Returns whether exactly one sheet in the directory has this name but for a typo. Then the name is not that of a library.
fn is_misspelled(report: &Report<'_>, written: &str) -> bool {
    let is_sheet = |rest: &str| matches!(rest, ".scss" | ".sass" | ".less" | ".css");
    let path = join(report.source.directory(), written);
    path.is_some_and(|path| only_neighbor(report.project.tree(), &path, is_sheet).is_some())
}

/// Returns whether a name begins with `./` or `../`, so that load paths do not apply.
fn is_relative_only(written: &str) -> bool {
    written.starts_with("./") || written.starts_with("../")
}
