//! Finds the paths of a file that can begin with a module: those of `use` with their groups, and those of expressions and types.
//!
//! Tokens are enough: a path needs no more context than the inline modules and macros around it.

use std::ops::Range;

use super::listed_modules::{NameList, name_list};
use super::tokens::{RustToken, RustTokenKind, closing_bracket, tokenize};

/// No real file nests more braces than this.
const MAX_DEPTH: usize = 200;

/// Groups in groups of one `use`. Real ones have three; each level costs stack.
const MAX_GROUPS: usize = 16;

/// Names of one path. Modules nest ten deep at most, and longer paths would cost memory for each of their groups.
const MAX_NAMES: usize = 32;

/// A path of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamePath {
    /// The names, with those before the groups that the path is in.
    pub(super) names: Vec<Range<usize>>,
    /// The index of the first name inside the innermost group.
    pub(super) own: usize,
    /// The number of inline modules around it.
    pub(super) depth: usize,
    /// True in a `use` item.
    pub(super) is_use: bool,
    /// True before a group or the `*` of `use`: the last name is that of no function.
    pub(super) has_more: bool,
    /// True in the definition of a macro, whose callers decide what the path means.
    pub(super) is_in_macro: bool,
}

/// A name that a `use` binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UseBinding {
    /// The name, as it is written.
    pub(super) name: Range<usize>,
    /// The index of the path that it stands for; `None` if that path begins with a crate, or the name is an alias.
    pub(super) path: Option<usize>,
}

/// The paths of a text, in the order of their beginnings, and the names that they bind.
#[derive(Debug, Default)]
pub(super) struct PathScan {
    pub(super) paths: Vec<NamePath>,
    pub(super) bindings: Vec<UseBinding>,
    /// The names that `mod` and `extern crate` bind.
    pub(super) modules: Vec<Range<usize>>,
    /// True if `use …::*` outside of inline modules can bind any name.
    pub(super) has_glob: bool,
    /// Calls outside of brackets whose arguments are names.
    pub(super) lists: Vec<NameList>,
}

/// The open brackets, macros and modules at one place.
#[derive(Clone, Copy)]
enum Bracket {
    Plain,
    InlineModule,
    MacroDefinition,
}

/// Returns the paths of a text and the names that its `use` items bind.
pub(super) fn find_paths(text: &str) -> PathScan {
    let tokens = tokenize(text, 0..text.len());
    let mut scanner = PathScanner { text, tokens, found: PathScan::default(), depth: 0, is_in_macro: false };
    scanner.scan();
    scanner.found
}

/// One pass over the tokens of a text.
struct PathScanner<'t> {
    text: &'t str,
    tokens: Vec<RustToken>,
    found: PathScan,
    depth: usize,
    is_in_macro: bool,
}

impl PathScanner<'_> {
    fn scan(&mut self) {
        let mut open: Vec<Bracket> = Vec::new();
        // The kind of the next bracket.
        let mut next = Bracket::Plain;
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            match token.kind {
                RustTokenKind::Punct(b'{' | b'(' | b'[') if open.len() < MAX_DEPTH => {
                    match next {
                        Bracket::InlineModule => self.depth += 1,
                        Bracket::MacroDefinition => self.is_in_macro = true,
                        Bracket::Plain => {}
                    }
                    open.push(std::mem::replace(&mut next, Bracket::Plain));
                }
                RustTokenKind::Punct(b'}' | b')' | b']') => match open.pop() {
                    Some(Bracket::InlineModule) => self.depth -= 1,
                    Some(Bracket::MacroDefinition) => self.is_in_macro = false,
                    Some(Bracket::Plain) | None => {}
                },
                RustTokenKind::Punct(b'!') if open.is_empty() => {
                    self.found.lists.extend(name_list(self.text, &self.tokens, at));
                }
                RustTokenKind::Word => match &self.text[token.range.clone()] {
                    "mod" | "crate" if self.is_word(at + 1) => {
                        self.found.modules.push(self.tokens[at + 1].range.clone());
                        if self.is_punct(at + 2, b'{') {
                            next = Bracket::InlineModule;
                        }
                        at += 1;
                    }
                    "macro_rules" if self.is_punct(at + 1, b'!') => {
                        next = Bracket::MacroDefinition;
                        at += 2;
                    }
                    word if word.contains("quote") && self.is_punct(at + 1, b'!') => {
                        at = closing_bracket(&self.tokens, at + 2);
                    }
                    "use" => at = self.add_tree(at + 1, &[], 0) - 1,
                    _ if self.is_separator(at + 1) => {
                        let end = self.add_path(at);
                        let is_quoted = self.text[self.tokens[end - 1].range.clone()].contains("quote");
                        let is_macro = is_quoted && self.is_punct(end, b'!');
                        at = if is_macro { closing_bracket(&self.tokens, end + 1) } else { end - 1 };
                    }
                    _ => {}
                },
                _ => {}
            }
            at += 1;
        }
    }

    /// Adds the path of an expression or a type. Returns the index after it.
    fn add_path(&mut self, start: usize) -> usize {
        let mut names = vec![self.tokens[start].range.clone()];
        let mut at = start + 1;
        while self.is_separator(at) && self.is_word(at + 2) {
            names.push(self.tokens[at + 2].range.clone());
            at += 3;
        }
        // `::a::b` names a crate, `<T>::a::b` and `x.a::<T>` an item of a type.
        let follows = start.checked_sub(1).is_some_and(|before| {
            self.is_punct(before, b'.') || self.is_punct(before, b':') && self.is_separator(before.saturating_sub(1))
        });
        let is_own_crate = start > 0 && self.is_punct(start - 1, b'$');
        if !follows && names.len() > 1 {
            self.add(NamePath {
                names,
                own: 0,
                depth: self.depth,
                is_use: false,
                has_more: false,
                is_in_macro: self.is_in_macro && !is_own_crate,
            });
        }
        at
    }

    /// Adds the paths of a tree of `use`. Returns the index after it.
    fn add_tree(&mut self, start: usize, before: &[Range<usize>], depth: usize) -> usize {
        let mut names = before.to_vec();
        let own = before.len();
        let mut at = start;
        let mut is_own_crate = false;
        let mut is_named = false;
        // `use ::a` names a crate, and `fn f() -> impl A + use<'a>` names no path.
        let is_path = !self.is_separator(at);
        loop {
            if self.is_punct(at, b'$') {
                is_own_crate = true;
                at += 1;
            } else if self.is_punct(at, b'r') || self.is_separator(at) {
                at += if self.is_separator(at) { 2 } else { 1 };
            } else if self.is_word(at) {
                names.push(self.tokens[at].range.clone());
                at += 1;
                if !self.is_separator(at) {
                    is_named = true;
                    break;
                }
            } else {
                break;
            }
        }
        let is_in_macro = self.is_in_macro && !is_own_crate;
        let nesting = self.depth;
        let path = |names, has_more| NamePath { names, own, depth: nesting, is_use: true, has_more, is_in_macro };
        if self.is_punct(at, b'{') && depth < MAX_GROUPS && names.len() <= MAX_NAMES {
            // The names before a group are a path of their own.
            if is_path && names.len() > own {
                self.add(path(names.clone(), true));
            }
            at += 1;
            while at < self.tokens.len() && !self.is_punct(at, b'}') {
                let end = self.add_tree(at, &names, depth + 1);
                at = end.max(at + 1);
            }
            return at + 1;
        }
        self.found.has_glob |= self.depth == 0 && self.is_punct(at, b'*');
        let bound = names.iter().rev().find(|name| &self.text[(*name).clone()] != "self").cloned();
        let is_path = is_path && names.len() > own && self.add(path(names, self.is_punct(at, b'*')));
        if is_named && let Some(bound) = bound {
            let alias = (self.is_word(at) && self.is_word(at + 1)).then(|| self.tokens[at + 1].range.clone());
            let path = (is_path && alias.is_none()).then(|| self.found.paths.len() - 1);
            self.found.bindings.push(UseBinding { name: alias.unwrap_or(bound), path });
        }
        while at < self.tokens.len() && ![b';', b',', b'}'].iter().any(|sign| self.is_punct(at, *sign)) {
            at += 1;
        }
        // A closing bracket belongs to the group around the tree.
        if self.is_punct(at, b'}') { at } else { at + 1 }
    }

    /// Adds a path. Returns false if it is too long.
    fn add(&mut self, path: NamePath) -> bool {
        let is_short = path.names.len() <= MAX_NAMES;
        self.found.paths.extend(is_short.then_some(path));
        is_short
    }

    fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == RustTokenKind::Word)
    }

    fn is_punct(&self, at: usize, sign: u8) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_punct(sign))
    }

    /// Returns whether `::` stands here.
    fn is_separator(&self, at: usize) -> bool {
        let is_colon = |at: usize| self.is_punct(at, b':');
        is_colon(at) && is_colon(at + 1) && self.tokens[at].range.end == self.tokens[at + 1].range.start
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_NAMES, find_paths};

    #[test]
    fn finds_paths() {
        let check = |text: &str, expect: &[&str]| {
            let rows = find_paths(text).paths.into_iter().map(|path| {
                let names: Vec<&str> = path.names.iter().map(|range| &text[range.clone()]).collect();
                let sign = if path.is_in_macro { "!" } else { "" };
                format!("{}{sign} {} {}", names.join("::"), path.own, path.depth)
            });
            assert_eq!(rows.collect::<Vec<_>>(), expect, "{text}");
        };
        check("use crate::a::b::C;", &["crate::a::b::C 0 0"]);
        check("pub use a as b; use c;", &["a 0 0", "c 0 0"]);
        check(
            "use crate::{a::{self, b::C as D}, e};",
            &["crate 0 0", "crate::a 1 0", "crate::a::self 2 0", "crate::a::b::C 2 0", "crate::e 1 0"],
        );
        check("use super::*; fn f() { a::b::<T>(c::D::new()) }", &["super 0 0", "a::b 0 0", "c::D::new 0 0"]);
        check("mod a { mod b { use super::c; } use self::d; } use e;", &["super::c 0 2", "self::d 0 1", "e 0 0"]);
        check("use ::a::b; let x = ::c::d; <T as e::F>::g::h", &["e::F 0 0"]);
        check(
            "macro_rules! m { ($a:ty) => { $crate::a::B; crate::c::D } } e::F",
            &["crate::a::B 0 0", "crate::c::D! 0 0", "e::F 0 0"],
        );
        check("quote! { crate::a::B } x!(crate::c::D) // crate::e", &["crate::c::D 0 0"]);
        check("use a::{b", &["a 0 0", "a::b 1 0"]);
        check("use", &[]);
        check(&format!("use {}", "{".repeat(100_000)), &[]);
        check(&format!("use {}b", "a::".repeat(MAX_NAMES)), &[]);
    }

    #[test]
    fn finds_bound_names() {
        let check = |text: &str, expect: &str| {
            let scan = find_paths(text);
            let rows = scan.bindings.into_iter().map(|binding| {
                let path = binding.path.map(|at| &scan.paths[at].names);
                let path =
                    path.map_or_else(String::new, |names| text[names[0].start..names[names.len() - 1].end].to_owned());
                format!("{}={path}", &text[binding.name])
            });
            assert_eq!(rows.collect::<Vec<_>>().join(" "), expect, "{text}");
        };
        check("use crate::a; pub use super::b::C; use d;", "a=crate::a C=super::b::C d=d");
        check("use crate::a as b; use e::*; use ::f::g; use h as _;", "b= g= _=");
        check("use a::{self, b::{c}, d as e};", "a=a::{self c=a::{self, b::{c e=");
        check("fn f() { use crate::a; a::g() }", "a=crate::a");
        check(&format!("use {}b;", "a::".repeat(MAX_NAMES)), "b=");
    }
}
