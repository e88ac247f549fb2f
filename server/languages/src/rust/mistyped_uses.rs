//! Modules of which a path has the name with a typo, where a module's name must stand.

use std::ops::Range;

use pathfinder_literals::path::{name, parent, sibling_path};
use pathfinder_literals::report::severity_in;
use pathfinder_literals::typo::is_typo;
use pathfinder_literals::typo_findings::is_plural;
use pathfinder_literals::{LiteralKind, Missing, Report, Severity, Verdict, Want};

use super::kinds;
use super::module_tree::Module;
use super::module_uses::{Reached, UseLiteral, UseResolver, is_relative, range_of};
use super::packages::CargoPackages;
use super::use_paths::NamePath;

/// Libraries that come with the compiler.
const BUILT_IN: [&str; 5] = ["alloc", "core", "proc_macro", "std", "test"];

/// Types that come with the compiler and have small letters.
const PRIMITIVES: [&str; 19] = [
    "bool", "char", "f128", "f16", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16",
    "u32", "u64", "u8", "usize",
];

impl UseResolver {
    /// Returns the literal for a name that differs by a typo from the only module so named, where a module's name must stand.
    pub(super) fn find_mistyped(
        &self,
        report: &Report<'_>,
        path: &NamePath,
        names: &[&str],
        ends: &[Reached],
    ) -> Option<UseLiteral> {
        let next = self.missing_name(report, path, names, (ends, true))?;
        let count = ends.first()?.count;
        if names.len() <= count + 1 && !path.has_more {
            return None;
        }
        // Several roots can declare one module: a library and its program.
        let mut literals = ends.iter().map(|end| self.mistyped_child(report, &end.module, next, (path, count)));
        let first = literals.next()??;
        literals.all(|other| other.is_some_and(|other| other.tried == first.tried)).then_some(first)
    }

    /// Returns the literal for the first name of a path that is no module of the file and no library, but differs by a typo from the
    /// only module so named: one that the file declares, or outside of `use` one that a `use` binds.
    pub(super) fn find_mistyped_first(
        &self,
        report: &Report<'_>,
        path: &NamePath,
        names: &[&str],
    ) -> Option<UseLiteral> {
        let first = *names.first().filter(|first| path.own == 0 && path.depth == 0 && !is_relative(first))?;
        let own = self.lineage.last()?;
        // Most first names are those of libraries, and far from any module.
        let bound = self.bindings.modules().filter(|(name, _)| !path.is_use && is_typo(first, name));
        let bound: Vec<(&str, &Module)> = bound.take(2).collect();
        let is_near_own = own.contents.declared_names().any(|declared| is_typo(first, declared));
        if bound.is_empty() && !is_near_own {
            return None;
        }
        let is_module = (names.len() > 1 || path.has_more) && !first.chars().any(char::is_uppercase);
        let packages = report.project.index::<CargoPackages>();
        let (tree, file) = (report.project.tree(), report.source.path());
        // A glob can bind it, but then no module beside has nearly its name.
        if !is_module
            || own.contents.is_bound(first)
            || self.bindings.is_bound(first)
            || path.is_in_macro
            || BUILT_IN.contains(&first)
            || PRIMITIVES.contains(&first)
            || packages.library(first).is_some()
            || packages.can_depend_on(tree, file, first)
        {
            return None;
        }
        match bound.as_slice() {
            [] => self.mistyped_child(report, own, first, (path, 0)),
            [(near, module)] if !is_near_own && !is_plural(first, near) && !report.project.has_name(first) => {
                mistyped_module(report, kinds::BOUND, vec![renamed(&module.file, first)], range_of(path, 1))
            }
            _ => None,
        }
    }

    /// Returns the literal for a name of a path, at an index of its names, that differs by a typo from the only module below another
    /// one so named.
    fn mistyped_child(
        &self,
        report: &Report<'_>,
        module: &Module,
        name: &str,
        (path, at): (&NamePath, usize),
    ) -> Option<UseLiteral> {
        if report.project.has_name(name) {
            return None;
        }
        let is_near = |declared: &&str| is_typo(name, declared) && !is_plural(name, declared);
        let declared = module.contents.declared_names().filter(is_near);
        let [declared] = *declared.take(2).collect::<Vec<&str>>() else { return None };
        self.child(report, module, declared)?;
        mistyped_module(report, kinds::USE, module.child_files(name), range_of(path, at + 1))
    }
}

/// The literal for a name with a typo of a module that would be in one of these files; `None` without any.
fn mistyped_module(
    report: &Report<'_>,
    kind: LiteralKind,
    tried: Vec<String>,
    range: Range<usize>,
) -> Option<UseLiteral> {
    let wanted = tried.first()?.clone();
    let severity = severity_in(report.source.path(), Severity::Error);
    let verdict = Verdict::Missing(Missing::new(wanted, Want::File, severity));
    Some(UseLiteral { kind, range, verdict, tried })
}

/// The file of a module under another name.
fn renamed(file: &str, to: &str) -> String {
    let (directory, last) = (parent(file), name(file));
    if last == "mod.rs" {
        sibling_path(directory, &format!("{to}/mod.rs"))
    } else {
        sibling_path(file, &format!("{to}.rs"))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    /// A name before a glob, and the first of an expression.
    #[test]
    fn reports_mistyped_names_of_modules() {
        let tree = "Cargo.toml = [package]\\nname = \"a\"\nsrc/parser.rs\nsrc/files/mod.rs\nsrc/user.rs";
        let check = |text: &str, expect: &str| {
            let text = format!("mod parser;\nmod files;\n{text}\n");
            let expect = format!("rust.mod parser → src/parser.rs\nrust.mod files → src/files/mod.rs\n{expect}");
            check(tree, "src/lib.rs", &text, expect.trim_end());
        };
        check("use crate::pasrer::*;", "rust.use crate::pasrer → missing");
        check("use crate::pasrer;", "");
        check("fn f() { praser::run() }", "rust.use praser → missing");
        check("fn f() { str::len() + files::x() }", "rust.use files → src/files/mod.rs");
        check("fn f() { fiels::x() }\nfn fiels() {}", "");
        check("mod tests { fn f() { fiels::x() } }", "");
        let text = "use crate::files;\nfn f() { fiels::read() }\n";
        crate::testing::check(
            &format!("{tree}\nsrc/lib.rs = mod files; mod user;"),
            "src/user.rs",
            text,
            "rust.use crate::files → src/files/mod.rs\nrust.bound fiels → missing",
        );
    }
}
