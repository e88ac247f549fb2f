//! Tests of the reStructuredText checker, as rows of document, literal and verdict.

use proptest::prelude::*;

use crate::testing::{MemoryTree, check, new_project};
use pathfinder_literals::Source;

#[test]
fn checks_directives() {
    let tree = "docs/conf.py = project = 'x'\ndocs/a.rst\ndocs/img/l.png\ndocs/x.csv\nsrc/a.c\nCHANGES.rst";
    check(
        tree,
        "docs/guide/b.rst",
        ".. include:: ../../CHANGES.rst\n.. include:: ../../CHANGES\n.. include:: <isonum.txt>\n.. literalinclude:: ../../src/a.c\n   :lines: 1-2\n.. literalinclude:: /../src/b.c\n\n.. image:: /img/l.png\n.. |logo| image:: /img/m.png\n   :target: https://x.y\n.. figure:: ../img/l.*\n.. csv-table:: T\n   :file: ../x.csv\n   :header-rows: 1\n.. raw:: html\n   :file: y.html\n",
        "rst.include ../../CHANGES.rst → CHANGES.rst
         rst.include ../../CHANGES → missing
         rst.literalinclude ../../src/a.c → src/a.c
         rst.literalinclude /../src/b.c → missing
         rst.image /img/l.png → docs/img/l.png
         rst.image /img/m.png → missing
         rst.figure ../img/l.* → docs/img/l.png
         rst.csv-table ../x.csv → docs/x.csv
         rst.raw y.html → missing",
    );
}

/// The document is there with another ending, outside of what the settings name.
#[test]
fn finds_documents_that_changed_their_ending() {
    let tree = "docs/sphinx/conf.py = project = 'x'\ndocs/a.rst\nmoved docs/a.txt docs/a.rst";
    check(
        tree,
        "docs/b.rst",
        ":doc:`a` :doc:`gone`\n",
        "rst.doc a → unknown undecided\nrst.doc gone → unknown undecided",
    );
}

#[test]
fn reads_bibliographies() {
    let text = ".. bibliography:: b.bib\n   :all:\n\n.. bibliography:: top.bib\n\n.. bibliography:: gone.bib\n\n.. bibliography::\n";
    check(
        "docs/conf.py = project = 'x'\ndocs/top.bib\ndocs/x/b.bib",
        "docs/x/a.rst",
        text,
        "rst.bibliography b.bib → docs/x/b.bib\nrst.bibliography top.bib → docs/top.bib\nrst.bibliography gone.bib → missing",
    );
}

#[test]
fn reads_escapes() {
    let text = ".. image:: img/a\\ b.png\n.. image:: img\\c.png\n";
    check(
        "docs/conf.py\ndocs/img/a b.png",
        "docs/x.rst",
        text,
        "rst.image img/a\\ b.png → docs/img/a b.png\nrst.image img\\c.png → unknown undecided",
    );
}

/// Sphinx shows the image in the project's language, English if it sets none.
#[test]
fn finds_images_in_the_language() {
    let check = |configuration: &str, expect| {
        let tree = format!("docs/conf.py = {configuration}\ndocs/img/a.en.png\ndocs/img/b.fr.png");
        check(&tree, "docs/x.rst", ".. image:: img/a.png\n.. figure:: img/b.png\n", expect);
    };
    check("project = 'x'", "rst.image img/a.png → docs/img/a.en.png\nrst.figure img/b.png → missing");
    check("project = 'x'\\nlanguage = None", "rst.image img/a.png → docs/img/a.en.png\nrst.figure img/b.png → missing");
    check(
        "project = 'x'\\nlanguage = \"fr\"  # French",
        "rst.image img/a.png → missing\nrst.figure img/b.png → docs/img/b.fr.png",
    );
    check("project = 'x'\\nlanguage = 'fr'", "rst.image img/a.png → missing\nrst.figure img/b.png → docs/img/b.fr.png");
}

/// A gallery copies pages of examples into the documents.
#[test]
fn leaves_pages_that_are_copied() {
    let tree = "docs/conf.py = extensions = ['sphinx_gallery.gen_gallery']\ndocs/refs.txt\nexamples/a.py\nother.txt";
    let text =
        ".. include:: ../refs.txt\n.. include:: ../gone.txt\n.. include:: refs.txt\n.. include:: ../../other.txt\n";
    check(
        tree,
        "examples/tutorials/README.rst",
        text,
        "rst.include ../refs.txt → docs/refs.txt
         rst.include ../gone.txt → missing
         rst.include refs.txt → missing
         rst.include ../../other.txt → other.txt",
    );
}

#[test]
fn resolves_modules_that_are_documented() {
    let tree =
        "src/app/__init__.py\nsrc/app/core/__init__.py\nsrc/app/core/run.py\nmoved src/app/run.py src/app/core/run.py";
    check(
        tree,
        "docs/api.rst",
        ".. automodule:: app.core.run\n   :members:\n.. module:: app.core\n.. automodule:: app.run\n.. automodule:: app.gone\n.. module:: app\n.. py:module:: numpy.linalg\n.. automodule:: app.corre.run\n",
        "rst.module app.core.run → src/app/core/run.py
         rst.module app.core → src/app/core/__init__.py
         rst.module app.run → moved
         rst.module app.corre.run → missing",
    );
    let tree = "pelican/__init__.py\npelican/util/__init__.py\npelican/util/workers.py";
    check(tree, "docs/api.rst", ".. automodule:: pelcan.util.workers\n", "rst.module pelcan.util.workers → missing");
    let deep = "docs/a/b/c/d/e/api.rst";
    check(tree, deep, ".. automodule:: pelcan.util.workers\n", "rst.module pelcan.util.workers → missing");
    let inner = "kit/python/setup.py\nkit/python/pelican/__init__.py\nkit/python/pelican/util.py";
    check(inner, "docs/api.rst", ".. automodule:: pelcan.util\n", "rst.module pelcan.util → missing");
}

#[test]
fn resolves_documents() {
    let tree = "docs/conf.py = project = 'x'\ndocs/a.rst\ndocs/use/b.md\ndocs/use/c.rst";
    check(
        tree,
        "docs/index.rst",
        "See :doc:`a`, :doc:`the b <use/b>`, :doc:`use`, :doc:`/use/c`, ``:doc:`x` `` and :download:`f <f.zip>`.\n\n.. toctree::\n   :maxdepth: 2\n   :glob:\n\n   a\n   B <use/b>\n   use/b.rst\n   gone\n   # a comment\n   use/*\n   none/*\n   https://x.y\n   self\n   genindex\n",
        "rst.doc a → docs/a.rst
         rst.doc use/b → docs/use/b.md
         rst.doc use → missing
         rst.doc /use/c → docs/use/c.rst
         rst.download f.zip → missing
         rst.toctree a → docs/a.rst
         rst.toctree use/b → docs/use/b.md
         rst.toctree use/b.rst → docs/use/b.md
         rst.toctree gone → missing
         rst.toctree use/* → docs/use/b.md
         rst.toctree none/* → unknown optional
         rst.toctree genindex → unknown produced",
    );
    // Without a configuration, the root of the documents is unknown.
    check(
        "",
        "x/index.rst",
        ":doc:`a`\n\n.. image:: /a.png\n",
        "rst.doc a → unknown undecided
         rst.image /a.png → unknown undecided",
    );
    check(
        "docs/conf.py = extensions = ['sphinx.ext.autosummary']",
        "docs/index.rst",
        ".. toctree::\n\n   generated/x\n",
        "rst.toctree generated/x → unknown produced",
    );
    // A notebook is shown as a document elsewhere.
    check(
        "docs/conf.py = extensions = ['nbsite.gallery']\ndocs/use/a.rst\nexamples/use/b.ipynb",
        "docs/use/index.rst",
        ".. toctree::\n\n   a\n   b\n   c\n",
        "rst.toctree a → docs/use/a.rst
         rst.toctree b → unknown produced
         rst.toctree c → missing",
    );
    check(
        "docs/conf.py = source_suffix = ['.rst', '.nb']\ndocs/a.nb",
        "docs/index.rst",
        ":doc:`a` :doc:`zz`\n",
        "rst.doc a → docs/a.nb\nrst.doc zz → missing",
    );
    check("docs/conf.py = source_suffix = '.txt'", "docs/index.txt", ":doc:`b`\n", "rst.doc b → missing");
    check("docs/conf.py = project = 'x'", "docs/index.txt", ":doc:`b`\n", "");
}

/// A document that `conf.py` names may be its output, unless a commit moved it. A redirect names pages, which are no documents.
/// An included document is read in the place of the include.
#[test]
fn resolves_references_of_included_documents() {
    let tree = "docs/conf.py = project = 'x'\ndocs/a.rst = .. include:: types/b.rst\ndocs/types/c.rst\ndocs/use.rst";
    let text = ".. include:: types/c.rst\n\n:doc:`use` :doc:`gone`\n";
    let expect = "rst.include types/c.rst → docs/types/c.rst\nrst.doc use → docs/use.rst\nrst.doc gone → missing";
    check(tree, "docs/types/b.rst", text, expect);
    check(tree, "docs/types/d.rst", ":doc:`use`\n", "rst.doc use → missing");
}

#[test]
fn distrusts_what_the_configuration_names() {
    let check_with = |configuration: &str, expect: &str| {
        check(
            &format!("docs/conf.py = project = 'x'\\n{configuration}\ndocs/c.rst"),
            "docs/index.rst",
            ":doc:`b`\n",
            expect,
        );
    };
    check_with("open('b.rst', 'w')", "rst.doc b → unknown produced");
    check_with("open('b.rst', 'w')\nmoved docs/b.rst docs/c.rst", "rst.doc b → moved");
    check_with("redirects = [('b.html', 'c.html')]", "rst.doc b → missing");
}

#[test]
fn skips_text_without_references() {
    check(
        "docs/conf.py = project = 'x'",
        "docs/a.rst",
        "Text::\n\n    .. image:: a.png\n    :doc:`x`\n\n.. code-block:: rst\n\n   .. include:: b.rst\n\n.. a comment\n   .. image:: c.png\n\n.. image:: https://x/y.png\n.. image:: |x|/y.png\n.. figure:: path/to/x.png\n.. [1] x.png\n.. |d| replace:: e.png\n\n``.. image:: f.png``\n",
        "rst.image |x|/y.png → unknown dynamic
         rst.figure path/to/x.png → unknown elsewhere",
    );
    check("", "tests/fixtures/a.rst", ".. image:: a.png\n", "rst.image a.png → unknown undecided");
    check("ignore docs/gen/", "docs/a.rst", ".. include:: gen/x.rst\n", "rst.include gen/x.rst → unknown ignored");
}

#[test]
fn resolves_link_targets() {
    check(
        "LICENSE.txt\ndocs/x.rst",
        "README.rst",
        "`license <LICENSE.txt>`_ `x <docs/y.rst>`__ `z <https://x.y/z.md>`_ `a <b_>`_\n\n.. _x: docs/x.rst\n.. _y: docs/z.rst\n.. _`a: b`: q.rst\n",
        "rst.target LICENSE.txt → LICENSE.txt
         rst.target docs/y.rst → missing
         rst.target docs/x.rst → docs/x.rst
         rst.target docs/z.rst → missing",
    );
    check("docs/conf.py = project = 'x'", "docs/a.rst", "`x <y.rst>`_\n", "rst.target y.rst → unknown undecided");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 200 } else { 2000 }))]
    #[test]
    fn accepts_any_text(text in "([\\PC\n ]|\n\\.\\. image:: |\n\\.\\. toctree::\n   |:doc:`|``| <|>`_|\n\\.\\. _a: |é){0,40}", mark in any::<bool>()) {
        let tree = MemoryTree::new("docs/conf.py = project = 'x'");
        let project = new_project(tree);
        let mut bytes = if mark { b"\xef\xbb\xbf".to_vec() } else { Vec::new() };
        bytes.extend_from_slice(text.as_bytes());
        let Some(source) = Source::new("docs/x.rst", &bytes) else { return Ok(()) };
        for checked in pathfinder_literals::check(&source, &project) {
            prop_assert!(std::str::from_utf8(&bytes).expect("text").get(checked.range.clone()).is_some_and(|text| !text.is_empty()));
        }
    }
}

#[test]
fn checks_large_text_in_linear_time() {
    let tree = MemoryTree::new("docs/conf.py = project = 'x'");
    let project = new_project(tree);
    for piece in [":doc:`a` ", "`", "``", " <a>`_", "<", ".. image:: a.png\n", ":a:`", ".. "] {
        let text = piece.repeat(100_000 / piece.len());
        let source = Source::new("docs/x.rst", text.as_bytes()).expect("a text");
        let started = std::time::Instant::now();
        pathfinder_literals::check(&source, &project);
        assert!(started.elapsed().as_secs() < 20, "{piece}: {:?}", started.elapsed());
    }
}

/// `conf.py` copies files and names their directory.
#[test]
fn recognizes_files_copied_by_the_configuration() {
    let tree =
        "docs/conf.py = project = 'x'\\nIMAGES = 'images'\\nshutil.copyfile(a, b)\ndocs/a.rst\ndocs/pictures/b.png";
    let other = format!("{tree}\ndocs/images/logo.png");
    let text = ".. image:: images/x.png\n.. image:: images/lgo.png\n";
    check(&other, "docs/a.rst", text, "rst.image images/x.png → unknown produced\nrst.image images/lgo.png → missing");
    check(
        tree,
        "docs/a.rst",
        ".. image:: images/x.png\n.. image:: pictures/x.png\n.. image:: others/x.png\n",
        "rst.image images/x.png → unknown produced
         rst.image pictures/x.png → missing
         rst.image others/x.png → missing",
    );
    check(
        "docs/conf.py = project = 'x'\\nIMAGES = 'images'",
        "docs/a.rst",
        ".. image:: images/x.png\n",
        "rst.image images/x.png → missing",
    );
}

/// A bare name can be a document of another project, unless it is a typo of a document here.
#[test]
fn accepts_documents_of_other_projects() {
    // One configuration serves several books below it, each with its own sources.
    check(
        "docs/conf.py = project = 'x'\ndocs/user/index.rst\ndocs/user/a/b.rst\ndocs/user/img/p.png\ndocs/dev/c.rst",
        "docs/user/a/z.rst",
        ":doc:`../../index` :doc:`/index` :doc:`/a/b` :doc:`/dev/c` :doc:`/a/gone`\n\n.. image:: /img/p.png\n",
        "rst.doc ../../index → docs/user/index.rst
         rst.doc /index → docs/user/index.rst
         rst.doc /a/b → docs/user/a/b.rst
         rst.doc /dev/c → docs/dev/c.rst
         rst.doc /a/gone → missing
         rst.image /img/p.png → docs/user/img/p.png",
    );
    check(
        "docs/conf.py = intersphinx_mapping = {}\ndocs/usage.rst",
        "docs/a.rst",
        ":doc:`worker` :doc:`usge` :doc:`x/worker` :external+other:doc:`worker` :external:doc:`worker`\n",
        "rst.doc worker → unknown undecided
         rst.doc usge → missing
         rst.doc x/worker → missing",
    );
}

/// A function of the configuration makes documents only in a directory that it names, or that has a name for them.
#[test]
fn tells_directories_of_made_documents() {
    let check_with = |configuration: &str, expect: &str| {
        let tree = format!("docs/conf.py = project = 'x'\\ndef setup(app): pass\\n{configuration}\ndocs/a.rst");
        check(&tree, "docs/x.rst", ":doc:`guide/a-page`", expect);
    };
    check_with("pages = ['guides']", "rst.doc guide/a-page → missing");
    check_with("redirects = {'guide/a-page.html': 'a.html'}", "rst.doc guide/a-page → missing");
    check_with("make('guide')", "rst.doc guide/a-page → unknown produced");
    check(
        "docs/conf.py = project = 'x'\\ndef setup(app): pass\ndocs/a.rst",
        "docs/x.rst",
        ":doc:`api/a`",
        "rst.doc api/a → unknown produced",
    );
}

/// A repository needs no file outside.
#[test]
fn reports_files_that_steps_miss() {
    let tree = ".git/HEAD\nAUTHORS\ndocs/conf.py";
    let text = ".. include:: ../../AUTHORS\n\n.. include:: ../../OTHERS\n";
    check(tree, "docs/a.rst", text, "rst.include ../../AUTHORS → missing\nrst.include ../../OTHERS → unknown outside");
}

/// Excess `..` steps of a document name stop at the root of the sources.
#[test]
fn keeps_documents_below_the_root() {
    check(
        "docs/conf.py = project = 'x'\ndocs/top.rst\ndocs/a/b.rst",
        "docs/a/c.rst",
        "See :doc:`../../../top`, :doc:`../top` and :doc:`../../gone`.\n",
        "rst.doc ../../../top → docs/top.rst
         rst.doc ../top → docs/top.rst
         rst.doc ../../gone → missing",
    );
}

/// The value of an option goes on in the lines below it.
#[test]
fn leaves_values_of_several_lines() {
    check("docs/conf.py", "docs/a.rst", ".. csv-table:: T\n   :file: ../data/\n          a.csv\n   :widths: 1\n", "");
    check(
        "docs/conf.py",
        "docs/a.rst",
        ".. csv-table:: T\n   :file: ../a.csv\n   :widths: 1\n",
        "rst.csv-table ../a.csv → missing",
    );
}

#[test]
fn reads_long_texts_and_cards() {
    let tree = "docs/conf.py = project = 'x'\ndocs/a.rst\ndocs/new/c.rst\nmoved docs/c.rst docs/new/c.rst";
    check(
        tree,
        "docs/new/b.rst",
        ":doc:`a\nlong text <../a>` and :doc:`b <../c>`\n\n:doc:`open\n\nx <../e>`\n\n.. grid-item-card:: T\n   :link: ../a\n   :link-type: doc\n\n   :link: f\n   :link-type: ref\n",
        "rst.doc ../a → docs/a.rst
         rst.doc ../c → moved
         rst.doc ../a → docs/a.rst",
    );
    check(
        tree,
        "docs/new/b.rst",
        ".. toctree::\n\n   ../c\n   ../new/c\n",
        "rst.toctree ../c → moved\nrst.toctree ../new/c → docs/new/c.rst",
    );
}
