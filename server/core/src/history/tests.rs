//! Tests of history: commits as lines of text, a path, and the answer.

mod dates;
mod lookups;
mod properties;
mod text;
