//! `Documents`: the texts that are open in the editor, as they are there at this moment. The only owner of them; nothing here
//! waits for anything.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use pathfinder_literals::{Checked, Document};
use tower_lsp_server::ls_types::{Range, TextDocumentContentChangeEvent, Uri};

use super::fixes::Fixes;
use super::position::{Encoding, Lines};
use super::uri;
use crate::check::{Checker, Finding};
use crate::root_diagnostics::RootDiagnostics;

/// A larger text is data: it is kept as it is, and not looked into.
pub(super) const TEXT_MAX: usize = 4 << 20;

/// All of them, by URI as the client writes it.
#[derive(Default)]
pub(super) struct Documents {
    open: BTreeMap<String, Open>,
    /// Goes up with each opening, so that one that was closed and opened again is known to be another; so is one that was put right.
    openings: u64,
}

/// One of them.
pub(super) struct Open {
    pub(super) uri: Uri,
    /// Where it is, if it is a file.
    pub(super) path: Option<PathBuf>,
    pub(super) version: i32,
    opening: u64,
    document: Document,
    /// Whether `document` is what the editor has. If not, nothing is computed from it before the next full text.
    is_current: bool,
    /// What was seen in it last, maybe in an earlier version.
    pub(super) look: Option<Arc<Look>>,
}

/// Why a change was not applied. All but the first leave the text unknown until its next full text.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(super) enum ChangeError {
    /// There is no such text.
    #[error("the document is not open")]
    NotOpen,
    /// An older version than that of the last change.
    #[error("version {version} comes after version {known}")]
    OutOfOrder {
        /// The change's version.
        version: i32,
        /// The text's version.
        known: i32,
    },
    /// The end of a range lies before its start.
    #[error("the range {}:{} to {}:{} ends before it starts", .0.start.line, .0.start.character, .0.end.line, .0.end.character)]
    NoRange(Range),
    /// A change before this one was not applied.
    #[error("an earlier change was not applied")]
    Unknown,
}

/// A text at one version, cheap to take away.
pub(super) struct Text {
    pub(super) uri: Uri,
    pub(super) path: Option<PathBuf>,
    pub(super) version: i32,
    opening: u64,
    pub(super) document: Document,
    pub(super) before: Option<Arc<Look>>,
}

/// What is in a text at one version.
pub(super) struct Look {
    pub(super) uri: Uri,
    pub(super) version: i32,
    opening: u64,
    /// Which root it is in, and who checked it.
    pub(super) diagnostics: Arc<RootDiagnostics>,
    pub(super) checker: Arc<Checker>,
    /// As it was checked; its path is relative to the root.
    pub(super) document: Document,
    pub(super) lines: Lines,
    /// Every literal, in the order of their places.
    pub(super) literals: Arc<[Checked]>,
    /// What is wrong, in the order of their places; with fixes, where they are known.
    pub(super) findings: Vec<Finding>,
    /// What is known of how it can be mended, now and in versions after this.
    pub(super) fixes: Arc<Fixes>,
}

impl Look {
    /// The literal at a place, be it at its very end.
    pub(super) fn literal_at(&self, offset: usize) -> Option<&Checked> {
        let at = |literal: &&Checked| literal.range.start <= offset && offset <= literal.range.end;
        // Of those that touch there, the one that begins last is the innermost.
        self.literals.iter().rfind(at)
    }

    /// The same with the fixes that are known by now.
    pub(super) fn mended(&self) -> Self {
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

    /// Looks for the fixes of these findings, as far as they are not known, for as long as `wanted` says. Whether any are
    /// known that were not.
    pub(super) fn mend(&self, findings: &[&Finding], wanted: &dyn Fn() -> bool) -> bool {
        let unknown: Vec<&Finding> = findings.iter().copied().filter(|finding| !self.fixes.has(finding)).collect();
        let Some(source) = self.document.source().filter(|_| !unknown.is_empty()) else { return false };
        let mut any = false;
        self.checker.visit_fixes(&source, &self.literals, &unknown, &mut |finding, (fixes, _)| {
            any |= !fixes.is_empty();
            self.fixes.keep(finding, fixes);
            if wanted() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        any
    }

    /// The text of a literal.
    pub(super) fn written(&self, literal: &Checked) -> &str {
        self.document.text().get(literal.range.clone()).unwrap_or_default()
    }
}

impl Text {
    /// What was seen in this text.
    pub(super) fn looked(
        self,
        diagnostics: Arc<RootDiagnostics>,
        checker: Arc<Checker>,
        literals: Arc<[Checked]>,
        mut findings: Vec<Finding>,
    ) -> Look {
        // What is known is of the same tree.
        let known = self.before.as_ref().filter(|before| Arc::ptr_eq(&before.checker, &checker));
        let fixes = known.map_or_else(Arc::default, |before| Arc::clone(&before.fixes));
        fixes.fill(&mut findings);
        let lines = Lines::of(self.document.text());
        let Self { uri, version, opening, document, .. } = self;
        Look { uri, version, opening, diagnostics, checker, document, lines, literals, findings, fixes }
    }
}

impl Documents {
    /// A text is open from now on; if it was, this is the new one.
    pub(super) fn open(&mut self, uri: Uri, version: i32, text: String) {
        self.openings += 1;
        let path = uri::path(uri.as_str());
        // Its place in a root is not known before it is looked at.
        let name = path.as_deref().and_then(|path| path.file_name()?.to_str()).unwrap_or_default().to_owned();
        let document = Document::new(name, text);
        let open = Open { path, version, opening: self.openings, document, is_current: true, look: None, uri };
        self.open.insert(open.uri.as_str().to_owned(), open);
    }

    /// Applies edits in their order. After an error the text is unknown until its next full text.
    ///
    /// # Errors
    /// When the text is not open, its version went backwards, a range is none, or an edit before this one was not understood.
    pub(super) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Result<(), ChangeError> {
        let open = self.open.get_mut(uri.as_str()).ok_or(ChangeError::NotOpen)?;
        // A full text makes all edits before it unimportant, and its version is right whatever came before.
        let full_text = changes.iter().rposition(|change| change.range.is_none());
        let edits = changes.into_iter().skip(full_text.unwrap_or_default());
        let error = if !open.is_current && full_text.is_none() {
            Some(ChangeError::Unknown)
        } else if open.is_current && version < open.version {
            Some(ChangeError::OutOfOrder { version, known: open.version })
        } else {
            let is_reversed =
                |range: Range| (range.end.line, range.end.character) < (range.start.line, range.start.character);
            edits.clone().filter_map(|edit| edit.range).find(|range| is_reversed(*range)).map(ChangeError::NoRange)
        };
        if let Some(error) = error {
            self.lose(uri.as_str());
            return Err(error);
        }
        (open.version, open.is_current) = (version, true);
        for change in edits {
            match change.range {
                None => {
                    let path = open.document.path().to_owned();
                    open.document = Document::new(path, change.text);
                }
                Some(range) => {
                    let text = open.document.text();
                    let bytes = Lines::of(text).bytes(text, range, encoding);
                    open.document.edit(bytes, &change.text);
                }
            }
        }
        Ok(())
    }

    /// Has an open text count as unknown until its next full text. Whether it is open.
    pub(super) fn lose(&mut self, uri: &str) -> bool {
        let Some(open) = self.open.get_mut(uri) else { return false };
        // An analysis that is still running must not bring the old text back.
        self.openings += 1;
        (open.opening, open.look, open.is_current) = (self.openings, None, false);
        true
    }

    /// A text is this, whatever its changes have made of it. Whether that is another one.
    pub(super) fn put_right(&mut self, uri: &Uri, text: String) -> bool {
        let differs = |open: &&mut Open| !open.is_current || open.document.text() != text;
        let Some(open) = self.open.get_mut(uri.as_str()).filter(differs) else { return false };
        let path = open.document.path().to_owned();
        open.document = Document::new(path, text);
        // Who looks at the other text, of the same version, must not bring it back.
        self.openings += 1;
        (open.opening, open.look, open.is_current) = (self.openings, None, true);
        true
    }

    /// A text is not open any more. Gives its path, if it was open.
    pub(super) fn close(&mut self, uri: &Uri) -> Option<Open> {
        self.open.remove(uri.as_str())
    }

    /// Whether a text is open, be it known or not.
    pub(super) fn is_open(&self, uri: &str) -> bool {
        self.open.contains_key(uri)
    }

    /// A text as it is now; `None` if it is not open, or unknown.
    pub(super) fn text(&self, uri: &str) -> Option<Text> {
        let open = self.open.get(uri).filter(|open| open.is_current)?;
        let Open { uri, path, version, opening, document, is_current: _, look } = open;
        Some(Text {
            uri: uri.clone(),
            path: path.clone(),
            version: *version,
            opening: *opening,
            document: document.clone(),
            before: look.clone(),
        })
    }

    /// Keeps what was seen in a text. False if the text has changed meanwhile.
    pub(super) fn keep(&mut self, look: &Arc<Look>) -> bool {
        let Some(open) = self.open.get_mut(look.uri.as_str()) else { return false };
        if open.opening != look.opening || open.version != look.version {
            return false;
        }
        // With it comes what was parsed.
        open.document = look.document.clone();
        open.look = Some(Arc::clone(look));
        true
    }

    /// Has what is broken and long read from scratch, if that was put off; whether it is to be looked at again.
    pub(super) fn settle(&mut self, look: &Look) -> bool {
        let is_current = self.is_current(look);
        let Some(open) = self.open.get_mut(look.uri.as_str()).filter(|_| is_current) else { return false };
        let settled = open.document.settle();
        if settled {
            open.look = None;
        }
        settled
    }

    /// Whether a look is at what is open now.
    pub(super) fn is_current(&self, look: &Look) -> bool {
        self.open
            .get(look.uri.as_str())
            .is_some_and(|open| open.opening == look.opening && open.version == look.version)
    }

    /// The URI under which a file is open.
    pub(super) fn uri_of(&self, path: &std::path::Path) -> Option<(Uri, i32)> {
        let open = self.open.values().find(|open| open.path.as_deref() == Some(path))?;
        Some((open.uri.clone(), open.version))
    }

    /// All that are open.
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
    fn versions() {
        let mut documents = Documents::default();
        let change =
            |text: &str| TextDocumentContentChangeEvent { range: None, range_length: None, text: text.to_owned() };
        assert_eq!(documents.change(&uri(), 1, vec![change("x")], Encoding::Utf16), Err(ChangeError::NotOpen));
        documents.open(uri(), 3, "a".to_owned());
        let backwards = documents.change(&uri(), 2, vec![change("b")], Encoding::Utf16);
        assert_eq!(backwards, Err(ChangeError::OutOfOrder { version: 2, known: 3 }));
        assert!(documents.text(uri().as_str()).is_none() && documents.is_open(uri().as_str()), "unknown");
        assert_eq!(documents.change(&uri(), 9, vec![change("c"), change("d")], Encoding::Utf16), Ok(()), "a leap");
        assert_eq!(documents.text(uri().as_str()).expect("open").document.text(), "d");
        assert!(!documents.put_right(&uri(), "d".to_owned()), "as it is");
        assert!(documents.put_right(&uri(), "e".to_owned()));
        assert_eq!(documents.text(uri().as_str()).expect("open").document.text(), "e");
        assert!(documents.close(&uri()).is_some() && documents.close(&uri()).is_none());
    }

    #[test]
    fn is_unknown_until_the_next_full_text() {
        let mut documents = Documents::default();
        let at = |line: u32, character: u32| Position { line, character };
        let edit = |start, end| TextDocumentContentChangeEvent {
            range: Some(Range { start, end }),
            range_length: None,
            text: "x".to_owned(),
        };
        let full = TextDocumentContentChangeEvent { range: None, range_length: None, text: "full".to_owned() };
        documents.open(uri(), 1, "text".to_owned());
        let reversed = documents.change(&uri(), 2, vec![edit(at(0, 3), at(0, 1))], Encoding::Utf16);
        assert!(matches!(reversed, Err(ChangeError::NoRange(_))));
        let good = || vec![edit(at(0, 0), at(0, 0))];
        assert_eq!(documents.change(&uri(), 3, good(), Encoding::Utf16), Err(ChangeError::Unknown));
        assert!(documents.text(uri().as_str()).is_none());
        let full_and_edit = vec![edit(at(0, 9), at(0, 1)), full, edit(at(0, 0), at(0, 0))];
        assert_eq!(documents.change(&uri(), 2, full_and_edit, Encoding::Utf16), Ok(()), "whatever its version");
        assert_eq!(documents.text(uri().as_str()).expect("known").document.text(), "xfull");
        assert!(documents.lose(uri().as_str()) && documents.text(uri().as_str()).is_none());
        assert!(documents.put_right(&uri(), "saved".to_owned()));
        assert_eq!(documents.text(uri().as_str()).expect("known").document.text(), "saved");
    }

    proptest! {
        /// Whatever edits come, in whatever encoding, the text is what a plain list of characters becomes.
        #[test]
        fn edits(edits in prop::collection::vec((0..30u32, 0..5u32, "[ab\u{e9}\u{1f600}]{0,3}"), 1..20), utf16 in any::<bool>()) {
            let mut documents = Documents::default();
            let mut expect: Vec<char> = "abcd\u{1f600}efgh".chars().collect();
            documents.open(uri(), 0, expect.iter().collect());
            let encoding = if utf16 { Encoding::Utf16 } else { Encoding::Utf32 };
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
