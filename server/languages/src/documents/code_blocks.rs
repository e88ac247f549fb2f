//! Checks what the code in a document imports: modules, packages and headers of the project.
//!
//! Code of a document is meant to work for its reader now. Most of what it imports is the reader's or a dependency's, so only a name
//! that leads to a file of the project counts, or one that git moved or removed, or that is one typo from a file. A relative
//! name belongs to the reader's program. The language of the block resolves the names as in a file beside the document.

mod blocks;
mod commands;

use std::ops::Range;

use pathfinder_literals::path::{extension, name, sibling_path};
use pathfinder_literals::report::{is_fixture, is_vendored};
use pathfinder_literals::typo_findings::is_mistyped;
use pathfinder_literals::{Checked, Language, LiteralKind, Missing, Project, Reason, Severity, Source, Verdict};

use crate::c::C;
use crate::dart::Dart;
use crate::go::Go;
use crate::haskell::Haskell;
use crate::js::Js;
use crate::jvm::Jvm;
use crate::other_times::tells_of_other_times;
use crate::path_words;
use crate::php::Php;
use crate::python::Python;
use crate::ruby::Ruby;
use blocks::{Block, Notation, find_blocks};

/// Blocks of one document that are read. A document with more is made by a program.
const MAX_BLOCKS: usize = 500;
/// Longest block that is read; one that people read in a document is shorter.
const MAX_BLOCK_BYTES: usize = 64 << 10;

/// Imports of one document that are kept. Each is compared with the others.
const MAX_IMPORTS: usize = 1_000;

/// Names of languages after a fence, each with the extension of its files and the language that reads them.
const LANGUAGES: [(&[&str], &str, &dyn Language); 13] = [
    (&["c", "h"], "c", &C),
    (&["c++", "cpp", "cc", "cxx", "hpp", "cuda"], "cpp", &C),
    (&["dart"], "dart", &Dart),
    (&["go", "golang"], "go", &Go),
    (&["haskell", "hs"], "hs", &Haskell),
    (&["javascript", "js", "jsx", "mjs"], "jsx", &Js),
    (&["typescript", "ts", "tsx"], "tsx", &Js),
    (&["java"], "java", &Jvm),
    (&["kotlin", "kt"], "kt", &Jvm),
    (&["scala"], "scala", &Jvm),
    (&["php"], "php", &Php),
    (&["py", "pycon", "python", "python3"], "py", &Python),
    (&["rb", "ruby"], "rb", &Ruby),
];

/// Code in documents.
pub(crate) struct CodeBlocks;

mod kinds {
    pathfinder_literals::literal_kinds! {
        /// Module, package or header of the project that code in a document imports.
        IMPORT = "block.import";
        /// Path in the commands of a document, of a file that a recent commit moved: `python tools/a.py`.
        PATH = "block.path";
    }
}

impl Language for CodeBlocks {
    fn name(&self) -> &'static str {
        "code-blocks"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        notation_of(path).is_some()
    }

    fn continued_literal(&self, source: &Source<'_>, kind: LiteralKind, range: &Range<usize>) -> Option<Range<usize>> {
        let part = Part::at(source, range.start).filter(|_| kind == kinds::IMPORT)?;
        let code = Source::new(&part.path, part.code.as_bytes())?;
        let start = part.start - source.offset();
        let own = range.start.checked_sub(start)?..range.end.checked_sub(start)?;
        let kinds = part.language.kinds().iter();
        let first = kinds.into_iter().find_map(|kind| part.language.continued_literal(&code, *kind, &own))?;
        Some(first.start + start..first.end + start)
    }

    fn has_uses(&self, kind: LiteralKind) -> bool {
        kind == kinds::IMPORT
    }

    fn edit_uses(&self, source: &Source<'_>, literal: &Checked, new: &str) -> Option<Vec<(Range<usize>, String)>> {
        Part::at(source, literal.range.start.checked_sub(source.offset())?)?.edit_uses(literal, new)
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let (path, text) = (source.path(), source.text());
        let Some(notation) = notation_of(path) else { return };
        if is_fixture(path) || is_vendored(path) || tells_of_other_times(path) {
            return;
        }
        let blocks = find_blocks(text, notation).into_iter().filter(|block| block.range.len() <= MAX_BLOCK_BYTES);
        let (commands, blocks): (Vec<_>, Vec<_>) = blocks.partition(|block| commands::are_commands(block));
        commands::check(source, project, commands.iter().take(MAX_BLOCKS), found);
        if !["import", "#include", "require", "use "].iter().any(|word| text.contains(word)) {
            return;
        }
        let mut own = Vec::new();
        let blocks = blocks.into_iter();
        for part in blocks.take(MAX_BLOCKS).filter_map(|block| Part::new(source, &block)) {
            part.check(project, &mut own);
            if own.len() >= MAX_IMPORTS {
                own.truncate(MAX_IMPORTS);
                break;
            }
        }
        let targets: Vec<(usize, String)> =
            own.iter().filter_map(|literal| Some((literal.range.start, target_of(literal)?.to_owned()))).collect();
        // A document that shows the new name beside the old one tells of the move.
        let is_shown = |literal: &Checked| match &literal.verdict {
            Verdict::Missing(missing) => targets.iter().any(|(at, target)| {
                missing.instead.as_ref() == Some(target) && are_near(text, *at, literal.range.start, source.offset())
            }),
            _ => false,
        };
        let tells = |literal: &Checked| {
            !matches!(literal.verdict, Verdict::Found(_))
                && path_words::tells_of_move(text, literal.range.start - source.offset())
        };
        own.retain(|literal| !is_shown(literal) && !tells(literal));
        let overlap =
            |one: &Checked, other: &Checked| one.range.start < other.range.end && other.range.start < one.range.end;
        // The words of a guide are read without knowledge of the language.
        found.retain(|one| one.kind.construct() != "string" || !own.iter().any(|import| overlap(import, one)));
        own.retain(|import| !found.iter().any(|one| overlap(import, one)));
        found.append(&mut own);
    }
}

/// The code of a block as a file beside its document, with the language that reads it.
struct Part {
    path: String,
    code: String,
    language: &'static dyn Language,
    /// Offset of the code in the file of the document.
    start: usize,
}

impl Part {
    /// Returns the code of a block; `None` if no language here reads it.
    fn new(source: &Source<'_>, block: &Block<'_>) -> Option<Self> {
        let code = &source.text()[block.range.clone()];
        let is_console = code.trim_start().starts_with(">>> ");
        let named =
            if block.language.is_empty() && is_console { "python" } else { block.language }.to_ascii_lowercase();
        let (_, extension, language) = LANGUAGES.iter().find(|(names, ..)| names.contains(&named.as_str()))?;
        let stem = name(source.path()).split('.').next().unwrap_or_default();
        Some(Self {
            path: sibling_path(source.path(), &format!("{stem}.{extension}")),
            // In as many bytes, so that the ranges stay.
            code: if is_console { code.replace(">>> ", "    ").replace("... ", "    ") } else { code.to_owned() },
            language: *language,
            start: block.range.start + source.offset(),
        })
    }

    /// Returns the code of the block that has an offset of the document's text.
    fn at(source: &Source<'_>, at: usize) -> Option<Self> {
        let blocks = find_blocks(source.text(), notation_of(source.path())?);
        blocks.iter().find(|block| block.range.contains(&at)).and_then(|block| Self::new(source, block))
    }

    /// Adds the imports that lead to files of the project, or did.
    fn check(&self, project: &Project, found: &mut Vec<Checked>) {
        let Some(source) = Source::new(&self.path, self.code.as_bytes()) else { return };
        let mut own = Vec::new();
        self.language.check(&source, project, &mut own);
        for literal in own {
            let Some(text) = self.code.get(literal.range.clone()) else { continue };
            let construct = literal.kind.construct();
            if !matches!(construct, "import" | "include" | "include_angle" | "require" | "use")
                || text.starts_with(['.', '/'])
            {
                continue;
            }
            let had = |path: &String| project.tree().was_there(path);
            let verdict = match literal.verdict {
                Verdict::Unknown(_) if !is_mistyped(project, &literal.tried) => continue,
                // A package of the project whose name has a typo is decided.
                Verdict::Missing(_) if is_package(literal.kind, text) => literal.verdict,
                Verdict::Missing(missing) if missing.instead.is_none() && !literal.tried.iter().any(had) => {
                    Verdict::Unknown(Reason::Elsewhere)
                }
                verdict => verdict,
            };
            // No program fails for an example.
            let verdict = match verdict {
                Verdict::Missing(missing) => {
                    Verdict::Missing(Missing { severity: missing.severity.max(Severity::Warning), ..missing })
                }
                verdict => verdict,
            };
            let range = literal.range.start + self.start..literal.range.end + self.start;
            found.push(Checked { kind: kinds::IMPORT, range, verdict, tried: literal.tried });
        }
    }

    /// Returns the edits that the uses of a name in the block need, as [`Language::edit_uses`] does.
    fn edit_uses(&self, literal: &Checked, new: &str) -> Option<Vec<(Range<usize>, String)>> {
        let Some(kind) = self.language.kinds().iter().find(|kind| self.language.has_uses(**kind)) else {
            return Some(Vec::new());
        };
        let source = Source::new(&self.path, self.code.as_bytes())?;
        let range = literal.range.start.checked_sub(self.start)?..literal.range.end.checked_sub(self.start)?;
        let edits = self.language.edit_uses(&source, &Checked { kind: *kind, range, ..literal.clone() }, new)?;
        let moved = |(range, text): (Range<usize>, String)| (range.start + self.start..range.end + self.start, text);
        Some(edits.into_iter().map(moved).collect())
    }
}

/// Returns whether so few lines are between two offsets that the second block is the other half of a comparison: its fences, a heading
/// and some code.
fn are_near(text: &str, one: usize, other: usize, skipped: usize) -> bool {
    const MAX_LINES: usize = 12;
    let between = text.get(one.min(other) - skipped..one.max(other) - skipped).unwrap_or_default();
    between.bytes().filter(|byte| *byte == b'\n').take(MAX_LINES + 1).count() <= MAX_LINES
}

/// Returns whether an import of JavaScript names a package, and not what an alias of the reader's project stands for.
fn is_package(kind: LiteralKind, text: &str) -> bool {
    matches!(kind.language(), "js" | "ts") && !text.starts_with(['~', '#']) && !text.starts_with("@/")
}

fn target_of(literal: &Checked) -> Option<&str> {
    match &literal.verdict {
        Verdict::Found(target) => Some(&target.path),
        _ => None,
    }
}

fn notation_of(path: &str) -> Option<Notation> {
    match extension(path).as_str() {
        "md" | "mdx" | "markdown" | "mdown" | "mkd" => Some(Notation::Markdown),
        "rst" | "rest" => Some(Notation::Rst),
        "adoc" | "asciidoc" | "asc" => Some(Notation::AsciiDoc),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn reads_imports_of_the_project() {
        let tree = "shop/__init__.py\nshop/cart.py\nmoved shop/basket.py shop/cart.py";
        let block = |code: &str| format!("# A\n\n```python\n{code}\n```\n");
        check(tree, "docs/a.md", &block("from shop.basket import x"), "block.import shop.basket → moved");
        check(tree, "docs/a.md", &block("from shop.cart import x"), "block.import shop.cart → shop/cart.py");
        check(tree, "docs/a.md", &block("from shop.crt import x"), "block.import shop.crt → missing");
        check(tree, "docs/a.md", &block("import shop.basket as b\nb.run()"), "block.import shop.basket → moved");
        check(
            tree,
            "docs/a.md",
            &block("from shop.mine import x\nimport numpy\nfrom .basket import x"),
            "block.import shop.mine → unknown elsewhere",
        );
        check(tree, "docs/a.md", "```\n>>> from shop.basket import x\n```\n", "block.import shop.basket → moved");
        check(tree, "docs/a.md", "```text\nfrom shop.basket import x\n```\nfrom shop.basket import x\n", "");
        check(
            tree,
            "docs/a.rst",
            ".. code::  python\n\n   from shop.basket import x\n",
            "block.import shop.basket → moved",
        );
        check(tree, "docs/a.rst", "A\n\n>>> from shop.basket import x\n1\n", "block.import shop.basket → moved");
    }

    #[test]
    fn warns_of_examples() {
        let tree = "shop/__init__.py\nshop/cart.py\nmoved shop/basket.py shop/cart.py";
        let text = "```python\nimport shop.basket\n```\n";
        assert_eq!(crate::testing::severities(tree, "docs/a.md", text), ["warning"]);
    }

    #[test]
    fn leaves_documents_that_tell_of_moves() {
        let tree = "shop/__init__.py\nshop/cart.py\nmoved shop/basket.py shop/cart.py";
        let block = "```python\nfrom shop.basket import x\n```\n";
        let paths = [
            "CHANGELOG.md",
            "docs/migration-guide.md",
            "docs/0015-cart.md",
            "docs/v1/a.md",
            "blog/a.md",
            "tests/fixtures/a.md",
        ];
        for path in paths {
            check(tree, path, block, "");
        }
        let both = format!("{block}\n```python\nfrom shop.cart import x\n```\n");
        check(tree, "docs/a.md", &both, "block.import shop.cart → shop/cart.py");
        let apart = format!("{block}{}```python\nfrom shop.cart import x\n```\n", "a\n".repeat(20));
        check(tree, "docs/a.md", &apart, "block.import shop.basket → moved\nblock.import shop.cart → shop/cart.py");
        check(tree, "docs/a.md", &format!("It was renamed.\n\n{block}"), "");
    }

    #[test]
    fn reads_commands() {
        let root = "scripts/setup.sh\nmoved setup.sh scripts/setup.sh";
        check(
            root,
            "docs/a.md",
            "```sh\n$ sudo bash setup.sh -x\nbash other.sh\necho setup.sh\n```\n",
            "block.path setup.sh → moved",
        );
        check(root, "docs/a.md", "```sh\n$ cd x\n$ bash setup.sh\n```\n", "");
        check(&format!("{root}\ndocs/setup.sh"), "docs/a.md", "```sh\nsh setup.sh\n```\n", "");
        let tree = "scripts/run.py\nmoved tools/run.py scripts/run.py";
        let stale = "block.path tools/run.py → moved";
        check(tree, "docs/a.md", "```bash\npython tools/run.py --x\n```\n`tools/run.py`\n", stale);
        check(
            tree,
            "docs/a.rst",
            ".. code-block:: console\n\n   $ ./tools/run.py\n",
            "block.path ./tools/run.py → moved",
        );
        check(tree, "docs/a.md", "```\npython tools/run.py --x\n```\n", "");
        check(tree, "docs/upgrade.md", "```bash\npython tools/run.py --x\n```\n", "");
        check(tree, "README.md", "```bash\npython tools/run.py --x\n```\n", "md.string tools/run.py → moved");
    }

    #[test]
    fn reads_other_languages() {
        let check = |tree: &str, language: &str, code: &str, expect: &str| {
            check(tree, "docs/a.md", &format!("```{language}\n{code}\n```\n"), expect);
        };
        let guide = "lib.hpp\nmoved include/lib/lib.hpp lib.hpp";
        crate::testing::check(
            guide,
            "README.md",
            "```cpp\n#include \"lib/lib.hpp\"\n```\n",
            "block.import lib/lib.hpp → moved",
        );
        let java = "src/main/java/org/shop/Cart.java = package org.shop;\nmoved src/main/java/org/shop/Basket.java src/main/java/org/shop/Cart.java";
        check(java, "java", "import org.shop.Basket;", "block.import org.shop.Basket → moved");
        let c = "include/shop/cart.h\nmoved include/shop/basket.h include/shop/cart.h";
        check(c, "cpp", "#include <shop/basket.h>", "block.import shop/basket.h → moved");
        let go = "go.mod = module x.org/shop\ncart/a.go = package cart\nmoved basket/a.go cart/a.go";
        check(go, "go", "import \"x.org/shop/basket\"", "block.import x.org/shop/basket → moved");
        let js = "packages/shop/package.json = {\"name\": \"@x/shop\"}\npackages/shop/cart.js";
        check(js, "js", "import x from '@x/shop/cart.js'", "block.import @x/shop/cart.js → packages/shop/cart.js");
        let named = "parts/core/package.json = {\"name\": \"@x/parts-core\", \"main\": \"a.js\"}\nparts/core/a.js";
        check(
            named,
            "ts",
            "import x from '@x/part-core'\nimport y from '@/parts-core'",
            "block.import @x/part-core → missing",
        );
    }
}
