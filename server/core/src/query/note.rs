//! `Note`: one treatment of a failed path, with the words that an answer shows for it.

/// A treatment of the failed path that led to a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Note {
    /// Nothing: relative to a root, or absolute under one, exactly as written.
    AsWritten,
    /// Relative to the current directory.
    FromCwd,
    /// Relative to the directory of the file in which it was written.
    FromFile,
    /// Joined to the hinted directory.
    UnderHint,
    /// `..` segments were removed together with the directories before them.
    ParentResolved,
    /// It has more `..` than there are directories to leave.
    LeavesRoot,
    /// Absolute, and not under any root.
    OtherMachine,
    /// The directories in which other machines keep projects were taken off the front.
    MachinePrefix,
    /// The root's own directory name was taken off, with everything before it.
    RootName,
    /// `/` was read as the root.
    LeadingSlash,
    /// The leading `/` of an absolute path under a root was missing.
    SlashRestored,
    /// A drive letter was dropped.
    Drive,
    /// A Windows path in the notation of WSL, MSYS or Cygwin.
    OtherNotation,
    /// Server and share of a network path were dropped.
    NetworkShare,
    /// A `file:` URI.
    FileUri,
    /// The path part of some other URL.
    Url,
    /// `~`, `$HOME` or `%USERPROFILE%`.
    Home,
    /// A leading variable with an unknown value was dropped.
    Variable,
    /// An import alias such as `@/`.
    Alias,
    /// A package's name in place of its directory.
    Package,
    /// `foo_bar.rs` for `foo/bar.rs`.
    SeparatorAsSlash,
    /// `a/foo.rs` for `a/foo/mod.rs`, or the reverse.
    IndexForm,
    /// The file of a module that was named with dots or colons.
    ModuleFile,
    /// `a/` or `b/` of a diff.
    DiffPrefix,
    /// `HEAD:` or `host:` in front.
    Revision,
    /// `:12:5`, `#L12`, `(12,5)`.
    LineSuffix,
    /// `#section`.
    Anchor,
    /// `?v=1`.
    QueryString,
    /// `::test_name` or `:function` behind a file.
    Symbol,
    /// It stood in a stack frame, a compiler's message or an error's text.
    Message,
    /// It was the target of a Markdown link.
    MarkdownLink,
    /// Only the first of several lines.
    FirstLine,
    /// White space around it.
    Space,
    /// Quotes or backticks around it.
    Quotes,
    /// Brackets around it.
    Brackets,
    /// Punctuation behind it.
    Punctuation,
    /// A list mark, an `@` mention or the like in front.
    Mark,
    /// Terminal colours.
    Colours,
    /// Invisible characters were removed.
    Invisible,
    /// Typographic quotes, dashes, spaces and slashes made plain.
    LookAlike,
    /// Letters and their accents put together (NFC).
    Composed,
    /// Percent-encoding undone.
    Percent,
    /// `\303\251` and the like undone.
    OctalEscapes,
    /// `\ ` and the like undone.
    ShellEscapes,
    /// `\` read as separator.
    Backslashes,
    /// A control character that was a `\` and a letter.
    EatenBackslash,
    /// A repeated run of segments was kept once.
    Repeated,
    /// The path starts again further on; the part before is dropped.
    Restarted,
    /// Dots or `::` between module names.
    Module,
    /// Wildcards taken out.
    Glob,
    /// `...` for segments left out.
    Elided,
}

impl Note {
    /// A few words for the answer's `why`.
    pub fn text(self) -> &'static str {
        match self {
            Self::AsWritten => "as written",
            Self::FromCwd => "relative to the current directory",
            Self::FromFile => "relative to the file that names it",
            Self::UnderHint => "under the hinted directory",
            Self::ParentResolved => ".. resolved",
            Self::LeavesRoot => "leads out of the root",
            Self::OtherMachine => "path of another machine",
            Self::MachinePrefix => "prefix of another machine removed",
            Self::RootName => "root's own name removed",
            Self::LeadingSlash => "/ read as the root",
            Self::SlashRestored => "leading / restored",
            Self::Drive => "drive letter removed",
            Self::OtherNotation => "WSL or MSYS notation translated",
            Self::NetworkShare => "network share removed",
            Self::FileUri => "file URI read",
            Self::Url => "path taken from a URL",
            Self::Home => "home directory filled in",
            Self::Variable => "unknown variable removed",
            Self::Alias => "import alias read",
            Self::Package => "package name read as its directory",
            Self::SeparatorAsSlash => "separator in the name read as `/`",
            Self::IndexForm => "index file and its directory's file exchanged",
            Self::ModuleFile => "the module's file",
            Self::DiffPrefix => "diff prefix removed",
            Self::Revision => "revision or host removed",
            Self::LineSuffix => "line suffix removed",
            Self::Anchor => "anchor removed",
            Self::QueryString => "query string removed",
            Self::Symbol => "symbol name removed",
            Self::Message => "taken from a message or stack frame",
            Self::MarkdownLink => "taken from a Markdown link",
            Self::FirstLine => "first line only",
            Self::Space => "white space removed",
            Self::Quotes => "quotes removed",
            Self::Brackets => "brackets removed",
            Self::Punctuation => "punctuation removed",
            Self::Mark => "leading mark removed",
            Self::Colours => "terminal colours removed",
            Self::Invisible => "invisible characters removed",
            Self::LookAlike => "look-alike characters replaced",
            Self::Composed => "accents composed",
            Self::Percent => "percent-encoding undone",
            Self::OctalEscapes => "octal escapes undone",
            Self::ShellEscapes => "shell escapes undone",
            Self::Backslashes => "backslashes read as /",
            Self::EatenBackslash => "eaten backslash restored",
            Self::Repeated => "repeated segments removed",
            Self::Restarted => "path starts again",
            Self::Module => "module name read as path",
            Self::Glob => "wildcards taken out",
            Self::Elided => "elided segments skipped",
        }
    }
}
