//! Resolves the resource ids of Antora: `partial$a/b.adoc`, `module:page.adoc`.
//!
//! A module is a directory below `modules`, and has one directory for each family of files. Modules of the same name in several places
//! of a repository are one module of the site.

use std::ops::Range;

use pathfinder_literals::path::join;
use pathfinder_literals::report::find_moved_target;
use pathfinder_literals::{Lookup, Project, Reason, Resolution, Severity, Target, Verdict, Want};

/// The families, and their directories in a module.
const FAMILIES: [(&str, &str); 5] = [
    ("attachment", "attachments"),
    ("example", "examples"),
    ("image", "images"),
    ("page", "pages"),
    ("partial", "partials"),
];

/// A resource id that names a file of the own component.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ResourceId<'t> {
    /// The name of the module; `None` for that of the file.
    module: Option<&'t str>,
    /// The directory of the family.
    family: &'static str,
    /// The byte range of the path below that directory.
    pub(super) path: Range<usize>,
}

impl<'t> ResourceId<'t> {
    /// Parses an id; `family` is the one of ids that name none. `None` for ids of other components and versions.
    pub(super) fn parse(written: &'t str, family: &str) -> Option<Self> {
        let end = written.find(['#', '?']).unwrap_or(written.len());
        let (mut at, mut module) = (0, None);
        if let Some(colon) = written[..end].find(':') {
            module = Some(&written[..colon]);
            at = colon + 1;
        }
        let mut family = family;
        if let Some(dollar) = written[at..end].find('$') {
            family = &written[at..at + dollar];
            at += dollar + 1;
        }
        let is_own = !written[at..end].contains([':', '@', '$']) && module.is_none_or(|module| !module.contains('@'));
        let directory = FAMILIES.iter().find(|(name, _)| *name == family)?.1;
        (is_own && at < end && module != Some("")).then_some(Self { module, family: directory, path: at..end })
    }

    /// Resolves the id with the path `path` in a file; `None` if the file is in no module.
    pub(super) fn resolve(&self, project: &Project, file: &str, path: &str, severity: Severity) -> Option<Resolution> {
        let unknown = || Verdict::Unknown(Reason::Undecided("the modules of Antora".to_owned()));
        let modules = file.rfind("/modules/").map(|at| at + 1).or_else(|| file.starts_with("modules/").then_some(0))?;
        let modules = modules + "modules/".len();
        let own = file[modules..].split('/').next()?;
        let below = |module: &str| join(&format!("modules/{module}/{}", self.family), path);
        let Some(tail) = below(self.module.unwrap_or(own)) else { return Some((unknown(), Vec::new())) };
        let root = &file[..modules - "modules/".len()];
        let here = format!("{root}{tail}");
        let tried = vec![here.clone()];
        if project.tree().kind(&here).is_some() {
            return Some(Lookup::new(project, Want::File).verdict(severity, [Some(here)]));
        }
        // Another directory of the component.
        match project.find_all_by_suffix(&tail, 2).as_slice() {
            [other] => return Some((Verdict::Found(Target { path: (*other).to_owned() }), tried)),
            [] => {}
            _ => return Some((unknown(), tried)),
        }
        let moved = find_moved_target(project, Want::File, severity, &tail, [Some(here)]);
        Some(moved.unwrap_or((unknown(), tried)))
    }
}

#[cfg(test)]
mod tests {
    use super::ResourceId;

    #[test]
    fn parses_ids() {
        let check = |written: &str, expect: Option<(Option<&str>, &str, &str)>| {
            let id = ResourceId::parse(written, "page");
            assert_eq!(id.map(|id| (id.module, id.family, &written[id.path])), expect, "{written}");
        };
        check("a/b.adoc", Some((None, "pages", "a/b.adoc")));
        check("m:b.adoc#c", Some((Some("m"), "pages", "b.adoc")));
        check("partial$b.adoc", Some((None, "partials", "b.adoc")));
        check("m:example$b.xml", Some((Some("m"), "examples", "b.xml")));
        check("c:m:b.adoc", None);
        check("2.0@b.adoc", None);
        check("2.0@m:b.adoc", None);
        check("other$b.adoc", None);
        check("partial$", None);
        check(":b.adoc", None);
        check("é:é$é", None);
    }
}
