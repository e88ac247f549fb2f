//! The literal kinds of Xcode projects.

pathfinder_literals::literal_kinds! {
    /// File of a project of Xcode.
    FILE = "xcode.file";
    /// Directory of a group of a project of Xcode.
    GROUP = "xcode.group";
    /// File that a build setting of Xcode names: `INFOPLIST_FILE`.
    SETTING = "xcode.setting";
}
