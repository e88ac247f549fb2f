//! Tests of the style sheet checker: resolved and missing references, and cases that must not be reported.

use proptest::prelude::*;

use crate::testing::check;

const TREE: &str = "
    web/css/a.css
    web/img/logo.png
    web/img/icons/x.png
    web/fonts/f.woff2
    web/scss/_colors.scss
    web/scss/_mixins.scss
    web/scss/parts/_index.scss
    web/scss/parts/_one.scss
    web/vendor-styles/lib/_grid.scss
    web/less/mixins.less
    package.json = {\"dependencies\": {\"normalize.css\": \"1\", \"foundation\": \"6\"}}
";

#[test]
fn checks_css() {
    check(
        TREE,
        "web/css/main.css",
        "@import 'a.css'; @import \"./gone.css\"; @import url(a.css); @import 'tailwindcss'; @import 'normalize.css';
@import 'bootstrap/dist/css/bootstrap.css'; @import '~pkg/x.css'; @import '@scope/pkg/x.css'; @import 'https://x/y.css';
a { b: url(../img/logo.png?x#y) url('../img/gone.png') url(data:image/png;base64,x) url(#id) url(/abs.png);
 c: url(../Img/logo.png) url(${x}) url(var(--x)); d: url(\"../fonts/f.eot?#iefix\") }
@source '../gone/**/*.ts'; @plugin './gone'; @config '../gone.js'; @reference './gone.css'; @theme { --x: 'y' }",
        "css.import a.css → web/css/a.css
        css.import ./gone.css → missing
        css.url a.css → web/css/a.css
        css.import tailwindcss → unknown elsewhere
        css.import normalize.css → unknown elsewhere
        css.import bootstrap/dist/css/bootstrap.css → unknown elsewhere
        css.import ~pkg/x.css → unknown elsewhere
        css.import @scope/pkg/x.css → unknown elsewhere
        css.url ../img/logo.png?x#y → web/img/logo.png
        css.url ../img/gone.png → missing
        css.url /abs.png → unknown undecided
        css.url ../Img/logo.png → case-mismatch
        css.url ${x} → unknown dynamic
        css.url var(--x → unknown undecided
        css.url ../fonts/f.eot?#iefix → missing",
    );
}

#[test]
fn checks_scss() {
    check(
        TREE,
        "web/scss/main.scss",
        "@use 'colors'; @use \"parts\" as p; @use 'parts/one' with ($a: 'b'); @forward './gone'; @use 'sass:math';
@use 'pkg:x'; @import 'mixins', 'mixinz'; @import 'parts/two'; @import 'foundation/grid'; @import '~x/y';
@import 'lib/grid'; @import \"#{$x}/y\"; @import 'bourbon/all'; // @import 'commented';
@import 'x.css'; @import url(https://x/y.css);
a { b: url(../img/gone.png) url('img/logo.png') url(icons/x.png) url(\"#{$p}/x.png\") url($p + 'x.png') }",
        "scss.use colors → web/scss/_colors.scss
        scss.use parts → web/scss/parts/_index.scss
        scss.use parts/one → web/scss/parts/_one.scss
        scss.forward ./gone → missing
        scss.import mixins → web/scss/_mixins.scss
        scss.import mixinz → missing
        scss.import parts/two → missing
        scss.import foundation/grid → unknown elsewhere
        scss.import ~x/y → unknown elsewhere
        scss.import lib/grid → unknown undecided
        scss.import #{$x}/y → unknown dynamic
        scss.import bourbon/all → unknown elsewhere
        scss.import x.css → unknown elsewhere
        scss.url ../img/gone.png → missing
        scss.url img/logo.png → unknown undecided
        scss.url icons/x.png → missing
        scss.url #{$p}/x.png → unknown dynamic
        scss.url $p + 'x.png' → unknown dynamic",
    );
    // A bare name can be a package, unless the sheet imports its neighbours by bare names.
    check(
        TREE,
        "web/scss/b.scss",
        "@import 'bourbon'; @import '_gone';",
        "scss.import bourbon → unknown elsewhere\nscss.import _gone → unknown undecided",
    );
    check(
        TREE,
        "web/scss/c.sass",
        "@import colors\n@use 'parts'\na\n  b: url(../img/logo.png)",
        "scss.use parts → web/scss/parts/_index.scss\nscss.url ../img/logo.png → web/img/logo.png",
    );
}

/// A sheet that a build generates from a template; a library from a load path; a sheet that Javadoc writes; a sheet
/// without any resolved reference; aliases.
#[test]
fn reports_nothing_without_evidence() {
    let tree = "app/theme/_tb.template.scss\napp/a.scss\npackage.json = {\"type\": \"git\"}";
    check(tree, "app/b.scss", "@import 'app/theme/tb';", "scss.import app/theme/tb → unknown produced");
    check(tree, "app/b.scss", "@use 'scss-reset/reset';", "scss.use scss-reset/reset → unknown elsewhere");
    check(tree, "app/b.scss", "@use '=/nested';", "scss.use =/nested → unknown elsewhere");
    check(tree, "app/s.css", "/* Javadoc style sheet */\n@import url('resources/fonts/dejavu.css');", "");
    check(
        tree,
        "app/s.css",
        "@import './colors.css'; a{b:url(foo.png)}",
        "css.import ./colors.css → unknown undecided\ncss.url foo.png → unknown undecided",
    );
}

#[test]
fn checks_less() {
    check(
        TREE,
        "web/less/main.less",
        "@import 'mixins'; @import (reference) \"mixins.less\"; @import './gone'; @import '@{x}/y'; @plugin 'p'; @a: url(../img/gone.png);",
        "less.import mixins → web/less/mixins.less
        less.import mixins.less → web/less/mixins.less
        less.import ./gone → missing
        less.import @{x}/y → unknown dynamic
        less.url ../img/gone.png → missing",
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn accepts_any_text(text in r#"([(){};"'@/*\\\r\n #$.]|url|import|use|a\.png|é|//|/\*){0,40}"#) {
        for path in ["a/b.css", "a/b.scss", "a/b.sass", "a/b.less"] {
            crate::testing::assert_ranges_valid(path, &text);
        }
    }
}

#[test]
fn checks_large_text() {
    let text = "a{b:url(x.png)}".repeat(70_000);
    crate::testing::assert_ranges_valid("a/b.css", &text);
}

#[test]
fn finds_load_paths() {
    let files =
        "scss/grid/_layout.scss\nscss/_a.scss\nscss/_b.scss\nshared/deep/_tokens.scss\nshared/deep/_colors.scss";
    let text = "@import 'a';\n@import 'b';\n@import 'layout';\n@import 'tokens';\n";
    let rows = |layout: &str, tokens: &str| {
        format!(
            "scss.import a → scss/_a.scss\nscss.import b → scss/_b.scss
             scss.import layout → {layout}\nscss.import tokens → {tokens}"
        )
    };
    // No configuration names the directory as a load path.
    check(files, "scss/main.scss", text, &rows("missing", "missing"));
    for configuration in [
        "package.json = {\"scripts\": {\"css\": \"sass --load-path=shared/deep scss\"}}",
        "vite.config.ts = loadPaths: [path.join(dir, 'shared', 'deep')]",
        "angular.json = {\"includePaths\": [\"shared/deep\"]}",
        "config/css.rb = add_import_path 'shared/deep'",
    ] {
        check(&format!("{files}\n{configuration}"), "scss/main.scss", text, &rows("missing", "unknown undecided"));
    }
    // A package, or a directory beside packages, is a load path without configuration.
    check(&format!("{files}\nshared/deep/package.json"), "scss/main.scss", text, &rows("missing", "unknown undecided"));
    check(
        &format!("{files}\nshared/deep/x/package.json"),
        "scss/main.scss",
        text,
        &rows("missing", "unknown undecided"),
    );
    // A top-level directory of sheets is a load path without configuration.
    check(
        "src/styles/_config.scss\nweb/_a.scss",
        "web/main.scss",
        "@import 'a';\n@import 'config';\n",
        "scss.import a → web/_a.scss\nscss.import config → unknown undecided",
    );
    // Jekyll loads the sheets of `_sass`, in the directory of the site.
    let site = "docs/_sass/_brand.scss\ndocs/assets/css/_x.scss";
    check(site, "docs/assets/css/custom.scss", "@import 'brand';\n", "scss.import brand → docs/_sass/_brand.scss");
    // Only keys of a dependency table are dependencies.
    let list = "package.json = {\"type\": \"module\", \"devDependencies\": {\"lib-x\": \"1\"}}\nscss/_a.scss";
    check(
        list,
        "scss/main.scss",
        "@import 'a';\n@import 'type/type';\n@import 'lib/x';\n@import 'lib-color';\n",
        "scss.import a → scss/_a.scss\nscss.import type/type → unknown elsewhere\nscss.import lib/x → unknown elsewhere\nscss.import lib-color → unknown elsewhere",
    );
}

/// A typo of a sheet beside this one tells as a sheet that is there does from where this one is read.
#[test]
fn decides_references_beside_a_typo() {
    let check = |text: &str, expect: &str| check("css/base.css\nimages/bg.png", "css/a.css", text, expect);
    let url = "a { background: url(../img/bg.png) }\n";
    check(&format!("@import './bas.css';\n{url}"), "css.import ./bas.css → missing\ncss.url ../img/bg.png → missing");
    check(
        &format!("@import './b.css';\n{url}"),
        "css.import ./b.css → unknown undecided\ncss.url ../img/bg.png → unknown undecided",
    );
}

/// A name that is a typo of one sheet beside this one is not that of a library.
#[test]
fn reports_misspelled_sheets() {
    let tree = "package.json = {\"dependencies\": {\"respond\": \"1\"}}\nscss/_responsive.scss\nscss/_math.scss";
    check(
        tree,
        "scss/a.scss",
        "@import 'respnsive';\n@import 'mth';\n@import 'respond';\n",
        "scss.import respnsive → missing\nscss.import mth → missing\nscss.import respond → unknown elsewhere",
    );
}

/// A partial file that a recent commit moved, while nothing else shows that the directory is the project's.
#[test]
fn follows_moved_partial_files() {
    check(
        "app/part/\napp/core/_norm.scss\nmoved app/part/_norm.scss app/core/_norm.scss",
        "app/a.scss",
        "@import 'part/norm';",
        "scss.import part/norm → moved",
    );
}
