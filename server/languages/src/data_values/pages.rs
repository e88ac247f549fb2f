//! Pages that the contents of a site list by their paths without an ending: sidebars of Docusaurus and `VitePress`, Mintlify's `docs.json`.
//!
//! No knowledge of the site is needed. If most strings of a file that look like such names lead to documents from one directory, the
//! others are meant to as well. A missing one counts only if git moved it or a typo explains it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use pathfinder_literals::path::{ancestors, extension, is_within, join, name};
use pathfinder_literals::{
    Checked, Code, LiteralKind, Lookup, Project, Reason, Severity, Source, Verdict, Want, typo_findings,
};
use rustc_hash::FxHashSet;

use super::{MAX_SAME_ENDINGS, MIN_OTHERS_PER_MISSING, is_path_like};

/// Names that must lead to documents. Two words with a slash that are one by chance are rare, but occur.
const MIN_PAGES: usize = 4;
/// Names that are looked up before it is known whether most lead to documents.
const SAMPLE: usize = 16;
/// Names of one file. The contents of the largest sites have some hundred.
const MAX_NAMES: usize = 1_000;
/// Endings of documents. A page that is that of a directory is looked for as the directory.
const ENDINGS: [&str; 3] = [".md", ".mdx", ".rst"];

/// Adds the names in these byte ranges of a file that are pages by evidence, unless another rule has read them.
pub(crate) fn check(
    source: &Source<'_>,
    project: &Project,
    found: &mut Vec<Checked>,
    kind: LiteralKind,
    ranges: impl IntoIterator<Item = Range<usize>>,
) {
    let text = source.text();
    // A slash in front stands for the directory of the pages, and an address can end as the page that is made.
    let trimmed = |range: Range<usize>| {
        let name = &text[range.clone()];
        let start = range.start + usize::from(name.starts_with('/'));
        let end = name.strip_suffix(".html").or_else(|| name.strip_suffix('/')).unwrap_or(name).len();
        start..start.max(range.start + end)
    };
    let names = ranges.into_iter().map(trimmed).filter(|range| is_name(&text[range.clone()]));
    let names: Vec<Range<usize>> = names.take(MAX_NAMES).collect();
    let Some(base) = find_base(project, &text_in_order(text, &names)) else { return };
    let offset = source.offset();
    for range in names.into_iter().filter(|range| !is_redirected(text, range)) {
        let at = range.start + offset..range.end + offset;
        let Some(page) = join(&base, &text[range.clone()]) else { continue };
        let is_known = found.iter().any(|other| other.range.start < at.end && at.start < other.range.end);
        // A directory of the site, or a path of another kind.
        let mut places = std::iter::once(page.clone())
            .chain(ancestors(source.directory()).filter_map(|at| join(at, &text[range.clone()])));
        if !is_known && !places.any(|path| project.tree().kind(&path).is_some()) {
            let paths = ENDINGS.iter().map(|ending| Some(format!("{page}{ending}")));
            let (verdict, tried) = Lookup::new(project, Want::File).verdict(Severity::Warning, paths);
            let verdict = match verdict {
                // A page can give itself a name in another style.
                Verdict::Missing(missing) if missing.code == Code::CaseMismatch => continue,
                Verdict::Missing(missing) if missing.instead.is_none() => {
                    let corrected = typo_findings::find_corrected(project, &tried);
                    let is_other = |there: &String| {
                        !typo_findings::differ_in_style(there, &missing.wanted)
                            && !has_id(project, there, name(&text[range.clone()]))
                    };
                    if !corrected.as_ref().is_some_and(is_other) {
                        continue;
                    }
                    Verdict::Unknown(Reason::Elsewhere)
                }
                verdict => verdict,
            };
            found.push(Checked { kind, range: at, verdict, tried });
        }
    }
}

/// Returns whether the string with a name is the key of another string: a list of redirects has old names as keys.
fn is_redirected(text: &str, name: &Range<usize>) -> bool {
    let is_quote = |c: char| matches!(c, '"' | '\'' | '`');
    let rest = text[name.end..].split_once(is_quote).map_or("", |(_, rest)| rest);
    rest.trim_start().strip_prefix(':').is_some_and(|value| value.trim_start().starts_with(is_quote))
}

/// Returns whether a page gives itself this id in its front matter.
fn has_id(project: &Project, page: &str, id: &str) -> bool {
    /// Front matter begins a page and has fewer lines.
    const MAX_LINES: usize = 30;
    let text = project.tree().read_shared(page);
    let mut lines = text.iter().flat_map(|text| text.lines().take(MAX_LINES));
    lines.any(|line| line.strip_prefix("id:").is_some_and(|value| value.trim().trim_matches(['"', '\'']) == id))
}

/// Returns whether a string can name a page: a path with a directory and without an ending.
fn is_name(text: &str) -> bool {
    // A page about a version has a number behind its last dot.
    let has_ending = !extension(text).is_empty() && !extension(text).starts_with(|c: char| c.is_ascii_digit());
    is_path_like(text) && text.contains('/') && !text.starts_with(['.', '@']) && !has_ending
}

/// The names in the order of the file, each once.
fn text_in_order<'t>(text: &'t str, names: &[Range<usize>]) -> Vec<&'t str> {
    let mut seen = FxHashSet::default();
    names.iter().map(|range| &text[range.clone()]).filter(|name| seen.insert(*name)).collect()
}

/// Returns the directory from which most of these names lead to documents.
fn find_base(project: &Project, names: &[&str]) -> Option<String> {
    let mut votes: BTreeMap<String, usize> = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        let most = votes.values().copied().max().unwrap_or_default();
        if at == SAMPLE && most < MIN_PAGES {
            return None;
        }
        let bases = ENDINGS.iter().flat_map(|ending| {
            let tail = format!("{name}{ending}");
            let paths = project.find_all_by_suffix(&tail, MAX_SAME_ENDINGS);
            let base = |path: &str| path.strip_suffix(&tail).map(|base| base.trim_end_matches('/').to_owned());
            paths.into_iter().filter_map(base).collect::<Vec<_>>()
        });
        let bases: BTreeSet<String> = bases.collect();
        for base in bases {
            *votes.entry(base).or_default() += 1;
        }
    }
    // Among directories with as many, the one above the others is meant.
    let (base, pages) = votes.into_iter().max_by(|one, other| {
        let is_above = || is_within(&other.0, &one.0).cmp(&is_within(&one.0, &other.0));
        one.1.cmp(&other.1).then_with(is_above).then_with(|| other.0.cmp(&one.0))
    })?;
    // A list can name directories too, of which all pages are shown.
    let is_entry = |name: &&&str| join(&base, name).is_some_and(|path| project.tree().kind(&path).is_some());
    let known = pages + names.iter().filter(is_entry).count();
    let is_most = pages >= MIN_PAGES && names.len().saturating_sub(known) * MIN_OTHERS_PER_MISSING < names.len();
    is_most.then_some(base)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    const TREE: &str = "docs/a/one.md\ndocs/a/two.mdx\ndocs/b/three.md\ndocs/b/four.md\ndocs/c/five.md\n\
                        docs/b/new.md\nmoved docs/a/old.md docs/b/new.md";
    const PAGES: &str = "js.value a/one → docs/a/one.md\njs.value a/two → docs/a/two.mdx\n\
                         js.value b/three → docs/b/three.md\njs.value b/four → docs/b/four.md";

    #[test]
    fn reads_the_contents_of_sites() {
        let all = "'a/one', 'a/two', '/b/three', 'b/four/'";
        let with = |last: &str| format!("{PAGES}\n{last}");
        check(TREE, "sidebars.js", &format!("module.exports = [{all}, 'a/old']"), &with("js.value a/old → moved"));
        check(TREE, "cloudSidebar.js", &format!("module.exports = [{all}, 'a/old']"), &with("js.value a/old → moved"));
        let tree = &format!("{TREE}\nmoved docs/a/2.6-old.md docs/b/new.md");
        let list = format!("module.exports = [{all}, 'a/2.6-old']");
        check(tree, "sidebars.js", &list, &with("js.value a/2.6-old → moved"));
        let data = format!("[{}, \"a/old\"]", all.replace('\'', "\""));
        check(TREE, "x/docs.json", &data, &with("js.value a/old → moved").replace("js.", "json."));
        let site = "docs/.vitepress/config.ts";
        check(TREE, site, &format!("export default [{all}, '/c/fife']"), &with("js.value c/fife → missing"));
        let made = all.replace("',", ".html',");
        let nav = "docs/.vuepress/nav/en.js";
        check(TREE, nav, &format!("export default [{made}, '/a/old.html']"), &with("js.value a/old → moved"));
    }

    #[test]
    fn leaves_other_names() {
        // Too few pages, too many other names, a directory, another program.
        check(TREE, "sidebars.js", "module.exports = ['a/one', 'a/two', 'b/three', 'a/old']", "");
        check(TREE, "sidebars.js", "module.exports = ['a/one', 'a/two', 'b/three', 'b/four', 'x/a', 'x/b']", "");
        let all = "'a/one', 'a/two', '/b/three', 'b/four/'";
        check(TREE, "sidebars.js", &format!("module.exports = [{all}, 'docs/a']"), PAGES);
        // A page has a name of its own.
        let tree = format!("{TREE}\ndocs/c/chart_style.md");
        for name in ["c/chart-style", "c/Five"] {
            check(&tree, "sidebars.js", &format!("module.exports = [{all}, '{name}']"), PAGES);
        }
        let own = format!("{TREE}\ndocs/c/chartStyle.mdx = ---\\nid: chart-style\\n---");
        check(&own, "sidebars.js", &format!("module.exports = [{all}, 'c/chart-style']"), PAGES);
        let redirects = format!("module.exports = {{a: [{all}], redirects: {{ '/a/old': '/b/new' }} }}");
        check(TREE, "sidebars.js", &redirects, &format!("{PAGES}\njs.value b/new → docs/b/new.md"));
        check(TREE, "src/x.js", &format!("module.exports = [{all}, 'a/old']"), "");
    }
}
