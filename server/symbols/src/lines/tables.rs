//! What announces what, in each language that is read line by line.

use super::{Lines, Rule, behind_as, second_label};
use crate::SymbolKind::{
    Class, Constant, Enum, Function, Heading, Implementation, Interface, Macro, Message, Method, Module, Prototype,
    Section, Service, Struct, Table, Target, Trait, Type, Union, Variable,
};

/// As most are.
const PLAIN: Lines = Lines {
    comments: &["//"],
    block: Some(("/*", "*/")),
    modifiers: &[],
    rules: &[],
    signs: "",
    any_case: false,
    last: None,
    at_margin: false,
};

/// What stands between `CREATE TABLE` and the table's name.
const IF_NOT: &[&str] = &["if", "not", "exists", "concurrently"];
/// What stands between `CREATE` and `TABLE`, taken as if it stood before.
const SQL_RULES: &[Rule] = &[
    ("table", Table, IF_NOT),
    ("view", Table, IF_NOT),
    ("function", Function, IF_NOT),
    ("procedure", Function, IF_NOT),
    ("aggregate", Function, IF_NOT),
    ("trigger", Function, IF_NOT),
    ("type", Type, IF_NOT),
    ("domain", Type, IF_NOT),
    ("schema", Module, IF_NOT),
    ("database", Module, IF_NOT),
    ("sequence", Variable, IF_NOT),
    ("index", Section, IF_NOT),
];
/// What comes after `CREATE`.
pub(super) static CREATED: Lines = Lines {
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
    signs: "$",
    any_case: true,
    ..PLAIN
};
/// SQL.
pub(crate) static SQL: Lines =
    Lines { comments: &["--", "#"], rules: &[("create", Table, &[])], any_case: true, ..PLAIN };

pub(crate) static PROTO: Lines = Lines {
    rules: &[
        ("message", Message, &[]),
        ("enum", Enum, &[]),
        ("service", Service, &[]),
        ("rpc", Method, &[]),
        ("extend", Implementation, &[]),
    ],
    ..PLAIN
};
pub(crate) static THRIFT: Lines = Lines {
    comments: &["//", "#"],
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
pub(crate) static GRAPHQL: Lines = Lines {
    comments: &["#"],
    block: Some(("\"\"\"", "\"\"\"")),
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
    at_margin: true,
    ..PLAIN
};
pub(crate) static PRISMA: Lines =
    Lines { rules: &[("model", Table, &[]), ("enum", Enum, &[]), ("view", Table, &[])], ..PLAIN };
pub(crate) static CMAKE: Lines = Lines {
    comments: &["#"],
    rules: &[
        ("function", Function, &["("]),
        ("macro", Macro, &["("]),
        ("add_executable", Target, &["("]),
        ("add_library", Target, &["("]),
        ("add_custom_target", Target, &["("]),
        ("option", Variable, &["("]),
    ],
    signs: "-.",
    any_case: true,
    ..PLAIN
};
pub(crate) static BAZEL: Lines = Lines { comments: &["#"], block: None, rules: &[("name =", Target, &[])], ..PLAIN };
/// Dockerfiles: stages that have a name.
pub(crate) static DOCKERFILE: Lines = Lines {
    comments: &["#"],
    block: None,
    rules: &[("from", Target, &[])],
    signs: "-.",
    any_case: true,
    last: Some(behind_as),
    ..PLAIN
};
/// Terraform: a label or two, of which the last is the name.
pub(crate) static HCL: Lines = Lines {
    comments: &["#", "//"],
    rules: &[
        ("resource", Section, &[]),
        ("data", Section, &[]),
        ("module", Module, &[]),
        ("variable", Variable, &[]),
        ("output", Variable, &[]),
        ("provider", Section, &[]),
    ],
    signs: "-",
    last: Some(second_label),
    at_margin: true,
    ..PLAIN
};
pub(crate) static INI: Lines = Lines {
    comments: &["#", ";"],
    block: None,
    rules: &[("[[", Section, &[]), ("[", Section, &[])],
    signs: "-. :/@",
    at_margin: true,
    ..PLAIN
};
pub(crate) static STYLES: Lines =
    Lines { rules: &[("@mixin", Macro, &[]), ("@function", Function, &[])], signs: "-", ..PLAIN };
pub(crate) static LATEX: Lines = Lines {
    comments: &["%"],
    block: None,
    rules: &[
        ("\\newcommand", Macro, &["*", "{", "\\"]),
        ("\\renewcommand", Macro, &["*", "{", "\\"]),
        ("\\chapter", Heading, &["*", "{"]),
        ("\\section", Heading, &["*", "{"]),
        ("\\subsection", Heading, &["*", "{"]),
        ("\\label", Section, &["{"]),
    ],
    signs: " -,.:'",
    ..PLAIN
};
pub(crate) static PERL: Lines = Lines {
    comments: &["#"],
    block: None,
    rules: &[("sub", Function, &[]), ("package", Module, &[]), ("use constant", Constant, &["{"])],
    ..PLAIN
};
pub(crate) static POWERSHELL: Lines = Lines {
    comments: &["#"],
    block: Some(("<#", "#>")),
    rules: &[("function", Function, &[]), ("filter", Function, &[]), ("class", Class, &[]), ("enum", Enum, &[])],
    signs: "-",
    any_case: true,
    ..PLAIN
};
pub(crate) static VIM: Lines = Lines {
    comments: &["\""],
    block: None,
    modifiers: &["export"],
    rules: &[
        ("function!", Function, &[]),
        ("function", Function, &[]),
        ("fu!", Function, &[]),
        ("def", Function, &[]),
        ("command!", Macro, &["-nargs=0", "-nargs=1", "-nargs=*", "-nargs=?", "-bang", "-bar"]),
    ],
    signs: "#",
    ..PLAIN
};
pub(crate) static JULIA: Lines = Lines {
    comments: &["#"],
    block: Some(("\"\"\"", "\"\"\"")),
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
    signs: "!",
    ..PLAIN
};
pub(crate) static LISP: Lines = Lines {
    comments: &[";"],
    block: Some(("#|", "|#")),
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
    signs: "-!?*+<>=/%&",
    ..PLAIN
};
pub(crate) static ERLANG: Lines = Lines {
    comments: &["%"],
    block: None,
    rules: &[
        ("-module", Module, &["("]),
        ("-record", Struct, &["("]),
        ("-define", Macro, &["("]),
        ("-type", Type, &[]),
        ("-opaque", Type, &[]),
        ("-spec", Function, &[]),
        ("-callback", Prototype, &[]),
    ],
    signs: "@",
    at_margin: true,
    ..PLAIN
};
pub(crate) static OCAML: Lines = Lines {
    comments: &[],
    block: Some(("(*", "*)")),
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
    signs: "'",
    at_margin: true,
    ..PLAIN
};
pub(crate) static GROOVY: Lines = Lines {
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
pub(crate) static OBJECTIVE_C: Lines = Lines {
    rules: &[
        ("@interface", Class, &[]),
        ("@implementation", Implementation, &[]),
        ("@protocol", Interface, &[]),
        ("#define", Macro, &[]),
        ("typedef NS_ENUM", Enum, &["(", "NSInteger", "NSUInteger", ","]),
    ],
    ..PLAIN
};
pub(crate) static PASCAL: Lines = Lines {
    block: Some(("{", "}")),
    modifiers: &["class"],
    rules: &[
        ("procedure", Function, &[]),
        ("function", Function, &[]),
        ("constructor", Method, &[]),
        ("unit", Module, &[]),
        ("program", Module, &[]),
    ],
    any_case: true,
    ..PLAIN
};
pub(crate) static FORTRAN: Lines = Lines {
    comments: &["!"],
    block: None,
    modifiers: &["pure", "elemental", "recursive", "impure", "integer", "real", "logical"],
    rules: &[
        ("subroutine", Function, &[]),
        ("function", Function, &[]),
        ("module procedure", Function, &[]),
        ("module", Module, &[]),
        ("program", Module, &[]),
        ("type ::", Struct, &[]),
    ],
    any_case: true,
    ..PLAIN
};
pub(crate) static SOLIDITY: Lines = Lines {
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
    signs: "$",
    ..PLAIN
};
/// Of words that many younger languages share: Nim, Crystal, D, V, Gleam, Odin, WGSL, Verilog, Fish, Tcl, Awk, Cython.
pub(crate) static OTHER: Lines = Lines {
    comments: &["//", "#", "--", ";"],
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
