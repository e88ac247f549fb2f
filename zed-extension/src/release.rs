//! The parts of a release: names of files and folders, versions, checksums. Pure functions.

use std::cmp::Ordering;
use std::io::{self, Read};

use sha2::{Digest as _, Sha256};
use zed_extension_api::{Architecture, Os, Result};

/// The name of the program and of its files.
pub(crate) const NAME: &str = "pathfinder";

/// The repository of releases as GitHub has it: owner and name.
pub(crate) fn repository() -> &'static str {
    let url = env!("CARGO_PKG_REPOSITORY");
    url.strip_prefix("https://github.com/").unwrap_or(url)
}

/// The target for which a release is built, as Rust names it.
///
/// # Errors
/// If there is none for this machine.
pub(crate) fn target(os: Os, architecture: Architecture) -> Result<&'static str> {
    match (os, architecture) {
        (Os::Linux, Architecture::X8664) => Ok("x86_64-unknown-linux-gnu"),
        (Os::Linux, Architecture::Aarch64) => Ok("aarch64-unknown-linux-gnu"),
        (Os::Mac, Architecture::X8664) => Ok("x86_64-apple-darwin"),
        (Os::Mac, Architecture::Aarch64) => Ok("aarch64-apple-darwin"),
        (Os::Windows, Architecture::X8664) => Ok("x86_64-pc-windows-msvc"),
        (Os::Windows, Architecture::Aarch64) => Ok("aarch64-pc-windows-msvc"),
        (_, Architecture::X86) => Err("Pathfinder is not released for 32-bit machines. Build it from its sources and \
             set lsp.pathfinder.binary.path in Zed's settings."
            .to_owned()),
    }
}

/// The program's file name.
pub(crate) fn program(os: Os) -> &'static str {
    if os == Os::Windows { "pathfinder.exe" } else { NAME }
}

/// The assets for a target: the program, compressed, and the checksum of what it is uncompressed.
pub(crate) fn assets(target: &str) -> (String, String) {
    (format!("{NAME}-{target}.gz"), format!("{NAME}-{target}.sha256"))
}

/// The folder of a release, by its tag.
///
/// # Errors
/// If the tag is no version: it becomes a part of a path.
pub(crate) fn folder(tag: &str) -> Result<String> {
    let version = tag.strip_prefix('v').unwrap_or(tag);
    match Version::parse(version) {
        Some(_) => Ok(format!("{NAME}-{version}")),
        None => Err(format!("the tag of the latest release, {tag:?}, is no version")),
    }
}

/// The version that a folder is of, if it is one of a release.
pub(crate) fn version_of(folder: &str) -> Option<Version> {
    Version::parse(folder.strip_prefix(NAME)?.strip_prefix('-')?)
}

/// A version: three numbers, and perhaps what comes before a release.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Version {
    numbers: [u32; 3],
    before: Option<String>,
}

impl Version {
    fn parse(text: &str) -> Option<Self> {
        let (numbers, before) = match text.split_once('-') {
            Some((numbers, before)) => (numbers, Some(before)),
            None => (text, None),
        };
        let allowed = |before: &str| {
            let known = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
            // A version does not name a partial download.
            !before.is_empty() && before.chars().all(known) && !before.contains("..") && !before.ends_with(PART)
        };
        if before.is_some_and(|before| !allowed(before)) {
            return None;
        }
        let mut parts = numbers.split('.').map(|part| part.parse().ok());
        let numbers = [parts.next()??, parts.next()??, parts.next()??];
        parts.next().is_none().then(|| Self { numbers, before: before.map(str::to_owned) })
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        // Nothing comes after `-rc.1`; two of these are compared as text, which is right up to the ninth.
        self.numbers.cmp(&other.numbers).then_with(|| match (&self.before, &other.before) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(one), Some(other)) => one.cmp(other),
        })
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The ending of an incomplete folder's name.
pub(crate) const PART: &str = ".part";

/// The checksum that a file as `sha256sum` writes it begins with.
pub(crate) fn checksum(text: &str) -> Option<String> {
    let word = text.split_whitespace().next()?;
    let is_one = word.len() == 64 && word.chars().all(|c| c.is_ascii_hexdigit());
    is_one.then(|| word.to_ascii_lowercase())
}

/// The checksum of what is read.
///
/// # Errors
/// Those of reading.
pub(crate) fn checksum_of(mut file: impl Read) -> io::Result<String> {
    let mut state = Sha256::new();
    // A call for each piece goes through the sandbox: large ones are cheaper.
    let mut piece = vec![0; 1 << 18];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(state.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))),
            length => state.update(&piece[..length]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets() {
        let check = |os, architecture, expect: Option<&str>| {
            assert_eq!(target(os, architecture).ok(), expect);
        };
        check(Os::Linux, Architecture::X8664, Some("x86_64-unknown-linux-gnu"));
        check(Os::Mac, Architecture::Aarch64, Some("aarch64-apple-darwin"));
        check(Os::Windows, Architecture::X8664, Some("x86_64-pc-windows-msvc"));
        check(Os::Linux, Architecture::X86, None);
        assert_eq!(assets("t"), ("pathfinder-t.gz".to_owned(), "pathfinder-t.sha256".to_owned()));
        assert_eq!((program(Os::Windows), program(Os::Mac)), ("pathfinder.exe", "pathfinder"));
    }

    #[test]
    fn every_target_is_released() {
        let workflow = include_str!("../../.github/workflows/release.yml");
        for os in [Os::Linux, Os::Mac, Os::Windows] {
            for architecture in [Architecture::X8664, Architecture::Aarch64] {
                let target = target(os, architecture).expect("64 bits");
                assert!(workflow.contains(target), "{target}");
            }
        }
    }

    #[test]
    fn tags() {
        let check = |tag: &str, expect: Option<&str>| assert_eq!(folder(tag).ok().as_deref(), expect, "{tag}");
        check("v1.2.3", Some("pathfinder-1.2.3"));
        check("1.2.3", Some("pathfinder-1.2.3"));
        check("v1.2.3-rc.1", Some("pathfinder-1.2.3-rc.1"));
        for no in ["", "v", "latest", "v1.2", "v1.2.3.4", "v1.2.3-", "v1.2.3-a/../b", "v1.2.3-..", "../v1.2.3"] {
            check(no, None);
        }
    }

    #[test]
    fn folders() {
        let check = |older: &str, newer: &str| {
            assert!(version_of(older) < version_of(newer), "{older} is older than {newer}");
        };
        check("pathfinder-1.9.0", "pathfinder-1.10.0");
        check("pathfinder-1.0.0-rc.1", "pathfinder-1.0.0");
        check("pathfinder-1.0.0-rc.1", "pathfinder-1.0.0-rc.2");
        check("pathfinder-0.9.9", "pathfinder-1.0.0-rc.1");
        for none in ["pathfinder", "pathfinder-", "other-1.0.0", "pathfinder-1.0.0.part", "pathfinder-1.0.0-rc.part"] {
            assert_eq!(version_of(none), None, "{none}");
        }
    }

    #[test]
    fn checksums() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(checksum_of(&b""[..]).expect("memory is read"), empty);
        let check = |text: &str, expect: Option<&str>| assert_eq!(checksum(text).as_deref(), expect, "{text}");
        check(&format!("{empty}  pathfinder\n"), Some(empty));
        check(&empty.to_ascii_uppercase(), Some(empty));
        check("", None);
        check("<html>", None);
        check(&empty[1..], None);
    }
}
