//! The error of a request, as handlers return it. `adapter` converts it to the protocol's error.

/// The reason why a request has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum LspError {
    /// The parameters are wrong.
    #[error("{0}")]
    InvalidParams(String),
    /// The request cannot be answered in the server's state.
    #[error("{0}")]
    InvalidRequest(String),
    /// The server or the client failed.
    #[error("{0}")]
    Internal(String),
}

impl LspError {
    /// Returns the error of a request whose handler panicked.
    pub(super) fn defect() -> Self {
        Self::Internal("this is a defect of pathfinder, please report it with the request".to_owned())
    }
}
