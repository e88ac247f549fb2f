//! Results of commands: the exit status, and what goes to stdout and stderr.

use std::io::{self, Write as _};
use std::process::ExitCode;

use super::render::{WARN, printable_lines};

/// The exit status of a command; scripts rely on the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The command answered.
    Answered = 0,
    /// The answer is negative: nothing certain was found, or something needs action.
    Negative = 1,
    /// Bad usage, or a failure.
    Failed = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Prints an error to stderr. A closed stderr changes nothing.
pub(super) fn print_error(kind: &str, message: &str) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    let message = printable_lines(message.trim_end());
    let _ = writeln!(anstream::stderr(), "{style}error[{kind}]{style:#}: {message}");
}

/// Prints a warning to stderr. A closed stderr changes nothing.
pub(super) fn print_warning(message: &str) {
    let message = printable_lines(message.trim_end());
    let _ = writeln!(anstream::stderr(), "{WARN}warning{WARN:#}: {message}");
}

/// Writes one JSON value as one line on stdout.
pub(super) fn write_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    write_bytes(&line)
}

/// Writes text to stdout; colours only reach a terminal.
pub(super) fn write_text(text: &str) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes text to stderr; colours only reach a terminal.
pub(super) fn write_text_to_stderr(text: &str) -> anyhow::Result<()> {
    anstream::stderr().write_all(text.as_bytes())?;
    Ok(())
}

/// Writes bytes to stderr unchanged.
pub(super) fn write_bytes_to_stderr(bytes: &[u8]) -> anyhow::Result<()> {
    io::stderr().write_all(bytes)?;
    Ok(())
}

/// Writes bytes to stdout unchanged.
pub(super) fn write_bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(())
}
