//! The literal kinds of templates.

pathfinder_literals::literal_kinds! {
    /// Template of `{% include %}`, `{% extends %}`, `{% import %}` or `{% from %}`.
    INCLUDE = "template.include";
}
