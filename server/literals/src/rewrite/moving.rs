//! `Moving`: what to write anew when a file or a directory moves, so that every literal leads where it led.

use std::ops::Range;

use super::Rewriting;
use super::form::Form;
use crate::checked::{Checked, Verdict};
use crate::path::{extension, without_query};
use crate::project::{Project, within};
use crate::source::Source;

/// A literal that has to be written anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Where it stands, in bytes of the file.
    pub range: Range<usize>,
    /// What to write there; `None` if no way of writing it leads there.
    pub literal: Option<String>,
}

/// Moves that happen at once, with the project before and after them.
pub struct Moving<'a> {
    /// As it is before.
    pub before: &'a Project,
    /// As it is afterwards: nothing is where it was, and all of it where it moves.
    pub after: &'a Project,
    /// The files and directories that move, none inside another, and where they move, relative to the root.
    pub moves: &'a [(String, String)],
}

impl Moving<'_> {
    /// What to write anew in a file, in the order of the places. `path` is the one that the file has before.
    pub fn edits(&self, path: &str, bytes: &[u8]) -> Vec<Edit> {
        let moved = self.moved(path);
        let (Some(old), Some(new)) = (Source::new(path, bytes), Source::new(&moved, bytes)) else { return Vec::new() };
        let was = crate::check(&old, self.before);
        let led = was.iter().filter_map(|literal| match &literal.verdict {
            Verdict::Found(target) => Some((literal, target.path.as_str())),
            _ => None,
        });
        // What is in no file that moves and leads to nothing that moves stays right.
        let led: Vec<(&Checked, &str)> =
            led.filter(|(_, target)| moved != path || self.moved(target) != *target).collect();
        if led.is_empty() {
            return Vec::new();
        }
        let now = crate::check(&new, self.after);
        let rewriting = Rewriting::new(&new, self.after, &now);
        let edits = led.into_iter().filter_map(|(literal, target)| {
            let is_exact = is_kept_exact(path_of(&old, literal), target, &self.moved(target));
            let target = self.moved(target);
            let is_right =
                |now: &&Checked| is_exact && matches!(&now.verdict, Verdict::Found(found) if found.path == target);
            if now.iter().filter(|now| now.range == literal.range).any(|now| is_right(&now)) {
                return None;
            }
            let form = self.form(&old, &new, literal)?;
            if self.is_one_of_several(&form, literal) {
                return None;
            }
            Some(Edit { range: literal.range.clone(), literal: rewriting.respell(literal, &form, &target) })
        });
        edits.collect()
    }

    /// How a literal was written, as seen from where its file is afterwards.
    fn form<'t>(&self, old: &Source<'_>, new: &'t Source<'_>, literal: &Checked) -> Option<Form<'t>> {
        let Verdict::Found(target) = &literal.verdict else { return None };
        let skipped = new.offset();
        let written = new.text().get(literal.range.start - skipped..literal.range.end - skipped)?;
        let form = Form::of(written, &target.path, old);
        let seen_from = form
            .seen_from
            .as_deref()
            .map(|from| if from == old.directory() { new.directory().to_owned() } else { self.moved(from) });
        Some(Form { base: self.moved(&form.base), seen_from, ..form })
    }

    /// Checks whether the same segments lead to several files for an include that is found in a searched directory. The build decides
    /// between them, and its choice is not known.
    fn is_one_of_several(&self, form: &Form<'_>, literal: &Checked) -> bool {
        literal.kind.starts_with("c.include")
            && !form.is_relative()
            && self.before.all_ending_in(form.written, 2).len() > 1
    }

    /// Where a path is afterwards.
    fn moved(&self, path: &str) -> String {
        let own = self.moves.iter().find(|(from, _)| within(path, from));
        own.map_or_else(|| path.to_owned(), |(from, to)| format!("{to}{}", &path[from.len()..]))
    }
}

/// Checks whether a literal with its target's extension keeps that extension. Imports of compiled files name the output: `./a.js` for
/// `a.ts`. A resolver that takes `./a.js` for `a.jsx` is only tolerant.
fn is_kept_exact(written: &str, old: &str, new: &str) -> bool {
    let (had, has) = (extension(old), extension(new));
    had == has || extension(written) != had || matches!(has.as_str(), "ts" | "tsx" | "mts" | "cts")
}

/// The written path, without query and fragment.
fn path_of<'t>(source: &'t Source<'_>, literal: &Checked) -> &'t str {
    let skipped = source.offset();
    let written = source.text().get(literal.range.start - skipped..literal.range.end - skipped).unwrap_or_default();
    without_query(written)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Moving;
    use crate::project::Project;
    use crate::testing::Forest;
    use crate::tree::Tree as _;

    /// Moves something in a tree; `FILE: LITERAL → LITERAL` of every edit, by file.
    #[track_caller]
    fn check(tree: &str, from: &str, to: &str, expect: &[&str]) {
        let after_path = |path: &str| match path.strip_prefix(from) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{to}{rest}"),
            _ => path.to_owned(),
        };
        let before = Forest::new(tree);
        let mut after = Forest::new("");
        for path in before.files() {
            after.add(&after_path(path), &before.read(path).unwrap_or_default());
        }
        let files: Vec<(String, String)> =
            before.files().iter().map(|path| (path.clone(), before.read(path).unwrap_or_default())).collect();
        let (before, after) = (Project::new(Arc::new(before)), Project::new(Arc::new(after)));
        let moves = [(from.to_owned(), to.to_owned())];
        let moving = Moving { before: &before, after: &after, moves: &moves };
        let rows = files.iter().flat_map(|(path, text)| {
            moving.edits(path, text.as_bytes()).into_iter().map(move |edit| {
                let new = edit.literal.unwrap_or_else(|| "-".to_owned());
                format!("{path}: {} → {new}", &text[edit.range])
            })
        });
        assert_eq!(rows.collect::<Vec<_>>(), expect);
    }

    #[test]
    fn moves() {
        let tree = "
            README.md = [a](docs/guide.md#top) [b](docs) ![c](img/a.png)
            docs/guide.md = # Top\\n[x](../README.md) [y](setup.md) ![z](../img/a.png) [gone](gone.md)
            docs/setup.md = [g](./guide.md)
            img/a.png
            src/main.zig = const a = @import(\"lex/a.zig\");
            src/lex/a.zig = const b = @import(\"b.zig\");
            src/lex/b.zig
        ";
        check(
            tree,
            "docs/guide.md",
            "docs/first/guide.md",
            &[
                "README.md: docs/guide.md#top → docs/first/guide.md#top",
                "docs/guide.md: ../README.md → ../../README.md",
                "docs/guide.md: setup.md → ../setup.md",
                "docs/guide.md: ../img/a.png → ../../img/a.png",
                "docs/setup.md: ./guide.md → ./first/guide.md",
            ],
        );
        // What moves together needs nothing.
        check(
            tree,
            "docs",
            "handbook/en",
            &[
                "README.md: docs/guide.md#top → handbook/en/guide.md#top",
                "README.md: docs → handbook/en",
                "docs/guide.md: ../README.md → ../../README.md",
                "docs/guide.md: ../img/a.png → ../../img/a.png",
            ],
        );
        check(tree, "src/lex", "src/parse/lex", &["src/main.zig: lex/a.zig → parse/lex/a.zig"]);
        check(tree, "src/lex/b.zig", "src/b.zig", &["src/lex/a.zig: b.zig → ../b.zig"]);
        check(tree, "src/main.zig", "src/start.zig", &[]);
    }

    #[test]
    fn extensions_follow() {
        let tree = "package.json = {}\na.js = import './b.js'; import './c';\nb.js\nc.js";
        check(tree, "b.js", "b.jsx", &["a.js: ./b.js → ./b.jsx"]);
        check(tree, "b.js", "b.ts", &[]);
        check(tree, "c.js", "c.jsx", &[]);
    }

    #[test]
    fn what_is_not_one_file_stays() {
        let tree = "Makefile = a:\\n\tcc -Ix/include a.c\nCMakeLists.txt = include_directories(x/include)\nx/include/z.h\nlib/z.h\nx/include/one.h\nex/a.c = #include <z.h>\\n#include <one.h>\\n";
        check(tree, "x/include/z.h", "x/linux/z.h", &[]);
        let tree = "pyproject.toml = [tool.poetry]\\nname = 'x'\\ninclude = ['extra/*.py']\\nreadme = 'R.md'\nextra/a.py\nR.md";
        check(tree, "extra", "more", &[]);
    }

    #[test]
    fn modules_move() {
        let tree = "
            Cargo.toml = [package]\\nname = 'a'
            src/lib.rs = mod parse;\\n
            src/parse.rs = const A: &str = include_str!(\"a.txt\");\\n
            src/a.txt
            py/pyproject.toml = [project]\\nname = 'k'
            py/k/__init__.py
            py/k/m.py = from .n import x\\nimport k.n\\nfrom k.n import y\\n
            py/k/n.py = x = y = 1\\n
        ";
        check(tree, "src/a.txt", "data/a.txt", &["src/parse.rs: a.txt → ../data/a.txt"]);
        check(tree, "src/parse.rs", "src/scan.rs", &["src/lib.rs: parse → scan"]);
        check(tree, "py/k/n.py", "py/k/o.py", &["py/k/m.py: .n → .o", "py/k/m.py: k.n → k.o", "py/k/m.py: k.n → k.o"]);
        check(
            tree,
            "py/k/n.py",
            "py/k/s/n.py",
            &["py/k/m.py: .n → .s.n", "py/k/m.py: k.n → k.s.n", "py/k/m.py: k.n → k.s.n"],
        );
        // A module elsewhere cannot be named without a path.
        check(tree, "src/parse.rs", "src/x/parse.rs", &["src/lib.rs: parse → -", "src/parse.rs: a.txt → ../a.txt"]);
    }
    /// A class whose directory moves has another name by the mappings. In a group only the last part can be written.
    #[test]
    fn classes_move() {
        let tree = r#"
            composer.json = {"autoload": {"psr-4": {"App\\": "src/"}}, "autoload-dev": {"psr-4": {"Tests\\": "tests/"}}}
            src/Http/Request.php = <?php\nnamespace App\Http;\nclass Request {}
            src/Http/Answer.php = <?php\nnamespace App\Http;\nclass Answer {}
            src/a.php = <?php\nuse App\Http\Request;\nuse \App\Http\{Answer, Request as R};\nnew Request; new R;
            tests/B.php = <?php\nuse App\Http\Request as Q;\nnew Q;
        "#;
        check(
            tree,
            "src/Http",
            "src/Web/Http",
            &[
                "src/a.php: App\\Http\\Request → App\\Web\\Http\\Request",
                "src/a.php: Answer → -",
                "src/a.php: Request → -",
                "tests/B.php: App\\Http\\Request → App\\Web\\Http\\Request",
            ],
        );
        // Another name of the file is no other name of the class.
        check(tree, "src/Http/Request.php", "src/Http/Ask.php", &[]);
    }
}
