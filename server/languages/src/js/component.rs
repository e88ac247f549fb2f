//! `Component`: the scripts in a component of Vue, Svelte or Astro, and the relative paths of its tags.
//!
//! Not `html5gum`: a tag of Svelte and Astro can have `>` within braces, which ends a tag of HTML.

use std::ops::Range;

use super::scan::ScriptSyntax;

/// One script in a component.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ScriptBlock {
    pub(super) range: Range<usize>,
    pub(super) syntax: ScriptSyntax,
}

/// A component's framework, by its file's extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framework {
    Vue,
    Svelte,
    Astro,
}

/// The scripts of a component, and the byte ranges of the relative paths in its tags.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Component {
    pub(super) scripts: Vec<ScriptBlock>,
    pub(super) asset_references: Vec<Range<usize>>,
}

impl Component {
    /// Parses a whole file.
    pub(super) fn parse(text: &str, framework: Framework) -> Self {
        let mut component = Self::default();
        let mut at = 0;
        if framework == Framework::Astro {
            at = component.read_frontmatter(text);
        }
        while let Some(open) = memchr::memchr(b'<', &text.as_bytes()[at..]).map(|open| at + open) {
            let rest = &text[open..];
            if rest.starts_with("<!--") {
                at = rest.find("-->").map_or(text.len(), |end| open + end + 3);
                continue;
            }
            let length = rest[1..].bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-').count();
            let name = rest[1..=length].to_ascii_lowercase();
            if name.is_empty() {
                at = open + 1;
                continue;
            }
            let Some(end) = tag_end(rest, length + 1) else { break };
            at = open + end;
            let tag = &rest[..end];
            if framework == Framework::Vue {
                component.add_tag(tag, &name, open);
            }
            if !matches!(name.as_str(), "script" | "style") || tag.ends_with("/>") {
                continue;
            }
            let body = at;
            let close = format!("</{name}");
            at = text[body..].find(&close).map_or(text.len(), |close| body + close);
            if name == "script" && is_script(tag, framework) {
                let syntax = if framework == Framework::Astro { ScriptSyntax::Typed } else { script_language(tag) };
                component.scripts.push(ScriptBlock { range: body..at, syntax });
            }
        }
        component
    }

    /// Adds Astro's script between fences at the start of the file; returns the byte at which it ends.
    fn read_frontmatter(&mut self, text: &str) -> usize {
        let start = text.len() - text.trim_start().len();
        let Some(rest) = text[start..].strip_prefix("---") else { return 0 };
        let Some(end) = rest.find("\n---") else { return 0 };
        let body = start + 3;
        self.scripts.push(ScriptBlock { range: body..body + end, syntax: ScriptSyntax::Typed });
        body + end + 4
    }

    /// Adds the attributes that Vue compiles to imports.
    fn add_tag(&mut self, tag: &str, name: &str, at: usize) {
        let names: &[&str] = match name {
            "script" | "style" | "template" | "img" | "source" => &["src"],
            "video" => &["src", "poster"],
            "image" | "use" => &["href", "xlink:href"],
            _ => return,
        };
        for attribute in names {
            let Some(value) = attribute_value(tag, attribute) else { continue };
            let written = &tag[value.clone()];
            if written.starts_with("./") || written.starts_with("../") {
                self.asset_references.push(at + value.start..at + value.end);
            }
        }
    }
}

/// Returns whether the framework compiles a script as a module.
fn is_script(tag: &str, framework: Framework) -> bool {
    const SCRIPTS: [&str; 7] =
        ["module", "text/javascript", "text/typescript", "text/babel", "ts", "typescript", "application/javascript"];
    // Astro copies a script with attributes unchanged.
    if framework == Framework::Astro {
        return tag.trim_end_matches('>').trim().eq_ignore_ascii_case("<script");
    }
    attribute_value(tag, "type").is_none_or(|value| SCRIPTS.contains(&&tag[value]))
}

/// The syntax of a script, by its attributes.
fn script_language(tag: &str) -> ScriptSyntax {
    let written = attribute_value(tag, "lang").or_else(|| attribute_value(tag, "type"));
    match written.map(|value| &tag[value]) {
        Some("ts" | "typescript" | "text/typescript") => ScriptSyntax::Typed,
        Some("tsx") => ScriptSyntax::Tsx,
        _ => ScriptSyntax::Plain,
    }
}

/// The end of a tag with its `>`, outside of quotes and braces.
fn tag_end(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (from, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' if depth == 0 => at += memchr::memchr(byte, &bytes[at + 1..])? + 1,
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'>' if depth == 0 => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The byte range of an attribute's value, without quotes.
fn attribute_value(tag: &str, name: &str) -> Option<Range<usize>> {
    let mut from = 0;
    while let Some(at) = tag.get(from..)?.find(name).map(|at| from + at) {
        from = at + name.len();
        let is_name = tag[..at].ends_with(|c: char| c.is_whitespace());
        let Some(rest) = tag[from..].strip_prefix('=').filter(|_| is_name) else { continue };
        let mark = rest.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
        let length = rest[1..].find(mark)?;
        return Some(from + 2..from + 2 + length);
    }
    None
}
