//! Tests of the `AsciiDoc` checker, as rows of document, literal and verdict.

use proptest::prelude::*;

use crate::testing::{MemoryTree, check, new_project};
use pathfinder_literals::Source;

#[test]
fn checks_macros() {
    check(
        "docs/b.adoc\nsrc/a.rs\ndocs/img/l.png",
        "docs/a.adoc",
        "= T\n:imagesdir: img\n\ninclude::b.adoc[]\ninclude::c.adoc[leveloffset=+1]\ninclude::d.adoc[opts=optional]\n\n----\ninclude::../src/a.rs[tag=x]\ninclude::../src/b.rs[]\nimage::no.png[]\n----\n\nimage::l.png[Logo] image:m.png[]\nxref:b.adoc#x[B] xref:c.adoc[C] xref:section[S] <<b.adoc#y,Y>> <<z>>\nlink:../src/a.rs[a] link:../src/c.rs[c] link:https://x.y[z] `link:q.rs[]`\n",
        "adoc.include b.adoc → docs/b.adoc
         adoc.include c.adoc → missing
         adoc.include d.adoc → unknown optional
         adoc.include ../src/a.rs → src/a.rs
         adoc.include ../src/b.rs → missing
         adoc.image l.png → docs/img/l.png
         adoc.image m.png → missing
         adoc.xref b.adoc#x → docs/b.adoc
         adoc.xref c.adoc → missing
         adoc.xref b.adoc#y → docs/b.adoc
         adoc.link ../src/a.rs → src/a.rs
         adoc.link ../src/c.rs → missing",
    );
}

#[test]
fn reports_nothing_undecidable() {
    check(
        "img/l.png",
        "docs/a.adoc",
        "include::{dir}/b.adoc[]\nimage::{x}/l.png[]\nimage::l.png[]\nlink:c.html[] link:/d.adoc[] link:path/to/x.adoc[] see image: x\n// include::e.adoc[]\n////\ninclude::f.adoc[]\n////\nifdef::g[]\ninclude::h.adoc[]\nendif::[]\ninclude::https://x.y/z.adoc[]\n\\include::i.adoc[]\n",
        "adoc.include {dir}/b.adoc → unknown dynamic
         adoc.image {x}/l.png → unknown dynamic
         adoc.image l.png → img/l.png
         adoc.link c.html → unknown undecided
         adoc.link /d.adoc → unknown undecided
         adoc.link path/to/x.adoc → unknown elsewhere
         adoc.include h.adoc → unknown optional",
    );
    check(
        "docs/antora.yml",
        "docs/modules/ROOT/pages/a.adoc",
        "image::x.png[] xref:b.adoc[] include::partial$x.adoc[]\ninclude::partial$x.adoc[]\n",
        "adoc.image x.png → unknown undecided
         adoc.xref b.adoc → unknown undecided
         adoc.include x.adoc → unknown undecided",
    );
    check("", "key.asc", "-----BEGIN PGP PUBLIC KEY BLOCK-----\nlink:x.md[]\n", "");
    check("ignore docs/gen/", "docs/a.adoc", "include::gen/x.adoc[]\n", "adoc.include gen/x.adoc → unknown ignored");
}

#[test]
fn reports_what_moved_below_tests() {
    let tree = "src/spec/doc/_a.adoc\nmoved src/spec/doc/part_a.adoc src/spec/doc/_a.adoc";
    let text = "include::part_a.adoc[]\n\ninclude::part_b.adoc[]\n";
    let rows = "adoc.include part_a.adoc → moved\nadoc.include part_b.adoc → unknown undecided";
    check(tree, "src/spec/doc/index.adoc", text, rows);
}

#[test]
fn resolves_resources_of_antora() {
    let tree = "docs/antora.yml
         docs/modules/ROOT/pages/b/c.adoc
         docs/modules/ROOT/partials/p/q.adoc
         docs/modules/m/examples/e.xml
         other/modules/ROOT/images/i.png
         moved docs/modules/ROOT/partials/old.adoc docs/modules/ROOT/partials/p/q.adoc";
    check(
        tree,
        "docs/modules/ROOT/pages/a.adoc",
        "xref:b/c.adoc#d[] xref:ROOT:b/c.adoc[] xref:c:m:x.adoc[] image::i.png[] image::gone.png[]\ninclude::partial$p/q.adoc[tag=x]\ninclude::m:example$e.xml[]\ninclude::partial$old.adoc[]\ninclude::partial$gone.adoc[]\n",
        "adoc.xref b/c.adoc → docs/modules/ROOT/pages/b/c.adoc
         adoc.xref b/c.adoc → docs/modules/ROOT/pages/b/c.adoc
         adoc.xref c:m:x.adoc → unknown undecided
         adoc.image i.png → other/modules/ROOT/images/i.png
         adoc.image gone.png → unknown undecided
         adoc.include p/q.adoc → docs/modules/ROOT/partials/p/q.adoc
         adoc.include e.xml → docs/modules/m/examples/e.xml
         adoc.include old.adoc → moved
         adoc.include gone.adoc → unknown undecided",
    );
}

#[test]
fn leaves_images_of_a_published_directory() {
    let text = "= T\n:imagesdir: out/images\n\nimage::a.png[]\nimage::b.png[]\n";
    let rows = "adoc.image a.png → docs/images/a.png\nadoc.image b.png → unknown undecided";
    check("docs/images/a.png", "docs/x.adoc", text, rows);
    check(
        "docs/out/images/a.png",
        "docs/x.adoc",
        text,
        "adoc.image a.png → docs/out/images/a.png\nadoc.image b.png → missing",
    );
}

#[test]
fn follows_attributes() {
    let tree = "docs/se/a.adoc\ndocs/se/web/b.adoc\nmoved docs/se/b.adoc docs/se/web/b.adoc";
    let text = "= T\n:rootdir: {docdir}/..\n:sedir: {rootdir}/se\n:b-page: {rootdir}/se/b.adoc\n:two: {docdir}/x\n:two: {docdir}/y\n\ninclude::{rootdir}/se/a.adoc[]\nxref:{sedir}/b.adoc[B] xref:{rootdir}/se/made.adoc[M] xref:{two}/b.adoc[] xref:{unset}/b.adoc[]\n[icon=x,link=a.adoc]\n[link=\"b.adoc\"]\n";
    let rows = "adoc.xref {rootdir}/se/b.adoc → moved
         adoc.include {rootdir}/se/a.adoc → docs/se/a.adoc
         adoc.xref {sedir}/b.adoc → moved
         adoc.xref {rootdir}/se/made.adoc → unknown elsewhere
         adoc.xref {two}/b.adoc → unknown dynamic
         adoc.xref {unset}/b.adoc → unknown dynamic
         adoc.link a.adoc → docs/se/a.adoc
         adoc.link b.adoc → moved";
    check(tree, "docs/se/x.adoc", text, rows);
    // A part of documents has the attributes that all of them set.
    let set = ["A", "B", "C"].map(|name| format!("docs/{name}/x.adoc = = T\\n:rootdir: {{docdir}}/..\\n\n")).concat();
    let part = "ifdef::x[]\ninclude::{rootdir}/se/b.adoc[]\nendif::[]\n<<../se/b.adoc#x,B>> xref:../se/a2.adoc[]\n";
    let rows = "adoc.include {rootdir}/se/b.adoc → moved\nadoc.xref ../se/b.adoc#x → moved\nadoc.xref ../se/a2.adoc → unknown undecided";
    check(&format!("{set}{tree}"), "docs/includes/p.adoc", part, rows);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 200 } else { 2000 }))]
    #[test]
    fn accepts_any_text(text in "([\\PC\n ]|\ninclude::|image::?|link:|xref:|<<|>>|\\[\\]|----\n|`|é){0,40}", mark in any::<bool>()) {
        let tree = MemoryTree::new("a.adoc");
        let project = new_project(tree);
        let mut bytes = if mark { b"\xef\xbb\xbf".to_vec() } else { Vec::new() };
        bytes.extend_from_slice(text.as_bytes());
        let Some(source) = Source::new("docs/x.adoc", &bytes) else { return Ok(()) };
        for checked in pathfinder_literals::check(&source, &project) {
            prop_assert!(std::str::from_utf8(&bytes).expect("text").get(checked.range.clone()).is_some_and(|text| !text.is_empty()));
        }
    }
}

#[test]
fn checks_large_text_in_linear_time() {
    let tree = MemoryTree::new("a.adoc");
    let project = new_project(tree);
    for piece in ["link:a[] ", "link:", "`", "<<", "<<a#b>>", "image::", "include::a[]\n", "----\n"] {
        let text = piece.repeat(100_000 / piece.len());
        let source = Source::new("docs/x.adoc", text.as_bytes()).expect("a text");
        let started = std::time::Instant::now();
        pathfinder_literals::check(&source, &project);
        assert!(started.elapsed().as_secs() < 20, "{piece}: {:?}", started.elapsed());
    }
}
