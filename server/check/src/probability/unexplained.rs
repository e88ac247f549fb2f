//! Evidence on a miss that nothing explains: git's history never had the path, and no existing one is a typo away.
//!
//! In 70 healthy repositories, read one by one, such misses of pages of text were mostly broken. Those below were mostly
//! right where they are used: a page is filled and published by a program, a configuration is read from another directory, and
//! a test or an example stands for another project.

use pathfinder_literals::path::{extension, is_within, name, parent};
use pathfinder_literals::{Checked, Code, Missing, Project, Verdict};
use rustc_hash::FxHashSet;

use super::evidence::Evidence;
use super::form::{FileRole, LiteralStart, hash};
use super::statistics::{LanguageStatistics, Tally, text_key};
use super::{BrokenEstimator, LiteralForm};

/// As many other files that lead to existing files by the same change of names follow a rule: of files that a commit renamed,
/// history tells.
const MIN_ALIKE_FILES: u32 = 4;
/// As many other files whose links work from one other directory are shown there.
const MIN_SHIFTED_FILES: u32 = 2;
/// As many other pages that request the same text, each in vain, were written by a program, which leaves out a part of its pages.
const MIN_ALIKE_PAGES: u32 = 20;
/// Shorter additions to a name are found by chance.
const MIN_ADDITION_BYTES: usize = 3;

/// The keys of rules by which a missing path can lead to an existing file: files are named without their directories, a build
/// adds something to their names, or pages are shown in another directory than their own, from which their links work. With each, the number of other files that make it a rule.
pub(super) fn naming_keys(project: &Project, text: &str, wanted: &str) -> impl Iterator<Item = (u64, u32)> {
    let path = text.split(['#', '?']).next().unwrap_or(text);
    let has_directory = path.contains(['/', '\\']) || !path.contains('.');
    let elsewhere = other_directory(project, wanted);
    let flat = elsewhere.filter(|_| !has_directory).map(|_| (hash(&"flat"), MIN_ALIKE_FILES));
    // A name alone can as well be one of a few pages that moved below.
    let least = if has_directory { MIN_SHIFTED_FILES } else { MIN_ALIKE_FILES };
    let shifted = elsewhere.map(|other| (hash(&("shifted", parent(wanted), other)), least));
    flat.into_iter()
        .chain(shifted)
        .chain(added_part(project, wanted).map(|part| (hash(&("added", part)), MIN_ALIKE_FILES)))
        .chain(conversion_key(project, wanted))
}

/// Formats that a build turns into one another when it publishes them.
const DATA_FORMATS: [&str; 6] = ["json", "json5", "jsonc", "toml", "yaml", "yml"];

/// The key of the rule by which data is published in another format than its source beside the missing path has: `a.json` of `a.yml`.
fn conversion_key(project: &Project, wanted: &str) -> Option<(u64, u32)> {
    let ending = extension(wanted);
    DATA_FORMATS.contains(&ending.as_str()).then_some(())?;
    let ending = ending.as_str();
    let stem = wanted.strip_suffix(ending)?;
    let mut others = DATA_FORMATS.iter().filter(|other| **other != ending);
    let source = others.find(|other| project.tree().kind(&[stem, other].concat()).is_some())?;
    Some((hash(&("converted", ending, source)), MIN_ALIKE_FILES))
}

/// Returns whether several misses of a file are in one other directory, each under its name: the file is read there.
pub(super) fn are_shifted(project: &Project, literals: &[Checked], wanted: &str) -> bool {
    /// Misses of a file that are compared; those of a rule are alike.
    const MAX_COMPARED: usize = 64;
    /// So many files of one directory do not leave it together without those that import them.
    const MIN_SHIFTED: usize = 4;
    let Some(to) = other_directory(project, wanted) else { return false };
    let missing = literals.iter().filter_map(|other| match &other.verdict {
        Verdict::Missing(missing) => Some(missing.wanted.as_str()),
        _ => None,
    });
    let is_alike = |other: &&str| parent(other) == parent(wanted) && other_directory(project, other) == Some(to);
    let alike: FxHashSet<&str> = missing.take(MAX_COMPARED).filter(is_alike).collect();
    alike.len() >= MIN_SHIFTED
}

/// Returns whether several misses of a file are each under its name in a directory of its own: a tool gathers them beside the file.
fn are_gathered(project: &Project, literals: &[Checked], wanted: &str) -> bool {
    /// Misses of a file that are compared; those of a rule are alike.
    const MAX_COMPARED: usize = 64;
    /// So many files that lie apart are not put beside a page, nor taken from there, without a commit that tells.
    const MIN_GATHERED: usize = 4;
    if other_directory(project, wanted).is_none() {
        return false;
    }
    let missing = literals.iter().filter_map(|other| match &other.verdict {
        Verdict::Missing(missing) if parent(&missing.wanted) == parent(wanted) => Some(missing.wanted.as_str()),
        _ => None,
    });
    let from: FxHashSet<&str> =
        missing.take(MAX_COMPARED).filter_map(|other| other_directory(project, other)).collect();
    from.len() >= MIN_GATHERED
}

/// The directory of the only existing file with the name of a missing one.
pub(super) fn other_directory<'p>(project: &'p Project, wanted: &str) -> Option<&'p str> {
    match project.find_all_by_suffix(name(wanted), 2).as_slice() {
        [other] if *other != wanted => Some(parent(other)),
        _ => None,
    }
}

/// The text that a name has before that of the longest-named file in its directory that it ends with: `nix3-` of `nix3-run.md`.
fn added_part<'p>(project: &Project, wanted: &'p str) -> Option<&'p str> {
    let last = name(wanted);
    last.contains('.').then_some(())?;
    let names = project.tree().names(parent(wanted));
    let added = names.iter().filter_map(|other| last.strip_suffix(other.as_str())).min_by_key(|part| part.len())?;
    (added.len() >= MIN_ADDITION_BYTES).then_some(added)
}

/// As many links of other files of a directory to headings of their own are compared; fewer say nothing of their use.
const MIN_OWN_ANCHORS: u32 = 3;

/// The key under which the links of a directory's documents to headings of their own are counted; `None` for another literal.
pub(super) fn own_anchor_key(text: &str, file: &str) -> Option<u64> {
    text.starts_with('#').then(|| hash(&("own-anchor", parent(file))))
}

/// Returns whether a link to a heading of its own page names the page beside it, without its extension and a number before it: pages
/// are put together to one, with their names as anchors. The host of the code shows a readme by itself.
pub(super) fn names_sibling(project: &Project, text: &str, file: &str) -> bool {
    let without_number = |page: &str| page.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-').to_owned();
    let beside = text.strip_prefix('#').map(|anchor| format!("{anchor}.{}", extension(file)));
    let is_there = |beside: String| {
        let names = project.tree().names(parent(file));
        names.iter().any(|page| page != name(file) && (*page == beside || without_number(page) == beside))
    };
    !name(file).to_ascii_lowercase().starts_with("readme") && beside.is_some_and(is_there)
}

/// Returns whether most links of a directory's documents to headings of their own find none: the documents are parts of a page.
pub(super) fn are_parts_of_pages(others: Tally) -> bool {
    others.missing >= MIN_OWN_ANCHORS && others.missing > others.found
}

impl BrokenEstimator<'_> {
    /// Returns whether many files miss paths that lead to existing files by a rule by which this one does.
    pub(super) fn is_named_by_rule(&self, text: &str, missing: &Missing, construct: Evidence) -> bool {
        let keys = naming_keys(self.project, text, &missing.wanted);
        is_named_by_rule(self.shares.language(), self.source.path(), keys)
            || construct == Evidence::Attribute && are_gathered(self.project, self.literals, &missing.wanted)
    }

    /// Returns what speaks against a miss that the evidence so far does not explain, or explains by a path of long ago.
    pub(super) fn find_doubt(
        &self,
        form: &LiteralForm<'_>,
        text: &str,
        missing: &Missing,
        construct: Evidence,
        evidence: &[Evidence],
    ) -> Option<Evidence> {
        let (project, file, others) = (self.project, self.source.path(), self.shares.language());
        let is_value = evidence.iter().any(|one| matches!(one, Evidence::Value | Evidence::NamedValue));
        if is_value && evidence.contains(&Evidence::HistoryNever) && is_of_other_version(project, &missing.wanted) {
            return Some(Evidence::Searched);
        }
        // A program writes what so many pages have alike.
        let is_known = evidence.iter().any(|one| matches!(one, Evidence::TargetKnown | Evidence::HistoryHad));
        if construct == Evidence::Attribute
            && !is_known
            && others.files_missing(file, text_key(text)) >= MIN_ALIKE_PAGES
        {
            return Some(Evidence::Unexplained);
        }
        // The author of the move went through the test, and left what it only speaks of.
        let has_moved = || self.tree.origins(file).iter().any(|from| parent(from) == parent(&missing.wanted));
        if construct == Evidence::Text && form.role() == FileRole::Test && missing.instead.is_some() && has_moved() {
            return Some(Evidence::LeftInTest);
        }
        let has_rule = || self.is_named_by_rule(text, missing, construct);
        let is_converted = || is_named_by_rule(others, file, conversion_key(project, &missing.wanted).into_iter());
        let has_moved_lately = || self.tree.recent_moves().iter().any(|(from, _)| is_within(from, &missing.wanted));
        doubt(form, missing, evidence, has_rule, is_converted, has_moved_lately)
    }
}

/// Returns whether the directory of another version beside that of a missing path has the file: `9.10.0/lun.yaml` for `9.8.0/lun.yaml`.
/// Such directories are searched in turn.
fn is_of_other_version(project: &Project, wanted: &str) -> bool {
    let without_digits = |name: &str| name.replace(|c: char| c.is_ascii_digit(), "");
    let (directory, last) = (parent(wanted), name(wanted));
    let (above, version) = (parent(directory), name(directory));
    let is_version = |other: &&String| other.as_str() != version && without_digits(other) == without_digits(version);
    let has_file = |other: &String| {
        let path = [above, other, last].join("/");
        project.tree().kind(path.trim_start_matches('/')).is_some()
    };
    version.contains(|c: char| c.is_ascii_digit())
        && project.tree().names(above).iter().filter(is_version).any(has_file)
}

/// Returns what speaks against a miss that the evidence so far does not explain.
fn doubt(
    form: &LiteralForm<'_>,
    missing: &Missing,
    evidence: &[Evidence],
    is_named_by_rule: impl FnOnce() -> bool,
    is_converted: impl FnOnce() -> bool,
    has_moved_lately: impl Fn() -> bool,
) -> Option<Evidence> {
    let has = |any: &[Evidence]| any.iter().any(|one| evidence.contains(one));
    // A file of git's history is no proof against many files that do without it.
    if has(&[Evidence::HistoryHad]) && !has(&[Evidence::TargetKnown, Evidence::SlipOne]) && is_converted() {
        return Some(Evidence::OtherNames);
    }
    // Addresses of a site whose others are no paths of the tree: one that was a path long ago is an address too.
    let is_address = form.start() == LiteralStart::Slash && !form.has_extension() && has(&[Evidence::PageName]);
    if is_address && has(&[Evidence::TargetKnown]) && has(&[Evidence::BeforeLost]) && !has_moved_lately() {
        return Some(Evidence::Unexplained);
    }
    // A file whose other values are no paths of the tree may speak of the past: rules of an upgrade name what moved long ago.
    let is_lone = || has(&[Evidence::FileAlone, Evidence::FileFew, Evidence::FileNone]);
    // A name alone can be a pattern.
    let can_be_other = || form.start() == LiteralStart::Name || is_lone();
    if has(&[Evidence::TargetKnown]) && has(&[Evidence::Value]) && can_be_other() && !has_moved_lately() {
        return Some(Evidence::Unexplained);
    }
    // The project's directory of the name of a library is no reason to look for the library's headers there.
    let is_explained = has(&[Evidence::TargetKnown, Evidence::HistoryHad, Evidence::SlipOne, Evidence::SlipTwo]);
    if form.is_angle_include() && !is_explained && !has(&[Evidence::BeforeFound]) {
        return Some(Evidence::Unexplained);
    }
    let is_built = has(&[Evidence::Relative, Evidence::Named, Evidence::Mock]);
    // History would say whether the code was ever built with such a file; without it, all that tells is the name.
    let is_typo = has(&[Evidence::TargetKnown, Evidence::HistoryHad, Evidence::SlipOne]);
    if is_built && !is_typo && has(&[Evidence::HistoryCutOff]) {
        return Some(Evidence::Unexplained);
    }
    if missing.code == Code::MissingAnchor
        || has(&[Evidence::TargetKnown])
        || !has(&[Evidence::HistoryNever, Evidence::HistoryNotLately])
        || has(&[Evidence::SlipOne, Evidence::SlipTwo, Evidence::NumberSlip])
    {
        return None;
    }
    let has_namesake = has(&[Evidence::SameTail, Evidence::SameName, Evidence::SameNames]);
    let is_absent = has(&[Evidence::DirectoryMissing, Evidence::DirectoriesMissing]);
    let is_code = has(&[Evidence::Relative, Evidence::Named]);
    if is_named_by_rule() {
        return Some(Evidence::OtherNames);
    }
    // Nothing reads a page or a list of files every day, so an error in it stays: others like it show that it is no convention.
    let is_unread = has(&[Evidence::PageFile, Evidence::PageName, Evidence::NamedValue])
        || has(&[Evidence::Configuration]) && form.is_in_data();
    let is_lone_error = is_unread
        && form.role() == FileRole::Plain
        && has(&[Evidence::FormAll])
        && has(&[Evidence::FileMost, Evidence::FileAlone]);
    let is_of_program = has(&[Evidence::Attribute]) && (is_absent || form.role() == FileRole::Fixture || has(&[Evidence::AgreeMany]))
        // A configuration whose other entries lead to files from here is not read from elsewhere.
        || has(&[Evidence::Configuration]) && has_namesake && !(is_lone_error && has(&[Evidence::FileMost]))
        // A compiler reads code every day: what many files miss is there when it does.
        || is_code && has(&[Evidence::AgreeMany])
        || is_code && matches!(form.role(), FileRole::Fixture | FileRole::Test | FileRole::Example);
    let unfounded = if is_lone_error { Evidence::Mistaken } else { Evidence::Unfounded };
    Some(if is_of_program { Evidence::Unexplained } else { unfounded })
}

/// Returns whether many other files miss paths that lead to existing files by one of these rules.
fn is_named_by_rule(others: &LanguageStatistics, file: &str, mut keys: impl Iterator<Item = (u64, u32)>) -> bool {
    keys.any(|(key, least)| others.files_missing(file, key) >= least)
}

#[cfg(test)]
mod tests {
    use pathfinder_literals::{Code, Missing, Severity, Want};

    use super::super::evidence::Evidence as E;
    use super::{LiteralForm, Tally, are_parts_of_pages, doubt, own_anchor_key};

    #[test]
    fn recognises_parts_of_pages() {
        let check = |found, missing, expect| assert_eq!(are_parts_of_pages(Tally { found, missing }), expect);
        check(2, 3, true);
        check(3, 3, false);
        check(0, 2, false);
        assert_eq!(own_anchor_key("b.md#x", "docs/a.md"), None);
        assert_eq!(own_anchor_key("#x", "docs/a.md"), own_anchor_key("#y", "docs/b.md"));
    }

    #[test]
    fn doubts_what_nothing_explains() {
        let missing = Missing {
            code: Code::MissingPath,
            severity: Severity::Warning,
            reason: String::new(),
            wanted: "a/b.c".to_owned(),
            want: Want::File,
            instead: None,
        };
        let moved = Missing { instead: Some("c/b.c".to_owned()), ..missing.clone() };
        let check = |file: &str, text: &str, evidence: &[E], is_alike: bool, expect: Option<E>| {
            let form = LiteralForm::new("md.link", text, file);
            let missing = if evidence.contains(&E::TargetKnown) { &moved } else { &missing };
            assert_eq!(
                doubt(&form, missing, evidence, || is_alike, || is_alike, || false),
                expect,
                "{file} {text} {evidence:?}"
            );
        };
        let never = E::HistoryNever;
        check("a.html", "lib/x.js", &[never, E::Attribute, E::DirectoryMissing], false, Some(E::Unexplained));
        check("a.html", "x.js", &[never, E::Attribute], false, Some(E::Unfounded));
        check("a.html", "x.js", &[never, E::Attribute, E::AgreeMany], false, Some(E::Unexplained));
        check("tests/expected/a.html", "x.js", &[never, E::Attribute], false, Some(E::Unexplained));
        check("a.html", "lib/x.js", &[E::HistoryHad, E::Attribute, E::DirectoryMissing], false, None);
        check("a.html", "lib/x.js", &[never, E::SlipOne, E::Attribute, E::DirectoryMissing], false, None);
        check("Makefile", "a/x.y", &[never, E::Configuration, E::SameName], false, Some(E::Unexplained));
        check("Makefile", "a/x.y", &[never, E::Configuration], false, Some(E::Unfounded));
        check("src/a.ts", "./b", &[never, E::Relative], false, Some(E::Unfounded));
        check("src/a.ts", "./b", &[never, E::Relative, E::AgreeMany], false, Some(E::Unexplained));
        check("examples/a.ts", "./b", &[never, E::Relative], false, Some(E::Unexplained));
        check("a.yaml", "src/b.y", &[E::TargetKnown, E::Value, E::FileNone], false, Some(E::Unexplained));
        check("a.yaml", "src/b.y", &[E::TargetKnown, E::Value, E::FileMost], false, None);
        check("a.yaml", "b.y", &[E::TargetKnown, E::Value, E::FileMost], false, Some(E::Unexplained));
        check("a.yaml", "src/b.y", &[never, E::SlipOne, E::Value, E::FileNone], false, None);
        check("a.yml", "b.json", &[E::HistoryHad, E::Configuration], true, Some(E::OtherNames));
        check("a.md", "/b/c", &[E::TargetKnown, E::PageName, E::BeforeLost], false, Some(E::Unexplained));
        check("a.md", "/b/c", &[E::TargetKnown, E::PageName], false, None);
        check("a.md", "/b/c.md", &[E::TargetKnown, E::PageName, E::BeforeLost], false, None);
        check("tests/a.ts", "./b2", &[never, E::NumberSlip, E::Relative], false, None);
        check("tests/a.ts", "./b2", &[never, E::NumberFamily, E::Relative], false, Some(E::Unexplained));
        check("examples/a.html", "/x.svg", &[never, E::Attribute], false, Some(E::Unfounded));
        check("docs/a.md", "b.md", &[never, E::PageFile, E::SameName], true, Some(E::OtherNames));
        // A file that a commit of the last month moved is no record of the past.
        let value = LiteralForm::new("yaml.value", "src/b.y", "a.yaml");
        assert_eq!(doubt(&value, &moved, &[E::TargetKnown, E::Value, E::FileNone], || false, || false, || true), None);
        let angle = |evidence: &[E]| {
            doubt(
                &LiteralForm::new("c.include_angle", "fmt/a.h", "b.c"),
                &missing,
                evidence,
                || false,
                || false,
                || false,
            )
        };
        assert_eq!(angle(&[E::Named]), Some(E::Unexplained));
        assert_eq!([E::BeforeFound, E::HistoryHad, E::SlipOne].map(|why| angle(&[E::Named, why])), [None; 3]);
        let cut_off = E::HistoryCutOff;
        check("src/a.ts", "./b", &[cut_off, E::Relative, E::SameTail], false, Some(E::Unexplained));
        check("src/a.ts", "./b", &[cut_off, E::Relative, E::SlipTwo], false, Some(E::Unexplained));
        check("src/a.ts", "./b", &[cut_off, E::Relative, E::SlipOne], false, None);
        check("docs/a.md", "b.md", &[cut_off, E::PageFile], false, None);
        check("docs/a.md", "b.md", &[never, E::PageFile, E::SameName], false, Some(E::Unfounded));
        check("docs/a.md", "b.md", &[never, E::PageFile, E::FormAll, E::FileMost], false, Some(E::Mistaken));
        check("examples/a.md", "b.md", &[never, E::PageFile, E::FormAll, E::FileMost], false, Some(E::Unfounded));
        check("docs/a.md", "b.md", &[never, E::PageFile, E::FormAll, E::FileSome], false, Some(E::Unfounded));
        check("docs/a.md", "b.md", &[never, E::PageFile, E::FormMany, E::FileMost], false, Some(E::Unfounded));
        check("src/a.ts", "./b", &[never, E::Relative, E::FormAll, E::FileMost], false, Some(E::Unfounded));
        let listed = |kind: &'static str| {
            let evidence = [never, E::Configuration, E::FormAll, E::FileMost];
            doubt(&LiteralForm::new(kind, "a/b.c", "x"), &missing, &evidence, || false, || false, || false)
        };
        assert_eq!(listed("yaml.mkdocs.nav"), Some(E::Mistaken));
        assert_eq!(["cmake.source", "yaml.compose.build"].map(listed), [Some(E::Unfounded); 2]);
    }
}
