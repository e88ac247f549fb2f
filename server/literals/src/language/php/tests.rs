//! Fixtures of PHP: what is found, missing, and unknown.

use crate::testing::{check, holds, severities};

const TREE: &str = "src/a.php\nsrc/sub/b.php\ninclude/c.inc.php\ndata/d.json";

#[test]
fn from_the_file() {
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

#[test]
fn from_where_it_is_run() {
    check(
        TREE,
        "src/x.php",
        "<?php\ninclude './a.php';\ninclude './c.inc.php';\ninclude 'sub/b.php';\ninclude 'other/b.php';\n",
        "php.include ./a.php → src/a.php
         php.include ./c.inc.php → missing
         php.include sub/b.php → src/sub/b.php
         php.include other/b.php → unknown elsewhere",
    );
    // Nothing tells from where, or the file says otherwise.
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
fn what_may_fail() {
    check(
        TREE,
        "src/x.php",
        "<?php\nif (file_exists(__DIR__ . '/own.php')) {\n  require __DIR__ . '/own.php';\n}\n@include __DIR__ . '/no.php';\n\
         // include __DIR__ . '/comment.php';\n",
        "php.path /own.php → unknown optional
         php.include /own.php → unknown optional
         php.include /no.php → unknown optional",
    );
}

#[test]
fn what_is_read() {
    let text = "<?php\n$a = file_get_contents(__DIR__ . '/../data/d.json');\n$b = file_get_contents(__DIR__ . '/../data/e.json');\n\
                $c = __DIR__ . '/later.json';\n$d = __DIR__ . '/cache';\n$e = __DIR__ . '/x-' . $f;\n";
    check(
        TREE,
        "src/x.php",
        text,
        "php.path /../data/d.json → data/d.json
         php.path /../data/e.json → missing
         php.path /later.json → missing
         php.path /cache → unknown optional",
    );
    assert_eq!(severities(TREE, "src/x.php", text), ["warning", "hint"]);
}

#[test]
fn broken_text() {
    holds("a.php", "<?php include __DIR__ . '");
    holds("a.php", "<?php require dirname(dirname(, 2) . \"/é\";");
}
