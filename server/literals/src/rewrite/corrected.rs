//! The text of a literal with a typo corrected where it was made, which keeps everything else that its author wrote.

use crate::path::extension;
use crate::typo::{is_respelling, is_typo};

/// Returns the text of a literal that leads to `target` if one of these paths was meant: the segment in which that differs from the target
/// is replaced. `None` if no path differs in one segment, or the text does not have it.
pub(super) fn correct<'p>(written: &str, tried: impl Iterator<Item = &'p str>, target: &str) -> Option<String> {
    tried.filter_map(|path| differing_segments(path, target)).find_map(|(old, new)| {
        let (old, new) = without_other_ending(old, new);
        // Both without each ending that they have in common, and without the mark of a partial.
        let ends = old.match_indices('.').rev().map(|(at, _)| &old[at..]);
        let ends = std::iter::once("").chain(ends.filter(|end| *end != old));
        let stems = ends.map_while(|end| Some((old.strip_suffix(end)?, new.strip_suffix(end)?)));
        // A number that orders pages is in no address.
        let bare = |text: &str| {
            let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
            let is_numbered = rest.len() < text.len() && rest.starts_with(['-', '_', '.', ' ']);
            if is_numbered { Some(rest[1..].to_owned()) } else { text.strip_prefix('_').map(str::to_owned) }
        };
        stems
            .flat_map(|(old, new)| [Some((old.to_owned(), new.to_owned())), bare(old).zip(bare(new))])
            .flatten()
            .find_map(|(old, new)| replace_word(written, &old, &new))
            .filter(|corrected| keeps_ending(written, corrected))
    })
}

/// Two names without their endings, if both differ: `a.js` is written for `a.ts`, and the typo is before it.
fn without_other_ending<'n>(old: &'n str, new: &'n str) -> (&'n str, &'n str) {
    match (old.rsplit_once('.'), new.rsplit_once('.')) {
        (Some((old, had)), Some((new, has))) if had != has && old != new && !old.is_empty() => (old, new),
        _ => (old, new),
    }
}

/// Returns whether a text keeps the ending that a site gives to its pages: `a.html` for `a.md`. So do all texts from its root.
fn keeps_ending(written: &str, corrected: &str) -> bool {
    let page = |text: &'_ str| text.find(['?', '#']).unwrap_or(text.len());
    let (old, new) = (&written[..page(written)], &corrected[..page(corrected)]);
    let is_of_site = written.starts_with('/') || matches!(extension(old).as_str(), "html" | "htm");
    !is_of_site || extension(old) == extension(new)
}

/// The only segments in which two paths of one depth differ.
fn differing_segments<'p>(one: &'p str, other: &'p str) -> Option<(&'p str, &'p str)> {
    if one.matches('/').count() != other.matches('/').count() {
        return None;
    }
    let mut differing = one.split('/').zip(other.split('/')).filter(|(one, other)| one != other);
    // A name with another ending is another file: `a.css` and `a.css.scss`. A partial is written without its mark.
    let stem = |segment: &'p str| segment.split('.').next().unwrap_or_default();
    let only = differing.next().filter(|_| differing.next().is_none());
    only.filter(|(one, other)| {
        let is_typo = is_typo(stem(one), stem(other)) || is_respelling(stem(one), stem(other)) || is_typo(one, other);
        is_typo
            && one.matches('.').count() == other.matches('.').count()
            && one.starts_with('_') == other.starts_with('_')
    })
}

/// A text with the last whole word that is `old` replaced.
pub(super) fn replace_word(text: &str, old: &str, new: &str) -> Option<String> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let is_whole = |at: &usize| !text[..*at].ends_with(is_part) && !text[at + old.len()..].starts_with(is_part);
    let at = text.rmatch_indices(old).map(|(at, _)| at).find(is_whole).filter(|_| !old.is_empty())?;
    Some([&text[..at], new, &text[at + old.len()..]].concat())
}

#[cfg(test)]
mod tests {
    use super::correct;

    #[test]
    fn corrects_one_segment() {
        let check = |written: &str, tried: &str, target: &str, expect: Option<&str>| {
            let corrected = correct(written, tried.split(' '), target);
            assert_eq!(corrected.as_deref(), expect, "{written}");
        };
        check("./a/buton", "src/a/buton.ts src/a/buton.tsx", "src/a/button.tsx", Some("./a/button"));
        check("mixns", "css/mixns.scss css/mixns.css.scss", "css/mixins.css.scss", Some("mixins"));
        check("a/mixns", "css/a/_mixns.scss", "css/a/_mixins.scss", Some("a/mixins"));
        check(
            "./.github/actions/chek",
            ".github/actions/chek/action.yaml",
            ".github/actions/check/action.yaml",
            Some("./.github/actions/check"),
        );
        check("app.modls.user", "app/modls/user.py", "app/models/user.py", Some("app.models.user"));
        check("@x/recrds", "packages/recrds/src/index.ts", "packages/records/src/index.ts", Some("@x/records"));
        check("/sdk/roes", "docs/02-sdk/04-roes.md", "docs/02-sdk/04-roles.md", Some("/sdk/roles"));
        // Two segments, or none that is written.
        check("./a/buton", "src/b/buton.ts", "src/a/button.ts", None);
        check("#main", "src/buton.ts", "src/button.ts", None);
        check("./my-buton", "src/buton.ts", "src/button.ts", None);
        check("/a/clint.html", "docs/a/clint.md", "docs/a/client.md", Some("/a/client.html"));
        check("/a/clint.html", "docs/a/clint.html", "docs/a/client.md", Some("/a/client.html"));
        check("clint.html", "docs/clint.html docs/clint.md", "docs/client.md", Some("client.html"));
        // Another word, or another ending.
        check("./one.ts", "src/one.ts", "src/three.ts", None);
        check("./buton.x.js", "src/buton.x.js", "src/button.x.ts", Some("./button.x.js"));
        check("a.png", "docs/a.png", "docs/a.md5", None);
    }
}
