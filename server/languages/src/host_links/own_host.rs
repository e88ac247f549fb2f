//! `OwnHost`: the address of the project on the host of its code, as its documents give it.

use std::ops::Range;

use memchr::memmem;
use pathfinder_literals::path::{extension, head, join, name, percent_decoded};
use pathfinder_literals::{Project, ProjectIndex};
use rustc_hash::FxHashMap;

use crate::file_moves::FileMoves;

/// Documents that are read, the nearest to the root first: a readme or a page for contributors has such addresses.
const MAX_DOCUMENTS: usize = 64;
/// Different paths of addresses that have to be in the tree. One can be in many repositories.
const MIN_PATHS: usize = 2;
/// Longer addresses are none that people write. Without a limit, addresses that follow each other without a space would each be read to
/// the end.
const MAX_ADDRESS_BYTES: usize = 1_000;
/// Branches that a host shows first. Of any other, the tree need not be that one.
const BRANCHES: [&str; 6] = ["main", "master", "HEAD", "develop", "dev", "trunk"];
/// Files that most repositories have: they say nothing of which one an address belongs to.
const COMMON_FILES: [&str; 8] =
    ["license", "readme", "contributing", "changelog", "package", "security", "authors", "notice"];

/// The parts of the address of a file on a host.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HostAddress<'t> {
    /// The owner and the name: `owner/name`.
    repository: &'t str,
    branch: &'t str,
    /// The byte range of the path in the text.
    pub(super) path: Range<usize>,
}

impl<'t> HostAddress<'t> {
    /// Finds the addresses of files of a text, in order.
    pub(super) fn find_all(text: &'t str) -> impl Iterator<Item = Self> {
        memmem::find_iter(text.as_bytes(), "://").filter_map(move |at| Self::parse(text, at + "://".len()))
    }

    fn parse(text: &'t str, start: usize) -> Option<Self> {
        let rest = head(text.get(start..)?, MAX_ADDRESS_BYTES);
        let rest = rest.strip_prefix("www.").unwrap_or(rest);
        let (host, rest) = rest.split_once('/')?;
        let (separators, is_raw): (&[&str], bool) = match host {
            "github.com" => (&["/blob/", "/tree/", "/raw/", "/edit/"], false),
            "gitlab.com" => (&["/-/blob/", "/-/tree/", "/-/raw/"], false),
            "raw.githubusercontent.com" => (&["/"], true),
            _ => return None,
        };
        let (owner, after) = rest.split_once('/')?;
        let end = after.find('/')?;
        let (repository, after) = (&rest[..owner.len() + 1 + end], &after[end..]);
        let after = separators.iter().find_map(|separator| after.strip_prefix(separator))?;
        let after = if is_raw { after.strip_prefix("refs/heads/").unwrap_or(after) } else { after };
        let (branch, path) = after.split_once('/')?;
        let is_end = |c: char| c.is_whitespace() || "()\"'`<>[]{}|#?,;*\\^".contains(c);
        let path = path.split(is_end).next()?.trim_end_matches(['.', ':', '!', '/']);
        let is_name = |text: &str| !text.is_empty() && !text.contains(is_end) && !text.contains(['$', '%', ':']);
        let from = path.as_ptr() as usize - text.as_ptr() as usize;
        (is_name(repository) && is_name(branch) && !path.is_empty()).then(|| Self {
            repository,
            branch,
            path: from..from + path.len(),
        })
    }
}

/// The repository that the project is.
#[derive(Default)]
pub(super) struct OwnHost(Option<String>);

impl OwnHost {
    /// Returns whether an address is that of a file on the main branch of the project.
    pub(super) fn has(&self, address: &HostAddress<'_>) -> bool {
        let own = self.0.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(address.repository));
        own && BRANCHES.contains(&address.branch)
    }
}

impl ProjectIndex for OwnHost {
    /// The repository whose paths are in the tree, of those that documents name.
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let is_document = |path: &&String| matches!(extension(path).as_str(), "md" | "mdx" | "rst" | "adoc" | "toml");
        let mut documents: Vec<&String> = tree.files().iter().filter(is_document).collect();
        documents.sort_by_key(|path| path.matches('/').count());
        let moves = project.index::<FileMoves>();
        let mut known: FxHashMap<String, FxHashMap<String, bool>> = FxHashMap::default();
        for document in documents.into_iter().take(MAX_DOCUMENTS) {
            let Some(text) = tree.read_shared(document) else { continue };
            for address in HostAddress::find_all(&text).filter(|address| BRANCHES.contains(&address.branch)) {
                let Some(path) = join("", &percent_decoded(&text[address.path])) else { continue };
                let stem = name(&path).split('.').next().unwrap_or_default().to_ascii_lowercase();
                if !COMMON_FILES.contains(&stem.as_str()) {
                    let is_there = tree.kind(&path).is_some() || moves.was_moved(&path);
                    known.entry(address.repository.to_ascii_lowercase()).or_default().insert(path, is_there);
                }
            }
        }
        let counted = known.into_iter().map(|(repository, paths)| {
            let there = paths.values().filter(|is_there| **is_there).count();
            // A repository that was merged into this one long ago has no address that still leads to a file.
            let left = || paths.iter().filter(|(path, is_there)| !**is_there && tree.moved(path).is_some()).count();
            // Names at the root, such as `docs`, are those of many.
            let is_known = |path: &str, is_there: bool| is_there || tree.moved(path).is_some();
            let is_told = there > 0 && paths.iter().any(|(path, there)| path.contains('/') && is_known(path, *there));
            (if is_told { there + left() } else { 0 }, paths.len(), repository)
        });
        let fits = counted.filter(|(found, all, _)| *found >= MIN_PATHS && found * 2 > *all);
        Self(fits.max().map(|(_, _, repository)| repository))
    }
}

#[cfg(test)]
mod tests {
    use super::HostAddress;

    #[test]
    fn reads_addresses() {
        let check = |text: &str, expect: &str| {
            let all = HostAddress::find_all(text);
            let all = all.map(|it| format!("{} {} {}", it.repository, it.branch, &text[it.path.clone()]));
            assert_eq!(all.collect::<Vec<_>>().join("; "), expect, "{text}");
        };
        check("(https://github.com/a/b/blob/main/c/d.md#x)", "a/b main c/d.md");
        check("http://www.github.com/a/b/tree/v1/c/.", "a/b v1 c");
        check("https://gitlab.com/a/b/-/blob/main/c.md?x", "a/b main c.md");
        check("https://raw.githubusercontent.com/a/b/refs/heads/main/c.sh | sh", "a/b main c.sh");
        check("https://raw.githubusercontent.com/a/b/main/c.sh", "a/b main c.sh");
        check("https://github.com/a/b https://github.com/a/b/issues/3 https://é", "");
        check("https://github.com/$A/b/blob/main/c https://github.com/a/b/blob/main/", "");
    }
}
