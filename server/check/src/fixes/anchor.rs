//! Fixes of a missing anchor: another anchor of its page, or the other page that has it.

use pathfinder_core::distance::edits_within;
use pathfinder_languages::{as_in_site, shows_heading};
use pathfinder_literals::{Checked, Code, Kind, Missing, Rewriting};

use super::paths::{ancestors, extension, is_below, parent, word_similarity, words};
use super::{Fix, FixContext, confidence};

/// Pages that are searched for an anchor: the nearest ones.
const MAX_PAGES: usize = 200;
/// Shorter anchors resemble too many others.
const MIN_ANCHOR_BYTES: usize = 4;
/// One letter in this many may be mistyped.
const BYTES_PER_EDIT: usize = 5;
/// Extensions of files that can have anchors which are not searched for.
const WITH_ANCHORS: [&str; 9] = ["adoc", "asciidoc", "htm", "html", "ipynb", "org", "pdf", "rst", "svg"];
/// Most letters that are mistyped in one anchor.
const MAX_EDITS: usize = 3;
/// From this share of common words on, a heading may be a renamed one.
const MIN_COMMON_WORDS: f32 = 0.5;
/// Probability of an anchor that differs only by a typo. Chosen, not fitted: no fix of an anchor is preferred.
const SLIP_CONFIDENCE: f32 = 0.9;
/// Probability of the only page nearby that has the anchor. Chosen, not fitted.
const ONLY_PAGE_CONFIDENCE: f32 = 0.7;
/// Probability of the only heading to which words were added behind the wanted one, or taken off. Chosen, not fitted.
const LONGER_CONFIDENCE: f32 = 0.7;

/// The fixes of a missing anchor, likeliest first. None leads to a page without the anchor.
pub(super) fn find_fixes(
    context: &FixContext<'_>,
    rewriting: &Rewriting<'_>,
    literal: &Checked,
    missing: &Missing,
) -> Vec<Fix> {
    let Some(wanted) = fragment(context, literal) else { return Vec::new() };
    let page = missing.wanted.as_str();
    let mut all = similar_anchors(&context.cache.fragments(context, page), wanted);
    all.truncate(context.max_fixes);
    let fix = |(fragment, confidence): (String, f32)| {
        let literal = rewriting.rewrite_fragment(literal, &as_in_site(rewriting.project(), page, &fragment))?;
        let path = page.to_owned();
        Some(Fix { literal, path, followers: Vec::new(), confidence, preferred: false, signals: Vec::new() })
    };
    let mut fixes: Vec<Fix> = all.into_iter().filter_map(fix).collect();
    // An anchor of the own page is a heading that was changed: of eight other pages that had it, none was meant.
    if page != context.file
        && fixes.first().is_none_or(|first| first.confidence < ONLY_PAGE_CONFIDENCE)
        && let Some(path) = only_page(context, page, wanted)
        && let Some(literal) = rewriting.rewrite(literal, &path)
    {
        let (confidence, followers) = (ONLY_PAGE_CONFIDENCE, Vec::new());
        fixes.insert(0, Fix { literal, path, followers, confidence, preferred: false, signals: Vec::new() });
    }
    fixes.truncate(context.max_fixes);
    fixes
}

/// Returns whether a literal has a fragment for which a page of Markdown shows no heading, or which no file of this kind can have.
pub(super) fn lacks_fragment(context: &FixContext<'_>, literal: &Checked, page: &str) -> bool {
    let Some(wanted) = fragment(context, literal) else { return false };
    if !is_page(page) {
        let is_line = wanted.starts_with(['L', 'l']) && wanted.contains(|byte: char| byte.is_ascii_digit());
        return literal.kind.is_of_page()
            && context.tree.kind(page) == Some(Kind::File)
            && !is_line
            && !WITH_ANCHORS.contains(&extension(page));
    }
    if page == context.file {
        return !shows_heading(context.source.text(), wanted);
    }
    context.tree.read(page).is_some_and(|text| !shows_heading(&text, wanted))
}

/// Returns whether a page has the text that it had when it moved, so that it shows no fewer headings than before.
pub(super) fn lacked_before_move(context: &FixContext<'_>, missing: &Missing, page: &str) -> bool {
    let is_move = missing.code == Code::MovedPath && missing.instead.as_deref() == Some(page);
    let had = |text: String| context.tree.had_text_at_origin(page, &missing.wanted, &text) == Some(true);
    is_move && context.tree.read(page).is_some_and(had)
}

/// The text of a literal after its `#`.
fn fragment<'s>(context: &FixContext<'s>, literal: &Checked) -> Option<&'s str> {
    let skipped = context.source.offset();
    let range = literal.range.start.saturating_sub(skipped)..literal.range.end.saturating_sub(skipped);
    Some(context.source.text().get(range)?.split_once('#')?.1)
}

fn is_page(path: &str) -> bool {
    matches!(extension(path), "md" | "markdown" | "mdx")
}

/// Anchors that resemble the wanted one, with their probabilities, likeliest first.
fn similar_anchors(anchors: &[String], wanted: &str) -> Vec<(String, f32)> {
    let wanted = wanted.to_lowercase();
    let max_edits =
        if wanted.len() < MIN_ANCHOR_BYTES { 0 } else { (wanted.len() / BYTES_PER_EDIT).clamp(1, MAX_EDITS) };
    let edits = |anchor: &String| edits_within(wanted.as_bytes(), anchor.as_bytes(), max_edits);
    let mut slips: Vec<(usize, &String)> =
        anchors.iter().filter_map(|anchor| Some((edits(anchor)?, anchor))).filter(|_| max_edits > 0).collect();
    slips.sort();
    let least = slips.first().map_or(0, |(edits, _)| *edits);
    // If two are equally near, neither is likely.
    let is_only = slips.iter().filter(|(edits, _)| *edits == least).count() == 1;
    let confidence = if is_only { SLIP_CONFIDENCE } else { confidence::MAX_UNSUPPORTED_CONFIDENCE };
    let mut all: Vec<(String, f32)> = slips.iter().map(|(_, anchor)| ((*anchor).clone(), confidence)).collect();
    all.iter_mut().skip(1).for_each(|(_, confidence)| *confidence = (1.0 - SLIP_CONFIDENCE).min(*confidence));
    if all.is_empty() && wanted.len() >= MIN_ANCHOR_BYTES {
        let is_begun = |one: &str, other: &str| other.strip_prefix(one).is_some_and(|rest| rest.starts_with('-'));
        let longer = |anchor: &&String| is_begun(&wanted, anchor) || is_begun(anchor, &wanted) && anchor.contains('-');
        let mut longer = anchors.iter().filter(longer);
        if let (Some(only), None) = (longer.next(), longer.next()) {
            all.push((only.clone(), LONGER_CONFIDENCE));
        }
    }
    let asked = words(&wanted);
    let mut alike: Vec<(f32, &String)> = anchors.iter().map(|it| (word_similarity(&words(it), &asked), it)).collect();
    alike.retain(|(share, anchor)| *share >= MIN_COMMON_WORDS && !all.iter().any(|(known, _)| known == *anchor));
    alike.sort_by(|a, b| b.0.total_cmp(&a.0));
    // Similarity alone is seldom right.
    let rest = if all.is_empty() {
        confidence::MAX_UNSUPPORTED_CONFIDENCE
    } else {
        (1.0 - SLIP_CONFIDENCE).min(confidence::MAX_UNSUPPORTED_CONFIDENCE)
    };
    all.extend(alike.into_iter().map(|(share, anchor)| (anchor.clone(), rest * share)));
    all
}

/// The only page with this anchor, in the nearest directory with enough pages.
fn only_page(context: &FixContext<'_>, page: &str, wanted: &str) -> Option<String> {
    let is_other_page = |path: &&String| is_page(path) && path.as_str() != page;
    let mut pages: Vec<&String> = Vec::new();
    for above in ancestors(parent(page)) {
        let found = context.tree.files().iter().filter(|path| above.is_empty() || is_below(path, above));
        let found: Vec<&String> = found.filter(is_other_page).take(MAX_PAGES + 1).collect();
        if found.len() > MAX_PAGES {
            break;
        }
        pages = found;
    }
    let has = |path: &&&String| context.cache.fragments(context, path).iter().any(|anchor| anchor == wanted);
    let mut having = pages.iter().filter(has);
    let first = having.next()?;
    having.next().is_none().then(|| (*first).clone())
}

#[cfg(test)]
mod tests {
    use super::similar_anchors;

    #[test]
    fn ranks_similar_anchors() {
        let check = |anchors: &str, wanted: &str, expect: &str| {
            let anchors: Vec<String> = anchors.split(' ').map(str::to_owned).collect();
            let near = similar_anchors(&anchors, wanted).into_iter().map(|(anchor, it)| format!("{anchor} {it:.1}"));
            assert_eq!(near.collect::<Vec<_>>().join(", "), expect, "{wanted}");
        };
        check("installation usage", "instalation", "installation 0.9");
        check("how-to-install usage", "how-to-instal-it", "how-to-install 0.9");
        check("targets-t flags-f", "targets", "targets-t 0.7");
        check("targets-t targets-u", "targets", "targets-t 0.3, targets-u 0.3");
        check("step-a step-b", "step-c", "step-a 0.4, step-b 0.1");
        check("usage license", "contributing", "");
        check("an of", "in", "");
    }
}
