//! The MCP tools: their definitions for models, and their calls. Each tool has a module of its own.

pub(super) mod path_find;
mod path_resolve;
mod reindex_paths;
mod roots_list;
mod tool_retry_with_resolve;

use std::sync::Arc;

use pathfinder_core::Request;
use rmcp::model::{JsonObject, Tool as McpTool, ToolAnnotations};
use serde_json::{Value, json};

use super::elicitation::PathChoice;
use super::encode::{ErrorOutput, ToolReply};
use super::metrics::{Metrics, MetricsLine};
use super::miss_tracker::MissTracker;
use pathfinder_ipc::question::{EngineError, EngineErrorKind, Resolved};
use pathfinder_ipc::{Backend, BackendError};
use pathfinder_protocol::request::Fields;
use pathfinder_vfs::clock::Stopwatch;

/// Instructions for models. The most important one stands first, because some clients show only the beginning.
pub(super) const INSTRUCTIONS: &str = "\
For reading, listing or checking files in this project use tool_retry_with_resolve: when the path is wrong (a typo, a \
missing directory, another extension, a moved file) it is corrected automatically and the file you meant is returned in \
the same call. Before an edit, get the exact path from path_resolve: edits and new files are never redirected. With no path at hand, only a rough \
name, a symbol or a question, ask path_find. Say in \
intent_text what you are doing: it tells files of the same name apart. Relative paths are relative to the project root. \
On an Ambiguous error do not send the same call again: answer its next_question with intent_text or root_hint, or take \
one of its candidates. not_found means that nothing plausible exists: do not guess further.";

/// Definition of one tool.
pub(super) struct ToolDefinition {
    pub(super) name: &'static str,
    title: &'static str,
    description: &'static str,
    /// JSON schemas of the arguments and of the result, both objects.
    input: fn() -> Value,
    output: fn() -> Value,
    run: fn(&CallContext<'_>, &Fields<'_>, &mut MetricsLine) -> Result<ToolReply, BackendError>,
}

/// Context of a call, beside its arguments.
#[derive(Clone, Copy)]
pub(super) struct CallContext<'a> {
    pub(super) backend: Backend<'a>,
    pub(super) misses: &'a MissTracker,
    /// The user's choice among the candidates of an earlier, otherwise equal call.
    pub(super) chosen: Option<&'a str>,
    /// True if withheld files are read by their exact paths.
    pub(super) allow_ignored: bool,
}

impl CallContext<'_> {
    /// Adds help for an uncertain answer: a choice for the user, or a list of the directory after several misses.
    fn unsure_reply(
        &self,
        reply: ToolReply,
        request: &Request,
        resolved: &Resolved,
    ) -> Result<ToolReply, BackendError> {
        let summary = self.misses.record(self.backend, resolved)?;
        Ok(ToolReply { choice: PathChoice::new(request, resolved), ..reply.with_members(summary) })
    }
}

/// All tools in the order in which they are listed.
pub(super) const ALL: [ToolDefinition; 5] =
    [tool_retry_with_resolve::TOOL, path_resolve::TOOL, path_find::TOOL, roots_list::TOOL, reindex_paths::TOOL];

/// Returns the tool of this name.
pub(super) fn find(name: &str) -> Option<&'static ToolDefinition> {
    const TOOLS: &[ToolDefinition] = &ALL;
    TOOLS.iter().find(|tool| tool.name == name)
}

/// Returns the error of invalid arguments.
fn invalid(message: String) -> BackendError {
    EngineError { kind: EngineErrorKind::BadRequest, message }.into()
}

impl ToolDefinition {
    /// Returns the definition as MCP lists it.
    pub(super) fn to_mcp(&self) -> McpTool {
        // No tool writes or reaches beyond this machine, and a repeated call has the same effect.
        let annotations = ToolAnnotations::with_title(self.title)
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        McpTool::new(self.name, self.description, into_object((self.input)()))
            .with_title(self.title)
            .with_raw_output_schema(into_object((self.output)()))
            .with_annotations(annotations)
    }

    /// Decodes the arguments, calls the tool and writes its metrics.
    ///
    /// # Errors
    /// If the leader is lost.
    pub(super) fn call(
        &self,
        call: &CallContext<'_>,
        arguments: &str,
        metrics: &Metrics,
    ) -> Result<ToolReply, BackendError> {
        let start = Stopwatch::start();
        let mut line = MetricsLine::new(self.name);
        let result = Fields::parse(arguments, "the arguments")
            .map_err(invalid)
            .and_then(|fields| (self.run)(call, &fields, &mut line));
        let reply = match result {
            Ok(reply) => reply,
            Err(BackendError::Engine(error)) => {
                line.set("error", error.kind.name());
                ToolReply::error(&ErrorOutput { error_kind: error.kind.name(), message: error.message })
            }
            Err(lost) => return Err(lost),
        };
        if let Some(pid) = call.backend.leader_pid() {
            // Only the leader knows more about the answer.
            line = MetricsLine::remote(self.name, &reply.value, pid, start.elapsed());
        }
        metrics.write(line);
        Ok(reply)
    }
}

fn into_object(schema: Value) -> Arc<JsonObject> {
    Arc::new(if let Value::Object(object) = schema { object } else { JsonObject::new() })
}

/// Returns the schema of the arguments that all resolving tools share.
fn request_properties(op: &[&str], op_description: &str) -> JsonObject {
    let text = |description: &str| json!({"type": "string", "description": description});
    let mut properties = JsonObject::new();
    properties.insert(
        "failed_path".to_owned(),
        text("The path as you have it, even if it is wrong: relative to the project root, or absolute."),
    );
    properties.insert("op".to_owned(), json!({"type": "string", "enum": op, "description": op_description}));
    properties.insert(
        "intent_text".to_owned(),
        text("What you are doing, in a few words, such as 'retry logic of the vllm client'. It tells files of the same name apart."),
    );
    properties.insert(
        "root_hint".to_owned(),
        text(
            "A directory that the file should be under, relative to the project root. Leave it out if you do not know.",
        ),
    );
    properties.insert(
        "from_file".to_owned(),
        text("The file in which you found this path (an import, a link), relative to the project root or absolute."),
    );
    properties
}

/// Returns the schema of the `evidence` argument.
fn evidence_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"contains": {"type": "string", "description": "Exact text that the file contains."}},
        "description": "What you know is in the file you mean. A candidate without it is not taken."
    })
}

/// Returns the schema that all results share, with a tool's own members. Nothing is required, because errors have other members.
fn result_schema(more: Value) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": {
            "status": {"type": "string", "description": "exists: as asked. resolved: corrected, sure enough to act on. ambiguous, not_found: no path was taken."},
            "path": {"type": "string", "description": "The right path. It is there only if one was found."},
            "line": {"type": "integer", "description": "The line that the request named behind the path."},
            "column": {"type": "integer", "description": "The column, likewise."},
            "failed_path": {"type": "string", "description": "The path as asked, where none was taken."},
            "confidence": {"type": "number", "description": "How probable it is that the first candidate is the one meant, 0 to 1."},
            "reranked": {"type": "boolean", "description": "A model decided the order of the candidates."},
            "root": {"type": "string", "description": "The root it is relative to, where there are several."},
            "lossy": {"type": "boolean", "description": "The name is not UTF-8 and cannot be written exactly."},
            "why": {"type": "string"},
            "candidates": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"path": {"type": "string"}, "root": {"type": "string"}, "lossy": {"type": "boolean"}, "score": {"type": "number"}},
                    "required": ["path", "score"]
                }
            },
            "next_question": {"type": "string"},
            "directory": {"type": "string", "description": "Several paths below it were missed: do not guess further, entries are what is there."},
            "entries": {"type": "array", "items": {"type": "string"}},
            "more": {"type": ["integer", "boolean"]},
            "endings": {"type": "object", "additionalProperties": {"type": "integer"}},
            "error_kind": {"type": "string"},
            "message": {"type": "string"}
        }
    });
    if let (Some(properties), Value::Object(more)) = (schema["properties"].as_object_mut(), more) {
        properties.extend(more);
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_tools_by_name() {
        for tool in &ALL {
            assert!(find(tool.name).is_some_and(|found| found.name == tool.name));
        }
        assert!(find("nothing").is_none());
    }

    /// Models follow descriptions: each path says what it is relative to, and each argument is described.
    #[test]
    fn describes_every_argument() {
        for tool in &ALL {
            let schema = (tool.input)();
            let properties = schema["properties"].as_object().expect("an object");
            for (name, property) in properties {
                let description = property["description"].as_str().unwrap_or_default();
                assert!(!description.is_empty(), "{}: {name} is not described", tool.name);
                let is_path = ["failed_path", "root_hint", "from_file", "path"].contains(&name.as_str());
                assert!(
                    !is_path || description.contains("relative to the project root"),
                    "{}: {name}: {description}",
                    tool.name
                );
            }
            for required in schema["required"].as_array().into_iter().flatten() {
                assert!(properties.contains_key(required.as_str().expect("a name")), "{}: {required}", tool.name);
            }
            assert_eq!((tool.output)()["type"], "object", "{}", tool.name);
        }
    }
}
