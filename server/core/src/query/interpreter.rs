//! `Interpreter`: turns texts into readings by where they start: a root, the current directory, a file, another machine.

use super::alias::{self, Start};
use super::collect::Collector;
use super::context::{BasePath, QueryContext};
use super::note::Note;
use super::partial_reading::PartialReading;
use super::reading::{ForeignPrefix, Reading};
use super::split::{SplitPath, split_path};
use super::{absolute, cost, escape, glob, machine_prefix, module, repeat, uri};
use absolute::{RootForm, Volume};

/// Turns texts into readings; `interpret` drives it.
#[derive(Debug)]
pub(super) struct Interpreter<'a> {
    pub(super) context: &'a QueryContext<'a>,
    pub(super) readings: Collector,
}

impl Interpreter<'_> {
    /// Reads the text as it was sent, only literally. `is_doubtful`: it carries marks that names do not have.
    pub(super) fn read_verbatim(&mut self, raw: &str, is_doubtful: bool, has_backslashes: bool) {
        let mut partial = PartialReading::new(raw);
        partial.cost = if is_doubtful { cost::DOUBTFUL } else { 0.0 };
        // A path with a drive or share in front is written with backslashes.
        let slashed = if has_backslashes { escape::backslashes_to_slashes(raw) } else { None };
        if let Some((volume, rest)) = absolute::split_volume(slashed.as_deref().unwrap_or(raw)) {
            let parts = split_path(rest);
            self.read_under_root(&partial, volume, &parts);
        } else if uri::parse(raw).is_none() {
            let parts = split_path(raw);
            if has_backslashes {
                partial.cost = cost::DOUBTFUL;
            }
            if parts.climbs == 0 {
                self.push(partial.to_reading(&parts.segments), &parts);
            }
        }
    }

    /// Adds every reading of one text. `is_doubtful`: the text as it stands is hardly a path.
    pub(super) fn read_text(&mut self, partial: &PartialReading, is_doubtful: bool) {
        let text = partial.text.as_str();
        if let Some(prefix) = partial.url_prefix {
            self.read_url(partial, prefix);
            return;
        }
        if let Some((volume, rest)) = absolute::split_volume(text) {
            let parts = split_path(rest);
            if !self.read_under_root(partial, volume, &parts) {
                self.read_foreign(partial, volume, &parts.segments, parts.is_directory);
            }
            return;
        }
        if let Some(rest) = strip_bare_drive(text) {
            let parts = split_path(rest);
            let reading = Reading { is_foreign: true, ..partial.to_reading(&parts.segments) };
            self.push(reading.with_note(Note::Drive, cost::DRIVE), &parts);
            return;
        }
        let mut is_doubtful = is_doubtful || glob::has_star(text) || alias::has_alias_mark(text);
        match alias::parse_start(text) {
            Some(Start::Home(rest)) => {
                is_doubtful = true;
                self.read_home(partial, rest);
            }
            Some(Start::Variable { rest, cost, is_certain }) => {
                is_doubtful |= is_certain;
                let parts = split_path(rest);
                let reading = Reading { is_foreign: true, ..partial.to_reading(&parts.segments) };
                self.push(reading.with_note(Note::Variable, cost), &parts);
            }
            None => {}
        }
        self.read_relative(partial, if is_doubtful { cost::DOUBTFUL } else { 0.0 });
    }

    /// Reads the path part of a URL: the segments behind repository and revision if these are known, else all.
    fn read_url(&mut self, partial: &PartialReading, prefix: ForeignPrefix) {
        let parts = split_path(&partial.text);
        let below = parts.segments.get(prefix.project..).filter(|below| !below.is_empty());
        let mut file =
            PartialReading { text: below.unwrap_or(&parts.segments).join("/"), url_prefix: None, ..partial.clone() };
        if parts.is_directory {
            file.text.push('/');
        }
        self.read_relative(&file, 0.0);
        let whole = Reading { is_foreign: true, outside: true, ..partial.to_reading(&parts.segments) };
        let whole = Reading { foreign_prefix: Some(prefix), is_directory: parts.is_directory, ..whole };
        self.readings.push(whole.with_note(Note::OtherMachine, cost::OTHER_MACHINE));
    }

    /// Reads an absolute path under a root. Returns whether it lies under one.
    fn read_under_root(&mut self, partial: &PartialReading, volume: Volume, parts: &SplitPath<'_>) -> bool {
        let Some((root, length, own)) = absolute::find_root(&self.context.forms, volume, &parts.segments) else {
            return false;
        };
        let segments = &parts.segments[length..];
        let mut reading = Reading { root: Some(root), ..partial.to_reading(segments) };
        if !own {
            reading = reading.with_note(Note::OtherNotation, cost::OTHER_NOTATION);
        }
        self.push(reading.clone(), parts);
        self.push_repairs(&reading, segments, parts.is_directory);
        self.push_embedded_root(&reading, segments, parts.is_directory);
        true
    }

    /// Reads an absolute path that lies under no root.
    fn read_foreign(&mut self, partial: &PartialReading, volume: Volume, segments: &[&str], is_directory: bool) {
        let whole = Reading { is_foreign: true, is_directory, ..partial.to_reading(segments) };
        self.push_embedded_root(&whole, segments, is_directory);
        self.push_after_root_name(&whole, segments, volume);
        let (form, below) = match volume {
            // Server and share.
            Volume::Share => (volume, segments.len().min(2)),
            _ => absolute::to_windows_form(volume, segments),
        };
        let below_volume = &segments[below..];
        let (note, cost) = match form {
            Volume::Posix => (Note::LeadingSlash, cost::LEADING_SLASH),
            Volume::Drive(_) => (Note::Drive, cost::DRIVE),
            Volume::Share => (Note::NetworkShare, cost::SHARE),
        };
        if !machine_prefix::is_system(below_volume) {
            let kept = if machine_prefix::holds_projects(below_volume) { cost::KNOWN_PREFIX_KEPT } else { cost };
            self.readings.push(whole.with_segments(below_volume).with_note(note, kept));
        }
        for (cut, cost) in machine_prefix::find_cuts(below_volume) {
            self.readings.push(whole.with_segments(&below_volume[cut..]).with_note(Note::MachinePrefix, cost));
        }
        let named = self.context.forms.iter().filter_map(RootForm::name);
        let named = named.filter_map(|name| segments.iter().position(|segment| *segment == name)).min();
        let cuts = machine_prefix::find_cuts(below_volume);
        let cut = |cut: Option<&(usize, f32)>| below + cut.map_or(0, |(at, _)| *at);
        // Behind the root's own name everything is the project's.
        let foreign_prefix = match named {
            Some(at) if at >= cut(cuts.first()) => ForeignPrefix { machine: at + 1, project: at + 1 },
            _ => ForeignPrefix { machine: cut(cuts.first()), project: cut(cuts.last()) },
        };
        let literal = Reading { outside: true, foreign_prefix: Some(foreign_prefix), ..whole };
        self.readings.push(literal.with_note(Note::OtherMachine, cost::OTHER_MACHINE));
    }

    /// Reads `~/…`.
    fn read_home(&mut self, partial: &PartialReading, rest: &str) {
        if let Some(home) = self.context.home {
            let mut expanded = partial.clone();
            expanded.text = format!("{}{rest}", home.replace('\\', "/"));
            expanded.notes.push(Note::Home);
            expanded.cost += cost::HOME;
            if let Some((volume, below)) = absolute::split_volume(&expanded.text) {
                let parts = split_path(below);
                if !self.read_under_root(&expanded, volume, &parts) {
                    self.read_foreign(&expanded, volume, &parts.segments, parts.is_directory);
                }
                return;
            }
        }
        let parts = split_path(rest);
        let whole =
            Reading { is_foreign: true, ..partial.to_reading(&parts.segments) }.with_note(Note::Home, cost::VARIABLE);
        // Read it as a path below some home, and drop the directories that hold projects there.
        let somewhere = [&["home", "~"], parts.segments.as_slice()].concat();
        for (cut, cost) in machine_prefix::find_cuts(&somewhere).into_iter().filter(|&(cut, _)| cut > 2) {
            self.push(whole.with_segments(&somewhere[cut..]).with_note(Note::MachinePrefix, cost), &parts);
        }
        self.push(whole, &parts);
    }

    /// Reads a relative path: from the root, the current directory, the file, the hint, and behind aliases.
    fn read_relative(&mut self, partial: &PartialReading, doubt: f32) {
        let text = partial.text.as_str();
        let parts = split_path(text);
        let mut whole = partial.to_reading(&parts.segments);
        whole.cost += doubt;
        if parts.climbs == 0 {
            self.push(whole.clone(), &parts);
        } else {
            let out = Reading { outside: true, is_foreign: true, ..whole.clone() };
            self.push(out.with_note(Note::LeavesRoot, cost::LEAVES_ROOT), &parts);
        }
        let dotted = text.starts_with("./") || text.starts_with("../") || parts.climbs > 0;
        let context = self.context;
        if let Some(base) = &context.cwd {
            let cost = if dotted { cost::FROM_CWD_DOTTED } else { cost::FROM_CWD };
            self.push_joined(&whole, &parts, base, Note::FromCwd, cost);
        }
        if let Some(base) = context.file_directory() {
            let cost = if dotted { cost::FROM_FILE_DOTTED } else { cost::FROM_FILE };
            self.push_joined(&whole, &parts, &base, Note::FromFile, cost);
        }
        if parts.climbs > 0 {
            return;
        }
        if let Some(base) = &context.hint {
            self.push_under_hint(&whole, &parts, base);
        }
        let plain = partial.to_reading(&parts.segments);
        for (alias, rest) in alias::find_aliases(text) {
            let below = split_path(rest);
            if let Some(segments) = below.under(alias.segments) {
                self.push(plain.with_segments(&segments).with_note(alias.note, alias.cost), &below);
            }
        }
        let segments = &parts.segments;
        for form in &context.forms {
            if segments.len() > 1 && form.name() == segments.first().copied() {
                let reading = Reading { root: Some(form.root), ..plain.with_segments(&segments[1..]) };
                self.push(reading.with_note(Note::RootName, cost::ROOT_NAME_RELATIVE), &parts);
            }
        }
        if machine_prefix::looks_absolute(segments) {
            for (cut, cost) in machine_prefix::find_cuts(segments) {
                let reading = Reading { is_foreign: true, ..plain.with_segments(&segments[cut..]) };
                self.push(reading.with_note(Note::MachinePrefix, cost + cost::MACHINE_SLASHLESS), &parts);
            }
        }
        self.push_embedded_root(&plain, segments, parts.is_directory);
        self.push_repairs(&whole, segments, parts.is_directory);
        self.push_modules(partial);
    }

    /// Adds the path joined to a base.
    fn push_joined(&mut self, whole: &Reading, parts: &SplitPath<'_>, base: &BasePath, note: Note, cost: f32) {
        if let Some(segments) = parts.under(&base.parts()) {
            let reading = Reading { root: base.root, ..whole.with_segments(&segments) };
            self.push(reading.with_note(note, cost), parts);
        }
    }

    /// Adds the path joined to the hint. Segments that end the hint and begin the path are kept once.
    fn push_under_hint(&mut self, whole: &Reading, parts: &SplitPath<'_>, hint: &BasePath) {
        let base = hint.parts();
        if parts.segments.starts_with(&base) {
            return;
        }
        let most = base.len().min(parts.segments.len().saturating_sub(1));
        let common = (1..=most).rev().find(|&length| base[base.len() - length..] == parts.segments[..length]);
        let segments = [&base[..], &parts.segments[common.unwrap_or(0)..]].concat();
        let reading = Reading { root: hint.root, ..whole.with_segments(&segments) };
        self.push(reading.with_note(Note::UnderHint, cost::UNDER_HINT), parts);
    }

    /// Adds the rest behind a root's absolute path further on among the segments, or at the start without its `/`.
    fn push_embedded_root(&mut self, whole: &Reading, segments: &[&str], is_directory: bool) {
        for form in &self.context.forms {
            if let Some((at, behind)) = form.find_in(segments) {
                let note = if at == 0 { Note::SlashRestored } else { Note::Restarted };
                let base = whole.with_segments(&segments[behind..]);
                let reading = Reading { root: Some(form.root), is_foreign: false, is_directory, ..base };
                self.readings.push(reading.with_note(note, cost::SLASH_RESTORED));
            }
        }
    }

    /// Adds the rest behind a segment with the name of a root's directory.
    fn push_after_root_name(&mut self, whole: &Reading, segments: &[&str], volume: Volume) {
        for form in &self.context.forms {
            let Some(name) = form.name() else { continue };
            let named = |segment: &&str| match volume {
                Volume::Posix => *segment == name,
                Volume::Drive(_) | Volume::Share => segment.eq_ignore_ascii_case(name),
            };
            let first = segments.iter().position(named);
            let last = segments.iter().rposition(named);
            for (at, cost) in [(first, cost::ROOT_NAME), (last, cost::ROOT_NAME_AGAIN)] {
                if let Some(at) = at {
                    let reading = Reading {
                        root: Some(form.root),
                        is_foreign: false,
                        ..whole.with_segments(&segments[at + 1..])
                    };
                    self.readings.push(reading.with_note(Note::RootName, cost));
                }
            }
        }
    }

    fn push_repairs(&mut self, whole: &Reading, segments: &[&str], is_directory: bool) {
        for (segments, note, cost) in repeat::find_repairs(segments) {
            self.readings.push(Reading { is_directory, ..whole.with_segments(&segments) }.with_note(note, cost));
        }
    }

    fn push_modules(&mut self, partial: &PartialReading) {
        for form in module::read_module_name(&partial.text, partial.notes.contains(&Note::Backslashes), self.context) {
            let reading = partial.to_reading(&form.segments);
            let reading = Reading { root: form.root, is_module: true, is_foreign: !form.is_anchored, ..reading };
            self.readings.push(reading.with_note(Note::Module, form.cost));
        }
    }

    /// Adds a reading with the flags of its split text.
    fn push(&mut self, mut reading: Reading, parts: &SplitPath<'_>) {
        reading.is_directory = parts.is_directory;
        if parts.has_parent && parts.climbs == 0 {
            reading = reading.with_note(Note::ParentResolved, cost::PARENT);
        }
        self.readings.push(reading);
    }
}

/// Strips a drive without its separator: `D:name`.
fn strip_bare_drive(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let drive = bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && bytes[2].is_ascii_alphabetic();
    drive.then(|| &text[2..])
}
