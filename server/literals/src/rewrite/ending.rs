//! Endings that literals leave out: extensions, and files that stand for their directory.

/// Stems of files that stand for the directory they are in, in any of the languages.
const INDEXES: [&str; 10] =
    ["index", "__init__", "mod", "init", "readme", "main", "_index", "default", "package", "lib"];

/// The directory that a file stands for, if it does for one.
pub(super) fn without_index(path: &str) -> Option<&str> {
    let (directory, name) = path.rsplit_once('/')?;
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    INDEXES.contains(&stem.as_str()).then_some(directory)
}

/// Extensions of two parts. TypeScript imports `a.d.ts` as `./a`.
const DECLARATIONS: [&str; 3] = [".d.ts", ".d.mts", ".d.cts"];

/// The path without its last extension.
pub(super) fn without_extension(path: &str) -> Option<&str> {
    if let Some(stem) = DECLARATIONS.iter().find_map(|ending| path.strip_suffix(ending)) {
        return Some(stem).filter(|stem| !stem.is_empty() && !stem.ends_with('/'));
    }
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let at = path[name..].rfind('.').filter(|at| *at > 0)?;
    Some(&path[..name + at])
}

/// The path without anything from the first dot of its name on, if there are several.
pub(super) fn without_extensions(path: &str) -> Option<&str> {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let at = path[name..].find('.').filter(|at| *at > 0)?;
    let bare = &path[..name + at];
    (Some(bare) != without_extension(path)).then_some(bare)
}

/// The path without the mark of a part that is only included (`_name.scss`).
pub(super) fn without_mark(path: &str) -> Option<String> {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let rest = path[name..].strip_prefix('_').filter(|rest| !rest.is_empty() && !rest.starts_with('_'))?;
    Some(format!("{}{rest}", &path[..name]))
}

/// The path with this extension in place of its own.
pub(super) fn with_extension(path: &str, extension: &str) -> Option<String> {
    Some(format!("{}.{extension}", without_extension(path)?))
}

/// What a literal can leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Omitted {
    /// Nothing.
    Nothing,
    /// The last extension.
    Extension,
    /// All extensions.
    Extensions,
    /// The name, as it is that of a file that stands for its directory.
    Index,
}

impl Omitted {
    /// All, those first that leave out less.
    pub(super) const ALL: [Self; 4] = [Self::Nothing, Self::Extension, Self::Extensions, Self::Index];

    /// The path without that.
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
    fn endings() {
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
        assert_eq!(without_mark("a/_b.scss").as_deref(), Some("a/b.scss"));
        assert_eq!(without_mark("a/__init__.py"), None);
        assert_eq!(with_extension("a/b.ts", "js").as_deref(), Some("a/b.js"));
    }
}
