//! Tests of the PHP checker: resolved, missing and undecidable paths.

use crate::testing::{assert_ranges_valid, check, severities};

const TREE: &str = "src/a.php\nsrc/sub/b.php\ninclude/c.inc.php\ndata/d.json";

#[test]
fn resolves_from_the_file() {
    check(
        TREE,
        "src/x.php",
        "<?php\nrequire __DIR__ . '/a.php';\nrequire_once(dirname(__FILE__) . \"/gone.php\");\ninclude dirname(__DIR__) . '/include/c.inc.php';\n\
         include dirname(__FILE__, 2) . '/include/d.inc.php';\ninclude __DIR__ . \"/$x.php\";\ninclude __DIR__ . '/../../far.php';\n\
         require __DIR__ . '/../vendor/autoload.php';\n",
        "php.include /a.php → src/a.php
         php.include /gone.php → missing
         php.include /include/c.inc.php → include/c.inc.php
         php.include /include/d.inc.php → missing
         php.include /../../far.php → unknown outside
         php.include /../vendor/autoload.php → unknown not-installed",
    );
}

/// Most files begin with all that they include, and name `include` and `require` in other ways too.
#[test]
fn reads_the_head_of_a_file() {
    let rest =
        "// include 'none.php'\nfunction f($a) { $a->include('./none.php'); return $a->require ?? 'include'; }\n"
            .repeat(9);
    check(
        TREE,
        "src/x.php",
        &format!(
            "<?php\nif (file_exists($x)) {{\n  require __DIR__ . '/gone.php';\n}}\nrequire __DIR__ . '/a.php';\n{rest}"
        ),
        "php.include /gone.php → unknown optional
         php.include /a.php → src/a.php",
    );
    check(
        TREE,
        "src/x.php",
        &format!("<?php\nrequire dirname(__FILE__, 1) . '/gone.php';\ninclude $base . '/none.php';\n{rest}"),
        "php.include /gone.php → missing",
    );
    check(TREE, "src/x.php", &format!("<?php\n{rest}"), "");
}

#[test]
fn resolves_from_the_working_directory() {
    check(
        TREE,
        "src/x.php",
        "<?php\ninclude './a.php';\ninclude './c.inc.php';\ninclude 'sub/b.php';\ninclude 'other/b.php';\n",
        "php.include ./a.php → src/a.php
         php.include ./c.inc.php → missing
         php.include sub/b.php → src/sub/b.php
         php.include other/b.php → unknown elsewhere",
    );
    // The base is unknown, or the file changes it.
    check(TREE, "src/x.php", "<?php\ninclude './c.inc.php';\n", "php.include ./c.inc.php → unknown undecided");
    check(
        TREE,
        "src/x.php",
        "<?php\nchdir('x');\ninclude './a.php';\ninclude './c.inc.php';\n",
        "php.include ./a.php → unknown undecided
         php.include ./c.inc.php → unknown undecided",
    );
}

#[test]
fn accepts_optional_includes() {
    check(
        TREE,
        "src/x.php",
        "<?php\nif (file_exists(__DIR__ . '/own.php')) {\n  require __DIR__ . '/own.php';\n}\n@include __DIR__ . '/no.php';\n\
         // include __DIR__ . '/comment.php';\nrequire __DIR__ . '/non/existing.php';\n",
        "php.path /own.php → unknown optional
         php.include /own.php → unknown optional
         php.include /no.php → unknown optional
         php.include /non/existing.php → unknown optional",
    );
}

#[test]
fn checks_files_that_are_read() {
    let text = "<?php\n$a = file_get_contents(__DIR__ . '/../data/d.json');\n$b = file_get_contents(__DIR__ . '/../data/e.json');\n\
                $c = __DIR__ . '/later.json';\n$d = __DIR__ . '/cache';\n$e = __DIR__ . '/x-' . $f;\n";
    check(
        TREE,
        "src/x.php",
        text,
        "php.path /../data/d.json → data/d.json
         php.path /../data/e.json → missing
         php.path /later.json → missing
         php.path /cache → unknown not-installed",
    );
    assert_eq!(severities(TREE, "src/x.php", text), ["warning", "hint"]);
}

/// A theme whose files name its directory by a call. `SYSTEM_DIR` is elsewhere, and `assets` is built.
fn theme(directory: &str, classes: &str) -> String {
    let includes = |base: &str, end: &str| -> String {
        (0..32)
            .map(|number| format!("require_once( {base} . '{classes}/{number}{end}' );\\n"))
            .collect::<Vec<_>>()
            .concat()
    };
    let files: Vec<String> = (0..32).map(|number| format!("{directory}/{classes}/{number}.php\n")).collect();
    format!(
        "{}
         {directory}/functions.php = <?php {}
         {directory}/load.php = <?php {}
         {directory}/x.php = <?php f(theme_dir() . '/js/a.js', theme_dir() . '/js/1.js', theme_dir() . '/js/2.js', theme_dir() . '/js/3.js', theme_dir() . '/js/4.js', theme_dir() . '/assets/a.js', theme_dir() . '/assets/b.js');
         {directory}/{classes}/a.php = <?php a(dir_of(__FILE__) . '0.php', dir_of( __FILE__ ) . '1.php');
         {directory}/{classes}/b.php = <?php a(dir_of(__FILE__) . '2.php', dir_of(__FILE__) . '3.php', dir_of(__FILE__) . '4.php', dir_of(__FILE__) . '5.php', dir_of(__FILE__) . '6.php', dir_of(__FILE__) . '7.php');
         {directory}/b.php = <?php require dir_of(__FILE__) . 'functions.php'; require dir_of(__FILE__) . '{classes}/4.php';
         {directory}/js/a.js
         {directory}/js/1.js
         {directory}/js/2.js
         {directory}/js/3.js
         {directory}/js/4.js
         ignore {directory}/assets
         moved {directory}/{classes}/old.php {directory}/{classes}/a.php\n",
        files.concat(),
        includes("theme_dir()", ".php").replace(" '", " '/"),
        includes("SYSTEM_DIR", ".php").replace(classes, "system"),
    )
}

#[test]
fn learns_the_directory_of_an_expression() {
    check(
        &theme("theme", "inc"),
        "theme/admin/y.php",
        "<?php\nrequire_once( theme_dir() . '/inc/a.php' );\nrequire_once theme_dir() . '/inc/lost.php';\n\
         if (file_exists(theme_dir() . '/inc/own.php')) { require theme_dir() . '/inc/own.php'; }\nrequire theme_dir() . \"/inc/$x.php\";\n\
         require theme_dir() . '/vendor/autoload.php';\nrequire theme_dir() . '/other/x.php';\nrequire theme_dir() . '/z.php';\n\
         f( theme_dir() . '/js/a.js', theme_dir() . '/assets/a.js', theme_dir() . '/js/b.js' . $y );\n// require theme_dir() . '/inc/none.php';\n",
        "php.include /inc/a.php → theme/inc/a.php
         php.include /inc/lost.php → missing
         php.path /inc/own.php → unknown optional
         php.include /inc/own.php → unknown optional
         php.include /vendor/autoload.php → unknown not-installed
         php.include /other/x.php → unknown elsewhere
         php.include /z.php → unknown elsewhere
         php.path /js/a.js → theme/js/a.js
         php.path /assets/a.js → unknown ignored",
    );
    check(
        &theme("theme", "inc"),
        "theme/y.php",
        "<?php\ninclude theme_dir() . '/inc/old.php';\n",
        "php.include /inc/old.php → moved",
    );
    // A test for what moved before it is included is of an older version.
    let few = (0..6).map(|number| format!("theme/f{number}.php = <?php require FEW . '/inc/{number}.php';\n"));
    let few = few.chain(["theme/f.php = <?php require FEW . '/inc/a.php';\n".to_owned()]).collect::<Vec<_>>().concat();
    check(
        &[theme("theme", "inc"), few].concat(),
        "theme/y.php",
        "<?php\nif (is_file(FEW . '/inc/old.php')) {}\n",
        "php.path /inc/old.php → unknown optional",
    );
    // The base differs by file, and the steps to it do not.
    check(
        &theme("theme", "inc"),
        "theme/inc/x.php",
        "<?php\nrequire dir_of( __FILE__ ) . 'b.php';\nrequire dir_of(__FILE__) . 'sub/a.php';\nrequire $d . 'a.php';\n",
        "php.include b.php → theme/inc/b.php
         php.include sub/a.php → unknown elsewhere",
    );
    // Too few literals behind an expression, and one of an installation.
    check(
        &theme("theme", "inc"),
        "theme/inc/x.php",
        "<?php\nrequire SYSTEM_DIR . 'system/1.php';\nrequire SYSTEM_DIR . 'inc/gone.php';\nrequire RARE . '/inc/gone.php';\n",
        "",
    );
}

/// Each of several projects in one tree has its own directory.
#[test]
fn learns_directories_per_project() {
    let tree = [theme("theme", "inc"), theme("other", "lib")].concat();
    let text = "<?php\nrequire theme_dir() . '/inc/a.php';\nrequire theme_dir() . '/lib/a.php';\n";
    let rows = "php.include /inc/a.php → theme/inc/a.php\nphp.include /lib/a.php → unknown elsewhere";
    check(&tree, "theme/y.php", text, rows);
    let rows = "php.include /inc/a.php → unknown elsewhere\nphp.include /lib/a.php → other/lib/a.php";
    check(&tree, "other/y.php", text, rows);
}

/// An asset must exist if nearly all with its extension do. A function that is given code can test for it.
#[test]
fn warns_of_extensions_that_exist() {
    let text = "<?php\nf(theme_dir() . '/inc/lost.php', theme_dir() . '/js/lost.js');\n";
    assert_eq!(severities(&theme("theme", "inc"), "theme/y.php", text), ["hint", "warning"]);
    assert_eq!(
        severities(&theme("theme", "inc"), "theme/y.php", "<?php\ninclude theme_dir() . '/inc/lost.php';\n"),
        ["warning"]
    );
}

const COMPOSER: &str = r#"
    composer.json = {"autoload": {"psr-4": {"App\\": "src/", "App\\Extra\\": ["extra/", "more"]}, "classmap": ["old/"]}, "autoload-dev": {"psr-4": {"App\\Tests\\": "tests"}}, "require": {"acme/base": "*", "php": "8"}}
    src/Kernel.php = <?php namespace App; class Kernel {}
    src/Http/Request.php = <?php namespace App\Http; class Request {}
    src/Http/Parts.php = <?php namespace App\Http; class Part {} class Other {}
    src/Http/Moved.php = <?php namespace App\Mail; class Moved {}
    extra/Thing.php = <?php namespace App\Extra; class Thing {}
    more/Most.php = <?php namespace App\Extra; enum Most {}
    old/Legacy.php = <?php namespace App\Http; interface Legacy {}
    tests/AppTest.php = <?php namespace App\Tests; class AppTest {}
    src/alias.php = <?php class_alias(Kernel::class, 'App\Http\Ask');
"#;

#[test]
fn resolves_classes() {
    check(
        COMPOSER,
        "src/x.php",
        "<?php\nnamespace App;\nuse App\\Kernel, App\\Gone;\nuse \\App\\Http\\{Request, Response as R, function f};\n\
         use App\\Http;\nuse App\\Http\\Other;\nuse App\\Http\\Legacy;\nuse App\\Http\\Ask;\nuse App\\Mail\\Moved;\n\
         use App\\Extra\\Most;\nuse App\\Extra\\Thing as T;\nuse App\\Tests\\AppTest;\nuse Psr\\Log;\nuse App\\Far\\X;\n\
         use App\\Web\\Request;\nuse App\\http\\Request;\nuse function App\\g;\n",
        "php.use App\\Kernel → src/Kernel.php
         php.use App\\Gone → missing
         php.use Request → src/Http/Request.php
         php.use Response → missing
         php.use App\\Http → src/Http
         php.use App\\Http\\Other → src/Http/Parts.php
         php.use App\\Http\\Legacy → old/Legacy.php
         php.use App\\Http\\Ask → unknown undecided
         php.use App\\Mail\\Moved → missing
         php.use App\\Extra\\Most → more/Most.php
         php.use App\\Extra\\Thing → extra/Thing.php
         php.use App\\Tests\\AppTest → tests/AppTest.php
         php.use App\\Far\\X → unknown elsewhere
         php.use App\\Web\\Request → missing
         php.use App\\http\\Request → case-mismatch",
    );
    // An unused class causes no error.
    let text = "<?php\nuse App\\Gone;\nuse App\\Lost as L;\nnew Gone; new L;\n";
    assert_eq!(severities(COMPOSER, "src/x.php", text), ["error", "error"]);
    assert_eq!(severities(COMPOSER, "src/x.php", "<?php\nuse App\\Gone;\n"), ["warning"]);
    // The class is tested for first.
    check(
        COMPOSER,
        "src/x.php",
        "<?php\nuse App\\Http\\No;\nuse App\\Http\\Never as N;\nif (class_exists(No::class) && interface_exists(N::class)) {}\n",
        "php.use App\\Http\\No → unknown optional
         php.use App\\Http\\Never → unknown optional",
    );
}

/// A directory whose files are all in another namespace than Composer's mapping says is mapped elsewhere. One file alone is
/// out of place.
#[test]
fn leaves_directories_in_another_namespace() {
    let tree = r#"
        composer.json = {"autoload": {"psr-4": {"Tests\\": "tests", "App\\": "src/core", "App\\Themes\\": "src/themes"}}}
        src/core/A.php = <?php namespace App; class A {}
        src/themes/B.php = <?php namespace App\Themes; class B {}
        tests/src/Traits/One.php = <?php namespace Tests\Traits; trait One {}
        tests/src/Traits/Two.php = <?php namespace Tests\Traits; trait Two {}
        tests/src/Data/Three.php = <?php namespace Tests\Data; class Three {}
        tests/src/Data/Four.php = <?php namespace Tests\src\Data; class Four {}
    "#;
    check(
        tree,
        "tests/src/x.php",
        "<?php\nuse Tests\\Traits\\One;\nuse Tests\\Data\\Three;\nuse App\\Themes;\nuse App\\Theme;\n",
        "php.use Tests\\Traits\\One → tests/src/Traits/One.php
         php.use Tests\\Data\\Three → missing
         php.use App\\Themes → src/themes
         php.use App\\Theme → missing",
    );
}

/// If a package of the same vendor is required, a name can belong to it.
#[test]
fn accepts_shared_namespaces() {
    let tree = r#"
        composer.json = {"autoload": {"psr-4": {"Acme\\": "src/"}}, "require": {"acme/base": "*"}}
        src/A.php = <?php namespace Acme; class A {}
        src/Sub/B.php = <?php namespace Acme\Sub; class B {}
    "#;
    check(
        tree,
        "src/x.php",
        "<?php\nuse Acme\\A;\nuse Acme\\Base;\nuse Acme\\B;\nuse Other\\C;\n",
        "php.use Acme\\A → src/A.php
         php.use Acme\\Base → unknown elsewhere
         php.use Acme\\B → missing",
    );
    // But not one with a typo.
    check(
        tree,
        "src/Sub/x.php",
        "<?php\nuse Acme\\Subb\\B;\nuse Acme\\Srch\\B;\n",
        "php.use Acme\\Subb\\B → missing\nphp.use Acme\\Srch\\B → unknown elsewhere",
    );
    // A package that was part of the project keeps its namespace; a package of the tree has no other.
    let with_package = |more: &str| {
        format!(
            "composer.json = {{\"autoload\": {{\"psr-4\": {{\"Acme\\\\\": \"src/\"}}}}, \"require\": {{\"acme/sub-part\": \"*\"}}}}
             src/Sub/Part/B.php = <?php namespace Acme\\Sub\\Part; class B {{}}\n{more}"
        )
    };
    let text = "<?php\nuse Acme\\Sub\\Part\\Gone;\nuse Acme\\Sub\\Part\\B;\n";
    let found = "php.use Acme\\Sub\\Part\\B → src/Sub/Part/B.php";
    check(&with_package(""), "src/x.php", text, &format!("php.use Acme\\Sub\\Part\\Gone → unknown elsewhere\n{found}"));
    let own = with_package("part/composer.json = {\"name\": \"acme/sub-part\"}");
    check(&own, "src/x.php", text, &format!("php.use Acme\\Sub\\Part\\Gone → missing\n{found}"));
    // A sample's manifest does not affect files outside of its directory.
    let tree = r#"
        a/fixtures/composer.json = {"autoload": {"psr-4": {"Acme\\": "src/"}}}
        a/fixtures/src/A.php
    "#;
    check(tree, "src/x.php", "<?php\nuse Acme\\B;\n", "");
    check(tree, "a/fixtures/x.php", "<?php\nuse Acme\\A;\n", "php.use Acme\\A → a/fixtures/src/A.php");
}

#[test]
fn accepts_broken_text() {
    assert_ranges_valid("a.php", "<?php include __DIR__ . '");
    assert_ranges_valid("a.php", "<?php require dirname(dirname(, 2) . \"/é\";");
}
