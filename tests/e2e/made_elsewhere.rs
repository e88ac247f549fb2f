//! `check`: what the tree says of itself: that a build writes a path, that git ignores it, that a package binds a name, or that nothing
//! is meant to be there.

use crate::probability::{committed, history, rows};
use crate::tree::Tree;

/// A build file beside a path, or beside a directory above it, lists it among its outputs.
#[test]
fn leaves_outputs_of_the_build_beside() {
    let check = |build: &str, expect: usize| {
        let tree = format!(
            "docs/a.md = [l](types/local.md) [r](types/remote.md) [b](b.md)\ndocs/b.md = # B\ndocs/types/index.md.in = x\n\
             docs/meson.build = {build}"
        );
        assert_eq!(rows(&Tree::new(&tree), &[]).len(), expect, "{build}");
    };
    check("t = custom_target(output : 'types', input : 'x.nix')", 0);
    check("t = custom_target(output : 'other', input : 'x.nix')", 2);
}

/// A directory that git ignores since its files moved away is made from them.
#[test]
fn leaves_an_ignored_directory_whose_files_moved() {
    let check = |ignored: &str, expect: &[&str]| {
        let first = "mkdir -p doc/tour; echo 'project = \"x\"' > doc/conf.py; seq 9 > doc/tour/start.ipynb; seq 20 > doc/tour/second.ipynb; \
                     printf '* :doc:`tour/start`\\n* :doc:`tour/second`\\n' > doc/index.rst";
        let moved = format!("git mv doc/tour doc/_tour; echo '{ignored}' > .gitignore");
        let tree = history(&[(1, first), (2, &moved)]);
        assert_eq!(rows(&tree, &[]), expect, "{ignored}");
    };
    check("doc/tour/", &[]);
    check("*.log", &["doc/index.rst tour/start → _tour/start!", "doc/index.rst tour/second → _tour/second!"]);
}

/// A generator of projects takes the mark off the settings for a new one.
#[test]
fn leaves_settings_of_new_projects() {
    let check = |to: &str, expect: usize| {
        let first = "mkdir -p new/src; seq 9 > new/package.json; echo \"const { a } = require('../package.json')\" > new/src/a.js";
        let tree = history(&[(1, first), (2, &format!("git mv new/package.json {to}"))]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{to}");
    };
    check("new/_package.json", 0);
    check("new/package1.json", 1);
}

/// A package that may bind more names at run time binds those that its text shows.
#[test]
fn leaves_names_that_a_package_binds() {
    let check = |bound: &str, expect: &[&str]| {
        let init = format!("shop/tel/__init__.py = from importlib import import_module; {bound} = object()\n");
        let tree = format!("{init}shop/__init__.py\nshop/tel/trace.py\nshop/a.py = from .tel import tracer");
        assert_eq!(rows(&committed(&tree), &[]), expect, "{bound}");
    };
    check("tracer", &[]);
    check("other", &["shop/a.py tracer → trace!"]);
}

/// A name that several files import is no typo, also where the package may bind it.
#[test]
fn leaves_a_name_that_several_files_import() {
    let check = |files: usize, expect: usize| {
        let tree = "shop/tel/__init__.py = from importlib import import_module\nshop/__init__.py\nshop/tel/trace.py\n";
        let file = |at: usize| format!("shop/a{at}.py = from .tel import tracer\n");
        let tree = tree.to_owned() + &(0..files).map(file).collect::<String>();
        assert_eq!(rows(&committed(&tree), &[]).len(), expect, "{files}");
    };
    check(1, 1);
    check(2, 0);
}

/// A name can say that nothing is there, in any language.
#[test]
fn leaves_names_that_say_so() {
    let check = |name: &str, expect: usize| {
        let tree = format!(
            "roles/x/tasks/main.yml = - ansible.builtin.include_tasks: tasks/{name}.yml\nroles/x/tasks/own.yml = []\na.md = [x]({name}.md) [b](b.md)\nb.md = # B"
        );
        assert_eq!(rows(&Tree::new(&tree), &[]).len(), expect, "{name}");
    };
    check("noexist_file", 0);
    check("other_file", 2);
    // Other literals of the file can still be fixed.
    let tree = "src/a.ts = import './no-such-file'; import './buton'\nsrc/button.ts = export {}";
    assert_eq!(rows(&Tree::new(tree), &[]), ["src/a.ts ./buton → ./button!"]);
}

/// The right path of a list makes others of the list count as paths; that breaks none of them.
#[test]
fn keeps_the_base_of_a_path_in_a_list() {
    let list = "args: ['x.io/cloud-builders/docker', '-f', 'tools/ci/Dockefile', 'tools/ci']";
    let tree = committed(&format!("tools/ci/Dockerfile = FROM x\ntools/ci/build.yaml = {list}"));
    assert_eq!(rows(&tree, &[]), ["tools/ci/build.yaml tools/ci/Dockefile → tools/ci/Dockerfile!"]);
}

/// A site serves what its build puts beside the files that git has; git ignores that.
#[test]
fn leaves_ignored_files_that_a_site_serves() {
    let check = |ignored: &str, expect: usize| {
        let tree = format!(
            "docs/.vitepress/config.ts = export default {{}}\ndocs/public/logo.png\n.gitignore = {ignored}\n\
             docs/a.md = [b](./b.md) [c](./b.md) <a href=\"./d3.js\">d3</a>\ndocs/b.md = # B"
        );
        assert_eq!(rows(&Tree::new(&tree), &[]).len(), expect, "{ignored}");
    };
    check("docs/public/d3.js", 0);
    check("docs/public/d4.js", 1);
}

/// Two files import a name of a library that is one letter from that of the project's own: neither has a typo.
#[test]
fn leaves_what_two_files_import() {
    let check = |second: &str, expect: &[&str]| {
        let tree = format!(
            "src/lib/runtime/PStatics.scala = package lib.runtime\nsrc/lib/a/A.scala = import lib.runtime.Statics\n\
             src/lib/a/B.scala = import lib.runtime.{second}"
        );
        assert_eq!(rows(&committed(&tree), &[]), expect, "{second}");
    };
    check("Statics", &[]);
    check("PStatics", &["src/lib/a/A.scala lib.runtime.Statics → lib.runtime.PStatics!"]);
}
