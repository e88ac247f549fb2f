//! MCP completion of the file template and of the prompts' arguments.

use rmcp::model::{CompleteRequestParams, CompletionInfo, Reference};

use super::{prompts, resources};
use pathfinder_ipc::engine::MAX_COMPLETIONS;
use pathfinder_ipc::question::CompletionQuestion;
use pathfinder_ipc::{Backend, BackendError};

/// Maximum length of a query in bytes; typed paths are shorter.
const MAX_TYPED_BYTES: usize = 1000;

const _: () = assert!(MAX_COMPLETIONS == CompletionInfo::MAX_VALUES);

/// Completes an argument. Input without a completion gives an empty result, not an error.
///
/// # Errors
/// If the roots cannot be used.
pub(super) fn complete(backend: Backend<'_>, asked: &CompleteRequestParams) -> Result<CompletionInfo, BackendError> {
    let argument = asked.argument.name.as_str();
    let is_absolute = match &asked.r#ref {
        Reference::Resource(resource) if resource.uri == resources::TEMPLATE && argument == "path" => true,
        Reference::Prompt(prompt) if prompts::argument(&prompt.name) == Some(argument) => false,
        _ => return Ok(CompletionInfo::default()),
    };
    let typed = asked.argument.value.trim();
    if typed.len() > MAX_TYPED_BYTES {
        return Ok(CompletionInfo::default());
    }
    let completion = backend.complete(&CompletionQuestion { typed: typed.to_owned(), is_absolute })?;
    let mut info = CompletionInfo::default();
    info.values = completion.values;
    info.has_more = Some(completion.has_more);
    Ok(info)
}
