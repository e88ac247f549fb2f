//! Declarations of languages with braces that announce what they declare with a word: Kotlin, C#, Swift, Scala. Their
//! grammars are 3 to 5 MB each; their declarations are where words and braces say.

mod members;

use crate::tokens::{Habits, Token, tokens};
use crate::{Symbol, SymbolKind};

/// A language of this kind.
pub(crate) struct Braces {
    habits: Habits,
    /// Words that announce a declaration.
    words: &'static [(&'static str, Announced)],
    /// Words that may stand before them; at the margin they begin a declaration, so that a brace that was lost is made up for.
    modifiers: &'static [&'static str],
    /// Whether members are announced by nothing but a type.
    typed_members: bool,
}

/// What a word announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Announced {
    /// A type with members, of this kind.
    Type(SymbolKind),
    /// A type with no members.
    Alias,
    /// A type with members, or with none that count.
    Enum,
    /// What has declarations in it, and is itself none.
    Space,
    /// A function: a method within a type.
    Function,
    /// A value that the whole file sees.
    Value(SymbolKind),
    /// `delegate`: a type, named before its parentheses.
    Delegate,
}
use Announced::{Alias, Delegate, Enum, Function, Space, Type, Value};

pub(crate) static KOTLIN: Braces = Braces {
    habits: Habits { preprocessor: false, nested_comments: true, verbatim: false },
    words: &[
        ("class", Type(SymbolKind::Class)),
        ("interface", Type(SymbolKind::Interface)),
        ("object", Type(SymbolKind::Class)),
        ("typealias", Alias),
        ("fun", Function),
        ("val", Value(SymbolKind::Variable)),
        ("var", Value(SymbolKind::Variable)),
    ],
    modifiers: &["public", "private", "internal", "open", "abstract", "sealed", "data", "enum", "inline", "suspend"],
    typed_members: false,
};

pub(crate) static SWIFT: Braces = Braces {
    habits: Habits { preprocessor: true, nested_comments: true, verbatim: false },
    words: &[
        ("class", Type(SymbolKind::Class)),
        ("actor", Type(SymbolKind::Class)),
        ("struct", Type(SymbolKind::Struct)),
        ("enum", Type(SymbolKind::Enum)),
        ("protocol", Type(SymbolKind::Interface)),
        ("extension", Type(SymbolKind::Implementation)),
        ("typealias", Alias),
        ("associatedtype", Alias),
        ("func", Function),
        ("macro", Function),
        ("let", Value(SymbolKind::Constant)),
        ("var", Value(SymbolKind::Variable)),
    ],
    modifiers: &["public", "private", "internal", "open", "fileprivate", "final", "package", "indirect"],
    typed_members: false,
};

pub(crate) static SCALA: Braces = Braces {
    habits: Habits { preprocessor: false, nested_comments: true, verbatim: false },
    words: &[
        ("class", Type(SymbolKind::Class)),
        ("object", Type(SymbolKind::Class)),
        ("trait", Type(SymbolKind::Trait)),
        ("enum", Type(SymbolKind::Enum)),
        ("type", Alias),
        ("def", Function),
        ("val", Value(SymbolKind::Variable)),
        ("package", Space),
    ],
    modifiers: &["private", "protected", "abstract", "sealed", "final", "case", "implicit"],
    typed_members: false,
};

pub(crate) static C_SHARP: Braces = Braces {
    habits: Habits { preprocessor: true, nested_comments: false, verbatim: true },
    words: &[
        ("class", Type(SymbolKind::Class)),
        ("record", Type(SymbolKind::Class)),
        ("struct", Type(SymbolKind::Struct)),
        ("interface", Type(SymbolKind::Interface)),
        ("enum", Enum),
        ("delegate", Delegate),
        ("namespace", Space),
    ],
    modifiers: &["public", "private", "internal", "abstract", "sealed", "static", "partial"],
    typed_members: true,
};

/// What braces enclose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body<'t> {
    /// Members of the type with this name.
    Type(&'t str),
    /// Declarations, as in a file.
    Space,
    /// Anything else.
    Other,
}

/// Words that mean a type wherever they stand: what is declared within a function is declared too.
const LOCAL: [&str; 7] = ["class", "struct", "interface", "object", "trait", "protocol", "enum"];

/// Tokens that a declaration's name stands within, after the word that announces it: type parameters and a receiver.
const NAME_WITHIN: usize = 64;

impl Braces {
    /// What a text of this language declares.
    pub(crate) fn declared(&'static self, text: &str) -> Vec<Symbol> {
        let tokens = tokens(text, self.habits);
        let mut walk = Walk {
            braces: self,
            tokens: &tokens,
            bodies: Vec::new(),
            parens: 0,
            next: Body::Other,
            next_at: (0, 0),
            symbols: Vec::new(),
        };
        let mut at = 0;
        while at < tokens.len() {
            at = walk.step(at);
        }
        walk.symbols
    }

    fn announced(&self, word: &str) -> Option<Announced> {
        self.words.iter().find(|(known, _)| *known == word).map(|(_, announced)| *announced)
    }
}

struct Walk<'w, 't> {
    braces: &'static Braces,
    tokens: &'w [Token<'t>],
    /// What encloses this place, with the parentheses that were open before.
    bodies: Vec<(Body<'t>, usize)>,
    parens: usize,
    /// What the next brace encloses that stands where that was announced.
    next: Body<'t>,
    next_at: (usize, usize),
    symbols: Vec<Symbol>,
}

impl<'t> Walk<'_, 't> {
    fn body(&self) -> Body<'t> {
        self.bodies.last().map_or(Body::Space, |(body, _)| *body)
    }

    /// How deep this is.
    fn place(&self) -> (usize, usize) {
        (self.bodies.len(), self.parens)
    }

    /// Says what the next brace encloses that stands as deep as this.
    fn announce(&mut self, body: Body<'t>) {
        (self.next, self.next_at) = (body, self.place());
    }

    fn sign(&self, at: usize, sign: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(sign))
    }

    fn name(&self, at: usize) -> Option<&'t str> {
        self.tokens.get(at).filter(|token| token.is_name).map(|token| token.text)
    }

    /// Goes past the token at `at`, and what belongs to it.
    fn step(&mut self, at: usize) -> usize {
        let token = self.tokens[at];
        match token.text {
            "{" if !token.is_name => {
                // A brace among parameters or arguments is a block: the type's own is still to come.
                let own = self.next_at == self.place();
                let body = if own { std::mem::replace(&mut self.next, Body::Other) } else { Body::Other };
                self.bodies.push((body, self.parens));
                self.parens = 0;
            }
            "}" if !token.is_name => {
                self.parens = self.bodies.pop().map_or(0, |(_, parens)| parens);
                if self.place() <= self.next_at {
                    self.next = Body::Other;
                }
            }
            "(" | "[" if !token.is_name => self.parens += 1,
            ")" | "]" if !token.is_name => self.parens = self.parens.saturating_sub(1),
            ";" if !token.is_name && self.place() == self.next_at => self.next = Body::Other,
            word if token.is_name => {
                let announced = self.braces.announced(word);
                if token.at_margin && (announced.is_some() || self.braces.modifiers.contains(&word)) {
                    self.bodies.clear();
                    self.parens = 0;
                }
                if let Some(announced) = announced.filter(|_| LOCAL.contains(&word) && self.begins_type(at)) {
                    return self.declaration(at, announced).unwrap_or(at + 1);
                }
                if self.parens == 0 && self.body() != Body::Other && !self.is_value(at) {
                    if let Some(announced) = announced {
                        return self.declaration(at, announced).unwrap_or(at + 1);
                    }
                    if self.braces.typed_members && matches!(self.body(), Body::Type(_)) && self.begins_member(at) {
                        return self.member(at);
                    }
                }
            }
            _ => {}
        }
        at + 1
    }

    /// Whether a type begins at a word that announces one: also within a function, or without a name where a value is.
    fn begins_type(&self, at: usize) -> bool {
        let nameless = self.tokens[at].text == "object" && (self.sign(at + 1, ":") || self.sign(at + 1, "{"));
        nameless || !self.is_value(at) && self.name(at + 1).is_some()
    }

    /// Whether a word is part of an expression or a constraint: `Foo::class`, `where T : class`.
    fn is_value(&self, at: usize) -> bool {
        at > 0
            && self.tokens[at - 1].line == self.tokens[at].line
            && [":", ",", ".", "=", "<", "("].iter().any(|sign| self.sign(at - 1, sign))
    }

    /// Reads a declaration whose word stands at `at`; where to go on.
    fn declaration(&mut self, at: usize, announced: Announced) -> Option<usize> {
        let word = self.tokens[at].text;
        match announced {
            Type(kind) => {
                let mut at = at + 1;
                // `record struct`, `class func`, `enum class` and the like: the last word counts.
                if let Some(next) = self.name(at).and_then(|name| self.braces.announced(name)) {
                    return match next {
                        Type(kind) if word == "record" => {
                            at += 1;
                            self.announce(Body::Type(self.name(at).unwrap_or_default()));
                            self.named(at, kind);
                            Some(at + 1)
                        }
                        _ => Some(at),
                    };
                }
                let kind = self.kind_of_type(at - 1, kind);
                self.announce(Body::Type(self.name(at).unwrap_or_default()));
                // `extension A.B`: of B.
                while self.sign(at + 1, ".") && self.name(at + 2).is_some() {
                    at += 2;
                }
                // `object : Type {` has no name, and `interface Name<T>` needs no more.
                self.named(at, kind);
                Some(if self.name(at).is_some() { at + 1 } else { at })
            }
            Enum => {
                self.announce(Body::Other);
                self.named(at + 1, SymbolKind::Enum);
                Some(at + 2)
            }
            Alias => {
                self.announce(Body::Other);
                // A member that is called so: `type: Int`.
                let follows = ["=", "<", ":", ">", "[", ";", "}"].iter().any(|sign| self.sign(at + 2, sign));
                if follows || self.tokens.get(at + 2).is_none_or(|next| next.line > self.tokens[at].line) {
                    self.named(at + 1, SymbolKind::Type);
                }
                Some(at + 2)
            }
            Space => {
                self.announce(Body::Space);
                None
            }
            Function => {
                self.announce(Body::Other);
                // `fun interface`.
                if self.name(at + 1).is_some_and(|name| self.braces.announced(name).is_some())
                    && !self.sign(at + 2, "(")
                {
                    return None;
                }
                let kind = if matches!(self.body(), Body::Type(_)) { SymbolKind::Method } else { SymbolKind::Function };
                let name = self.before_parens(at + 1)?;
                self.named(name, kind);
                Some(name + 1)
            }
            Delegate => {
                let name = self.before_parens(at + 1)?;
                self.named(name, SymbolKind::Type);
                Some(name + 1)
            }
            Value(kind) => {
                self.announce(Body::Other);
                let constant = at > 0 && self.tokens[at - 1].text == "const";
                let kind = if constant { SymbolKind::Constant } else { kind };
                if constant || self.bodies.is_empty() && self.margin_of(at) {
                    self.named(at + 1, kind);
                }
                Some(at + 1)
            }
        }
    }

    /// Whether the line on which a token stands begins at the margin: in languages that indent instead of using braces,
    /// only that is seen by the whole file.
    fn margin_of(&self, at: usize) -> bool {
        let line = self.tokens[at].line;
        let before = self.tokens[..=at].iter().rev().take_while(|token| token.line == line);
        before.last().is_some_and(|first| first.at_margin)
    }

    /// `enum class` and `annotation class` are no classes.
    fn kind_of_type(&self, word: usize, kind: SymbolKind) -> SymbolKind {
        match word.checked_sub(1).and_then(|before| self.name(before)) {
            Some("enum") => SymbolKind::Enum,
            Some("annotation") => SymbolKind::Interface,
            _ => kind,
        }
    }

    /// The name that stands before a function's parentheses, or before its type parameters: `<T> List<T>.name<U>(`.
    fn before_parens(&self, from: usize) -> Option<usize> {
        let mut angles = 0_usize;
        let mut last = None;
        for at in from..(from + NAME_WITHIN).min(self.tokens.len()) {
            let token = &self.tokens[at];
            if token.is_name {
                if angles == 0 {
                    last = Some(at);
                    // Scala's functions need no parentheses, and what follows on the next line is another's.
                    let goes_on = [".", "<", "?"].iter().any(|sign| self.sign(at + 1, sign));
                    if !goes_on && !self.braces.typed_members {
                        return last;
                    }
                }
                continue;
            }
            match token.text {
                "<" => angles += 1,
                ">" => angles = angles.saturating_sub(1),
                "(" if angles == 0 => return last,
                "{" | "}" | ";" => return None,
                _ => {}
            }
        }
        None
    }

    /// Adds what is named at `at`, if a name stands there.
    fn named(&mut self, at: usize, kind: SymbolKind) {
        let Some(token) = self.tokens.get(at).filter(|token| token.is_name) else { return };
        self.symbols.push(Symbol { name: token.text.into(), kind, line: token.line });
    }
}
