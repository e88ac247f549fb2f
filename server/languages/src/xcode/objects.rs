//! Reads the objects of a property list as Xcode writes it: `{ ID = { isa = PBXGroup; children = (ID,); path = a; }; }`.

use std::ops::Range;

/// Dictionaries and lists in each other. Xcode nests five.
const MAX_DEPTH: usize = 32;

/// Kind of what an object stands for on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// A file, or a directory that is used as one.
    File,
    /// A directory, or a list of files without one.
    Group,
}

/// An object of a project.
#[derive(Debug)]
pub(super) struct Object<'t> {
    /// Its identifier.
    pub id: &'t str,
    /// Its class.
    pub isa: &'t str,
    pub entry: Entry,
    /// The byte range of its path without quotes.
    pub path: Option<Range<usize>>,
    /// The identifiers of what is in it.
    pub children: Vec<&'t str>,
    /// Its other values, with their quotes.
    values: Vec<(&'t str, &'t str)>,
    /// The byte ranges of its build settings that are one text, without quotes.
    pub settings: Vec<(&'t str, Range<usize>)>,
}

impl<'t> Object<'t> {
    /// The value of a key, with quotes if it has any.
    pub(super) fn value(&self, key: &str) -> Option<&'t str> {
        self.values.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }
}

/// Returns the objects of a project, in order. Broken input has fewer.
pub(super) fn parse(text: &str) -> Vec<Object<'_>> {
    let mut reader = PropertyReader { text, at: 0, objects: Vec::new() };
    reader.skip_blank();
    if reader.peek() == Some(b'{') {
        reader.read_dictionary(&mut Vec::new(), None);
    }
    reader.objects
}

struct PropertyReader<'t> {
    text: &'t str,
    at: usize,
    objects: Vec<Object<'t>>,
}

impl<'t> PropertyReader<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space and comments.
    fn skip_blank(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            let comment = if trimmed.starts_with("/*") {
                trimmed.find("*/").map(|end| end + 2)
            } else if trimmed.starts_with("//") {
                trimmed.find('\n')
            } else {
                return;
            };
            let Some(length) = comment else {
                self.at = self.text.len();
                return;
            };
            self.at += length;
        }
    }

    /// Reads a text. Returns its byte range with quotes.
    fn read_text(&mut self) -> Option<Range<usize>> {
        self.skip_blank();
        let start = self.at;
        if self.peek()? == b'"' {
            let mut is_escaped = false;
            let inner = self.text[start + 1..].bytes().position(|byte| {
                let ends = byte == b'"' && !is_escaped;
                is_escaped = byte == b'\\' && !is_escaped;
                ends
            })?;
            self.at = start + inner + 2;
        } else {
            let rest = &self.text[start..];
            let length = rest.find(|c: char| c.is_whitespace() || "{}()=;,\"".contains(c)).unwrap_or(rest.len());
            self.at += length;
        }
        (self.at > start).then_some(start..self.at)
    }

    /// Reads a dictionary whose bracket comes next. `keys` are those of the dictionaries around it; `owner` is the position of the object
    /// that it belongs to. Returns nothing if the input is broken.
    fn read_dictionary(&mut self, keys: &mut Vec<&'t str>, owner: Option<usize>) -> Option<()> {
        if keys.len() > MAX_DEPTH {
            return None;
        }
        self.at += 1;
        loop {
            self.skip_blank();
            if self.peek()? == b'}' {
                self.at += 1;
                return Some(());
            }
            let key = self.read_text()?;
            let key = &self.text[key];
            self.skip_blank();
            if self.peek()? != b'=' {
                return None;
            }
            self.at += 1;
            self.read_value(key, keys, owner)?;
            self.skip_blank();
            if self.peek()? == b';' {
                self.at += 1;
            }
        }
    }

    fn read_value(&mut self, key: &'t str, keys: &mut Vec<&'t str>, owner: Option<usize>) -> Option<()> {
        self.skip_blank();
        match self.peek()? {
            b'{' => {
                // The dictionaries below `objects` are the objects.
                let is_object = *keys == ["objects"];
                if is_object {
                    let object = Object {
                        id: key,
                        isa: "",
                        entry: Entry::File,
                        path: None,
                        children: Vec::new(),
                        values: Vec::new(),
                        settings: Vec::new(),
                    };
                    self.objects.push(object);
                }
                let owner = if is_object { Some(self.objects.len() - 1) } else { owner };
                keys.push(key);
                self.read_dictionary(keys, owner)?;
                keys.pop();
            }
            b'(' => self.read_list(key, keys, owner)?,
            _ => {
                let range = self.read_text()?;
                if let Some(at) = owner {
                    self.add_value(at, key, keys, range);
                }
            }
        }
        Some(())
    }

    /// Reads a list of texts. Lists and dictionaries in a list are of no object that is asked for.
    fn read_list(&mut self, key: &'t str, keys: &mut Vec<&'t str>, owner: Option<usize>) -> Option<()> {
        if keys.len() > MAX_DEPTH {
            return None;
        }
        self.at += 1;
        loop {
            self.skip_blank();
            match self.peek()? {
                b')' => {
                    self.at += 1;
                    return Some(());
                }
                b',' => self.at += 1,
                b'{' => {
                    keys.push(key);
                    self.read_dictionary(keys, None)?;
                    keys.pop();
                }
                b'(' => {
                    keys.push(key);
                    self.read_list(key, keys, None)?;
                    keys.pop();
                }
                _ => {
                    let range = self.read_text()?;
                    let item = &self.text[range];
                    if let Some(at) = owner.filter(|_| key == "children" && keys.len() == 2) {
                        self.objects[at].children.push(item);
                    }
                }
            }
        }
    }

    fn add_value(&mut self, at: usize, key: &'t str, keys: &[&str], range: Range<usize>) {
        let value = &self.text[range.clone()];
        let inner = if value.starts_with('"') { range.start + 1..range.end - 1 } else { range };
        let object = &mut self.objects[at];
        match (keys.len(), key) {
            (2, "isa") => {
                object.isa = value;
                if value.ends_with("Group") {
                    object.entry = Entry::Group;
                }
            }
            (2, "path") => object.path = Some(inner),
            (2, _) => object.values.push((key, value)),
            (3, _) if keys.last() == Some(&"buildSettings") => object.settings.push((key, inner)),
            _ => {}
        }
    }
}
