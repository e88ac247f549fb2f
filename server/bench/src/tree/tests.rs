//! Generated trees are deterministic and have the shape of a monorepo.

use std::collections::{BTreeMap, BTreeSet};

use super::{GeneratedTree, SEED};

#[test]
fn same_size_and_seed_give_the_same_tree() {
    assert_eq!(GeneratedTree::generate(3_261, SEED), GeneratedTree::generate(3_261, SEED));
    assert_ne!(GeneratedTree::generate(3_261, SEED).files, GeneratedTree::generate(3_261, SEED + 1).files);
}

/// Names that many files share, and their least number per thousand files.
const COMMON_NAMES: [(&str, usize); 4] = [("index.ts", 5), ("mod.rs", 5), ("__init__.py", 5), ("BUILD", 10)];

/// Generates a tree and checks its shape.
#[track_caller]
fn check(size: usize) {
    let GeneratedTree { files, ignored } = GeneratedTree::generate(size, SEED);
    assert_eq!((files.len(), ignored.len()), (size, size / 4));
    let all: BTreeSet<_> = files.iter().chain(&ignored).collect();
    assert_eq!(all.len(), size + size / 4, "no path is there twice");
    let is_made =
        |path: &&String| path.split('/').any(|name| super::IGNORED.lines().any(|line| line == format!("{name}/")));
    assert_eq!((files.iter().filter(is_made).count(), ignored.iter().filter(is_made).count()), (0, ignored.len()));
    let directories: BTreeSet<_> = all.iter().filter_map(|path| Some(path.rsplit_once('/')?.0)).collect();
    let clash: Vec<_> = directories.iter().filter(|path| all.contains(&(**path).to_owned())).collect();
    assert!(clash.is_empty(), "both file and directory: {clash:?}");
    let depth = files.iter().map(|path| path.split('/').count()).sum::<usize>() as f64 / size as f64;
    assert!((5.0..=9.0).contains(&depth), "{depth}");
    let mut names = BTreeMap::<_, usize>::new();
    for path in &files {
        *names.entry(path.rsplit('/').next().unwrap_or(path)).or_default() += 1;
    }
    for (name, least) in COMMON_NAMES {
        let there = names.get(name).copied().unwrap_or_default();
        assert!(there * 1000 >= least * size, "{name}: {there} of {size}");
    }
    let once = names.values().filter(|files| **files == 1).count();
    assert!(once * 4 >= size, "{once} of {size} names are there once");
}

#[test]
fn has_the_shape_of_a_monorepo() {
    check(3_261);
    check(30_000);
    check(310_000);
}
