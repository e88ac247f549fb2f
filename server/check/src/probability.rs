//! Estimates the probability that a missing path is broken.
//!
//! Resolution only says that a path does not exist. Often the reason is a convention unknown to this program: a build
//! output, a label instead of a path, a fixture that never runs. [`BrokenEstimator`] weighs evidence that needs no
//! knowledge of tools. Its weights are fitted by `models/literals/findings.py`.

mod builds;
mod checkouts;
mod construct;
mod estimate;
mod evidence;
mod form;
mod left_links;
mod neighbors;
mod readers;
mod records;
mod silenced;
mod slip;
mod statistics;
mod still_named;
mod stood;
mod undecided;
mod unexplained;

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use pathfinder_languages::find_near_name;
use pathfinder_literals::typo::is_respelling;
use pathfinder_literals::{Checked, Code, Kind, Missing, Project, Severity, Source, Verdict, path};
use rustc_hash::{FxHashMap, FxHashSet};

use super::name_index::count_dots;
use super::source_tree::{HistoryVerdict, PastText, SourceTree};
use builds::{BuildFiles, is_made_beside};
use construct::construct_evidence;
pub use estimate::BrokenEstimate;
use estimate::TABLE;
use evidence::Evidence;
use form::{FileRole, LiteralForm, missing_root};
pub(super) use slip::{Slip, find_slip};
use slip::{are_two_typos, find_nearest};
use statistics::{FileStatistics, FileTally, MAX_HISTORY_PATHS, target_hash};
pub(crate) use statistics::{Statistics, sampled_files};
pub(super) use stood::is_month_old;
pub(super) use undecided::undecided_miss;

/// Estimates the missing literals of one file.
pub(super) struct BrokenEstimator<'a> {
    tree: &'a dyn SourceTree,
    project: &'a Project,
    source: &'a Source<'a>,
    shares: FileStatistics,
    builds: std::sync::Arc<BuildFiles>,
    named: FxHashSet<&'a str>,
    /// Questions to git that can search the files of a commit.
    asked: AtomicUsize,
    /// Misses for which the build files were searched.
    searched: AtomicUsize,
    /// Misses for which programs were read.
    asked_programs: AtomicUsize,
    literals: &'a [Checked],
    is_shown: OnceLock<bool>,
    is_read: OnceLock<bool>,
    is_restyled: OnceLock<bool>,
    has_old_values: OnceLock<bool>,
    /// Paths that recent commits renamed in letter case.
    renamed: OnceLock<FxHashSet<String>>,
    /// Targets of which is known whether other pages name them too.
    left_in_pages: Mutex<FxHashMap<u64, bool>>,
}

impl<'a> BrokenEstimator<'a> {
    /// Prepares the estimates for a file with these literals.
    pub(super) fn new(
        tree: &'a dyn SourceTree,
        project: &'a Project,
        statistics: &Statistics,
        source: &'a Source<'a>,
        literals: &'a [Checked],
    ) -> Self {
        let named = literals.iter().filter_map(|literal| match &literal.verdict {
            Verdict::Found(target) => Some(target.path.as_str()),
            _ => None,
        });
        Self {
            shares: FileStatistics::new(
                statistics.for_file(source.path(), tree, project),
                source.path(),
                FileTally::new(source, literals, tree, project),
            ),
            builds: statistics.builds(),
            named: named.collect(),
            asked: AtomicUsize::new(0),
            searched: AtomicUsize::new(0),
            asked_programs: AtomicUsize::new(0),
            literals,
            is_shown: OnceLock::new(),
            is_read: OnceLock::new(),
            is_restyled: OnceLock::new(),
            has_old_values: OnceLock::new(),
            renamed: OnceLock::new(),
            left_in_pages: Mutex::default(),
            tree,
            project,
            source,
        }
    }

    /// Estimates how likely a literal is broken that is missing, or undecided with this miss.
    pub(super) fn estimate(&self, literal: &Checked, missing: &Missing) -> BrokenEstimate {
        let mut evidence = Vec::new();
        let Some(text) = self.source.text_at(&literal.range) else { return BrokenEstimate::certain() };
        let form = LiteralForm::new(literal.kind.as_str(), text, self.source.path());
        let construct = match construct_evidence(literal.kind.as_str(), missing.code, &form) {
            Evidence::Value if construct::is_run(self.source, literal) => Evidence::Configuration,
            construct => construct,
        };
        evidence.push(construct);
        evidence.push(match missing.severity {
            Severity::Error => Evidence::Fails,
            Severity::Warning => Evidence::Should,
            Severity::Hint => Evidence::Optional,
        });
        if let Verdict::Unknown(reason) = &literal.verdict {
            evidence.extend(undecided::doubt_evidence(reason));
        }
        let role = form::role_of_miss(&form, missing, self.source.path());
        evidence.extend(role.evidence(|| form::is_run_test(literal, text, self.source.path())));
        if silenced::is_silenced(self.source, &literal.range) {
            evidence.push(Evidence::Silenced);
        }
        if form.role() == FileRole::Test {
            let about = (construct == Evidence::Attribute, missing.instead.is_some());
            evidence.extend(readers::input_evidence(self.tree, self.source, about));
        }
        // A test compares data with what a program makes of another tree.
        let is_record = |path| {
            form.role() == FileRole::Fixture
                || construct::is_record(path)
                || records::is_among_records(path, self.shares.language())
                || *self.has_old_values.get_or_init(|| records::has_old_values(self.tree, self.source, self.literals))
        };
        // Results of tests are data, whatever reads the strings of their format.
        let is_data = || construct == Evidence::Text && path::extension(self.source.path()).as_str() == "xml";
        if (construct == Evidence::Value || is_data()) && is_record(self.source.path()) {
            evidence.push(Evidence::Recorded);
        }
        self.add_share_evidence(&form, target_hash(missing, text), &mut evidence);
        let is_anchor = missing.code == Code::MissingAnchor;
        let renamed = || self.renamed.get_or_init(|| readers::renamed_in_case(self.tree));
        let miss_here = (self.literals, missing);
        if readers::is_case_loose(self.shares.language(), self.source.path(), miss_here, renamed) {
            evidence.push(Evidence::LooseCase);
        }
        if self.is_left_in_all_files(&form, literal, missing, text)
            || readers::is_left_in_file(self.tree, self.source, self.literals, literal, missing)
            || construct == Evidence::Attribute
                && (self.is_left_in_all_pages(literal, missing)
                    || readers::is_read_from_earlier(self.tree, self.source, self.literals, literal, missing))
        {
            evidence.push(Evidence::AllMoved);
        } else if self.is_still_named(literal, missing) {
            evidence.push(Evidence::StillNamed);
        }
        let explained = self.add_target_evidence(literal, text, missing, &mut evidence);
        construct::name_value(&mut evidence);
        if readers::is_shown_in_place(self.source.path(), &form, &evidence) {
            evidence.push(Evidence::Readme);
        }
        if !explained && !is_anchor && self.is_of_program(construct, missing) {
            evidence.push(Evidence::ScriptNames);
        }
        let by_build = self.find_build_evidence(literal, missing, explained, &evidence);
        evidence.extend(by_build);
        let file = (self.source.path(), self.shares.language());
        if !explained {
            neighbors::add_agreement(self.tree, file, text, missing, &mut evidence);
        }
        evidence.extend((is_anchor && self.is_of_joined_page(text)).then_some(Evidence::PartOfPage));
        evidence.extend(self.find_doubt(&form, text, missing, construct, &evidence));
        let miss = (self.source, literal, missing);
        evidence.extend(stood::age_evidence(construct, self.tree, self.shares.language(), miss));
        // Code that has stood so long reads the other files, whatever git's history had.
        let is_open = missing.instead.is_none() && !evidence.contains(&Evidence::OtherNames);
        let is_shifted = || unexplained::are_shifted(self.project, self.literals, &missing.wanted);
        if is_open
            && evidence.contains(&Evidence::Stood)
            && (self.is_named_by_rule(text, missing, construct) || is_shifted())
        {
            // The rule is why there is a namesake.
            evidence.retain(|one| !matches!(one, Evidence::SameTail | Evidence::SameName));
            evidence.push(Evidence::OtherNames);
        }
        stood::drop_refuted(literal.kind.as_str(), &mut evidence);
        let weights = evidence.iter().map(|evidence| (evidence.name(), TABLE.weights[*evidence as usize]));
        let weights: Vec<(&str, f32)> = weights.collect();
        let logit = TABLE.bias + weights.iter().map(|(_, weight)| weight).sum::<f32>();
        BrokenEstimate { probability: 1.0 / (1.0 + (-logit).exp()), evidence: weights }
    }

    /// Returns whether the page of a link whose heading is missing is joined with others to one.
    fn is_of_joined_page(&self, text: &str) -> bool {
        let file = self.source.path();
        unexplained::own_anchor_key(text, file)
            .is_some_and(|key| unexplained::are_parts_of_pages(self.shares.tally_elsewhere(key)))
            || text.starts_with('#')
                && (unexplained::names_sibling(self.project, text, file)
                    || *self.is_shown.get_or_init(|| readers::is_part_of_page(self.tree, self.source, self.literals)))
    }

    /// Returns what the build files and scripts say of a missing path.
    fn find_build_evidence(
        &self,
        literal: &Checked,
        missing: &Missing,
        explained: bool,
        evidence: &[Evidence],
    ) -> Option<Evidence> {
        let is_bounded = missing.code != Code::MissingAnchor
            && self.searched.fetch_add(1, Ordering::Relaxed) < MAX_SEARCHES_OF_BUILDS;
        let file = Some(self.source.path()).filter(|_| is_bounded)?;
        if is_made_beside(self.tree, literal.kind, self.literals, &missing.wanted) {
            return Some(Evidence::BuildMakes);
        }
        let is_requested = matches!(literal.kind.language(), "css" | "html");
        let wanted = (missing.wanted.as_str(), evidence.contains(&Evidence::HistoryNever));
        if self.builds.checks_out(self.tree, &missing.wanted)
            || is_requested && self.builds.gathers(self.tree, self.project, file, wanted)
            || literal.kind.language() == "html" && self.builds.serves(self.tree, &missing.wanted)
        {
            return Some(Evidence::BuildMakes);
        }
        if let Some(from) = missing.instead.as_ref().filter(|_| !readers::is_stray(self.tree, missing)) {
            let is_made = self.builds.make_from(self.tree, literal.kind, from, (file, &missing.wanted));
            return is_made.then_some(Evidence::BuildMakes);
        }
        let (had, is_free) = (evidence.contains(&Evidence::HistoryHad), missing.instead.is_none());
        let file = (file, explained && !had && is_free);
        let named = self.builds.find_naming(self.tree, self.project, file, &missing.wanted)?;
        let is_made = had || !is_free && named == Evidence::ScriptNames;
        if is_made { Some(Evidence::BuildMakes) } else { is_free.then_some(named) }
    }

    /// Adds how often literals like this one resolve, in other files and in this one.
    fn add_share_evidence(&self, form: &LiteralForm<'_>, target: u64, evidence: &mut Vec<Evidence>) {
        /// Weight of the wider form relative to the narrower one, in literals: three say little.
        const SMOOTHING_WEIGHT: f32 = 3.0;
        /// Prior share of a kind that was never seen: most literals of most kinds resolve.
        const PRIOR: f32 = 0.9;
        /// Standard deviations from the mean of a share to its upper bound, in 19 of 20 cases.
        const CONFIDENCE_Z: f32 = 1.64;
        /// Lower bound of a share that resolves, of a form that is no convention of a site: some twenty resolve, and none is missing.
        const MIN_PROVEN_SHARE: f32 = 0.98;
        let keys = form.keys();
        let tallies = keys.map(|key| self.shares.tally(key, target));
        let [.., place, before] = tallies;
        // Counts the wider form without the narrower one, so that no literal counts twice.
        let rest = (0..4).map(|at| if at < 3 { tallies[at].without(tallies[at + 1]) } else { tallies[at] });
        let (share, known) = rest.fold((PRIOR, 0.0), |(prior, _), tally| {
            (tally.share(prior, SMOOTHING_WEIGHT), tally.count() as f32 + SMOOTHING_WEIGHT)
        });
        let spread = CONFIDENCE_Z * (share * (1.0 - share) / (known + 1.0)).sqrt();
        let most = share + spread;
        evidence.push(match (place.count(), most) {
            (0, _) => Evidence::FormNew,
            (_, ..0.3) => Evidence::FormNone,
            (_, ..0.7) => Evidence::FormSome,
            (_, ..0.9) => Evidence::FormMany,
            (_, ..0.98) => Evidence::FormMost,
            _ => Evidence::FormAll,
        });
        if before.found > before.missing {
            evidence.push(Evidence::BeforeFound);
        } else if before.missing > 2 {
            evidence.push(Evidence::BeforeLost);
        }
        let inside = self.shares.tally_inside(keys[0], target);
        evidence.push(match (inside.count(), inside.found as f32 / inside.count().max(1) as f32) {
            (0, _) => Evidence::FileAlone,
            (_, 0.9..) => Evidence::FileMost,
            (_, share) if share > 0.0 => Evidence::FileSome,
            (1 | 2, _) => Evidence::FileFew,
            _ => Evidence::FileNone,
        });
        let is_page = evidence.iter().any(|one| matches!(one, Evidence::PageFile | Evidence::PageName));
        if is_page && share - spread >= MIN_PROVEN_SHARE && evidence.contains(&Evidence::FileMost) {
            evidence.push(Evidence::PagesResolve);
        }
    }

    /// Returns whether a program around the page explains the miss.
    fn is_of_program(&self, construct: Evidence, missing: &Missing) -> bool {
        let is_read = || *self.is_read.get_or_init(|| readers::is_shown_by_program(self.tree, self.source.path()));
        let may_ask = || self.asked_programs.fetch_add(1, Ordering::Relaxed) < MAX_QUESTIONS_OF_PROGRAMS;
        readers::is_of_program(self.tree, self.source, construct, missing, is_read, may_ask)
    }

    /// Adds evidence about the target: its history, and similar paths that exist. Returns whether that explains the
    /// miss.
    fn add_target_evidence(
        &self,
        literal: &Checked,
        text: &str,
        missing: &Missing,
        evidence: &mut Vec<Evidence>,
    ) -> bool {
        if missing.code == Code::MissingAnchor {
            return false;
        }
        let wanted = missing.wanted.as_str();
        let tried =
            || std::iter::once(wanted).chain(literal.tried.iter().map(String::as_str).filter(|it| *it != wanted));
        // A path that was gone before the literal was written is no target of it.
        let file = self.source.path();
        let own = text.split(['#', '?']).next().unwrap_or(text);
        let is_built = stood::is_compiled(literal);
        let is_taken_over = Cell::new(false);
        let is_as_old = |path: &str| {
            let may_ask = self.asked.fetch_add(1, Ordering::Relaxed) < MAX_AGE_QUESTIONS;
            let place = may_ask.then(|| self.tree.text_when_removed(file, own, path, is_built)).flatten();
            is_taken_over.set(is_taken_over.get() || place == Some(PastText::InOther));
            place != Some(PastText::Nowhere)
        };
        let was_moved = || self.tree.moved(wanted).is_some_and(|moved| missing.instead.as_ref() == Some(&moved.to));
        if missing.instead.is_some() && (is_as_old(wanted) || !was_moved()) {
            // The author of a comment on the missing path knows of it.
            if !evidence.contains(&Evidence::Silenced) {
                evidence.push(Evidence::TargetKnown);
            }
            // Pages are split and converted; a script that was written later means another file of the name.
            let is_page = [Evidence::PageFile, Evidence::PageName, Evidence::Attribute];
            if is_taken_over.get() && !evidence.iter().any(|one| is_page.contains(one)) {
                evidence.push(Evidence::TakenOver);
            }
            return true;
        }
        let asked = tried().take(MAX_HISTORY_PATHS).map(|path| match self.tree.history(path) {
            HistoryVerdict::Had | HistoryVerdict::HadDirectory if !is_as_old(path) => HistoryVerdict::Never,
            verdict => verdict,
        });
        let history = neighbors::with_lost_package(self.tree, missing, evidence, asked.max());
        evidence.extend(match history {
            Some(HistoryVerdict::Had) => Some(Evidence::HistoryHad),
            Some(HistoryVerdict::HadDirectory) => Some(Evidence::HistoryDirectory),
            // Pages are not built: what is missing from them mostly is, whatever its history.
            Some(HistoryVerdict::CutOff) => {
                let is_page = evidence.iter().any(|one| matches!(one, Evidence::PageFile | Evidence::PageName));
                (!is_page).then_some(Evidence::HistoryCutOff)
            }
            Some(HistoryVerdict::Never) => Some(Evidence::HistoryNever),
            Some(HistoryVerdict::NotLately) => Some(Evidence::HistoryNotLately),
            _ => None,
        });
        // A slip is made once: what several files import by one name is made by their build, or was removed.
        let others = self.shares.language();
        let is_repeated = neighbors::has_no_typo(self.project, others, self.source.path(), text, evidence);
        let nearest = if is_repeated { Vec::new() } else { find_nearest(self.tree, tried()) };
        let slip = if let [slip] = nearest.as_slice() { Some(slip) } else { None };
        // Several names in another style than the disk's are no typos.
        let is_new =
            matches!(history, Some(HistoryVerdict::Never | HistoryVerdict::NotLately | HistoryVerdict::CutOff));
        // The segment that is missing counts: `OneFile/pom.xml` for `one-file/pom.xml`.
        let first = missing_root(self.tree, wanted);
        let there = |slip: &Slip| slip.path.split('/').nth(first.matches('/').count()).map(str::to_owned);
        let is_style =
            |slip: &Slip| is_new && there(slip).is_some_and(|there| is_respelling(path::name(first), &there));
        let is_restyled = || *self.is_restyled.get_or_init(|| neighbors::are_restyled(self.tree, self.literals));
        let is_other = slip.is_some_and(is_style) && is_restyled();
        evidence.extend(is_other.then_some(Evidence::OtherNames));
        let is_made = |slip: &Slip| {
            is_new
                && path::parent(&slip.path) != path::parent(wanted)
                && neighbors::is_of_other_tree(self.literals, missing)
        };
        let slip = slip.filter(|slip| !is_other && !is_made(slip));
        if let Some(slip) = slip {
            slip::add_evidence(self.project, slip, path::name(first), evidence);
        } else if are_two_typos(&nearest) {
            evidence.push(Evidence::SlipTwo);
        }
        let is_declared = nearest.is_empty() && !is_repeated && is_new && self.is_near_declared(literal, missing);
        evidence.extend(is_declared.then_some([Evidence::SlipOne, Evidence::Misspelt]).into_iter().flatten());
        let may_repeat = evidence.contains(&Evidence::Misspelt) && slip::may_repeat(literal.kind);
        if !may_repeat && nearest.iter().any(|slip| self.named.contains(slip.path.as_str())) {
            evidence.push(Evidence::SlipNamed);
        }
        if slip.is_none() {
            evidence.extend(neighbors::number_evidence(self.tree, wanted));
            let is_step = !is_new && self.is_step_slip(text, tried(), evidence);
            evidence.extend(is_step.then_some(Evidence::StepSlip));
        }
        if neighbors::is_moved_together(self.project, self.literals, missing) {
            evidence.push(Evidence::MovedTogether);
        }
        if self.has_in_twin(wanted) {
            evidence.push(Evidence::TwinHas);
        }
        // Each fixture is a tree of its own: a file of the name in another one is no evidence.
        if !matches!(FileRole::from_path(self.source.path()), FileRole::Fixture) {
            evidence.extend(self.same_name(tried()));
        }
        let stem = wanted.rsplit_once('.').filter(|(_, extension)| !extension.contains('/')).map(|(stem, _)| stem);
        if stem.is_some_and(|stem| self.has_other_extension(stem)) {
            evidence.push(Evidence::OtherExtension);
        }
        let parent = path::parent(wanted);
        let above = path::parent(parent);
        let is_there = |directory: &str| self.tree.kind(directory) == Some(Kind::Directory);
        if parent == self.source.directory() {
            evidence.push(Evidence::OwnDirectory);
        } else if !is_there(parent) {
            evidence.push(if is_there(above) { Evidence::DirectoryMissing } else { Evidence::DirectoriesMissing });
        }
        (slip.is_some() || is_declared || history == Some(HistoryVerdict::Had)) && !is_repeated
    }

    /// Returns whether a literal has a declared name with a typo.
    fn is_near_declared(&self, literal: &Checked, missing: &Missing) -> bool {
        find_near_name(self.project, self.source.text(), literal, missing).is_some()
    }

    /// Returns whether the steps of a relative literal were counted wrong. History knows where the literal worked before its file moved, and
    /// what never worked is put together elsewhere.
    fn is_step_slip<'p>(&self, text: &str, tried: impl Iterator<Item = &'p str>, evidence: &[Evidence]) -> bool {
        evidence.contains(&Evidence::Relative)
            && text.starts_with('.')
            && slip::is_step_slip(self.tree, self.source.directory(), tried)
    }

    /// Returns whether another file of this name has the path from where it lies, and this text: a page can be put together from several.
    fn has_in_twin(&self, wanted: &str) -> bool {
        /// Most files of one name that are compared: more common names stand for their directories.
        const MAX_TWINS: usize = 8;
        let (file, directory) = (self.source.path(), self.source.directory());
        let common = path::ancestors(directory).find(|above| path::is_within(wanted, above)).unwrap_or_default();
        let steps = directory[common.len()..].split('/').filter(|name| !name.is_empty()).count();
        let from_directory = "../".repeat(steps) + wanted[common.len()..].trim_start_matches('/');
        let has = |other: &str| {
            path::join(path::parent(other), &from_directory).is_some_and(|there| self.tree.kind(&there).is_some())
        };
        let has_text = |other: String| other.contains(self.source.text().trim());
        self.project
            .find_all_by_suffix(path::name(file), MAX_TWINS)
            .into_iter()
            .any(|other| other != file && has(other) && self.tree.read(other).is_some_and(has_text))
    }

    /// Looks for files elsewhere with the name of one of these paths.
    fn same_name<'p>(&self, tried: impl Iterator<Item = &'p str>) -> Option<Evidence> {
        /// More than this many files count as several.
        const MAX_SAME_NAMES: usize = 4;
        /// Names that stand for their directory are too common.
        const INDEXES: [&str; 8] = ["index", "__init__", "mod", "readme", "_index", "main", "init", "lib"];
        /// A name of more words is one of its own: `lib.deno.ns.d.ts`, where `index.d.ts` and `index.test.tsx` stand for a directory.
        const MAX_INDEX_DOTS: usize = 2;
        let (mut names, mut tails): (FxHashSet<&str>, FxHashSet<&str>) = (FxHashSet::default(), FxHashSet::default());
        let is_for_tests = |path: &str| matches!(FileRole::from_path(path), FileRole::Fixture | FileRole::Test);
        for path in tried.take(MAX_TRIED_PATHS) {
            // A test file is no new location for other files: it is a double, or merged in at run time.
            let can_replace = |other: &&str| *other != path && (is_for_tests(path) || !is_for_tests(other));
            let name = path::name(path);
            let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
            let is_index = INDEXES.contains(&stem.as_str()) && count_dots(name) <= MAX_INDEX_DOTS;
            let from = path.rmatch_indices('/').nth(1).map_or(0, |(at, _)| at + 1);
            let tail = &path[from..];
            if tail.contains('/') {
                tails.extend(self.project.find_all_by_suffix(tail, MAX_SAME_NAMES).into_iter().filter(can_replace));
            }
            if !is_index {
                names.extend(self.project.find_all_by_suffix(name, MAX_SAME_NAMES).into_iter().filter(can_replace));
            }
        }
        match (tails.len(), names.len()) {
            (1, _) => Some(Evidence::SameTail),
            (_, 0) => None,
            (_, 1) => Some(Evidence::SameName),
            _ => Some(Evidence::SameNames),
        }
    }

    fn has_other_extension(&self, stem: &str) -> bool {
        let (directory, name) = stem.rsplit_once('/').unwrap_or(("", stem));
        let is_other = |other: &String| other.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        !name.is_empty() && self.tree.names(directory).iter().any(is_other)
    }
}

/// Paths of one file that are compared with the age of their targets: each may take some milliseconds.
const MAX_AGE_QUESTIONS: usize = 256;
/// Misses of one file for which all build files are searched: each search takes up to some milliseconds.
const MAX_SEARCHES_OF_BUILDS: usize = 1_000;
/// Pages that a page misses for which the programs around it are read: up to 8 MB each. A program answers for few.
const MAX_QUESTIONS_OF_PROGRAMS: usize = 16;
/// Tried paths of one literal whose names are looked for elsewhere.
const MAX_TRIED_PATHS: usize = 12;
