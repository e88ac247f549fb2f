//! One file per method, or per few that belong together.

pub(super) mod code_action;
pub(super) mod commands;
pub(super) mod completion;
pub(super) mod definition;
pub(super) mod diagnostic;
pub(super) mod document_link;
pub(super) mod documents;
pub(super) mod files;
pub(super) mod folders;
pub(super) mod hover;
pub(super) mod initialize;
pub(super) mod requests;
pub(super) mod settings;
pub(super) mod symbol;
