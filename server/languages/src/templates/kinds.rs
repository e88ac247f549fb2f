//! The literal kinds of templates.

pathfinder_literals::literal_kinds! {
    /// Template of `{% extends %}`, `{% include %}`, `{% import %}`, `{% from %}`, `{% embed %}` or `{{ include() }}`.
    TEMPLATE = "template.include";
}
