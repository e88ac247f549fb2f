//! Reads symbols of languages with braces and declaration keywords: Kotlin, C#, Swift, Scala. Their tree-sitter grammars are
//! 3 to 5 MB each; keywords and braces are enough to find declarations.
//!
//! A brace opens the body of a type, a namespace or other code, which decides whether a function is a method, a function at
//! file level, or local and not a symbol.

mod members;

use crate::{Symbol, SymbolKind};
use pathfinder_syntax::lexer::{Backquote, LexerOptions, TripleQuotes};

use crate::tokens::{Token, tokenize};

/// A language that is read by keywords and braces.
pub(crate) struct BraceLanguage {
    lexer_options: LexerOptions,
    /// Words that begin a declaration.
    keywords: &'static [(&'static str, DeclarationKind)],
    /// Words that may stand before them. At the margin they begin a declaration, which recovers from a missing brace.
    modifiers: &'static [&'static str],
    /// True if members begin with a type instead of a keyword.
    has_typed_members: bool,
}

/// The declaration that a keyword begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeclarationKind {
    /// A type with members, of this kind.
    Type(SymbolKind),
    /// A type with no members.
    Alias,
    /// An enum, whose members are not read.
    Enum,
    /// A namespace: contains declarations, and is no symbol itself.
    Namespace,
    /// A function: a method within a type.
    Function,
    /// A value at file level.
    Value(SymbolKind),
    /// `delegate`: a type, named before its parentheses.
    Delegate,
}
use DeclarationKind::{Alias, Delegate, Enum, Function, Namespace, Type, Value};

/// The lexical rules that most of these languages share.
const WITH_BRACES: LexerOptions = LexerOptions {
    nested_comments: true,
    backquote: Backquote::Name,
    dollar_in_words: false,
    triple_quotes: TripleQuotes::Counted,
    ..LexerOptions::C_LIKE
};

pub(crate) static KOTLIN: BraceLanguage = BraceLanguage {
    lexer_options: WITH_BRACES,
    keywords: &[
        ("class", Type(SymbolKind::Class)),
        ("interface", Type(SymbolKind::Interface)),
        ("object", Type(SymbolKind::Class)),
        ("typealias", Alias),
        ("fun", Function),
        ("val", Value(SymbolKind::Variable)),
        ("var", Value(SymbolKind::Variable)),
    ],
    modifiers: &["public", "private", "internal", "open", "abstract", "sealed", "data", "enum", "inline", "suspend"],
    has_typed_members: false,
};

pub(crate) static SWIFT: BraceLanguage = BraceLanguage {
    lexer_options: LexerOptions { preprocessor: true, ..WITH_BRACES },
    keywords: &[
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
    has_typed_members: false,
};

pub(crate) static SCALA: BraceLanguage = BraceLanguage {
    lexer_options: WITH_BRACES,
    keywords: &[
        ("class", Type(SymbolKind::Class)),
        ("object", Type(SymbolKind::Class)),
        ("trait", Type(SymbolKind::Trait)),
        ("enum", Type(SymbolKind::Enum)),
        ("type", Alias),
        ("def", Function),
        ("val", Value(SymbolKind::Variable)),
        ("package", Namespace),
    ],
    modifiers: &["private", "protected", "abstract", "sealed", "final", "case", "implicit"],
    has_typed_members: false,
};

pub(crate) static C_SHARP: BraceLanguage = BraceLanguage {
    lexer_options: LexerOptions { preprocessor: true, nested_comments: false, verbatim_strings: true, ..WITH_BRACES },
    keywords: &[
        ("class", Type(SymbolKind::Class)),
        ("record", Type(SymbolKind::Class)),
        ("struct", Type(SymbolKind::Struct)),
        ("interface", Type(SymbolKind::Interface)),
        ("enum", Enum),
        ("delegate", Delegate),
        ("namespace", Namespace),
    ],
    modifiers: &["public", "private", "internal", "abstract", "sealed", "static", "partial"],
    has_typed_members: true,
};

/// The contents of a pair of braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body<'t> {
    /// Members of the type with this name.
    Type(&'t str),
    /// Declarations, as at file level.
    Namespace,
    /// Anything else.
    Other,
}

/// Keywords of types that are read within functions too.
const LOCAL_TYPE_KEYWORDS: [&str; 7] = ["class", "struct", "interface", "object", "trait", "protocol", "enum"];

/// Tokens after a keyword within which the name stands, behind type parameters and a receiver.
const MAX_NAME_TOKENS: usize = 64;

impl BraceLanguage {
    /// Reads the symbols of a text.
    pub(crate) fn read_symbols(&'static self, text: &str) -> Vec<Symbol> {
        let tokens = tokenize(text, self.lexer_options);
        let mut parser = BraceParser {
            braces: self,
            tokens: &tokens,
            bodies: Vec::new(),
            parens: 0,
            next_body: Body::Other,
            next_body_depth: (0, 0),
            symbols: Vec::new(),
        };
        let mut at = 0;
        while at < tokens.len() {
            at = parser.read_token(at);
        }
        parser.symbols
    }

    fn declaration_kind(&self, word: &str) -> Option<DeclarationKind> {
        self.keywords.iter().find(|(known, _)| *known == word).map(|(_, declaration_kind)| *declaration_kind)
    }
}

struct BraceParser<'w, 't> {
    braces: &'static BraceLanguage,
    tokens: &'w [Token<'t>],
    /// The open bodies, each with the number of parentheses open around it.
    bodies: Vec<(Body<'t>, usize)>,
    parens: usize,
    /// The body that the next brace at `next_body_depth` opens.
    next_body: Body<'t>,
    next_body_depth: (usize, usize),
    symbols: Vec<Symbol>,
}

impl<'t> BraceParser<'_, 't> {
    fn body(&self) -> Body<'t> {
        self.bodies.last().map_or(Body::Namespace, |(body, _)| *body)
    }

    /// The current depth: open bodies, and open parentheses in the innermost.
    fn depth(&self) -> (usize, usize) {
        (self.bodies.len(), self.parens)
    }

    /// Sets the body that the next brace at this depth opens.
    fn expect_body(&mut self, body: Body<'t>) {
        (self.next_body, self.next_body_depth) = (body, self.depth());
    }

    fn is_sign(&self, at: usize, sign: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_sign(sign))
    }

    fn name_at(&self, at: usize) -> Option<&'t str> {
        self.tokens.get(at).filter(|token| token.is_name).map(|token| token.text)
    }

    /// Reads the token at `at` and the declaration that it begins; returns the next position.
    fn read_token(&mut self, at: usize) -> usize {
        let token = self.tokens[at];
        match token.text {
            "{" if !token.is_name => {
                // A brace among parameters or arguments is a block; the type's own brace comes later.
                let own = self.next_body_depth == self.depth();
                let body = if own { std::mem::replace(&mut self.next_body, Body::Other) } else { Body::Other };
                self.bodies.push((body, self.parens));
                self.parens = 0;
            }
            "}" if !token.is_name => {
                self.parens = self.bodies.pop().map_or(0, |(_, parens)| parens);
                if self.depth() <= self.next_body_depth {
                    self.next_body = Body::Other;
                }
            }
            "(" | "[" if !token.is_name => self.parens += 1,
            ")" | "]" if !token.is_name => self.parens = self.parens.saturating_sub(1),
            ";" if !token.is_name && self.depth() == self.next_body_depth => self.next_body = Body::Other,
            word if token.is_name => {
                let declaration_kind = self.braces.declaration_kind(word);
                if token.at_margin && (declaration_kind.is_some() || self.braces.modifiers.contains(&word)) {
                    self.bodies.clear();
                    self.parens = 0;
                }
                if let Some(declaration_kind) =
                    declaration_kind.filter(|_| LOCAL_TYPE_KEYWORDS.contains(&word) && self.begins_type(at))
                {
                    return self.read_declaration(at, declaration_kind).unwrap_or(at + 1);
                }
                if self.parens == 0 && self.body() != Body::Other && !self.is_value(at) {
                    if let Some(declaration_kind) = declaration_kind {
                        return self.read_declaration(at, declaration_kind).unwrap_or(at + 1);
                    }
                    if self.braces.has_typed_members && matches!(self.body(), Body::Type(_)) && self.begins_member(at) {
                        return self.read_member(at);
                    }
                }
            }
            _ => {}
        }
        at + 1
    }

    /// Returns whether a type begins at a type keyword. Kotlin's `object` can begin one without a name.
    fn begins_type(&self, at: usize) -> bool {
        let nameless = self.tokens[at].text == "object" && (self.is_sign(at + 1, ":") || self.is_sign(at + 1, "{"));
        nameless || !self.is_value(at) && self.name_at(at + 1).is_some()
    }

    /// Returns whether a word is part of an expression or a constraint: `Foo::class`, `where T : class`.
    fn is_value(&self, at: usize) -> bool {
        at > 0
            && self.tokens[at - 1].line == self.tokens[at].line
            && [":", ",", ".", "=", "<", "("].iter().any(|sign| self.is_sign(at - 1, sign))
    }

    /// Reads the declaration whose keyword is at `at`; returns the next position, if it is not the next token.
    fn read_declaration(&mut self, at: usize, declaration_kind: DeclarationKind) -> Option<usize> {
        let word = self.tokens[at].text;
        match declaration_kind {
            Type(kind) => {
                let mut at = at + 1;
                // `record struct`, `class func`, `enum class` and the like: the last word counts.
                if let Some(next) = self.name_at(at).and_then(|name| self.braces.declaration_kind(name)) {
                    return match next {
                        Type(kind) if word == "record" => {
                            at += 1;
                            self.expect_body(Body::Type(self.name_at(at).unwrap_or_default()));
                            self.push_symbol(at, kind);
                            Some(at + 1)
                        }
                        _ => Some(at),
                    };
                }
                let kind = self.kind_of_type(at - 1, kind);
                self.expect_body(Body::Type(self.name_at(at).unwrap_or_default()));
                // `extension A.B`: of B.
                while self.is_sign(at + 1, ".") && self.name_at(at + 2).is_some() {
                    at += 2;
                }
                // `object : Type {` has no name; type parameters need no reading.
                self.push_symbol(at, kind);
                Some(if self.name_at(at).is_some() { at + 1 } else { at })
            }
            Enum => {
                self.expect_body(Body::Other);
                self.push_symbol(at + 1, SymbolKind::Enum);
                Some(at + 2)
            }
            Alias => {
                self.expect_body(Body::Other);
                // A member with the keyword as its name: `type: Int`.
                let follows = ["=", "<", ":", ">", "[", ";", "}"].iter().any(|sign| self.is_sign(at + 2, sign));
                if follows || self.tokens.get(at + 2).is_none_or(|next| next.line > self.tokens[at].line) {
                    self.push_symbol(at + 1, SymbolKind::Type);
                }
                Some(at + 2)
            }
            Namespace => {
                self.expect_body(Body::Namespace);
                None
            }
            Function => {
                self.expect_body(Body::Other);
                // `fun interface`.
                if self.name_at(at + 1).is_some_and(|name| self.braces.declaration_kind(name).is_some())
                    && !self.is_sign(at + 2, "(")
                {
                    return None;
                }
                let kind = if matches!(self.body(), Body::Type(_)) { SymbolKind::Method } else { SymbolKind::Function };
                let name = self.find_function_name(at + 1)?;
                self.push_symbol(name, kind);
                Some(name + 1)
            }
            Delegate => {
                let name = self.find_function_name(at + 1)?;
                self.push_symbol(name, SymbolKind::Type);
                Some(name + 1)
            }
            Value(kind) => {
                self.expect_body(Body::Other);
                let constant = at > 0 && self.tokens[at - 1].text == "const";
                let kind = if constant { SymbolKind::Constant } else { kind };
                if constant || self.bodies.is_empty() && self.line_begins_at_margin(at) {
                    self.push_symbol(at + 1, kind);
                }
                Some(at + 1)
            }
        }
    }

    /// Returns whether a token's line begins at the margin: in languages that indent instead of using braces, only those
    /// declarations are at file level.
    fn line_begins_at_margin(&self, at: usize) -> bool {
        let line = self.tokens[at].line;
        let before = self.tokens[..=at].iter().rev().take_while(|token| token.line == line);
        before.last().is_some_and(|first| first.at_margin)
    }

    /// The kind of a type, corrected for `enum class` and `annotation class`.
    fn kind_of_type(&self, word: usize, kind: SymbolKind) -> SymbolKind {
        match word.checked_sub(1).and_then(|before| self.name_at(before)) {
            Some("enum") => SymbolKind::Enum,
            Some("annotation") => SymbolKind::Interface,
            _ => kind,
        }
    }

    /// The name that stands before a function's parentheses, or before its type parameters: `<T> List<T>.name<U>(`.
    fn find_function_name(&self, from: usize) -> Option<usize> {
        let mut angles = 0_usize;
        let mut last = None;
        for at in from..(from + MAX_NAME_TOKENS).min(self.tokens.len()) {
            let token = &self.tokens[at];
            if token.is_name {
                if angles == 0 {
                    last = Some(at);
                    // Scala's functions need no parentheses, and the next line belongs to another declaration.
                    let goes_on = [".", "<", "?"].iter().any(|sign| self.is_sign(at + 1, sign));
                    if !goes_on && !self.braces.has_typed_members {
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

    /// Adds a symbol with the name at `at`, if there is one.
    fn push_symbol(&mut self, at: usize, kind: SymbolKind) {
        let Some(token) = self.tokens.get(at).filter(|token| token.is_name) else { return };
        self.symbols.push(Symbol { name: token.text.into(), kind, line: token.line });
    }
}
