//! `Places`: every file and directory by its last name, so that one can ask whether any directory would make a relative
//! path resolve. That is the way out where the directory that decides is not known.

use crate::facts::Fact;
use crate::project::Project;
use rustc_hash::FxHashMap;

/// Entry by last segment. An entry is a part of a listed path: the file itself, or a directory above it.
pub(crate) struct Places {
    by_name: FxHashMap<String, Vec<(u32, u32)>>,
}

impl Fact for Places {
    fn of(project: &Project) -> Self {
        Self::new(project.tree().files())
    }
}

impl Places {
    /// Of the sorted paths of all files.
    pub(crate) fn new(files: &[String]) -> Self {
        let mut by_name: FxHashMap<String, Vec<(u32, u32)>> = FxHashMap::default();
        let mut before = "";
        for (index, path) in files.iter().enumerate() {
            let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
            for end in ends {
                // A directory is entered once: with the first file below it.
                let known = end < path.len() && before.get(..=end) == path.get(..=end);
                if !known {
                    let name = path[..end].rsplit('/').next().unwrap_or_default();
                    by_name.entry(name.to_owned()).or_default().push((index as u32, end as u32));
                }
            }
            before = path;
        }
        Self { by_name }
    }

    /// The first path that ends in these segments.
    pub(crate) fn ending_in<'f>(&self, files: &'f [String], suffix: &str) -> Option<&'f str> {
        self.all_ending_in(files, suffix).next()
    }

    /// Every path that ends in these segments, in order.
    pub(crate) fn all_ending_in<'f>(&self, files: &'f [String], suffix: &str) -> impl Iterator<Item = &'f str> {
        let name = suffix.rsplit('/').next().unwrap_or(suffix);
        self.by_name.get(name).into_iter().flatten().filter_map(move |&(index, end)| {
            let path = files.get(index as usize)?.get(..end as usize)?;
            let before = path.strip_suffix(suffix)?;
            (before.is_empty() || before.ends_with('/')).then_some(path)
        })
    }
}

/// A relative path without the steps up that it begins with, and without `.`: what is the same from every directory.
/// `None` if nothing is left.
pub(crate) fn tail(path: &str) -> Option<String> {
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => _ = segments.pop(),
            name => segments.push(name),
        }
    }
    (!segments.is_empty()).then(|| segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::{Places, tail};

    #[test]
    fn endings() {
        let files: Vec<String> = ["a/b/c.h", "a/b/d.h", "a/bc/c.h", "c.h"].map(str::to_owned).into();
        let places = Places::new(&files);
        let check =
            |suffix: &str, expect: Option<&str>| assert_eq!(places.ending_in(&files, suffix), expect, "{suffix}");
        check("c.h", Some("a/b/c.h"));
        check("b/d.h", Some("a/b/d.h"));
        check("bc", Some("a/bc"));
        check("a/b", Some("a/b"));
        check("b", Some("a/b"));
        check("x/c.h", None);
        check("bc/d.h", None);
        check("", None);
    }

    #[test]
    fn tails() {
        assert_eq!(tail("../../a/./b/../c").as_deref(), Some("a/c"));
        assert_eq!(tail("../.."), None);
    }
}
