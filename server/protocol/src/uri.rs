//! Converts between paths and `file:` URIs, as MCP and LSP clients name files and directories.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// Characters that RFC 3986 does not allow in a URI. Brackets and braces are among them, although many clients send them.
pub const NOT_IN_URIS: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'`')
    .add(b'[')
    .add(b']')
    .add(b'{')
    .add(b'}')
    .add(b'|')
    .add(b'\\')
    .add(b'^');
/// Characters to escape in a file name, in which `%`, `#` and `?` have no special meaning.
pub const NOT_IN_PATHS: &AsciiSet = &NOT_IN_URIS.add(b'#').add(b'?').add(b'%');

/// Returns the URI of an absolute path; `None` if the path is not UTF-8.
pub fn from_path(path: &Path) -> Option<String> {
    let text = path.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    let slash = if text.starts_with('/') { "" } else { "/" };
    Some(format!("file://{slash}{}", utf8_percent_encode(&text, NOT_IN_PATHS)))
}

/// Returns the path of a `file:` URI; `None` for other schemes and other machines.
pub fn to_path(uri: &str) -> Option<PathBuf> {
    let (scheme, rest) = uri.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    // Some clients write `file:/path`.
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let text = percent_decode_str(rest).decode_utf8().ok()?;
    if text.contains('\0') || !text.starts_with('/') {
        return None;
    }
    // A URI spells `C:/x` as `/C:/x`.
    let drive = text.as_bytes().get(2) == Some(&b':');
    let text = if cfg!(windows) && drive { &text[1..] } else { &text };
    Some(PathBuf::from(text))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::to_path;

    #[test]
    fn decodes_file_uris() {
        let check =
            |uri: &str, expect: Option<&str>| assert_eq!(to_path(uri).as_deref(), expect.map(Path::new), "{uri}");
        check("file:///a/b.rs", Some("/a/b.rs"));
        check("file:///a/%5Bid%5D.tsx", Some("/a/[id].tsx"));
        check("file:///a/[id].tsx", Some("/a/[id].tsx"));
        check("file://localhost/a/%C3%A9%20x", Some("/a/é x"));
        check("FILE:///a", Some("/a"));
        check("file:/a", Some("/a"));
        check("file:///a#L3", Some("/a"));
        check("https://example.org/x", None);
        check("untitled:Untitled-1", None);
        check("git:/a/b?ref", None);
        check("vscode-vfs://github/a/b", None);
        check("file://server/share", None);
        check("file:///%ff", None);
        check("file:///a%00b", None);
        check("", None);
    }
}
