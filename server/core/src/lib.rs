//! The engine: resolves a missing path to the existing path that was probably wanted, with a confidence.
//!
//! [`Engine`] is the entry. The package has no protocol, runtime, wire format, disk access or clock: inputs and answers are
//! values, and the disk is asked through [`Probe`].

#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests write files and look at the clock")
)]

pub mod answer;
mod candidates;
mod corpus;
mod decide;
pub mod distance;
pub mod engine;
pub mod error;
mod evidence;
mod existing;
mod features;
pub mod find;
mod forms;
pub mod frecency;
mod function_words;
#[cfg(test)]
mod fuzz;
pub mod generated;
pub mod history;
mod history_lookup;
pub mod index;
pub mod intent_contents;
mod intent_declarations;
mod kinds;
mod packages;
pub mod path;
mod precheck;
mod prepared_query;
pub mod probe;
pub mod query;
pub mod quote;
mod rank;
pub mod request;
pub mod root;
pub mod secret;
pub mod similarity;
mod stage;
pub mod symbols;
pub mod table;
#[cfg(test)]
mod testing;
pub mod words;

pub use answer::{Answer, Candidate, Contribution, Refusal, Status};
pub use engine::Engine;
pub use error::RequestError;
pub use find::{FindAnswer, FindRequest, Hit};
pub use path::RelPath;
pub use probe::{Kind, Presence, Probe};
pub use request::{CANDIDATES_MAX, Op, Request};
pub use root::Root;
pub use stage::Stage;
