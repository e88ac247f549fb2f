//! What a file declares: types, functions, headings, tables. Text in, [`Symbol`]s out: no protocol, no disk, no clock.
//!
//! Languages with a grammar in `pathfinder-grammars` are asked with a query each (`tags/*.scm`); those whose grammars are
//! large and whose declarations words and braces tell are read by a scanner (`braces.rs`); for the rest the first words of
//! a line say what it declares (`lines/tables.rs`).

#![forbid(unsafe_code)]

mod braces;
mod haskell;
mod language;
mod lexer;
mod lines;
mod makefile;
mod markup;
mod tags;

use std::collections::HashSet;

use language::{SymbolReader, extract_scripts, reader_for};

pub use pathfinder_core::symbols::{Symbol, SymbolKind};

/// Bytes of a file that are read: longer ones were made by a tool, and what they begin with says what they are. At the
/// 3 KB a millisecond of the slowest repository measured (C++) this is a third of a second.
pub const LENGTH_MAX: usize = 1 << 20;

/// Declarations of one file that are kept: a file with more is a table that somebody wrote as code, in which nobody looks
/// for a name.
const MAX_SYMBOLS: usize = 4096;

/// Bytes of a name: what is longer is no name; of a longer heading the beginning is kept.
const MAX_NAME_BYTES: usize = 120;

/// Bytes of a line, on average, from which on code was written by a tool. Not measured: several times the length of any line
/// that a formatter leaves, and a fraction of what a minifier writes.
const MAX_MEAN_LINE_BYTES: usize = 400;
/// Bytes that are looked at for that.
const LINE_SAMPLE_BYTES: usize = 32 << 10;

/// Whether files of this name declare anything that can be read.
pub fn is_read(path: &str) -> bool {
    reader_for(path).is_some()
}

/// What a file declares, by line. Broken text gives fewer symbols, never a failure.
pub fn declared(path: &str, text: &str) -> Vec<Symbol> {
    let Some(reader) = reader_for(path) else { return Vec::new() };
    let text = truncate(text);
    let mut symbols = match reader {
        // Prose has long lines.
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

/// Whether a function may be written as several, each for other arguments.
fn has_function_clauses(path: &str) -> bool {
    path.rsplit('.').next().is_some_and(|extension| extension == "ex" || extension == "exs")
}

/// Clauses of one function that follow one another are one declaration, and so are several blocks of one type's members;
/// members of a type that the file itself declares say nothing more.
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

/// As much of a text as is read, up to the end of a line.
fn truncate(text: &str) -> &str {
    if text.len() <= LENGTH_MAX {
        return text;
    }
    let text = &text[..text.floor_char_boundary(LENGTH_MAX)];
    text.rfind('\n').map_or(text, |end| &text[..=end])
}

/// Whether the lines are so long that a tool must have written them.
fn is_minified(text: &str) -> bool {
    let seen = &text.as_bytes()[..text.len().min(LINE_SAMPLE_BYTES)];
    seen.len() > MAX_MEAN_LINE_BYTES
        && seen.len() > MAX_MEAN_LINE_BYTES * (1 + memchr::memchr_iter(b'\n', seen).count())
}

#[cfg(test)]
mod tests;
