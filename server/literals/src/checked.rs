//! `Checked`: a path literal and its verdict, the result type of [`check`](fn@crate::check).

use std::ops::Range;

use crate::literal_kind::LiteralKind;

/// A path literal and the verdict on its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The kind, by language and construct.
    pub kind: LiteralKind,
    /// Byte range in the file, without quotes.
    pub range: Range<usize>,
    /// True if its target exists.
    pub verdict: Verdict,
    /// Paths that were looked up, in order, relative to the root.
    pub tried: Vec<String>,
}

/// True if the target of a literal exists. Only [`Verdict::Missing`] becomes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The target exists.
    Found(Target),
    /// The target does not exist, and nothing is known that would generate it.
    Missing(Missing),
    /// The source alone does not decide whether the target exists.
    Unknown(Reason),
}

/// The existing target of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The path, relative to the root; empty for the root itself.
    pub path: String,
}

/// The kind of entry that a construct accepts as its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Want {
    /// Only a file.
    File,
    /// Only a directory.
    Directory,
    /// A file or a directory.
    Any,
}

/// A finding: a literal whose target is missing or is not usable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The kind of finding.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// A short explanation for the user.
    pub reason: String,
    /// The path that the literal most likely names, relative to the root. Fixes start from it.
    pub wanted: String,
    /// The kind of entry that the construct accepts.
    pub want: Want,
    /// The existing path that replaces it, if it is known for sure.
    pub instead: Option<String>,
}

impl Missing {
    /// A path that does not exist, of which no other is known to replace it.
    pub fn new(wanted: String, want: Want, severity: Severity) -> Self {
        let reason = format!("{wanted} does not exist");
        Self { code: Code::MissingPath, severity, reason, wanted, want, instead: None }
    }
}

/// The kind of a finding. Its name is stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Code {
    /// The target does not exist.
    MissingPath,
    /// The target does not exist, and git's history says where it moved.
    MovedPath,
    /// The target exists in another case, which only some systems find.
    CaseMismatch,
    /// The target exists in another Unicode form, which only some systems find.
    UnicodeMismatch,
    /// The target exists, but git does not track it.
    UntrackedTarget,
    /// The target exists, but `.dockerignore` excludes it from the build context.
    DockerIgnoredTarget,
    /// The target exists, but outside the package that names it.
    OutsidePackageTarget,
    /// The target file exists, but has no such heading.
    MissingAnchor,
}

impl Code {
    /// All codes.
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

    /// Returns the name that is used in output and settings.
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

/// The severity of a finding. Hints are shown only if the settings ask for hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Severity {
    /// The construct fails without its target.
    Error,
    /// The target should exist, but the construct that needs it may not run.
    Warning,
    /// A missing target is often legitimate.
    Hint,
}

impl Severity {
    /// Returns the name that is used in output and settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Hint => "hint",
        }
    }
}

/// The reason for [`Verdict::Unknown`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Reason {
    /// Part of the literal is computed: a variable, a template, an expression.
    Dynamic,
    /// The literal is no path in this tree: a URI of another scheme, a virtual module, a package.
    Elsewhere,
    /// The path leads out of the root.
    Outside,
    /// Ignore rules cover the path, so it may be generated and not in the repository. The text is the path.
    Ignored(String),
    /// A build or a tool generates the target; the text names it.
    Produced(String),
    /// The target need not exist: an optional or conditional construct.
    Optional,
    /// The target lies in a submodule that is not checked out; the text is the path of the submodule.
    Submodule(String),
    /// The checkout is sparse, and the path may be left out.
    Sparse,
    /// The target belongs to a dependency, and dependencies are not installed.
    NotInstalled,
    /// The configuration that decides the target is missing or cannot be read; the text names it.
    Undecided(String),
    /// The target does not exist, but the literal is not likely enough to be broken; the text says why.
    Doubtful(String),
}

impl Reason {
    /// Returns the name that is used in traces.
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

    /// Returns what the reason names: the generator, the ignored path, the submodule, the configuration.
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
