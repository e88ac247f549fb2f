//! Property tests on random histories: a model replays them forwards on files that keep their identity.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::super::{CommitChanges, CommitMoves, Renames};
use super::text::{answer, stayed};

/// Few directories and names, so that they collide.
const DIRECTORIES: [&str; 7] = ["", "a/", "b/", "a/c/", "b/c/", "d/", "d/e/f/"];
const NAMES: [&str; 4] = ["x", "y", "z", "c"];

#[derive(Clone, Debug)]
enum ModelEvent {
    Add(usize),
    Delete(usize),
    Move(usize, usize),
    MoveDirectory(usize, usize),
}

fn event() -> impl Strategy<Value = ModelEvent> {
    let path = 0..DIRECTORIES.len() * NAMES.len();
    let directory = 0..DIRECTORIES.len();
    prop_oneof![
        3 => path.clone().prop_map(ModelEvent::Add),
        1 => path.clone().prop_map(ModelEvent::Delete),
        2 => (path.clone(), path).prop_map(|(from, to)| ModelEvent::Move(from, to)),
        1 => (directory.clone(), directory).prop_map(|(from, to)| ModelEvent::MoveDirectory(from, to)),
    ]
}

fn path(number: usize) -> String {
    format!("{}{}", DIRECTORIES[number / NAMES.len()], NAMES[number % NAMES.len()])
}

/// Files by identity, each with its path while it exists, and the commit that last moved or deleted it.
#[derive(Default)]
struct Model {
    files: Vec<(Option<String>, String)>,
    /// The file that had each path last.
    last: BTreeMap<String, usize>,
}

impl Model {
    fn living(&self) -> BTreeMap<String, usize> {
        (0..).zip(&self.files).filter_map(|(file, (path, _))| Some((path.clone()?, file))).collect()
    }

    fn is_free(&self, path: &str, before: &BTreeMap<String, usize>) -> bool {
        let inside = |other: &str, outer: &str| other.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'));
        let living = self.living();
        let clash = |other: &String| other == path || inside(other, path) || inside(path, other);
        // A path taken over within one commit is a change of content to git, not a move.
        !living.keys().any(clash) && !before.contains_key(path)
    }

    fn apply(&mut self, commit: &str, event: &ModelEvent, before: &BTreeMap<String, usize>) {
        match event {
            ModelEvent::Add(at) => {
                if self.is_free(&path(*at), before) {
                    self.last.insert(path(*at), self.files.len());
                    self.files.push((Some(path(*at)), commit.to_owned()));
                }
            }
            ModelEvent::Delete(at) => self.take(commit, &path(*at), None, before),
            ModelEvent::Move(from, to) => self.take(commit, &path(*from), Some(path(*to)), before),
            ModelEvent::MoveDirectory(from, to) => {
                let (from, to) = (DIRECTORIES[*from], DIRECTORIES[*to]);
                for (path, _) in before.range(from.to_owned()..).take_while(|(path, _)| path.starts_with(from)) {
                    let target = format!("{to}{}", &path[from.len()..]);
                    self.take(commit, path, Some(target), before);
                }
            }
        }
    }

    /// Moves or deletes a file that was there before the commit, once per commit.
    fn take(&mut self, commit: &str, from: &str, to: Option<String>, before: &BTreeMap<String, usize>) {
        let Some(&file) = before.get(from) else { return };
        if self.files[file].0.as_deref() != Some(from) || to.as_ref().is_some_and(|to| !self.is_free(to, before)) {
            return;
        }
        if let Some(to) = &to {
            self.last.insert(to.clone(), file);
        }
        self.files[file] = (to, commit.to_owned());
    }
}

/// The changes that a diff reports between two states.
fn diff(commit: &str, before: &BTreeMap<String, usize>, after: &BTreeMap<String, usize>) -> CommitMoves {
    let mut changes = CommitChanges { id: commit.to_owned(), ..CommitChanges::default() };
    let place: BTreeMap<usize, &String> = after.iter().map(|(path, file)| (*file, path)).collect();
    for (path, file) in before {
        match place.get(file) {
            Some(to) if *to == path => {}
            Some(to) => changes.renames.push((path.as_str().into(), to.as_str().into())),
            None => changes.deletions.push(path.as_str().into()),
        }
    }
    // No additions: with them, a file deleted beside others that move is taken for one of these if something
    // new has its name there. The tests in `lookups` cover that guess.
    let paths = |files: &BTreeMap<String, usize>| files.keys().cloned().collect::<BTreeSet<_>>();
    CommitMoves::new(changes, |directory| stayed(&paths(before), &paths(after), directory))
}

/// Replays commits; returns their moves, newest first, and the model at the end.
fn play(history: &[Vec<ModelEvent>]) -> (Vec<CommitMoves>, Model) {
    let mut model = Model::default();
    let mut commits = Vec::new();
    for (number, events) in history.iter().enumerate() {
        let commit = format!("c{number}");
        let before = model.living();
        for event in events {
            model.apply(&commit, event, &before);
        }
        commits.push(diff(&commit, &before, &model.living()));
    }
    commits.reverse();
    (commits, model)
}

fn files_or_directories(living: &BTreeMap<String, usize>) -> BTreeSet<String> {
    let above = |path: &str| path.match_indices('/').map(|(at, _)| path[..at].to_owned()).collect::<Vec<_>>();
    living.keys().flat_map(|path| above(path).into_iter().chain([path.clone()])).collect()
}

fn histories() -> impl Strategy<Value = Vec<Vec<ModelEvent>>> {
    prop::collection::vec(prop::collection::vec(event(), 1..6), 1..14)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Every path that existed and is missing at the end leads to the path of the last file of that name.
    #[test]
    fn agrees_with_a_replay(history in histories()) {
        let (commits, model) = play(&history);
        let renames = Renames::new(&commits);
        let living = model.living();
        let files = living.keys().cloned().collect();
        let there = |path: &str| files_or_directories(&living).contains(path);
        for (path, &file) in model.last.iter().filter(|(path, _)| !there(path)) {
            let (place, commit) = &model.files[file];
            let place = place.as_deref().unwrap_or("deleted");
            prop_assert_eq!(answer(&renames, &files, path), format!("{place} ({commit})"), "{}", path);
        }
    }

    /// Commits added on both ends give the same index as all of them at once.
    #[test]
    fn adds_commits_on_both_ends(history in histories(), newer in 0..14usize, older in 0..14usize) {
        let (commits, _) = play(&history);
        let newer = newer.min(commits.len());
        let older = commits.len() - older.min(commits.len() - newer);
        let known = Renames::new(&commits[newer..older]);
        let with_commits = known.with_commits(commits[..newer].to_vec(), commits[older..].to_vec());
        let all = Renames::new(&commits);
        prop_assert_eq!(with_commits.commits(), all.commits());
        let expected: Vec<_> = commits.into_iter().filter(|commit| !commit.is_empty()).collect();
        prop_assert_eq!(all.commits(), expected);
    }
}
