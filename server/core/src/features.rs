//! Feature extraction: one fixed list of named numbers per reading and candidate. Used by `candidates` and `rank`.

pub(crate) mod alignment;
pub(crate) mod extension;
pub(crate) mod flags;
pub(crate) mod name;
pub(crate) mod schema;
pub(crate) mod scorer;

pub(crate) use schema::{Feature, FeatureVector};
pub(crate) use scorer::Scorer;
