//! Names and addresses of files that stand alone in data: `alerts.yml` beside the configuration, `/icon.png` of a web manifest, and paths
//! below the directory in which the other values of the file are.
//!
//! Alone they can be anything: what a program writes, or a pattern. So one counts only if a single typo parts it from a file, or, for an
//! address, if git moved the file.

use std::ops::Range;

use pathfinder_literals::path::{ancestors, extension, join, name};
use pathfinder_literals::{
    Checked, Kind, LiteralKind, Lookup, Project, Reason, Severity, Source, Verdict, Want, typo_findings,
};

use super::is_path_like;
use crate::path_words::{has_ending, working_directory};

/// Names of one file that are looked up. A file with more is an inventory, which a program writes.
const MAX_NAMES: usize = 500;
/// Directories of the file's other values in which a path is looked for: a configuration has one for its files, seldom a second.
const MAX_BASES: usize = 4;
/// Directories of which a server makes the root.
const ROOTS: [&str; 4] = ["assets", "public", "static", "www"];

/// Adds the names in these byte ranges of a file that are files with a typo or moved ones, unless another rule has read them.
pub(crate) fn check(
    source: &Source<'_>,
    project: &Project,
    found: &mut Vec<Checked>,
    kind: LiteralKind,
    ranges: impl IntoIterator<Item = Range<usize>>,
) {
    let is_name = |range: &Range<usize>| {
        let text = &source.text()[range.clone()];
        has_ending(text) && is_path_like(text) && !text.starts_with("../")
    };
    let bases = bases_of(source, found);
    let ranges: Vec<Range<usize>> = ranges.into_iter().collect();
    // A list that has both names means two files: `tsconfig.json` and `jsconfig.json`.
    let is_named = |file: &str| ranges.iter().any(|range| name(&source.text()[range.clone()]) == name(file));
    for range in ranges.iter().filter(|range| is_name(range)).take(MAX_NAMES).cloned() {
        let at = range.start + source.offset()..range.end + source.offset();
        let is_known = || found.iter().any(|other| other.range.start < at.end && at.start < other.range.end);
        if !source.wants(&range) || is_known() {
            continue;
        }
        let paths = places(source, project, &bases, &source.text()[range.clone()]);
        let (verdict, tried) = Lookup::new(project, Want::File).verdict(Severity::Warning, paths.into_iter().map(Some));
        let Verdict::Missing(missing) = &verdict else { continue };
        let is_moved = missing.instead.as_ref().is_some_and(|to| {
            source.text()[range.clone()].starts_with('/') && extension(to) == extension(name(&missing.wanted))
        });
        if is_moved {
            found.push(Checked { kind, range: at, verdict, tried });
        } else if missing.instead.is_none()
            && typo_findings::find_corrected(project, &tried).is_some_and(|corrected| !is_named(&corrected))
        {
            found.push(Checked { kind, range: at, verdict: Verdict::Unknown(Reason::Elsewhere), tried });
        }
    }
}

/// The directories from which the literals found so far resolve.
fn bases_of(source: &Source<'_>, found: &[Checked]) -> Vec<String> {
    let base = |literal: &Checked| {
        let Verdict::Found(target) = &literal.verdict else { return None };
        let range =
            literal.range.start.checked_sub(source.offset())?..literal.range.end.checked_sub(source.offset())?;
        let text = source.text().get(range)?.trim_start_matches("./").trim_start_matches('/');
        let base = target.path.strip_suffix(text)?;
        (base.is_empty() || base.ends_with('/')).then(|| base.trim_end_matches('/').to_owned())
    };
    let mut bases: Vec<String> = found.iter().filter_map(base).collect();
    bases.sort_unstable();
    bases.dedup();
    bases.truncate(MAX_BASES);
    bases
}

/// The paths that a name beside the file or its other values, or an address of a server, can have.
fn places(source: &Source<'_>, project: &Project, bases: &[String], text: &str) -> Vec<String> {
    let here = working_directory(source);
    let path = text.trim_start_matches('/');
    let is_directory = |path: &String| project.tree().kind(path) == Some(Kind::Directory);
    let below = |above| ROOTS.iter().filter_map(move |root| join(above, root)).filter(is_directory);
    let served = ancestors(here).flat_map(|above| std::iter::once(above.to_owned()).chain(below(above)));
    let own = std::iter::once(here.to_owned()).filter(|_| !text.starts_with('/'));
    let bases = own.chain(bases.iter().cloned()).chain(served.filter(|_| text.starts_with('/')));
    bases.filter_map(|base| join(&base, path)).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    const TREE: &str = "conf/alert_rules.yml\nconf/ems_alert_rules.yml\nweb/public/favicon.ico\nweb/public/img/new.png\n\
                        moved web/public/img/old.png web/public/img/new.png";

    #[test]
    fn finds_typos_of_files_beside() {
        let check = |text: &str, expect: &str| check(TREE, "conf/main.yml", text, expect);
        check("rules:\n  - alert_rules.yml\n  - ems_alet_rules.yml\n", "yaml.value ems_alet_rules.yml → missing");
        check("rules: ems_other_rules.yml\n", "");
        let workflow = "jobs:\n  a:\n    steps:\n      - uses: b/c@v1\n        with:\n          file: pubpec.yaml\n";
        crate::testing::check("pubspec.yaml", ".github/workflows/a.yml", workflow, "yaml.value pubpec.yaml → missing");
        check("rules: favcon.ico\n", "");
        check("rules: [ems_alert_rules.yml, ems_alet_rules.yml]\n", "");
        let found = "yaml.value web/public/favicon.ico → web/public/favicon.ico";
        check("a: web/public/favicon.ico\nb: img/nev.png\n", found);
        check("a: ../web/public/favicon.ico\n", "yaml.value ../web/public/favicon.ico → web/public/favicon.ico");
        let tree = "docs/content/guide.md\ndocs/content/tour/start.md\ndocs/content/tour/index.md";
        crate::testing::check(
            tree,
            "docs/menu.yml",
            "a:\n  - guide.md\n  - tour/index.md\nc:\n  - x/y\n  - tour/strat.md\n  - tour/other.md\n",
            "yaml.value guide.md → docs/content/guide.md
             yaml.value tour/index.md → docs/content/tour/index.md
             yaml.value tour/strat.md → missing",
        );
    }

    #[test]
    fn finds_typos_and_moves_of_addresses() {
        let check = |file: &str, text: &str, expect: &str| check(TREE, file, text, expect);
        check("web/public/a.webmanifest", r#"{"src": "/favcon.ico"}"#, "json.value /favcon.ico → missing");
        check("web/static.json", r#"{"a": {"/favcon.ico": {}}}"#, "json.value /favcon.ico → missing");
        check("web/public/a.webmanifest", r#"{"src": "/img/old.png"}"#, "json.value /img/old.png → moved");
        check("web/public/a.webmanifest", r#"{"src": "/other.ico"}"#, "");
    }
}
