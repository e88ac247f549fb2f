//! Spellings of a target in the style of a literal, the likeliest first.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::ending::{Omitted, with_extension, without_mark};
use super::form::Form;
use crate::path::{extension, parent};
use crate::source::Source;

/// What a URL's path cannot have as it is.
const ESCAPED: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'%').add(b'#').add(b'?').add(b'`');

/// Every spelling of `target` (relative to the root) that fits the form of a literal, its siblings' forms, or none.
pub(super) fn spellings(form: &Form<'_>, target: &str, source: &Source<'_>, siblings: &[Form<'_>]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut add = |spelling: String| {
        // A slash at the end is right for a directory only.
        let bare = form.behind.strip_prefix('/').map(|rest| {
            let path = spelling.strip_suffix(form.behind).unwrap_or(&spelling);
            format!("{path}{rest}")
        });
        for spelling in std::iter::once(spelling).chain(bare) {
            if !spelling.is_empty() && !all.contains(&spelling) {
                all.push(spelling);
            }
        }
    };
    for stem in stems(form, target) {
        if let Some(from) = &form.seen_from {
            if is_beside(form, &stem) {
                add_below(form, &stem, form, &mut add);
            }
            relative(form, from, &stem).into_iter().for_each(&mut add);
        } else if form.is_aligned() {
            add_below(form, &stem, form, &mut add);
            // The build may decide which directories are searched: then the same number of last segments says as much.
            if form.lead.is_empty() && form.separator == '/' {
                let start = stem.rmatch_indices('/').nth(form.common - 1).map_or(0, |(at, _)| at + 1);
                add(dressed(form, "", &stem[start..], form.separator));
            }
            if let Some(base) = base_alike(&form.base, &stem) {
                add_below(&Form { base, ..form.clone() }, &stem, form, &mut add);
            }
        }
        for sibling in siblings {
            add_below(sibling, &stem, form, &mut add);
        }
        if form.seen_from.as_deref() != Some(source.directory()) {
            relative(form, source.directory(), &stem).into_iter().for_each(&mut add);
        }
    }
    all
}

/// Whether a target is in the directory that was written: only the name is another one, and all before it stays.
fn is_beside(form: &Form<'_>, stem: &str) -> bool {
    let path = form.written.strip_suffix(form.behind).unwrap_or(form.written);
    let written = path.strip_prefix(form.lead.as_str()).map(parent).filter(|directory| !directory.is_empty());
    let rest = if form.base.is_empty() { Some(stem) } else { below(stem, &form.base) };
    form.separator == '/' && written.is_some() && written == rest.map(parent)
}

/// What of the target can be written, in the order in which the old literal makes it likely.
fn stems(form: &Form<'_>, target: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let path = form.written.strip_suffix(form.behind).unwrap_or(form.written);
    let had = extension(path);
    // `./a.js` can stand for `a.ts`, and `a.html` for `a.md`.
    if form.omitted == Omitted::Nothing && !had.is_empty() && had != extension(target) {
        all.extend(with_extension(target, &had));
    }
    let omitted = match form.omitted {
        Omitted::Index => [Omitted::Index, Omitted::Extension, Omitted::Nothing, Omitted::Extensions],
        // What was named has no extension itself, or none is known of it.
        Omitted::Nothing if had.is_empty() && !extension(target).is_empty() => {
            [Omitted::Extension, Omitted::Index, Omitted::Extensions, Omitted::Nothing]
        }
        Omitted::Nothing => Omitted::ALL,
        _ => [Omitted::Extension, Omitted::Index, Omitted::Extensions, Omitted::Nothing],
    };
    // A module that stands for its directory is seldom named itself where extensions are left out.
    let is_index = form.without_index(target).is_some() && omitted[0] == Omitted::Extension;
    let first = is_index.then_some(Omitted::Index);
    let omit = |omitted: Omitted| match omitted {
        Omitted::Index => form.without_index(target),
        other => other.omit(target),
    };
    for stem in first.into_iter().chain(omitted).filter_map(omit) {
        let unmarked = without_mark(stem);
        let wrote_mark = path.rsplit(['/', '\\']).next().is_some_and(|name| name.starts_with('_'));
        let both = if wrote_mark { [Some(stem.to_owned()), unmarked] } else { [unmarked, Some(stem.to_owned())] };
        all.extend(both.into_iter().flatten());
    }
    all
}

/// The target as seen from the base of a form.
fn add_below(style: &Form<'_>, stem: &str, form: &Form<'_>, add: &mut impl FnMut(String)) {
    let rest = if style.base.is_empty() { Some(stem) } else { below(stem, &style.base) };
    if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
        add(dressed(form, &style.lead, rest, style.separator));
    }
}

/// The directory above a target that is for it what the base is for what was named: `b/src/main/java` for `a/src/main/java`.
/// That is one which ends in the same segments, the more the better.
fn base_alike(base: &str, target: &str) -> Option<String> {
    let (base, target) = (split(base), split(target));
    let directories = target.len().checked_sub(1)?;
    (1..=base.len()).rev().find_map(|count| {
        let end = &base[base.len() - count..];
        let at = target[..directories].windows(count).position(|window| window == end)?;
        Some(target[..at + count].join("/"))
    })
}

fn below<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    path.strip_prefix(directory)?.strip_prefix('/')
}

/// The target as seen from a directory, with and without `./` before it.
fn relative(form: &Form<'_>, from: &str, stem: &str) -> Vec<String> {
    let (mut a, mut b) = (split(from), split(stem));
    let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    a.drain(..same);
    b.drain(..same);
    if b.is_empty() && a.is_empty() {
        return Vec::new();
    }
    if form.separator == '.' {
        let lead = ".".repeat(a.len() + 1);
        return vec![dressed(form, &lead, &b.join("/"), '.')];
    }
    let separator = if form.separator == '\\' { "\\" } else { "/" };
    let ups = format!("..{separator}").repeat(a.len());
    let bare = dressed(form, &ups, &b.join("/"), form.separator);
    if !a.is_empty() {
        // `./../` keeps its form.
        let dotted = form.lead.starts_with("./..").then(|| format!(".{separator}{bare}"));
        return dotted.into_iter().chain([bare]).collect();
    }
    let dotted = dressed(form, &format!(".{separator}"), &b.join("/"), form.separator);
    if form.lead.starts_with('.') && (form.lead.starts_with("./") || form.lead.starts_with("..")) {
        vec![dotted, bare]
    } else {
        vec![bare, dotted]
    }
}

fn split(path: &str) -> Vec<&str> {
    path.split('/').filter(|segment| !segment.is_empty()).collect()
}

/// With what stood before and behind, in the literal's separators and characters.
fn dressed(form: &Form<'_>, lead: &str, rest: &str, separator: char) -> String {
    let rest = if separator == '/' { rest.to_owned() } else { rest.replace('/', &separator.to_string()) };
    let rest = if form.is_encoded { utf8_percent_encode(&rest, ESCAPED).to_string() } else { rest };
    let whole = format!("{lead}{rest}");
    // `../` that leads to a directory is written without its slash, unless there was one.
    let whole = if rest.is_empty() { whole.trim_end_matches('/').to_owned() } else { whole };
    format!("{whole}{}", form.behind)
}
