//! Readers of text that know neither paths nor projects: tree-sitter grammars, a lexer for C-like languages, and data formats as
//! nodes with their ranges in the text.
//!
//! `pathfinder-literals`, `pathfinder-languages` and `pathfinder-symbols` read files with it. It imports nothing of ours.

#![forbid(unsafe_code)]

pub mod data;
pub mod grammars;
pub mod lexer;
pub mod string_ranges;
pub mod syntax_trees;
pub mod xml;
