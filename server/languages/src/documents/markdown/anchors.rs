//! `Anchors`: the fragments that a link to a document can name.
//!
//! Renderers derive identifiers from headings by different rules for punctuation, separators and duplicates.
//! Identifiers are compared by letters and digits only: no renderer changes those.

use memchr::memmem;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use rustc_hash::{FxHashMap, FxHashSet};

use super::html_tags::{heading_texts, parse_attributes};
use super::links::{OPTIONS, body_start};
use super::spelling::{SpelledHeading, has_spelled_sign, spell_letters, spell_signs, without_accents};
use pathfinder_literals::path::head;
use pathfinder_literals::report::says_missing;

/// Heading attributes are shorter; longer text in braces is code.
const MAX_ATTRIBUTES_BYTES: usize = 200;

/// Headings in other writings that are kept to be compared with each fragment; no page has so many.
const MAX_SPELLED: usize = 1_000;

/// The anchors of one document, for the check of fragments.
#[derive(Debug, Default)]
pub(crate) struct Anchors {
    normalized: FxHashSet<String>,
    /// Headings in other writings, which some write in letters.
    spelled: Vec<SpelledHeading>,
    /// True if a template, an include or a component can add headings that the text does not show.
    has_hidden_headings: bool,
}

/// The text of one heading, as different renderers read it.
#[derive(Default)]
struct HeadingText {
    text: String,
    /// With the descriptions of images.
    with_images: String,
    /// With tags as they are written.
    with_tags: String,
}

/// Marks of text that a generator fills in. Headings of a document with one of them are not all visible in its source.
///
/// Commands of Doxygen say that a page can link to groups and pages of code, whose headings are elsewhere.
const GENERATOR_MARKS: [&str; 25] = [
    "{%",
    "{{",
    "<%",
    ":::",
    "--8<--",
    "{!",
    "{*",
    "@include",
    "\nimport ",
    "<<<",
    "<!-- include",
    "<include ",
    "[TOC]",
    "```{",
    "<?",
    "\\mainpage",
    "\\subpage ",
    "\n\\page ",
    "\n\\section ",
    "\n\\example ",
    "\n@anchor ",
    "\n@mainpage ",
    "\n@page ",
    "\n@section ",
    "@ref ",
];

/// Returns whether a generator fills in a part of a text.
fn has_generator_mark(text: &str) -> bool {
    let begins = |mark: &str| mark.strip_prefix('\n').is_some_and(|mark| text.starts_with(mark));
    let has = |mark: &str| memmem::find(text.as_bytes(), mark.as_bytes()).is_some();
    GENERATOR_MARKS.iter().any(|mark| has(mark) || begins(mark)) || text.lines().any(is_placeholder)
}

/// Returns whether a program of the site replaces a line: it begins with a name in capitals between two equal signs, such as `#SCHEMA#`,
/// or it is a variable, alone or as a heading: `## ${parameters}`.
fn is_placeholder(line: &str) -> bool {
    let line = line.trim_start();
    let variable = line.trim_start_matches('#').trim().strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    if variable
        .is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
    {
        return true;
    }
    let parts = line.chars().next().filter(|sign| "#%@$".contains(*sign)).map(|sign| line[1..].split_once(sign));
    let name = parts.flatten().map_or("", |(name, _)| name);
    name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

/// Words before an identifier that would not begin with a letter.
const LEADING_WORDS: [&str; 4] = ["h", "id", "sect", "section"];

/// Returns whether the front matter names a template of the page's own, which can make headings, as in `MkDocs`.
fn has_template(text: &str) -> bool {
    text[..body_start(text)].lines().any(|line| line.starts_with("template:"))
}

impl Anchors {
    /// Reads the headings of a document, and the identifiers in its HTML.
    pub(crate) fn new(text: &str) -> Self {
        let mut anchors = Self {
            has_hidden_headings: has_generator_mark(text) || has_template(text) || text.lines().any(is_component),
            ..Self::default()
        };
        let mut heading: Option<HeadingText> = None;
        let mut images = 0_usize;
        let mut block = String::new();
        for event in Parser::new_ext(&text[body_start(text)..], OPTIONS) {
            match event {
                Event::Start(Tag::Heading { id, .. }) => {
                    if let Some(id) = id {
                        anchors.add(&id);
                    }
                    heading = Some(HeadingText::default());
                }
                Event::End(TagEnd::Heading(_)) => {
                    if let Some(HeadingText { text, with_images, with_tags }) = heading.take() {
                        anchors.add_heading(&text);
                        anchors.add(&with_images);
                        // A placeholder such as `<name>` looks like a tag.
                        if with_tags != text {
                            anchors.add_heading(&with_tags);
                        }
                    }
                }
                Event::Start(Tag::Image { .. }) => images += 1,
                Event::End(TagEnd::Image) => images = images.saturating_sub(1),
                Event::Text(part) | Event::Code(part) | Event::InlineMath(part) => {
                    if let Some(heading) = &mut heading {
                        heading.with_images.push_str(&part);
                        heading.with_tags.push_str(&part);
                        if images == 0 {
                            heading.text.push_str(&part);
                        }
                    }
                }
                Event::Html(line) => {
                    // Not all renderers go on to the next empty line when a line begins with a tag.
                    if line.starts_with('#') {
                        anchors.add_heading(line.trim_start_matches('#'));
                    }
                    block.push_str(&line);
                }
                Event::End(TagEnd::HtmlBlock) => {
                    for text in heading_texts(&std::mem::take(&mut block)) {
                        anchors.add_heading(&text);
                    }
                }
                Event::InlineHtml(tag) => {
                    if let Some(heading) = &mut heading {
                        heading.with_tags.push_str(&tag);
                    }
                }
                _ => {}
            }
        }
        for attribute in parse_attributes(text) {
            if matches!(attribute.name, "id" | "name") {
                anchors.add(attribute.value);
            }
        }
        // Explicit identifiers: `{#id}`, `{: #id .class}`, `{ id=id }`, `{id="id",tag="x"}`.
        for (at, _) in text.match_indices('{') {
            let inside = head(&text[at + 1..], MAX_ATTRIBUTES_BYTES).split(['}', '\n']).next().unwrap_or("");
            let words = inside.split([' ', '\t', ',']).map(|word| word.trim_start_matches(':'));
            for id in words.filter_map(|word| word.strip_prefix('#').or_else(|| word.strip_prefix("id="))) {
                anchors.add(id.trim_matches(['"', '\'']));
            }
        }
        // A content tab (`=== "Title"`) has an identifier from its title, alone or behind that of its heading.
        let mut heading = "";
        for line in text.lines() {
            if line.starts_with('#') {
                heading = line.trim_start_matches('#');
                // Python-Markdown and others need no space: `###Login`. The parser has found those with one.
                if heading.starts_with(char::is_alphanumeric) {
                    anchors.add_heading(heading.trim_end_matches('#'));
                }
            } else if let Some(tab) = line.trim_start().strip_prefix("=== \"").and_then(|tab| tab.split('"').next()) {
                for tab in [tab, &without_icons(tab)] {
                    anchors.add(tab);
                    anchors.add(&format!("{heading}{tab}"));
                }
            }
        }
        anchors
    }

    /// Adds the identifiers that renderers derive from a heading.
    fn add_heading(&mut self, text: &str) {
        self.add(text);
        // Some write letters without their accents (`uber` for `Über`), as ASCII alone (`strae` for `Straße`), without those that are not
        // ASCII (`ber`), or spelled out (`ueber`).
        if !text.is_ascii() {
            self.add(&without_accents(text));
            self.add(&without_accents(text).replace(|c: char| !c.is_ascii(), ""));
            self.add(&text.replace(|c: char| !c.is_ascii(), ""));
            self.add(&spell_letters(text));
            if self.spelled.len() < MAX_SPELLED {
                self.spelled.extend(SpelledHeading::new(text));
            }
        }
        if let Some(id) = written_id(text) {
            self.add(id);
        }
        // Some renderers turn `:rocket:` into an emoji, and others drop it.
        if text.matches(':').count() > 1 {
            self.add(&without_icons(text));
        }
        // Some escape the heading before they read its letters: `<name>` is `lt-name-gt`.
        if text.contains(['<', '>', '&']) {
            self.add(&text.replace('&', " amp ").replace('<', " lt ").replace('>', " gt "));
        }
        // Some spell signs out: `HTTP/3` is `http-slash-3`.
        if has_spelled_sign(text) {
            self.add(&spell_signs(text));
        }
        // Some put a word before what does not begin with a letter.
        if !text.starts_with(char::is_alphabetic) {
            let spelled = spell_signs(text);
            for word in LEADING_WORDS {
                self.add(&format!("{word}{text}"));
                self.add(&format!("{word}{spelled}"));
            }
        }
        // Some renderers drop a leading number.
        self.add(text.trim_start_matches(|c: char| !c.is_alphabetic()));
    }

    /// Adds the normalized form of an identifier or heading.
    fn add(&mut self, text: &str) {
        let normalized = normalize(text);
        if !normalized.is_empty() {
            self.normalized.insert(normalized);
        }
    }

    /// Returns whether no heading of the document has the identifier `fragment`.
    pub(crate) fn lacks(&self, fragment: &str) -> bool {
        !self.has_hidden_headings && !self.normalized.is_empty() && !self.shows(fragment)
    }

    /// Returns whether a heading that the text shows has the identifier `fragment`, or no heading can have it.
    fn shows(&self, fragment: &str) -> bool {
        const MARKS: [&str; 3] = ["toc_", "heading_", "section_"];
        if !can_be_heading(fragment) || says_missing(fragment) {
            return true;
        }
        let wanted = fragment.strip_prefix("user-content-").unwrap_or(fragment);
        // The second heading with a title gets a number.
        let first = wanted.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['-', '_']);
        let has = |text: &str| self.normalized.contains(&normalize(text));
        // RDoc marks a heading so: `#label-Command+Line`.
        let labelled = wanted.strip_prefix("label-").is_some_and(has);
        // Gollum puts the headings around one before it: `#setup_windows`.
        let is_path = |text: &str| text.contains('_') && text.split('_').all(|part| !part.is_empty() && has(part));
        // Some renderers put a mark before each: `#toc_setup`.
        let unmarked = |text: &'_ str| MARKS.iter().find_map(|mark| text.strip_prefix(mark)).is_some_and(has);
        let is_spelled = |text: &str| self.spelled.iter().any(|heading| heading.has(text));
        let is_shown = |text: &str| has(text) || is_path(text) || unmarked(text) || is_spelled(text);
        labelled || is_shown(wanted) || first != wanted && is_shown(first) || normalize(wanted).is_empty()
    }
}

/// The identifier that some renderers read at the end of a heading: `Install #setup`.
fn written_id(heading: &str) -> Option<&str> {
    let (_, last) = heading.trim_end().rsplit_once(' ')?;
    last.strip_prefix('#').filter(|id| id.starts_with(|first: char| first.is_ascii_alphabetic()))
}

/// Returns whether a line of HTML is a component without content, which can show anything: `<Timeouts />`.
fn is_component(line: &str) -> bool {
    let line = line.trim();
    line.ends_with("/>")
        && line.strip_prefix('<').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// A text without the names of icons: `:rocket: Go` is ` Go`.
fn without_icons(text: &str) -> String {
    let mut parts = text.split(':');
    let mut without = parts.next().unwrap_or("").to_owned();
    for (index, part) in parts.enumerate() {
        if index % 2 == 1 || part.contains(' ') {
            without.push_str(part);
        }
    }
    without
}

/// Returns whether a fragment can name a heading, and not a line or an element of a forge's or an application's page.
fn can_be_heading(fragment: &str) -> bool {
    const OTHERS: [&str; 5] = ["top", "readme", "readme-ov-file", "start-of-content", "content"];
    let is_line = fragment.strip_prefix('L').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_note = fragment.starts_with("fn") || fragment.starts_with("cite");
    // Docutils numbers what has no name of its own, such as the second heading with a title.
    let is_number = fragment.strip_prefix("id").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
    // Capitals mark what is still to be written: `#TBD-url`.
    let is_mark = |word: &str| ["tbd", "todo"].iter().any(|mark| word == mark.to_ascii_uppercase());
    let is_open = fragment.split(['-', '_']).any(is_mark);
    // The tabs of Material for MkDocs: `__tabbed_1_2` is the second of the first group.
    let is_tab = fragment.starts_with("__tabbed_");
    !is_line
        && !is_open
        && !is_tab
        && !is_note
        && !is_number
        // A number alone (`#0`) is no heading; identifiers with dots come from extensions.
        && fragment.contains(|c: char| c.is_alphabetic())
        && !fragment.contains([':', '/', '=', '!', '?', '$', '{', '<', '%', '\u{1a}', '~', '.'])
        && !OTHERS.contains(&fragment.to_ascii_lowercase().as_str())
}

/// Returns whether a page of Markdown shows a heading for a fragment, without its `#`, or no heading can have it.
pub fn shows_heading(page: &str, fragment: &str) -> bool {
    Anchors::new(page).shows(fragment)
}

/// Returns those of several fragments, without their `#`, for which a page of Markdown shows a heading.
pub fn shown_headings<'f>(page: &str, fragments: impl IntoIterator<Item = &'f str>) -> Vec<&'f str> {
    let anchors = Anchors::new(page);
    fragments.into_iter().filter(|fragment| anchors.shows(fragment)).collect()
}

/// Returns the fragments of a document's headings in order, as GitHub and most generators form them. A document has
/// none if a generator can add headings to it.
pub fn fragments(text: &str) -> Vec<String> {
    if has_generator_mark(text) {
        return Vec::new();
    }
    let mut all: Vec<String> = Vec::new();
    let (mut heading, mut id): (Option<String>, Option<String>) = (None, None);
    let mut block = String::new();
    for event in Parser::new_ext(text, OPTIONS) {
        match event {
            Event::Start(Tag::Heading { id: own, .. }) => {
                (heading, id) = (Some(String::new()), own.map(|id| id.to_string()));
            }
            Event::End(TagEnd::Heading(_)) => {
                let own = |text: String| written_id(&text).map_or_else(|| slug(&text), str::to_owned);
                let slug = heading.take().map(|text| id.take().unwrap_or_else(|| own(text)));
                all.extend(slug.filter(|slug| !slug.is_empty()));
            }
            Event::Text(part) | Event::Code(part) => heading.iter_mut().for_each(|text| text.push_str(&part)),
            Event::Html(line) => block.push_str(&line),
            Event::End(TagEnd::HtmlBlock) => {
                let slugs = heading_texts(&std::mem::take(&mut block)).into_iter().map(|text| slug(&text));
                all.extend(slugs.filter(|slug| !slug.is_empty()));
            }
            _ => {}
        }
    }
    // If two headings have one title, a link to the first can as well mean the second.
    let mut seen: FxHashMap<String, usize> = FxHashMap::default();
    for slug in &all {
        *seen.entry(slug.clone()).or_default() += 1;
    }
    all.retain(|slug| seen[slug] == 1);
    all
}

/// The fragment of a heading: lower case, words joined by `-`, without punctuation.
fn slug(heading: &str) -> String {
    let letters = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    letters.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Reduces a heading or fragment to its lower-case letters and digits.
fn normalize(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric() && !is_sign(*c)).flat_map(char::to_lowercase).collect()
}

/// Returns whether a number is none of the digits, so that most renderers drop it: `n²`, `½`, `①`.
fn is_sign(c: char) -> bool {
    matches!(c, '²' | '³' | '¹' | '¼'..='¾' | '\u{2070}'..='\u{209c}' | '\u{2150}'..='\u{215f}' | '\u{2460}'..='\u{24ff}')
}

#[cfg(test)]
mod tests {
    use super::{Anchors, fragments};

    #[test]
    fn lists_fragments() {
        let check = |text: &str, expect: &[&str]| assert_eq!(fragments(text), expect, "{text}");
        check("# A title\n## What's `new` in 2.0?\n", &["a-title", "whats-new-in-20"]);
        check("# X {#own}\n# [A link](b.md)\n", &["own", "a-link"]);
        check("# In C #\n# Install it #setup\n", &["in-c", "setup"]);
        check("<h2>&nbsp;Set up</h2>\n\n# X\n", &["set-up", "x"]);
        check("# Same\n# Other\n# Same\n", &["other"]);
        check("# X\n{% include more.md %}\n", &[]);
    }

    #[test]
    fn compares_normalized_fragments() {
        let check = |text: &str, fragment: &str, lacks: bool| {
            assert_eq!(Anchors::new(text).lacks(fragment), lacks, "#{fragment} in {text}");
        };
        check("# A\n\n<Timeouts />\n", "timeouts", false);
        check("# A\n\n<Icon /> text\n\n<br />\n", "timeouts", true);
        check("# A\n\n<List of={[{\"a\": 1}]} />\n", "timeouts", false);
        check("import A from \"a\"\n\n# A\n", "timeouts", false);
        check("# A\n\n    #FIELDS# a.b.C\n", "timeouts", false);
        check("# A\n\n#fields# #FIELDS\n", "timeouts", true);
        check("# A title\n", "a-title", false);
        check("# A\n\n<a id=\"x\"/>\n## A title\n", "a-title", false);
        check("# A title\n", "another-title", true);
        check("# A title\n", "id2", false);
        check("# A title\n", "id2x", true);
        check("# A title\n", "nonexistent-title", false);
        check("# A title\n\n@anchor other\n", "another-title", false);
        check("A title\n===\n", "a-title", false);
        check("# What's `new` in *2.0*?\n", "whats-new-in-20", false);
        check("# A\n# A\n", "a-1", false);
        check("# [A link](b.md)\n", "a-link", false);
        check("# ![logo](l.png) Name\n", "-name", false);
        check("# :rocket: Go\n", "-go", false);
        check("# :rocket: Go\n", "rocket-go", false);
        check("# 🚀 Go\n", "-go", false);
        check("# 1. First\n", "first", false);
        check("# `<name>` & co\n", "lt-name-gt-amp-co", false);
        check("# <name>.config\n", "lt-name-gt-config", false);
        check("# <name>.config\n", "name-config", false);
        check("# <name>.config\n", "lt-other-gt-config", true);
        check("# HTTP/3 and `.c`\n", "http-slash-3-and-dot-c", false);
        check("# HTTP/3\n", "http-dot-3", true);
        check("# The O(n²) scans\n", "the-on-scans", false);
        check("# The O(n²) scans\n", "the-on²-scans", false);
        check("# `<name x>`\n", "less-than-name-x-greater-than", false);
        check("# --flag\n", "sect---flag", false);
        check("# flag\n", "sect-flag", true);
        check("# Übersicht\n", "übersicht", false);
        for fragment in ["ubersicht-der-mae", "bersicht-der-mae", "uebersicht-der-masse", "ubersicht-der-maße"] {
            check("# Übersicht der Maße\n", fragment, false);
        }
        check("# Übersicht der Maße\n", "obersicht-der-mae", true);
        check("# X {#other}\n", "other", false);
        check("# X y #other\n", "other", false);
        check("# X <small>y</small> { id=\"another\" }\n", "another", false);
        check("## Y.add {id=\"add_pipe\",tag=\"method\"}\n", "add_pipe", false);
        check("# X\n=== \"Tabs, or more\"\n    y\n", "tabs-or-more", false);
        check("# Logo\n=== \":octicons-package-16: Icon, bundled\"\n    y\n", "logo-icon-bundled", false);
        check("# Links\n=== \"... or even me\"\n    y\n", "links--or-even-me", false);
        check("# X\n<a name=\"here\"></a>\n", "here", false);
        check("# X\n<h2 id='there'>T</h2>\n", "there", false);
        check("# X\n\n<h2 align=x><img src=a.svg>&nbsp;&nbsp;Set up</h2>\n", "set-up", false);
        check("# X\n\n<h2 align=x><img src=a.svg>&nbsp;&nbsp;Set up</h2>\n", "setting-up", true);
        check("```\n<h2>Set up</h2>\n```\n# X\n", "set-up", true);
        check("# X\nText.\n{: #kramdown .note }\n", "kramdown", false);
        check("```\n# in code\n```\n# X\n", "in-code", true);
        check("# X\n###Login\n", "login", false);
        check("# X\n", "L12", false);
        check("# X\n", "top", false);
        check("# X\n", "fn1", false);
        check("# X\n", "TBD-url", false);
        check("# X\n", "__tabbed_1_2", false);
        check("# X\n", "0", false);
        check("# X\n", "config.a_name", false);
        check("# X\n", "090", false);
        check("# X\n", ":~:text=abc", false);
        check("# X\n", "/route", false);
        check("# X\n{% include more.md %}\n", "more", false);
        check("# X\nSee the [API](#api).\n\\example test.c shows it.\n", "api", false);
        check("no headings", "x", false);
        check("# X\n", "user-content-x", false);
        check("# Command Line\n", "label-Command+Line", false);
        check("# Command Line\n", "label-Command+Lines", true);
        check("# Google Chrome\n", "toc_google-chrome", false);
    }
}
