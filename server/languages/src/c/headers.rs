//! An index of the headers in the tree: it separates the project's own include directories from those of other
//! projects.

use rustc_hash::FxHashMap;

use pathfinder_literals::path::{extension, name, parent};
use pathfinder_literals::report::is_fixture;
use pathfinder_literals::{Project, ProjectIndex};

/// Extensions of files that are included.
const HEADER_EXTENSIONS: [&str; 14] =
    ["cuh", "def", "h", "h++", "hh", "hpp", "hxx", "inc", "inl", "ipp", "tcc", "tpp", "ixx", "txx"];

/// A directory with fewer headers is no library: its one header was generated or copied there by a tool.
const MIN_LIBRARY_HEADERS: u32 = 2;

/// Headers whose names begin with the same word are a family if there are this many.
const MIN_FAMILY_HEADERS: u32 = 3;

/// A family needs at least one of this many headers: three of the same prefix among a thousand are chance.
const FAMILY_FRACTION: u32 = 20;

/// Directories and name families of the project's headers.
#[derive(Default)]
pub(crate) struct HeaderIndex {
    /// Directories that contain headers, by their last name. Copies of other projects are left out.
    by_name: FxHashMap<String, Vec<String>>,
    /// The number of headers that begin with a word.
    families: FxHashMap<String, u32>,
    count: u32,
}

impl ProjectIndex for HeaderIndex {
    fn build(project: &Project) -> Self {
        Self::new(project.tree().files())
    }
}

impl HeaderIndex {
    /// Indexes all files of a tree.
    pub(crate) fn new(files: &[String]) -> Self {
        let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
        let mut headers = Self::default();
        for path in files.iter().filter(|path| is_header(path) && !is_fixture(path)) {
            headers.count += 1;
            // Only direct children count: deeper headers may be reached in another way (protobuf's `ruby`).
            *counts.entry(parent(path)).or_default() += 1;
            if let Some(family) = family(name(path)) {
                *headers.families.entry(family.to_owned()).or_default() += 1;
            }
        }
        let mut all: Vec<&str> = counts
            .into_iter()
            .filter(|(_, count)| *count >= MIN_LIBRARY_HEADERS)
            .map(|(directory, _)| directory)
            .collect();
        all.sort_unstable();
        for directory in all {
            headers.by_name.entry(name(directory).to_owned()).or_default().push(directory.to_owned());
        }
        headers
    }

    /// The directories that must be searched to find the directory of an include below them.
    pub(super) fn roots_containing<'h>(&'h self, directory: &str) -> impl Iterator<Item = &'h str> {
        let all = self.by_name.get(name(directory)).map_or(&[][..], Vec::as_slice);
        all.iter().filter_map(move |path| {
            let root = path.strip_suffix(directory)?;
            if root.is_empty() { Some(root) } else { root.strip_suffix('/') }
        })
    }

    /// Returns whether several headers of the project begin with the same word as this name.
    pub(super) fn is_in_family(&self, name: &str) -> bool {
        family(name)
            .and_then(|family| self.families.get(family))
            .is_some_and(|count| *count >= MIN_FAMILY_HEADERS.max(self.count / FAMILY_FRACTION))
    }
}

/// Returns whether other files include files with this extension.
pub(super) fn is_header(path: &str) -> bool {
    HEADER_EXTENSIONS.contains(&extension(path).as_str())
}

/// The first word of a name that has several: `catch` in `catch_session.hpp`.
fn family(name: &str) -> Option<&str> {
    let stem = name.split('.').next().unwrap_or(name);
    let (first, _) = stem.split_once(['_', '-'])?;
    (first.len() >= 2).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::HeaderIndex;

    #[test]
    fn finds_include_roots() {
        let files = [
            "inc/a/b/c.h",
            "inc/a/b/d.h",
            "lib/a/b.c",
            "src/a/x.hpp",
            "src/a/y.hpp",
            "third_party/inc/a/z.h",
            "q/a/z.h",
        ];
        let headers = HeaderIndex::new(&files.map(str::to_owned));
        let check = |directory: &str, expect: &[&str]| {
            assert_eq!(headers.roots_containing(directory).collect::<Vec<_>>(), expect, "{directory}");
        };
        check("a", &["src"]);
        check("a/b", &["inc"]);
        check("inc/a", &[]);
        check("c", &[]);
    }

    #[test]
    fn recognizes_families() {
        let headers = HeaderIndex::new(&["uv-a.h", "x/uv-b.h", "y/uv_c.hpp", "zip-a.h", "z.h"].map(str::to_owned));
        let check = |name: &str, expect: bool| assert_eq!(headers.is_in_family(name), expect, "{name}");
        check("uv-gone.h", true);
        check("uv-private", true);
        check("zip-gone.h", false);
        check("uv.h", false);
    }
}
