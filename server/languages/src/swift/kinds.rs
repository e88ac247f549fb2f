//! The literal kinds of Swift.

pathfinder_literals::literal_kinds! {
    /// Path in `exclude` of a target of `Package.swift`.
    EXCLUDE = "swift.exclude";
    /// `publicHeadersPath` of a target of `Package.swift`.
    HEADERS = "swift.headers";
    /// Directory of a package dependency.
    PACKAGE = "swift.package";
    /// `path` of a target of `Package.swift`.
    PATH = "swift.path";
    /// Path in `resources` of a target of `Package.swift`.
    RESOURCE = "swift.resource";
    /// Path in `sources` of a target of `Package.swift`.
    SOURCE = "swift.source";
    /// Directory of a target of `Package.swift` without `path`.
    TARGET = "swift.target";
}
