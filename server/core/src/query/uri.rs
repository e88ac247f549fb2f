//! Parses URIs: a `file:` URI is a path, and the path part of a URL may be one.
//!
//! Not `url`: it rewrites what it parses (dot segments, escapes, the host), and a reading has to keep what was written.

use super::reading::ForeignPrefix;

/// The path in a URI.
#[derive(Debug, PartialEq)]
pub(super) enum Uri {
    /// An absolute path.
    File(String),
    /// The path part of a URL without its query, and the segments of it that are not the project's.
    Url(String, ForeignPrefix),
}

/// Schemes that name no path: such text stays as it is.
const OPAQUE: &[&str] = &["node:", "npm:", "jsr:", "bun:", "deno:", "data:", "blob:", "mailto:", "virtual:", "urn:"];

/// Segments that forges put between the repository and the path, followed by a revision.
const VIEWS: &[&str] = &["blob", "tree", "raw", "edit", "blame", "commits", "plain", "browse", "+"];

/// Position of `src`, the view of Bitbucket and Gitea, behind owner and repository; elsewhere `src` is a plain directory.
const SOURCE_VIEW_AT: usize = 2;

/// Segments for the kind of revision that some forges put between the view and the revision.
const KINDS: &[&str] = &["branch", "commit", "tag", "refs", "heads", "tags"];

/// Returns whether the text names something outside file systems.
pub(super) fn is_opaque(text: &str) -> bool {
    OPAQUE.iter().any(|scheme| text.starts_with(scheme))
}

/// Parses a URI; `None` if the text is none.
pub(super) fn parse(text: &str) -> Option<Uri> {
    let (scheme, rest) = text.split_once(':')?;
    // One letter is a drive.
    if scheme.len() < 2 || !scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b)) {
        return None;
    }
    if scheme.eq_ignore_ascii_case("file") {
        return parse_file_uri(rest).map(Uri::File);
    }
    let rest = rest.strip_prefix("//")?;
    let (host, path) = rest.split_once('/')?;
    let path = path.trim_start_matches('/');
    if let Some(drive) = path.strip_prefix("@fs/") {
        // Vite's notation for an absolute path.
        return Some(Uri::File(format!("/{drive}")));
    }
    if host == "file" {
        // `vscode://file/home/x`.
        return Some(Uri::File(format!("/{path}")));
    }
    let (path, query) = path.split_once('?').map_or((path, ""), |(path, query)| (path, query));
    // Azure DevOps names the file in the query.
    if let Some(named) = query.split('&').find_map(|pair| pair.strip_prefix("path=")) {
        return Some(Uri::Url(named.trim_start_matches('/').to_owned(), ForeignPrefix::default()));
    }
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    Some(Uri::Url(path.to_owned(), foreign_prefix(host, &segments)))
}

/// Parses `file:///x`, `file://localhost/x`, `file:/x`, `file:///C:/x`, `file://server/share/x`.
fn parse_file_uri(rest: &str) -> Option<String> {
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

/// Counts the leading segments of a URL's path that are owner, repository, view and revision.
fn foreign_prefix(host: &str, segments: &[&str]) -> ForeignPrefix {
    let is_versioned =
        |segment: &&str| segment.split_once('@').is_some_and(|(name, version)| !name.is_empty() && !version.is_empty());
    // `gh/owner/repository@v1/path`, `github.com/owner/repository@main/-/blob/path`: the revision was said before.
    if let Some(at) = segments.iter().position(is_versioned) {
        let rest = &segments[at + 1..];
        let views = rest.iter().take_while(|segment| **segment == "-" || VIEWS.contains(segment)).count();
        return ForeignPrefix { machine: at + 1 + views, project: at + 1 + views };
    }
    let is_view = |(at, segment): (usize, &&str)| {
        at > 0 && VIEWS.contains(segment) || at == SOURCE_VIEW_AT && *segment == "src" && segments.len() > at + 2
    };
    let Some(view) = segments.iter().enumerate().position(is_view) else {
        // `raw.githubusercontent.com/owner/repository/revision/path`.
        let raw = host.split('.').any(|label| label == "raw") && segments.len() > 3;
        return if raw { ForeignPrefix { machine: 2, project: 3 } } else { ForeignPrefix::default() };
    };
    // `repository.git/tree/path`: cgit has the revision in the query.
    if segments[view - 1].rsplit_once('.').is_some_and(|(_, ending)| ending == "git") {
        return ForeignPrefix { machine: view + 1, project: view + 1 };
    }
    let kinds = segments[view + 1..].iter().take_while(|segment| KINDS.contains(segment)).count();
    let revision = view + 1 + kinds;
    ForeignPrefix { machine: revision, project: (revision + 1).min(segments.len()) }
}
