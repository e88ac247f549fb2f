//! The scripts in a component of Vue, Svelte or Astro, and what its tags name.

use std::ops::Range;

use super::scan::Script;

/// A piece of script in a component.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) range: Range<usize>,
    pub(super) script: Script,
}

/// A component's framework, by its file's extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framework {
    Vue,
    Svelte,
    Astro,
}

/// The scripts of a component, and the places of what its tags name relative to the file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Component {
    pub(super) blocks: Vec<Block>,
    pub(super) named: Vec<Range<usize>>,
}

impl Component {
    /// Of a whole file.
    pub(super) fn of(text: &str, framework: Framework) -> Self {
        let mut component = Self::default();
        let mut at = 0;
        if framework == Framework::Astro {
            at = component.frontmatter(text);
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
                component.tag(tag, &name, open);
            }
            if !matches!(name.as_str(), "script" | "style") || tag.ends_with("/>") {
                continue;
            }
            let body = at;
            let close = format!("</{name}");
            at = text[body..].find(&close).map_or(text.len(), |close| body + close);
            if name == "script" && is_script(tag, framework) {
                let script = if framework == Framework::Astro { Script::Typed } else { language(tag) };
                component.blocks.push(Block { range: body..at, script });
            }
        }
        component
    }

    /// Astro's script stands between fences, before everything else. Gives where it ends.
    fn frontmatter(&mut self, text: &str) -> usize {
        let start = text.len() - text.trim_start().len();
        let Some(rest) = text[start..].strip_prefix("---") else { return 0 };
        let Some(end) = rest.find("\n---") else { return 0 };
        let body = start + 3;
        self.blocks.push(Block { range: body..body + end, script: Script::Typed });
        body + end + 4
    }

    /// What Vue makes an import of.
    fn tag(&mut self, tag: &str, name: &str, at: usize) {
        let names: &[&str] = match name {
            "script" | "style" | "template" | "img" | "source" => &["src"],
            "video" => &["src", "poster"],
            "image" | "use" => &["href", "xlink:href"],
            _ => return,
        };
        for attribute in names {
            let Some(value) = attribute_of(tag, attribute) else { continue };
            let written = &tag[value.clone()];
            if written.starts_with("./") || written.starts_with("../") {
                self.named.push(at + value.start..at + value.end);
            }
        }
    }
}

/// Whether a script is a module that the framework reads.
fn is_script(tag: &str, framework: Framework) -> bool {
    // Astro leaves a script with attributes as it is.
    if framework == Framework::Astro {
        return tag.trim_end_matches('>').trim().eq_ignore_ascii_case("<script");
    }
    attribute_of(tag, "type")
        .is_none_or(|value| matches!(&tag[value], "module" | "text/javascript" | "text/typescript"))
}

/// The language that a script says it is in.
fn language(tag: &str) -> Script {
    let said = attribute_of(tag, "lang").or_else(|| attribute_of(tag, "type"));
    match said.map(|value| &tag[value]) {
        Some("ts" | "typescript" | "text/typescript") => Script::Typed,
        Some("tsx") => Script::Tsx,
        _ => Script::Plain,
    }
}

/// Where a tag ends, its `>` included: one in quotes or in braces is no end.
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

/// The place of an attribute's value, without quotes.
fn attribute_of(tag: &str, name: &str) -> Option<Range<usize>> {
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
