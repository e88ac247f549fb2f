//! The calls of a package: the words of their attributes, as far as those are plain strings.

use super::scan::string;

/// Calls within calls deeper than this are no package that people write; what is in them is passed over all the same.
const DEPTH: usize = 100;

/// A call at the beginning of a line: a rule, or a macro.
#[derive(Debug)]
pub(super) struct Call<'t> {
    pub(super) name: &'t str,
    pub(super) attributes: Vec<Attribute<'t>>,
}

/// `name = value`; a value without a name has an empty one.
#[derive(Debug)]
pub(super) struct Attribute<'t> {
    pub(super) name: &'t str,
    /// Places of the strings that stand for themselves, alone or in a list, without quotes.
    pub(super) strings: Vec<(usize, usize)>,
    /// Whether that is all there is.
    pub(super) is_plain: bool,
}

impl Call<'_> {
    /// Whether the rule is built only when it is asked for by name, or may be: tests of rules have such rules, of which no
    /// source is there.
    pub(super) fn is_manual(&self, text: &str) -> bool {
        let mut tags = self.attributes.iter().filter(|attribute| attribute.name == "tags");
        tags.any(|tags| !tags.is_plain || tags.strings.iter().any(|&(at, end)| &text[at..end] == "manual"))
    }
}

/// What a package says.
#[derive(Debug, Default)]
pub(super) struct Calls<'t> {
    pub(super) calls: Vec<Call<'t>>,
    /// Whether rules are also made in a comprehension or a loop.
    pub(super) is_open: bool,
}

/// All calls of a package, in order.
pub(super) fn calls(text: &str) -> Calls<'_> {
    let mut all = Calls::default();
    let mut scan = Scan { text, at: 0 };
    loop {
        scan.blank();
        let Some(byte) = scan.byte() else { return all };
        let start = scan.at;
        let word = scan.word();
        if word.is_empty() {
            // `[rule(…) for x in y]`
            all.is_open |= byte == b'[' && is_line_start(text, start);
            scan.skip();
            continue;
        }
        all.is_open |= matches!(word, "for" | "def");
        scan.blank();
        if scan.byte() == Some(b'(') && is_line_start(text, start) {
            scan.at += 1;
            let attributes = scan.attributes();
            all.calls.push(Call { name: word, attributes });
        } else if scan.byte() == Some(b'=') {
            // The value of a variable is not looked into.
            scan.at += 1;
            scan.blank();
            scan.skip();
        }
    }
}

fn is_line_start(text: &str, at: usize) -> bool {
    at == 0 || text.as_bytes()[at - 1] == b'\n'
}

struct Scan<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scan<'t> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// To what is no space and no comment.
    fn blank(&mut self) {
        while let Some(byte) = self.byte() {
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
    fn word(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Past one string, bracket with all that is in it, or character.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.byte() {
                None => return,
                Some(b'"' | b'\'') => self.at = string(self.text.as_bytes(), self.at).1,
                Some(b'#') => {
                    self.blank();
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

    /// The attributes of a call, to its end.
    fn attributes(&mut self) -> Vec<Attribute<'t>> {
        let mut attributes = Vec::new();
        loop {
            self.blank();
            match self.byte() {
                None => return attributes,
                Some(b')') => {
                    self.at += 1;
                    return attributes;
                }
                Some(b',') => self.at += 1,
                Some(b'"' | b'\'') => attributes.push(self.value("")),
                Some(_) => {
                    let name = self.word();
                    self.blank();
                    if !name.is_empty() && self.byte() == Some(b'=') {
                        self.at += 1;
                        attributes.push(self.value(name));
                    } else if name.is_empty() {
                        self.skip();
                    }
                }
            }
        }
    }

    /// A value, to the comma or the bracket behind it.
    fn value(&mut self, name: &'t str) -> Attribute<'t> {
        let mut value = Attribute { name, strings: Vec::new(), is_plain: true };
        // Whether each open bracket is that of a list, and whether a string that begins here can stand for itself.
        let mut open = 0_usize;
        let mut can_begin = true;
        let mut is_comprehension = false;
        loop {
            self.blank();
            let Some(byte) = self.byte() else { break };
            match byte {
                b'[' if open < DEPTH => {
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
                    let (end, after) = string(self.text.as_bytes(), self.at);
                    let start = self.at + 1;
                    self.at = after;
                    self.blank();
                    let is_whole = can_begin && matches!(self.byte(), Some(b',' | b']' | b')'));
                    let inside = self.text.get(start..end).unwrap_or_default();
                    if is_whole && !inside.is_empty() && !inside.contains(['"', '\'', '\\', '\n']) {
                        value.strings.push((start, end));
                    } else {
                        value.is_plain = false;
                    }
                    can_begin = false;
                }
                b'(' | b'{' => {
                    // `glob(…)`, `select(…)`, or a dictionary: what is in there is not known to be taken.
                    value.is_plain = false;
                    can_begin = false;
                    self.skip();
                }
                _ => {
                    let word = self.word();
                    is_comprehension |= word == "for";
                    value.is_plain &= byte == b'+' || matches!(word, "True" | "False" | "None");
                    can_begin = false;
                    if word.is_empty() {
                        self.skip();
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
    use super::calls;

    #[test]
    fn attributes() {
        let check = |text: &str, expect: &[&str]| {
            let mut rows = Vec::new();
            for call in calls(text).calls {
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
        assert!(calls("[a(name = x) for x in y]").is_open);
        assert!(!calls("X = [y for y in z] + [w]\na(b = [x for x in X])").is_open);
    }
}
