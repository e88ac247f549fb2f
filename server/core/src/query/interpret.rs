//! Runs the query stage: from a request to its readings.

use super::collect::Collector;
use super::context::QueryContext;
use super::environment::PathEnvironment;
use super::interpreter::Interpreter;
use super::partial_reading::PartialReading;
use super::reading::Reading;
use super::{extract, glob, uri, validate};
use crate::error::RequestError;
use crate::request::Request;

/// Reads the failed path in every way that makes sense, cheapest first: each meaning once, at most sixteen.
///
/// The text exactly as sent, relative to a root or absolute under one, is always among them (`[AsWritten]`). It is the
/// first one unless the text carries marks that names of files do not carry, such as quotes or `:12`.
///
/// # Errors
/// If the request is unusable: no path, a NUL in it, a field too long, a limit out of range.
pub fn interpret(request: &Request, environment: &PathEnvironment) -> Result<Vec<Reading>, RequestError> {
    validate::validate_request(request)?;
    let raw = request.failed_path.as_str();
    let context = QueryContext::new(request, environment);
    let mut interpreter = Interpreter { context: &context, readings: Collector::default() };
    if uri::is_opaque(raw) {
        interpreter.read_verbatim(raw, false, false);
        return Ok(interpreter.readings.finish(environment.roots.len()));
    }
    let mut texts = extract::extract_texts(raw);
    if !texts.is_untouched {
        interpreter.read_verbatim(raw, texts.is_doubtful, texts.has_backslashes);
    }
    // The likelier ones first: there is room for only so many readings.
    texts.partials.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    for partial in &texts.partials {
        interpreter.read_text(partial, texts.is_doubtful && partial.notes.is_empty());
        for (text, note, cost) in glob::literal_parts(&partial.text) {
            let mut literal = PartialReading { text, ..partial.clone() };
            literal.notes.push(note);
            literal.cost += cost;
            interpreter.read_text(&literal, false);
        }
    }
    Ok(interpreter.readings.finish(environment.roots.len()))
}
