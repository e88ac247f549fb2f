//! `Work`: what the publisher is given to do.

use std::path::PathBuf;
use std::sync::Arc;

use tower_lsp_server::ls_types::Uri;

use super::documents::Look;
use super::editor::Status;

/// What there is to do.
pub(super) enum Work {
    /// An open text has changed, or what it depends on has.
    Touched { uri: Uri, why: Why },
    /// A text is not open any more.
    Closed { uri: Uri },
    /// Something may be different in a file that may not be open. What is wrong in it is looked up when it is said: of two who
    /// give this at the same time, the one who comes last need not know the latest.
    File { root: PathBuf, file: String },
    /// A text is open from now on.
    Opened { uri: Uri },
    /// A text was looked at.
    Looked { uri: Uri, look: Option<Arc<Look>> },
    /// Fixes were found for a look.
    Mended(Arc<Look>),
    /// A path below a root is gone, with all below it.
    Gone { root: PathBuf, path: String },
    /// The state of things has changed.
    Status(Status),
    /// The client asks for the workspace itself from now on.
    Yield,
}

/// Why a text is to be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// It was opened.
    Opened,
    /// It was edited, and may be again in a moment.
    Edited,
    /// What it depends on has changed.
    Around,
}
