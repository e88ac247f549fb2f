//! Checks the documents that the bar of a Docusaurus site leads to by their ids: `docId: 'guides/setup'`.

use memchr::memmem;
use pathfinder_literals::path::{join, name, parent};
use pathfinder_literals::{Checked, LiteralKind, Lookup, Project, Reason, Severity, Source, Verdict, Want};

use crate::documents::doc_sites::{DocSites, Generator};

/// The key of an id.
const KEY: &str = "docId";
/// Ids of one configuration; a bar has a dozen.
const MAX_IDS: usize = 500;
/// Endings of documents.
const ENDINGS: [&str; 2] = [".md", ".mdx"];

/// Adds the ids of a configuration. A document can give itself another one, so that only a move or a typo tells that one is missing.
pub(super) fn check(source: &Source<'_>, project: &Project, found: &mut Vec<Checked>, kind: LiteralKind) {
    let text = source.text();
    if !name(source.path()).starts_with("docusaurus.config") {
        return;
    }
    let tree = project.tree();
    let sites = project.index::<DocSites>().all(tree).iter();
    let here = |generator, directory: &str| generator == Generator::Docusaurus && directory == source.directory();
    let roots: Vec<&String> =
        sites.filter(|site| here(site.generator, &site.directory)).flat_map(|site| &site.roots).collect();
    for at in memmem::find_iter(text.as_bytes(), KEY).take(MAX_IDS) {
        let rest = &text[at + KEY.len()..];
        let value = rest.trim_start_matches(['"', '\'']).trim_start().strip_prefix(':').map(str::trim_start);
        let Some(value) = value.filter(|value| value.starts_with(['"', '\''])) else { continue };
        let (quote, inside) = value.split_at(1);
        let Some(id) = inside.split(quote).next().filter(|id| !id.is_empty() && !id.contains(['$', '\n'])) else {
            continue;
        };
        let start = id.as_ptr() as usize - text.as_ptr() as usize + source.offset();
        let range = start..start + id.len();
        let is_known = found.iter().any(|other| other.range.start < range.end && range.start < other.range.end);
        let stems = roots.iter().filter_map(|root| join(root, id));
        let paths: Vec<String> = stems.flat_map(|stem| ENDINGS.map(|ending| format!("{stem}{ending}"))).collect();
        // Without the directory of the documents nothing is known of them.
        let is_placed = |path: &&String| tree.kind(parent(path)).is_some();
        if is_known || !paths.iter().any(|path| is_placed(&path)) {
            continue;
        }
        let lost = paths.iter().find(|path| tree.kind(path).is_none() && tree.moved(path).is_some());
        let is_there = paths.iter().any(|path| tree.kind(path).is_some());
        let tried = if let Some(lost) = lost.filter(|_| !is_there) { vec![lost.clone()] } else { paths };
        let (verdict, tried) = Lookup::new(project, Want::File).verdict(Severity::Warning, tried.into_iter().map(Some));
        let verdict = match verdict {
            Verdict::Missing(missing) if missing.instead.is_none() => {
                Verdict::Unknown(Reason::Undecided("the ids that pages declare".to_owned()))
            }
            verdict => verdict,
        };
        found.push(Checked { kind, range, verdict, tried });
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn follows_documents_that_moved() {
        let tree = "docs/api/intro.md\ndocs/start.mdx\nmoved docs/intro.md docs/api/intro.md";
        let text = "export default { items: [{ docId: 'intro' }, { 'docId': \"start\" }, { docId: \"own-id\" }] };\n";
        check(
            tree,
            "docusaurus.config.ts",
            text,
            "js.value intro → moved\njs.value start → docs/start.mdx\njs.value own-id → unknown undecided",
        );
    }
}
