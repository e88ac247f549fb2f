//! Resolves the arguments of LaTeX commands.

use rustc_hash::FxHashSet;

use crate::documents::latex::kinds;
use pathfinder_literals::path::{ancestors, extension, has_scheme, is_dynamic, join, name, parent};
use pathfinder_literals::report::{find_in_any_directory, severity_in, unknown};
use pathfinder_literals::{LiteralKind, Lookup, Reason, Report, Resolution, Severity, Verdict, Want};

use super::scan::find_commands;

/// Extensions that `\includegraphics` tries.
const GRAPHICS_EXTENSIONS: [&str; 9] = ["pdf", "png", "jpg", "jpeg", "eps", "mps", "svg", "PDF", "PNG"];

/// Checks every path of a document.
pub(super) fn check(report: &mut Report<'_>) {
    let text = report.source.text();
    let all = find_commands(text);
    let tested: FxHashSet<&str> = all
        .iter()
        .filter(|command| command.name.ends_with("FileExists"))
        .map(|command| text[command.at..command.end].trim())
        .collect();
    let base_directories = base_directories(report);
    let graphics: Vec<String> = all
        .iter()
        .filter(|command| command.name == "graphicspath")
        .flat_map(|command| text[command.at..command.end].split(['{', '}']))
        .filter(|path| !path.trim().is_empty() && !is_dynamic(path) && !path.contains('\\'))
        // A longer list is not one of directories.
        .take(16)
        .flat_map(|path| {
            base_directories.iter().filter_map(|directory| join(directory, path.trim())).collect::<Vec<_>>()
        })
        .collect();
    for command in all {
        let (kind, endings): (LiteralKind, &[&str]) = match command.name {
            "input" | "subfile" | "subfileinclude" => (kinds::INPUT, &["tex"]),
            "include" => (kinds::INCLUDE, &["tex"]),
            "includegraphics" => (kinds::GRAPHICS, &GRAPHICS_EXTENSIONS),
            "bibliography" | "addbibresource" => (kinds::BIBLIOGRAPHY, &["bib"]),
            "lstinputlisting" | "verbatiminput" => (kinds::LISTING, &[]),
            _ => continue,
        };
        for written in text[command.at..command.end].split(',') {
            let from =
                written.as_ptr() as usize - text.as_ptr() as usize + (written.len() - written.trim_start().len());
            let written = written.trim();
            if written.is_empty() || has_scheme(written) || written.starts_with('/') {
                continue;
            }
            let bases = if kind == kinds::GRAPHICS {
                [&graphics[..], &base_directories[..]].concat()
            } else {
                base_directories.clone()
            };
            let mut outcome = resolve(report, kind, written, endings, &bases);
            if tested.contains(written) && matches!(outcome.0, Verdict::Missing(_)) {
                outcome.0 = Verdict::Unknown(Reason::Optional);
            }
            report.add(kind, from, written.len(), outcome);
        }
    }
}

/// The directories that a path can be relative to. The directory of the root document comes first, if the file names
/// it.
fn base_directories(report: &Report<'_>) -> Vec<String> {
    let own = report.source.directory();
    // `% !TeX root = ../main.tex`, near the top of a file.
    let root = report.source.text().lines().take(20).find_map(|line| {
        let line = line.trim_start().strip_prefix('%')?.trim_start();
        let line = line.strip_prefix("!TeX root").or_else(|| line.strip_prefix("!TEX root"))?;
        join(own, parent(line.trim_start().strip_prefix('=')?.trim()))
    });
    root.into_iter().chain(ancestors(own).map(str::to_owned)).collect()
}

/// Resolves one path of a command.
fn resolve(
    report: &Report<'_>,
    kind: LiteralKind,
    written: &str,
    endings: &[&str],
    base_directories: &[String],
) -> Resolution {
    if is_dynamic(written) || written.contains(['\\', '#', '{', '}', '*', '"', '<', '|', '$', '~', '\n']) {
        return unknown(Reason::Dynamic);
    }
    let project = report.project;
    // LaTeX appends an extension if there is none; a dot in a name is no extension.
    let mut spellings: Vec<String> = endings.iter().map(|end| format!("{written}.{end}")).collect();
    let has_ending =
        endings.is_empty() || endings.contains(&extension(written).as_str()) || extension(written).len() > 1;
    if has_ending {
        spellings.insert(0, written.to_owned());
    }
    let severity = severity_in(report.source.path(), Severity::Error);
    let candidates =
        base_directories.iter().flat_map(|directory| spellings.iter().map(move |path| join(directory, path)));
    let (verdict, tried) = Lookup::new(project, Want::File).verdict(severity, candidates.flatten().map(Some));
    let Verdict::Missing(missing) = &verdict else { return (verdict, tried) };
    if missing.instead.is_some() && missing.code != pathfinder_literals::Code::MovedPath {
        return (verdict, tried);
    }
    let stem = name(written);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let head = written.trim_start_matches("./").trim_start_matches("../").split('/').next().unwrap_or_default();
    let reason = if let Some(path) = find_in_any_directory(project, &spellings) {
        Reason::Undecided(path.to_owned())
    } else if kind == kinds::GRAPHICS && project.has_name(stem) {
        Reason::Produced(format!("what {stem} is drawn from"))
    } else if !written.contains('/') || !project.has_name(head) {
        // Packages of a TeX distribution provide such files.
        Reason::Elsewhere
    } else {
        return (verdict, tried);
    };
    (Verdict::Unknown(reason), tried)
}
