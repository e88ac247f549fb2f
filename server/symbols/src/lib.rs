//! Reads the symbols that a file declares: types, functions, headings, tables. Text in, [`Symbol`]s out: no protocol, disk
//! or clock. The server calls [`declared`] for the files of a workspace.
//!
//! Languages with a grammar in `pathfinder-syntax` have a query each (`tags/*.scm`). Languages with large grammars and
//! declarations that keywords and braces show are read by a lexer (`braces.rs`). The rest is read by the first words of each
//! line (`lines/tables.rs`).
//!
//! A prototype and a method of an interface have the kind `Prototype`. A type whose members a file has without declaring it
//! (`impl`, `extension`, `Type::member`, a Go receiver) is an `Implementation`.

#![forbid(unsafe_code)]
#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests write files and look at the clock"))]

mod braces;
mod haskell;
mod language;
mod lines;
mod makefile;
mod markup;
mod shell;
mod tags;
mod tokens;

use std::collections::HashSet;

use language::{SymbolReader, extract_scripts, reader_for};

pub use pathfinder_core::symbols::{Symbol, SymbolKind};

/// Bytes of a file that are read: longer files are generated, and their beginning shows their symbols. At 3 KB per
/// millisecond, the rate of the slowest measured repository (C++), this is a third of a second.
pub const LENGTH_MAX: usize = 1 << 20;

/// Symbols of one file that are kept: a file with more is a table written as code, in which names are not searched for.
const MAX_SYMBOLS: usize = 4096;

/// Bytes of a name: longer ones, mostly headings, are cut.
const MAX_NAME_BYTES: usize = 120;

/// Mean bytes of a line from which on code counts as minified. Not measured: several times the length of formatted lines,
/// and a fraction of minified ones.
const MAX_MEAN_LINE_BYTES: usize = 400;
/// Bytes of a file from which the mean is computed.
const LINE_SAMPLE_BYTES: usize = 32 << 10;

/// Returns whether symbols of files with this name can be read.
pub fn is_read(path: &str) -> bool {
    reader_for(path).is_some()
}

/// Reads the symbols of a file, sorted by line. Broken text gives fewer symbols, never a failure.
pub fn declared(path: &str, text: &str) -> Vec<Symbol> {
    let Some(reader) = reader_for(path) else { return Vec::new() };
    let text = truncate(text);
    let mut symbols = match reader {
        // Lines of prose may be long.
        SymbolReader::Custom(read) => read(text),
        _ if is_minified(text) => return Vec::new(),
        SymbolReader::Tree(tagged) => tagged.read_symbols(text),
        SymbolReader::Braces(braces) => braces.read_symbols(text),
        SymbolReader::Lines(lines) => lines.read_symbols(text),
        SymbolReader::Scripts => tags::TYPESCRIPT.read_symbols(&extract_scripts(text)),
    };
    symbols.retain_mut(|symbol| {
        if symbol.name.len() > MAX_NAME_BYTES {
            symbol.name = symbol.name[..symbol.name.floor_char_boundary(MAX_NAME_BYTES)].into();
        }
        symbol.name.chars().any(char::is_alphanumeric)
    });
    symbols.sort_by_key(|symbol| symbol.line);
    let symbols = remove_duplicates(symbols, has_function_clauses(path));
    symbols.into_iter().take(MAX_SYMBOLS).collect()
}

/// Returns whether the language writes a function as several clauses, each for other arguments.
fn has_function_clauses(path: &str) -> bool {
    path.rsplit('.').next().is_some_and(|extension| extension == "ex" || extension == "exs")
}

/// Merges successive clauses of one function, and several implementation blocks of one type. Implementations of a type that
/// the file itself declares are dropped.
fn remove_duplicates(symbols: Vec<Symbol>, clauses: bool) -> Vec<Symbol> {
    let is_type = |kind| {
        use SymbolKind::{Class, Enum, Interface, Module, Struct, Trait, Type, Union};
        matches!(kind, Class | Struct | Union | Enum | Interface | Trait | Type | Module)
    };
    let types = symbols.iter().filter(|symbol| is_type(symbol.kind)).map(|symbol| symbol.name.clone());
    let mut implemented: HashSet<Box<str>> = types.collect();
    let mut once: Vec<Symbol> = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        let again = match symbol.kind {
            SymbolKind::Implementation => !implemented.insert(symbol.name.clone()),
            _ => clauses && once.last().is_some_and(|last| last.name == symbol.name && last.kind == symbol.kind),
        };
        if !again {
            once.push(symbol);
        }
    }
    once
}

/// The part of a text that is read, up to the end of a line.
fn truncate(text: &str) -> &str {
    if text.len() <= LENGTH_MAX {
        return text;
    }
    let text = &text[..text.floor_char_boundary(LENGTH_MAX)];
    text.rfind('\n').map_or(text, |end| &text[..=end])
}

/// Returns whether the lines are so long that a minifier wrote them.
fn is_minified(text: &str) -> bool {
    let seen = &text.as_bytes()[..text.len().min(LINE_SAMPLE_BYTES)];
    seen.len() > MAX_MEAN_LINE_BYTES
        && seen.len() > MAX_MEAN_LINE_BYTES * (1 + memchr::memchr_iter(b'\n', seen).count())
}

#[cfg(test)]
mod tests;
