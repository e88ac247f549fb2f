//! The tables of declaration words for each language that is read line by line.

use super::{LineLanguage, Rule, second_label, stage_name};
use crate::SymbolKind::{
    Class, Constant, Enum, Function, Heading, Implementation, Interface, Macro, Message, Method, Module, Prototype,
    Section, Service, Struct, Table, Target, Trait, Type, Union, Variable,
};

/// The defaults of most languages.
const PLAIN: LineLanguage = LineLanguage {
    comment_marks: &["//"],
    block_comment: Some(("/*", "*/")),
    modifiers: &[],
    rules: &[],
    name_signs: "",
    ignores_case: false,
    find_name: None,
    only_at_margin: false,
};

/// Words between `CREATE TABLE` and the table's name.
const SKIPPED_SQL_WORDS: &[&str] = &["if", "not", "exists", "concurrently"];
/// The objects that `CREATE` declares.
const SQL_RULES: &[Rule] = &[
    ("table", Table, SKIPPED_SQL_WORDS),
    ("view", Table, SKIPPED_SQL_WORDS),
    ("function", Function, SKIPPED_SQL_WORDS),
    ("procedure", Function, SKIPPED_SQL_WORDS),
    ("aggregate", Function, SKIPPED_SQL_WORDS),
    ("trigger", Function, SKIPPED_SQL_WORDS),
    ("type", Type, SKIPPED_SQL_WORDS),
    ("domain", Type, SKIPPED_SQL_WORDS),
    ("schema", Module, SKIPPED_SQL_WORDS),
    ("database", Module, SKIPPED_SQL_WORDS),
    ("sequence", Variable, SKIPPED_SQL_WORDS),
    ("index", Section, SKIPPED_SQL_WORDS),
];
/// The text behind `CREATE`; words between `CREATE` and `TABLE` are its modifiers.
pub(super) static SQL_OBJECTS: LineLanguage = LineLanguage {
    modifiers: &[
        "or",
        "replace",
        "temp",
        "temporary",
        "global",
        "local",
        "unlogged",
        "unique",
        "materialized",
        "recursive",
        "external",
        "virtual",
        "constraint",
        "foreign",
        "clustered",
        "nonclustered",
        "editionable",
        "public",
    ],
    rules: SQL_RULES,
    name_signs: "$",
    ignores_case: true,
    ..PLAIN
};
/// SQL: only `CREATE` declares objects.
pub(crate) static SQL: LineLanguage =
    LineLanguage { comment_marks: &["--", "#"], rules: &[("create", Table, &[])], ignores_case: true, ..PLAIN };

pub(crate) static PROTO: LineLanguage = LineLanguage {
    rules: &[
        ("message", Message, &[]),
        ("enum", Enum, &[]),
        ("service", Service, &[]),
        ("rpc", Method, &[]),
        ("extend", Implementation, &[]),
    ],
    ..PLAIN
};
pub(crate) static THRIFT: LineLanguage = LineLanguage {
    comment_marks: &["//", "#"],
    rules: &[
        ("struct", Message, &[]),
        ("exception", Message, &[]),
        ("union", Union, &[]),
        ("enum", Enum, &[]),
        ("service", Service, &[]),
        ("const", Constant, &["string", "i32", "i64", "bool", "double"]),
    ],
    ..PLAIN
};
pub(crate) static GRAPHQL: LineLanguage = LineLanguage {
    comment_marks: &["#"],
    block_comment: Some(("\"\"\"", "\"\"\"")),
    rules: &[
        ("type", Type, &[]),
        ("interface", Interface, &[]),
        ("enum", Enum, &[]),
        ("input", Type, &[]),
        ("union", Union, &[]),
        ("scalar", Type, &[]),
        ("directive", Macro, &["@"]),
        ("extend type", Implementation, &[]),
        ("fragment", Type, &[]),
        ("query", Function, &[]),
        ("mutation", Function, &[]),
    ],
    only_at_margin: true,
    ..PLAIN
};
pub(crate) static PRISMA: LineLanguage =
    LineLanguage { rules: &[("model", Table, &[]), ("enum", Enum, &[]), ("view", Table, &[])], ..PLAIN };
pub(crate) static CMAKE: LineLanguage = LineLanguage {
    comment_marks: &["#"],
    rules: &[
        ("function", Function, &["("]),
        ("macro", Macro, &["("]),
        ("add_executable", Target, &["("]),
        ("add_library", Target, &["("]),
        ("add_custom_target", Target, &["("]),
        ("option", Variable, &["("]),
    ],
    name_signs: "-.",
    ignores_case: true,
    ..PLAIN
};
pub(crate) static BAZEL: LineLanguage =
    LineLanguage { comment_marks: &["#"], block_comment: None, rules: &[("name =", Target, &[])], ..PLAIN };
/// Dockerfiles: named stages.
pub(crate) static DOCKERFILE: LineLanguage = LineLanguage {
    comment_marks: &["#"],
    block_comment: None,
    rules: &[("from", Target, &[])],
    name_signs: "-.",
    ignores_case: true,
    find_name: Some(stage_name),
    ..PLAIN
};
/// Terraform: one or two labels; the last one is the name.
pub(crate) static HCL: LineLanguage = LineLanguage {
    comment_marks: &["#", "//"],
    rules: &[
        ("resource", Section, &[]),
        ("data", Section, &[]),
        ("module", Module, &[]),
        ("variable", Variable, &[]),
        ("output", Variable, &[]),
        ("provider", Section, &[]),
    ],
    name_signs: "-",
    find_name: Some(second_label),
    only_at_margin: true,
    ..PLAIN
};
pub(crate) static INI: LineLanguage = LineLanguage {
    comment_marks: &["#", ";"],
    block_comment: None,
    rules: &[("[[", Section, &[]), ("[", Section, &[])],
    name_signs: "-. :/@",
    only_at_margin: true,
    ..PLAIN
};
pub(crate) static STYLES: LineLanguage =
    LineLanguage { rules: &[("@mixin", Macro, &[]), ("@function", Function, &[])], name_signs: "-", ..PLAIN };
pub(crate) static LATEX: LineLanguage = LineLanguage {
    comment_marks: &["%"],
    block_comment: None,
    rules: &[
        ("\\newcommand", Macro, &["*", "{", "\\"]),
        ("\\renewcommand", Macro, &["*", "{", "\\"]),
        ("\\chapter", Heading, &["*", "{"]),
        ("\\section", Heading, &["*", "{"]),
        ("\\subsection", Heading, &["*", "{"]),
        ("\\label", Section, &["{"]),
    ],
    name_signs: " -,.:'",
    ..PLAIN
};
pub(crate) static PERL: LineLanguage = LineLanguage {
    comment_marks: &["#"],
    block_comment: None,
    rules: &[("sub", Function, &[]), ("package", Module, &[]), ("use constant", Constant, &["{"])],
    ..PLAIN
};
pub(crate) static POWERSHELL: LineLanguage = LineLanguage {
    comment_marks: &["#"],
    block_comment: Some(("<#", "#>")),
    rules: &[("function", Function, &[]), ("filter", Function, &[]), ("class", Class, &[]), ("enum", Enum, &[])],
    name_signs: "-",
    ignores_case: true,
    ..PLAIN
};
pub(crate) static VIM: LineLanguage = LineLanguage {
    comment_marks: &["\""],
    block_comment: None,
    modifiers: &["export"],
    rules: &[
        ("function!", Function, &[]),
        ("function", Function, &[]),
        ("fu!", Function, &[]),
        ("def", Function, &[]),
        ("command!", Macro, &["-nargs=0", "-nargs=1", "-nargs=*", "-nargs=?", "-bang", "-bar"]),
    ],
    name_signs: "#",
    ..PLAIN
};
pub(crate) static JULIA: LineLanguage = LineLanguage {
    comment_marks: &["#"],
    block_comment: Some(("\"\"\"", "\"\"\"")),
    modifiers: &["@inline", "@noinline", "Base.@kwdef", "@kwdef"],
    rules: &[
        ("function", Function, &[]),
        ("macro", Macro, &[]),
        ("mutable struct", Struct, &[]),
        ("struct", Struct, &[]),
        ("abstract type", Type, &[]),
        ("primitive type", Type, &[]),
        ("module", Module, &[]),
        ("const", Constant, &[]),
    ],
    name_signs: "!",
    ..PLAIN
};
pub(crate) static LISP: LineLanguage = LineLanguage {
    comment_marks: &[";"],
    block_comment: Some(("#|", "|#")),
    rules: &[
        ("(defn-", Function, &["^:private"]),
        ("(defn", Function, &["^:private"]),
        ("(defmacro", Macro, &[]),
        ("(defprotocol", Interface, &[]),
        ("(defrecord", Struct, &[]),
        ("(deftype", Type, &[]),
        ("(defmulti", Function, &[]),
        ("(defmethod", Method, &[]),
        ("(defgeneric", Prototype, &["("]),
        ("(defclass", Class, &[]),
        ("(defstruct", Struct, &["("]),
        ("(defun", Function, &[]),
        ("(cl-defun", Function, &[]),
        ("(defsubst", Function, &[]),
        ("(defvar", Variable, &[]),
        ("(defcustom", Variable, &[]),
        ("(defconst", Constant, &[]),
        ("(defparameter", Variable, &[]),
        ("(define-minor-mode", Function, &[]),
        ("(define-syntax", Macro, &["("]),
        ("(define", Function, &["("]),
        ("(def", Variable, &["^:dynamic", "^:private"]),
        ("(ns", Module, &[]),
    ],
    name_signs: "-!?*+<>=/%&",
    ..PLAIN
};
pub(crate) static ERLANG: LineLanguage = LineLanguage {
    comment_marks: &["%"],
    block_comment: None,
    rules: &[
        ("-module", Module, &["("]),
        ("-record", Struct, &["("]),
        ("-define", Macro, &["("]),
        ("-type", Type, &[]),
        ("-opaque", Type, &[]),
        ("-spec", Function, &[]),
        ("-callback", Prototype, &[]),
    ],
    name_signs: "@",
    only_at_margin: true,
    ..PLAIN
};
pub(crate) static OCAML: LineLanguage = LineLanguage {
    comment_marks: &[],
    block_comment: Some(("(*", "*)")),
    modifiers: &["private", "inline", "internal", "public", "mutable"],
    rules: &[
        ("let rec", Function, &["inline"]),
        ("let", Function, &["inline", "private", "mutable"]),
        ("and", Function, &[]),
        ("val", Prototype, &[]),
        ("external", Function, &[]),
        ("module type", Interface, &[]),
        ("module", Module, &["rec"]),
        ("type", Type, &["nonrec", "'a", "'b", "(", ")", ","]),
        ("exception", Type, &[]),
        ("class", Class, &["virtual"]),
        ("namespace", Module, &[]),
    ],
    name_signs: "'",
    only_at_margin: true,
    ..PLAIN
};
pub(crate) static GROOVY: LineLanguage = LineLanguage {
    modifiers: &["public", "private", "protected", "static", "final", "abstract"],
    rules: &[
        ("class", Class, &[]),
        ("interface", Interface, &[]),
        ("trait", Trait, &[]),
        ("enum", Enum, &[]),
        ("task", Target, &[]),
        ("tasks.register(", Target, &[]),
    ],
    ..PLAIN
};
pub(crate) static OBJECTIVE_C: LineLanguage = LineLanguage {
    rules: &[
        ("@interface", Class, &[]),
        ("@implementation", Implementation, &[]),
        ("@protocol", Interface, &[]),
        ("#define", Macro, &[]),
        ("typedef NS_ENUM", Enum, &["(", "NSInteger", "NSUInteger", ","]),
    ],
    ..PLAIN
};
pub(crate) static PASCAL: LineLanguage = LineLanguage {
    block_comment: Some(("{", "}")),
    modifiers: &["class"],
    rules: &[
        ("procedure", Function, &[]),
        ("function", Function, &[]),
        ("constructor", Method, &[]),
        ("unit", Module, &[]),
        ("program", Module, &[]),
    ],
    ignores_case: true,
    ..PLAIN
};
pub(crate) static FORTRAN: LineLanguage = LineLanguage {
    comment_marks: &["!"],
    block_comment: None,
    modifiers: &["pure", "elemental", "recursive", "impure", "integer", "real", "logical"],
    rules: &[
        ("subroutine", Function, &[]),
        ("function", Function, &[]),
        ("module procedure", Function, &[]),
        ("module", Module, &[]),
        ("program", Module, &[]),
        ("type ::", Struct, &[]),
    ],
    ignores_case: true,
    ..PLAIN
};
pub(crate) static SOLIDITY: LineLanguage = LineLanguage {
    modifiers: &["abstract"],
    rules: &[
        ("contract", Class, &[]),
        ("interface", Interface, &[]),
        ("library", Class, &[]),
        ("struct", Struct, &[]),
        ("enum", Enum, &[]),
        ("function", Method, &[]),
        ("modifier", Macro, &[]),
        ("event", Type, &[]),
        ("error", Type, &[]),
    ],
    name_signs: "$",
    ..PLAIN
};
/// Words that many younger languages share: Nim, Crystal, D, V, Gleam, Odin, WGSL, Verilog, Fish, Tcl, Awk, Cython.
pub(crate) static OTHER: LineLanguage = LineLanguage {
    comment_marks: &["//", "#", "--", ";"],
    modifiers: &["pub", "public", "private", "export", "static", "abstract", "final", "cdef", "cpdef", "async"],
    rules: &[
        ("func", Function, &[]),
        ("function", Function, &[]),
        ("fn", Function, &[]),
        ("proc", Function, &[]),
        ("def", Function, &["self."]),
        ("class", Class, &[]),
        ("struct", Struct, &[]),
        ("interface", Interface, &[]),
        ("trait", Trait, &[]),
        ("enum", Enum, &[]),
        ("union", Union, &[]),
        ("module", Module, &[]),
        ("macro", Macro, &[]),
        ("template", Macro, &[]),
    ],
    ..PLAIN
};
