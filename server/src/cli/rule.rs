//! `pathfinder rule CODE`: explains a diagnostic code.

use std::fmt::Write as _;

use anyhow::bail;
use pathfinder_check::rules;
use pathfinder_literals::Code;

use super::output::{Exit, write_text};
use super::render::HEAD;

/// Prints the page of a code, or all codes with their first sentences.
pub(crate) fn run(code: Option<&str>) -> anyhow::Result<Exit> {
    let Some(name) = code else {
        let mut out = String::new();
        let longest = Code::ALL.iter().map(|code| code.name().len()).max().unwrap_or(0);
        for code in Code::ALL {
            let pad = " ".repeat(longest - code.name().len());
            // Writing to a `String` cannot fail.
            let _ = writeln!(out, "{HEAD}{}{HEAD:#}{pad}  {}", code.name(), rules::summary(code));
        }
        write_text(&out)?;
        return Ok(Exit::Answered);
    };
    let Some(code) = Code::ALL.into_iter().find(|code| code.name() == name) else {
        bail!("unknown code {name:?}; known codes: {}", Code::ALL.map(Code::name).join(", "));
    };
    write_text(&format!("{}\n{}\n", rules::page(code), rules::address(code)))?;
    Ok(Exit::Answered)
}
