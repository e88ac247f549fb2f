//! What a file declares: types, functions, headings, tables. Text in, [`Symbol`]s out: no protocol, no disk, no clock.

#![forbid(unsafe_code)]

pub use pathfinder_core::symbols::{Symbol, SymbolKind};

/// Whether files of this name declare anything that can be read.
pub fn is_read(path: &str) -> bool {
    path.contains('.')
}

/// What a file declares, by line. Broken text gives fewer symbols, never a failure.
pub fn declared(path: &str, text: &str) -> Vec<Symbol> {
    _ = (path, text);
    Vec::new()
}
