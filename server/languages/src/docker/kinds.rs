//! The literal kinds of Dockerfiles.

pathfinder_literals::literal_kinds! {
    /// Source of `ADD`.
    ADD = "docker.add";
    /// Path of a command, in a directory that `COPY` put into the image.
    COMMAND = "docker.command";
    /// Source of `COPY`.
    COPY = "docker.copy";
}
