//! The literal kinds of Gradle.

pathfinder_literals::literal_kinds! {
    /// Script of `apply from:`.
    APPLY = "gradle.apply";
    /// Project of `include` in the settings.
    INCLUDE = "gradle.include";
    /// Directory of `includeBuild` in the settings.
    INCLUDE_BUILD = "gradle.include_build";
}
