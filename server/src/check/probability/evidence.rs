//! Evidence: what speaks for and against a missing path being broken. Each is a named yes-or-no, so that a table of weights and
//! `--explain` can be read.

macro_rules! evidence {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal),+ $(,)?) => {
        /// A named observation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(usize)]
        pub(super) enum Evidence { $($(#[doc = $doc])+ $variant),+ }

        impl Evidence {
            /// All, in order.
            pub(super) const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name that `--explain` and the table of weights use.
            pub(super) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

evidence! {
    /// The target's anchor is missing, not the target.
    Anchor "construct-anchor",
    /// An attribute of a page: a browser asks for exactly this.
    Attribute "construct-attribute",
    /// A link of a page, to a file.
    PageFile "construct-page-file",
    /// A link of a page, without an extension: a directory, a route, a label.
    PageName "construct-page-name",
    /// A directive or a role of a documentation system.
    Directive "construct-directive",
    /// An import relative to the file.
    Relative "construct-relative-import",
    /// An import by the name of a module or class.
    Named "construct-named-import",
    /// A mock of a module: it may replace one that is nowhere.
    Mock "construct-mock",
    /// An entry of a configuration or a build.
    Configuration "construct-configuration",
    /// A string that looks like a path.
    Text "construct-string",
    /// The language's own rules say that it fails.
    Fails "severity-error",
    /// They say that it should be there.
    Should "severity-warning",
    /// They say that it need not be there.
    Optional "severity-hint",
    /// Of literals of its kind and form (this one aside) less than a third resolve.
    FormNone "form-resolves-below-0.3",
    /// Less than seven of ten.
    FormSome "form-resolves-below-0.7",
    /// Less than nine of ten.
    FormMany "form-resolves-below-0.9",
    /// Less than 98 of 100.
    FormMost "form-resolves-below-0.98",
    /// Nearly all.
    FormAll "form-resolves-nearly-all",
    /// No other literal of this form was seen.
    FormNew "form-is-unknown",
    /// Another literal with the same segments before the last one resolves.
    BeforeFound "prefix-resolves",
    /// Several have them, and most of them do not resolve.
    BeforeLost "prefix-does-not-resolve",
    /// Others of its kind in the file resolve: nine of ten.
    FileMost "file-resolves",
    /// Fewer of them.
    FileSome "file-resolves-in-part",
    /// One or two, and they do not.
    FileFew "file-has-few-others",
    /// More, and none does.
    FileNone "file-does-not-resolve",
    /// It is the only one of its kind in the file.
    FileAlone "file-has-no-others",
    /// Another file misses the same path.
    AgreeOne "one-other-file-misses-it",
    /// Several other files miss the same path.
    AgreeMany "several-other-files-miss-it",
    /// Several other files miss something in the same missing directory.
    AgreeBelow "several-other-files-miss-its-directory",
    /// Git's history had the path.
    HistoryHad "history-had-it",
    /// Git's history had its directory, which is gone.
    HistoryDirectory "history-had-its-directory",
    /// Git's history never had it.
    HistoryNever "history-never-had-it",
    /// The part of it that was read never had it.
    HistoryNotLately "recent-history-never-had-it",
    /// Git's history or the disk's own spelling says where it is.
    TargetKnown "target-is-known",
    /// One path is one edit away.
    SlipOne "one-edit-from-a-path",
    /// One path is two edits away.
    SlipTwo "two-edits-from-a-path",
    /// And the file names that already.
    SlipNamed "that-path-is-named-already",
    /// One file elsewhere has its name and its directory's.
    SameTail "one-file-has-its-name-and-directory",
    /// One file elsewhere has its name.
    SameName "one-file-has-its-name",
    /// Several have.
    SameNames "several-files-have-its-name",
    /// A file is there that has its name with another extension.
    OtherExtension "exists-with-another-extension",
    /// The directory that it names is not there, but the one above is.
    DirectoryMissing "directory-is-missing",
    /// Nor is that.
    DirectoriesMissing "directories-are-missing",
    /// It would be in the file's own directory.
    OwnDirectory "in-the-own-directory",
    /// The file is input of tests, a template, a copy.
    InFixture "in-a-fixture",
    /// The file is a test.
    InTest "in-a-test",
    /// The file is a sample for readers.
    InExample "in-an-example",
    /// A comment on its line, or on the line before, tells a tool that checks imports to keep quiet.
    Silenced "a-checker-is-silenced",
    /// A build file says the name of what is missing.
    BuildNames "a-build-file-names-it",
    /// The file is in another place as well, as a link or a copy, and has it there.
    TwinHas "a-twin-of-the-file-has-it",
    /// It begins with a slash, and is there as seen from another directory above the file: that is its root.
    AboveHas "a-directory-above-has-it",
}
