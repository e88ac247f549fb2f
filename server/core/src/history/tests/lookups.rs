//! Tests of `Renames`, as tables of paths and answers.

use super::super::Renames;
use super::text::{answer, commits};

/// Each row of `expected` is `path => answer`; see [`answer`].
#[track_caller]
fn check(history: &str, expected: &str) {
    let (commits, files) = commits(history);
    let renames = Renames::new(&commits);
    let rows = expected.lines().map(str::trim).filter(|row| !row.is_empty());
    let wrong = rows.filter_map(|row| {
        let (path, wanted) = row.split_once(" => ").expect(row);
        let found = answer(&renames, &files, path);
        (found != wanted).then(|| format!("{path}: {found} instead of {wanted}"))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn finds_single_files() {
    check(
        "c1: add other.rs
         c2: a/x.rs -> b/y.rs, del old.rs",
        "a/x.rs => b/y.rs (c2)
         old.rs => deleted (c2)
         b/y.rs => -
         other.rs => -
         never.rs => -
         a => -",
    );
}

#[test]
fn lists_files_that_moved_lately() {
    let (mut commits, _) =
        commits("c1: a.rs -> b.rs\nc2: del c.rs, gone.rs -> here.rs, d/x.rs -> e/x.rs, d/y.rs -> e/y.rs");
    commits[0].seconds = 200;
    commits[1].seconds = 100;
    let renames = Renames::new(&commits);
    let since = |seconds, most| {
        let paths = renames.moved_since(seconds, most, |path| path.as_bytes() != b"gone.rs");
        paths.iter().map(|it| it.text().into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(since(100, 3), ["a.rs", "d/x.rs", "d/y.rs"]);
    // The newest commits whole, before the one that has too many.
    assert_eq!(since(100, 2), ["d/x.rs", "d/y.rs"]);
    assert!(since(100, 1).is_empty());
    assert_eq!(since(101, 9), ["d/x.rs", "d/y.rs"]);
    assert!(since(201, 9).is_empty());
}

#[test]
fn follows_chains() {
    check(
        "c1: a.rs -> b.rs
         c2: b.rs -> c.rs
         c3: del c.rs",
        "a.rs => deleted (c3)
         b.rs => deleted (c3)
         c.rs => deleted (c3)",
    );
    check(
        "c1: a.rs -> b.rs
         c2: add unrelated.rs
         c3: b.rs -> c.rs",
        "a.rs => c.rs (c3)
         b.rs => c.rs (c3)
         c.rs => -",
    );
}

#[test]
fn finds_nothing_for_a_path_that_came_back() {
    check(
        "c1: a.rs -> b.rs
         c2: b.rs -> a.rs",
        "a.rs => -
         b.rs => a.rs (c2)",
    );
    check(
        "c1: a.rs -> b.rs
         c2: b.rs -> a.rs
         c3: a.rs -> c.rs",
        "a.rs => c.rs (c3)
         b.rs => c.rs (c3)",
    );
}

#[test]
fn follows_files_that_change_places() {
    check(
        "c1: a.rs -> b.rs, b.rs -> a.rs
         c2: a.rs -> c.rs
         c3: b.rs -> d.rs",
        "a.rs => c.rs (c2)
         b.rs => d.rs (c3)",
    );
}

#[test]
fn tells_reused_names_apart() {
    check(
        "c1: a.rs -> b.rs
         c2: add a.rs
         c3: a.rs -> c.rs",
        "a.rs => c.rs (c3)
         b.rs => -",
    );
    check(
        "c1: a.rs -> b.rs
         c2: x.rs -> a.rs
         c3: del a.rs",
        "a.rs => deleted (c3)
         x.rs => deleted (c3)",
    );
    // The b.rs that a.rs became is deleted; the later b.rs is another file.
    check(
        "c1: a.rs -> b.rs
         c2: del b.rs
         c3: add b.rs
         c4: b.rs -> c.rs",
        "a.rs => deleted (c2)
         b.rs => c.rs (c4)",
    );
}

#[test]
fn reports_a_reverted_deletion() {
    check(
        "c1: a.rs -> b.rs
         c2: del b.rs
         c3: add b.rs",
        "a.rs => deleted (c2)
         b.rs => -",
    );
}

#[test]
fn follows_moved_directories() {
    check(
        "c1: add old/a.rs, add old/in/b.rs
         c2: old/a.rs -> new/a.rs, old/in/b.rs -> new/in/b.rs",
        "old/a.rs => new/a.rs (c2)
         old => ~new (c2)
         old/in => ~new/in (c2)
         old/untracked.rs => ~new/untracked.rs (c2)
         old/in/deeper/untracked.rs => ~new/in/deeper/untracked.rs (c2)
         older/a.rs => -",
    );
}

#[test]
fn matches_lost_files_by_their_directory() {
    check(
        "c1: add old/a.rs, add old/b.rs, add old/c.rs, add old/d.rs
         c2: old/a.rs -> new/a.rs, old/b.rs -> new/b.rs, del old/c.rs, add new/c.rs, del old/d.rs",
        "old/c.rs => ~new/c.rs (c2)
         old/d.rs => deleted (c2)",
    );
    check(
        "c1: add old/a.rs, add old/b.rs
         c2: old/a.rs -> new/a.rs, del old/b.rs, add new/b.rs
         c3: new/b.rs -> new/c.rs",
        "old => ~new (c2)
         old/b.rs => ~new/c.rs (c3)",
    );
}

#[test]
fn takes_one_file_for_its_directory_only_if_it_is_all() {
    check(
        "c1: add one/a.rs
         c2: one/a.rs -> new/a.rs",
        "one => ~new (c2)
         one/b.rs => ~new/b.rs (c2)",
    );
    check(
        "c1: add two/a.rs, add two/b.rs
         c2: two/a.rs -> new/a.rs",
        "two/a.rs => new/a.rs (c2)
         two => -
         two/c.rs => -",
    );
    check(
        "c1: add pkg/LICENSE, add pkg/a.rs, add pkg/b.rs
         c2: pkg/LICENSE -> other/LICENSE, del pkg/a.rs, del pkg/b.rs",
        "pkg => ~deleted (c2)
         pkg/LICENSE => other/LICENSE (c2)
         pkg/a.rs => deleted (c2)",
    );
}

#[test]
fn follows_directories_whose_files_have_their_name() {
    check(
        "c1: add in/old/a.go, add in/old/old.go, add in/old/old_test.go
         c2: in/old/a.go -> in/new/a.go, in/old/old.go -> in/new/new.go, in/old/old_test.go -> in/new/new_test.go",
        "in/old/old.go => in/new/new.go (c2)
         in/old => ~in/new (c2)
         in/old/b.go => ~in/new/b.go (c2)",
    );
    // Files that went to two directories, one that stayed, and a single one of another name.
    check(
        "c1: add a/a.go, add a/a_test.go, add b/b.go, add b/b_test.go, add b/x.go, add c/c.go
         c2: a/a.go -> p/p.go, a/a_test.go -> q/q.go, b/b.go -> p/r.go, b/b_test.go -> p/s.go, c/c.go -> p/t.go",
        "a => -
         b => -
         c => -",
    );
}

#[test]
fn follows_partly_moved_directories() {
    check(
        "c1: add src/a.rs, add src/b.rs, add src/c.rs
         c2: src/a.rs -> lib/a.rs, src/b.rs -> lib/b.rs",
        "src/untracked.rs => ~lib/untracked.rs (c2)
         src/c.rs => -
         src => -",
    );
    // Subdirectories that never moved are not meant.
    check(
        "c1: add src/a.rs, add src/b.rs, add src/c.rs, add src/in/d.rs
         c2: src/a.rs -> lib/a.rs, src/b.rs -> lib/b.rs
         c3: add lib/in/e.rs",
        "src/in/e.rs => -
         src/other/f.rs => -",
    );
    // A file that stayed does not follow the others.
    check(
        "c1: x.rs -> src/x.rs
         c2: add src/a.rs, add src/b.rs
         c3: src/a.rs -> lib/a.rs, src/b.rs -> lib/b.rs",
        "x.rs => src/x.rs (c1)",
    );
}

#[test]
fn prefers_directories_that_lead_to_existing_paths() {
    check(
        "c1: add a/b/x.rs, add a/b/y.rs, add a/z.rs
         c2: a/b/x.rs -> p/x.rs, a/b/y.rs -> p/y.rs
         c3: a/z.rs -> q/z.rs
         c4: add q/b/new.rs",
        "a/b/new.rs => ~q/b/new.rs (c3)
         a/b/none.rs => ~p/none.rs (c2)",
    );
}

#[test]
fn follows_the_majority_of_a_split_directory() {
    check(
        "c1: add old/a.rs, add old/b.rs, add old/c.rs, add old/d.rs
         c2: old/a.rs -> p/a.rs, old/b.rs -> p/b.rs, old/c.rs -> q/c.rs, old/d.rs -> q/d.rs",
        "old => -
         old/a.rs => p/a.rs (c2)
         old/e.rs => -",
    );
    check(
        "c1: add old/a.rs, add old/b.rs, add old/c.rs
         c2: old/a.rs -> p/a.rs, old/b.rs -> p/b.rs, old/c.rs -> q/c.rs",
        "old => ~p (c2)
         old/c.rs => q/c.rs (c2)
         old/e.rs => ~p/e.rs (c2)",
    );
}

#[test]
fn follows_chains_of_directories() {
    check(
        "c1: add a/x.rs, add a/y.rs
         c2: a/x.rs -> b/x.rs, a/y.rs -> b/y.rs
         c3: b/x.rs -> c/d/x.rs, b/y.rs -> c/d/y.rs
         c4: del c/d/x.rs",
        "a => ~c/d (c3)
         b => ~c/d (c3)
         a/new.rs => ~c/d/new.rs (c3)
         a/y.rs => c/d/y.rs (c3)
         a/x.rs => deleted (c4)",
    );
    // An inner directory first, the outer one after it.
    check(
        "c1: add a/b/x.rs, add a/b/y.rs, add a/z.rs
         c2: a/b/x.rs -> a/y/x.rs, a/b/y.rs -> a/y/y.rs
         c3: a/y/x.rs -> n/y/x.rs, a/y/y.rs -> n/y/y.rs, a/z.rs -> n/z.rs",
        "a/b/lost.rs => ~n/y/lost.rs (c3)
         a/lost.rs => ~n/lost.rs (c3)",
    );
}

#[test]
fn follows_moves_into_and_out_of_the_root() {
    check(
        "c1: add a.rs, add b.rs, add c.rs
         c2: a.rs -> src/a.rs, b.rs -> src/b.rs",
        "a.rs => src/a.rs (c2)
         untracked.rs => ~src/untracked.rs (c2)",
    );
    check(
        "c1: add src/a.rs, add src/b.rs
         c2: src/a.rs -> a.rs, src/b.rs -> b.rs",
        "src/a.rs => a.rs (c2)
         src/in/c.rs => ~in/c.rs (c2)",
    );
}

#[test]
fn follows_a_directory_into_itself() {
    check(
        "c1: add bench/run, add bench/log
         c2: bench/run -> bench/bench/run, bench/log -> bench/bench/log",
        "bench/run => bench/bench/run (c2)
         bench/other => ~bench/bench/other (c2)
         bench => -",
    );
}

#[test]
fn reports_deleted_directories() {
    check(
        "c1: add a/x.rs, add a/in/y.rs, add b/z.rs, add b/w.rs
         c2: del a/x.rs, del a/in/y.rs, del b/z.rs",
        "a => ~deleted (c2)
         a/in => ~deleted (c2)
         a/never.rs => ~deleted (c2)
         b => -
         b/never.rs => -",
    );
}

/// Commits of merged branches, one after the other by date.
#[test]
fn follows_moves_across_branches() {
    // A branch without the move added new.rs; only the merge moved it.
    check(
        "c1: add a/x.rs, add a/y.rs
         c2: a/x.rs -> b/x.rs, a/y.rs -> b/y.rs",
        "a/new.rs => ~b/new.rs (c2)",
    );
    // One branch renamed the file, the other one its directory.
    check(
        "c1: add a/x.rs, add a/y.rs
         c2: a/x.rs -> a/z.rs
         c3: a/x.rs -> b/x.rs, a/y.rs -> b/y.rs, del a/z.rs, add b/z.rs",
        "a/x.rs => b/x.rs (c3)
         a/z.rs => ~b/z.rs (c3)",
    );
    // A repository that was merged into this one had a directory of the same name.
    check(
        "c1: tool/x.rs -> tests/x.rs, add unseen/tests/y.rs, add unseen/tests/z.rs
         c2: unseen/tests/y.rs -> sub/tests/y.rs, unseen/tests/z.rs -> sub/tests/z.rs",
        "tool/x.rs => tests/x.rs (c1)",
    );
}

#[test]
fn handles_the_root_and_unusual_names() {
    check(
        "c1: add a b/ü.rs
         c2: a b/ü.rs -> c d/ü.rs",
        "a b/ü.rs => c d/ü.rs (c2)
         a b => ~c d (c2)",
    );
    let (commits, _) = commits("c1: a.rs -> s/a.rs, b.rs -> s/b.rs");
    assert_eq!(Renames::new(&commits).look_up(&"".into(), |_| false), None);
    assert_eq!(Renames::default().look_up(&"a".into(), |_| false), None);
    assert!(Renames::default().is_empty());
}

#[test]
fn lists_origins_newest_first() {
    let check = |history: &str, path: &str, expected: &[&str]| {
        let (commits, _) = commits(history);
        let origins = Renames::new(&commits).origins(&path.into());
        let found: Vec<_> = origins.iter().map(|path| path.text().into_owned()).collect();
        assert_eq!(found, expected, "{path}: {history}");
    };
    let history = "c1: a.rs -> b.rs, x.rs -> y.rs
                   c2: b.rs -> d/c.rs, del y.rs
                   c3: add a.rs, y.rs -> b.rs";
    check(history, "d/c.rs", &["b.rs", "a.rs"]);
    check(history, "b.rs", &["y.rs", "x.rs"]);
    check(history, "a.rs", &[]);
    check(history, "never.rs", &[]);
    // There and back, and more moves than are listed.
    check("c1: a.rs -> b.rs\nc2: b.rs -> a.rs", "a.rs", &["b.rs", "a.rs"]);
    check("c1: a -> b\nc2: b -> c\nc3: c -> d\nc4: d -> e\nc5: e -> f", "f", &["e", "d", "c", "b"]);
}
