//! Rules for names, comments, documents and commit subjects, as the glossary of `ARCHITECTURE.md` and `CONTRIBUTING.md` state them.

use std::collections::BTreeMap;
use std::process::Command;

use syn::visit::Visit;
use syn::{Ident, ItemConst, ItemEnum, ItemMod, ItemStatic, ItemStruct, ItemTrait, ItemType, ItemUnion, Signature};

use super::{check, files, is, read, repository, rust_files};

/// Metaphors and participles that once stood for a term of the field; no declared name contains them as a word.
const BANNED_IN_NAMES: [&str; 22] = [
    "begun", "brake", "desk", "fate", "guest", "habits", "kin", "laws", "meant", "mend", "mended", "mends", "news",
    "patience", "spot", "spots", "survey", "teller", "told", "unmended", "warmth", "whoever",
];
/// Pronouns that hide which code or person a comment is about.
const BANNED_IN_COMMENTS: [&str; 5] = ["who", "whoever", "whom", "nobody", "somebody"];
/// First words of a comment that begins with a relative clause instead of its subject.
const BANNED_AT_THE_START: [&str; 12] =
    ["how", "of", "that", "what", "whatever", "where", "whether", "which", "who", "whom", "whose", "why"];
/// Beginnings that refer to another text instead of saying what an item is.
const EMPTY_BEGINNINGS: [&str; 3] = ["See the module", "The same", "As above"];
/// The longest a document may be, in bytes: a reader gets through it in one sitting.
const MAX_DOCUMENT_BYTES: [(&str, usize); 3] =
    [("README.md", 8 * 1024), ("ARCHITECTURE.md", 14 * 1024), ("BENCHMARKS.md", 12 * 1024)];
/// The longest subject that `git log --oneline` shows whole in 80 columns.
const MAX_SUBJECT_CHARS: usize = 72;
/// Commits whose subjects are checked; older ones had no rule. A count, because a commit's id changes when others before it are reworded.
const MAX_SUBJECTS: &str = "-400";

/// A declared name, and whether it names a type.
struct Declaration {
    name: String,
    is_type: bool,
}

/// Collects what a file declares, in functions and modules inside it as well. `syn` reads the file, so that text in strings and
/// macros does not count.
#[derive(Default)]
struct Declarations(Vec<Declaration>);

impl Declarations {
    fn add(&mut self, name: &Ident, is_type: bool) {
        self.0.push(Declaration { name: name.to_string(), is_type });
    }
}

impl<'ast> Visit<'ast> for Declarations {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.add(&item.ident, true);
        syn::visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.add(&item.ident, true);
        syn::visit::visit_item_enum(self, item);
    }

    fn visit_item_union(&mut self, item: &'ast ItemUnion) {
        self.add(&item.ident, true);
        syn::visit::visit_item_union(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.add(&item.ident, true);
        syn::visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast ItemType) {
        self.add(&item.ident, true);
        syn::visit::visit_item_type(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.add(&item.ident, false);
        syn::visit::visit_item_mod(self, item);
    }

    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        self.add(&item.ident, false);
        syn::visit::visit_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'ast ItemStatic) {
        self.add(&item.ident, false);
        syn::visit::visit_item_static(self, item);
    }

    fn visit_signature(&mut self, item: &'ast Signature) {
        self.add(&item.ident, false);
        syn::visit::visit_signature(self, item);
    }
}

fn declarations(name: &str, text: &str) -> Vec<Declaration> {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut found = Declarations::default();
    found.visit_file(&file);
    found.0
}

/// The package that a file belongs to; each directory of tests is a program of its own.
fn package(name: &str) -> String {
    let mut parts = name.split('/');
    match (parts.next(), parts.next()) {
        (Some("server"), Some(part)) if repository().join("server").join(part).join("Cargo.toml").exists() => {
            format!("server/{part}")
        }
        (Some("tests"), Some(part)) => format!("tests/{part}"),
        (first, _) => first.unwrap_or_default().to_owned(),
    }
}

/// The words of a name in any case: `read_URLs`, `ReadUrls` and `READ_URLS` have two.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::<String>::new();
    let mut was_upper = true;
    for char in name.chars() {
        match words.last_mut() {
            Some(word) if char != '_' && (was_upper || char.is_lowercase() || char.is_numeric()) => {
                word.extend(char.to_lowercase());
            }
            _ if char == '_' => words.push(String::new()),
            _ => words.push(char.to_lowercase().collect()),
        }
        was_upper = char.is_uppercase() || char == '_';
    }
    words
}

#[test]
fn a_type_name_is_declared_once_per_package() {
    let mut places = BTreeMap::<(String, String), Vec<String>>::new();
    for (file, text) in rust_files() {
        for declaration in declarations(&file, &text).into_iter().filter(|declaration| declaration.is_type) {
            places.entry((package(&file), declaration.name)).or_default().push(file.clone());
        }
    }
    let twice = places.into_iter().filter(|(_, files)| files.len() > 1);
    check(
        "one type, one name",
        twice.map(|((package, name), files)| format!("{package}: {name} in {}", files.join(", "))),
    );
}

#[test]
fn names_are_terms_of_the_field() {
    let breaks = |name: &str| name == "of" || words(name).iter().any(|word| BANNED_IN_NAMES.contains(&word.as_str()));
    let broken = rust_files().into_iter().flat_map(|(file, text)| {
        let names =
            declarations(&file, &text).into_iter().map(|declaration| declaration.name).filter(|name| breaks(name));
        names.map(|name| format!("{file}: {name}")).collect::<Vec<_>>()
    });
    check("no metaphors in names; constructors are `new`, `parse`, `open`, `from_x` or `with_x`", broken);
}

/// The text of a line that is only a comment.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.trim_start_matches(['/', '!']).trim_start())
}

/// The reason why the comment of a line breaks a rule; `begins` tells whether a comment or a paragraph of it begins here.
fn fault(text: &str, begins: bool) -> Option<String> {
    let words = || text.split(|char: char| !char.is_alphanumeric() && char != '_').filter(|word| !word.is_empty());
    if let Some(word) = words().find(|word| BANNED_IN_COMMENTS.contains(&word.to_lowercase().as_str())) {
        return Some(format!("\"{word}\" instead of a name"));
    }
    let first = words().next()?;
    let is_relative = begins && text.starts_with(first) && BANNED_AT_THE_START.contains(&first.to_lowercase().as_str());
    let is_empty = begins && EMPTY_BEGINNINGS.iter().any(|beginning| text.starts_with(beginning));
    (is_relative || is_empty)
        .then(|| format!("begins with \"{}\"", text.split(' ').take(3).collect::<Vec<_>>().join(" ")))
}

#[test]
fn comments_name_their_subject() {
    let broken = rust_files().into_iter().flat_map(|(file, text)| {
        let mut before = None;
        let mut broken = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let now = comment(line);
            let begins = before.is_none_or(str::is_empty);
            broken.extend(now.and_then(|text| fault(text, begins)).map(|fault| format!("{file}:{}: {fault}", at + 1)));
            before = now;
        }
        broken
    });
    check("the subject of a comment is a named thing", broken);
}

#[test]
fn documents_are_short() {
    let sizes = MAX_DOCUMENT_BYTES.map(|(name, most)| (name, read(name).len(), most));
    let long = sizes.into_iter().filter(|(_, size, most)| size > most);
    check(
        "documents that one reads in one sitting",
        long.map(|(name, size, most)| format!("{name}: {size} of {most} bytes")),
    );
}

/// Returns whether a commit's subject is `area: verb object`, with one area.
fn is_subject(subject: &str) -> bool {
    let Some((area, text)) = subject.split_once(": ") else { return false };
    let is_area_char = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || "-_".contains(char);
    !area.is_empty()
        && area.chars().all(is_area_char)
        && text.starts_with(char::is_lowercase)
        && subject.chars().count() <= MAX_SUBJECT_CHARS
}

#[test]
fn commit_subjects_have_an_area_and_a_verb() {
    assert!(is_subject("lsp: analyse without holding the update lock"));
    assert!(!is_subject("lsp, mcp: stop at the end of input"));
    assert!(!is_subject("A look does not wait for the turn, and what was tested is what is claimed"));
    assert!(!is_subject("check: leave sites of programs and other trees, trust comments for the compiler"));
    let git = |args: &[&str]| {
        let run = Command::new("git").args(args).current_dir(repository()).output().expect("git runs");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8_lossy(&run.stdout).into_owned()
    };
    // A shallow clone cannot tell a merge from another commit; the subjects were then checked where they were written.
    if git(&["rev-parse", "--is-shallow-repository"]).trim() == "true" {
        return;
    }
    let log = git(&["log", "--no-merges", "--format=%h %s", MAX_SUBJECTS]);
    assert!(!log.is_empty(), "there are commits");
    let wrong = log.lines().filter(|line| !line.split_once(' ').is_some_and(|(_, subject)| is_subject(subject)));
    check("commit subjects are `area: verb object`, at most 72 characters", wrong.map(str::to_owned));
}

#[test]
fn names_of_files_are_terms_of_the_field() {
    let rust = files().into_iter().filter(|name| is(name, "rs"));
    let breaks =
        |name: &String| name.split(['/', '.']).flat_map(words).any(|word| BANNED_IN_NAMES.contains(&word.as_str()));
    check("no metaphors in names of files", rust.filter(breaks));
}
