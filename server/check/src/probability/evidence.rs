//! `Evidence`: named yes-or-no observations for and against a missing path being broken. The table of weights and
//! `--explain` use the names.

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
    /// An attribute of a page: a browser requests exactly this path.
    Attribute "construct-attribute",
    /// A page's link to a file.
    PageFile "construct-page-file",
    /// A page's link without extension: a directory, a route, a label.
    PageName "construct-page-name",
    /// A directive or a role of a documentation system.
    Directive "construct-directive",
    /// An import relative to the file.
    Relative "construct-relative-import",
    /// An import by the name of a module or class.
    Named "construct-named-import",
    /// A mock of a module: it may replace one that does not exist.
    Mock "construct-mock",
    /// An entry of a configuration or a build.
    Configuration "construct-configuration",
    /// A value of a data file that no rule names: others beside it are paths.
    Value "construct-value",
    /// Such a value, if exactly one other file has its name.
    NamedValue "construct-named-value",
    /// A string that looks like a path.
    Text "construct-string",
    /// The language's rules say that it fails.
    Fails "severity-error",
    /// The language's rules say that it should exist.
    Should "severity-warning",
    /// The language's rules say that it may be missing.
    Optional "severity-hint",
    /// Fewer than three in ten literals of its kind and form (without this one) resolve.
    FormNone "form-resolves-below-0.3",
    /// Fewer than seven in ten resolve.
    FormSome "form-resolves-below-0.7",
    /// Fewer than nine in ten resolve.
    FormMany "form-resolves-below-0.9",
    /// Fewer than 98 in 100 resolve.
    FormMost "form-resolves-below-0.98",
    /// Nearly all resolve.
    FormAll "form-resolves-nearly-all",
    /// No other literal of this form was seen.
    FormNew "form-is-unknown",
    /// More literals with the same segments before the last one resolve than do not.
    BeforeFound "prefix-resolves",
    /// Several literals with those segments are missing, and most do not resolve.
    BeforeLost "prefix-does-not-resolve",
    /// At least nine in ten others of its kind in the file resolve.
    FileMost "file-resolves",
    /// Some others of its kind in the file resolve.
    FileSome "file-resolves-in-part",
    /// The file has one or two others of its kind, and none resolves.
    FileFew "file-has-few-others",
    /// The file has more others of its kind, and none resolves.
    FileNone "file-does-not-resolve",
    /// The file has no others of its kind.
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
    /// The newest part of git's history, as far as it was read, never had it.
    HistoryNotLately "recent-history-never-had-it",
    /// The repository is a shallow clone, as CI makes it: what its history had is unknown, and what CI builds mostly works.
    HistoryCutOff "history-is-cut-off",
    /// Git's history or the disk's own spelling gives the target.
    TargetKnown "target-is-known",
    /// It may have been part of another file when the target moved; its own file did not have it.
    TakenOver "its-file-is-younger-than-the-move",
    /// Exactly one existing path is one edit away.
    SlipOne "one-edit-from-a-path",
    /// Exactly one existing path is two edits away, or two are one mistyped letter away.
    SlipTwo "two-edits-from-a-path",
    /// The file already names that path.
    SlipNamed "that-path-is-named-already",
    /// One file elsewhere has its name and its directory's name.
    SameTail "one-file-has-its-name-and-directory",
    /// One file elsewhere has its name.
    SameName "one-file-has-its-name",
    /// Several files elsewhere have its name.
    SameNames "several-files-have-its-name",
    /// A file with another extension has its name.
    OtherExtension "exists-with-another-extension",
    /// Its directory is missing, but the parent exists.
    DirectoryMissing "directory-is-missing",
    /// Its directory and the parent are missing.
    DirectoriesMissing "directories-are-missing",
    /// It would be in the file's own directory.
    OwnDirectory "in-the-own-directory",
    /// The file is test input, a template or a copy.
    InFixture "in-a-fixture",
    /// The file is a test.
    InTest "in-a-test",
    /// The file is an example for readers.
    InExample "in-an-example",
    /// A comment on its line, or on the line before, silences another checker of imports.
    Silenced "a-checker-is-silenced",
    /// A build file names the missing path.
    BuildNames "a-build-file-names-it",
    /// A script names the file and what it misses.
    ScriptNames "a-script-names-it-with-the-file",
    /// A value in a file whose name has a date or says that it is a record, or the input of a test beside its expected output.
    Recorded "its-file-is-a-record",
    /// A build file of today names what git's history had: the build makes it now.
    BuildMakes "a-build-file-names-what-git-had",
    /// A readme links to a file beside it: the host of the code shows it where it lies.
    Readme "a-readme-links-to-it",
    /// It led to a file when its own file was elsewhere, as others of the file did, and no link of the file works since: it is read
    /// from elsewhere.
    AllMoved "all-links-of-its-file-broke-with-a-move",
    /// Other files of the directory that its target moved to are named in the old one, in which they never were.
    StillNamed "files-are-still-named-where-they-never-were",
    /// Many files have paths in other letter case than the disk: where they are read, case makes no difference.
    LooseCase "many-files-differ-in-case",
    /// It has stood for a month in another letter case than the disk, in code that is built.
    StoodInOtherCase "it-has-stood-in-other-case",
    /// Its line and the miss were there a month before the newest commit.
    Stood "it-has-stood-for-a-month",
    /// It has stood so in a compiled file that was changed since, which a build that lacks the target would not have let pass.
    Changed "its-file-was-changed-since",
    /// It has stood so, and what it moved to ends as it is written: a search path of the compiler leads there.
    Searched "a-search-path-can-have-it",
    /// Git's history never had the path, and it is no typo of one that exists.
    Unfounded "git-knows-no-such-path",
    /// Git's history never had the path, but paths like it lead to files, which nothing reads every day: it was wrong from the start.
    Mistaken "it-was-wrong-when-written",
    /// Nothing explains the miss, and what reads the literal need not read it from here: see `unexplained`.
    Unexplained "nothing-explains-it",
    /// Many other files miss paths that lead to existing files by the same change of the name: without directories, or with an addition.
    OtherNames "files-have-other-names-by-a-rule",
    /// Most links of its directory's documents to headings of their own find none: they are parts of a page.
    PartOfPage "its-document-is-a-part-of-a-page",
    /// A copy of the file, or a link to it, has the target from where that lies.
    TwinHas "a-twin-of-the-file-has-it",
    /// A rule of the language says that the target need not exist.
    RuleOptional "a-rule-calls-it-optional",
    /// A rule says that a tool may write the target.
    RuleProduced "a-rule-says-a-tool-writes-it",
    /// A rule says that something unknown decides the target.
    RuleUndecided "a-rule-cannot-decide-it",
    /// It differs from exactly one existing path in one digit.
    NumberSlip "one-digit-from-a-path",
    /// It differs from several existing paths in one digit.
    NumberFamily "one-digit-from-several-paths",
    /// Other misses of its file have their only namesakes in the directory in which it has its own.
    MovedTogether "others-beside-it-moved-to-the-same-place",
    /// It leads to a file with one step to the directory above more, or one less.
    StepSlip "one-step-from-a-path",
    /// The file is a test that its runner finds by its name and loads.
    InRunTest "in-a-test-that-runs",
    /// A page's link, where nearly all of many links of its form and of its file lead to files.
    PagesResolve "links-like-it-lead-to-files",
    /// A path that differs by one letter from another one, and whose own name no file of the project has.
    Misspelt "its-name-is-misspelt",
    /// A string in a test that moved from the directory of its target: the author of the move went through the test.
    LeftInTest "its-test-moved-away-from-it",
}
