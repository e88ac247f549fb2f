//! `unified_diff`: the changes between two texts, for `git apply` and `patch -p1`. Called by `fix` and `install`.

use std::io::Write as _;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput, Token};

/// Lines of context around each change, as in other tools.
const CONTEXT_LINES: u32 = 3;

/// Returns the changes between two texts; nothing if there are none. `names` head the old and the new text.
pub(super) fn unified_diff(before: &[u8], after: &[u8], names: (&str, &str)) -> Vec<u8> {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_lines(&input);
    let hunks: Vec<Hunk> = diff.hunks().collect();
    let mut out = Vec::new();
    let lines = |out: &mut Vec<u8>, mark: u8, tokens: &[Token], range: Range<u32>| {
        for &token in &tokens[range.start as usize..range.end as usize] {
            let line = input.interner[token];
            out.push(mark);
            out.extend(line);
            if !line.ends_with(b"\n") {
                out.extend(b"\n\\ No newline at end of file\n");
            }
        }
    };
    for group in hunks.chunk_by(|one, next| next.before.start - one.before.end <= 2 * CONTEXT_LINES) {
        let ([first, ..], [.., last]) = (group, group) else { continue };
        let lead = CONTEXT_LINES.min(first.before.start);
        let end = last.before.end.saturating_add(CONTEXT_LINES).min(input.before.len() as u32);
        let old = first.before.start - lead..end;
        let new = first.after.start - lead..last.after.end + (end - last.before.end);
        // Writing to a `Vec` cannot fail.
        if out.is_empty() {
            let _ = write!(out, "--- {}\n+++ {}\n", names.0, names.1);
        }
        let _ = writeln!(out, "@@ -{} +{} @@", position(&old), position(&new));
        let mut at = old.start;
        for hunk in group {
            lines(&mut out, b' ', &input.before, at..hunk.before.start);
            lines(&mut out, b'-', &input.before, hunk.before.clone());
            lines(&mut out, b'+', &input.after, hunk.after.clone());
            at = hunk.before.end;
        }
        lines(&mut out, b' ', &input.before, at..end);
    }
    out
}

/// Lines as a diff's header has them: from 1, a number for one line, the line before for none.
fn position(lines: &Range<u32>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::unified_diff;

    #[track_caller]
    fn check(before: &str, after: &str, expect: &str) {
        let diff = unified_diff(before.as_bytes(), after.as_bytes(), ("a", "b"));
        assert_eq!(String::from_utf8_lossy(&diff), expect, "{before:?} {after:?}");
    }

    #[test]
    fn prints_what_git_applies() {
        check("", "", "");
        check("a\n", "a\n", "");
        check("a\n", "b\n", "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n");
        check("", "a\nb\n", "--- a\n+++ b\n@@ -0,0 +1,2 @@\n+a\n+b\n");
        check("a\n", "", "--- a\n+++ b\n@@ -1 +0,0 @@\n-a\n");
        check("a", "b\n", "--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n");
        check(
            "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
            "2\n3\n4\n5\n6\n7\n8\nx\n",
            "--- a\n+++ b\n@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n@@ -6,4 +5,4 @@\n 6\n 7\n 8\n-9\n+x\n",
        );
        check(
            "1\n2\n3\n4\n5\n6\n7\n8\n",
            "x\n2\n3\n4\n5\n6\n7\ny",
            "--- a\n+++ b\n@@ -1,8 +1,8 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+y\n\\ No newline at end of file\n",
        );
    }
}
