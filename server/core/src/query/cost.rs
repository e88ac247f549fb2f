//! The cost that each treatment adds to a reading.
//!
//! The scale, set by how often the treatment is the right one when it applies:
//! up to 0.05 for another notation of one path; about 0.1 for dropped text that hardly any path has;
//! about 0.2 for a guess that is right as often as not; from 0.4 on the reading only cannot be excluded.
//! Costs of successive treatments add up. Here they decide only the order of readings.

/// The text as written, when it carries marks (`:12`, quotes, `*`) that files in a repository do not carry.
pub(super) const DOUBTFUL: f32 = 0.4;

/// `./x` and `../x` are nearly always relative to the file that holds them.
pub(super) const FROM_FILE_DOTTED: f32 = 0.01;
/// `x/y` in a file is relative to it in C, HTML and Markdown, relative to the root elsewhere.
pub(super) const FROM_FILE: f32 = 0.08;
/// `./x` typed by a person or an agent in a directory.
pub(super) const FROM_CWD_DOTTED: f32 = 0.02;
/// `x/y` typed in a directory: as good as relative to the root, which agents prefer.
pub(super) const FROM_CWD: f32 = 0.03;
/// The hint is a belief, not a fact; below [`FROM_FILE`] it would win over the path as written too often.
pub(super) const UNDER_HINT: f32 = 0.08;
/// `..` resolved inside the root: a file system gives the same result, unless the path passes a link.
pub(super) const PARENT: f32 = 0.01;
/// More `..` than directories: one is too many, or the base is not known.
pub(super) const LEAVES_ROOT: f32 = 0.3;

/// An absolute path of another machine as it stands: all of it is rarely in a root, its end often is.
pub(super) const OTHER_MACHINE: f32 = 0.3;
/// A directory that is a project on other machines (`/app`): the rest stands at the root.
pub(super) const MACHINE_PROJECT: f32 = 0.06;
/// The rest behind the directory of a project (`/home/x/code/name/`): right where the layout is the usual one.
pub(super) const MACHINE_NAMED: f32 = 0.1;
/// The rest behind a directory that holds projects: it still begins with the project's own name.
pub(super) const MACHINE_HOLDER: f32 = 0.15;
/// A machine's prefix without its leading `/`: it could be directories of the root as well.
pub(super) const MACHINE_SLASHLESS: f32 = 0.15;
/// The root's directory name in an absolute path: more telling than any list of prefixes.
pub(super) const ROOT_NAME: f32 = 0.04;
/// The root's directory name further on, where the first occurrence fits too.
pub(super) const ROOT_NAME_AGAIN: f32 = 0.08;
/// The root's name before a relative path: the caller stood one directory above.
pub(super) const ROOT_NAME_RELATIVE: f32 = 0.06;
/// `/src/x` for `src/x`: the commonest meaning of an absolute path of few segments.
pub(super) const LEADING_SLASH: f32 = 0.05;
/// A leading `/` where the first segment is a directory in which other machines hold projects.
pub(super) const KNOWN_PREFIX_KEPT: f32 = 0.2;
/// The whole root without its first `/` cannot be chance.
pub(super) const SLASH_RESTORED: f32 = 0.02;
/// The drive of a root in its WSL or MSYS form: another notation of one directory.
pub(super) const OTHER_NOTATION: f32 = 0.01;
/// `D:name`: the separators are lost; only the drive can be restored.
pub(super) const DRIVE: f32 = 0.1;
/// Server and share are never part of a repository.
pub(super) const SHARE: f32 = 0.05;
/// A `file:` URI is an exact notation.
pub(super) const FILE_URI: f32 = 0.01;
/// A URL's path need not be a path of files.
pub(super) const URL: f32 = 0.1;

/// `~` with a known home is exact.
pub(super) const HOME: f32 = 0.01;
/// An unknown variable mostly holds a directory above the root, sometimes one inside it.
pub(super) const VARIABLE: f32 = 0.1;
/// A variable named after the workspace or project.
pub(super) const VARIABLE_ROOT: f32 = 0.05;
/// An alias that stands for `src/`: the default of most templates.
pub(super) const ALIAS_SOURCE: f32 = 0.06;
/// An alias that stands for the root or a package.
pub(super) const ALIAS_ROOT: f32 = 0.1;
/// `a/`, `b/`: such directories are rare, such diffs are everywhere.
pub(super) const DIFF_PREFIX: f32 = 0.06;
/// `i/`, `w/`, `c/`, `o/`: only with an option of git that few set.
pub(super) const DIFF_MNEMONIC: f32 = 0.15;
/// `HEAD:x`: one colon could be many things.
pub(super) const REVISION: f32 = 0.15;

/// `:12` and `#L12` mean one thing.
pub(super) const LINE_SUFFIX: f32 = 0.02;
/// `#section`: names with `#` exist.
pub(super) const ANCHOR: f32 = 0.05;
/// `?v=1`: likewise, and `?` is also a wildcard.
pub(super) const QUERY_STRING: f32 = 0.05;
/// `x.py::test`, `x.rs:main`.
pub(super) const SYMBOL: f32 = 0.05;
/// The form of a stack frame is fixed, but in free text the extracted part can be wrong.
pub(super) const MESSAGE: f32 = 0.04;
/// `[text](path)` is exact.
pub(super) const MARKDOWN: f32 = 0.03;
/// The first of several lines mostly holds the path.
pub(super) const FIRST_LINE: f32 = 0.1;
/// Quotes, brackets, spaces and commas around a path are never part of it.
pub(super) const SURROUNDINGS: f32 = 0.02;
/// `- x`, `@x`: names can begin so.
pub(super) const MARK: f32 = 0.1;
/// Removing invisible characters loses nothing visible.
pub(super) const INVISIBLE: f32 = 0.01;
/// Names with typographic dashes exist, mostly in screenshots and documents.
pub(super) const LOOK_ALIKE: f32 = 0.05;
/// Composing accents does not change the text's meaning.
pub(super) const COMPOSED: f32 = 0.01;
/// Names with `%20` in them exist, fewer than paths that were encoded.
pub(super) const PERCENT: f32 = 0.03;
/// Exact: the bytes come out as valid UTF-8 by design, not by chance.
pub(super) const OCTAL: f32 = 0.02;
/// If every backslash stands before a character that needs one, it is mostly an escape: cheaper than [`BACKSLASHES`].
pub(super) const SHELL: f32 = 0.01;
/// On Windows `\` is the separator; elsewhere hardly any name contains it.
pub(super) const BACKSLASHES: f32 = 0.02;
/// A control character in a path has hardly any other explanation than an interpreted escape.
pub(super) const EATEN: f32 = 0.05;

/// A run of two or more segments that stands twice comes from a path joined twice.
pub(super) const REPEATED_RUN: f32 = 0.05;
/// `x/x` is the layout of many packages.
pub(super) const REPEATED_ONE: f32 = 0.08;
/// The path starts again with at least two of its first segments.
pub(super) const RESTARTED: f32 = 0.05;
/// It starts again with one segment: `src/a/src/b` is also a path like any other.
pub(super) const RESTARTED_ONE: f32 = 0.2;

/// `crate::a`, `com.acme.Foo`: cannot be a file.
pub(super) const MODULE_SURE: f32 = 0.05;
/// `a.b.c`, where `c` is no known extension.
pub(super) const MODULE_LIKELY: f32 = 0.1;
/// `a.b`, where `b` is no known extension: extensions are not all known.
pub(super) const MODULE_SHORT: f32 = 0.25;
/// `foo.test.ts`: a file, unless nothing else is found.
pub(super) const MODULE_UNLIKELY: f32 = 0.4;
/// The source directory put before a module's segments.
pub(super) const MODULE_SOURCE: f32 = 0.02;

/// `*` is in no name: only the rest of the text is known.
pub(super) const GLOB: f32 = 0.05;
/// `[a-z]`, `{a,b}`, `?`: names with these exist.
pub(super) const GLOB_DOUBTFUL: f32 = 0.15;
/// `a/.../b`.
pub(super) const ELIDED: f32 = 0.05;
