//! Finds the declared name that an import has with a typo. Kotlin and Scala declare many types in files of other names, so that no path is
//! like the one that the import leads to.

use pathfinder_literals::Project;
use pathfinder_literals::path::{extension, join, name, parent};
use pathfinder_literals::typo::is_typo;
use pathfinder_literals::typo_findings::is_plural;

use crate::near_name::NearName;

use super::packages::JvmPackages;
use super::{SOURCE_EXTENSIONS, scan};

/// Longest text whose words are compared with a name; people write shorter ones.
const MAX_TEXT_BYTES: usize = 100_000;

/// The only name that the package of this directory declares and that differs by a typo from the name of a missing file in it, if the
/// text that imports it uses that name.
pub(crate) fn near_name(project: &Project, text: &str, wanted: &str) -> Option<NearName> {
    let (directory, written) = (parent(wanted), name(wanted).split('.').next()?);
    if project.has_name(written) || text.len() > MAX_TEXT_BYTES {
        return None;
    }
    let tree = project.tree();
    let names = tree.names(directory);
    let source = names.iter().find(|name| SOURCE_EXTENSIONS.contains(&extension(name).as_str()))?;
    let head = tree.read_shared(&join(directory, source)?)?;
    let header = scan::FileHeader::parse(&head, &extension(source));
    let package = project.index::<JvmPackages>().get(&header.package)?;
    let is_type = |name: &str| name.starts_with(char::is_uppercase);
    let is_near =
        |other: &str| is_type(written) == is_type(other) && is_typo(written, other) && !is_plural(written, other);
    let (near, index) = package.only_name(tree, is_near)?;
    // A slip is made once: a name that is written twice is meant.
    let is_used = words(text).any(|word| word == near) && words(text).filter(|word| *word == written).nth(1).is_none();
    is_used.then_some(())?;
    Some(NearName {
        file: tree.files().get(index as usize)?.clone(),
        name: near.to_owned(),
        written: written.to_owned(),
    })
}

/// The identifiers of a text, and its other words.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}
