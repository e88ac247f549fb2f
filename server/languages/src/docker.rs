//! Dockerfiles: checks the sources that are copied from the build context, and what commands name of them.

mod container;
mod context;
mod ignore;
mod kinds;
mod scan;

use crate::data_report::is_foreign;
use crate::formats::is_dockerfile;
use pathfinder_literals::glob::{first_match, is_glob};
use pathfinder_literals::path::{extension, has_scheme, is_dynamic, join, name, parent};
use pathfinder_literals::{
    Checked, Code, Language, LiteralKind, Lookup, Missing, Project, Reason, Severity, Source, Target, Verdict, Want,
};

use context::BuildContexts;
use scan::CopySource;

/// The [`Language`] of Dockerfiles and Containerfiles.
pub(crate) struct Docker;

impl Language for Docker {
    fn name(&self) -> &'static str {
        "docker"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        is_dockerfile(path)
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        // A template is expanded before Docker reads it.
        if ["{{", "{%", "<%"].iter().any(|mark| source.text().contains(mark)) {
            return;
        }
        let contexts = BuildContexts::for_project(project).contexts_of(source.path());
        let instructions = scan::instructions(source.text());
        for path in container::find_paths(&instructions) {
            if let Some((verdict, tried)) = container::resolve(project, &contexts, &path) {
                let range = path.range.start + source.offset()..path.range.end + source.offset();
                found.push(Checked { kind: kinds::COMMAND, range, verdict, tried });
            }
        }
        let copies = scan::find_sources(&instructions);
        let usual = usual_context(project, &contexts, &copies);
        for copied in copies {
            let kind = if copied.is_add { kinds::ADD } else { kinds::COPY };
            let (mut verdict, tried) = usual
                .and_then(|usual| left_context(project, usual, &copied))
                .unwrap_or_else(|| resolve(project, source.path(), &contexts, &copied));
            if let Verdict::Missing(missing) = &mut verdict
                && is_foreign(source.path())
            {
                missing.severity = Severity::Hint;
            }
            let range = copied.range.start + source.offset()..copied.range.end + source.offset();
            found.push(Checked { kind, range, verdict, tried });
        }
    }
}

/// Returns the only context that has the most sources of a file: the image is built from one.
fn usual_context<'c>(project: &Project, contexts: &'c [String], copies: &[CopySource]) -> Option<&'c str> {
    /// Fewer are in a directory by chance.
    const MIN_SOURCES: usize = 2;
    let has = |context: &str, copied: &CopySource| {
        let path = join(context, copied.text.trim_start_matches('/'));
        path.is_some_and(|path| path != context && project.tree().kind(&path).is_some())
    };
    let count = |context: &String| copies.iter().filter(|copied| has(context, copied)).count();
    let mut counts: Vec<(usize, &String)> = contexts.iter().map(|context| (count(context), context)).collect();
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let next = counts.get(1).map_or(0, |(count, _)| *count);
    let (most, context) = counts.first()?;
    (*most >= MIN_SOURCES && *most > next).then_some(context.as_str())
}

/// The verdict on a source that git moved away in the context of all others, whatever other directory has its path.
fn left_context(project: &Project, context: &str, copied: &CopySource) -> Option<(Verdict, Vec<String>)> {
    let path = join(context, copied.text.trim_start_matches('/'))?;
    let is_left = project.tree().kind(&path).is_none() && project.tree().moved(&path).is_some();
    is_left.then(|| Lookup::new(project, Want::Any).verdict(Severity::Warning, [Some(path)]))
}

/// Returns whether a path has the extension of a source file. Build products have one of these extensions or none.
fn is_source(path: &str) -> bool {
    const BUILT_EXTENSIONS: [&str; 22] = [
        "jar", "war", "ear", "tar", "gz", "tgz", "xz", "bz2", "zip", "deb", "rpm", "apk", "whl", "so", "exe", "bin",
        "img", "wasm", "zst", "dll", "crt", "pem",
    ];
    let end = extension(path);
    !end.is_empty() && !BUILT_EXTENSIONS.contains(&end.as_str()) && !end.bytes().all(|byte| byte.is_ascii_digit())
}

/// The verdict on a source, which any of the contexts may resolve.
fn resolve(project: &Project, file: &str, contexts: &[String], copied: &CopySource) -> (Verdict, Vec<String>) {
    let literal = copied.text.as_ref();
    let unknown = |reason| (Verdict::Unknown(reason), Vec::new());
    if is_dynamic(literal) || literal.contains('$') {
        return unknown(Reason::Dynamic);
    }
    if has_scheme(literal) || literal.starts_with("git@") || extension(literal) == "git" {
        return unknown(Reason::Elsewhere);
    }
    // Nothing is above the context: `/x` and `../x` are `x`.
    let path = join("", literal.trim_start_matches('/')).unwrap_or_default();
    if path.is_empty() {
        return unknown(Reason::Elsewhere);
    }
    let inside: Vec<String> = contexts.iter().filter_map(|context| join(context, &path)).collect();
    let Ok(there) = find_first(project, &inside) else { return unknown(Reason::Undecided("a pattern".to_owned())) };
    if let Some(found) = there {
        if is_glob(&path) {
            return (Verdict::Found(Target { path: found }), inside);
        }
        return check_ignored(project, file, contexts, &path, found, inside);
    }
    // A directory or program without sources beside it is built before the image.
    let directory_there = contexts
        .iter()
        .filter_map(|context| join(context, parent(&path)))
        .any(|at| !parent(&path).is_empty() && !project.tree().names(&at).is_empty());
    let literal = !is_glob(&path);
    if literal
        && !is_source(&path)
        && !(directory_there && project.has_name(name(&path).split('.').next().unwrap_or("")))
    {
        return (Verdict::Unknown(Reason::Produced("a build step before the image".to_owned())), inside);
    }
    // `COPY package.json yarn.lock* ./`: the pattern may match nothing.
    if !literal && !copied.is_only_source {
        return unknown(Reason::Optional);
    }
    if !literal && !directory_there {
        return unknown(Reason::Produced("a build step before the image".to_owned()));
    }
    if let Some(by) = BuildContexts::for_project(project).find_writer(name(&path)) {
        return (Verdict::Unknown(Reason::Produced(by)), inside);
    }
    let lookup = Lookup::new(project, Want::Any);
    let outcome = lookup.verdict(Severity::Warning, inside.into_iter().map(Some));
    match outcome {
        (Verdict::Missing(missing), tried) if missing.instead.is_none() && has_context_below(project, file, &path) => {
            (Verdict::Unknown(Reason::Undecided("the directory that the image is built from".to_owned())), tried)
        }
        outcome => outcome,
    }
}

/// Returns whether a directory beside a `Dockerfile.x` has the source. Such a file is named by the command that builds it, and so is
/// the directory.
fn has_context_below(project: &Project, file: &str, path: &str) -> bool {
    let directory = parent(file);
    let tree = project.tree();
    let has_it =
        |name: &String| join(directory, &format!("{name}/{path}")).is_some_and(|path| tree.kind(&path).is_some());
    name(file) != "Dockerfile" && tree.names(directory).iter().any(has_it)
}

/// The first existing path, or first match of a pattern.
fn find_first(project: &Project, paths: &[String]) -> Result<Option<String>, globset::Error> {
    for path in paths {
        if project.tree().kind(path).is_some() {
            return Ok(Some(path.clone()));
        }
        // Docker patterns have no braces.
        if is_glob(path)
            && !path.contains('{')
            && let Some(found) = first_match(project, path)?
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Checks an existing path against the ignore rules. It is broken only if every context that contains it excludes it.
fn check_ignored(
    project: &Project,
    file: &str,
    contexts: &[String],
    path: &str,
    found: String,
    inside: Vec<String>,
) -> (Verdict, Vec<String>) {
    let having =
        contexts.iter().filter(|context| join(context, path).is_some_and(|path| project.tree().kind(&path).is_some()));
    let by: Option<Vec<String>> = having.map(|context| ignore::excluding_rule(project, file, context, path)).collect();
    match by.and_then(|by| by.into_iter().next()) {
        None => (Verdict::Found(Target { path: found }), inside),
        Some(rule) => {
            let reason = format!("excluded from the build context by `{rule}`");
            let code = Code::DockerIgnoredTarget;
            let missing =
                Missing { code, severity: Severity::Error, reason, wanted: found, want: Want::File, instead: None };
            (Verdict::Missing(missing), inside)
        }
    }
}

#[cfg(test)]
mod tests;
