//! Tests of disk access on trees that are described by strings.

mod dependencies;
mod history;
mod package_manifests;
mod probe;
mod roots;
mod walk;
mod walk_rules;
