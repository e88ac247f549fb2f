//! Where the arguments lead.

use rustc_hash::FxHashSet;

use crate::checked::{Reason, Severity, Verdict};
use crate::language::html::site::ancestors;
use crate::lookup::{Lookup, Want};
use crate::path::{extension, has_scheme, is_dynamic, join, name, parent};
use crate::report::{Report, Resolution, anywhere, severity_in, unknown};

use super::scan::commands;

const GRAPHICS: [&str; 9] = ["pdf", "png", "jpg", "jpeg", "eps", "mps", "svg", "PDF", "PNG"];

/// Adds everything that a document names.
pub(super) fn check(report: &mut Report<'_>) {
    let text = report.source.text();
    let all = commands(text);
    let asked: FxHashSet<&str> = all
        .iter()
        .filter(|command| command.name.ends_with("FileExists"))
        .map(|command| text[command.at..command.end].trim())
        .collect();
    let directories = directories(report);
    let graphics: Vec<String> = all
        .iter()
        .filter(|command| command.name == "graphicspath")
        .flat_map(|command| text[command.at..command.end].split(['{', '}']))
        .filter(|path| !path.trim().is_empty() && !is_dynamic(path) && !path.contains('\\'))
        // More than this is no list of directories.
        .take(16)
        .flat_map(|path| directories.iter().filter_map(|directory| join(directory, path.trim())).collect::<Vec<_>>())
        .collect();
    for command in all {
        let (kind, endings): (&'static str, &[&str]) = match command.name {
            "input" | "subfile" | "subfileinclude" => ("tex.input", &["tex"]),
            "include" => ("tex.include", &["tex"]),
            "includegraphics" => ("tex.graphics", &GRAPHICS),
            "bibliography" | "addbibresource" => ("tex.bibliography", &["bib"]),
            "lstinputlisting" | "verbatiminput" => ("tex.listing", &[]),
            _ => continue,
        };
        for written in text[command.at..command.end].split(',') {
            let from =
                written.as_ptr() as usize - text.as_ptr() as usize + (written.len() - written.trim_start().len());
            let written = written.trim();
            if written.is_empty() || has_scheme(written) || written.starts_with('/') {
                continue;
            }
            let places =
                if kind == "tex.graphics" { [&graphics[..], &directories[..]].concat() } else { directories.clone() };
            let mut outcome = outcome(report, kind, written, endings, &places);
            if asked.contains(written) && matches!(outcome.0, Verdict::Missing(_)) {
                outcome.0 = Verdict::Unknown(Reason::Optional);
            }
            report.add(kind, from, written.len(), outcome);
        }
    }
}

/// The directories that a path can be relative to: that of the root document first, where the file names it.
fn directories(report: &Report<'_>) -> Vec<String> {
    let own = report.source.directory();
    // `% !TeX root = ../main.tex`, at the top of a file.
    let root = report.source.text().lines().take(20).find_map(|line| {
        let line = line.trim_start().strip_prefix('%')?.trim_start();
        let line = line.strip_prefix("!TeX root").or_else(|| line.strip_prefix("!TEX root"))?;
        join(own, parent(line.trim_start().strip_prefix('=')?.trim()))
    });
    root.into_iter().chain(ancestors(own).map(str::to_owned)).collect()
}

fn outcome(report: &Report<'_>, kind: &str, written: &str, endings: &[&str], directories: &[String]) -> Resolution {
    if is_dynamic(written) || written.contains(['\\', '#', '{', '}', '*', '"', '<', '|', '$', '~', '\n']) {
        return unknown(Reason::Dynamic);
    }
    let project = report.project;
    // An ending is added where there is none; a dot in a name is no ending.
    let mut spellings: Vec<String> = endings.iter().map(|end| format!("{written}.{end}")).collect();
    let has_ending =
        endings.is_empty() || endings.contains(&extension(written).as_str()) || extension(written).len() > 1;
    if has_ending {
        spellings.insert(0, written.to_owned());
    }
    let severity = severity_in(report.source.path(), Severity::Error);
    let candidates = directories.iter().flat_map(|directory| spellings.iter().map(move |path| join(directory, path)));
    let (verdict, tried) = Lookup::new(project, Want::File).verdict(severity, candidates.flatten().map(Some));
    let Verdict::Missing(missing) = &verdict else { return (verdict, tried) };
    if missing.instead.is_some() && missing.code != crate::checked::Code::MovedPath {
        return (verdict, tried);
    }
    let stem = name(written);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let head = written.trim_start_matches("./").trim_start_matches("../").split('/').next().unwrap_or_default();
    let reason = if let Some(path) = anywhere(project, &spellings) {
        Reason::Undecided(path.to_owned())
    } else if kind == "tex.graphics" && project.has_name(stem) {
        Reason::Produced(format!("what {stem} is drawn from"))
    } else if !written.contains('/') || !project.has_name(head) {
        // Every package of a distribution can be read so.
        Reason::Elsewhere
    } else {
        return (verdict, tried);
    };
    (Verdict::Unknown(reason), tried)
}
