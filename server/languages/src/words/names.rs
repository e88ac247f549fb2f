//! Names of files in build files that list what lies beside them: `SOURCES = a.c b.c`, `include CHANGES`.
//!
//! A name says less than a path: only a file beside the list, or one that was there until a commit moved it, is named.

use pathfinder_literals::path::{extension, join, name};
use pathfinder_literals::{Checked, Code, LiteralKind, Lookup, Project, Severity, Source, Verdict, Want};
use rustc_hash::FxHashSet;

use crate::data_report::is_foreign;

/// Most names of one file that are looked up. A longer list is written by a program.
const MAX_NAMES: usize = 2_000;

/// Adds the names of files beside a list, unless another rule has read them.
pub(super) fn check(source: &Source<'_>, project: &Project, found: &mut Vec<Checked>, kind: LiteralKind) {
    if is_foreign(source.path()) {
        return;
    }
    let (text, offset) = (source.text(), source.offset());
    let known: FxHashSet<usize> = found.iter().map(|literal| literal.range.start).collect();
    // The words of a manifest's line are patterns, whatever their endings.
    let is_manifest = name(source.path()) == "MANIFEST.in";
    let lines = text.lines().map(str::trim_start).filter(|line| {
        if is_manifest {
            line.starts_with("include ") || line.starts_with("exclude ")
        } else {
            !line.starts_with(['#', ';'])
        }
    });
    let words = lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || "\"',()[]=".contains(c)));
    let is_name = |word: &&str| {
        let is_file = is_manifest || extension(word).starts_with(|first: char| first.is_ascii_alphabetic());
        is_file
            && !word.starts_with('.')
            && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+'))
    };
    for word in words.filter(is_name).take(MAX_NAMES) {
        let start = word.as_ptr() as usize - text.as_ptr() as usize + offset;
        let path = join(source.directory(), word);
        let (verdict, tried) = Lookup::new(project, Want::File).verdict(Severity::Warning, [path]);
        let is_explained = match &verdict {
            Verdict::Found(_) => true,
            // A list that has the new path as well has another file of the name, or records the move.
            Verdict::Missing(missing) => {
                let is_listed = |to: &String| text.contains(name(to)) && name(to) != word || text.contains(to.as_str());
                missing.code == Code::MovedPath && !missing.instead.as_ref().is_some_and(is_listed)
            }
            Verdict::Unknown(_) => false,
        };
        if is_explained && !known.contains(&start) {
            found.push(Checked { kind, range: start..start + word.len(), verdict, tried });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    const TREE: &str =
        "lib/a.c\nlib/b.c\nlib/sub/d.c\nCHANGES.rst\nmoved lib/c.c lib/sub/d.c\nmoved CHANGES CHANGES.rst";

    #[test]
    fn reads_names_beside_a_list() {
        check(
            TREE,
            "lib/Makefile.am",
            "x_SOURCES = a.c c.c \\\n  gone.c b\n# b.c\n",
            "words.path a.c → lib/a.c\nwords.path c.c → moved",
        );
        check(TREE, "lib/meson.build", "lib = library('x', ['b.c', 'gone.c'])\n", "words.path b.c → lib/b.c");
        check(TREE, "MANIFEST.in", "include CHANGES LICENSE\nprune CHANGES\n", "words.path CHANGES → moved");
        // Another directory, a list that has the new path, another format.
        check(TREE, "meson.build", "x = ['b.c']\n", "");
        check(TREE, "lib/x.am", "x = c.c sub/d.c\n", "words.path sub/d.c → lib/sub/d.c");
        check(TREE, "lib/x.conf", "x = b.c\n", "");
    }
}
