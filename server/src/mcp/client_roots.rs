//! The roots that a client offers, where it does.

use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use rmcp::{Peer, RoleServer};

/// How long the client may take to name its roots. It did offer them; if it does not answer, the default root will do.
pub(super) const PATIENCE: Duration = Duration::from_secs(3);

/// The directories that the client names, as far as they are here; `None` if it does not answer.
#[expect(
    deprecated,
    reason = "clients before 2026-07-28 offer roots, and some have no other way to say where they work"
)]
pub(super) async fn ask(peer: &Peer<RoleServer>) -> Option<Vec<PathBuf>> {
    match tokio::time::timeout(PATIENCE, peer.list_roots()).await {
        Ok(Ok(listed)) => Some(listed.roots.iter().filter_map(|root| directory(&root.uri)).collect()),
        Ok(Err(error)) => {
            tracing::warn!(%error, "the client offers roots, but does not name them");
            None
        }
        Err(_) => {
            tracing::warn!("the client offers roots, but did not name them in time");
            None
        }
    }
}

/// The directory that a `file:` URI names, if it is one. What cannot be listed must not spoil the other roots.
fn directory(uri: &str) -> Option<PathBuf> {
    let path = path_of(uri).filter(|path| path.read_dir().is_ok());
    if path.is_none() {
        tracing::warn!(uri, "the client names a root that is no directory here, or cannot be listed");
    }
    path
}

fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let text = percent_decode_str(rest).decode_utf8().ok()?;
    // `/C:/x` is how a URI spells `C:/x`.
    let drive = text.as_bytes().get(2) == Some(&b':');
    let text = if cfg!(windows) && drive { &text[1..] } else { &text };
    text.starts_with('/').then_some(()).or_else(|| cfg!(windows).then_some(())).map(|()| PathBuf::from(text))
}

#[cfg(test)]
mod tests {
    use super::path_of;

    #[test]
    fn uris() {
        let check = |uri: &str, expect: Option<&str>| {
            assert_eq!(path_of(uri).as_deref(), expect.map(std::path::Path::new), "{uri}");
        };
        check("file:///home/me/project", Some("/home/me/project"));
        check("file://localhost/home/me", Some("/home/me"));
        check("file:///home/me/a%20b/%C3%A9", Some("/home/me/a b/é"));
        check("https://example.org/x", None);
        check("file://elsewhere/x", None);
        check("file:///%ff", None);
        check("", None);
    }
}
