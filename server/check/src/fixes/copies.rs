//! `is_in_other_copy`: tells a copy of a tree from the tree: the documents of another version, another language, a package made after
//! the same template.

use super::paths::{is_below, is_index, join, name, parent};

/// Files that the directories of a file in two copies have both. One name can be the same by chance.
const MIN_SHARED: usize = 2;

/// Returns whether a target is that of a copy of the tree that a file is in: both have the file and one beside it, and the target stands
/// in the other copy where the wanted path leads in this one. The copy has its own links, and what is gone here is still there. `names`
/// are those of a directory.
pub(super) fn is_in_other_copy(names: impl Fn(&str) -> Vec<String>, file: &str, wanted: &str, target: &str) -> bool {
    let same = wanted.rsplit('/').zip(target.rsplit('/')).take_while(|(one, other)| one == other).count();
    if same == 0 || wanted == target {
        return false;
    }
    let base = |path: &'_ str| path.rsplitn(same + 1, '/').nth(same).unwrap_or_default().to_owned();
    let (here, there) = (base(wanted), base(target));
    let is_in = |base: &str| base.is_empty() || is_below(file, base);
    if !is_in(&here) || !there.is_empty() && is_in(&there) {
        return false;
    }
    let own = file.strip_prefix(&here).unwrap_or(file).trim_start_matches('/');
    // Directories whose other files differ have such files all the same.
    let is_usual = !own.contains('/') && is_index(own);
    let twin = join(&there, own);
    if is_usual || twin == file {
        return false;
    }
    let (own, others) = (names(parent(file)), names(parent(&twin)));
    let has_twin = others.iter().any(|other| other == name(&twin));
    has_twin && own.iter().filter(|own| others.contains(own)).take(MIN_SHARED).count() == MIN_SHARED
}

#[cfg(test)]
mod tests {
    use super::is_in_other_copy;

    #[track_caller]
    fn check(file: &str, wanted: &str, target: &str, expect: bool) {
        let names = |directory: &str| match directory {
            "docs/intro" | "versions/2.1/intro" => vec!["faq.md".to_owned(), "start.md".to_owned()],
            "docs/more" | "versions/2.1/more" => vec!["lone.md".to_owned()],
            "a" | "b" => vec!["README.md".to_owned(), "LICENSE".to_owned()],
            _ => Vec::new(),
        };
        assert_eq!(is_in_other_copy(names, file, wanted, target), expect, "{file} {wanted} {target}");
    }

    #[test]
    fn tells_copies_of_trees() {
        check("docs/intro/faq.md", "docs/parts/a.md", "versions/2.1/parts/a.md", true);
        // The file is of the copy itself, or the copy does not have it.
        check("versions/2.1/intro/faq.md", "docs/parts/a.md", "versions/2.1/parts/a.md", false);
        check("docs/more/lone.md", "docs/parts/a.md", "versions/2.1/parts/a.md", false);
        check("docs/intro/new.md", "docs/parts/a.md", "versions/2.1/parts/a.md", false);
        check("docs/intro/faq.md", "docs/parts/a.md", "versions/2.1/parts/b.md", false);
        check("a/README.md", "a/x.md", "b/x.md", false);
    }
}
