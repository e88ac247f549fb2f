//! `LiteralKind`: the kind of a literal, by language and construct, such as `md.link`.

use std::fmt;
use std::hash::{Hash, Hasher};

/// The kind of a literal. Its text is part of the public output: other programs rely on it.
///
/// Each language declares its kinds as constants with [`literal_kinds`](crate::literal_kinds) and lists them in
/// [`Language::kinds`](crate::Language::kinds).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiteralKind {
    name: &'static str,
    description: &'static str,
}

impl LiteralKind {
    /// Creates a kind from its text, `LANGUAGE.CONSTRUCT`, and a description of one line.
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self { name, description }
    }

    /// The text, such as `md.link`.
    pub const fn as_str(self) -> &'static str {
        self.name
    }

    /// The language: the text before the first dot.
    pub fn language(self) -> &'static str {
        self.name.split('.').next().unwrap_or(self.name)
    }

    /// The construct: the text behind the first dot.
    pub fn construct(self) -> &'static str {
        self.name.split_once('.').map_or("", |(_, construct)| construct)
    }

    /// Returns whether such a literal is a link of a page. A page links to a target as often as it speaks of it: in 13 repositories
    /// a quarter of 1,200 links has a twin in its file, of 7,220 includes 1 in 250, of 13,912 imports 1 in 20.
    pub fn is_of_page(self) -> bool {
        const PAGES: [&str; 5] = ["adoc", "html", "md", "rst", "tex"];
        PAGES.contains(&self.language())
    }

    /// The description of one line, in Markdown.
    pub fn description(self) -> &'static str {
        self.description.trim()
    }
}

impl Hash for LiteralKind {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Display for LiteralKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

/// Declares constants of literal kinds, and `ALL` with all of them. The comment of a constant is the description of its kind.
/// `also PATH;` adds kinds of another language, which this one reports as well.
#[macro_export]
macro_rules! literal_kinds {
    ($($(#[doc = $description:literal])+ $name:ident = $text:literal;)+ $(also $($other:path),+;)?) => {
        $(
            $(#[doc = $description])+
            pub(crate) const $name: $crate::LiteralKind = $crate::LiteralKind::new($text, concat!($($description),+));
        )+

        /// All of these kinds.
        pub(crate) const ALL: &[$crate::LiteralKind] = &[$($name,)+ $($($other),+)?];
    };
}
