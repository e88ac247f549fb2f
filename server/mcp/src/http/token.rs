//! The token that clients must send when the HTTP server can be reached from other machines.

use std::sync::Arc;

use anyhow::bail;
use hyper::header::HeaderValue;

use pathfinder_vfs::environment;

/// Environment variable with the token. Every process list would show a flag.
pub(super) const TOKEN_VARIABLE: &str = "PATHFINDER_HTTP_TOKEN";
/// Minimum length of a token in bytes; a shorter one could be guessed.
const MIN_TOKEN_BYTES: usize = 16;

/// Reads the token from the environment; `None` if there is none.
///
/// # Errors
/// If the token is too short.
pub(super) fn from_environment() -> anyhow::Result<Option<Arc<str>>> {
    let Some(token) = environment::variable(TOKEN_VARIABLE) else { return Ok(None) };
    match token.into_string() {
        Ok(token) if token.is_empty() => Ok(None),
        Ok(token) if token.len() < MIN_TOKEN_BYTES => {
            bail!("{TOKEN_VARIABLE} must have at least {MIN_TOKEN_BYTES} characters")
        }
        Ok(token) => Ok(Some(token.into())),
        // The value is a secret.
        Err(_) => bail!("{TOKEN_VARIABLE} must be UTF-8"),
    }
}

/// Returns whether the header carries the token. The comparison takes constant time.
pub(super) fn is_token(given: &HeaderValue, token: &str) -> bool {
    let given = given.as_bytes();
    let Some((scheme, given)) = given.split_at_checked(7) else { return false };
    let differs = given.iter().zip(token.as_bytes()).fold(0, |differs, (one, other)| differs | (one ^ other));
    scheme.eq_ignore_ascii_case(b"bearer ") && given.len() == token.len() && std::hint::black_box(differs) == 0
}

#[cfg(test)]
mod tests {
    use super::{HeaderValue, is_token};

    #[test]
    fn compares_tokens() {
        let check = |given: &str, expect: bool| {
            assert_eq!(
                is_token(&HeaderValue::from_str(given).expect("a header"), "0123456789abcdef"),
                expect,
                "{given}"
            );
        };
        check("Bearer 0123456789abcdef", true);
        check("bearer 0123456789abcdef", true);
        check("Bearer 0123456789abcdeF", false);
        check("Bearer 0123456789abcde", false);
        check("Bearer 0123456789abcdefg", false);
        check("Basic  0123456789abcdef", false);
        check("Bearer ", false);
        check("", false);
    }
}
