//! Texts of the documents that are open in the editor, and the last analysis of each. `Documents` is their only owner; none
//! of its methods blocks.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use pathfinder_literals::{Checked, Document};
use tower_lsp_server::ls_types::{Range, TextDocumentContentChangeEvent, Uri};

use super::fix_cache::FixCache;
use super::line_index::{LineIndex, PositionEncoding};
use super::uri;
use pathfinder_check::root_diagnostics::RootDiagnostics;
use pathfinder_check::{Checker, Finding};

/// A larger text is data: the server stores it and does not analyze it.
pub(super) const MAX_TEXT_BYTES: usize = 4 << 20;

/// The open documents, by URI as the client writes it. A clone shares the texts until one of them changes.
#[derive(Clone, Default)]
pub(super) struct Documents {
    open: BTreeMap<String, Arc<OpenDocument>>,
    /// Counts openings and replacements of texts, to detect an analysis of an earlier text with the same version.
    generations: u64,
}

/// An open document.
#[derive(Clone)]
pub(super) struct OpenDocument {
    pub(super) uri: Uri,
    /// Its path, if it is a file.
    pub(super) path: Option<PathBuf>,
    pub(super) version: i32,
    generation: u64,
    document: Document,
    /// True if `document` is the editor's text. Otherwise nothing is computed from it until the next full text.
    is_in_sync: bool,
    /// The last analysis, maybe of an earlier version.
    pub(super) analysis: Option<Arc<DocumentAnalysis>>,
}

/// The reason why a change was not applied. Each one but the first leaves the document out of sync until its next full text.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(super) enum DocumentChangeError {
    /// No document with this URI is open.
    #[error("the document is not open")]
    NotOpen,
    /// The version is lower than that of the last change.
    #[error("version {version} comes after version {current}")]
    OutOfOrder {
        /// Version of the change.
        version: i32,
        /// Version of the document.
        current: i32,
    },
    /// The end of a range lies before its start.
    #[error("the range {}:{} to {}:{} ends before it starts", .0.start.line, .0.start.character, .0.end.line, .0.end.character)]
    ReversedRange(Range),
    /// An earlier change was not applied.
    #[error("an earlier change was not applied")]
    OutOfSync,
}

/// A document at one version. Cheap to clone and to send to another thread.
pub(super) struct DocumentSnapshot {
    pub(super) uri: Uri,
    pub(super) path: Option<PathBuf>,
    pub(super) version: i32,
    generation: u64,
    pub(super) document: Document,
    pub(super) last_analysis: Option<Arc<DocumentAnalysis>>,
}

/// Literals and findings of a document at one version.
pub(super) struct DocumentAnalysis {
    pub(super) uri: Uri,
    pub(super) version: i32,
    generation: u64,
    /// Diagnostics of the document's root.
    pub(super) diagnostics: Arc<RootDiagnostics>,
    /// The checker of this analysis; a changed tree has another one.
    pub(super) checker: Arc<Checker>,
    /// The parsed text; its path is relative to the root.
    pub(super) document: Document,
    /// Line starts of the text.
    pub(super) lines: LineIndex,
    /// All literals, in text order.
    pub(super) literals: Arc<[Checked]>,
    /// Broken literals, in text order; with their fixes where those are known.
    pub(super) findings: Vec<Finding>,
    /// Fixes that were found for this and earlier versions.
    pub(super) fixes: Arc<FixCache>,
}

impl DocumentAnalysis {
    /// Returns the literal at an offset; its end counts as inside.
    pub(super) fn literal_at(&self, offset: usize) -> Option<&Checked> {
        let at = |literal: &&Checked| literal.range.start <= offset && offset <= literal.range.end;
        // The last of nested literals is the innermost.
        self.literals.iter().rfind(at)
    }

    /// Returns a copy whose findings have all fixes found by now.
    pub(super) fn with_known_fixes(&self) -> Self {
        let mut findings = self.findings.clone();
        self.fixes.fill(&mut findings);
        Self {
            uri: self.uri.clone(),
            diagnostics: Arc::clone(&self.diagnostics),
            checker: Arc::clone(&self.checker),
            document: self.document.clone(),
            lines: self.lines.clone(),
            literals: Arc::clone(&self.literals),
            findings,
            fixes: Arc::clone(&self.fixes),
            ..*self
        }
    }

    /// Finds the missing fixes of these findings while `wanted` returns true. Returns whether it found any.
    pub(super) fn find_fixes(&self, findings: &[&Finding], wanted: &dyn Fn() -> bool) -> bool {
        let unknown: Vec<&Finding> = findings.iter().copied().filter(|finding| !self.fixes.contains(finding)).collect();
        let Some(source) = self.document.source().filter(|_| !unknown.is_empty()) else { return false };
        let mut any = false;
        self.checker.visit_fixes(&source, &self.literals, &unknown, &mut |finding, (fixes, _)| {
            any |= !fixes.is_empty();
            self.fixes.insert(finding, fixes);
            if wanted() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        any
    }

    /// Returns the text of a literal.
    pub(super) fn literal_text(&self, literal: &Checked) -> &str {
        self.document.text().get(literal.range.clone()).unwrap_or_default()
    }
}

impl DocumentSnapshot {
    /// Makes an analysis from the result of a check.
    pub(super) fn into_analysis(
        self,
        diagnostics: Arc<RootDiagnostics>,
        checker: Arc<Checker>,
        literals: Arc<[Checked]>,
        mut findings: Vec<Finding>,
    ) -> DocumentAnalysis {
        // Fixes found in the same tree stay valid.
        let known = self.last_analysis.as_ref().filter(|last_analysis| Arc::ptr_eq(&last_analysis.checker, &checker));
        let fixes = known.map_or_else(Arc::default, |last_analysis| Arc::clone(&last_analysis.fixes));
        fixes.fill(&mut findings);
        let lines = LineIndex::new(self.document.text());
        let Self { uri, version, generation, document, .. } = self;
        DocumentAnalysis { uri, version, generation, diagnostics, checker, document, lines, literals, findings, fixes }
    }
}

impl Documents {
    /// Opens a document, or replaces an open one.
    pub(super) fn open(&mut self, uri: Uri, version: i32, text: String) {
        self.generations += 1;
        let path = uri::to_path(uri.as_str());
        // The analysis sets the path relative to the root.
        let name = path.as_deref().and_then(|path| path.file_name()?.to_str()).unwrap_or_default().to_owned();
        let document = Document::new(name, text);
        let open = OpenDocument {
            path,
            version,
            generation: self.generations,
            document,
            is_in_sync: true,
            analysis: None,
            uri,
        };
        self.open.insert(open.uri.as_str().to_owned(), Arc::new(open));
    }

    /// Applies edits in their order. After an error the document is out of sync until its next full text.
    ///
    /// # Errors
    /// If the document is not open, its version went backwards, a range is reversed, or an earlier edit was not applied.
    pub(super) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: PositionEncoding,
    ) -> Result<(), DocumentChangeError> {
        let open = self.open.get_mut(uri.as_str()).map(Arc::make_mut).ok_or(DocumentChangeError::NotOpen)?;
        // A full text replaces all edits before it, and its version is always valid.
        let full_text = changes.iter().rposition(|change| change.range.is_none());
        let edits = changes.into_iter().skip(full_text.unwrap_or_default());
        let error = if !open.is_in_sync && full_text.is_none() {
            Some(DocumentChangeError::OutOfSync)
        } else if open.is_in_sync && version < open.version {
            Some(DocumentChangeError::OutOfOrder { version, current: open.version })
        } else {
            let is_reversed =
                |range: Range| (range.end.line, range.end.character) < (range.start.line, range.start.character);
            edits
                .clone()
                .filter_map(|edit| edit.range)
                .find(|range| is_reversed(*range))
                .map(DocumentChangeError::ReversedRange)
        };
        if let Some(error) = error {
            self.mark_out_of_sync(uri.as_str());
            return Err(error);
        }
        (open.version, open.is_in_sync) = (version, true);
        for change in edits {
            match change.range {
                None => {
                    let path = open.document.path().to_owned();
                    open.document = Document::new(path, change.text);
                }
                Some(range) => {
                    let text = open.document.text();
                    let bytes = LineIndex::new(text).byte_range(text, range, encoding);
                    open.document.edit(bytes, &change.text);
                }
            }
        }
        Ok(())
    }

    /// Marks a document as out of sync until its next full text. Returns whether it is open.
    pub(super) fn mark_out_of_sync(&mut self, uri: &str) -> bool {
        let Some(open) = self.open.get_mut(uri).map(Arc::make_mut) else { return false };
        // An analysis that is still running must not bring the old text back.
        self.generations += 1;
        (open.generation, open.analysis, open.is_in_sync) = (self.generations, None, false);
        true
    }

    /// Sets the text that the editor has saved. Returns whether it differs from the tracked text.
    pub(super) fn resync(&mut self, uri: &Uri, text: String) -> bool {
        let differs = |open: &&mut Arc<OpenDocument>| !open.is_in_sync || open.document.text() != text;
        let Some(open) = self.open.get_mut(uri.as_str()).filter(differs).map(Arc::make_mut) else { return false };
        let path = open.document.path().to_owned();
        open.document = Document::new(path, text);
        // An analysis of the other text, of the same version, must not be stored.
        self.generations += 1;
        (open.generation, open.analysis, open.is_in_sync) = (self.generations, None, true);
        true
    }

    /// Closes a document, and returns it if it was open.
    pub(super) fn close(&mut self, uri: &Uri) -> Option<Arc<OpenDocument>> {
        self.open.remove(uri.as_str())
    }

    /// Returns whether a document is open, in sync or not.
    pub(super) fn is_open(&self, uri: &str) -> bool {
        self.open.contains_key(uri)
    }

    /// Returns a document as it is now; `None` if it is not open or out of sync.
    pub(super) fn text(&self, uri: &str) -> Option<DocumentSnapshot> {
        let open = self.open.get(uri).filter(|open| open.is_in_sync)?;
        let OpenDocument { uri, path, version, generation, document, is_in_sync: _, analysis } = &**open;
        Some(DocumentSnapshot {
            uri: uri.clone(),
            path: path.clone(),
            version: *version,
            generation: *generation,
            document: document.clone(),
            last_analysis: analysis.clone(),
        })
    }

    /// Adds the stored analysis of this version to a snapshot of an earlier moment.
    pub(super) fn add_analysis(&self, text: &mut DocumentSnapshot) {
        let analysis = self.open.get(text.uri.as_str()).and_then(|open| open.analysis.as_ref());
        let is_same = |it: &&Arc<DocumentAnalysis>| it.generation == text.generation && it.version == text.version;
        if let Some(analysis) = analysis.filter(is_same) {
            text.last_analysis = Some(Arc::clone(analysis));
        }
    }

    /// Stores an analysis, unless the text has changed since.
    pub(super) fn store_analysis(&mut self, analysis: &Arc<DocumentAnalysis>) {
        let is_current = self.is_current(analysis);
        if let Some(open) = self.open.get_mut(analysis.uri.as_str()).filter(|_| is_current) {
            // The analysis has the parsed trees.
            let (document, analysis) = (analysis.document.clone(), Some(Arc::clone(analysis)));
            *open =
                Arc::new(OpenDocument { uri: open.uri.clone(), path: open.path.clone(), document, analysis, ..**open });
        }
    }

    /// Parses a long, broken text from scratch if that was put off. Returns whether it has to be analyzed again.
    pub(super) fn reparse_deferred(&mut self, analysis: &DocumentAnalysis) -> bool {
        let is_current = self.is_current(analysis);
        let open = self.open.get_mut(analysis.uri.as_str()).filter(|_| is_current);
        let Some(open) = open.map(Arc::make_mut) else { return false };
        let is_reparsed = open.document.drop_inexact_trees();
        if is_reparsed {
            open.analysis = None;
        }
        is_reparsed
    }

    /// Returns whether an analysis is of the current text.
    pub(super) fn is_current(&self, analysis: &DocumentAnalysis) -> bool {
        self.open
            .get(analysis.uri.as_str())
            .is_some_and(|open| open.generation == analysis.generation && open.version == analysis.version)
    }

    /// Returns the URI and version of the document with this path.
    pub(super) fn find_by_path(&self, path: &std::path::Path) -> Option<(Uri, i32)> {
        let open = self.open.values().find(|open| open.path.as_deref() == Some(path))?;
        Some((open.uri.clone(), open.version))
    }

    /// Returns the last analyses of the open documents.
    pub(super) fn analyses(&self) -> impl Iterator<Item = &Arc<DocumentAnalysis>> {
        self.open.values().filter_map(|open| open.analysis.as_ref())
    }

    /// Returns the URIs of all open documents.
    pub(super) fn uris(&self) -> Vec<Uri> {
        self.open.values().map(|open| open.uri.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use std::str::FromStr as _;
    use tower_lsp_server::ls_types::Position;

    use super::*;

    fn uri() -> Uri {
        Uri::from_str("file:///a/b.md").expect("a URI")
    }

    #[test]
    fn applies_changes_in_the_order_of_versions() {
        let mut documents = Documents::default();
        let change =
            |text: &str| TextDocumentContentChangeEvent { range: None, range_length: None, text: text.to_owned() };
        assert_eq!(
            documents.change(&uri(), 1, vec![change("x")], PositionEncoding::Utf16),
            Err(DocumentChangeError::NotOpen)
        );
        documents.open(uri(), 3, "a".to_owned());
        let backwards = documents.change(&uri(), 2, vec![change("b")], PositionEncoding::Utf16);
        assert_eq!(backwards, Err(DocumentChangeError::OutOfOrder { version: 2, current: 3 }));
        assert!(documents.text(uri().as_str()).is_none() && documents.is_open(uri().as_str()), "unknown");
        assert_eq!(
            documents.change(&uri(), 9, vec![change("c"), change("d")], PositionEncoding::Utf16),
            Ok(()),
            "a leap"
        );
        assert_eq!(documents.text(uri().as_str()).expect("open").document.text(), "d");
        assert!(!documents.resync(&uri(), "d".to_owned()), "as it is");
        assert!(documents.resync(&uri(), "e".to_owned()));
        assert_eq!(documents.text(uri().as_str()).expect("open").document.text(), "e");
        assert!(documents.close(&uri()).is_some() && documents.close(&uri()).is_none());
    }

    #[test]
    fn is_out_of_sync_until_the_next_full_text() {
        let mut documents = Documents::default();
        let at = |line: u32, character: u32| Position { line, character };
        let edit = |start, end| TextDocumentContentChangeEvent {
            range: Some(Range { start, end }),
            range_length: None,
            text: "x".to_owned(),
        };
        let full = TextDocumentContentChangeEvent { range: None, range_length: None, text: "full".to_owned() };
        documents.open(uri(), 1, "text".to_owned());
        let reversed = documents.change(&uri(), 2, vec![edit(at(0, 3), at(0, 1))], PositionEncoding::Utf16);
        assert!(matches!(reversed, Err(DocumentChangeError::ReversedRange(_))));
        let good = || vec![edit(at(0, 0), at(0, 0))];
        assert_eq!(documents.change(&uri(), 3, good(), PositionEncoding::Utf16), Err(DocumentChangeError::OutOfSync));
        assert!(documents.text(uri().as_str()).is_none());
        let full_and_edit = vec![edit(at(0, 9), at(0, 1)), full, edit(at(0, 0), at(0, 0))];
        assert_eq!(documents.change(&uri(), 2, full_and_edit, PositionEncoding::Utf16), Ok(()), "whatever its version");
        assert_eq!(documents.text(uri().as_str()).expect("known").document.text(), "xfull");
        assert!(documents.mark_out_of_sync(uri().as_str()) && documents.text(uri().as_str()).is_none());
        assert!(documents.resync(&uri(), "saved".to_owned()));
        assert_eq!(documents.text(uri().as_str()).expect("known").document.text(), "saved");
    }

    proptest! {
        /// Edits in any encoding give the text that edits of a plain list of characters give.
        #[test]
        fn applies_edits_as_a_list_of_characters_does(edits in prop::collection::vec((0..30u32, 0..5u32, "[ab\u{e9}\u{1f600}]{0,3}"), 1..20), utf16 in any::<bool>()) {
            let mut documents = Documents::default();
            let mut expect: Vec<char> = "abcd\u{1f600}efgh".chars().collect();
            documents.open(uri(), 0, expect.iter().collect());
            let encoding = if utf16 { PositionEncoding::Utf16 } else { PositionEncoding::Utf32 };
            for (version, (at, length, with)) in (1..).zip(edits) {
                let units = |to: usize| {
                    let units = expect[..to].iter().map(|it| if utf16 { it.len_utf16() } else { 1 });
                    units.sum::<usize>() as u32
                };
                let start = (at as usize).min(expect.len());
                let end = (start + length as usize).min(expect.len());
                let range = Range { start: Position { line: 0, character: units(start) }, end: Position { line: 0, character: units(end) } };
                expect.splice(start..end, with.chars());
                let change = TextDocumentContentChangeEvent { range: Some(range), range_length: None, text: with };
                prop_assert_eq!(documents.change(&uri(), version, vec![change], encoding), Ok(()));
            }
            let text = documents.text(uri().as_str()).expect("open").document.text().to_owned();
            prop_assert_eq!(text, expect.into_iter().collect::<String>());
        }
    }
}
