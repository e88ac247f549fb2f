//! `LackingDirectories`: directories whose names were read because several were looked up in vain. `DiskTree` asks it before the disk.

use std::borrow::Cow;
use std::collections::hash_map::Entry;

use parking_lot::RwLock;
use rustc_hash::{FxHashMap, FxHashSet};

/// Missing names of one directory that are looked up one by one. Reading a directory takes about as long as four look-ups.
const MAX_LOOKUPS: u8 = 4;

/// The names of directories in which a run looked for many missing ones, such as the include directories of a compiler.
#[derive(Default)]
pub(super) struct LackingDirectories(RwLock<FxHashMap<String, Knowledge>>);

enum Knowledge {
    /// So many names were looked up.
    LookedUp(u8),
    /// Its names in lower case; `None` if they do not decide, since a file system can compare other letters than ASCII's in its own way.
    Names(Option<FxHashSet<Box<str>>>),
}

impl LackingDirectories {
    /// Returns whether a directory has no entry of a name for certain. `is_listed` returns whether the directory is one that is read at
    /// all; `read` returns its names, or `None` if it cannot be read.
    pub(super) fn lacks(
        &self,
        directory: &str,
        name: &str,
        is_listed: impl FnOnce() -> bool,
        read: impl FnOnce() -> Option<Vec<String>>,
    ) -> bool {
        if !cfg!(unix) || !name.is_ascii() || matches!(name, "" | "." | "..") {
            return false;
        }
        let lacks = |names: &Option<FxHashSet<Box<str>>>| {
            let has_upper = name.bytes().any(|byte| byte.is_ascii_uppercase());
            let name = if has_upper { Cow::Owned(name.to_ascii_lowercase()) } else { Cow::Borrowed(name) };
            names.as_ref().is_some_and(|names| !names.contains(&*name))
        };
        if let Some(Knowledge::Names(names)) = self.0.read().get(directory) {
            return lacks(names);
        }
        if !is_listed() {
            return false;
        }
        {
            let mut all = self.0.write();
            match all.entry(directory.to_owned()) {
                Entry::Vacant(entry) => {
                    entry.insert(Knowledge::LookedUp(1));
                    return false;
                }
                Entry::Occupied(mut entry) => match entry.get_mut() {
                    Knowledge::LookedUp(count) if *count < MAX_LOOKUPS => {
                        *count += 1;
                        return false;
                    }
                    Knowledge::LookedUp(_) => {}
                    Knowledge::Names(names) => return lacks(names),
                },
            }
        }
        let names = read().filter(|names| names.iter().all(|name| name.is_ascii()));
        let names = names.map(|names| names.into_iter().map(|name| name.to_ascii_lowercase().into()).collect());
        let is = lacks(&names);
        self.0.write().insert(directory.to_owned(), Knowledge::Names(names));
        is
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::{LackingDirectories, MAX_LOOKUPS};

    #[test]
    fn reads_a_directory_after_some_missing_names() {
        let check = |names: Option<&[&str]>, name: &str, expect: bool| {
            let directories = LackingDirectories::default();
            for at in 0..MAX_LOOKUPS {
                assert!(!directories.lacks("a", &format!("{at}"), || true, || panic!("it is read too early")));
            }
            let read = || Some(names?.iter().map(|name| (*name).to_owned()).collect());
            assert_eq!(directories.lacks("a", name, || true, read), expect, "{names:?} {name}");
            let again = directories.lacks("a", name, || true, || panic!("it is read twice"));
            assert_eq!(again, expect, "{names:?} {name}");
            for is_listed in [true, false] {
                assert!(!directories.lacks("b", name, || is_listed, || panic!("another one is read")));
            }
        };
        check(Some(&["x.h", "y"]), "z.h", true);
        check(Some(&["x.h", "y"]), "x.h", false);
        // The file system may take both for one name.
        check(Some(&["README"]), "readme", false);
        check(Some(&["é"]), "z.h", false);
        check(Some(&["x"]), "é", false);
        check(Some(&["x"]), "..", false);
        check(Some(&[]), "x", true);
        check(None, "x", false);
    }
}
