//! Checks strings that name, without its ending, a file that a recent commit moved: `view("users.index")`, `return "task/list"`.
//!
//! Frameworks name their pages and templates so, below directories of their choice. Two names with a slash or a dot can also be a
//! route, a key or a text. What stands before the string tells, without knowledge of any framework: in the files around, most
//! strings behind the same word must be such names of files with the moved one's ending.

use std::ops::Range;

use pathfinder_literals::path::{ancestors, extension, name, parent};
use pathfinder_literals::{Lookup, Missing, Project, ProjectIndex, Resolution, Severity, Source, Verdict, Want};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::moved_strings::find_quoted;
use crate::path_words;

/// Moved files with the same two last names that are compared; more common names say nothing.
const MAX_NAMESAKES: usize = 8;
/// Files in which calls are looked for. The nearest ones are of the same part of a program.
const MAX_FILES: usize = 100;
/// Files of a directory that are passed over for those of the wanted ending.
const MAX_LISTED_FILES: usize = 2_000;
/// Larger files are data.
const MAX_BYTES: usize = 256 << 10;
/// Calls of one file that are looked for in others; a program has few that name files.
const MAX_CALLS: usize = 16;
/// Different names behind a call from which on it is known to name files; two can do so by chance.
const MIN_NAMES: usize = 3;
/// Names that are looked at. A call that named so many files names the next one.
const MAX_NAMES: usize = 40;

/// The recent moves of files, by the last two names of their paths without the ending.
pub(crate) struct MovedNames {
    /// Earlier and later paths.
    earlier: FxHashMap<u64, Vec<(String, String)>>,
    /// Later paths.
    later: FxHashMap<u64, Vec<String>>,
    /// Hashes of the last two names and the ending of all files.
    present: FxHashSet<u64>,
}

/// The verdicts on the calls of one file.
#[derive(Default)]
pub(crate) struct KnownCalls(FxHashMap<(String, char, String), bool>);

impl ProjectIndex for MovedNames {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let (mut earlier, mut later) = (FxHashMap::<u64, Vec<_>>::default(), FxHashMap::<u64, Vec<_>>::default());
        for (from, moved) in tree.recent_moves() {
            let (old, new) = (FileName::new(&from), FileName::new(&moved.to));
            if old.ending != new.ending || old.ending.is_empty() {
                continue;
            }
            let all = later.entry(new.key()).or_default();
            if all.len() <= MAX_NAMESAKES {
                all.push(moved.to.clone());
            }
            let all = earlier.entry(old.key()).or_default();
            if all.len() <= MAX_NAMESAKES {
                all.push((from, moved.to));
            }
        }
        let files = if earlier.is_empty() { &[] } else { tree.files() };
        let present = files.iter().map(|file| FileName::new(file)).map(|file| file.key_with(file.ending)).collect();
        Self { earlier, later, present }
    }
}

impl MovedNames {
    /// Returns whether no file moved lately.
    pub(crate) fn is_empty(&self) -> bool {
        self.earlier.is_empty()
    }

    /// Returns whether a recent commit moved a file that a string can name, to or from the name.
    pub(crate) fn may_name(&self, string: &str) -> bool {
        path_of(string).is_some_and(|(path, _)| {
            let key = FileName::new(&path).key();
            self.earlier.contains_key(&key) || self.later.contains_key(&key)
        })
    }

    /// Returns the verdict on the string in this range, for which [`may_name`](Self::may_name) holds.
    pub(crate) fn resolve(
        &self,
        source: &Source<'_>,
        project: &Project,
        string: &Range<usize>,
        calls: &mut KnownCalls,
    ) -> Option<Resolution> {
        let text = &source.text()[string.clone()];
        let (path, separator) = path_of(text)?;
        let key = FileName::new(&path).key();
        let look_up = |path: &str| Lookup::new(project, Want::File).verdict(Severity::Warning, [Some(path.to_owned())]);
        let is_named = |file: &&String| base_of(file, &path).is_some();
        let mut names_files =
            |ending: &str| self.names_files(source, project, string.start, (separator, ending), calls);
        let all = self.earlier.get(&key).map(Vec::as_slice).unwrap_or_default();
        let mut moved = all.iter().filter(|(from, _)| is_named(&from));
        let Some((from, to)) = moved.next().filter(|_| all.len() <= MAX_NAMESAKES) else {
            let there = self.later.get(&key)?.iter().find(is_named)?;
            return names_files(FileName::new(there).ending).then(|| look_up(there));
        };
        let file = FileName::new(from);
        let base = base_of(from, &path)?;
        // A longer name can be left although another file has its last two parts.
        let is_there = || match path.matches('/').count() {
            1 => self.present.contains(&file.key_with(file.ending)),
            _ => project.find_by_suffix(&from[base.len()..]).is_some(),
        };
        let is_left = to.starts_with(base) && !is_there() && moved.next().is_none();
        if !is_left || path_words::is_record(source, string, to) || !names_files(file.ending) {
            return None;
        }
        let (verdict, tried) = look_up(from);
        let is_missing = matches!(&verdict, Verdict::Missing(Missing { instead: Some(_), .. }));
        let is_kept = || project.tree().had_text_at_origin(source.path(), from, text) != Some(false);
        (is_missing && is_kept()).then_some((verdict, tried))
    }

    /// Returns whether most strings of this form behind the call before an offset, in the files around, are names of files with an
    /// ending.
    fn names_files(
        &self,
        source: &Source<'_>,
        project: &Project,
        start: usize,
        (separator, ending): (char, &str),
        calls: &mut KnownCalls,
    ) -> bool {
        let Some(call) = call_before(&source.text()[..start]) else { return false };
        let key = (call, separator, ending.to_owned());
        if let Some(known) = calls.0.get(&key) {
            return *known;
        }
        if calls.0.len() >= MAX_CALLS {
            return false;
        }
        let call = key.0.as_str();
        let mut names = FxHashSet::default();
        let mut there = 0;
        let mut note = |text: &str| {
            for range in find_quoted(text, separator as u8) {
                let Some((path, _)) = path_of(&text[range.clone()]).filter(|(_, mark)| *mark == separator) else {
                    continue;
                };
                if names.len() < MAX_NAMES && call_before(&text[..range.start]).as_deref() == Some(call) {
                    let is_there = self.present.contains(&FileName::new(&path).key_with(ending));
                    there += usize::from(names.insert(path) && is_there);
                }
            }
        };
        note(source.text());
        for file in files_around(source.path(), project) {
            if let Some(text) = project.tree().read_shared(file).filter(|text| text.len() <= MAX_BYTES) {
                note(&text);
            }
        }
        let names_files = there >= MIN_NAMES && there * 4 >= names.len() * 3;
        calls.0.insert(key, names_files);
        names_files
    }
}

/// Returns the files with the extension of one, those in its directory first, then those around.
fn files_around<'p>(path: &str, project: &'p Project) -> Vec<&'p str> {
    let files = project.tree().files();
    let ending = extension(path);
    let mut all: Vec<&str> = Vec::new();
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for directory in ancestors(parent(path)) {
        let from = files.partition_point(|file| file.as_str() < directory);
        let is_below = |file: &&String| directory.is_empty() || file.starts_with(directory);
        let below = files[from..].iter().take_while(is_below).take(MAX_LISTED_FILES).map(String::as_str);
        let like = below.filter(|file| extension(file) == ending && *file != path);
        all.extend(like.filter(|file| seen.insert(file)).take(MAX_FILES - all.len()));
        if all.len() >= MAX_FILES {
            break;
        }
    }
    all
}

/// The last two names of a path, without its ending.
struct FileName<'p> {
    directory: &'p str,
    /// Without the mark of a partial: `_form.html.erb` is named `form`.
    stem: &'p str,
    ending: &'p str,
}

impl<'p> FileName<'p> {
    fn new(path: &'p str) -> Self {
        let file = name(path);
        let at = file.get(1..).and_then(|rest| rest.find('.')).map_or(file.len(), |at| at + 1);
        Self { directory: name(parent(path)), stem: file[..at].trim_start_matches('_'), ending: &file[at..] }
    }

    fn key(&self) -> u64 {
        use std::hash::BuildHasher as _;
        FxBuildHasher.hash_one((self.directory, self.stem))
    }

    fn key_with(&self, ending: &str) -> u64 {
        use std::hash::BuildHasher as _;
        FxBuildHasher.hash_one((self.directory, self.stem, ending))
    }
}

/// Returns the path that a string has as a name of two or more parts, and what parts them.
fn path_of(string: &str) -> Option<(String, char)> {
    let separator = if string.contains('/') { '/' } else { '.' };
    let is_name =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    let is_path = string.contains(separator) && string.split(separator).all(is_name);
    is_path.then(|| (string.replace(separator, "/"), separator))
}

/// Returns the directory below which a name leads to a file, with its slash; `None` if it does not.
fn base_of<'f>(file: &'f str, path: &str) -> Option<&'f str> {
    let FileName { stem, .. } = FileName::new(file);
    let (directory, named) = path.rsplit_once('/')?;
    let base = parent(file).strip_suffix(directory)?;
    (stem == named.trim_start_matches('_') && (base.is_empty() || base.ends_with('/'))).then_some(base)
}

/// Returns the word before a quoted string with the marks between them: `view(`, `return `, `partial: `; `None` if there is none.
fn call_before(before: &str) -> Option<String> {
    /// Longer words are no names of calls.
    const MAX_WORD_BYTES: usize = 60;
    let before = before.strip_suffix(['"', '\'', '`'])?;
    let from = before.ceil_char_boundary(before.len().saturating_sub(MAX_WORD_BYTES));
    let line = before[from..].rsplit('\n').next().unwrap_or_default();
    let call = line.trim_end().trim_end_matches(['(', '[', ':', '=', ' ']);
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '@' | '-');
    let word = &call[call.trim_end_matches(is_part).len()..];
    let marks = line[call.len()..].trim();
    // A route often has the name of the page that it shows.
    if ["route", "redirect"].iter().any(|part| word.to_ascii_lowercase().contains(part)) {
        return None;
    }
    word.contains(|c: char| c.is_ascii_alphabetic()).then(|| format!("{word}{marks}"))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    const TREE: &str = "app/views/b/one.blade.php\napp/views/b/two.blade.php\napp/views/b/three.blade.php\napp/views/c/four.blade.php\n\
                        moved app/views/d/four.blade.php app/views/c/four.blade.php\nweb/e/x.html\nweb/e/y.html\nweb/e/z.html\nweb/f/v.html\n\
                        moved web/g/v.html web/f/v.html";

    #[test]
    fn reads_names_behind_a_call_that_names_files() {
        check(
            TREE,
            "app/A.php",
            "<?php /* — */ view('b.one'); view('b.two'); x— 'a.b'; view('b.three', []); x()->view('d.four');",
            "code.name d.four → moved",
        );
        check(
            TREE,
            "app/views/x.blade.php",
            "@include('b.one')\n@include('b.two')\n@include('b.three')\n@include('d.four')\n@include('c.four')\n",
            "code.name d.four → moved\ncode.name c.four → app/views/c/four.blade.php",
        );
        check(
            TREE,
            "src/A.java",
            "return \"e/x\"; return \"e/y\"; return \"e/z\"; return \"g/v\";",
            "code.name g/v → moved",
        );
    }

    #[test]
    fn leaves_other_names() {
        // Another call, too few names, keys of which most are no files, and a file that still has the name.
        check(TREE, "src/A.java", "return \"e/x\"; return \"e/y\"; return \"e/z\"; route(\"g/v\");", "");
        check(TREE, "src/A.java", "return \"e/x\"; return \"e/y\"; return \"g/v\";", "");
        check(
            TREE,
            "app/A.php",
            "<?php t('b.one'); t('b.two'); t('b.three'); t('b.q'); t('b.r'); t('b.s'); t('d.four');",
            "",
        );
        let tree = format!("{TREE}\nother/d/four.blade.php");
        check(&tree, "app/A.php", "<?php view('b.one'); view('b.two'); view('b.three'); view('d.four');", "");
    }
}
