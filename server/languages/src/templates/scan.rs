//! Finds the statements of a template that name another one.
//!
//! Not a parser of one template language: Django, Jinja, Nunjucks, Twig and Liquid share these statements and differ in the rest.

use std::ops::Range;

use pathfinder_literals::path::head;

/// Longer statements are text between braces.
const MAX_STATEMENT_BYTES: usize = 2000;

/// A name of a template in a statement.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TemplateName {
    /// The byte range of the name, without quotes.
    pub(super) range: Range<usize>,
    /// True if the name has no quotes, as in Jekyll.
    pub(super) is_bare: bool,
    /// True if the template may be missing.
    pub(super) is_optional: bool,
}

/// Returns the names in order.
pub(super) fn find_names(text: &str) -> Vec<TemplateName> {
    const NAMING: [&str; 7] = ["embed", "extends", "from", "import", "include", "render", "use"];
    const RAW: [&str; 3] = ["comment", "raw", "verbatim"];
    let mut found = Vec::new();
    let mut raw: Option<&str> = None;
    let all = |mark: &'static str| memchr::memmem::find_iter(text.as_bytes(), mark);
    for open in all("{%").chain(all("{{")) {
        let is_statement = text[open..].starts_with("{%");
        let inside = head(&text[open + 2..], MAX_STATEMENT_BYTES);
        let Some(end) = inside.find(if is_statement { "%}" } else { "}}" }) else { continue };
        let trimmed = inside[..end].trim_start_matches(['-', '+']).trim_start();
        let word = trimmed.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        match raw {
            Some(raw) if is_statement && word.strip_prefix("end") == Some(raw) => {}
            Some(_) if is_statement => continue,
            _ => {}
        }
        if is_statement {
            raw = RAW.iter().find(|raw| **raw == word).copied();
        }
        let rest = &trimmed[word.len()..];
        let is_naming = if is_statement { NAMING.contains(&word) } else { word == "include" && rest.starts_with('(') };
        if !is_naming {
            continue;
        }
        let argument = rest.trim_start_matches(|c: char| c == '(' || c.is_whitespace());
        let at = open + 2 + (end - argument.len());
        found.extend(
            parse_argument(argument)
                .map(|name| TemplateName { range: at + name.range.start..at + name.range.end, ..name }),
        );
    }
    found.sort_by_key(|name| name.range.start);
    found
}

/// Parses the name at the start of the arguments of a statement; `None` if it is computed or one of several.
fn parse_argument(argument: &str) -> Option<TemplateName> {
    let is_optional = argument.contains("ignore missing") || argument.contains("ignore_missing");
    let Some(quote) = argument.chars().next().filter(|first| matches!(first, '"' | '\'')) else {
        let end = argument.find(char::is_whitespace).unwrap_or(argument.len());
        let name = argument[..end].trim_end_matches('-');
        let is_bare =
            name.contains('.') && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '/' | '-' | '_'));
        return is_bare.then_some(TemplateName { range: 0..name.len(), is_bare, is_optional });
    };
    let end = 1 + argument[1..].find(quote)?;
    let after = argument[end + 1..].trim_start();
    let is_whole = !after.starts_with(['~', '+', '|', '%', '.', '?']);
    is_whole.then_some(TemplateName { range: 1..end, is_bare: false, is_optional })
}

#[cfg(test)]
mod tests {
    use super::find_names;

    #[test]
    fn finds_names() {
        let check = |text: &str, expect: &[&str]| {
            let show = |name: super::TemplateName| {
                let mark = match (name.is_bare, name.is_optional) {
                    (true, _) => "bare ",
                    (_, true) => "optional ",
                    _ => "",
                };
                format!("{mark}{}", &text[name.range])
            };
            let names: Vec<String> = find_names(text).into_iter().map(show).collect();
            assert_eq!(names, expect, "{text}");
        };
        check("{% extends \"a/b.html\" %}{%- include 'c.html' with x -%}", &["a/b.html", "c.html"]);
        check("{% from \"m.html\" import x %}{% import 'n.njk' as n %}", &["m.html", "n.njk"]);
        check("{% include \"a.html\" ignore missing %}", &["optional a.html"]);
        check("{{ include('a.html.twig', {}) }}{{ include }}", &["a.html.twig"]);
        check(
            "{% include header.html title=x %}{% include x %}{% include page.x | y %}",
            &["bare header.html", "bare page.x"],
        );
        check("{% include 'a' ~ b %}{% include ['a.html', 'b.html'] %}{% extends a if b else 'c' %}", &[]);
        check("{% raw %}{% include 'a.html' %}{% endraw %}{% include 'b.html' %}", &["b.html"]);
        check("{% comment \"x\" %}{% include 'a.html' %}{% endcomment %}", &[]);
        check("{% include 'a.html", &[]);
        check("{%é{{é'", &[]);
    }
}
