//! The literal kinds of Terraform.

pathfinder_literals::literal_kinds! {
    /// File of `file`, `templatefile` and the like.
    FILE = "tf.file";
    /// Directory of a module's `source`.
    SOURCE = "tf.source";
}
