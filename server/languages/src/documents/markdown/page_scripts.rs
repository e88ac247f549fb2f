//! Checks the imports in the scripts of Markdown pages that a site compiles as components of Vue.

use pulldown_cmark::{Event, Parser, Tag};

use super::classify::suppress_if_detached;
use super::links::{OPTIONS, body_start};
use crate::documents::doc_sites::{DocSites, Generator};
use crate::documents::markdown::kinds;
use crate::js;
use pathfinder_literals::{Checked, Project, Reason, Source, Verdict};

/// Checks every import in the scripts of a page. A script in a code block is an example.
pub(super) fn check(source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
    let text = source.text();
    if !text.contains("<script") || !text.contains("import") {
        return;
    }
    let sites = project.index::<DocSites>().containing(project.tree(), source.path());
    if !sites.iter().any(|site| matches!(site.generator, Generator::VitePress | Generator::VuePress)) {
        return;
    }
    let start = body_start(text);
    for (event, block) in Parser::new_ext(&text[start..], OPTIONS).into_offset_iter() {
        let block = start + block.start..start + block.end;
        if !matches!(event, Event::Start(Tag::HtmlBlock)) || !text[block.clone()].trim_start().starts_with("<script") {
            continue;
        }
        for range in js::find_component_imports(source, &block) {
            let (verdict, tried) = js::resolve_import(source, project, &text[range.clone()]);
            if matches!(verdict, Verdict::Unknown(Reason::NotInstalled | Reason::Elsewhere)) {
                continue;
            }
            let verdict = suppress_if_detached(source.path(), verdict);
            let range = range.start + source.offset()..range.end + source.offset();
            found.push(Checked { kind: kinds::MDX_IMPORT, range, verdict, tried });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    /// `VitePress` compiles a page as a component of Vue.
    #[test]
    fn checks_scripts_of_vue_pages() {
        let tree = "docs/.vitepress/config.ts\ndocs/parts/Box.vue\ndocs/.vitepress/data.ts";
        let page = "# A\n\n```vue\n<script setup>\nimport x from './example.vue'\n</script>\n```\n\n<script setup lang=\"ts\">\nimport Box from '../parts/Box.vue'\nimport Bux from '../parts/Bux.vue'\nimport { ref } from 'vue'\nconst a = () => import('../.vitepress/data')\n</script>\n\n<Box/> import y from './prose.vue'\n";
        check(
            tree,
            "docs/guide/a.md",
            page,
            "mdx.import ../parts/Box.vue → docs/parts/Box.vue
             mdx.import ../parts/Bux.vue → missing
             mdx.import ../.vitepress/data → docs/.vitepress/data.ts",
        );
        // Other generators copy the script.
        check("docs/parts/Box.vue", "docs/guide/a.md", page, "");
    }
}
