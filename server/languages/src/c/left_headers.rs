//! `LeftHeaders`: the headers that recent commits moved, by their earlier names.

use pathfinder_literals::path::name;
use pathfinder_literals::{Lookup, Project, ProjectIndex, Report, Resolution, Severity, Want};
use rustc_hash::FxHashMap;

use super::external::is_external_name;
use super::headers::is_header;
use super::is_c;
use super::scan::{Include, IncludeForm};

/// The verdict on a quoted include that only one moved header can have resolved, whatever directories the compiler searches. No header has
/// its name any more.
pub(super) fn resolve(report: &Report<'_>, include: &Include, tail: &str, severity: Severity) -> Option<Resolution> {
    if include.form != IncludeForm::Quoted || is_external_name(tail) {
        return None;
    }
    let from = report.project.index::<LeftHeaders>().only_from(tail)?;
    // A header that became a template of one is made from that.
    let is_included = report.project.tree().moved(from).is_some_and(|moved| is_c(&moved.to));
    is_included.then(|| Lookup::new(report.project, Want::File).verdict(severity, [Some(from.to_owned())]))
}

/// The earlier paths of moved headers, by their last names.
struct LeftHeaders(FxHashMap<String, Vec<String>>);

impl ProjectIndex for LeftHeaders {
    fn build(project: &Project) -> Self {
        let mut by_name: FxHashMap<String, Vec<String>> = FxHashMap::default();
        for (from, _) in project.tree().recent_moves().into_iter().filter(|(from, _)| is_header(from)) {
            by_name.entry(name(&from).to_owned()).or_default().push(from);
        }
        Self(by_name)
    }
}

impl LeftHeaders {
    /// The only earlier path of a header that ends in these names.
    fn only_from(&self, tail: &str) -> Option<&str> {
        let is_end =
            |path: &&String| path.strip_suffix(tail).is_some_and(|base| base.is_empty() || base.ends_with('/'));
        let mut all = self.0.get(name(tail))?.iter().filter(is_end);
        let (only, None) = (all.next()?, all.next()) else { return None };
        Some(only)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn follows_the_only_header_that_left() {
        let tree = "src/ogre/scene.inl\nsrc/b/new.h.in\nmoved src/ogre/importer.hpp src/ogre/scene.inl\nmoved src/b/made.h src/b/new.h.in";
        let text = "#include \"importer.hpp\"\n#include <importer.hpp>\n#include \"made.h\"\n#include \"zlib.h\"\n";
        check(
            tree,
            "app/a.cpp",
            text,
            "c.include importer.hpp → moved
             c.include_angle importer.hpp → unknown elsewhere
             c.include made.h → unknown elsewhere
             c.include zlib.h → unknown elsewhere",
        );
    }
}
