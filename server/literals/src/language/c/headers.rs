//! The headers of a project: in which directories they are, so that one can tell its own from those of others.

use rustc_hash::FxHashMap;

use crate::facts::Fact;
use crate::path::{extension, name, parent};
use crate::project::Project;
use crate::report::is_fixture;

/// Extensions of what is included.
const HEADER_EXTENSIONS: [&str; 14] =
    ["cuh", "def", "h", "h++", "hh", "hpp", "hxx", "inc", "inl", "ipp", "tcc", "tpp", "ixx", "txx"];

/// A directory with fewer headers is no library: it has the one that a tool has put there.
const MIN_LIBRARY_HEADERS: u32 = 2;

/// As many headers whose names begin with the same word are a family: what else begins so is one of them.
const MIN_FAMILY_HEADERS: u32 = 3;

/// One in so many headers, at least: a family of three among a thousand is chance.
const FAMILY_FRACTION: u32 = 20;

/// Where headers are.
#[derive(Default)]
pub(crate) struct HeaderIndex {
    /// Directories with headers in them, by their last name; copies of other projects are left out.
    by_name: FxHashMap<String, Vec<String>>,
    /// How many headers begin with a word.
    families: FxHashMap<String, u32>,
    count: u32,
}

impl Fact for HeaderIndex {
    fn of(project: &Project) -> Self {
        Self::new(project.tree().files())
    }
}

impl HeaderIndex {
    /// Of all files of a tree.
    pub(crate) fn new(files: &[String]) -> Self {
        let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
        let mut headers = Self::default();
        for path in files.iter().filter(|path| is_header(path) && !is_fixture(path)) {
            headers.count += 1;
            // Only those that lie in it: what lies deeper can have been reached in another way (protobuf's `ruby`).
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

    /// The directories that these have to be searched from, so that this one (of a literal) is found below them.
    pub(super) fn roots_containing<'h>(&'h self, directory: &str) -> impl Iterator<Item = &'h str> {
        let all = self.by_name.get(name(directory)).map_or(&[][..], Vec::as_slice);
        all.iter().filter_map(move |path| {
            let root = path.strip_suffix(directory)?;
            if root.is_empty() { Some(root) } else { root.strip_suffix('/') }
        })
    }

    /// Whether several headers of the project begin with the same word as this name.
    pub(super) fn is_in_family(&self, name: &str) -> bool {
        family(name)
            .and_then(|family| self.families.get(family))
            .is_some_and(|count| *count >= MIN_FAMILY_HEADERS.max(self.count / FAMILY_FRACTION))
    }
}

/// Whether a file is one that others include.
pub(super) fn is_header(path: &str) -> bool {
    HEADER_EXTENSIONS.contains(&extension(path).as_str())
}

/// The first word of a name that has several: `catch` of `catch_session.hpp`.
fn family(name: &str) -> Option<&str> {
    let stem = name.split('.').next().unwrap_or(name);
    let (first, _) = stem.split_once(['_', '-'])?;
    (first.len() >= 2).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::HeaderIndex;

    #[test]
    fn roots() {
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
    fn families() {
        let headers = HeaderIndex::new(&["uv-a.h", "x/uv-b.h", "y/uv_c.hpp", "zip-a.h", "z.h"].map(str::to_owned));
        let check = |name: &str, expect: bool| assert_eq!(headers.is_in_family(name), expect, "{name}");
        check("uv-gone.h", true);
        check("uv-private", true);
        check("zip-gone.h", false);
        check("uv.h", false);
    }
}
