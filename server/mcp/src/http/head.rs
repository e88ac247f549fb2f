//! Checks the head of a request before anything else: its target, its host, and its origin. A web page in a browser can neither be
//! the client nor reach the server through a host name of its own (DNS rebinding).

use std::net::Ipv6Addr;

use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use hyper::http::request::Parts;
use thiserror::Error;

/// Headers with a single value. A proxy or a browser may have meant either of two values, so neither counts.
const SINGLE_VALUE_HEADERS: [HeaderName; 7] = [
    HOST,
    ORIGIN,
    AUTHORIZATION,
    CONTENT_TYPE,
    HeaderName::from_static("mcp-session-id"),
    HeaderName::from_static("mcp-protocol-version"),
    HeaderName::from_static("last-event-id"),
];

/// Reason for refusing a head.
#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum HeadError {
    /// The target is an absolute URL or an authority, as for a proxy.
    #[error("the request target must be a path, as in POST /mcp")]
    Target,
    /// A single-valued header occurs twice.
    #[error("a header that may be sent once was sent twice")]
    Repeated,
    /// `Host` is missing or invalid; HTTP/1.1 requires it.
    #[error("the Host header is missing or not HOST or HOST:PORT")]
    Host,
    /// `Origin` is not a scheme, a host and an optional port.
    #[error("the Origin header is not SCHEME://HOST or SCHEME://HOST:PORT")]
    Origin,
}

/// Checks a head. The protocol library checks later which hosts and origins are allowed.
///
/// # Errors
/// If no client of this server would send such a head.
pub(super) fn check(head: &Parts) -> Result<(), HeadError> {
    if head.uri.authority().is_some() || head.uri.scheme().is_some() || !head.uri.path().starts_with('/') {
        return Err(HeadError::Target);
    }
    check_headers(&head.headers)
}

fn check_headers(headers: &HeaderMap) -> Result<(), HeadError> {
    if SINGLE_VALUE_HEADERS.iter().any(|name| headers.get_all(name).iter().nth(1).is_some()) {
        return Err(HeadError::Repeated);
    }
    let text = |value: &HeaderValue| value.to_str().map(str::to_owned).unwrap_or_default();
    let host = headers.get(HOST).map(text);
    if !host.is_some_and(|host| is_authority(&host)) {
        return Err(HeadError::Host);
    }
    let is_origin =
        |origin: &str| origin == "null" || origin.split_once("://").is_some_and(|(_, rest)| is_authority(rest));
    match headers.get(ORIGIN).map(text) {
        Some(origin) if !is_origin(&origin) => Err(HeadError::Origin),
        _ => Ok(()),
    }
}

/// Returns whether a text is `HOST` or `HOST:PORT`, with a valid host and a port from 1 to 65535.
fn is_authority(text: &str) -> bool {
    let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, rest)) if host.parse::<Ipv6Addr>().is_ok() => {
            (None, rest.strip_prefix(':').filter(|port| !port.is_empty()).or(rest.is_empty().then_some("")))
        }
        Some(_) => return false,
        None => match text.split_once(':') {
            Some((host, port)) => (Some(host), Some(port).filter(|port| !port.is_empty())),
            None => (Some(text), Some("")),
        },
    };
    let is_name = |host: &str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
        !host.is_empty() && host.bytes().all(is_part)
    };
    let is_port = |port: &str| {
        port.is_empty()
            || port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0)
    };
    host.is_none_or(is_name) && port.is_some_and(is_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_valid_authorities() {
        let check = |text: &str, expect: bool| assert_eq!(is_authority(text), expect, "{text}");
        for text in
            ["localhost", "localhost:1", "127.0.0.1:65535", "[::1]", "[::1]:7777", "a-b.example", "EXAMPLE.org:80"]
        {
            check(text, true);
        }
        for text in [
            "",
            ":",
            ":80",
            "localhost:",
            "localhost:0",
            "localhost:65536",
            "localhost:99999",
            "localhost:abc",
            "localhost:+1",
            "localhost: 1",
            "localhost:1:2",
            "[::1",
            "[::1]:",
            "[::1]x",
            "[localhost]",
            "::1",
            "me@localhost",
            "localhost/",
            "localhost,evil.example",
            "local host",
            "localhost\\x",
            "lócalhost",
        ] {
            check(text, false);
        }
    }

    /// Checks a head with this target and these headers. Adds a `Host` if there is none.
    #[track_caller]
    fn check_head(target: &str, headers: &[(&str, &str)], expect: &Result<(), HeadError>) {
        let mut builder = hyper::Request::builder().uri(target);
        for (name, value) in headers {
            builder = builder.header(*name, *value);
        }
        if !headers.iter().any(|(name, _)| *name == "host") {
            builder = builder.header("host", "localhost");
        }
        let (head, ()) = builder.body(()).expect("a request").into_parts();
        assert_eq!(&check(&head), expect, "{target} {headers:?}");
    }

    #[test]
    fn checks_heads() {
        check_head("/mcp", &[], &Ok(()));
        check_head("/mcp?a=b", &[("origin", "http://localhost:3000")], &Ok(()));
        check_head("/mcp", &[("origin", "null")], &Ok(()));
        check_head("http://localhost/mcp", &[], &Err(HeadError::Target));
        check_head("localhost:80", &[], &Err(HeadError::Target));
        check_head("*", &[], &Err(HeadError::Target));
        check_head("/mcp", &[("host", "localhost"), ("host", "localhost")], &Err(HeadError::Repeated));
        check_head(
            "/mcp",
            &[("origin", "http://localhost"), ("origin", "http://evil.example")],
            &Err(HeadError::Repeated),
        );
        check_head("/mcp", &[("mcp-session-id", "a"), ("mcp-session-id", "b")], &Err(HeadError::Repeated));
        check_head("/mcp", &[("host", "localhost:99999")], &Err(HeadError::Host));
        check_head("/mcp", &[("origin", "http://localhost:abc")], &Err(HeadError::Origin));
        check_head("/mcp", &[("origin", "localhost")], &Err(HeadError::Origin));
    }
}
