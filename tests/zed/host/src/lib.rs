//! Runs the Zed extension as Zed does: its component against the API's own WIT, with a Zed whose answers the test decides, on a
//! work directory of its own. The commands that it returns are really started.
//!
//! `tests/run zed` builds the component and the program, and says where they are.

#![cfg(test)]

mod conversation;
mod exports;
mod extension;
mod handles;
mod imports;
mod search;
mod servers;
mod session;
mod settings;
mod world;
