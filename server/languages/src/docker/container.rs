//! Paths inside the image: a command of a Dockerfile that names a file below a directory that was copied from the context names a file of
//! the project (`COPY . /app`, then `RUN pip install -r /app/requirements.txt`).
//!
//! Not `dockerfile-parser`: it knows no working directory and no stages, which decide what a path means.

use std::ops::Range;

use pathfinder_literals::path::{has_scheme, is_dynamic, join};
use pathfinder_literals::{Kind, Lookup, Project, Reason, Resolution, Severity, Verdict, Want, typo_findings};
use rustc_hash::FxHashMap;

use super::scan::{Instruction, InstructionWord};
use crate::path_words::has_ending;

/// Commands after which a path can be one that the image makes.
const WRITERS: [&str; 12] =
    ["cp", "mv", "ln", "curl", "wget", "tee", "touch", "mkdir", "install", "tar", "unzip", "git"];

/// A directory of the context in the image.
#[derive(Clone)]
struct CopiedDirectory {
    /// The path in the image: `app`, without the first slash.
    place: String,
    /// The source as it is written, relative to the context.
    source: String,
}

impl CopiedDirectory {
    /// The path below the directory of a path in the image.
    fn below<'p>(&self, image: &'p str) -> Option<&'p str> {
        let rest = image.strip_prefix(&self.place)?;
        if self.place.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
    }
}

/// The files of a stage of a build.
#[derive(Clone, Default)]
struct Stage {
    /// The working directory in the image, without the first slash.
    directory: String,
    copied: Vec<CopiedDirectory>,
}

/// A word of a command that names a file of the image.
pub(super) struct ContainerPath {
    pub(super) range: Range<usize>,
    /// The possible places: a directory of the context, and the path below it. The one that was copied last comes first.
    places: Vec<(String, String)>,
    /// True if the command writes files, so that the path can be one of them.
    is_of_writer: bool,
}

/// All words of commands that are below a directory which was copied from the context.
pub(super) fn find_paths(instructions: &[Instruction]) -> Vec<ContainerPath> {
    let mut found = Vec::new();
    let mut stages: FxHashMap<String, Stage> = FxHashMap::default();
    let mut stage = Stage::default();
    let mut own_name = None;
    for instruction in instructions {
        let words = instruction.words.get(1..).unwrap_or_default();
        match instruction.name.as_str() {
            "FROM" => {
                stages.extend(own_name.take().map(|name| (name, std::mem::take(&mut stage))));
                let image = words.iter().find(|word| !word.text.starts_with("--"));
                stage = image.and_then(|image| stages.get(&image.text)).cloned().unwrap_or_default();
                own_name = words
                    .iter()
                    .rev()
                    .nth(1)
                    .filter(|word| word.text.eq_ignore_ascii_case("as"))
                    .and_then(|_| Some(words.last()?.text.clone()));
            }
            "WORKDIR" => match words {
                [word] if !is_dynamic(&word.text) && !word.text.contains('$') => {
                    stage.directory = in_image(&stage.directory, &word.text).unwrap_or_default();
                }
                // Nothing is known of a directory that a variable names.
                _ => stage.copied.clear(),
            },
            "COPY" | "ADD" => stage.copied.extend(copied_directory(&stage.directory, words)),
            "RUN" | "CMD" | "ENTRYPOINT" => find_in_command(&stage, words, &mut found),
            _ => {}
        }
    }
    found
}

/// The directory that an instruction copies, if it has one source and no pattern.
fn copied_directory(directory: &str, words: &[InstructionWord]) -> Option<CopiedDirectory> {
    let (flags, rest): (Vec<_>, Vec<_>) = words.iter().partition(|word| word.text.starts_with("--"));
    let [source, place] = rest[..] else { return None };
    let is_plain = |text: &str| !is_dynamic(text) && !text.contains('$') && !has_scheme(text);
    let is_of_context = !flags.iter().any(|flag| flag.text.starts_with("--from"));
    let place = in_image(directory, &place.text)
        .filter(|_| is_of_context && is_plain(&source.text) && is_plain(&place.text))?;
    Some(CopiedDirectory { place, source: source.text.trim_start_matches('/').to_owned() })
}

/// A path in the image, without the first slash.
fn in_image(directory: &str, path: &str) -> Option<String> {
    match path.strip_prefix('/') {
        Some(path) => join("", path),
        None => join(directory, path),
    }
}

/// Finds the words of a command.
fn find_in_command(stage: &Stage, words: &[InstructionWord], found: &mut Vec<ContainerPath>) {
    if stage.copied.is_empty() {
        return;
    }
    let is_of_writer = words.iter().any(|word| WRITERS.contains(&word.text.as_str()) || word.text.contains('>'));
    let mut is_elsewhere = false;
    for word in words {
        // From then on, relative paths are in another directory.
        is_elsewhere |= matches!(word.text.as_str(), "cd" | "pushd");
        let text = word.text.trim_end_matches([';', ',', ')', '&']);
        let start = text.rfind(['=', ':', '@']).map_or(0, |at| at + 1);
        let path = &text[start..];
        let is_plain = word.range.len() == word.text.len()
            && path.contains('/')
            && !text.contains(['$', '*', '?', '[', '{', '"', '\'', '`']);
        if !is_plain
            || has_scheme(text)
            || !has_ending(path)
            || path.starts_with('-')
            || is_elsewhere && !path.starts_with('/')
        {
            continue;
        }
        let Some(image) = in_image(&stage.directory, path) else { continue };
        let below = |copied: &CopiedDirectory| Some((copied.source.clone(), copied.below(&image)?.to_owned()));
        let places: Vec<_> = stage.copied.iter().rev().filter_map(below).collect();
        if !places.is_empty() {
            let start = word.range.start + start;
            found.push(ContainerPath { range: start..start + path.len(), places, is_of_writer });
        }
    }
}

/// The verdict on a path in the image: of a file of the project, of one that moved, or of one with a typo. Of any other nothing is known:
/// a command can have made it.
pub(super) fn resolve(project: &Project, contexts: &[String], path: &ContainerPath) -> Option<Resolution> {
    let tree = project.tree();
    let inside = path.places.iter().flat_map(|(source, below)| {
        let copied = contexts.iter().filter_map(|context| join(context, source));
        // A file that is copied is none of the directory that it is copied to.
        let copied = copied.filter(|source| source.is_empty() || tree.kind(source) == Some(Kind::Directory));
        copied.map(|source| join(&source, below)).collect::<Vec<_>>()
    });
    let (verdict, tried) = Lookup::new(project, Want::File).verdict(Severity::Warning, inside);
    match &verdict {
        Verdict::Found(_) => Some((verdict, tried)),
        Verdict::Missing(missing) if missing.instead.is_some() => Some((verdict, tried)),
        Verdict::Missing(_) if !path.is_of_writer && typo_findings::is_mistyped(project, &tried) => {
            Some((Verdict::Unknown(Reason::Elsewhere), tried))
        }
        _ => None,
    }
}
