//! `Checked`: a literal and its verdict.

use std::ops::Range;

/// A path literal, and whether what it names is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Language and construct, such as `md.link`: a name other programs rely on.
    pub kind: &'static str,
    /// Where it stands, in bytes of the file, without quotes.
    pub range: Range<usize>,
    /// What is known of it.
    pub verdict: Verdict,
    /// What was tried, in order, relative to the root.
    pub tried: Vec<String>,
}

/// Whether what a literal names is there. Only [`Verdict::Missing`] is ever reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is there.
    Found(Target),
    /// It is not there, and nothing is known that would make it.
    Missing(Missing),
    /// Nobody can say by reading alone.
    Unknown(Reason),
}

/// What a literal leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Relative to the root; empty is the root itself.
    pub path: String,
}

/// What a literal can lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// A file only.
    File,
    /// A directory only.
    Directory,
    /// Either.
    Any,
}

/// What is wrong with a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What kind of wrong.
    pub code: Code,
    /// How sure, and how bad.
    pub severity: Severity,
    /// In a few words, for people.
    pub reason: String,
    /// The path that it names in the first place, relative to the root: what to look for when it is to be mended.
    pub wanted: String,
    /// What the construct can take.
    pub want: Want,
    /// The path that is there instead, where that is known for sure.
    pub instead: Option<String>,
}

/// A stable name for what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// Nothing is there.
    MissingPath,
    /// Git's history says where it went.
    MovedPath,
    /// It is there in another case, which only some systems find.
    CaseMismatch,
    /// It is there in another Unicode form, which only some systems find.
    UnicodeMismatch,
    /// It is there, but git does not have it.
    UntrackedTarget,
    /// It is there, but `.dockerignore` keeps it out of the context.
    DockerIgnoredTarget,
    /// It is there, but outside what is packaged.
    OutsidePackageTarget,
    /// The file is there, the heading in it is not.
    MissingAnchor,
}

impl Code {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::MissingPath,
        Self::MovedPath,
        Self::CaseMismatch,
        Self::UnicodeMismatch,
        Self::UntrackedTarget,
        Self::DockerIgnoredTarget,
        Self::OutsidePackageTarget,
        Self::MissingAnchor,
    ];

    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::MissingPath => "missing-path",
            Self::MovedPath => "moved-path",
            Self::CaseMismatch => "case-mismatch",
            Self::UnicodeMismatch => "unicode-mismatch",
            Self::UntrackedTarget => "untracked-target",
            Self::DockerIgnoredTarget => "docker-ignored-target",
            Self::OutsidePackageTarget => "outside-package-target",
            Self::MissingAnchor => "missing-anchor",
        }
    }
}

/// How bad a finding is. A hint is shown only to who asks for hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The construct fails without its target.
    Error,
    /// It should be there; what needs it may not run.
    Warning,
    /// Often legitimate.
    Hint,
}

impl Severity {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Hint => "hint",
        }
    }
}

/// Why nobody can say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Part of it is computed: a variable, a template, an expression.
    Dynamic,
    /// It is no path in this tree: a URI of another scheme, a virtual module, a package.
    Elsewhere,
    /// It leads out of the root.
    Outside,
    /// The project ignores the place: what is made there is not in the repository.
    Ignored(String),
    /// Something makes it; the text names the producer.
    Produced(String),
    /// It need not be there: an optional or conditional construct.
    Optional,
    /// It lies in a submodule that is not checked out.
    Submodule(String),
    /// It lies where a sparse checkout has left a hole.
    Sparse,
    /// Dependencies are not installed.
    NotInstalled,
    /// What decides where it leads is missing or cannot be read; the text names it.
    Undecided(String),
    /// Nothing is there, but that it is broken is not likely enough to be said; the text says why.
    Doubtful(String),
}

impl Reason {
    /// Its name in traces.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Dynamic => "dynamic",
            Self::Elsewhere => "elsewhere",
            Self::Outside => "outside",
            Self::Ignored(_) => "ignored",
            Self::Produced(_) => "produced",
            Self::Optional => "optional",
            Self::Submodule(_) => "submodule",
            Self::Sparse => "sparse",
            Self::NotInstalled => "not-installed",
            Self::Undecided(_) => "undecided",
            Self::Doubtful(_) => "doubtful",
        }
    }

    /// What it names: the producer, the rule, the configuration.
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::Ignored(text)
            | Self::Produced(text)
            | Self::Submodule(text)
            | Self::Undecided(text)
            | Self::Doubtful(text) => Some(text),
            _ => None,
        }
    }
}
