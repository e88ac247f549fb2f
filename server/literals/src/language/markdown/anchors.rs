//! `Anchors`: what a fragment can lead to in a document.
//!
//! Every renderer makes identifiers from headings by rules of its own, which differ in punctuation, separators and
//! duplicates. They are compared by their letters and digits only: what differs in more than that is in none of them.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use rustc_hash::{FxHashMap, FxHashSet};

use super::links::{OPTIONS, body};
use super::tags::attributes;
use crate::path::head;

/// No attributes behind a heading are longer than this: what is, is code.
const LONGEST: usize = 200;

/// The anchors of one document.
#[derive(Debug, Default)]
pub(crate) struct Anchors {
    plain: FxHashSet<String>,
    /// Something in the text makes more than can be read in it: a template, an include, a component.
    is_open: bool,
}

/// What fills in text that is not there. A document with one of these has headings that nobody sees.
const FILLERS: [&str; 14] = [
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
    "[TOC]",
    "```{",
    "<?",
];

impl Anchors {
    /// Reads the headings of a document, and the identifiers in its HTML.
    pub(crate) fn new(text: &str) -> Self {
        let mut anchors = Self { is_open: FILLERS.iter().any(|filler| text.contains(filler)), ..Self::default() };
        let mut heading: Option<(String, String)> = None;
        let mut images = 0_usize;
        for event in Parser::new_ext(&text[body(text)..], OPTIONS) {
            match event {
                Event::Start(Tag::Heading { id, .. }) => {
                    if let Some(id) = id {
                        anchors.add(&id);
                    }
                    heading = Some((String::new(), String::new()));
                }
                Event::End(TagEnd::Heading(_)) => {
                    if let Some((text, with_images)) = heading.take() {
                        anchors.add_heading(&text);
                        anchors.add(&with_images);
                    }
                }
                Event::Start(Tag::Image { .. }) => images += 1,
                Event::End(TagEnd::Image) => images = images.saturating_sub(1),
                Event::Text(part) | Event::Code(part) | Event::InlineMath(part) => {
                    if let Some((text, with_images)) = &mut heading {
                        with_images.push_str(&part);
                        if images == 0 {
                            text.push_str(&part);
                        }
                    }
                }
                _ => {}
            }
        }
        for attribute in attributes(text) {
            if matches!(attribute.name, "id" | "name") {
                anchors.add(attribute.value);
            }
        }
        // Identifiers that are written behind something: `{#id}`, `{: #id .class}`, `{ id=id }`.
        for (at, _) in text.match_indices('{') {
            let inside = head(&text[at + 1..], LONGEST).split(['}', '\n']).next().unwrap_or("");
            let words = inside.split_whitespace().map(|word| word.trim_start_matches(':'));
            for id in words.filter_map(|word| word.strip_prefix('#').or_else(|| word.strip_prefix("id="))) {
                anchors.add(id.trim_matches(['"', '\'']));
            }
        }
        // Tabs have identifiers as headings have, alone or behind that of their heading: `=== "Title"`.
        let mut heading = "";
        for line in text.lines() {
            if line.starts_with('#') {
                heading = line.trim_start_matches('#');
            } else if let Some(tab) = line.trim_start().strip_prefix("=== \"").and_then(|tab| tab.split('"').next()) {
                anchors.add(tab);
                anchors.add(&format!("{heading}{tab}"));
            }
        }
        anchors
    }

    fn add_heading(&mut self, text: &str) {
        self.add(text);
        // `:rocket:` becomes a picture, and in some renderers nothing.
        if text.matches(':').count() > 1 {
            let mut parts = text.split(':');
            let mut without = parts.next().unwrap_or("").to_owned();
            for (index, part) in parts.enumerate() {
                if index % 2 == 1 || part.contains(' ') {
                    without.push_str(part);
                }
            }
            self.add(&without);
        }
        // Some leave out a number in front.
        self.add(text.trim_start_matches(|c: char| !c.is_alphabetic()));
    }

    fn add(&mut self, text: &str) {
        let plain = plain(text);
        if !plain.is_empty() {
            self.plain.insert(plain);
        }
    }

    /// Whether a fragment certainly leads nowhere here.
    pub(crate) fn lacks(&self, fragment: &str) -> bool {
        if self.is_open || self.plain.is_empty() || !is_heading(fragment) {
            return false;
        }
        let wanted = fragment.strip_prefix("user-content-").unwrap_or(fragment);
        // The second of the same name has a number.
        let first = wanted.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['-', '_']);
        let has = |text: &str| self.plain.contains(&plain(text));
        !has(wanted) && (first == wanted || !has(first)) && !plain(wanted).is_empty()
    }
}

/// Whether a fragment can be meant for a heading: not a line, not a place on a page of a forge or of an application.
fn is_heading(fragment: &str) -> bool {
    const OTHERS: [&str; 5] = ["top", "readme", "readme-ov-file", "start-of-content", "content"];
    let is_line = fragment.strip_prefix('L').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_note = fragment.starts_with("fn") || fragment.starts_with("cite");
    !is_line
        && !is_note
        // Numbers alone stand for nothing, as in `#0`; dots are in names that extensions give.
        && fragment.contains(|c: char| c.is_alphabetic())
        && !fragment.contains([':', '/', '=', '!', '?', '$', '{', '<', '%', '\u{1a}', '~', '.'])
        && !OTHERS.contains(&fragment.to_ascii_lowercase().as_str())
}

/// The fragments that lead to the headings of a document, in their order, as GitHub and most generators make them. None of a document
/// in which something makes more than can be read in it.
pub fn fragments(text: &str) -> Vec<String> {
    if FILLERS.iter().any(|filler| text.contains(filler)) {
        return Vec::new();
    }
    let mut all: Vec<String> = Vec::new();
    let (mut heading, mut id): (Option<String>, Option<String>) = (None, None);
    for event in Parser::new_ext(text, OPTIONS) {
        match event {
            Event::Start(Tag::Heading { id: own, .. }) => {
                (heading, id) = (Some(String::new()), own.map(|id| id.to_string()));
            }
            Event::End(TagEnd::Heading(_)) => {
                let slug = heading.take().map(|text| id.take().unwrap_or_else(|| slug(&text)));
                all.extend(slug.filter(|slug| !slug.is_empty()));
            }
            Event::Text(part) | Event::Code(part) => heading.iter_mut().for_each(|text| text.push_str(&part)),
            _ => {}
        }
    }
    // Of two of the same name a link to the first is as likely a link to the second.
    let mut seen: FxHashMap<String, usize> = FxHashMap::default();
    for slug in &all {
        *seen.entry(slug.clone()).or_default() += 1;
    }
    all.retain(|slug| seen[slug] == 1);
    all
}

/// The fragment of a heading: lower case, words joined by `-`, punctuation left out.
fn slug(heading: &str) -> String {
    let letters = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    letters.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{Anchors, fragments};

    #[test]
    fn fragments_of_headings() {
        let check = |text: &str, expect: &[&str]| assert_eq!(fragments(text), expect, "{text}");
        check("# A title\n## What's `new` in 2.0?\n", &["a-title", "whats-new-in-20"]);
        check("# X {#own}\n# [A link](b.md)\n", &["own", "a-link"]);
        check("# Same\n# Other\n# Same\n", &["other"]);
        check("# X\n{% include more.md %}\n", &[]);
    }

    #[test]
    fn has_fragments() {
        let check = |text: &str, fragment: &str, lacks: bool| {
            assert_eq!(Anchors::new(text).lacks(fragment), lacks, "#{fragment} in {text}");
        };
        check("# A title\n", "a-title", false);
        check("# A title\n", "another-title", true);
        check("A title\n===\n", "a-title", false);
        check("# What's `new` in *2.0*?\n", "whats-new-in-20", false);
        check("# A\n# A\n", "a-1", false);
        check("# [A link](b.md)\n", "a-link", false);
        check("# ![logo](l.png) Name\n", "-name", false);
        check("# :rocket: Go\n", "-go", false);
        check("# :rocket: Go\n", "rocket-go", false);
        check("# 🚀 Go\n", "-go", false);
        check("# 1. First\n", "first", false);
        check("# Übersicht\n", "übersicht", false);
        check("# X {#other}\n", "other", false);
        check("# X <small>y</small> { id=\"another\" }\n", "another", false);
        check("# X\n=== \"Tabs, or more\"\n    y\n", "tabs-or-more", false);
        check("# Links\n=== \"... or even me\"\n    y\n", "links--or-even-me", false);
        check("# X\n<a name=\"here\"></a>\n", "here", false);
        check("# X\n<h2 id='there'>T</h2>\n", "there", false);
        check("# X\nText.\n{: #kramdown .note }\n", "kramdown", false);
        check("```\n# in code\n```\n# X\n", "in-code", true);
        check("# X\n", "L12", false);
        check("# X\n", "top", false);
        check("# X\n", "fn1", false);
        check("# X\n", "0", false);
        check("# X\n", "config.a_name", false);
        check("# X\n", "090", false);
        check("# X\n", ":~:text=abc", false);
        check("# X\n", "/route", false);
        check("# X\n{% include more.md %}\n", "more", false);
        check("no headings", "x", false);
        check("# X\n", "user-content-x", false);
    }
}
