//! `TextPaths`: writes paths for people, relative to their current directory, so that they can be opened from there.

use std::path::{Component, Path, PathBuf};

use pathfinder_core::RelPath;
use pathfinder_protocol::answer::path_text;
use pathfinder_protocol::command_line::to_operand;
use pathfinder_protocol::paths::RootName;
use pathfinder_vfs::roots;

use super::render::printable;

/// The form in which text names the entries of roots. Machine formats always name them relative to their root.
#[derive(Clone, Debug)]
pub(crate) struct TextPaths {
    /// The current directory (canonical); `None` if it cannot be read.
    current: Option<PathBuf>,
    is_absolute: bool,
}

impl TextPaths {
    /// Relative to the current directory, or absolute.
    pub(crate) fn new(is_absolute: bool) -> Self {
        let current = roots::current_dir().ok().and_then(|directory| dunce::canonicalize(directory).ok());
        Self { current, is_absolute }
    }

    /// A path as a command can take it: never like an option. Outside of the current directory's root it is relative
    /// to its root, whose name stands before it if there are several.
    pub(crate) fn in_answer(&self, roots: &[RootName], root: usize, path: &RelPath) -> String {
        let text = path_text(path);
        if let Some(path) = self.written(Path::new(&roots[root].canonical), &text) {
            return printable(&to_operand(&path));
        }
        if roots.len() < 2 {
            return printable(&to_operand(&text));
        }
        let given = roots[root].given.trim_end_matches(['/', '\\']);
        printable(&to_operand(&format!("{given}/{text}")))
    }

    /// A file of a root (canonical) as the first word of a line of text.
    pub(crate) fn in_line(&self, root: &Path, file: &str) -> String {
        printable(&self.written(root, file).unwrap_or_else(|| file.to_owned()))
    }

    /// The path in another form than relative to its root; `None` if that form is the right one.
    fn written(&self, root: &Path, path: &str) -> Option<String> {
        if self.is_absolute {
            return Some(with_slashes(&if path == "." { root.to_owned() } else { root.join(path) }));
        }
        let current = self.current.as_deref()?.strip_prefix(root).ok()?;
        Some(from_directory(current, path))
    }
}

/// Rewrites a path below a root to one from a directory below the same root.
fn from_directory(directory: &Path, path: &str) -> String {
    let path = if path == "." { "" } else { path };
    let mut rest = Path::new(path).components().peekable();
    let mut up = directory.components().peekable();
    while let (Some(Component::Normal(one)), Some(Component::Normal(other))) = (rest.peek(), up.peek())
        && one == other
    {
        rest.next();
        up.next();
    }
    let mut written: PathBuf = up.map(|_| Component::ParentDir).collect();
    written.extend(rest);
    if written.as_os_str().is_empty() { ".".to_owned() } else { with_slashes(&written) }
}

fn with_slashes(path: &Path) -> String {
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::TextPaths;

    #[test]
    fn writes_paths_from_the_current_directory() {
        let root = Path::new("/r");
        for (current, path, expect) in [
            ("/r", "a/b.rs", "a/b.rs"),
            ("/r/a", "a/b.rs", "b.rs"),
            ("/r/a", "ab/c.rs", "../ab/c.rs"),
            ("/r/a/b", "a/c.rs", "../c.rs"),
            ("/r/a/b", "x", "../../x"),
            ("/r/a", "a", "."),
            ("/r/a", ".", ".."),
            ("/r", ".", "."),
            // Elsewhere, paths stay relative to the root.
            ("/q", "a/b.rs", "a/b.rs"),
            ("/", "a/b.rs", "a/b.rs"),
        ] {
            let paths = TextPaths { current: Some(PathBuf::from(current)), is_absolute: false };
            assert_eq!(paths.in_line(root, path), expect, "{current} {path}");
        }
        let absolute = TextPaths { current: None, is_absolute: true };
        assert_eq!(absolute.in_line(root, "a/b.rs"), "/r/a/b.rs");
        assert_eq!(absolute.in_line(root, "."), "/r");
    }
}
