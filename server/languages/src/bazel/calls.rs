//! Parses the calls of a package and the plain strings in their attributes.
//!
//! Not `starlark_syntax`: it gives nothing for a file with an error, and calls and plain strings are all that is needed.

use super::loads::string_end;

/// Deeper calls do not occur in real packages; their content is skipped.
const MAX_DEPTH: usize = 100;

/// A call at the beginning of a line: a rule, or a macro.
#[derive(Debug)]
pub(super) struct Call<'t> {
    pub(super) name: &'t str,
    pub(super) attributes: Vec<CallAttribute<'t>>,
}

/// `name = value`; the name of a positional value is empty.
#[derive(Debug)]
pub(super) struct CallAttribute<'t> {
    pub(super) name: &'t str,
    /// Ranges of plain strings, alone or in a list, without quotes.
    pub(super) strings: Vec<(usize, usize)>,
    /// True if the value consists only of `strings`.
    pub(super) is_plain: bool,
}

impl Call<'_> {
    /// Returns whether the rule is or may be built only on request. Tests of Bazel rules contain such calls without sources.
    pub(super) fn is_manual(&self, text: &str) -> bool {
        let mut tags = self.attributes.iter().filter(|attribute| attribute.name == "tags");
        tags.any(|tags| !tags.is_plain || tags.strings.iter().any(|&(at, end)| &text[at..end] == "manual"))
    }
}

/// The calls of a package.
#[derive(Debug, Default)]
pub(super) struct PackageCalls<'t> {
    pub(super) calls: Vec<Call<'t>>,
    /// True if a comprehension or a loop declares further rules.
    pub(super) has_computed_rules: bool,
}

/// All calls of a package, in order.
pub(super) fn parse_calls(text: &str) -> PackageCalls<'_> {
    let mut all = PackageCalls::default();
    let mut scanner = PackageScanner { text, at: 0 };
    loop {
        scanner.skip_blanks();
        let Some(byte) = scanner.peek() else { return all };
        let start = scanner.at;
        let word = scanner.read_word();
        if word.is_empty() {
            // `[rule(…) for x in y]`
            all.has_computed_rules |= byte == b'[' && is_line_start(text, start);
            scanner.skip_value();
            continue;
        }
        all.has_computed_rules |= matches!(word, "for" | "def");
        scanner.skip_blanks();
        if scanner.peek() == Some(b'(') && is_line_start(text, start) {
            scanner.at += 1;
            let attributes = scanner.read_attributes();
            all.calls.push(Call { name: word, attributes });
        } else if scanner.peek() == Some(b'=') {
            // The value of a variable is skipped.
            scanner.at += 1;
            scanner.skip_blanks();
            scanner.skip_value();
        }
    }
}

fn is_line_start(text: &str, at: usize) -> bool {
    at == 0 || text.as_bytes()[at - 1] == b'\n'
}

/// A cursor over the text of a package.
struct PackageScanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> PackageScanner<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips blanks and comments.
    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'#' => {
                    let rest = &self.text.as_bytes()[self.at..];
                    self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                byte if byte.is_ascii_whitespace() || byte == b'\\' => self.at += 1,
                _ => return,
            }
        }
    }

    /// A name with dots; empty if there is none.
    fn read_word(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Skips one string, one bracket with its content, or one character.
    fn skip_value(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                None => return,
                Some(b'"' | b'\'') => self.at = string_end(self.text.as_bytes(), self.at).1,
                Some(b'#') => {
                    self.skip_blanks();
                    continue;
                }
                Some(byte) => {
                    match byte {
                        b'(' | b'[' | b'{' => depth += 1,
                        b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    self.at += self.text[self.at..].chars().next().map_or(1, char::len_utf8);
                }
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Reads the attributes of a call and its closing bracket.
    fn read_attributes(&mut self) -> Vec<CallAttribute<'t>> {
        let mut attributes = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                None => return attributes,
                Some(b')') => {
                    self.at += 1;
                    return attributes;
                }
                Some(b',') => self.at += 1,
                Some(b'"' | b'\'') => attributes.push(self.read_value("")),
                Some(_) => {
                    let name = self.read_word();
                    self.skip_blanks();
                    if !name.is_empty() && self.peek() == Some(b'=') {
                        self.at += 1;
                        attributes.push(self.read_value(name));
                    } else if name.is_empty() {
                        self.skip_value();
                    }
                }
            }
        }
    }

    /// Reads a value up to the next comma or closing bracket.
    fn read_value(&mut self, name: &'t str) -> CallAttribute<'t> {
        let mut value = CallAttribute { name, strings: Vec::new(), is_plain: true };
        // The depth of open lists, and whether a string that begins here can be a whole element.
        let mut open = 0_usize;
        let mut can_begin = true;
        let mut is_comprehension = false;
        loop {
            self.skip_blanks();
            let Some(byte) = self.peek() else { break };
            match byte {
                b'[' if open < MAX_DEPTH => {
                    open += 1;
                    self.at += 1;
                    can_begin = true;
                }
                b']' if open > 0 => {
                    open -= 1;
                    self.at += 1;
                    can_begin = false;
                }
                b',' if open > 0 => {
                    self.at += 1;
                    can_begin = true;
                }
                b',' | b')' if open == 0 => break,
                b'"' | b'\'' => {
                    let (end, after) = string_end(self.text.as_bytes(), self.at);
                    let start = self.at + 1;
                    self.at = after;
                    self.skip_blanks();
                    let is_whole = can_begin && matches!(self.peek(), Some(b',' | b']' | b')'));
                    let inside = self.text.get(start..end).unwrap_or_default();
                    if is_whole && !inside.is_empty() && !inside.contains(['"', '\'', '\\', '\n']) {
                        value.strings.push((start, end));
                    } else {
                        value.is_plain = false;
                    }
                    can_begin = false;
                }
                b'(' | b'{' => {
                    // `glob(…)`, `select(…)` or a dictionary: its content may not apply.
                    value.is_plain = false;
                    can_begin = false;
                    self.skip_value();
                }
                _ => {
                    let word = self.read_word();
                    is_comprehension |= word == "for";
                    value.is_plain &= byte == b'+' || matches!(word, "True" | "False" | "None");
                    can_begin = false;
                    if word.is_empty() {
                        self.skip_value();
                    }
                }
            }
        }
        if is_comprehension {
            value.strings.clear();
            value.is_plain = false;
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::parse_calls;

    #[test]
    fn parses_attributes() {
        let check = |text: &str, expect: &[&str]| {
            let mut rows = Vec::new();
            for call in parse_calls(text).calls {
                for attribute in call.attributes {
                    let strings: Vec<&str> = attribute.strings.iter().map(|&(at, end)| &text[at..end]).collect();
                    let mark = if attribute.is_plain { "" } else { " …" };
                    rows.push(format!("{} {} = {}{mark}", call.name, attribute.name, strings.join(" ")));
                }
            }
            assert_eq!(rows, expect, "{text}");
        };
        check("a(\n  name = \"x\", # no = \"y\"\n  srcs = ['b', \"c\"],\n)", &["a name = x", "a srcs = b c"]);
        check("a(srcs = glob([\"x\"]) + [\"y\"], n = 1)", &["a srcs = y …", "a n =  …"]);
        check("a(srcs = select({\"x\": [\"y\"]}))", &["a srcs =  …"]);
        check("a(srcs = [\"x\" + y, \"z\" % w, \"v\".format(u), \"a\" \"b\", \"c\"])", &["a srcs = c …"]);
        check("a(srcs = [\"x\" + y for y in [\"z\", \"w\"]])", &["a srcs =  …"]);
        check("X = [\"y\"]\na(srcs = X, **kw)", &["a srcs =  …"]);
        check("a(\"x\", b = \"y\")", &["a  = x", "a b = y"]);
        check("b(\"x\", \"y\")\n    a(srcs = [\"no\"])\na(srcs = [", &["b  = x", "b  = y", "a srcs = "]);
        assert!(parse_calls("[a(name = x) for x in y]").has_computed_rules);
        assert!(!parse_calls("X = [y for y in z] + [w]\na(b = [x for x in X])").has_computed_rules);
    }
}
