//! What could this string mean? A failed path becomes costed [`Reading`]s; nothing is looked up here.

pub mod place;
pub mod reading;

pub use place::{Place, RootPlace};
pub use reading::{Note, Reading};
