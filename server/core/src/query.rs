//! What could this string mean? A failed path becomes costed [`Reading`]s; nothing is looked up here.
//!
//! The order of work: `accept` refuses what cannot be a request, `text` takes the text out of what surrounds it,
//! `stand` decides where it starts (a root, the current directory, another machine), and `repeat`, `module` and
//! `glob` add what the segments could mean besides. `collect` keeps the few cheapest.

mod accept;
mod alias;
mod alike;
mod clean;
mod collect;
mod cost;
mod draft;
mod escape;
mod frame;
mod glob;
mod location;
mod machine;
mod module;
mod normalise;
mod note;
mod place;
mod prefix;
mod reading;
mod repeat;
mod scene;
mod segments;
mod stand;
mod text;
mod uri;

#[cfg(test)]
mod tests;

pub(crate) use location::position;
pub use normalise::readings;
pub use note::Note;
pub use place::{Place, RootPlace};
pub use reading::{ForeignPrefix, Reading};
pub(crate) use scene::Forms;
