//! Where a text starts: at a root, in the current directory, beside a file, on another machine.

use super::alias::{self, Start};
use super::collect::Collector;
use super::draft::Draft;
use super::note::Note;
use super::reading::{ForeignPrefix, Reading};
use super::scene::{Base, Scene};
use super::segments::{Split, split};
use super::{cost, escape, glob, machine, module, prefix, repeat, uri};
use prefix::{RootForm, Volume};

/// Turns texts into readings.
#[derive(Debug)]
pub(super) struct Stand<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) out: Collector,
}

impl Stand<'_> {
    /// The text as it was sent: only what it says literally. `doubtful`: it carries marks that names do not have.
    pub(super) fn as_sent(&mut self, raw: &str, doubtful: bool, backslashed: bool) {
        let mut draft = Draft::new(raw);
        draft.cost = if doubtful { cost::DOUBTFUL } else { 0.0 };
        // With a drive or share in front, backslashes are how it is written.
        let slashed = if backslashed { escape::slashed(raw) } else { None };
        if let Some((volume, rest)) = prefix::volume(slashed.as_deref().unwrap_or(raw)) {
            let parts = split(rest);
            self.under_root(&draft, volume, &parts);
        } else if uri::read(raw).is_none() {
            let parts = split(raw);
            if backslashed {
                draft.cost = cost::DOUBTFUL;
            }
            if parts.climbs == 0 {
                self.take(draft.reading(&parts.segments), &parts);
            }
        }
    }

    /// Every reading of one text. `doubtful`: as it stands it is hardly a path.
    pub(super) fn read(&mut self, draft: &Draft, doubtful: bool) {
        let text = draft.text.as_str();
        if let Some(prefix) = draft.address {
            self.address(draft, prefix);
            return;
        }
        if let Some((volume, rest)) = prefix::volume(text) {
            let parts = split(rest);
            if !self.under_root(draft, volume, &parts) {
                self.elsewhere(draft, volume, &parts.segments, parts.directory);
            }
            return;
        }
        if let Some(rest) = eaten_drive(text) {
            let parts = split(rest);
            let reading = Reading { foreign: true, ..draft.reading(&parts.segments) };
            self.take(reading.noted(Note::Drive, cost::DRIVE), &parts);
            return;
        }
        let mut doubtful = doubtful || glob::is_surely(text) || alias::is_marked(text);
        match alias::start(text) {
            Some(Start::Home(rest)) => {
                doubtful = true;
                self.home(draft, rest);
            }
            Some(Start::Variable { rest, cost, surely }) => {
                doubtful |= surely;
                let parts = split(rest);
                let reading = Reading { foreign: true, ..draft.reading(&parts.segments) };
                self.take(reading.noted(Note::Variable, cost), &parts);
            }
            None => {}
        }
        self.relative(draft, if doubtful { cost::DOUBTFUL } else { 0.0 });
    }

    /// The path part of a URL: what follows repository and revision, if these are known, else all of it.
    fn address(&mut self, draft: &Draft, prefix: ForeignPrefix) {
        let parts = split(&draft.text);
        let below = parts.segments.get(prefix.project..).filter(|below| !below.is_empty());
        let mut file = Draft { text: below.unwrap_or(&parts.segments).join("/"), address: None, ..draft.clone() };
        if parts.directory {
            file.text.push('/');
        }
        self.relative(&file, 0.0);
        let whole = Reading { foreign: true, outside: true, ..draft.reading(&parts.segments) };
        let whole = Reading { foreign_prefix: Some(prefix), directory: parts.directory, ..whole };
        self.out.take(whole.noted(Note::OtherMachine, cost::OTHER_MACHINE));
    }

    /// Absolute: under a root, if it is.
    fn under_root(&mut self, draft: &Draft, volume: Volume, parts: &Split<'_>) -> bool {
        let Some((root, length, own)) = prefix::root_of(&self.scene.forms, volume, &parts.segments) else {
            return false;
        };
        let segments = &parts.segments[length..];
        let mut reading = Reading { root: Some(root), ..draft.reading(segments) };
        if !own {
            reading = reading.noted(Note::OtherNotation, cost::OTHER_NOTATION);
        }
        self.take(reading.clone(), parts);
        self.repair(&reading, segments, parts.directory);
        self.root_inside(&reading, segments, parts.directory);
        true
    }

    /// Absolute: not under any root.
    fn elsewhere(&mut self, draft: &Draft, volume: Volume, segments: &[&str], directory: bool) {
        let whole = Reading { foreign: true, directory, ..draft.reading(segments) };
        self.root_inside(&whole, segments, directory);
        self.root_name(&whole, segments, volume);
        let (form, below) = match volume {
            // Server and share.
            Volume::Share => (volume, segments.len().min(2)),
            _ => prefix::windows_form(volume, segments),
        };
        let below_volume = &segments[below..];
        let (note, cost) = match form {
            Volume::Posix => (Note::LeadingSlash, cost::LEADING_SLASH),
            Volume::Drive(_) => (Note::Drive, cost::DRIVE),
            Volume::Share => (Note::NetworkShare, cost::SHARE),
        };
        if !machine::is_system(below_volume) {
            let kept = if machine::holds_projects(below_volume) { cost::KNOWN_PREFIX_KEPT } else { cost };
            self.out.take(whole.with(below_volume).noted(note, kept));
        }
        for (cut, cost) in machine::cuts(below_volume) {
            self.out.take(whole.with(&below_volume[cut..]).noted(Note::MachinePrefix, cost));
        }
        let named = self.scene.forms.iter().filter_map(RootForm::name);
        let named = named.filter_map(|name| segments.iter().position(|segment| *segment == name)).min();
        let cuts = machine::cuts(below_volume);
        let cut = |cut: Option<&(usize, f32)>| below + cut.map_or(0, |(at, _)| *at);
        // Behind the root's own name everything is the project's.
        let foreign_prefix = match named {
            Some(at) if at >= cut(cuts.first()) => ForeignPrefix { machine: at + 1, project: at + 1 },
            _ => ForeignPrefix { machine: cut(cuts.first()), project: cut(cuts.last()) },
        };
        let literal = Reading { outside: true, foreign_prefix: Some(foreign_prefix), ..whole };
        self.out.take(literal.noted(Note::OtherMachine, cost::OTHER_MACHINE));
    }

    /// `~/…`.
    fn home(&mut self, draft: &Draft, rest: &str) {
        if let Some(home) = self.scene.home {
            let mut expanded = draft.clone();
            expanded.text = format!("{}{rest}", home.replace('\\', "/"));
            expanded.notes.push(Note::Home);
            expanded.cost += cost::HOME;
            if let Some((volume, below)) = prefix::volume(&expanded.text) {
                let parts = split(below);
                if !self.under_root(&expanded, volume, &parts) {
                    self.elsewhere(&expanded, volume, &parts.segments, parts.directory);
                }
                return;
            }
        }
        let parts = split(rest);
        let whole = Reading { foreign: true, ..draft.reading(&parts.segments) }.noted(Note::Home, cost::VARIABLE);
        // As if under some home: what lies below the directories of projects there.
        let somewhere = [&["home", "~"], parts.segments.as_slice()].concat();
        for (cut, cost) in machine::cuts(&somewhere).into_iter().filter(|&(cut, _)| cut > 2) {
            self.take(whole.with(&somewhere[cut..]).noted(Note::MachinePrefix, cost), &parts);
        }
        self.take(whole, &parts);
    }

    /// Relative to something.
    fn relative(&mut self, draft: &Draft, doubt: f32) {
        let text = draft.text.as_str();
        let parts = split(text);
        let mut whole = draft.reading(&parts.segments);
        whole.cost += doubt;
        if parts.climbs == 0 {
            self.take(whole.clone(), &parts);
        } else {
            let out = Reading { outside: true, foreign: true, ..whole.clone() };
            self.take(out.noted(Note::LeavesRoot, cost::LEAVES_ROOT), &parts);
        }
        let dotted = text.starts_with("./") || text.starts_with("../") || parts.climbs > 0;
        let scene = self.scene;
        if let Some(base) = &scene.cwd {
            let cost = if dotted { cost::FROM_CWD_DOTTED } else { cost::FROM_CWD };
            self.join(&whole, &parts, base, Note::FromCwd, cost);
        }
        if let Some(base) = scene.file_directory() {
            let cost = if dotted { cost::FROM_FILE_DOTTED } else { cost::FROM_FILE };
            self.join(&whole, &parts, &base, Note::FromFile, cost);
        }
        if parts.climbs > 0 {
            return;
        }
        if let Some(base) = &scene.hint {
            self.under_hint(&whole, &parts, base);
        }
        let plain = draft.reading(&parts.segments);
        for (target, rest) in alias::targets(text) {
            let below = split(rest);
            if let Some(segments) = below.under(target.segments) {
                self.take(plain.with(&segments).noted(target.note, target.cost), &below);
            }
        }
        let segments = &parts.segments;
        for form in &scene.forms {
            if segments.len() > 1 && form.name() == segments.first().copied() {
                let reading = Reading { root: Some(form.root), ..plain.with(&segments[1..]) };
                self.take(reading.noted(Note::RootName, cost::ROOT_NAME_RELATIVE), &parts);
            }
        }
        if machine::looks_absolute(segments) {
            for (cut, cost) in machine::cuts(segments) {
                let reading = Reading { foreign: true, ..plain.with(&segments[cut..]) };
                self.take(reading.noted(Note::MachinePrefix, cost + cost::MACHINE_SLASHLESS), &parts);
            }
        }
        self.root_inside(&plain, segments, parts.directory);
        self.repair(&whole, segments, parts.directory);
        self.modules(draft);
    }

    /// Joined to a directory.
    fn join(&mut self, whole: &Reading, parts: &Split<'_>, base: &Base, note: Note, cost: f32) {
        if let Some(segments) = parts.under(&base.parts()) {
            let reading = Reading { root: base.root, ..whole.with(&segments) };
            self.take(reading.noted(note, cost), parts);
        }
    }

    /// Joined to the hint; what the end of the hint and the start of the path have in common stands once.
    fn under_hint(&mut self, whole: &Reading, parts: &Split<'_>, hint: &Base) {
        let base = hint.parts();
        if parts.segments.starts_with(&base) {
            return;
        }
        let most = base.len().min(parts.segments.len().saturating_sub(1));
        let common = (1..=most).rev().find(|&length| base[base.len() - length..] == parts.segments[..length]);
        let segments = [&base[..], &parts.segments[common.unwrap_or(0)..]].concat();
        let reading = Reading { root: hint.root, ..whole.with(&segments) };
        self.take(reading.noted(Note::UnderHint, cost::UNDER_HINT), parts);
    }

    /// The root's absolute path further on among the segments, or at the start without its `/`.
    fn root_inside(&mut self, whole: &Reading, segments: &[&str], directory: bool) {
        for form in &self.scene.forms {
            if let Some((at, behind)) = form.stands_in(segments) {
                let note = if at == 0 { Note::SlashRestored } else { Note::Restarted };
                let base = whole.with(&segments[behind..]);
                let reading = Reading { root: Some(form.root), foreign: false, directory, ..base };
                self.out.take(reading.noted(note, cost::SLASH_RESTORED));
            }
        }
    }

    /// What follows a segment that is called like a root's directory.
    fn root_name(&mut self, whole: &Reading, segments: &[&str], volume: Volume) {
        for form in &self.scene.forms {
            let Some(name) = form.name() else { continue };
            let named = |segment: &&str| match volume {
                Volume::Posix => *segment == name,
                Volume::Drive(_) | Volume::Share => segment.eq_ignore_ascii_case(name),
            };
            let first = segments.iter().position(named);
            let last = segments.iter().rposition(named);
            for (at, cost) in [(first, cost::ROOT_NAME), (last, cost::ROOT_NAME_AGAIN)] {
                if let Some(at) = at {
                    let reading = Reading { root: Some(form.root), foreign: false, ..whole.with(&segments[at + 1..]) };
                    self.out.take(reading.noted(Note::RootName, cost));
                }
            }
        }
    }

    fn repair(&mut self, whole: &Reading, segments: &[&str], directory: bool) {
        for (segments, note, cost) in repeat::repairs(segments) {
            self.out.take(Reading { directory, ..whole.with(&segments) }.noted(note, cost));
        }
    }

    fn modules(&mut self, draft: &Draft) {
        for form in module::forms(&draft.text, draft.notes.contains(&Note::Backslashes), self.scene) {
            let reading = draft.reading(&form.segments);
            let reading = Reading { root: form.root, module: true, foreign: !form.anchored, ..reading };
            self.out.take(reading.noted(Note::Module, form.cost));
        }
    }

    /// Takes a reading with what splitting said of it.
    fn take(&mut self, mut reading: Reading, parts: &Split<'_>) {
        reading.directory = parts.directory;
        if parts.parents && parts.climbs == 0 {
            reading = reading.noted(Note::ParentResolved, cost::PARENT);
        }
        self.out.take(reading);
    }
}

/// `D:name`: what follows a drive whose separator is gone.
fn eaten_drive(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let drive = bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && bytes[2].is_ascii_alphabetic();
    drive.then(|| &text[2..])
}
