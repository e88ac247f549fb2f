//! `AsciiDoc`: includes, images, cross references and links to files.

mod scan;
#[cfg(test)]
mod tests;

use crate::checked::{Checked, Reason, Severity, Verdict};
use crate::language::Language;
use crate::language::doc_sites::DocSites;
use crate::language::doc_sites::Generator;
use crate::language::markdown::{is_made_up, seen_as_written};
use crate::lookup::{Lookup, Want};
use crate::path::{extension, has_scheme, is_dynamic, join, parent, percent_decoded};
use crate::project::Project;
use crate::source::Source;

use scan::Macro;

/// The language.
pub(crate) struct AsciiDoc;

impl Language for AsciiDoc {
    fn name(&self) -> &'static str {
        "adoc"
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "adoc" | "asciidoc" | "asc")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        // An armoured key has the same extension.
        if source.text().starts_with("-----BEGIN") {
            return;
        }
        let sites = project.index::<DocSites>().containing(project.tree(), source.path());
        let page = Page {
            source,
            project,
            in_antora: sites.iter().any(|site| site.generator == Generator::Antora),
            images: scan::attribute(source.text(), "imagesdir"),
        };
        scan::macros(source.text(), &mut |one| page.add(&one, found));
    }
}

struct Page<'p> {
    source: &'p Source<'p>,
    project: &'p Project,
    /// Whether paths are those of Antora's modules, and not of files.
    in_antora: bool,
    /// Where the document says that images are.
    images: Option<&'p str>,
}

impl Page<'_> {
    fn add(&self, one: &Macro<'_>, found: &mut Vec<Checked>) {
        let says = one.says;
        if says.is_empty() || has_scheme(says) || says.starts_with('#') {
            return;
        }
        let path = crate::path::without_query(says);
        // A reference without an extension is to a section.
        if one.kind == "adoc.xref" && extension(path).is_empty() {
            return;
        }
        let is_computed = is_dynamic(says) || says.contains(['{', '*', '<', '$']);
        let (verdict, tried) = if is_computed {
            (Verdict::Unknown(Reason::Dynamic), Vec::new())
        } else if self.in_antora && (one.kind != "adoc.include" || !path.contains('/')) || path.contains('$') {
            (Verdict::Unknown(Reason::Undecided("the modules of Antora".to_owned())), Vec::new())
        } else {
            self.follow(one, &percent_decoded(path))
        };
        let verdict = match verdict {
            Verdict::Missing(_) if one.is_optional => Verdict::Unknown(Reason::Optional),
            Verdict::Missing(_) if is_made_up(path) => Verdict::Unknown(Reason::Elsewhere),
            verdict => seen_as_written(self.source.path(), verdict),
        };
        let range = one.range.start + self.source.offset()..one.range.end + self.source.offset();
        found.push(Checked { kind: one.kind, range, verdict, tried });
    }

    fn follow(&self, one: &Macro<'_>, path: &str) -> (Verdict, Vec<String>) {
        let undecided = |by: &str| (Verdict::Unknown(Reason::Undecided(by.to_owned())), Vec::new());
        if path.starts_with('/') {
            return undecided("where the documents begin");
        }
        let here = self.source.directory();
        let tree = self.project.tree();
        let mut places = vec![join(here, path)];
        match one.kind {
            "adoc.image" => match self.images {
                Some(images) if images.contains(['{', '$']) || has_scheme(images) || images.starts_with('/') => {
                    return (Verdict::Unknown(Reason::Dynamic), Vec::new());
                }
                Some(images) => places = vec![join(here, images).and_then(|base| join(&base, path)), join(here, path)],
                // The command line, or a document that includes this one, can say where images are.
                None if !extension(path).is_empty() => places.extend(self.images_around(path).map(Some)),
                None => return undecided("what the image is"),
            },
            // A page of the site, made from a document.
            "adoc.link" if matches!(extension(path).as_str(), "html" | "htm" | "pdf" | "") => {
                let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
                let sources = [".adoc", ".asciidoc", ".md"].map(|ending| format!("{stem}{ending}"));
                places.extend(sources.iter().map(|source| join(here, source)));
                if !places.iter().flatten().any(|path| tree.kind(path).is_some()) {
                    return undecided("what makes the pages");
                }
            }
            "adoc.xref" if extension(path) == "html" => return undecided("what makes the pages"),
            _ => {}
        }
        // A document that is included elsewhere is read as if it stood there; includes themselves are not.
        if one.kind != "adoc.include" {
            let mut here = here;
            while !here.is_empty() {
                here = parent(here);
                places.extend(join(here, path).filter(|path| tree.kind(path).is_some()).map(Some));
            }
        }
        let is_there = |path: &Option<String>| path.as_deref().is_some_and(|path| tree.kind(path).is_some());
        if one.kind == "adoc.image" && self.images.is_none() && !path.contains('/') && !places.iter().any(is_there) {
            return undecided("where images are");
        }
        let severity = if one.kind == "adoc.include" { Severity::Error } else { Severity::Warning };
        let want = match one.kind {
            "adoc.link" if path.ends_with('/') => Want::Directory,
            "adoc.link" => Want::Any,
            _ => Want::File,
        };
        Lookup::new(self.project, want).verdict(severity, places)
    }

    /// The image wherever directories of images are, beside the document and above.
    fn images_around<'s>(&'s self, path: &'s str) -> impl Iterator<Item = String> + 's {
        let tree = self.project.tree();
        let mut here = Some(self.source.directory());
        std::iter::from_fn(move || {
            let at = here?;
            here = (!at.is_empty()).then(|| parent(at));
            Some(at)
        })
        .flat_map(|at| {
            ["images", "img", "assets", "assets/images", "resources/images", "static"].map(|name| (at, name))
        })
        .filter_map(move |(at, name)| join(at, name).and_then(|base| join(&base, path)))
        .filter(move |path| tree.kind(path).is_some())
    }
}
