//! Checks the imports of MDX documents: `import`, `export … from`, and `require` of a relative path.
//!
//! Only relative paths, `@site/` paths, and names that begin with an alias of the project are checked.
//!
//! Not the crate `markdown`: its MDX mode gives nothing for a document with an error.

use std::ops::Range;

use super::classify::suppress_if_detached;
use crate::documents::doc_sites::{DocSite, DocSites, Generator};
use crate::documents::markdown::kinds;
use crate::js;
use pathfinder_literals::path::{extension, head, is_dynamic, join, with_endings, without_query};
use pathfinder_literals::{Checked, Lookup, Project, Reason, Severity, Source, Verdict, Want};

/// An import with many names spans several lines, but is not longer than this.
const MAX_STATEMENT_BYTES: usize = 2_000;

/// Suffixes that documentation bundlers try, in order.
const SUFFIXES: [&str; 18] = [
    "",
    ".js",
    ".jsx",
    ".ts",
    ".tsx",
    ".mjs",
    ".cjs",
    ".md",
    ".mdx",
    ".json",
    ".d.ts",
    ".vue",
    ".svelte",
    ".astro",
    "/index.js",
    "/index.jsx",
    "/index.ts",
    "/index.tsx",
];

/// Checks every import of a document. `code` are the byte ranges of inline code.
pub(super) fn check(source: &Source<'_>, project: &Project, code: &[Range<usize>], found: &mut Vec<Checked>) {
    let sites = project.index::<DocSites>().containing(project.tree(), source.path());
    let site = sites.into_iter().find(|site| site.generator == Generator::Docusaurus);
    let text = source.text();
    // Docusaurus reads every document as MDX.
    if extension(source.path()) != "mdx" && site.is_none() || !(text.contains("import") || text.contains("require(")) {
        return;
    }
    for range in find_imports(text, code) {
        let written = js::strip_loaders(&text[range.clone()]);
        let range = range.end - written.len()..range.end;
        let Some((verdict, tried)) = resolve_import(source, project, site, written) else { continue };
        let verdict = suppress_if_detached(source.path(), verdict);
        let range = range.start + source.offset()..range.end + source.offset();
        found.push(Checked { kind: kinds::MDX_IMPORT, range, verdict, tried });
    }
}

/// The verdict on an import; `None` if it names a third-party package.
fn resolve_import(
    source: &Source<'_>,
    project: &Project,
    site: Option<&DocSite>,
    written: &str,
) -> Option<(Verdict, Vec<String>)> {
    let path = without_query(written);
    let (base, path) = match path.strip_prefix("@site/") {
        Some(rest) => (site?.directory.as_str(), rest),
        None if path.starts_with("./") || path.starts_with("../") => (source.directory(), path),
        None => return resolve_alias(source, project, written),
    };
    if is_dynamic(path) || path.contains(['*', '!', '\\', '<']) {
        return Some((Verdict::Unknown(Reason::Dynamic), Vec::new()));
    }
    let Some(path) = join(base, path) else { return Some((Verdict::Unknown(Reason::Outside), Vec::new())) };
    // TypeScript imports `./x.ts` as `./x.js`.
    let stem = path.strip_suffix(".jsx").or_else(|| path.strip_suffix(".js")).map(str::to_owned);
    let typed = stem.iter().flat_map(|stem| with_endings(stem, &[".ts", ".tsx"]));
    let candidates = with_endings(&path, &SUFFIXES).chain(typed);
    Some(Lookup::new(project, Want::Any).verdict(Severity::Error, candidates))
}

/// The verdict on a name that an alias or a package of the project resolves; `None` for names of other packages.
fn resolve_alias(source: &Source<'_>, project: &Project, written: &str) -> Option<(Verdict, Vec<String>)> {
    let (verdict, tried) = js::resolve_import(source, project, written);
    let is_foreign = matches!(verdict, Verdict::Unknown(Reason::NotInstalled | Reason::Elsewhere));
    (!is_foreign).then_some((verdict, tried))
}

/// The byte ranges of import specifiers, in order, outside of code.
fn find_imports(text: &str, code: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        let plain = line.trim_start_matches([' ', '\t', '>', '-', '*']);
        let marks = plain.len() - plain.trim_start_matches('`').len();
        let waves = plain.len() - plain.trim_start_matches('~').len();
        let marks = &plain[..marks.max(waves)];
        match fence {
            Some(open) => {
                if marks.starts_with(open) && plain[marks.len()..].trim().is_empty() {
                    fence = None;
                }
                continue;
            }
            None if marks.len() >= 3 => {
                fence = Some(marks);
                continue;
            }
            None => {}
        }
        if line.starts_with("import ") || line.starts_with("export {") || line.starts_with("export *") {
            found.extend(
                parse_statement(head(&text[at..], MAX_STATEMENT_BYTES)).map(|range| at + range.start..at + range.end),
            );
        } else {
            find_requires(line, |range| {
                let (start, end) = (at + range.start, at + range.end);
                // A call in braces is the value of a property, however deep its line stands.
                let is_property = line[..range.start].trim_end_matches(['"', '\'']).ends_with("{require(");
                let is_indented = line.starts_with("    ") && !is_property;
                let is_code = code.iter().any(|code| code.contains(&start)) || is_indented;
                if !is_code {
                    found.push(start..end);
                }
            });
        }
    }
    found
}

/// Parses the specifier of the statement at the start of a text.
fn parse_statement(text: &str) -> Option<Range<usize>> {
    // A blank line ends the statement.
    let end = text.find("\n\n").or_else(|| text.find("\n\r\n")).unwrap_or(text.len());
    let text = &text[..end];
    let quote = text.find(['"', '\''])?;
    let before = text[..quote].trim_end();
    let clause = before.strip_suffix("from");
    let is_import = before == "import" || clause.is_some_and(|clause| clause.ends_with([' ', '}', '\n']));
    let length = text[quote + 1..].find(['"', '\'', '\n'])?;
    let close = quote + 1 + length;
    (is_import && length > 0 && text[close..].starts_with(&text[quote..=quote])).then_some(quote + 1..close)
}

/// Finds the literals of `require('./x')` in a line.
fn find_requires(line: &str, mut each: impl FnMut(Range<usize>)) {
    const CALL: &str = "require(";
    for (at, _) in line.match_indices(CALL) {
        let start = at + CALL.len();
        let rest = &line[start..];
        let Some(quote) = rest.chars().next().filter(|first| matches!(first, '"' | '\'')) else { continue };
        if let Some(length) = rest[1..].find(quote)
            && length > 0
            && rest[1 + length + 1..].starts_with(')')
        {
            each(start + 1..start + 1 + length);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn checks_imports() {
        let tree = "web/docusaurus.config.js\nweb/src/box.tsx\nweb/docs/_part.mdx\nweb/docs/a.png\nweb/docs/data/index.ts\nignore web/docs/made";
        let text = "import Box from '@site/src/box';\nimport Part from \"./_part.mdx\";\nimport {\n  a,\n  b\n} from './data';
import './gone.css';\nimport x from './made/x';\nimport y from 'react';\nimport z from '@theme/Tabs';\nexport * from './lost'\nimport raw from '!!raw-loader!./gone';

Text that would import things from './nothing'.

```js\nimport a from './no';\n```

<img src={require('./a.png').default} /> <img src={require('./b.png').default} /> `require('./no.png')`\nimport late from '@site/src/gone.tsx';\n";
        let expect = "mdx.import @site/src/box → web/src/box.tsx
            mdx.import ./_part.mdx → web/docs/_part.mdx
            mdx.import ./data → web/docs/data
            mdx.import ./gone.css → missing
            mdx.import ./made/x → unknown ignored
            mdx.import ./lost → missing
            mdx.import ./gone → missing
            mdx.import ./a.png → web/docs/a.png
            mdx.import ./b.png → missing
            mdx.import @site/src/gone.tsx → missing";
        check(tree, "web/docs/x.mdx", text, expect);
        check(tree, "web/docs/x.md", text, expect);
        check(tree, "docs/x.md", text, "");
        check("a", "docs/x.mdx", "import a from '@site/x';\nimport b from './b';\n", "mdx.import ./b → missing");
        let aliased = "tsconfig.json = {\"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"~/*\": [\"src/*\"]}}}\nsrc/components/Box.astro";
        check(
            aliased,
            "src/content/docs/x.mdx",
            "import Box from '~/components/Box.astro';\nimport Bux from '~/components/Bux.astro';\nimport y from 'react';\n",
            "mdx.import ~/components/Box.astro → src/components/Box.astro
             mdx.import ~/components/Bux.astro → missing",
        );
        let deep = "<img\n    src={require('./b.png').default}\n/>\n\n    require('./c.png')\n";
        check("web/docusaurus.config.js", "web/docs/x.md", deep, "mdx.import ./b.png → missing");
        check("a", "docs/x.mdx", "~~~\nimport b from './b'\n~~~ x\n", "");
    }
}
