//! Parses the calls in a `Package.swift` that name directories, and their literals.

use crate::swift::kinds;
use pathfinder_literals::LiteralKind;
use pathfinder_syntax::lexer::{Backquote, Lexer, LexerOptions, LexerToken, TokenKind, TripleQuotes};

/// Swift's strings and comments.
const SYNTAX: LexerOptions = LexerOptions {
    nested_comments: true,
    backquote: Backquote::Name,
    triple_quotes: TripleQuotes::Three,
    ..LexerOptions::C_LIKE
};

/// Calls that declare a target.
const TARGET_CALLS: [&str; 7] =
    ["target", "executableTarget", "testTarget", "binaryTarget", "systemLibrary", "plugin", "macro"];

/// Arguments whose lists only refer to targets.
const MENTION_LABELS: [&str; 4] = ["dependencies", "plugins", "products", "targetDependencies"];

/// Arguments of a declared target. A mere reference has a name, and perhaps a condition.
const DECLARATION_LABELS: [&str; 11] = [
    "dependencies",
    "path",
    "exclude",
    "sources",
    "resources",
    "publicHeadersPath",
    "packageAccess",
    "cSettings",
    "cxxSettings",
    "swiftSettings",
    "linkerSettings",
];

/// Arguments that a declared target or a reference can have besides. A call with others is a function of the manifest's own.
const OTHER_LABELS: [&str; 9] =
    ["name", "package", "condition", "plugins", "url", "checksum", "capability", "pkgConfig", "providers"];

/// A string without interpolation, and its offset.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ManifestString {
    pub(super) text: String,
    pub(super) at: usize,
}

/// A target of the package.
#[derive(Debug, Default)]
pub(super) struct ManifestTarget {
    /// The call that declares it: `target`, `testTarget`.
    pub(super) call: String,
    pub(super) name: Option<ManifestString>,
    pub(super) path: Option<ManifestString>,
    /// True if it is declared, not only referred to.
    pub(super) is_declared: bool,
    /// True if it has a `path`, even a computed one.
    pub(super) has_path: bool,
    /// True if the manifest's own function declares it, which can place it anywhere.
    is_custom: bool,
    /// The paths in its directory, each with its literal kind.
    pub(super) inside: Vec<(LiteralKind, ManifestString)>,
}

impl ManifestTarget {
    /// Returns whether it is compiled and not a test.
    pub(super) fn is_source(&self) -> bool {
        !matches!(self.call.as_str(), "testTarget" | "binaryTarget" | "plugin")
    }

    /// Returns whether it is distributed in compiled form.
    pub(super) fn is_binary(&self) -> bool {
        self.call == "binaryTarget"
    }
}

/// The targets and local packages of a manifest.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    pub(super) targets: Vec<ManifestTarget>,
    /// The paths of other packages.
    pub(super) packages: Vec<ManifestString>,
}

/// An open bracket.
#[derive(Default)]
struct OpenBracket {
    /// The called function; empty for a list or a block.
    call: String,
    /// The label of the current argument.
    label: String,
    target: Option<ManifestTarget>,
}

/// Parses the text of a manifest.
pub(super) fn parse_manifest(text: &str) -> Manifest {
    let mut manifest = Manifest::default();
    let tokens: Vec<LexerToken> = Lexer::new(text, SYNTAX).filter(|token| token.kind != TokenKind::Comment).collect();
    let word = |index: usize| tokens.get(index).map_or("", |token| &text[token.range.clone()]);
    let mut frames: Vec<OpenBracket> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let before = if index == 0 { "" } else { word(index - 1) };
        match (token.kind, word(index)) {
            (TokenKind::Punct, "(") => {
                let is_below = |labels: &[&str]| frames.iter().any(|frame| labels.contains(&frame.label.as_str()));
                let is_target = TARGET_CALLS.contains(&before) && !is_below(&MENTION_LABELS);
                let is_declared = is_below(&["targets"]);
                let target = is_target.then(|| ManifestTarget {
                    call: before.to_owned(),
                    is_declared,
                    ..ManifestTarget::default()
                });
                frames.push(OpenBracket { call: before.to_owned(), target, ..OpenBracket::default() });
            }
            (TokenKind::Punct, "[" | "{") => frames.push(OpenBracket::default()),
            (TokenKind::Punct, ")" | "]" | "}") => {
                let target = frames.pop().and_then(|frame| frame.target);
                manifest.targets.extend(target.filter(|target| target.is_declared && !target.is_custom));
            }
            (TokenKind::Punct, ",") => {
                if let Some(frame) = frames.last_mut() {
                    frame.label.clear();
                }
            }
            (TokenKind::Word, label) if word(index + 1) == ":" => {
                if let Some(frame) = frames.last_mut().filter(|_| matches!(before, "(" | ",")) {
                    label.clone_into(&mut frame.label);
                    if let Some(target) = &mut frame.target {
                        target.has_path |= label == "path";
                        target.is_declared |= DECLARATION_LABELS.contains(&label);
                        target.is_custom |= !DECLARATION_LABELS.contains(&label) && !OTHER_LABELS.contains(&label);
                    }
                }
            }
            (TokenKind::String, literal) => {
                let is_whole = matches!(before, "(" | "[" | "," | ":") && matches!(word(index + 1), ")" | "]" | ",");
                let inner = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                let plain = inner.filter(|inner| is_whole && !inner.is_empty() && !inner.contains(['\\', '"', '\n']));
                if let Some(inner) = plain {
                    let literal = ManifestString { text: inner.to_owned(), at: token.range.start + 1 };
                    attach_literal(&mut frames, literal, &mut manifest);
                }
            }
            _ => {}
        }
    }
    manifest
}

/// Attaches a literal to the target or the list around it.
fn attach_literal(frames: &mut [OpenBracket], literal: ManifestString, manifest: &mut Manifest) {
    let Some((last, above)) = frames.split_last_mut() else { return };
    if last.call == "package" && last.label == "path" {
        return manifest.packages.push(literal);
    }
    if let Some(target) = &mut last.target {
        match last.label.as_str() {
            "name" => target.name = Some(literal),
            "path" => target.path = Some(literal),
            "publicHeadersPath" => target.inside.push((kinds::HEADERS, literal)),
            _ => {}
        }
        return;
    }
    // A list of strings, or a single call in a list.
    let is_resource = matches!(last.call.as_str(), "process" | "copy" | "embedInCode") && last.label.is_empty();
    let up = if is_resource { 2 } else { 1 };
    let Some(frame) = above.len().checked_sub(up).and_then(|at| above.get_mut(at)) else { return };
    let kind = match (frame.label.as_str(), is_resource) {
        ("resources", true) => kinds::RESOURCE,
        ("sources", false) => kinds::SOURCE,
        ("exclude", false) => kinds::EXCLUDE,
        _ => return,
    };
    if let Some(target) = &mut frame.target {
        target.inside.push((kind, literal));
    }
}

#[cfg(test)]
mod tests {
    use super::parse_manifest;

    #[test]
    fn parses_calls() {
        let manifest = parse_manifest(
            "// .target(name: \"No\")\nlet package = Package(name: \"p\", dependencies: [.package(path: \"../x\"), .package(url: \"u\", from: \"1\")], targets: [\n\
             .target(name: \"A\", dependencies: [.target(name: \"B\"), \"C\"], path: \"a\", exclude: [\"e\"], sources: [\"s\", \"t\" + x], resources: [.process(\"r\"), .copy(\"c\")]),\n\
             .testTarget(name: name, path: root + \"/x\"),\n.target(name: \"\\(x)\")])\n\
             extension Target.Dependency { static let d: Self = .target(name: \"D\") }\nextension Target { static let e: Target = .target(name: \"E\", path: \"f\") }",
        );
        assert_eq!(manifest.packages.iter().map(|one| one.text.as_ref()).collect::<Vec<&str>>(), ["../x"]);
        let row = |target: &super::ManifestTarget| {
            let text =
                |one: &Option<super::ManifestString>| one.as_ref().map_or("-", |one| one.text.as_ref()).to_owned();
            let inside: Vec<_> = target.inside.iter().map(|(kind, one)| format!("{kind} {}", one.text)).collect();
            format!(
                "{} {} {} {} {}",
                target.call,
                text(&target.name),
                text(&target.path),
                target.has_path,
                inside.join(", ")
            )
        };
        assert_eq!(
            manifest.targets.iter().map(row).collect::<Vec<_>>(),
            [
                "target A a true swift.exclude e, swift.source s, swift.resource r, swift.resource c",
                "testTarget - - true ",
                "target - - false ",
                "target E f true ",
            ]
        );
    }

    #[test]
    fn accepts_broken_text() {
        for text in ["", ")", ".target(", ".target(name: \"", "]].target(path: \"a\")", ".package(path: \"é\")"] {
            parse_manifest(text);
        }
    }
}
