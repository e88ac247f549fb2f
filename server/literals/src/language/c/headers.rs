//! The headers of a project: in which directories they are, so that one can tell its own from those of others.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::language::html::site::ancestors;
use crate::path::{extension, name, parent};
use crate::report::is_fixture;

/// Extensions of what is included.
const HEADERS: [&str; 14] =
    ["cuh", "def", "h", "h++", "hh", "hpp", "hxx", "inc", "inl", "ipp", "tcc", "tpp", "ixx", "txx"];

/// Where headers are.
pub(crate) struct Headers {
    /// Directories with headers in or below them, by their last name; copies of other projects are left out.
    by_name: FxHashMap<String, Vec<String>>,
}

impl Headers {
    /// Of all files of a tree.
    pub(crate) fn new(files: &[String]) -> Self {
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let mut by_name: FxHashMap<String, Vec<String>> = FxHashMap::default();
        for path in files.iter().filter(|path| HEADERS.contains(&extension(path).as_str()) && !is_fixture(path)) {
            for directory in ancestors(parent(path)) {
                if !seen.insert(directory) {
                    break;
                }
                by_name.entry(name(directory).to_owned()).or_default().push(directory.to_owned());
            }
        }
        Self { by_name }
    }

    /// The directories that these have to be searched from, so that this one (of a literal) is found below them.
    pub(super) fn roots_of<'h>(&'h self, directory: &str) -> impl Iterator<Item = &'h str> {
        let all = self.by_name.get(name(directory)).map_or(&[][..], Vec::as_slice);
        all.iter().filter_map(move |path| {
            let root = path.strip_suffix(directory)?;
            if root.is_empty() { Some(root) } else { root.strip_suffix('/') }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Headers;

    #[test]
    fn roots() {
        let files = ["inc/a/b/c.h", "lib/a/b.c", "src/a/x.hpp", "third_party/inc/a/z.h"].map(str::to_owned);
        let headers = Headers::new(&files);
        let check = |directory: &str, expect: &[&str]| {
            assert_eq!(headers.roots_of(directory).collect::<Vec<_>>(), expect, "{directory}");
        };
        check("a", &["inc", "src"]);
        check("a/b", &["inc"]);
        check("inc/a", &[""]);
        check("c", &[]);
    }
}
