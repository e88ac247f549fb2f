//! Tests of the Markdown checker, as rows of document, literal and verdict.

use proptest::prelude::*;

use crate::testing::{MemoryTree, check, new_project};
use pathfinder_literals::Source;

#[test]
fn resolves_paths_of_files() {
    let tree =
        "docs/a.md = # A\\n\nimg/l.png\nsrc/lib.rs\nLICENSE-MIT\ndocs/readme.test.md\ndocs/deep/README.md\nsp ace.md";
    check(
        tree,
        "README.md",
        "[a](docs/a.md) [b](./docs/) [c](docs/a) ![l](img/l.png) [s](src/lib.rs#L3-L9) [t](src/lib.rs:12)\n",
        "md.link docs/a.md → docs/a.md
         md.link ./docs/ → docs
         md.link docs/a → docs/a.md
         md.image img/l.png → img/l.png
         md.link src/lib.rs#L3-L9 → src/lib.rs
         md.link src/lib.rs:12 → src/lib.rs",
    );
    check(
        tree,
        "README.md",
        "[a](docs/b.md) ![l](img/m.png) [s](src/main.rs#L3) [q](docs/b.md?plain=1) [r]\n\n[r]: docs/c.md\n",
        "md.link docs/b.md → missing
         md.image img/m.png → missing
         md.link src/main.rs#L3 → missing
         md.link docs/b.md?plain=1 → missing
         md.definition docs/c.md → missing",
    );
    // An omitted extension is appended, never put in place of another.
    check(
        tree,
        "docs/x.md",
        "[a](readme.test) [b](a.txt) [c](../sp%20ace.md) [d](<../sp ace.md>)\n",
        "md.link readme.test → docs/readme.test.md
         md.link a.txt → missing
         md.link ../sp%20ace.md → sp ace.md
         md.link ../sp ace.md → sp ace.md",
    );
    check(
        tree,
        "README.md",
        "[l](LICENSE) [m](LICENSE-MIT) [n](Docs/A.md) [o](docs/missing/) [p](/docs/a.md) [q](/docs/z.md) [r](/x.toml)\n",
        "md.link LICENSE → missing
         md.link LICENSE-MIT → LICENSE-MIT
         md.link Docs/A.md → case-mismatch
         md.link docs/missing/ → missing
         md.link /docs/a.md → docs/a.md
         md.link /docs/z.md → missing
         md.link /x.toml → missing",
    );
    // Pages of a forge have the names of directories.
    check(
        "packages/a/utils.js",
        "docs/a.md",
        "[a](../packages/a/utls.js) [b](../packages) [c](../issues/1)\n",
        "md.link ../packages/a/utls.js → missing
         md.link ../packages → packages
         md.link ../issues/1 → unknown elsewhere",
    );
}

#[test]
fn skips_text_that_is_no_path() {
    check(
        "",
        "README.md",
        "[a](https://x.y/z) [b](mailto:a@b.c) [c](//cdn/x) [d](data:x) <a@b.c> [e](obsidian://x) [f](#) [g]()\n",
        "",
    );
    check(
        "",
        "README.md",
        "[x] `[a](b.md)` $[a](b.md)$ [!NOTE] [[wiki]]\n\n> [!NOTE]\n> x\n\n    [a](b.md)\n\n- [x] done\n- [ ] (b.md)\n\n[^1]: b.md\n[//]: # (c.md)\n[c]: <> (c.md)\n",
        "",
    );
    check(
        "src/a.rs",
        "README.md",
        "[a](word) [b](obj.method) [c](path/to/file.md) [d](../../issues) [e](../../wiki/X) [f](www.a.b) [g](github.com/a/b) [h](foo.md) [i](a@b.de) [j](releases) [k](N/A) [l](and/or)\n",
        "md.link word → unknown elsewhere
         md.link obj.method → unknown elsewhere
         md.link path/to/file.md → unknown elsewhere
         md.link ../../issues → unknown outside
         md.link ../../wiki/X → unknown outside
         md.link www.a.b → unknown elsewhere
         md.link github.com/a/b → unknown elsewhere
         md.link foo.md → unknown elsewhere
         md.link a@b.de → unknown elsewhere
         md.link releases → unknown elsewhere
         md.link N/A → unknown elsewhere
         md.link and/or → unknown elsewhere",
    );
    check(
        "docs/x.md",
        "docs/deep/er/a.md",
        "[a](../../issues/new) [b](../../../../x.md) [c](/owner/name/blob/main/x.md)\n",
        "md.link ../../issues/new → unknown elsewhere
         md.link ../../../../x.md → unknown outside
         md.link /owner/name/blob/main/x.md → unknown elsewhere",
    );
    check(
        "",
        "README.md",
        "[a]({{ site.url }}/b.md) ![b]({{< ref \"x\" >}}) [c](<%= x %>) [d](${x}/y.md)\n",
        "md.link {{ site.url }}/b.md → unknown dynamic
         md.link %= x % → unknown elsewhere
         md.link ${x}/y.md → unknown dynamic",
    );
    check("blob/", "README.md", "[a](blob/main/CHANGELOG.md)\n", "md.link blob/main/CHANGELOG.md → missing");
}

#[test]
fn trusts_no_detached_document() {
    let row = "md.link b.md → unknown undecided";
    for path in [
        ".github/ISSUE_TEMPLATE/bug.md",
        "docs/_includes/a.md",
        "docs/snippets/a.md",
        "tests/fixtures/a.md",
        "vendor/x/README.md",
        "template/README.md",
        "{{cookiecutter.x}}/README.md",
    ] {
        check("", path, "[a](b.md)\n", row);
    }
    check(
        "",
        "README.md",
        "[zh](README.zh-CN.md) [de](docs/README_de.md)\n",
        "md.link README.zh-CN.md → unknown undecided
         md.link docs/README_de.md → unknown undecided",
    );
    check(
        "ignore out/\nignore docs/api/",
        "README.md",
        "[a](out/x.png) [b](docs/api/x.md) [c](node_modules/x/y.md)\n",
        "md.link out/x.png → unknown ignored
         md.link docs/api/x.md → unknown ignored
         md.link node_modules/x/y.md → unknown produced",
    );
    check("moved docs/a.md docs/b.md\ndocs/b.md", "README.md", "[a](docs/a.md)\n", "md.link docs/a.md → moved");
    // Nothing else remains of its directory.
    check(
        "moved files/a.png docs/a.png\ndocs/a.png",
        "README.md",
        "![a](/files/a.png) ![b](/files/b.png)\n",
        "md.image /files/a.png → moved
         md.image /files/b.png → unknown elsewhere",
    );
}

#[test]
fn checks_html() {
    check(
        "a.png\nb.md",
        "README.md",
        "<img src=\"a.png\"> <img src='c.png'>\n\n<p align=center>\n<a href=\"b.md\"><img src=a.png srcset=\"a.png 1x, d.png 2x\"></a>\n<!-- <img src=x.png> -->\n<video poster=\"e.jpg\" src={x}></video>\n</p>\n\n<Comp src=\"y.png\"/>\n",
        "md.html.src a.png → a.png
         md.html.src c.png → missing
         md.html.href b.md → b.md
         md.html.src a.png → a.png
         md.html.srcset a.png → a.png
         md.html.srcset d.png → missing
         md.html.poster e.jpg → missing
         md.html.src {x} → unknown elsewhere",
    );
}

#[test]
fn checks_anchors() {
    let tree = "b.md = # One two\\n## Three\\n\nsrc/a.rs";
    check(
        tree,
        "a.md",
        "# Here\n[a](#here) [b](#there) [c](b.md#one-two) [d](b.md#four) [e](src/a.rs#x) [f](b.md#L4)\n",
        "md.link #here → a.md
         md.link #there → missing-anchor
         md.link b.md#one-two → b.md
         md.link b.md#four → missing-anchor
         md.link src/a.rs#x → src/a.rs
         md.link b.md#L4 → b.md",
    );
    // A generator with unknown rules for anchors.
    check("_config.yml", "a.md", "# Here\n[a](#there)\n", "md.link #there → a.md");
    check("", "a.md", "# Here\n\n[[toc]]\n\n{{ more }}\n[a](#there)\n", "md.link #there → a.md");
}

#[test]
fn resolves_site_addresses() {
    let tree = "mkdocs.yml = site_name: x\ndocs/index.md\ndocs/img/a.png\ndocs/guide/b.md\ndocs/guide/c.md";
    check(
        tree,
        "docs/guide/d.md",
        "![a](/img/a.png) ![a](/img/z.png) [b](/guide/b/) <img src=\"../../img/a.png\"> [c](/api/x) [d](c) [e](./never-there) [f](b.html) [g](z.html)\n",
        "md.image /img/a.png → docs/img/a.png
         md.image /img/z.png → missing
         md.link /guide/b/ → docs/guide/b.md
         md.html.src ../../img/a.png → docs/img/a.png
         md.link /api/x → unknown undecided
         md.link c → docs/guide/c.md
         md.link ./never-there → missing
         md.link b.html → docs/guide/b.md
         md.link z.html → unknown undecided",
    );
    let tree = "web/docusaurus.config.js = path: '../docs'\ndocs/a.md = ---\\nslug: /other-name\\n---\\n\ndocs/02-b.md\nweb/static/img/c.png";
    check(
        tree,
        "docs/d.md",
        "[a](./other-name) [b](b) [c](./b-gone) ![d](/img/c.png) [e](@site/x.md) [f](/docs/b)\n",
        "md.link ./other-name → unknown undecided
         md.link b → docs/02-b.md
         md.link ./b-gone → missing
         md.image /img/c.png → web/static/img/c.png
         md.link @site/x.md → missing
         md.link /docs/b → docs/02-b.md",
    );
    // Without a known routing rule, a link is missing only if others of its form resolve.
    let tree = ".eleventy.js\nsrc/docs/a.md\nsrc/docs/b.md\nsrc/docs/c.md";
    check(
        tree,
        "src/x.md",
        "[a](/docs/a) [b](/docs/b) [c](/docs/c) [d](/docs/d)\n",
        "md.link /docs/a → src/docs/a.md
         md.link /docs/b → src/docs/b.md
         md.link /docs/c → src/docs/c.md
         md.link /docs/d → missing",
    );
    check(
        tree,
        "src/x.md",
        "[a](/docs/a) [d](/docs/d)\n",
        "md.link /docs/a → src/docs/a.md
         md.link /docs/d → unknown undecided",
    );
    // A translation falls back to the original language.
    let tree = "docs/en/mkdocs.yml\ndocs/en/docs/a.md\ndocs/en/docs/img/a.png\ndocs/de/docs/c.md";
    check(
        tree,
        "docs/de/docs/b.md",
        "[a](a.md) ![a](/img/a.png) [z](z.md)\n",
        "md.link a.md → docs/en/docs/a.md
         md.image /img/a.png → docs/en/docs/img/a.png
         md.link z.md → missing",
    );
}

#[test]
fn checks_includes() {
    let tree = "docs/en/mkdocs.yml = base_path: ../parts\ndocs_src/a.py\ndocs/parts/p.md";
    check(
        tree,
        "docs/en/docs/x.md",
        "```python\n{!../../../docs_src/a.py!}\n```\n{* ../../docs_src/a.py hl[1] *}\n{*../../docs_src/b.py*} `{!c.py!}` \\{!d.py!}\n--8<-- \"p.md:part\"\n--8<-- \"q.md\"\n;--8<-- \"r.md\"\n--8<-- \"; r.md\"\n",
        "md.include ../../../docs_src/a.py → docs_src/a.py
         md.include ../../docs_src/a.py → docs_src/a.py
         md.include ../../docs_src/b.py → missing
         md.include p.md → docs/parts/p.md
         md.include q.md → missing",
    );
    check("docs_src/a.py", "docs/x.md", "{!../b.py!}\n{{#include b.rs}}\n<<< @/x.ts\n{% include x.md %}\n", "");
    check(
        "book.toml\nsrc/a.rs",
        "src/x.md",
        "```rust\n{{#include a.rs:1:3}}\n{{#rustdoc_include b.rs:here}}\n\\{{#include c.rs}}\n```\n",
        "md.include a.rs → src/a.rs
         md.include b.rs → missing",
    );
    check(
        "docs/.vitepress/config.ts\ndocs/s/a.ts\ndocs/b.md",
        "docs/x.md",
        "<<< @/s/a.ts#part{1,2}\n<<< ./c.ts\n<!--@include: ./b.md{3,}-->\n<!-- @include: ./d.md -->\na <<< b.ts\n",
        "md.include @/s/a.ts → docs/s/a.ts
         md.include ./c.ts → missing
         md.include ./b.md → docs/b.md
         md.include ./d.md → missing",
    );
    check(
        "docs/_config.yml\ndocs/_includes/a.html\ndocs/_docs/b.md",
        "docs/_posts/x.md",
        "{% include a.html x=1 %} {% include c.html %} {% link _docs/b.md %} [x]({% link _docs/d.md %}) {% include {{ x }}.html %}{% raw %}{% link y.md %}{% endraw %}\n",
        "md.liquid.include a.html → docs/_includes/a.html
         md.liquid.include c.html → missing
         md.liquid.link _docs/b.md → docs/_docs/b.md
         md.liquid.link _docs/d.md → missing",
    );
    check("docs/_config.yml = theme: minima\ndocs/_includes/a.html", "docs/x.md", "{% include c.html %}\n", "");
}

/// False reports on real repositories.
#[test]
fn avoids_known_false_reports() {
    // ruff: pages for the site of another repository.
    check(
        "crates/x/",
        "crates/ty/docs/rules.md",
        "<a href=\"../../rules#levels\">x</a>\n",
        "md.html.href ../../rules#levels → unknown elsewhere",
    );
    // fastapi: a placeholder.
    check(
        "docs/mkdocs.yml",
        "docs/docs/x.md",
        "[a](ENGLISH_VERSION_URL)\n",
        "md.link ENGLISH_VERSION_URL → unknown elsewhere",
    );
    // foundation-sites: a custom site with demos.
    check(
        "",
        "docs/x.md",
        "---\ntitle: x\n---\n# X\n<a href=\"#0\">a</a> <img src=\"assets/a.jpg\"> [b](#mixin)\n",
        "md.html.href #0 → docs/x.md
         md.html.src assets/a.jpg → unknown undecided
         md.link #mixin → docs/x.md",
    );
    // cargo: books that are published beside each other.
    check(
        "doc/book.toml\nreference/x.md",
        "doc/src/a/b.md",
        "[c](../../reference/c.md) [d](../d.md)\n",
        "md.link ../../reference/c.md → unknown undecided
         md.link ../d.md → missing",
    );
    // gemini-cli: a template of a document for another place.
    check("", "skills/preview_template.md", "[a](latest.md)\n", "md.link latest.md → unknown undecided");
    // goreleaser: pages that the generator writes.
    check(
        "hugo.toml\nwww/hugo.toml\nwww/content/blog/a.md",
        "www/content/x.md",
        "[f](/blog/feed.xml)\n",
        "md.link /blog/feed.xml → unknown produced",
    );
    // The Rust book: chapters that are generated for a publisher.
    check(
        "book.toml\nsrc/img/a.svg",
        "nostarch/c.md",
        "<img src=\"img/a.svg\">\n",
        "md.html.src img/a.svg → unknown undecided",
    );
    // vscode#276350 and SvelteKit: files for agents have paths from the root.
    check(
        "CONTRIBUTING.md",
        ".github/copilot-instructions.md",
        "[c](./CONTRIBUTING.md) [d](./NOTHING.md)\n",
        "md.link ./CONTRIBUTING.md → CONTRIBUTING.md
         md.link ./NOTHING.md → missing",
    );
    check("docs/parts/b.md", "docs/manual/SUMMARY.md", "[b](parts/b.md)\n", "md.link parts/b.md → unknown undecided");
    // Starlight: untranslated pages appear in the original language, which has no directory of its own.
    check(
        "astro.config.mjs\nsrc/content/docs/guides/css.md\nsrc/content/docs/es/guides/a.md",
        "src/content/docs/es/b.md",
        "[c](/es/guides/css/) [d](./guides/css.md) [e](./guides/gone.md)\n",
        "md.link /es/guides/css/ → src/content/docs/guides/css.md
         md.link ./guides/css.md → src/content/docs/guides/css.md
         md.link ./guides/gone.md → missing",
    );
    // home-manager: a table of contents that the build assembles with its documents.
    let (mut text, mut rows) = (String::new(), String::new());
    for number in 0..12 {
        text.extend(["- [a](parts/a", &number.to_string(), ".md)\n"]);
        rows.extend(["md.link parts/a", &number.to_string(), ".md → unknown undecided\n"]);
    }
    check("", "docs/SUMMARY.md", &text, &rows);
}

#[test]
fn checks_sphinx_references() {
    let tree = "docs/conf.py = project = 'x'\ndocs/a.md\nREADME.md\ndocs/img/l.png";
    check(
        tree,
        "docs/index.md",
        "```{include} ../README.md\n:start-after: x\n```\n```{include} ../GONE.md\n```\n:::{figure} img/l.png\ntext [b](b.md)\n:::\n\n```{toctree}\n:maxdepth: 1\n\na\n# c\nB <b>\n```\n{doc}`a` {doc}`c` `{doc}` ``{doc}`d` ``\n\n```md\n{doc}`e`\n```\n",
        "md.include ../README.md → README.md
         md.include ../GONE.md → missing
         md.figure img/l.png → docs/img/l.png
         md.link b.md → missing
         md.toctree a → docs/a.md
         md.toctree b → missing
         md.doc a → docs/a.md
         md.doc c → missing",
    );
    check("", "docs/index.md", "```{include} ../GONE.md\n```\n{doc}`c`\n", "");
    check(tree, "docs/b.md", "[a](a.html) [b](gone.html)\n", "md.link a.html → docs/a.md\nmd.link gone.html → missing");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 200 } else { 2000 }))]
    #[test]
    fn accepts_any_text(text in "([\\PC\n]|\\[a\\]\\(|<img src=|\\{!|--8<-- \"|<<< |\\{% include |\\]: |#|é){0,40}", mark in any::<bool>()) {
        let tree = MemoryTree::new("mkdocs.yml\nbook.toml\n_config.yml\na.md");
        let project = new_project(tree);
        let mut bytes = if mark { b"\xef\xbb\xbf".to_vec() } else { Vec::new() };
        bytes.extend_from_slice(text.as_bytes());
        for path in ["docs/x.md", "src/x.md", "x.mdx"] {
            let Some(source) = Source::new(path, &bytes) else { continue };
            for checked in pathfinder_literals::check(&source, &project) {
                prop_assert!(std::str::from_utf8(&bytes).expect("text").get(checked.range.clone()).is_some_and(|text| !text.is_empty()));
            }
        }
    }
}

#[test]
fn checks_large_text_in_linear_time() {
    let tree = MemoryTree::new("mkdocs.yml\n_config.yml\nbook.toml\ndocs/.vitepress/config.js");
    let project = new_project(tree);
    for piece in [
        "[a](b.md)",
        "<img src=\"",
        "[a](",
        "{%",
        "{!",
        "<<<",
        "--8<--",
        "> ",
        "[a]: b\n",
        "<a href=x ",
        "![",
        "{{#include ",
        "# a {#",
        "- ",
    ] {
        let text = piece.repeat(100_000 / piece.len());
        let source = Source::new("docs/x.md", text.as_bytes()).expect("a text");
        let started = std::time::Instant::now();
        pathfinder_literals::check(&source, &project);
        // Far more time than needed, far less than quadratic.
        assert!(started.elapsed().as_secs() < 20, "{piece}: {:?}", started.elapsed());
    }
}

/// A lower-case page address is not a misspelt file name.
#[test]
fn accepts_lower_case_addresses() {
    let tree = "docs/CONTRIBUTING.md\ndocs/index.md";
    check(
        tree,
        "docs/a.md",
        "[x](/docs/contributing) [y](/docs/Index.md)",
        "md.link /docs/contributing → unknown undecided\nmd.link /docs/Index.md → case-mismatch",
    );
}

/// `MyST` reads a name without extension as a label; other parsers do not.
#[test]
fn accepts_myst_labels() {
    let text = "[a](some_label) [b](other.md)\n";
    check(
        "docs/conf.py = extensions = ['myst_parser']\ndocs/x.md\ndocs/y_z.md",
        "docs/a.md",
        text,
        "md.link some_label → unknown undecided\nmd.link other.md → missing",
    );
    check(
        "docs/conf.py = extensions = ['recommonmark']\ndocs/x.md\ndocs/y_z.md",
        "docs/a.md",
        text,
        "md.link some_label → missing\nmd.link other.md → missing",
    );
}

/// A snippet in a fence is displayed as it is, and the theme provides an icon.
#[test]
fn skips_fenced_snippets_and_theme_icons() {
    check(
        "docs/.vitepress/config.ts\ndocs/a.ts",
        "docs/en/x.md",
        "<<< ../a.ts\n\n```md\n<<< ../gone.ts\n```\n\n<<< ../lost.ts\n",
        "md.include ../a.ts → docs/a.ts
         md.include ../lost.ts → missing",
    );
    check(
        "mkdocs.yml = site_name: x",
        "docs/a.md",
        "[x](img/favicon.ico)\n",
        "md.link img/favicon.ico → unknown produced",
    );
    check("guides/plug.md", "guides/a.md", "The [Plug project](`Plug`).\n", "md.link `Plug` → unknown elsewhere");
}

/// A line of dashes is a thematic break. The text between two such lines is front matter only at the start of the
/// document.
#[test]
fn reads_front_matter_only_at_the_start() {
    check(
        "b.md",
        "a.md",
        "[x](#deep) [y](#other)\r\n\r\n---\r\n#### Deep\r\n[z](gone.md) [b](b.md)\r\n\r\n---\r\n",
        "md.link #deep → a.md
         md.link #other → missing-anchor
         md.link gone.md → missing
         md.link b.md → b.md",
    );
    check("b.md", "a.md", "---\ntitle: '[x](gone.md)'\n---\n[b](b.md)\n", "md.link b.md → b.md");
    check("b.md", "a.md", "---\n[b](b.md)\n", "md.link b.md → b.md");
}
