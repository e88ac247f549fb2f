//! URIs: `file:` ones are paths; of others the path part may be one.

/// What a URI turned out to hold.
#[derive(Debug, PartialEq)]
pub(super) enum Uri {
    /// A path in full.
    File(String),
    /// The path part of a URL, as good as relative.
    Url(String),
}

/// Names with a colon that mean no path: left as they are.
const OPAQUE: &[&str] = &["node:", "npm:", "jsr:", "bun:", "deno:", "data:", "blob:", "mailto:", "virtual:", "urn:"];

/// Between the repository and the path, forges put one of these and a revision.
const VIEWS: &[&str] = &["blob", "tree", "raw", "edit", "blame", "commits"];

/// Whether the text names something that is not in a file system.
pub(super) fn is_opaque(text: &str) -> bool {
    OPAQUE.iter().any(|scheme| text.starts_with(scheme))
}

/// Reads a URI.
pub(super) fn read(text: &str) -> Option<Uri> {
    let (scheme, rest) = text.split_once(':')?;
    // One letter is a drive.
    if scheme.len() < 2 || !scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b)) {
        return None;
    }
    if scheme.eq_ignore_ascii_case("file") {
        return file(rest).map(Uri::File);
    }
    let rest = rest.strip_prefix("//")?;
    let (host, path) = rest.split_once('/')?;
    let path = path.trim_start_matches('/');
    if let Some(drive) = path.strip_prefix("@fs/") {
        // Vite's way to say: absolute.
        return Some(Uri::File(format!("/{drive}")));
    }
    if host == "file" {
        // `vscode://file/home/x`.
        return Some(Uri::File(format!("/{path}")));
    }
    Some(Uri::Url(forge(path).unwrap_or(path).to_owned()))
}

/// `file:///x`, `file://localhost/x`, `file:/x`, `file:///C:/x`, `file://server/share/x`.
fn file(rest: &str) -> Option<String> {
    let Some(rest) = rest.strip_prefix("//") else {
        return rest.starts_with('/').then(|| rest.to_owned());
    };
    let local = rest.strip_prefix("localhost").filter(|path| path.starts_with('/')).unwrap_or(rest);
    let Some(path) = local.strip_prefix('/') else {
        // Two slashes and a drive is a common slip; two and a name is a server.
        return Some(if local.as_bytes().get(1) == Some(&b':') { local.to_owned() } else { format!("//{local}") });
    };
    let bytes = path.as_bytes();
    if let Some(below) = path.get(1..4).filter(|colon| colon.eq_ignore_ascii_case("%3a")).and(path.get(4..))
        && bytes[0].is_ascii_alphabetic()
    {
        return Some(format!("{}:{below}", &path[..1]));
    }
    let drive = bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.get(1) == Some(&b':');
    Some(if drive { path.to_owned() } else { local.to_owned() })
}

/// The path behind `owner/repository/blob/revision/`.
fn forge(path: &str) -> Option<&str> {
    let mut rest = path;
    while let Some((segment, after)) = rest.split_once('/') {
        if VIEWS.contains(&segment) && rest.len() < path.len() {
            return after.split_once('/').map(|(_, path)| path);
        }
        rest = after;
    }
    None
}
