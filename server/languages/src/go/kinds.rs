//! The literal kinds of Go.

pathfinder_literals::literal_kinds! {
    /// Pattern of `//go:embed`.
    EMBED = "go.embed";
    /// Package of `import`.
    IMPORT = "go.import";
    /// Own path of a package in the import comment of its clause.
    IMPORT_COMMENT = "go.import-comment";
    /// Directory of `replace` in `go.mod`.
    MOD_REPLACE = "go.mod.replace";
    /// Directory of `replace` in `go.work`.
    WORK_REPLACE = "go.work.replace";
    /// Directory of `use` in `go.work`.
    WORK_USE = "go.work.use";
}
