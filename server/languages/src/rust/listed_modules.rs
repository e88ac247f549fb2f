//! Modules that a macro of the project declares: `mod_pub!(a b);` where the macro repeats `pub mod $name;`.
//!
//! The definition of the macro says so. A macro of another project, or one that is defined in two ways, declares nothing.

use std::ops::Range;

use pathfinder_literals::path::extension;
use pathfinder_literals::{Project, ProjectIndex};
use rustc_hash::FxHashMap;

use super::tokens::{RustToken, RustTokenKind, closing_bracket, tokenize};

/// With more files than this, the scan for definitions would take too long.
const MAX_SCANNED_FILES: usize = 20_000;
/// Macros of modules that are known. A project has a few.
const MAX_MACROS: usize = 64;

/// A call of a macro whose arguments are names and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NameList {
    /// The name of the macro, without the path to it.
    pub(super) macro_name: String,
    /// The names, as ranges of the text.
    pub(super) names: Vec<Range<usize>>,
}

/// A macro that declares its arguments as modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ModuleMacro {
    /// True if it also exports the items of the modules, as `pub use $name::*` does.
    pub(super) has_glob: bool,
}

/// The macros of the tree that declare a module for each name in their arguments, read on first use.
pub(super) struct ModuleMacros {
    macros: FxHashMap<String, Option<ModuleMacro>>,
}

impl ProjectIndex for ModuleMacros {
    fn build(project: &Project) -> Self {
        let mut macros: FxHashMap<String, Option<ModuleMacro>> = FxHashMap::default();
        let tree = project.tree();
        for path in tree.files().iter().filter(|path| extension(path) == "rs").take(MAX_SCANNED_FILES) {
            let Some(text) = tree.read_shared(path) else { continue };
            if memchr::memmem::find(text.as_bytes(), b"macro_rules!").is_none() {
                continue;
            }
            for (name, defined) in definitions(&text) {
                // Two definitions that differ leave open what a call does.
                let is_known = macros.contains_key(&name);
                if !is_known && macros.values().flatten().count() >= MAX_MACROS {
                    continue;
                }
                macros.entry(name).and_modify(|known| *known = known.filter(|_| *known == defined)).or_insert(defined);
            }
        }
        Self { macros }
    }
}

impl ModuleMacros {
    /// Returns what a macro does with the names in its arguments; `None` if it declares no modules.
    pub(super) fn find(&self, name: &str) -> Option<ModuleMacro> {
        self.macros.get(name).copied().flatten()
    }
}

/// Returns the macros that a text defines, with `None` for those that declare no module by an argument.
fn definitions(text: &str) -> Vec<(String, Option<ModuleMacro>)> {
    let tokens = tokenize(text, 0..text.len());
    let word = |at: usize| word(text, &tokens, at);
    let is_sign = |at: usize, sign: u8| tokens.get(at).is_some_and(|token| token.is_punct(sign));
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let name = word(at).filter(|word| *word == "macro_rules" && is_sign(at + 1, b'!')).and_then(|_| word(at + 2));
        let Some(name) = name else {
            at += 1;
            continue;
        };
        let end = closing_bracket(&tokens, at + 3);
        let is_variable = |at: usize| is_sign(at, b'$') && word(at + 1).is_some();
        let declares = (at + 3..end).any(|at| word(at) == Some("mod") && is_variable(at + 1) && is_sign(at + 3, b';'));
        let has_glob = (at + 3..end)
            .any(|at| is_variable(at) && is_sign(at + 2, b':') && is_sign(at + 3, b':') && is_sign(at + 4, b'*'));
        found.push((name.to_owned(), declares.then_some(ModuleMacro { has_glob })));
        at = end;
    }
    found
}

/// Returns the call at an exclamation mark, if its arguments are names, with commas or without.
pub(super) fn name_list(text: &str, tokens: &[RustToken], at: usize) -> Option<NameList> {
    let macro_name = word(text, tokens, at.checked_sub(1)?)?;
    let close = match tokens.get(at + 1)?.kind {
        RustTokenKind::Punct(b'(') => b')',
        RustTokenKind::Punct(b'[') => b']',
        RustTokenKind::Punct(b'{') => b'}',
        _ => return None,
    };
    let rest = &tokens[at + 2..];
    let count = rest.iter().take_while(|token| token.kind == RustTokenKind::Word || token.is_punct(b',')).count();
    let is_whole = rest.get(count).is_some_and(|token| token.is_punct(close));
    let names = rest[..count].iter().filter(|token| token.kind == RustTokenKind::Word);
    let names: Vec<Range<usize>> = names.map(|token| token.range.clone()).collect();
    (is_whole && !names.is_empty()).then(|| NameList { macro_name: macro_name.to_owned(), names })
}

fn word<'t>(text: &'t str, tokens: &[RustToken], at: usize) -> Option<&'t str> {
    let token = tokens.get(at).filter(|token| token.kind == RustTokenKind::Word)?;
    text.get(token.range.clone())
}

#[cfg(test)]
mod tests {
    use super::{definitions, name_list};
    use crate::rust::tokens::tokenize;

    #[test]
    fn reads_macros_that_declare_modules() {
        let check = |text: &str, expect: &[&str]| {
            let rows = definitions(text).into_iter().map(|(name, defined)| match defined {
                Some(defined) if defined.has_glob => format!("{name}*"),
                Some(_) => name,
                None => format!("-{name}"),
            });
            assert_eq!(rows.collect::<Vec<_>>(), expect, "{text}");
        };
        check("macro_rules! m { [ $( $n:ident $(,)? )+ ] => { $( pub mod $n; )+ }; }", &["m"]);
        check("macro_rules! m { ($($n:ident),*) => { $(mod $n; pub use $n::*;)* } } mod $a;", &["m*"]);
        check("macro_rules! m { ($n:ident) => { mod a; mod $n { } } }\nmacro_rules! o {}", &["-m", "-o"]);
        check("macro_rules! m { ( mod $n;", &["m"]);
        assert_eq!(definitions(&"macro_rules! m ".repeat(10_000)).len(), 10_000);
    }

    #[test]
    fn reads_lists_of_names() {
        let check = |text: &str, expect: &str| {
            let tokens = tokenize(text, 0..text.len());
            let at = tokens.iter().position(|token| token.is_punct(b'!')).expect("a call");
            let list = name_list(text, &tokens, at).map_or_else(String::new, |list| {
                let names: Vec<&str> = list.names.iter().map(|range| &text[range.clone()]).collect();
                format!("{} {}", list.macro_name, names.join(" "))
            });
            assert_eq!(list, expect, "{text}");
        };
        check("a::m!(b c, d,);", "m b c d");
        check("m![b]", "m b");
        check("m!(b = c)", "");
        check("m!()", "");
        check("m!(b", "");
        check("!(b)", "");
    }
}
