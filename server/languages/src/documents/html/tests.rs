//! Tests of the HTML checker: resolved and missing URLs, and cases that must not be reported.

use proptest::prelude::*;

use crate::testing::check;

const TREE: &str = "
    docs/index.html
    docs/img/a b.png
    docs/img/logo.png
    docs/guide.md
    docs/sub/x.html
    docs/Case.png
    docs/main.ts
    docs/site.scss
";

#[test]
fn resolves_relative_urls() {
    check(
        TREE,
        "docs/page.html",
        r##"<a href="index.html#top">x</a> <a href="gone.html?q#f">y</a> <a href="sub/">d</a> <a href="route">r</a>
<img src="img/logo.png"> <img src="img/gone.png"> <img src="img/a%20b.png"> <img src="case.png">
<img srcset="img/logo.png 1x, img/gone2.png 2x"> <video poster="img/gone3.png" src=img/gone.mp4></video>
<object data="img/gone.svg"></object><a href="https://x/y.html"></a><a href="//x/y.png"></a><a href="#x"></a>
<a href="a&#9825;b.png"></a><a href="x.html?a&copy;b"></a><a href="mailto:a@b"></a><form action="gone.html"></form>
<a href="guide.html"></a><script src="main.js"></script><link rel="stylesheet" href="css/site.css"><a href="x.php"></a>"##,
        "html.href index.html#top → docs/index.html
        html.href gone.html?q#f → missing
        html.href sub/ → docs/sub
        html.href route → unknown undecided
        html.src img/logo.png → docs/img/logo.png
        html.src img/gone.png → missing
        html.src img/a%20b.png → docs/img/a b.png
        html.src case.png → case-mismatch
        html.srcset img/logo.png → docs/img/logo.png
        html.srcset img/gone2.png → missing
        html.poster img/gone3.png → missing
        html.src img/gone.mp4 → missing
        html.data img/gone.svg → missing
        html.href a&#9825;b.png → unknown undecided
        html.href x.html?a&copy;b → missing
        html.href guide.html → unknown produced
        html.src main.js → unknown produced
        html.href css/site.css → unknown produced
        html.href x.php → unknown undecided",
    );
}

/// A program shows sources as pages; Xcode puts localized pages below the other resources.
#[test]
fn leaves_what_is_shown_or_shipped_elsewhere() {
    check(
        "content/release/_index.md\ncontent/other/a.md",
        "content/release/notes.html",
        "<html><a href=\"./index.html\"></a><a href=\"../other/index.html\"></a>",
        "html.href ./index.html → unknown produced\nhtml.href ../other/index.html → missing",
    );
    check(
        "src/Tag.java\nApp/Resources/Style.css",
        "App/Base.lproj/Main.html",
        r#"<a href="Tag.java.html"></a><a href="Gone.java.html"></a><img src="../Style.css"><img src="../gone.png">"#,
        "html.href Tag.java.html → unknown produced
        html.href Gone.java.html → missing
        html.src ../Style.css → App/Resources/Style.css
        html.src ../gone.png → missing",
    );
}

/// A program writes a page that it carries beside others; a server shows that of a directory which it serves.
#[test]
fn leaves_pages_that_a_program_carries() {
    let page = r#"<img src="a.png"><img src="b.png">"#;
    let served = "app/src/main/resources/static/a.png\napp/src/main/resources/report/a.png";
    check(
        served,
        "app/src/main/resources/report/index.html",
        page,
        "html.src a.png → app/src/main/resources/report/a.png\nhtml.src b.png → unknown undecided",
    );
    check(
        served,
        "app/src/main/resources/static/index.html",
        page,
        "html.src a.png → app/src/main/resources/static/a.png\nhtml.src b.png → missing",
    );
}

/// A page for the files of a package names some that only a build makes.
#[test]
fn leaves_what_comes_with_a_build() {
    let check_beside = |script: &str, expect: &str| {
        let page = format!("<img src=\"ui.png\"><img src=\"a.png\"><script src=\"{script}\"></script>");
        check("api/a.png", "api/index.html", &page, expect);
    };
    check_beside(
        "ui-bundle.js",
        "html.src ui.png → unknown undecided\nhtml.src a.png → api/a.png\nhtml.src ui-bundle.js → unknown produced",
    );
    check_beside("ui.js", "html.src ui.png → missing\nhtml.src a.png → api/a.png\nhtml.src ui.js → missing");
}

#[test]
fn leaves_scripts_that_kotlin_makes() {
    let check = |directory: &str, expect: &str| {
        let found = format!("{directory}/b.js");
        let page = r#"<script src="b.js"></script><script src="app.js"></script>"#;
        let expect = format!("html.src b.js → {found}\nhtml.src app.js → {expect}");
        check(&found, &format!("{directory}/index.html"), page, &expect);
    };
    check("app/src/jsMain/resources", "unknown produced");
    check("app/src/js/resources", "missing");
}

#[test]
fn resolves_from_public_beside_the_page() {
    check(
        "web/public/img/a.png\nweb/assets/img/b.png",
        "web/index.html",
        r#"<img src="img/a.png"><img src="img/b.png">"#,
        "html.src img/a.png → web/public/img/a.png
        html.src img/b.png → missing",
    );
}

/// A bundler lays `static` over the pages of `src`, and a part of a page has the URLs of the page.
#[test]
fn leaves_what_is_served_from_elsewhere() {
    let tree = "web/package.json\nweb/static/images/a.png\nweb/src/styles/b.css\nweb/src/c.png";
    let text =
        "<html><img src=images/a.png><link rel=stylesheet href=styles/b.css><img src=c.png><img src=images/gone.png>";
    check(
        tree,
        "web/src/404.html",
        text,
        "html.src images/a.png → unknown undecided
        html.href styles/b.css → web/src/styles/b.css
        html.src c.png → web/src/c.png
        html.src images/gone.png → missing",
    );
    check(
        tree,
        "web/src/html/head.html",
        "<link rel=stylesheet href=styles/b.css><img src=../c.png><img src=../gone.png>",
        "html.href styles/b.css → unknown undecided
        html.src ../c.png → web/src/c.png
        html.src ../gone.png → missing",
    );
    // A server has a directory of pages under its name.
    check(
        "web/board/img/a.png",
        "web/board/index.html",
        "<html><img src=board/img/a.png><img src=board/gone.png><img src=img/a.png>",
        "html.src board/img/a.png → unknown undecided
        html.src board/gone.png → missing
        html.src img/a.png → web/board/img/a.png",
    );
    // Without a package, nothing lays the directories over each other.
    check(
        "static/images/a.png\nc.png",
        "404.html",
        "<html><img src=images/a.png><img src=c.png>",
        "html.src images/a.png → missing\nhtml.src c.png → c.png",
    );
}

/// fallow#915: `/x` is also resolved in `public`; without a known site the verdict is unknown.
#[test]
fn resolves_from_the_site_root() {
    let check_in = |tree: &str, path: &str, expect: &str| {
        check(tree, path, r#"<img src="/a.png"><script src="/src/main.js"></script><a href="/about"></a>"#, expect);
    };
    check_in(
        "web/vite.config.ts\nweb/public/a.png\nweb/src/main.ts",
        "web/index.html",
        "html.src /a.png → web/public/a.png
        html.src /src/main.js → missing
        html.href /about → unknown undecided",
    );
    check_in(
        "web/vite.config.ts = export default {publicDir: 'x'}\nweb/src/main.js",
        "web/index.html",
        "html.src /a.png → unknown undecided
        html.src /src/main.js → web/src/main.js
        html.href /about → unknown undecided",
    );
    // A plugin of the build can make what its configuration names.
    for (config, verdict) in [("plugins: [pwa({ manifest: {} })]", "unknown produced"), ("plugins: []", "missing")] {
        let page = r#"<link rel="manifest" href="/manifest.webmanifest">"#;
        let expect = format!("html.href /manifest.webmanifest → {verdict}");
        check(&format!("web/vite.config.ts = {config}\nweb/src/main.ts"), "web/index.html", page, &expect);
    }
    check_in(
        "static/a.png",
        "pages/index.html",
        "html.src /a.png → static/a.png
        html.src /src/main.js → unknown undecided
        html.href /about → unknown undecided",
    );
}

/// A part of Angular is shown in a page that is not known; a typo needs no page.
#[test]
fn resolves_parts_of_angular() {
    check(
        "src/assets/svg/icon.svg\nsrc/app/a/own.png",
        "src/app/a/b/c.component.html",
        "<a><img src=../../../assets/svg/icon.svg><img src=assets/svg/icon.svg><img src=../own.png>\
         <img src=../../../assets/svg/icn.svg><img src=assets/gone.svg><img src='{{ x }}'><a href=/route>x</a>",
        "html.src ../../../assets/svg/icon.svg → src/assets/svg/icon.svg
         html.src assets/svg/icon.svg → src/assets/svg/icon.svg
         html.src ../own.png → src/app/a/own.png
         html.src ../../../assets/svg/icn.svg → missing
         html.src assets/gone.svg → unknown undecided
         html.src {{ x }} → unknown dynamic
         html.href /route → unknown undecided",
    );
}

/// Sphinx copies old pages as they are, to where it publishes its own files.
#[test]
fn resolves_pages_that_sphinx_copies() {
    let tree = "docs/conf.py = html_favicon = 'img/icon.png'\\nhtml_extra_path = ['old']\ndocs/img/icon.png\ndocs/old/a.html\ndocs/old/b/own.png";
    check(
        tree,
        "docs/old/b/x.html",
        "<html><img src=own.png><link rel=icon href=../_static/icon.png><img src=../_static/gone.png>",
        "html.src own.png → docs/old/b/own.png
         html.href ../_static/icon.png → docs/img/icon.png
         html.src ../_static/gone.png → missing",
    );
}

/// Two directories are published as one. What lies above the page was left behind.
#[test]
fn leaves_what_is_laid_beside() {
    let check = |other: &str, verdict: &str| {
        let tree = format!("page/x/files/own.png\n{other}files/a.css\n{other}files/b.css\n{other}files/c.js");
        let text = "<html><img src=files/own.png><link rel=stylesheet href=files/a.css>\
                    <link rel=stylesheet href=files/b.css><script src=files/c.js></script>";
        let expect = format!(
            "html.src files/own.png → page/x/files/own.png\nhtml.href files/a.css → {verdict}\n\
             html.href files/b.css → {verdict}\nhtml.src files/c.js → {verdict}"
        );
        check(&tree, "page/x/index.html", text, &expect);
    };
    check("site/", "unknown undecided");
    check("page/", "missing");
}

#[test]
fn reports_nothing_without_evidence() {
    let unknown = |tree: &str, path: &str, text: &str, expect: &str| check(tree, path, text, expect);
    unknown(TREE, "docs/t.html", "<p>{{ x }}</p><img src=img/gone.png>", "html.src img/gone.png → unknown undecided");
    unknown(TREE, "docs/t.html", "---\na: b\n---\n<img src=img/gone.png>", "html.src img/gone.png → unknown undecided");
    let text = "<html><img src=img/gone.png><img src=img/logo.png>";
    let found = "html.src img/logo.png → docs/img/logo.png";
    unknown(TREE, "docs/a_template.html", text, &format!("html.src img/gone.png → unknown undecided\n{found}"));
    unknown(TREE, "docs/contemplate.html", text, &format!("html.src img/gone.png → missing\n{found}"));
    unknown(TREE, "docs/_includes/t.html", "<img src=../img/gone.png>", "html.src ../img/gone.png → unknown undecided");
    unknown(TREE, "docs/t.html", "<img src=gone.png>", "html.src gone.png → unknown undecided");
    unknown(
        TREE,
        "docs/t.html",
        "<img src=a/1.png><img src=b/2.png>",
        "html.src a/1.png → unknown undecided\nhtml.src b/2.png → unknown undecided",
    );
    unknown(TREE, "docs/t.html", "<img src=img/{{x}}.png>", "html.src img/{{x}}.png → unknown dynamic");
    unknown(TREE, "docs/t.html", "<img src=\"{img}\">", "html.src {img} → unknown dynamic");
    unknown(TREE, "docs/t.html", "<img src=%PUBLIC_URL%/x.png>", "html.src %PUBLIC_URL%/x.png → unknown dynamic");
    unknown(TREE, "docs/t.html", "<img src=%BASE_URL%x.png>", "html.src %BASE_URL%x.png → unknown dynamic");
    unknown(TREE, "docs/t.html", "<script src=dist/app.js></script>", "html.src dist/app.js → unknown produced");
    unknown(
        "w/webpack.config.js\nw/a.html",
        "w/t.html",
        "<a href=a.html></a><script src=app.js></script>",
        "html.href a.html → w/a.html\nhtml.src app.js → unknown produced",
    );
    unknown(
        TREE,
        "docs/t.html",
        "<base href=https://x/><img src=img/gone.png>",
        "html.src img/gone.png → unknown elsewhere",
    );
    unknown(TREE, "docs/t.html", "<base href=/ ><img src=img/gone.png>", "html.src img/gone.png → unknown undecided");
    unknown(TREE, "docs/x/t.component.html", "<img src=img/gone.png>", "html.src img/gone.png → unknown undecided");
    unknown(TREE, "docs/t.html", "<img src=../../x.png>", "html.src ../../x.png → unknown outside");
}

/// A file that a build names is generated.
#[test]
fn recognizes_build_outputs() {
    let tree = "w/BUILD = js(name = \"widget\")\nw/gulpfile.mjs = rename('style.css')\nw/a.html\nw/css/x.css";
    check(
        tree,
        "w/t.html",
        "<a href=a.html></a><script src=widget.js></script><link rel=stylesheet href=css/style.css><link rel=stylesheet href=css/gone.css>",
        "html.href a.html → w/a.html
        html.src widget.js → unknown produced
        html.href css/style.css → unknown produced
        html.href css/gone.css → missing",
    );
}

/// No URL of the page leads to a file, but one did until a commit moved that.
#[test]
fn follows_moves_from_a_page_that_finds_nothing() {
    let tree = "example/new.js\nexample/t.html\nmoved example/old.js example/new.js";
    check(tree, "example/t.html", "<script src=./old.js></script>", "html.src ./old.js → moved");
    check(tree, "example/t.html", "<script src=./none.js></script>", "html.src ./none.js → unknown undecided");
}

/// The build of a package puts it together under its name.
#[test]
fn leaves_the_bundle_of_a_package() {
    let tree = "p/package.json = {\\n  \"name\": \"@x/tool\",\\n}\np/t/a.html\np/t/b.js";
    let text = "<script src=../tool.min.js></script><script src=../other.js></script>";
    check(tree, "p/t/a.html", text, "html.src ../tool.min.js → unknown produced\nhtml.src ../other.js → missing");
}

/// A test looks at links, and follows none.
#[test]
fn leaves_links_to_pages_in_tests() {
    let text = "<script src=b.js></script><a href=foo.html></a><script src=gone.js></script>";
    let found = |at: &str, verdict: &str| {
        format!("html.src b.js → {at}/b.js\nhtml.href foo.html → {verdict}\nhtml.src gone.js → missing")
    };
    check("tests/b.js", "tests/a.html", text, &found("tests", "unknown undecided"));
    check("t/b.js", "t/a.html", text, &found("t", "missing"));
}

#[test]
fn honors_the_base() {
    check(TREE, "docs/sub/t.html", "<base href='../img/x'><img src=logo.png>", "html.src logo.png → docs/img/logo.png");
}

#[test]
fn checks_svg() {
    check(
        TREE,
        "docs/t.svg",
        "<svg><image xlink:href='img/logo.png'/><use href='#a'/><use href='img/gone.svg#b'/><a href='https://x'/></svg>",
        "svg.href img/logo.png → docs/img/logo.png
        svg.href img/gone.svg#b → missing",
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn accepts_any_text(text in r#"([<>"'= /!\[\]&;,\r\n-]|img|src|srcset|base|href|a\.png|--|é|script){0,40}"#) {
        crate::testing::assert_ranges_valid("a/b.html", &text);
        crate::testing::assert_ranges_valid("a/b.svg", &text);
    }
}

/// A directory of templates tells nothing of the addresses that a server answers.
#[test]
fn leaves_addresses_near_a_directory() {
    let tree = "web/admin/blocklists/a.html\nweb/admin/x.html";
    check(
        tree,
        "web/admin/x.html",
        "<a href=\"/admin/block-lists\">",
        "html.href /admin/block-lists → unknown undecided",
    );
}
