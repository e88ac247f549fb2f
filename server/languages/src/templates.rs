//! Templates that name others: Django, Jinja, Nunjucks, Twig, and the pages of sites that use Liquid.
//!
//! A name is relative to one of several directories, which settings of the program decide. So it leads to any file that has it below
//! the template's own directories, below a directory of templates, or as the last segments of its path.

mod kinds;
mod roots;
mod scan;
#[cfg(test)]
mod tests;

use pathfinder_literals::path::{ancestors, extension, is_dynamic, is_within, join, name, parent};
use pathfinder_literals::report::{find_moved_target, is_fixture, is_own_template, unknown};
use pathfinder_literals::{
    Checked, Kind, Language, LiteralKind, Lookup, Project, Reason, Report, Resolution, Severity, Source, Target,
    Verdict, Want,
};

use roots::TemplateRoots;
use scan::TemplateName;

/// Paths of an undecided name that are kept for the search for typos.
const MAX_TRIED_PATHS: usize = 8;

/// The [`Language`] of templates.
pub(crate) struct Templates;

impl Language for Templates {
    fn name(&self) -> &'static str {
        "template"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        is_template(path)
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        let mut report = Report::new(source, project, found);
        for name in scan::find_names(text) {
            if let Some(resolution) = resolve(&report, &name, &text[name.range.clone()]) {
                report.add(kinds::TEMPLATE, name.range.start, name.range.len(), resolution);
            }
        }
    }
}

/// Returns whether a file can be a template with statements.
fn is_template(path: &str) -> bool {
    match extension(path).as_str() {
        "html" | "htm" | "j2" | "jinja" | "jinja2" | "liquid" | "njk" | "nunjucks" | "twig" => true,
        "js" | "txt" | "xml" => path.split('/').any(|segment| segment == "templates"),
        _ => false,
    }
}

/// The verdict on a name; `None` if a word without quotes is none.
fn resolve(report: &Report<'_>, name: &TemplateName, written: &str) -> Option<Resolution> {
    let project = report.project;
    let file = report.source.path();
    let all = project.index::<TemplateRoots>();
    let roots: Vec<&str> = all.iter().filter(|root| !name.is_bare || is_includes(root)).collect();
    if name.is_bare && roots.is_empty() {
        return None;
    }
    if is_dynamic(written) || written.contains(['!', '@', ':', '\\', '\n']) {
        return Some(unknown(Reason::Dynamic));
    }
    if extension(written).is_empty() {
        let is_liquid = extension(file) == "liquid" && !name.is_bare && !written.starts_with('.');
        return Some(if is_liquid { resolve_liquid(report, &roots, written) } else { unknown(Reason::Dynamic) });
    }
    let is_input = is_fixture(file) && !is_own_template(file);
    let severity = if is_input { Severity::Hint } else { Severity::Warning };
    if written.starts_with("./") || written.starts_with("../") {
        // No name leads out of the directory from which templates are named.
        let own = ancestors(parent(file)).find(|root| roots.contains(root)).unwrap_or_default();
        let path = join(parent(file), written).filter(|path| own.is_empty() || is_within(path, own));
        return Some(Lookup::new(project, Want::File).verdict(severity, [path]));
    }
    let above: Vec<&str> = if name.is_bare { Vec::new() } else { ancestors(parent(file)).collect() };
    if let Some(found) = find(project, &above, &roots, written) {
        let is_open = matches!(found.0, Verdict::Unknown(_));
        let moved = is_open.then(|| moved_below(project, severity, &roots, written)).flatten();
        return Some(moved.unwrap_or(found));
    }
    let own = above.iter().copied().filter(|root| roots.contains(root));
    let paths: Vec<String> = own.chain(roots.iter().copied()).filter_map(|root| join(root, written)).collect();
    let candidates = paths.iter().cloned().map(Some);
    if let Some(moved) = find_moved_target(project, Want::File, severity, written, candidates) {
        return Some(moved);
    }
    let is_known = |path: &&String| written.contains('/') && project.tree().kind(parent(path)) == Some(Kind::Directory);
    match paths.iter().find(is_known) {
        Some(path) if !name.is_bare && !name.is_optional => {
            Some(Lookup::new(project, Want::File).verdict(severity, [Some(path.clone())]))
        }
        _ => {
            let reason = if name.is_optional { Reason::Optional } else { Reason::Elsewhere };
            // Those of the directories around the file come first: its application's.
            let is_around = |root: &&str| parent(root).is_empty() || is_within(file, parent(root));
            let (around, others): (Vec<&str>, Vec<&str>) = roots.iter().copied().partition(is_around);
            // A page can extend one of its own directory.
            let own = above.first().copied().filter(|own| !around.contains(own));
            let near = own.into_iter().chain(around).chain(others).filter_map(|root| join(root, written));
            Some((Verdict::Unknown(reason), near.take(MAX_TRIED_PATHS).collect()))
        }
    }
}

/// The verdict on a name of Liquid without an ending, which a partial can begin with an underscore. Programs choose the directories, of
/// which a shop has `snippets`.
fn resolve_liquid(report: &Report<'_>, roots: &[&str], written: &str) -> Resolution {
    let tree = report.project.tree();
    let (directory, name) = written.rsplit_once('/').map_or(("", written), |(directory, name)| (directory, name));
    let above = ancestors(parent(report.source.path())).flat_map(|at| [Some(at.to_owned()), join(at, "snippets")]);
    let bases = above.flatten().chain(roots.iter().map(|root| (*root).to_owned()));
    let paths = bases.flat_map(|base| {
        let below = join(&base, directory);
        ["", "_"].map(|mark| join(below.as_deref()?, &format!("{mark}{name}.liquid")))
    });
    let mut there: Vec<String> = paths.flatten().filter(|path| tree.kind(path) == Some(Kind::File)).collect();
    there.sort();
    there.dedup();
    match there.len() {
        0 => unknown(Reason::Elsewhere),
        1 => (Verdict::Found(Target { path: there[0].clone() }), there),
        _ => unknown(Reason::Undecided(there.swap_remove(0))),
    }
}

/// Looks for the file that a name leads to. If several have it, settings decide.
fn find(project: &Project, above: &[&str], roots: &[&str], written: &str) -> Option<Resolution> {
    let tree = project.tree();
    for bases in [above, roots] {
        let paths = bases.iter().filter_map(|base| join(base, written));
        let mut there: Vec<String> = paths.filter(|path| tree.kind(path) == Some(Kind::File)).collect();
        there.dedup();
        match there.len() {
            0 => {}
            1 => return Some((Verdict::Found(Target { path: there[0].clone() }), there)),
            _ => return Some((Verdict::Unknown(Reason::Undecided(there.swap_remove(0))), Vec::new())),
        }
    }
    match project.find_all_by_suffix(written, 2).as_slice() {
        [path] if written.contains('/') => {
            let path = (*path).to_owned();
            Some((Verdict::Found(Target { path: path.clone() }), vec![path]))
        }
        [] => None,
        [path, ..] => Some((Verdict::Unknown(Reason::Undecided((*path).to_owned())), Vec::new())),
    }
}

/// The verdict on a name that led to a file of a directory of templates until a commit moved it further down: from there, no other
/// directory of templates leads to it.
fn moved_below(project: &Project, severity: Severity, roots: &[&str], written: &str) -> Option<Resolution> {
    let tree = project.tree();
    let is_moved = |(root, path): &(&str, String)| {
        let moved = tree.moved(path).filter(|_| tree.kind(path).is_none());
        moved.is_some_and(|moved| {
            let new_root = moved.to.strip_suffix(written).map(|root| root.trim_end_matches('/'));
            is_within(&moved.to, root) && new_root.is_some_and(|root| !roots.contains(&root))
        })
    };
    let mut paths = roots.iter().filter_map(|root| Some((*root, join(root, written)?)));
    let (_, path) = paths.find(is_moved)?;
    Some(Lookup::new(project, Want::File).verdict(severity, [Some(path)]))
}

/// Returns whether names without quotes are relative to a directory.
fn is_includes(root: &str) -> bool {
    name(root) == "_includes"
}
