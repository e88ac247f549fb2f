//! Checks addresses of the project's own files on the host of its code: `https://github.com/owner/name/blob/main/docs/setup.md`.
//!
//! Readmes that are shown elsewhere, packages and programs name files so. The address works as long as the main branch has the path, which
//! the tree tells without a request. Addresses of tags, of commits and of older branches tell of other times and are left alone.

mod own_host;

use pathfinder_literals::path::{extension, is_dynamic, join, percent_decoded};
use pathfinder_literals::report::is_vendored;
use pathfinder_literals::{
    Checked, Language, LiteralKind, Lookup, Project, Reason, Resolution, Severity, Source, Verdict, Want,
};

use crate::documents::markdown::classify::is_placeholder;
use crate::other_times::tells_of_other_times;
use own_host::{HostAddress, OwnHost};

/// Extensions of files in which people write addresses. Data and built pages repeat those of others. Other rules read these files too, so
/// that no editor starts the server for addresses alone.
const EXTENSIONS: [&str; 20] = [
    "adoc", "c", "cpp", "go", "h", "java", "js", "kt", "markdown", "md", "mdx", "php", "py", "rb", "rs", "rst", "sh",
    "toml", "ts", "yml",
];

/// Addresses of one file that are checked; a list of more is made by a program.
const MAX_ADDRESSES: usize = 500;

/// Addresses of the project's files.
pub(crate) struct HostLinks;

mod kinds {
    pathfinder_literals::literal_kinds! {
        /// Path in the address of a file of the project on the host of its code.
        LINK = "url.link";
    }
}

impl Language for HostLinks {
    fn name(&self) -> &'static str {
        "host-links"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        EXTENSIONS.contains(&extension(path).as_str())
    }

    fn checks_one_literal(&self) -> bool {
        true
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        let mut all = HostAddress::find_all(text).peekable();
        // The index reads documents, so a file without any address does not ask for it.
        if is_vendored(source.path()) || all.peek().is_none() {
            return;
        }
        let own = project.index::<OwnHost>();
        // Text of Markdown puts a backslash before some marks, which ends an address before its end: `my\_file.md`.
        let is_cut = |address: &HostAddress<'_>| text[address.path.end..].starts_with('\\');
        let is_shown = |address: &HostAddress<'_>| !is_in_comment(&text[..address.path.start]) && !is_cut(address);
        let ours = all.filter(|address| own.has(address) && is_shown(address)).take(MAX_ADDRESSES);
        for address in ours.filter(|address| source.wants(&address.path)) {
            let (verdict, tried) = resolve(source, project, &text[address.path.clone()]);
            let range = address.path.start + source.offset()..address.path.end + source.offset();
            found.push(Checked { kind: kinds::LINK, range, verdict, tried });
        }
    }
}

/// Returns whether a text ends within a comment of a page, which is not shown.
fn is_in_comment(before: &str) -> bool {
    let open = memchr::memmem::rfind(before.as_bytes(), b"<!--");
    open.is_some_and(|open| !before[open..].contains("-->"))
}

/// Resolves the path of an address from the root of the repository.
fn resolve(source: &Source<'_>, project: &Project, written: &str) -> Resolution {
    let path = percent_decoded(written);
    if is_dynamic(&path) {
        return (Verdict::Unknown(Reason::Dynamic), Vec::new());
    }
    // `join` drops `.` and refuses paths that lead out of the root.
    let Some(path) = join("", &path) else { return (Verdict::Unknown(Reason::Outside), Vec::new()) };
    let (verdict, tried) = Lookup::new(project, Want::Any).verdict(Severity::Warning, [Some(path)]);
    let verdict = match verdict {
        // An address in a record of earlier versions was right then.
        Verdict::Missing(_) if tells_of_other_times(source.path()) || is_placeholder(written) => {
            Verdict::Unknown(Reason::Elsewhere)
        }
        verdict => verdict,
    };
    (verdict, tried)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn checks_addresses_of_own_files() {
        let tree = "README.md = https://github.com/o/n/blob/main/docs/a.md https://github.com/o/n/tree/main/src/b\n\
                    docs/a.md\ndocs/c d.md\nsrc/b/c.rs\nmoved docs/old.md docs/a.md";
        let text = "[a](https://github.com/O/n/blob/master/docs/a.md#l) https://raw.githubusercontent.com/o/n/main/docs/c%20d.md.\n\
                    https://github.com/o/n/blob/main/docs/old.md https://github.com/o/n/blob/v1/gone.md\n\
                    https://github.com/x/n/blob/main/gone.md <https://www.github.com/o/n/tree/main/src/d>\n";
        check(
            tree,
            "x/y.md",
            text,
            "url.link docs/a.md → docs/a.md
             url.link docs/c%20d.md → docs/c d.md
             url.link docs/old.md → moved
             url.link src/d → missing",
        );
        check(tree, "x.md", "https://github.com/o/n/blob/main/no\\_file.md\n", "");
        check(tree, "x.md", "<!-- https://github.com/o/n/blob/main/gone.md -->\n", "");
        let outside =
            "https://github.com/o/n/blob/main/../../etc/passwd https://github.com/o/n/blob/main/%2e%2e/x.md\n";
        let expect = "url.link ../../etc/passwd → unknown outside\nurl.link %2e%2e/x.md → unknown outside";
        check(tree, "x/y.md", outside, expect);
        check(
            tree,
            "CHANGELOG.md",
            "https://github.com/o/n/blob/main/docs/gone.md\n",
            "url.link docs/gone.md → unknown elsewhere",
        );
        check(
            "README.md = https://github.com/o/n/blob/main/gone.md\na.md",
            "b.md",
            "https://github.com/o/n/blob/main/x.md\n",
            "",
        );
    }
}
