//! Checks `AsciiDoc`: includes, images, cross references and links to files.

mod antora;
mod attributes;
mod kinds;
mod learned_attributes;
mod scan;
#[cfg(test)]
mod tests;

use crate::documents::doc_sites::{DocSites, Generator};
use crate::documents::markdown::classify::{is_placeholder, suppress_if_detached};
use crate::learned_bases;
use pathfinder_literals::path::{extension, has_scheme, is_dynamic, join, parent, percent_decoded, strip_parent_steps};
use pathfinder_literals::{
    Checked, Code, Language, LiteralKind, Lookup, Project, Reason, Resolution, Severity, Source, Verdict, Want,
};
use std::ops::Range;

use antora::ResourceId;
use attributes::Attributes;
use learned_attributes::LearnedAttributes;
use scan::AsciiDocMacro;

/// The `AsciiDoc` language.
pub(crate) struct AsciiDoc;

impl Language for AsciiDoc {
    fn name(&self) -> &'static str {
        "adoc"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        scan::is_document(path)
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        // An ASCII-armored key has the same extension.
        if source.text().starts_with("-----BEGIN") {
            return;
        }
        let sites = project.index::<DocSites>().containing(project.tree(), source.path());
        let document = AsciiDocDocument {
            source,
            project,
            is_in_antora: sites.iter().any(|site| site.generator == Generator::Antora),
            images_directory: scan::attribute_value(source.text(), "imagesdir"),
            attributes: Attributes::parse(source.text(), source.directory()),
        };
        scan::find_macros(source.text(), &mut |reference| document.add(&reference, found));
    }
}

/// A document, with the settings that affect its macros.
struct AsciiDocDocument<'p> {
    source: &'p Source<'p>,
    project: &'p Project,
    /// True if paths are those of Antora's modules, and not of files.
    is_in_antora: bool,
    /// The directory of images that the document sets.
    images_directory: Option<&'p str>,
    /// The directories that its attributes lead to.
    attributes: Attributes,
}

impl AsciiDocDocument<'_> {
    /// Adds one macro with its verdict.
    fn add(&self, reference: &AsciiDocMacro<'_>, found: &mut Vec<Checked>) {
        let written = reference.written;
        // Before the first colon of a resource id is a module.
        let is_id = self.is_in_antora && reference.kind != kinds::LINK && !written.contains("://");
        if written.is_empty() || has_scheme(written) && !is_id || written.starts_with('#') {
            return;
        }
        let path = pathfinder_literals::path::without_query(written);
        if let Some((range, (verdict, tried))) = self.resolve_resource(reference) {
            let start = reference.range.start + self.source.offset();
            let range = start + range.start..start + range.end;
            found.push(Checked { kind: reference.kind, range, verdict, tried });
            return;
        }
        // A reference without an extension names a section.
        if reference.kind == kinds::XREF && extension(path).is_empty() {
            return;
        }
        let is_computed = is_dynamic(written) || written.contains(['{', '*', '<', '$']);
        let (verdict, tried) = if is_computed {
            self.resolve_attribute(written).unwrap_or((Verdict::Unknown(Reason::Dynamic), Vec::new()))
        } else if self.is_in_antora && (reference.kind != kinds::INCLUDE || !path.contains('/')) || path.contains('$') {
            (Verdict::Unknown(Reason::Undecided("the modules of Antora".to_owned())), Vec::new())
        } else {
            self.resolve(reference, &percent_decoded(path))
        };
        let verdict = match verdict {
            // One that may be missing is stale as soon as it is known where it went.
            Verdict::Missing(missing) if reference.is_optional && missing.instead.is_none() => {
                Verdict::Unknown(Reason::Optional)
            }
            verdict if is_computed => verdict,
            Verdict::Missing(_) if is_placeholder(path) => Verdict::Unknown(Reason::Elsewhere),
            // From wherever it is read, it is the end of no path.
            Verdict::Missing(missing) if missing.code == Code::MovedPath && !self.has_end(path) => {
                Verdict::Missing(missing)
            }
            verdict => suppress_if_detached(self.source.path(), verdict),
        };
        let range = reference.range.start + self.source.offset()..reference.range.end + self.source.offset();
        found.push(Checked { kind: reference.kind, range, verdict, tried });
    }

    /// Returns whether a path of the project ends with the names of a target.
    fn has_end(&self, target: &str) -> bool {
        strip_parent_steps(target).is_some_and(|tail| self.project.find_by_suffix(&tail).is_some())
    }

    /// Resolves a target below an attribute; `None` if it is not known where that leads.
    fn resolve_attribute(&self, written: &str) -> Option<Resolution> {
        let (attribute, rest) = attributes::split(pathfinder_literals::path::without_query(written))?;
        let own = self.attributes.path_of(attribute, rest);
        let learned = || self.project.index::<LearnedAttributes>().path_of(attribute, rest);
        own.or_else(learned).map(|path| learned_bases::resolve(self.project, Severity::Warning, path))
    }

    /// Resolves a resource id of Antora that names a file, and returns the range of its path; `None` for another reference.
    fn resolve_resource(&self, reference: &AsciiDocMacro<'_>) -> Option<(Range<usize>, Resolution)> {
        let written = reference.written;
        let family = match reference.kind {
            kinds::IMAGE => "image",
            kinds::XREF => "page",
            // Without a family, an include and a link are relative to their file.
            _ if written.contains('$') => "partial",
            _ => return None,
        };
        let is_relative = written.starts_with('.') || written.starts_with('/');
        let is_computed = is_relative || reference.is_optional || written.contains(['{', '*', '<', '%', ' ']);
        let id = ResourceId::parse(written, family)
            .filter(|_| !is_computed && (self.is_in_antora || written.contains('$')))?;
        let path = &written[id.path.clone()];
        let severity = if reference.kind == kinds::INCLUDE { Severity::Error } else { Severity::Warning };
        let has_extension = !extension(path).is_empty();
        let resolution = has_extension.then(|| id.resolve(self.project, self.source.path(), path, severity))??;
        Some((id.path, resolution))
    }

    /// Resolves the target of one macro.
    fn resolve(&self, reference: &AsciiDocMacro<'_>, path: &str) -> (Verdict, Vec<String>) {
        let undecided = |by: &str| (Verdict::Unknown(Reason::Undecided(by.to_owned())), Vec::new());
        if path.starts_with('/') {
            return undecided("where the documents begin");
        }
        let here = self.source.directory();
        let tree = self.project.tree();
        let mut candidates = vec![join(here, path)];
        match reference.kind {
            kinds::IMAGE => match self.images_directory {
                Some(images_directory)
                    if images_directory.contains(['{', '$'])
                        || has_scheme(images_directory)
                        || images_directory.starts_with('/') =>
                {
                    return (Verdict::Unknown(Reason::Dynamic), Vec::new());
                }
                Some(images_directory) => {
                    let base = join(here, images_directory);
                    // It exists beside the published document.
                    let is_elsewhere = base.as_deref().is_some_and(|base| tree.kind(base).is_none());
                    candidates = vec![base.and_then(|base| join(&base, path)), join(here, path)];
                    candidates.extend(is_elsewhere.then(|| self.nearby_images(path).map(Some)).into_iter().flatten());
                    let is_there = |path: &String| tree.kind(path).is_some();
                    if is_elsewhere && !candidates.iter().flatten().any(is_there) {
                        return undecided("where images are");
                    }
                }
                // The command line, or a document that includes this one, can set the directory of images.
                None if !extension(path).is_empty() => candidates.extend(self.nearby_images(path).map(Some)),
                None => return undecided("what the image is"),
            },
            // A page of the site, built from a document.
            kinds::LINK if matches!(extension(path).as_str(), "html" | "htm" | "pdf" | "") => {
                let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
                let sources = [".adoc", ".asciidoc", ".md"].map(|ending| format!("{stem}{ending}"));
                candidates.extend(sources.iter().map(|source| join(here, source)));
                if !candidates.iter().flatten().any(|path| tree.kind(path).is_some()) {
                    return undecided("what makes the pages");
                }
            }
            kinds::XREF if extension(path) == "html" => return undecided("what makes the pages"),
            _ => {}
        }
        // An included document is read in the place of the include, except for its own includes.
        if reference.kind != kinds::INCLUDE {
            let mut here = here;
            while !here.is_empty() {
                here = parent(here);
                candidates.extend(join(here, path).filter(|path| tree.kind(path).is_some()).map(Some));
            }
        }
        let is_there = |path: &Option<String>| path.as_deref().is_some_and(|path| tree.kind(path).is_some());
        if reference.kind == kinds::IMAGE
            && self.images_directory.is_none()
            && !path.contains('/')
            && !candidates.iter().any(is_there)
        {
            return undecided("where images are");
        }
        let severity = if reference.kind == kinds::INCLUDE { Severity::Error } else { Severity::Warning };
        let want = match reference.kind {
            kinds::LINK if path.ends_with('/') => Want::Directory,
            kinds::LINK => Want::Any,
            _ => Want::File,
        };
        Lookup::new(self.project, want).verdict(severity, candidates)
    }

    /// The image in any directory of images beside the document or above it.
    fn nearby_images<'s>(&'s self, path: &'s str) -> impl Iterator<Item = String> + 's {
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
