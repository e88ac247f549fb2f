//! The secret that clients send, where others than this machine may come in.

use std::sync::Arc;

use anyhow::bail;
use hyper::header::HeaderValue;

/// The variable that has the token. A flag would be visible in every list of processes.
pub(super) const TOKEN: &str = "PATHFINDER_HTTP_TOKEN";
/// Fewer bytes could be guessed.
const TOKEN_LEAST: usize = 16;

/// The token of the environment; `None` where there is none.
///
/// # Errors
/// When it is too short to be one.
pub(super) fn from_environment() -> anyhow::Result<Option<Arc<str>>> {
    match std::env::var(TOKEN) {
        Ok(token) if token.is_empty() => Ok(None),
        Ok(token) if token.len() < TOKEN_LEAST => bail!("{TOKEN} must have at least {TOKEN_LEAST} characters"),
        Ok(token) => Ok(Some(token.into())),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(error) => bail!("{TOKEN}: {error}"),
    }
}

/// Whether the header carries the token. How long it takes does not tell how much of it was right.
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
    fn tokens() {
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
