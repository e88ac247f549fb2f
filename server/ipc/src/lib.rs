//! The shared engine: one engine for all processes of a user with the same roots.
//!
//! The process that has the engine is the *leader*: an editor's server, or an agent's server while there is no editor. It listens at
//! a socket that is named after the roots and the cache directory. Later processes are its *clients*: they hold no tree and send their
//! questions to the leader. When a leader ends, one of its clients becomes the next leader.
//!
//! Each edge asks a [`Backend`], which is this process's engine or the leader's, and encodes the answer in its own format. Two types
//! decide which of the two: [`Router`] for servers, [`CommandEngine`] for commands and hooks. Questions and answers are plain data
//! ([`question`]), sent as length-prefixed messages (`frame`).
//!
//! A language server always has an engine, because it does more with it than answer. It therefore takes the socket, and an agent's
//! server that was the leader becomes a client within two seconds. There is no daemon: each process ends with the program that
//! started it.
//!
//! Answers must not depend on sharing. A process becomes a client only if the leader has the same version, roots and explicitly given
//! settings, and it tells the leader its current directory. Several roots are shared only if they are given alike and in the same
//! order, since answers name them. Commands get answers without visited paths; `--explain` and several roots are answered locally.
//!
//! Anything odd at the socket (another file, another program, silence, half a message) means that the engine is not shared, with a
//! line in the log and in `doctor`.

mod backend;
mod client;
mod command;
mod connection;
mod endpoint;
pub mod engine;
mod frame;
mod hello;
mod join;
mod leader;
pub mod parent;
pub mod question;
mod router;
mod share_error;
mod socket;
pub mod suggestion;
pub mod writer;

pub use backend::{Backend, BackendError};
pub use command::{CommandEngine, SnapshotEngine};
pub use endpoint::Endpoint;
pub use hello::{Edge, LeaderInfo};
pub use join::{find_leader, is_shared};
pub use leader::Leader;
pub use router::{POLL_INTERVAL, Router};
pub use share_error::ShareError;

#[cfg(test)]
mod tests;
