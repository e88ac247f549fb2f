//! Scans LaTeX for commands whose argument names files.
//!
//! Not a grammar (`tree-sitter-latex`): packages change the syntax, and the names of commands are all that is needed.

/// Commands whose last argument is one path, or several with commas between.
const COMMANDS: [&str; 12] = [
    "IfFileExists",
    "InputIfFileExists",
    "addbibresource",
    "bibliography",
    "graphicspath",
    "include",
    "includegraphics",
    "input",
    "lstinputlisting",
    "subfile",
    "subfileinclude",
    "verbatiminput",
];

/// Environments whose text is not TeX.
const VERBATIM: [&str; 6] = ["verbatim", "Verbatim", "lstlisting", "minted", "comment", "filecontents"];

/// A command, and the byte range of its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LatexCommand<'t> {
    pub(super) name: &'t str,
    pub(super) at: usize,
    pub(super) end: usize,
}

/// Returns all commands that name files, in order.
pub(super) fn find_commands(text: &str) -> Vec<LatexCommand<'_>> {
    let bytes = text.as_bytes();
    let mut commands = Vec::new();
    let mut at = 0;
    while let Some(length) = memchr::memchr2(b'\\', b'%', &bytes[at.min(bytes.len())..]) {
        at += length;
        if bytes[at] == b'%' {
            at = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
            continue;
        }
        let start = at + 1;
        let end = start + bytes[start..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let name = &text[start..end];
        at = end;
        if name.is_empty() {
            // `\%` and `\\` are characters.
            at = start + 1;
            continue;
        }
        let name = if COMMANDS.contains(&name) || name == "begin" { name } else { continue };
        let Some((from, to)) = parse_argument(bytes, end) else { continue };
        let Some(inside) = text.get(from..to) else { continue };
        if name == "begin" {
            let environment = inside.trim_end_matches('*');
            if VERBATIM.contains(&environment) {
                let close = format!("\\end{{{inside}}}");
                at = memchr::memmem::find(&bytes[to..], close.as_bytes()).map_or(bytes.len(), |length| to + length);
            }
            continue;
        }
        commands.push(LatexCommand { name, at: from, end: to });
        at = to;
    }
    commands
}

/// The byte range of the first argument in braces, after options in brackets. An argument is at most 1000 bytes long.
fn parse_argument(bytes: &[u8], from: usize) -> Option<(usize, usize)> {
    let skip = |at: usize| at + bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let window = |at: usize| &bytes[at..bytes.len().min(at + 1_000)];
    let mut at = from + usize::from(bytes.get(from) == Some(&b'*'));
    at = skip(at.min(bytes.len()));
    while bytes.get(at) == Some(&b'[') {
        at = skip(at + memchr::memchr(b']', window(at))? + 1);
    }
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    let mut depth = 0_usize;
    for (index, byte) in window(at).iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some((at + 1, at + index));
                }
            }
            _ => {}
        }
    }
    None
}
