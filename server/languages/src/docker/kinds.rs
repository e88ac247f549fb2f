//! The literal kinds of Dockerfiles.

pathfinder_literals::literal_kinds! {
    /// Source of `ADD`.
    ADD = "docker.add";
    /// Source of `COPY`.
    COPY = "docker.copy";
}
