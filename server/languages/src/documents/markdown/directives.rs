//! Checks files that a page names for a tool which is not known: `{src="snippets/a/Main.kt"}` below a block of Writerside, the title of a
//! block of code, `[!code-csharp ~/samples/A.cs]` of `DocFX`, `@@ examples/a.hack @@`, `CODE_LOAD::src/a.ts` in a block, the values below a component of Nuxt's content,
//! `::Example` and `file: _examples/a.vue` between lines of three dashes.
//!
//! A path in such a line is one by evidence only: its file is there, or git moved it, or a typo explains it.

use std::ops::Range;

use pathfinder_literals::{Checked, Project, Source};

use super::include::fenced_ranges;
use super::kinds;
use crate::path_words;

/// Longest line that is read. No directive that people write is longer.
const MAX_LINE_BYTES: usize = 400;
/// Marks of a line that is for a tool, at its beginning and at its end.
const MARKS: [(&str, &str); 4] = [("{", "}"), ("[!", "]"), ("@@", "@@"), ("@[", ")")];

/// Adds the paths in directives, unless another rule has read them.
pub(super) fn check(source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
    let lines = directives(source.text());
    if !lines.is_empty() {
        path_words::check(source, project, found, kinds::DIRECTIVE, lines);
    }
}

/// The byte ranges of the lines outside of blocks of code that are for a tool, and of the first lines of blocks.
fn directives(text: &str) -> Vec<Range<usize>> {
    let fences = if text.contains('`') || text.contains('~') { fenced_ranges(text) } else { Vec::new() };
    let mut found = Vec::new();
    let mut end = 0;
    let mut component = ComponentPart::Outside;
    for line in text.split_inclusive('\n') {
        let (start, plain) = (end, line.trim());
        end += line.len();
        component = component.after(plain);
        if !plain.contains('/') || plain.len() > MAX_LINE_BYTES {
            continue;
        }
        let fence = fences.get(fences.partition_point(|fence| fence.end <= start)).filter(|fence| fence.start <= start);
        let is_read = match fence {
            Some(fence) => fence.start == start || loaded_end(plain).is_some(),
            None if component == ComponentPart::Values => true,
            None => MARKS.iter().any(|(open, close)| plain.starts_with(open) && plain.ends_with(close)),
        };
        if is_read {
            let at = start + (line.len() - line.trim_start().len());
            found.push(at..at + loaded_end(plain).unwrap_or(plain.len()));
        }
    }
    found
}

/// The end of the path in a line that is a word in capitals and a path, which is loaded in place of the line: `CODE_LOAD::ts/src/a.ts#part`.
fn loaded_end(line: &str) -> Option<usize> {
    let (mark, path) = line.split_once("::")?;
    let is_word = !mark.is_empty() && mark.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    (is_word && !path.contains(char::is_whitespace)).then(|| line.find(['#', '?']).unwrap_or(line.len()))
}

/// The place of a line in respect of a component with values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ComponentPart {
    Outside,
    /// Behind its name.
    Named,
    /// Within its values.
    Values,
}

impl ComponentPart {
    fn after(self, line: &str) -> Self {
        let name = line.trim_start_matches(':');
        let is_name = line.len() >= name.len() + 2 && name.starts_with(char::is_alphabetic);
        match self {
            Self::Values if line != "---" => Self::Values,
            Self::Named if line == "---" => Self::Values,
            _ if is_name => Self::Named,
            _ => Self::Outside,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn reads_files_of_directives() {
        let tree = "samples/snippets/a/Main.kt\nsamples/snippets/new/B.kt\nmoved samples/snippets/old/B.kt samples/snippets/new/B.kt";
        let expect = "md.directive snippets/old/B.kt → moved";
        check(
            tree,
            "topics/x.md",
            "```kotlin\n```\n{src=\"snippets/a/Main.kt\"}\n{src=\"snippets/old/B.kt\"}\n",
            expect,
        );
        check(tree, "topics/x.md", "[!code ~/snippets/a/Main.kt]\n@@ snippets/old/B.kt @@\n", expect);
        let block = "```kotlin title=\"snippets/old/B.kt\"\n\"snippets/old/B.kt\"\n{snippets/old/B.kt}\n```\n";
        check(tree, "topics/x.md", block, "md.directive snippets/old/B.kt → moved");
        check(tree, "topics/x.md", &block.replace("```", "~~~"), "md.directive snippets/old/B.kt → moved");
        let loaded = "```kt\nCODE_LOAD::snippets/old/B.kt#<start>\nstd::snippets/old/B.kt\n```\n";
        check(tree, "topics/x.md", loaded, expect);
        let inline = "```x``` is a word\n\n{src=\"snippets/old/B.kt\"}\n";
        check(tree, "topics/x.md", inline, expect);
        let component =
            "::Example\n---\nname: x\nfile: [\n  \"snippets/old/B.kt\"\n]\n---\n::\n\n---\nsnippets/old/B.kt\n---\n";
        check(tree, "topics/x.md", component, expect);
        check(tree, "topics/x.md", "Text {snippets/old/B.kt}.\n\n{src=\"b/none.kt\"}\n", "");
    }
}
