//! Converts findings and fixes to LSP diagnostics, titles and edits.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use pathfinder_literals::{Code, Severity};
use serde_json::{Value, json};
use tower_lsp_server::ls_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DocumentChanges, Location,
    NumberOrString, OneOf, OptionalVersionedTextDocumentIdentifier, Position, Range, TextDocumentEdit, TextEdit, Uri,
    WorkspaceEdit,
};

use super::client_capabilities::ClientCapabilities;
use super::documents::DocumentAnalysis;
use super::line_index::PositionEncoding;
use super::server_snapshot::StateData;
use super::{project_file, uri};
use pathfinder_check::{Finding, Fix};
use pathfinder_project::settings::PROJECT_FILE;
use pathfinder_protocol::finding::WireFix;

/// The `source` of all diagnostics.
pub(super) const SOURCE: &str = "pathfinder";
/// The confidence from which a message suggests a fix: more likely right than wrong.
const MIN_SUGGESTED_CONFIDENCE: f32 = 0.5;

/// The `source` of errors in `pathfinder.toml`, which are no broken paths.
const PROJECT_FILE_SOURCE: &str = "pathfinder.toml";

/// Returns the diagnostics of an open document: its reported findings, or what is wrong in a project's settings.
pub(super) fn diagnostics(analysis: &DocumentAnalysis, state: &StateData) -> Vec<Diagnostic> {
    let client = state.editor.capabilities();
    let preferences = state.preferences_of(&analysis.diagnostics.root());
    let reported = analysis.findings.iter().filter(|finding| preferences.reports(finding));
    let mut all: Vec<Diagnostic> = reported.map(|finding| diagnostic(analysis, finding, client)).collect();
    if analysis.document.path() == PROJECT_FILE && preferences.has_diagnostics {
        let text = analysis.document.text();
        all.extend(project_file::errors(text).into_iter().map(|(bytes, message)| Diagnostic {
            range: analysis.lines.range(text, &bytes, client.encoding),
            severity: Some(DiagnosticSeverity::ERROR),
            source: Some(PROJECT_FILE_SOURCE.to_owned()),
            message,
            ..Diagnostic::default()
        }));
    }
    all
}

/// Returns the diagnostic of a finding in an open document.
pub(super) fn diagnostic(analysis: &DocumentAnalysis, finding: &Finding, client: &ClientCapabilities) -> Diagnostic {
    let range = analysis.lines.range(analysis.document.text(), &finding.range, client.encoding);
    build_diagnostic(finding, range, &analysis.diagnostics.root(), client)
}

/// Returns the diagnostic of a finding in a file on disk, of whose text only the line is known.
pub(super) fn diagnostic_on_disk(finding: &Finding, root: &Path, client: &ClientCapabilities) -> Diagnostic {
    build_diagnostic(finding, range_on_disk(finding, client.encoding), root, client)
}

/// Returns the range of a finding in a file on disk.
pub(super) fn range_on_disk(finding: &Finding, encoding: PositionEncoding) -> Range {
    let line = (finding.line - 1) as u32;
    let (before, rest) = finding.line_before();
    let start = Position { line, character: units(before, encoding) + rest as u32 };
    let lines = finding.literal.matches('\n').count() as u32;
    let last = finding.literal.rsplit('\n').next().unwrap_or_default();
    let from = if lines == 0 { start.character } else { 0 };
    Range { start, end: Position { line: line + lines, character: from + units(last, encoding) } }
}

/// Returns the length of a text in units of the encoding.
fn units(text: &str, encoding: PositionEncoding) -> u32 {
    let lines = super::line_index::LineIndex::new(text);
    // Lone carriage returns do not occur in paths.
    lines.position(text, text.len(), encoding).character
}

fn build_diagnostic(finding: &Finding, range: Range, root: &Path, client: &ClientCapabilities) -> Diagnostic {
    let href = pathfinder_check::rules::address(finding.code);
    let related = moved_to(finding, root).filter(|_| client.has_related_information);
    Diagnostic {
        range,
        severity: Some(match finding.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Hint => DiagnosticSeverity::HINT,
        }),
        code: Some(NumberOrString::String(finding.code.name().to_owned())),
        code_description: href.parse().ok().map(|href| CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message: message(finding),
        related_information: related.map(|related| vec![related]),
        tags: None,
        data: Some(data(finding)),
    }
}

/// Returns the message of a diagnostic: the likely fix, or else the reason.
pub(super) fn message(finding: &Finding) -> String {
    let (literal, reason) = (&finding.literal, &finding.reason);
    let likely = finding.fixes.first().filter(|fix| fix.confidence >= MIN_SUGGESTED_CONFIDENCE);
    match (finding.code, likely) {
        (Code::MissingPath | Code::MissingAnchor, Some(fix)) => {
            format!("Broken path: `{literal}`. Did you mean `{}`?", fix.literal)
        }
        (Code::MissingPath | Code::MissingAnchor | Code::MovedPath, _) => format!("Broken path: `{literal}`. {reason}"),
        _ => format!("`{literal}`: {reason}"),
    }
}

/// Returns the `data` of a diagnostic: all that a code action needs.
fn data(finding: &Finding) -> Value {
    let fixes: Vec<WireFix<'_>> = finding.fixes.iter().map(|fix| WireFix::new(fix, false)).collect();
    json!({"literal": finding.literal, "kind": finding.kind.as_str(), "fixes": fixes})
}

/// Returns the new location of a path that git history says was moved.
fn moved_to(finding: &Finding, root: &Path) -> Option<DiagnosticRelatedInformation> {
    if finding.code != Code::MovedPath {
        return None;
    }
    let to = finding.instead.as_deref()?;
    let location = Location { uri: uri::from_path(&root.join(to))?, range: Range::default() };
    Some(DiagnosticRelatedInformation { location, message: finding.reason.clone() })
}

/// Returns a hash of diagnostics, to detect changes.
pub(super) fn fingerprint(diagnostics: &[Diagnostic]) -> u64 {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(diagnostics).unwrap_or_default().hash(&mut hasher);
    hasher.finish()
}

/// Returns the title of the code action for a fix.
pub(super) fn fix_title(finding: &Finding, fix: &Fix) -> String {
    let moved = finding.code == Code::MovedPath && finding.instead.as_deref() == Some(fix.path.as_str());
    if moved {
        return format!("Change to `{}` ({})", fix.shown(&finding.literal), finding.reason);
    }
    format!("Change to `{}` ({}, {:.0} %)", fix.shown(&finding.literal), fix.path, fix.confidence * 100.0)
}

/// Returns the edit of one document, in the form that the client supports.
pub(super) fn document_edit(
    uri: &Uri,
    version: Option<i32>,
    edits: Vec<TextEdit>,
    client: &ClientCapabilities,
) -> WorkspaceEdit {
    workspace_edit(vec![(uri.clone(), version, edits)], client)
}

/// Returns the edit of several documents, in the form that the client supports.
pub(super) fn workspace_edit(
    all: Vec<(Uri, Option<i32>, Vec<TextEdit>)>,
    client: &ClientCapabilities,
) -> WorkspaceEdit {
    if client.has_document_changes {
        let documents = all.into_iter().map(|(uri, version, edits)| TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { uri, version },
            edits: edits.into_iter().map(OneOf::Left).collect(),
        });
        let document_changes = Some(DocumentChanges::Edits(documents.collect()));
        return WorkspaceEdit { document_changes, ..WorkspaceEdit::default() };
    }
    let changes = all.into_iter().map(|(uri, _, edits)| (uri, edits)).collect();
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}
