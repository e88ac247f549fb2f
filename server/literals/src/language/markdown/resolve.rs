//! `Page`: one document, from which its links are followed.
//!
//! A path that is written in a document can be meant for the file beside it, as forges show it, or for a page of a site.
//! All of that is tried; and what was not found is missing only if nothing is known that could put it there.

mod absolute;
mod relative;

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::anchors::Anchors;
use super::words::{has_extension, is_forge, is_host, is_made_up, is_test_data, shown_elsewhere};
use crate::checked::{Checked, Code, Missing, Reason, Severity, Verdict, Want};
use crate::language::doc_sites::DocSites;
use crate::language::doc_sites::{DocSite, Generator};
use crate::path::{extension, has_scheme, is_dynamic, percent_decoded};
use crate::project::Project;
use crate::source::Source;

/// So many links of the same kind must lead somewhere in the same document before one that does not is called wrong where
/// only custom says how addresses are made.
const CUSTOM: usize = 3;

/// So many links of one document that lead nowhere are no oversight, if most of them do.
const MANY: usize = 10;

/// What is known after following one link.
#[derive(Clone)]
pub(super) struct Outcome {
    verdict: Verdict,
    tried: Vec<String>,
    /// It is missing only if others of this name are found often enough: see [`CUSTOM`].
    custom: Option<String>,
}

impl Outcome {
    fn unknown(reason: Reason) -> Self {
        Self { verdict: Verdict::Unknown(reason), tried: Vec::new(), custom: None }
    }

    fn undecided(by: &str) -> Self {
        Self::unknown(Reason::Undecided(by.to_owned()))
    }
}

impl From<(Verdict, Vec<String>)> for Outcome {
    fn from((verdict, tried): (Verdict, Vec<String>)) -> Self {
        Self { verdict, tried, custom: None }
    }
}

/// One document.
pub(crate) struct Page<'p> {
    project: &'p Project,
    source: &'p Source<'p>,
    sites: Vec<&'p DocSite>,
    /// Whether a site makes a page of it: then links can be addresses of pages as well as paths of files.
    is_routed: bool,
    anchors: Option<Anchors>,
    found: Vec<(Checked, Option<String>)>,
    custom: FxHashMap<String, usize>,
    /// Documents link to the same places again and again.
    followed: FxHashMap<(bool, String), Outcome>,
}

impl<'p> Page<'p> {
    /// Looks at where the document is.
    pub(crate) fn new(source: &'p Source<'p>, project: &'p Project) -> Self {
        let sites = project.index::<DocSites>().containing(project.tree(), source.path());
        let has_front = source.text().starts_with("---\n")
            || source.text().starts_with("---\r\n")
            || source.text().starts_with("+++");
        let is_routed = has_front || sites.iter().any(|site| site.generator != Generator::MdBook);
        Self {
            project,
            source,
            sites,
            is_routed,
            anchors: None,
            found: Vec::new(),
            custom: FxHashMap::default(),
            followed: FxHashMap::default(),
        }
    }

    /// Follows one link. What is no path has no verdict.
    pub(crate) fn link(&mut self, kind: &'static str, range: Range<usize>, says: &str) {
        let says = says.trim();
        let (address, fragment) = says.split_once('#').map_or((says, None), |(address, rest)| (address, Some(rest)));
        let address = address.split('?').next().unwrap_or(address);
        let address = without_line(address);
        if says.is_empty() || has_scheme(address) || (address.is_empty() && fragment.is_none_or(str::is_empty)) {
            return;
        }
        let mut outcome = if address.is_empty() {
            if says.starts_with('?') {
                return;
            }
            let path = self.source.path().to_owned();
            Outcome { verdict: Verdict::Found(crate::checked::Target { path }), tried: Vec::new(), custom: None }
        } else {
            let key = (kind.starts_with("md.html"), says.to_owned());
            let known = self.followed.get(&key).cloned();
            known.unwrap_or_else(|| {
                let outcome = self.follow(kind, address, says);
                self.followed.insert(key, outcome.clone());
                outcome
            })
        };
        if let Verdict::Found(target) = &outcome.verdict {
            let path = target.path.clone();
            let fragment = fragment.unwrap_or("");
            if let Some(custom) = custom_of(address) {
                *self.custom.entry(custom).or_default() += 1;
            }
            // A page has other identifiers than its source.
            if !is_page(address) && self.lacks(&path, fragment) {
                let reason = format!("{path} has no heading for #{fragment}");
                let missing = Missing {
                    code: Code::MissingAnchor,
                    severity: Severity::Warning,
                    reason,
                    wanted: path,
                    want: Want::File,
                    instead: None,
                };
                outcome.verdict = Verdict::Missing(missing);
            }
        }
        let Outcome { verdict, tried, custom } = outcome;
        let verdict = seen_as_written(self.source.path(), verdict);
        let range = range.start + self.source.offset()..range.end + self.source.offset();
        self.found.push((Checked { kind, range, verdict, tried }, custom));
    }

    /// Every link with its verdict.
    pub(crate) fn finish(self) -> impl Iterator<Item = Checked> {
        let Self { found, custom, .. } = self;
        // Where most lead nowhere, the document is not where it is meant to be: it is put together with others, or copied.
        let missing = found.iter().filter(|(checked, _)| matches!(checked.verdict, Verdict::Missing(_))).count();
        let is_misplaced = missing >= MANY && missing * 3 > found.len() * 2;
        found.into_iter().map(move |(mut checked, by)| {
            let is_usual = by.is_none_or(|by| custom.get(&by).is_some_and(|count| *count >= CUSTOM));
            if !is_usual {
                checked.verdict = Verdict::Unknown(Reason::Undecided("how the site makes addresses".to_owned()));
            }
            if is_misplaced && matches!(checked.verdict, Verdict::Missing(_)) {
                checked.verdict = Verdict::Unknown(Reason::Undecided("where the document is meant to be".to_owned()));
            }
            checked
        })
    }

    fn follow(&self, kind: &str, address: &str, says: &str) -> Outcome {
        if is_dynamic(says) {
            return Outcome::unknown(Reason::Dynamic);
        }
        let decoded = percent_decoded(address);
        let decoded = decoded.as_ref();
        if is_host(decoded) || decoded.starts_with('@') || decoded.contains('\\') {
            return Outcome::unknown(Reason::Elsewhere);
        }
        let outcome = match decoded.strip_prefix('/') {
            Some(_) => self.absolute(decoded),
            None => self.relative(decoded, kind.starts_with("md.html")),
        };
        // A placeholder that is there is none.
        match outcome.verdict {
            Verdict::Missing(_) if is_made_up(decoded) || is_forge(decoded) => Outcome::unknown(Reason::Elsewhere),
            _ => outcome,
        }
    }

    /// Whether a document lacks a heading for a fragment, as far as it is known how it is rendered.
    fn lacks(&mut self, path: &str, fragment: &str) -> bool {
        if fragment.is_empty() || !matches!(extension(path).as_str(), "md" | "mdx" | "markdown") {
            return false;
        }
        // Front matter without a site that is known is for a site that is not.
        if self.sites.is_empty() && self.is_routed {
            return false;
        }
        let fragment = percent_decoded(fragment);
        let known = |site: &DocSite| {
            matches!(
                site.generator,
                Generator::Docusaurus | Generator::VitePress | Generator::MkDocs | Generator::MdBook
            )
        };
        if !self.sites.iter().all(|site| known(site)) {
            return false;
        }
        // Only GitHub keeps letters that are not ASCII as they are.
        if !(fragment.is_ascii() || self.sites.is_empty()) {
            return false;
        }
        if path == self.source.path() {
            let text = self.source.text();
            return self.anchors.get_or_insert_with(|| Anchors::new(text)).lacks(&fragment);
        }
        let tree = self.project.tree();
        if !self.project.index::<DocSites>().containing(tree, path).into_iter().all(known) {
            return false;
        }
        self.project.index::<DocSites>().anchors(self.project, path).is_some_and(|anchors| anchors.lacks(&fragment))
    }
}

/// What is said in a place that is not shown as a document of its own, or is made up for a test, is not wrong.
pub(crate) fn seen_as_written(path: &str, verdict: Verdict) -> Verdict {
    let by = if is_test_data(path) { Some("the test that it is data of") } else { shown_elsewhere(path) };
    match (verdict, by) {
        (Verdict::Missing(_), Some(by)) => Verdict::Unknown(Reason::Undecided(by.to_owned())),
        (verdict, _) => verdict,
    }
}

/// The custom that a link follows where no rule is known: addresses below one directory, or pages by their extension.
fn custom_of(address: &str) -> Option<String> {
    match address.strip_prefix('/') {
        Some(rest) => rest.split_once('/').map(|(first, _)| format!("/{first}/")),
        None if is_page(address) => Some(".html".to_owned()),
        None => None,
    }
}

/// Whether a path is that of a page after a site was built.
pub(super) fn is_page(path: &str) -> bool {
    has_extension(path) && matches!(extension(path).as_str(), "html" | "htm" | "php" | "aspx")
}

/// Without the number of a line behind a colon, which editors understand: `a.rs:12`, `a.rs:12:3`.
fn without_line(address: &str) -> &str {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    match address.split_once(':') {
        Some((path, rest)) if rest.split(':').all(digits) && has_extension(path) => path,
        _ => address,
    }
}
