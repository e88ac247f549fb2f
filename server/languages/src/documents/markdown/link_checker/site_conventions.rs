//! `SiteConventions`: which forms of links resolve on the other pages of a site. A new page has too few links of its own to show it.

use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::{LinkChecker, MIN_CONVENTION_LINKS};
use crate::documents::doc_sites::{DocSite, DocSites};
use crate::documents::markdown::links::{self, Dialect};
use pathfinder_literals::path::{extension, parent};
use pathfinder_literals::{Project, ProjectIndex, Source, Verdict};

/// Maximum number of pages that one page learns from, the nearest first. A form that so many pages do not use is rare.
const MAX_PAGES: usize = 32;

/// Minimum number of other pages with links of a form that resolve. One page can have been written for another site.
const MIN_PAGES: usize = 2;

/// Minimum number of links of a form that resolve for each one that is missing. Where a build makes a part of the pages, many are
/// missing. A page shows this of itself with [`MIN_CONVENTION_LINKS`]; other pages say less about it.
const MIN_LINKS_PER_MISSING: usize = 10;

/// Number of links of one form.
#[derive(Clone, Copy, Default)]
pub(super) struct FormCount {
    pub(super) found: usize,
    pub(super) missing: usize,
}

/// The links of one page by their form.
type PageForms = FxHashMap<String, FormCount>;

/// The forms of links on the pages of a project. Each page is read at most once. The counts are not updated when a page changes:
/// the convention of a site does not change with one page.
#[derive(Default)]
pub(super) struct SiteConventions {
    pages: Mutex<FxHashMap<String, Arc<PageForms>>>,
    /// Paths of the nearest pages, by directory.
    nearest: Mutex<FxHashMap<String, Arc<[String]>>>,
}

impl ProjectIndex for SiteConventions {
    fn build(_project: &Project) -> Self {
        Self::default()
    }
}

impl SiteConventions {
    /// Returns whether the other pages of a page's site show that links of a form lead to files. `own` counts the page's own links.
    pub(super) fn is_usual(
        &self,
        project: &Project,
        source: &Source<'_>,
        site: &DocSite,
        form: &str,
        own: FormCount,
    ) -> bool {
        let mut all = own;
        let mut pages = 0;
        for path in self.nearest(project, source.directory(), site).iter().filter(|path| *path != source.path()) {
            let Some(count) = self.forms(project, path).get(form).copied() else { continue };
            all.found += count.found;
            all.missing += count.missing;
            pages += usize::from(count.found > 0);
        }
        pages >= MIN_PAGES && all.found >= MIN_CONVENTION_LINKS && all.found >= MIN_LINKS_PER_MISSING * all.missing
    }

    /// Returns the pages of a site that are nearest to a directory: those below it, then those below its parents.
    fn nearest(&self, project: &Project, directory: &str, site: &DocSite) -> Arc<[String]> {
        if let Some(known) = self.nearest.lock().get(directory) {
            return Arc::clone(known);
        }
        let tree = project.tree();
        let files = tree.files();
        let sites = project.index::<DocSites>();
        let is_of_site =
            |path: &&String| sites.containing(tree, path).first().is_some_and(|own| std::ptr::eq(*own, site));
        let is_page = |path: &&String| matches!(extension(path).as_str(), "md" | "mdx" | "markdown");
        let mut found: Vec<String> = Vec::new();
        let mut above = directory;
        let mut seen = 0..0;
        loop {
            let prefix = if above.is_empty() { String::new() } else { format!("{above}/") };
            let from = files.partition_point(|file| file.as_str() < prefix.as_str());
            let to = from + files[from..].iter().take_while(|file| file.starts_with(&prefix)).count();
            let rest = files[from..to].iter().enumerate().filter(|(index, _)| !seen.contains(&(from + index)));
            let pages = rest.map(|(_, path)| path).filter(is_page).filter(is_of_site);
            found.extend(pages.take(MAX_PAGES - found.len()).cloned());
            if above.is_empty() || found.len() == MAX_PAGES {
                break;
            }
            seen = from..to;
            above = parent(above);
        }
        let found: Arc<[String]> = found.into();
        self.nearest.lock().insert(directory.to_owned(), Arc::clone(&found));
        found
    }

    /// Returns the forms of the links of a page.
    fn forms(&self, project: &Project, path: &str) -> Arc<PageForms> {
        if let Some(known) = self.pages.lock().get(path) {
            return Arc::clone(known);
        }
        // Reads without the lock. Two threads may read the same page and count the same.
        let text = project.tree().read_shared(path).unwrap_or_default();
        let forms = Source::new(path, text.as_bytes()).map(|source| count_forms(project, &source)).unwrap_or_default();
        let forms = Arc::new(forms);
        self.pages.lock().insert(path.to_owned(), Arc::clone(&forms));
        forms
    }
}

/// Counts the links of a page by their form.
fn count_forms(project: &Project, source: &Source<'_>) -> PageForms {
    let mut checker = LinkChecker::new(source, project);
    for link in links::parse_links(source.text(), Dialect::find(project, source.path())).0 {
        // The headings of the target do not matter.
        let address = link.destination.split('#').next().unwrap_or_default();
        checker.check_link(link.kind, link.range, address);
    }
    checker.count_forms()
}

impl LinkChecker<'_> {
    /// Returns the number of links by their form.
    pub(super) fn count_forms(&self) -> PageForms {
        let found = self.convention.iter().map(|(form, count)| (form, FormCount { found: *count, missing: 0 }));
        let mut forms: PageForms = found.map(|(form, count)| (form.clone(), count)).collect();
        let missing = self.found.iter().filter(|(checked, _)| matches!(checked.verdict, Verdict::Missing(_)));
        for form in missing.filter_map(|(_, form)| form.as_ref()) {
            forms.entry(form.clone()).or_default().missing += 1;
        }
        forms
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    /// A site without a known routing rule, whose pages have these links.
    fn tree(pages: &[&str]) -> String {
        let page = |(index, text): (usize, &&str)| format!("\nsrc/docs/p{index}.md = {text}");
        let pages: String = pages.iter().enumerate().map(page).collect();
        format!(".eleventy.js\nsrc/docs/a.md\nsrc/docs/b.md{pages}")
    }

    #[test]
    fn learns_the_form_of_links_from_other_pages() {
        let five = "[a](/docs/a) [b](/docs/b) [a](/docs/a) [b](/docs/b#x) [a](/docs/a)";
        let new_page = "[a](/docs/a) [g](/docs/gone)\n";
        let check_new = |pages: &[&str], expect: &str| {
            let expect = format!("md.link /docs/a → src/docs/a.md\nmd.link /docs/gone → {expect}");
            check(&tree(pages), "src/docs/new.md", new_page, &expect);
        };
        check_new(&[five, five], "missing");
        // One page can have been written for another site, and some links can be a coincidence.
        check_new(&[five], "unknown undecided");
        check_new(&[five, "[a](/docs/a)"], "unknown undecided");
        // Other forms show nothing.
        check_new(&[five, "[a](a.md) [b](/other/b) [c](b.html)"], "unknown undecided");
        // A build makes a part of these pages.
        check_new(&[five, five, "[m](/docs/made)"], "unknown undecided");
        check_new(&[five, five, five, five, "[m](/docs/made)"], "missing");
    }

    #[test]
    fn learns_only_from_the_same_site() {
        let page = "[a](/docs/a) [b](/docs/b) [a](/docs/a) [b](/docs/b) [a](/docs/a)";
        let others = format!(
            "docs/.eleventy.js\nother/.eleventy.js\nother/p.md = {page}\nother/q.md = {page}\ndocs/docs/a.md\ndocs/docs/b.md"
        );
        check(&others, "docs/docs/new.md", "[g](/docs/gone)\n", "md.link /docs/gone → unknown undecided");
        let own = format!("{others}\ndocs/p.md = {page}\ndocs/q.md = {page}");
        check(&own, "docs/docs/new.md", "[g](/docs/gone)\n", "md.link /docs/gone → missing");
    }
}
