//! Table of programs that only read, each with its known options. `hook/tools.rs` parses shell commands with it.
//!
//! An unlisted option may write, run something or take a word that looks like the path, so a command with one is left alone.

use super::event::ToolKind;
use pathfinder_protocol::command_line::{CommandLine, Word};

/// A program and its known options: only those that mean the same to the GNU, BSD and busybox versions.
struct ReadOnlyProgram {
    name: &'static str,
    kind: ToolKind,
    /// Letters of options without a value.
    flags: &'static str,
    /// Letters of options with a value, in the rest of the word or the next word.
    valued: &'static str,
    /// Long options without a value, without dashes.
    long_flags: &'static [&'static str],
    /// Long options with a value, behind `=` or in the next word.
    long_valued: &'static [&'static str],
    /// Long options with an optional value, only behind `=`.
    long_optional: &'static [&'static str],
    /// True if `-20` is a number of lines.
    has_counts: bool,
    /// True if the first operand is a script. It must only print lines, and `-n` is required.
    has_script: bool,
}

/// A program without options.
const NO_OPTIONS: ReadOnlyProgram = ReadOnlyProgram {
    name: "",
    kind: ToolKind::Read,
    flags: "",
    valued: "",
    long_flags: &[],
    long_valued: &[],
    long_optional: &[],
    has_counts: false,
    has_script: false,
};

/// Options that `head` and `tail` share.
const HEAD_OR_TAIL: ReadOnlyProgram = ReadOnlyProgram {
    flags: "qvz",
    valued: "cn",
    long_flags: &["quiet", "silent", "verbose", "zero-terminated"],
    long_valued: &["bytes", "lines"],
    has_counts: true,
    ..NO_OPTIONS
};

const PROGRAMS: [ReadOnlyProgram; 7] = [
    ReadOnlyProgram {
        name: "cat",
        flags: "AbeEnstTuv",
        long_flags: &[
            "number",
            "number-nonblank",
            "show-all",
            "show-ends",
            "show-nonprinting",
            "show-tabs",
            "squeeze-blank",
        ],
        ..NO_OPTIONS
    },
    ReadOnlyProgram { name: "head", ..HEAD_OR_TAIL },
    // Without `-f`, `-F` and `--follow`, which never end.
    ReadOnlyProgram { name: "tail", ..HEAD_OR_TAIL },
    ReadOnlyProgram {
        name: "nl",
        flags: "p",
        valued: "bdfhilnsvw",
        long_flags: &["no-renumber"],
        long_valued: &[
            "body-numbering",
            "footer-numbering",
            "header-numbering",
            "line-increment",
            "number-format",
            "number-separator",
            "number-width",
            "section-delimiter",
            "starting-line-number",
        ],
        ..NO_OPTIONS
    },
    // Without `--files0-from`, which reads paths from a file.
    ReadOnlyProgram {
        name: "wc",
        flags: "clLmw",
        long_flags: &["bytes", "chars", "lines", "max-line-length", "words"],
        ..NO_OPTIONS
    },
    // Without `-e`, `-f`, `-i`, `-s` and the rest: scripts can write and run, and `-i` writes.
    ReadOnlyProgram {
        name: "sed",
        flags: "nEr",
        long_flags: &["quiet", "silent", "regexp-extended"],
        has_script: true,
        ..NO_OPTIONS
    },
    // Without `-D`, `-I`, `-T` and `-w`, which take a value in some versions only.
    ReadOnlyProgram {
        name: "ls",
        kind: ToolKind::List,
        flags: "1aAbBcCdFgGhHiklLmnNopqrRsStuUxX",
        long_flags: &[
            "all",
            "almost-all",
            "author",
            "directory",
            "escape",
            "full-time",
            "group-directories-first",
            "human-readable",
            "inode",
            "literal",
            "no-group",
            "numeric-uid-gid",
            "recursive",
            "reverse",
            "si",
            "size",
        ],
        long_optional: &["classify", "color", "format", "sort", "time", "time-style"],
        ..NO_OPTIONS
    },
];

/// Parses a command that only reads one file or lists one directory; `None` for any other command.
pub(super) fn parse(text: &str) -> Option<(ToolKind, CommandLine)> {
    let mut kind = ToolKind::Read;
    let line = CommandLine::parse(text, |words| {
        let program = words.first()?;
        let known = PROGRAMS.iter().find(|known| known.name == program.value)?;
        kind = known.kind;
        known.find_path(words)
    })?;
    Some((kind, line))
}

impl ReadOnlyProgram {
    /// Returns the position of the only path, if all other words are known.
    fn find_path(&self, words: &[Word]) -> Option<usize> {
        let mut operands = Vec::new();
        let mut is_quiet = false;
        let mut rest = words.iter().map(|word| word.value.as_str()).enumerate().skip(1);
        while let Some((at, word)) = rest.next() {
            match word.strip_prefix('-') {
                None => operands.push(at),
                // Standard input.
                Some("") => return None,
                Some("-") => operands.extend(rest.by_ref().map(|(at, _)| at)),
                Some(option) => {
                    let takes_next = match option.strip_prefix('-') {
                        Some(long) => self.read_long(long)?,
                        None => self.read_letters(option)?,
                    };
                    is_quiet |=
                        matches!(option, "-quiet" | "-silent") || !option.starts_with('-') && option.contains('n');
                    if takes_next {
                        rest.next()?;
                    }
                }
            }
        }
        let path = match (self.has_script, operands.as_slice()) {
            (false, [path]) => *path,
            (true, [script, path]) if is_quiet && is_printing(&words[*script].value) => *path,
            _ => return None,
        };
        (!words[path].value.is_empty() && words[path].value != "-").then_some(path)
    }

    /// Returns whether the value of a long option (without dashes) is the next word; `None` if the option is unknown.
    fn read_long(&self, option: &str) -> Option<bool> {
        match option.split_once('=') {
            Some((name, _)) => {
                (self.long_valued.contains(&name) || self.long_optional.contains(&name)).then_some(false)
            }
            None if self.long_valued.contains(&option) => Some(true),
            None => (self.long_flags.contains(&option) || self.long_optional.contains(&option)).then_some(false),
        }
    }

    /// Returns whether the value of letters behind one dash is the next word; `None` if a letter is unknown.
    fn read_letters(&self, letters: &str) -> Option<bool> {
        if self.has_counts && letters.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(false);
        }
        for (at, letter) in letters.char_indices() {
            if self.valued.contains(letter) {
                return Some(at + letter.len_utf8() == letters.len());
            }
            if !self.flags.contains(letter) {
                return None;
            }
        }
        Some(false)
    }
}

/// Returns whether a sed script only prints lines by number: `5p`, `1,200p`, `1,5p;10,$p`.
fn is_printing(script: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_line = |text: &str| text == "$" || is_number(text);
    script.split(';').all(|command| {
        let Some(address) = command.trim_matches(' ').strip_suffix('p') else { return false };
        match address.split_once(',') {
            Some((first, last)) => {
                is_line(first) && is_line(last.strip_prefix('+').filter(|it| is_number(it)).unwrap_or(last))
            }
            None => is_line(address),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::parse;

    /// Replaces the path of a command; `None` if the command is left alone.
    #[track_caller]
    fn check(command: &str, expect: Option<&str>) {
        let exchanged = parse(command).and_then(|(_, line)| line.with_operand("new"));
        assert_eq!(exchanged.as_deref(), expect, "{command}");
    }

    #[test]
    fn finds_the_path_by_its_position() {
        for (command, expect) in [
            ("cat a", "cat new"),
            ("cat -n -- a", "cat -n -- new"),
            ("cat a -n", "cat new -n"),
            ("cat -- -a", "cat -- new"),
            ("head -20 a", "head -20 new"),
            ("head -n 20 a", "head -n 20 new"),
            ("head -n20 a", "head -n20 new"),
            ("head a -n 20", "head new -n 20"),
            ("head -n 20 20", "head -n 20 new"),
            ("head --lines=20 a", "head --lines=20 new"),
            ("head --lines 20 a", "head --lines 20 new"),
            ("tail -n +5 a", "tail -n +5 new"),
            ("tail -qn 5 a", "tail -qn 5 new"),
            ("nl -ba a", "nl -ba new"),
            ("nl -b a a", "nl -b a new"),
            ("wc -l l", "wc -l new"),
            ("sed -n 1,2p a", "sed -n 1,2p new"),
            ("sed -n '1,$p' a", "sed -n '1,$p' new"),
            ("sed -nE '1,5p; 8,+2p' a", "sed -nE '1,5p; 8,+2p' new"),
            ("sed --quiet 5p 'a b'", "sed --quiet 5p 'new'"),
            ("ls -la a", "ls -la new"),
            ("ls --color=auto --group-directories-first a", "ls --color=auto --group-directories-first new"),
        ] {
            check(command, Some(expect));
        }
    }

    #[test]
    fn leaves_other_options_alone() {
        for command in [
            "cat",
            "cat -",
            "cat a -",
            "cat -- -",
            "cat a b",
            "cat -l a",
            "cat --help a",
            "cat ''",
            "head -n",
            "head --lines",
            "head -20q a",
            "head -s a",
            "head --line=3 a",
            "tail -f a",
            "tail -fn 5 a",
            "tail --follow a",
            "tail --follow=name a",
            "tail --pid 1 a",
            "wc nmu -nmu",
            "wc --files0-from=a",
            "wc --files0-from a",
            "nl -x a",
            "ls",
            "ls -I a b",
            "ls -I a",
            "ls -w a",
            "ls --ignore a",
            "ls --ignore=a b",
            "sed 1p a",
            "sed -n 1p",
            "sed -n a 1p",
            "sed -n 1,2p -i a",
            "sed -n 1,2p a -i",
            "sed -n 1,2p a -i.bak",
            "sed -ni 1,2p a",
            "sed -n -i 1,2p a",
            "sed -n --in-place 1p a",
            "sed -n -e 1p a",
            "sed -n -f a b",
            "sed -ne 1p a",
            "sed -n -s 1p a",
            "sed -n 1p a b",
            "sed -n 'w x' a",
            "sed -n '1w x' a",
            "sed -n '1p;w x' a",
            "sed -n '1e' a",
            "sed -n 's/a/b/e' a",
            "sed -n '1p;' a",
            "sed -n ,p a",
            "sed -n 1,p a",
            "sed -n p a",
            "sed -n -- 1p",
            "sed -n '1p\n1e' a",
            "sed -E 1p a",
            "sed -n '$!p' a",
            "rm a",
            "less a",
            "/bin/cat a",
            "./cat a",
            "sudo cat a",
            "cat a | sh",
            "A=b cat a",
        ] {
            check(command, None);
        }
    }
}
