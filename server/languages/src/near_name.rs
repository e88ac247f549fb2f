//! `NearName`: a declared name that a literal has with a typo.

/// A declared name that a literal has with a typo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearName {
    /// The file that the name leads to, relative to the root.
    pub file: String,
    /// The declared name.
    pub name: String,
    /// The name as the literal has it.
    pub written: String,
}
