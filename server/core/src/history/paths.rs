//! `Paths`: a numbered set of paths that share their prefixes; `Renames` stores paths in it.

use std::collections::BTreeSet;

use crate::index::strings::Strings;
use crate::path::RelPath;

/// A set of paths with all directories above them. Each different name is stored once, each path costs
/// eight bytes more.
#[derive(Debug, Default)]
pub(super) struct Paths {
    names: Strings,
    /// The path numbered `i + 1` is the directory in the upper half, with the name in the lower half; sorted.
    /// A directory has a smaller number than its contents. The root is number 0.
    nodes: Vec<u64>,
}

impl Paths {
    pub(super) const ROOT: u32 = 0;

    /// Builds the set of these paths.
    pub(super) fn new<'a>(paths: impl Iterator<Item = &'a [u8]> + Clone) -> Self {
        let names: BTreeSet<&[u8]> = paths.clone().flat_map(segments).collect();
        let names: Vec<&[u8]> = names.into_iter().collect();
        let mut set = Self { names: Strings::from_sorted(names.iter().copied()), nodes: Vec::new() };
        // One level of directories after the other: deeper paths get larger numbers.
        let mut open: Vec<_> = paths.map(|path| (Self::ROOT, segments(path))).collect();
        while !open.is_empty() {
            let start = set.nodes.len();
            let mut keys = Vec::with_capacity(open.len());
            open.retain_mut(|(parent, rest)| match rest.next().and_then(|name| set.names.find(name)) {
                Some(name) => {
                    keys.push(key(*parent, name));
                    true
                }
                None => false,
            });
            set.nodes.extend(&keys);
            set.nodes[start..].sort_unstable();
            set.nodes.dedup();
            for ((parent, _), key) in open.iter_mut().zip(keys) {
                *parent = set.number(key).unwrap_or(Self::ROOT);
            }
        }
        set.nodes.shrink_to_fit();
        set
    }

    /// The numbers along a path: the root, each directory, the path itself, as far as they are in the set.
    /// Returns true with them if the path itself is in the set.
    pub(super) fn along(&self, path: &[u8]) -> (Vec<u32>, bool) {
        let mut numbers = vec![Self::ROOT];
        for name in segments(path) {
            let parent = numbers.last().copied().unwrap_or(Self::ROOT);
            let Some(number) = self.names.find(name).and_then(|name| self.number(key(parent, name))) else {
                return (numbers, false);
            };
            numbers.push(number);
        }
        (numbers, true)
    }

    /// The number of a path, if it is in the set.
    pub(super) fn find(&self, path: &[u8]) -> Option<u32> {
        let (numbers, all) = self.along(path);
        numbers.last().copied().filter(|_| all)
    }

    /// The path with this number.
    pub(super) fn get(&self, mut number: u32) -> RelPath {
        let mut names = Vec::new();
        while number != Self::ROOT {
            let node = self.nodes[number as usize - 1];
            names.push(self.names.get(node as u32));
            number = (node >> 32) as u32;
        }
        names.reverse();
        RelPath::new(names.join(&b'/'))
    }

    /// Memory held, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.names.memory() + self.nodes.capacity() * size_of::<u64>()
    }

    fn number(&self, key: u64) -> Option<u32> {
        self.nodes.binary_search(&key).ok().map(|at| at as u32 + 1)
    }
}

fn key(parent: u32, name: u32) -> u64 {
    u64::from(parent) << 32 | u64::from(name)
}

fn segments(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|&byte| byte == b'/').filter(|segment| !segment.is_empty())
}
