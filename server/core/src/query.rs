//! Reads a failed path in every way that makes sense: text in, costed [`Reading`]s out.
//!
//! [`interpret()`] is the entry; `Engine` calls it first for each request. Nothing is looked up on disk or in the index here.
//!
//! The steps: `validate` refuses bad input, `extract` takes the path out of the text around it, `interpreter` decides where the
//! path starts (a root, the current directory, another machine), `repeat`, `module` and `glob` add further meanings of the
//! segments, and `collect` keeps the cheapest readings.

mod absolute;
mod alias;
mod collect;
mod context;
mod cost;
mod environment;
mod escape;
mod extract;
mod glob;
mod interpret;
mod interpreter;
mod lookalike;
mod machine_prefix;
mod message;
mod module;
mod note;
mod partial_reading;
mod reading;
mod repeat;
mod split;
mod strip;
mod suffix;
mod uri;
mod validate;

#[cfg(test)]
mod tests;

pub(crate) use context::RootForms;
pub use environment::{PathEnvironment, RootPaths};
pub use interpret::interpret;
pub use note::Note;
pub use reading::{ForeignPrefix, Reading};
pub(crate) use suffix::parse_position;
