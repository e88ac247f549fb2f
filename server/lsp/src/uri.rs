//! Converts between paths and `file:` URIs, and escapes URIs that clients write wrongly.

use std::path::Path;
use std::str::FromStr as _;

use percent_encoding::utf8_percent_encode;
use serde_json::Value;
use tower_lsp_server::ls_types::Uri;

use pathfinder_protocol::uri::NOT_IN_URIS;
pub(super) use pathfinder_protocol::uri::to_path;

/// Returns the URI of an absolute path; `None` if the path is not UTF-8.
pub(super) fn from_path(path: &Path) -> Option<Uri> {
    Uri::from_str(&pathfinder_protocol::uri::from_path(path)?).ok()
}

/// Escapes illegal characters in all URIs of a message. `tower_lsp_server` silently drops a notification with such a URI,
/// and names like `[id].tsx` are common.
pub(super) fn escape_uris(message: &mut Value) {
    match message {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if name.to_ascii_lowercase().ends_with("uri") => escape_uri(text),
                    _ => escape_uris(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(escape_uris),
        _ => {}
    }
}

fn escape_uri(uri: &mut String) {
    let is_illegal = |byte: &u8| !byte.is_ascii() || ILLEGAL_BYTES.contains(byte) || byte.is_ascii_control();
    let mut escaped = String::new();
    if uri.as_bytes().iter().any(is_illegal) {
        escaped.extend(utf8_percent_encode(uri, NOT_IN_URIS));
        *uri = escaped;
    }
    // A `%` without two hexadecimal digits is part of a name.
    let bytes = uri.as_bytes();
    let hex = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
    let single = |at: &usize| !(hex(at + 1) && hex(at + 2));
    let lone: Vec<usize> = memchr::memchr_iter(b'%', bytes).filter(single).collect();
    for at in lone.into_iter().rev() {
        uri.insert_str(at + 1, "25");
    }
}

/// The printable ASCII characters of [`NOT_IN_URIS`].
const ILLEGAL_BYTES: &[u8] = b" \"<>`[]{}|\\^";

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn round_trips_paths() {
        for text in ["/a/b.rs", "/a/[id].tsx", "/é/ x#?%25{y}.md", "/a+b@c$d&e,f;g=h:i!(j)~k'*"] {
            let uri = from_path(Path::new(text)).expect("a URI");
            assert_eq!(to_path(uri.as_str()).as_deref(), Some(Path::new(text)), "{}", uri.as_str());
        }
    }

    #[test]
    fn escapes_only_members_that_hold_uris() {
        let check = |uri: &str, expect: &str| {
            let mut message = serde_json::json!({"params": {"files": [{"oldUri": uri}], "text": uri}});
            escape_uris(&mut message);
            assert_eq!(message["params"]["files"][0]["oldUri"], expect);
            assert_eq!(message["params"]["text"], uri, "only URIs are touched");
            assert!(Uri::from_str(expect).is_ok(), "{expect}");
        };
        check("file:///a/b.rs", "file:///a/b.rs");
        check("file:///a/[id] é.tsx", "file:///a/%5Bid%5D%20%C3%A9.tsx");
        check("file:///a/%5Bid%5D", "file:///a/%5Bid%5D");
        check("file:///100%/x%2", "file:///100%25/x%252");
        check("file:///c:\\x|y^z`", "file:///c:%5Cx%7Cy%5Ez%60");
    }
}
