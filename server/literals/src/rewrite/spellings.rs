//! Generates spellings of a target in the style of a literal, the likeliest first. `Rewriting` verifies them.

use std::cell::Cell;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::endings::{DECLARATION_EXTENSIONS, Omission, with_extension, without_partial_underscore};
use super::style::{LiteralStyle, separator_text};
use crate::path::{corresponding_base, extension, name, parent};
use crate::source::Source;
use crate::typo::is_typo;

/// Characters that are percent-encoded in the path of a URL.
const ESCAPED: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'%').add(b'#').add(b'?').add(b'`');

/// Returns every spelling of `target` (relative to the root): in the style of the literal, in those of its siblings, and
/// relative to the file.
pub(super) fn generate_spellings(
    style: &LiteralStyle<'_>,
    target: &str,
    source: &Source<'_>,
    siblings: &[LiteralStyle<'_>],
) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let is_directory = Cell::new(false);
    let mut add = |spelling: String| {
        // A trailing slash is right only for a directory, so the spelling without it is added.
        let bare = style.suffix.strip_prefix('/').map(|rest| {
            let path = spelling.strip_suffix(style.suffix).unwrap_or(&spelling);
            format!("{path}{rest}")
        });
        // A server shows the index of a directory at the address with a slash.
        let slashed = is_directory.get().then(|| {
            let path = spelling.strip_suffix(style.suffix).unwrap_or(&spelling);
            format!("{path}/{}", style.suffix)
        });
        for spelling in std::iter::once(spelling).chain(bare).chain(slashed) {
            if !spelling.is_empty() && !all.contains(&spelling) {
                all.push(spelling);
            }
        }
    };
    // A declaration is imported by the name of its script: with its own ending nothing runs. Settings name the file.
    let is_declaration = |stem: &String| DECLARATION_EXTENSIONS.iter().any(|ending| stem.ends_with(ending));
    let is_setting = extension(source.path()) == "json";
    let is_written = is_setting || DECLARATION_EXTENSIONS.iter().any(|ending| style.written.ends_with(ending));
    for stem in target_stems(style, target).into_iter().filter(|stem| is_written || !is_declaration(stem)) {
        let is_address = style.written.starts_with('/') && !style.suffix.starts_with('/');
        is_directory.set(is_address && style.without_index(target) == Some(stem.as_str()));
        if let Some(from) = &style.relative_to {
            if is_beside(style, &stem) {
                add_below(style, &stem, style, &mut add);
            }
            if let Some(rest) = below_headers(style, from, &stem, target) {
                add(format_spelling(style, "", rest, '/'));
            }
            relative_spellings(style, from, &stem, target).into_iter().for_each(&mut add);
        } else if style.is_aligned() {
            add_below(style, &stem, style, &mut add);
            // If the build decides the searched directories, the same number of last segments may resolve.
            if style.lead.is_empty() && style.separator == '/' {
                // The first directory of the literal is usually in the searched one, wherever the directories below it went.
                if let Some(start) = start_of_first_directory(style, &stem) {
                    add(format_spelling(style, "", &stem[start..], style.separator));
                }
                let start = stem.rmatch_indices('/').nth(style.common - 1).map_or(0, |(at, _)| at + 1);
                add(format_spelling(style, "", &stem[start..], style.separator));
            }
            if let Some(base) = corresponding_base(&style.base, &stem) {
                add_below(&LiteralStyle { base, ..style.clone() }, &stem, style, &mut add);
            }
        }
        // The module `A` of one segment shows no separator: it can become `B.A`.
        let is_module = style.is_bare_name();
        if is_module {
            add_below(&LiteralStyle { separator: '.', ..style.clone() }, &stem, style, &mut add);
        }
        if is_module || style.separator == '.' && style.lead.is_empty() && style.is_aligned() {
            module_spellings(style, &stem).into_iter().for_each(&mut add);
        }
        if style.separator == ':' {
            crate_spellings(style, &stem).into_iter().for_each(&mut add);
        }
        for sibling in siblings {
            add_below(sibling, &stem, style, &mut add);
        }
        alias_spelling(style, &stem).into_iter().for_each(&mut add);
        if style.separator != ':' && style.relative_to.as_deref() != Some(source.directory()) {
            relative_spellings(style, source.directory(), &stem, target).into_iter().for_each(&mut add);
        }
        // A relative import of Python does not leave its outermost package.
        if style.separator == '.' && style.is_relative() {
            module_spellings(style, &stem).into_iter().for_each(&mut add);
            add(format_spelling(style, "", &stem, '.'));
        }
    }
    all
}

/// Returns whether the target is in the directory that the literal names, so that only the last segment changes.
fn is_beside(style: &LiteralStyle<'_>, stem: &str) -> bool {
    let path = style.written.strip_suffix(style.suffix).unwrap_or(style.written);
    let written = path.strip_prefix(style.lead.as_str()).map(parent).filter(|directory| !directory.is_empty());
    let rest = if style.base.is_empty() { Some(stem) } else { strip_directory(stem, &style.base) };
    style.separator == '/' && written.is_some() && written == rest.map(parent)
}

/// Returns the path of a header below the directory of headers that it moved to: another part of the project includes it by that.
fn below_headers<'p>(style: &LiteralStyle<'_>, from: &str, stem: &'p str, target: &str) -> Option<&'p str> {
    const HEADERS: [&str; 5] = ["cuh", "h", "hh", "hpp", "hxx"];
    let is_header = HEADERS.contains(&extension(target).as_str()) && style.lead.is_empty() && style.separator == '/';
    let (at, mark) = ["include/", "inc/"].iter().find_map(|mark| {
        let at = stem.rfind(mark).filter(|at| *at == 0 || stem[..*at].ends_with('/'))?;
        Some((at, mark))
    })?;
    let is_inside = strip_directory(from, stem[..at + mark.len()].trim_end_matches('/')).is_some();
    let rest = &stem[at + mark.len()..];
    (is_header && !is_inside && rest.contains('/')).then_some(rest)
}

/// Returns the target with each possible ending omitted, the likeliest for the old literal first.
fn target_stems(style: &LiteralStyle<'_>, target: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let path = style.written.strip_suffix(style.suffix).unwrap_or(style.written);
    let had = extension(path);
    // `./a.js` can stand for `a.ts`, and `a.html` for `a.md`.
    if style.omitted == Omission::Nothing && !had.is_empty() && had != extension(target) {
        // `./a.svelte` leads to `a.svelte.ts`.
        let stem = Omission::Extension.omit(target).filter(|stem| extension(stem) == had);
        all.extend(stem.map(str::to_owned));
        all.extend(with_extension(target, &had));
    }
    let omitted = match style.omitted {
        Omission::Index => [Omission::Index, Omission::Extension, Omission::Nothing, Omission::Extensions],
        // The old target has no extension, or is not known.
        Omission::Nothing if had.is_empty() && !extension(target).is_empty() => {
            [Omission::Extension, Omission::Index, Omission::Extensions, Omission::Nothing]
        }
        Omission::Nothing => Omission::ALL,
        _ => [Omission::Extension, Omission::Index, Omission::Extensions, Omission::Nothing],
    };
    // Literals that omit extensions seldom name an index file, but this one may have named or misspelt it.
    let last = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let is_named = Omission::Extension.omit(target).map(name).is_some_and(|stem| last == stem || is_typo(last, stem));
    let is_index = style.without_index(target).is_some() && omitted[0] == Omission::Extension && !is_named;
    let first = is_index.then_some(Omission::Index);
    let omit = |omitted: Omission| match omitted {
        Omission::Index => style.without_index(target),
        other => other.omit(target),
    };
    for stem in first.into_iter().chain(omitted).filter_map(omit) {
        let without_underscore = without_partial_underscore(stem);
        let has_underscore = last.starts_with('_');
        let both = if has_underscore {
            [Some(stem.to_owned()), without_underscore]
        } else {
            [without_underscore, Some(stem.to_owned())]
        };
        all.extend(both.into_iter().flatten());
    }
    all
}

/// Returns the offset at which the first directory of the literal begins in the target, the innermost of that name; `None` if the target
/// lies below no directory of that name.
fn start_of_first_directory(style: &LiteralStyle<'_>, stem: &str) -> Option<usize> {
    let (first, _) = style.written.split_once('/').filter(|(first, _)| !first.is_empty())?;
    let starts = stem.rmatch_indices('/').map(|(at, _)| at + 1).chain([0]);
    starts.into_iter().find(|&at| strip_directory(&stem[at..], first).is_some())
}

/// Adds the target relative to the base of a style.
fn add_below(base_style: &LiteralStyle<'_>, stem: &str, style: &LiteralStyle<'_>, add: &mut impl FnMut(String)) {
    let rest = if base_style.base.is_empty() { Some(stem) } else { strip_directory(stem, &base_style.base) };
    if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
        add(format_spelling(style, &base_style.lead, rest, base_style.separator));
    }
}

/// Returns the target below an alias that is named after its directory, if that of the literal is: `@server/x` can become `@shared/x`.
/// A sign has to tell the alias from the name of a directory.
fn alias_spelling(style: &LiteralStyle<'_>, stem: &str) -> Option<String> {
    let own = name(&style.base);
    let sign = style.lead.strip_suffix('/')?.strip_suffix(own).filter(|sign| matches!(*sign, "@" | "~" | "$" | "#"))?;
    let above = parent(&style.base);
    let rest = if above.is_empty() { Some(stem) } else { strip_directory(stem, above) };
    let (other, rest) = rest?.split_once('/').filter(|(other, _)| !own.is_empty() && *other != own)?;
    Some(format_spelling(style, &format!("{sign}{other}/"), rest, style.separator))
}

/// Returns the rest of a path below a directory.
fn strip_directory<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    path.strip_prefix(directory)?.strip_prefix('/')
}

/// Returns the stem of a target relative to a directory, with and without a leading `./`.
fn relative_spellings(style: &LiteralStyle<'_>, from: &str, stem: &str, target: &str) -> Vec<String> {
    let (mut a, mut b) = (segments(from), segments(stem));
    // The stem of the file `a/b.rb` is no directory: from `a/b` it is `../b`, and not `.`.
    let is_file = stem != target && parent(stem) == parent(target);
    let directories = b.len().saturating_sub(usize::from(is_file));
    let same = a.iter().zip(&b[..directories]).take_while(|(a, b)| a == b).count();
    a.drain(..same);
    b.drain(..same);
    if b.is_empty() && a.is_empty() {
        return Vec::new();
    }
    if style.separator == '.' {
        let lead = ".".repeat(a.len() + 1);
        return vec![format_spelling(style, &lead, &b.join("/"), '.')];
    }
    let separator = if style.separator == '\\' { "\\" } else { "/" };
    let ups = format!("..{separator}").repeat(a.len());
    let bare = format_spelling(style, &ups, &b.join("/"), style.separator);
    if !a.is_empty() {
        // A leading `./../` is kept.
        let dotted = style.lead.starts_with("./..").then(|| format!(".{separator}{bare}"));
        return dotted.into_iter().chain([bare]).collect();
    }
    let dotted = format_spelling(style, &format!(".{separator}"), &b.join("/"), style.separator);
    // Imports need the dot, names of documents have none.
    let is_document =
        matches!(extension(target).as_str(), "ipynb" | "md" | "rst") && extension(style.written).is_empty();
    if style.lead.starts_with("./") || style.lead.starts_with("..") && !is_document {
        vec![dotted, bare]
    } else {
        vec![bare, dotted]
    }
}

/// Returns the target from the root of a Rust crate, which can be in any directory above it.
fn crate_spellings(style: &LiteralStyle<'_>, stem: &str) -> Vec<String> {
    let usual = stem.rfind("src/").map(|at| at + "src/".len());
    let starts = usual.into_iter().chain([0]).chain(stem.match_indices('/').map(|(at, _)| at + 1));
    starts.map(|at| format_spelling(style, "crate::", &stem[at..], ':')).collect()
}

/// Returns the target from a source directory other than that of the old target: below `src` first, then as deep as that one, then below
/// the outer directories.
fn module_spellings(style: &LiteralStyle<'_>, stem: &str) -> Vec<String> {
    /// Source directories are seldom deeper, and each spelling costs a check of the file.
    const MAX_SOURCE_DEPTH: usize = 3;
    let usual = stem.rfind("src/").map(|at| at + "src/".len());
    let outer = || stem.match_indices('/').map(|(at, _)| at + 1);
    let as_deep = segments(&style.base).len().checked_sub(1).and_then(|depth| outer().nth(depth));
    let starts = usual.into_iter().chain(as_deep).chain(outer().take(MAX_SOURCE_DEPTH));
    starts.map(|at| format_spelling(style, "", &stem[at..], '.')).collect()
}

/// Returns the segments of a path.
fn segments(path: &str) -> Vec<&str> {
    path.split('/').filter(|segment| !segment.is_empty()).collect()
}

/// Adds lead and suffix to a path, in the separators and encoding of the literal.
fn format_spelling(style: &LiteralStyle<'_>, lead: &str, rest: &str, separator: char) -> String {
    let rest = if separator == '/' { rest.to_owned() } else { rest.replace('/', separator_text(separator)) };
    let rest = if style.is_encoded { utf8_percent_encode(&rest, ESCAPED).to_string() } else { rest };
    let whole = format!("{lead}{rest}");
    // `..` for a directory has no trailing slash, unless the suffix has one.
    let whole = if rest.is_empty() { whole.trim_end_matches('/').to_owned() } else { whole };
    format!("{whole}{}", style.suffix)
}
