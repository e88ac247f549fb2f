//! Endings that literals omit: extensions, and names of index files such as `index.ts`.

use crate::path::extension;

/// Stems of files that stand for their directory, in any language.
const INDEX_STEMS: [&str; 10] =
    ["index", "__init__", "mod", "init", "readme", "main", "_index", "default", "package", "lib"];

/// Returns the directory of an index file; `None` for other files.
pub(super) fn without_index(path: &str) -> Option<&str> {
    let (directory, name) = path.rsplit_once('/')?;
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    // A directory is a package of Python without any of the others, and `main.py` is a module like any other.
    let is_other = matches!(extension(path).as_str(), "py" | "pyi" | "pyx" | "pxd") && stem != "__init__";
    (!is_other && INDEX_STEMS.contains(&stem.as_str())).then_some(directory)
}

/// Extensions with two parts. TypeScript imports `a.d.ts` as `./a`.
pub(super) const DECLARATION_EXTENSIONS: [&str; 3] = [".d.ts", ".d.mts", ".d.cts"];

/// Returns whether a file declares what the script of its name beside it has: both are one module.
pub(super) fn is_declaration_of(path: &str, script: &str) -> bool {
    let declared = DECLARATION_EXTENSIONS.iter().find_map(|ending| path.strip_suffix(ending));
    declared.is_some() && declared == without_extension(script)
}

/// Returns the path without its last extension.
pub(super) fn without_extension(path: &str) -> Option<&str> {
    if let Some(stem) = DECLARATION_EXTENSIONS.iter().find_map(|ending| path.strip_suffix(ending)) {
        return Some(stem).filter(|stem| !stem.is_empty() && !stem.ends_with('/'));
    }
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let at = path[name..].rfind('.').filter(|at| *at > 0)?;
    Some(&path[..name + at])
}

/// Returns the path without all extensions of its name; `None` if it has at most one.
pub(super) fn without_extensions(path: &str) -> Option<&str> {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let at = path[name..].find('.').filter(|at| *at > 0)?;
    let bare = &path[..name + at];
    (Some(bare) != without_extension(path)).then_some(bare)
}

/// Returns the path without the leading `_` of a partial (`_name.scss`).
pub(super) fn without_partial_underscore(path: &str) -> Option<String> {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let rest = path[name..].strip_prefix('_').filter(|rest| !rest.is_empty() && !rest.starts_with('_'))?;
    Some(format!("{}{rest}", &path[..name]))
}

/// Replaces the extension of the path.
pub(super) fn with_extension(path: &str, extension: &str) -> Option<String> {
    Some(format!("{}.{extension}", without_extension(path)?))
}

/// The part of the target that a literal omits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Omission {
    /// Nothing.
    Nothing,
    /// The last extension.
    Extension,
    /// All extensions.
    Extensions,
    /// The name of an index file.
    Index,
}

impl Omission {
    /// All variants, by the length of what they omit.
    pub(super) const ALL: [Self; 4] = [Self::Nothing, Self::Extension, Self::Extensions, Self::Index];

    /// Returns the path without the omitted part.
    pub(super) fn omit(self, path: &str) -> Option<&str> {
        match self {
            Self::Nothing => Some(path),
            Self::Extension => without_extension(path),
            Self::Extensions => without_extensions(path),
            Self::Index => path.rsplit_once('/').map(|(directory, _)| directory),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_endings() {
        assert_eq!(without_index("a/b/index.ts"), Some("a/b"));
        assert_eq!(without_index("a/README.md"), Some("a"));
        assert_eq!(without_index("index.ts"), None);
        assert_eq!(without_extension("a.b/c"), None);
        assert_eq!(without_extension("a/.env"), None);
        assert_eq!(without_extension("a/b.d.ts"), Some("a/b"));
        assert_eq!(without_extension("a/b.c.ts"), Some("a/b.c"));
        assert_eq!(without_extensions("a/b.c.ts"), Some("a/b"));
        assert_eq!(without_extensions("a/b.d.ts"), None);
        assert_eq!(without_extensions("a/b.ts"), None);
        assert_eq!(without_partial_underscore("a/_b.scss").as_deref(), Some("a/b.scss"));
        assert_eq!(without_partial_underscore("a/__init__.py"), None);
        assert_eq!(with_extension("a/b.ts", "js").as_deref(), Some("a/b.js"));
    }
}
