//! `PublishEvent`: messages to the publisher.

use std::path::PathBuf;
use std::sync::Arc;

use tower_lsp_server::ls_types::Uri;

use super::documents::DocumentAnalysis;
use super::editor::Status;

/// An event that may change what the client shows.
pub(super) enum PublishEvent {
    /// The diagnostics of an open document may be out of date.
    Dirty { uri: Uri, reason: DirtyReason },
    /// A document was closed.
    Closed { uri: Uri },
    /// The diagnostics of a file may have changed; it need not be closed. The publisher looks the findings up itself: of two
    /// threads that send this event, the later one need not know the latest findings.
    FileChanged { root: PathBuf, file: String },
    /// A document was opened.
    Opened { uri: Uri },
    /// An analysis has ended; `None` if the document cannot be analyzed.
    Analyzed { uri: Uri, analysis: Option<Arc<DocumentAnalysis>> },
    /// An analysis, now with its fixes.
    FixesFound(Arc<DocumentAnalysis>),
    /// A path below a root was deleted, with everything below it.
    Deleted { root: PathBuf, path: String },
    /// The server's status has changed.
    Status(Status),
    /// The client pulls workspace diagnostics from now on: published ones are cleared.
    WorkspacePulled,
}

/// The reason why a document has to be analyzed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DirtyReason {
    /// It was opened.
    Opened,
    /// It was edited, and more edits may follow at once.
    Edited,
    /// Something that it depends on has changed.
    Dependency,
}
