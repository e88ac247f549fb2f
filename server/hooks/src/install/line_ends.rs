//! Restores the line ends of an edited text: `toml_edit` prints `\n` outside strings, and drops the byte order mark.

use imara_diff::{Algorithm, Diff, InternedInput};

const BOM: char = '\u{feff}';

/// Returns `printed` with the byte order mark and the line ends of `original`. New lines end as the first line of
/// `original` does.
pub(super) fn restore(original: &str, printed: &str) -> String {
    let (bom, original) = original.split_at(if original.starts_with(BOM) { BOM.len_utf8() } else { 0 });
    let old: Vec<&str> = original.split_inclusive('\n').collect();
    let printed = printed.strip_prefix(BOM).unwrap_or(printed).replace("\r\n", "\n");
    let new: Vec<&str> = printed.split_inclusive('\n').collect();
    let is_crlf = old.first().is_some_and(|line| line.ends_with("\r\n"));
    let plain: Vec<String> = old.iter().map(|line| line.replace("\r\n", "\n")).collect();
    let mut input = InternedInput::default();
    input.update_before(plain.iter().map(String::as_str));
    input.update_after(new.iter().copied());
    let diff = Diff::compute(Algorithm::Myers, &input);
    let mut kept = (0..).zip(&old).filter(|&(at, _)| !diff.is_removed(at)).map(|(_, line)| *line);
    let mut restored = String::from(bom);
    for (at, line) in (0..).zip(new) {
        match line.strip_suffix('\n') {
            Some(line) if diff.is_added(at) && is_crlf => restored.extend([line, "\r\n"]),
            _ if diff.is_added(at) => restored.push_str(line),
            // The line of the old text: its line end may differ from that of the new one.
            _ => restored.push_str(kept.next().unwrap_or(line)),
        }
    }
    restored
}

#[cfg(test)]
mod tests {
    use super::restore;

    #[test]
    fn keeps_line_ends() {
        for (original, printed, expect) in [
            ("a\r\nb\r\n", "a\nnew\nb\n", "a\r\nnew\r\nb\r\n"),
            ("a\r\n\nb\nc\r\n", "a\n\nb\nc\n\nnew\n", "a\r\n\nb\nc\r\n\r\nnew\r\n"),
            ("a\nb\r\nc", "a\nb\nc\nnew\n", "a\nb\r\nc\nnew\n"),
            ("a\r\nold\r\nb\r\n", "a\nb\n", "a\r\nb\r\n"),
            ("s = '''\r\na\nb'''\r\n", "s = '''\r\na\nb'''\nnew\n", "s = '''\r\na\nb'''\r\nnew\r\n"),
            ("\u{feff}a\r\n", "a\nnew\n", "\u{feff}a\r\nnew\r\n"),
            ("\u{feff}", "new\n", "\u{feff}new\n"),
            ("", "new\n", "new\n"),
        ] {
            assert_eq!(restore(original, printed), expect);
        }
    }
}
