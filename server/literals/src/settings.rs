//! `ProjectSettings`: aliases and site roots from the user's settings, and the lookup that applies them after a check.

use crate::checked::{Checked, Severity, Target, Verdict, Want};
use crate::lookup::Lookup;
use crate::path::{join, percent_decoded, without_query};
use crate::project::Project;
use crate::source::Source;

/// Settings for literals. They decide only where no other rule found a target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectSettings {
    /// Prefixes of literals with the directory that each stands for, relative to the root: `("@/", "src")`.
    pub aliases: Vec<(String, String)>,
    /// Directories that `/` can stand for in the pages of a site.
    pub site_roots: Vec<String>,
}

/// Looks a literal up again by the settings, unless its target was found.
pub(crate) fn apply(settings: &ProjectSettings, source: &Source<'_>, project: &Project, checked: &mut Checked) {
    if matches!(checked.verdict, Verdict::Found(_)) {
        return;
    }
    let range = checked.range.start - source.offset()..checked.range.end - source.offset();
    let Some(written) = source.text().get(range) else { return };
    let path = percent_decoded(without_query(written));
    let alias = settings.aliases.iter().find_map(|(prefix, to)| Some((path.strip_prefix(prefix.as_str())?, to)));
    if let Some((rest, to)) = alias {
        // Tools that support aliases let literals omit the extension.
        let mut lookup = Lookup::new(project, Want::Any);
        let path = join(to, rest);
        let ending = path.as_deref().and_then(|path| project.find_with_extension(path));
        let there = lookup.first(std::iter::once(path).chain(ending.map(Some)));
        (checked.verdict, checked.tried) = match there {
            Some(path) => (Verdict::Found(Target { path }), Vec::new()),
            None => lookup.missing(Severity::Warning),
        };
    } else if let Some(rest) = path.strip_prefix('/') {
        let mut lookup = Lookup::new(project, Want::Any);
        let roots = settings.site_roots.iter().map(|root| join(root, rest));
        if let Some(path) = lookup.first(roots) {
            checked.verdict = Verdict::Found(Target { path });
        }
    }
}
