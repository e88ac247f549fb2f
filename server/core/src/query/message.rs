//! Finds the path in a longer text: a stack frame, a compiler's message, an error message, a Markdown link.

/// Words before the path in stack frames and messages, most specific first.
const FRAME_PREFIXES: &[&str] =
    &["panicked at ", "--> ", "::: ", "at ", "from ", "in ", "ERROR in ", "Error in ", "Error: ", "error: "];

/// Phrases with which systems and runtimes report a missing path.
const NOT_FOUND_PHRASES: &[&str] =
    &["no such file", "enoent", "cannot find", "can't find", "could not find", "not found", "does not exist"];

/// Extensions of JVM sources: their frames name the package apart from the file.
const JVM_FILES: &[&str] = &[".java:", ".kt:", ".scala:", ".groovy:", ".clj:"];

/// The target of a Markdown link or image.
pub(super) fn markdown_target(text: &str) -> Option<String> {
    let label = text.strip_prefix('!').unwrap_or(text);
    let (_, rest) = label.strip_prefix('[')?.split_once("](")?;
    let target = rest.split_once(')').map_or(rest, |(target, _)| target);
    // A title may follow: `(path "title")`.
    let target = target.split_once(" \"").map_or(target, |(target, _)| target);
    Some(target.trim_matches(['<', '>']).to_owned())
}

/// The path, with its line suffix, in a frame or message.
pub(super) fn find_path(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix("File \"") {
        return rest.split_once('"').map(|(path, _)| path.to_owned());
    }
    // Everything else has a space somewhere.
    text.find(' ')?;
    path_in_error(text)
        .or_else(|| path_after_prefix(text))
        .map(str::to_owned)
        .map(|found| jvm_frame_path(text).unwrap_or(found))
}

/// The path in an error message about a missing file.
fn path_in_error(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let at = NOT_FOUND_PHRASES.iter().find_map(|phrase| lower.find(phrase))?;
    if let Some(quoted) = last_quoted(text) {
        return Some(quoted);
    }
    // `cat: src/x: No such file or directory`, `open src/x: no such file or directory`, `not found: src/x`.
    let before = text[..at].trim_end_matches([' ', ':']);
    let word = before.rsplit(' ').next().unwrap_or_default();
    if word.contains(['/', '.', '\\']) {
        return Some(word);
    }
    let after = text[at..].rsplit([' ', '\t']).next().unwrap_or_default();
    after.contains(['/', '.', '\\']).then_some(after)
}

/// The last piece between two equal quotes.
fn last_quoted(text: &str) -> Option<&str> {
    let end = text.rfind(['\'', '"', '`'])?;
    let quote = char::from(text.as_bytes()[end]);
    let start = text[..end].rfind(quote)? + 1;
    (start < end).then(|| &text[start..end])
}

/// The path behind a frame's prefix, such as `at`, `-->` or `#0`.
fn path_after_prefix(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('#') {
        // gdb: `#1 main () at src/x.c:12`; PHP: `#0 /path(12): call()`.
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        return rest.strip_prefix(' ').map(|frame| frame.rsplit_once(" at ").map_or(frame, |(_, path)| path).trim());
    }
    // .NET: `at Name.Space.Method() in C:\path.cs:line 12`.
    if let Some((head, path)) = text.rsplit_once(" in ")
        && head.starts_with("at ")
        && path.contains(":line ")
    {
        return Some(path);
    }
    // Rust: `thread 'main' panicked at src/main.rs:4:5`, older: `panicked at 'message', src/main.rs:4:5`.
    if let Some((_, place)) = text.split_once("panicked at ") {
        return Some(place.rsplit_once("', ").map_or(place, |(_, path)| path));
    }
    // Elixir: `(app 0.1.0) lib/x.ex:12: Mod.call/1`.
    if let Some((_, path)) = text.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
        return Some(path);
    }
    let rest = FRAME_PREFIXES.iter().find_map(|word| text.strip_prefix(word))?;
    // JavaScript: `at call (path:1:2)`; the name before the bracket is of no use.
    match rest.rsplit_once('(') {
        Some((_, path)) if rest.ends_with(')') => Some(&path[..path.len() - 1]),
        _ => Some(rest.strip_prefix("async ").unwrap_or(rest)),
    }
}

/// The path of a JVM frame, with the package as its directory: `at com.acme.Foo.bar(Foo.java:12)`.
fn jvm_frame_path(text: &str) -> Option<String> {
    let (call, file) = text.strip_prefix("at ")?.strip_suffix(')')?.split_once('(')?;
    if !JVM_FILES.iter().any(|mark| file.contains(mark)) {
        return None;
    }
    let call = call.rsplit_once('/').map_or(call, |(_, call)| call);
    let package = call.rsplitn(3, '.').nth(2)?;
    Some(format!("{}/{file}", package.replace('.', "/")))
}
