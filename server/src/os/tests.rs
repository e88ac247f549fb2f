//! Tests of the disk code: a tree in a string, what is asked of it, what must come out.

mod history;
mod packages;
mod probe;
mod roots;
pub(crate) mod tree;
mod walk;
