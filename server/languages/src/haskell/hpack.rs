//! Reads `package.yaml`, from which hpack writes the `.cabal` file that is often not committed. `CabalPackages` calls it.

use pathfinder_syntax::data::Node;
use pathfinder_syntax::data::yaml::read;

use super::cabal::CabalFile;

/// The keys of a component's source directories and of its test suites and programs.
const COMPONENTS: [&str; 7] =
    ["library", "internal-libraries", "executable", "executables", "tests", "benchmarks", "foreign-libraries"];

/// Reads the name, dependencies and source directories of a package. It lists no modules: all below its directories belong to it.
pub(super) fn parse(text: &str) -> CabalFile {
    let mut package = CabalFile::default();
    let Some(root) = read(text).into_iter().next() else { return package };
    root.get("name").and_then(Node::str).unwrap_or_default().clone_into(&mut package.name);
    read_component(&root, &mut package);
    for component in COMPONENTS.iter().filter_map(|name| root.get(name)) {
        read_component(component, &mut package);
        component.entries().iter().for_each(|(_, named)| read_component(named, &mut package));
    }
    package.roots.sort();
    package.roots.dedup();
    if package.roots.is_empty() {
        package.roots.push(".".to_owned());
    }
    package
}

/// Reads the directories and dependencies of one component, or of all.
fn read_component(component: &Node<'_>, package: &mut CabalFile) {
    let words = |key: &str| {
        let items = component.get(key).map(Node::items).unwrap_or_default();
        items.iter().filter_map(Node::str).map(str::to_owned).collect::<Vec<_>>()
    };
    package.roots.extend(words("source-dirs"));
    // `base >= 4.7`
    let name = |word: &String| word.split_whitespace().next().map(str::to_owned);
    package.dependencies.extend(words("dependencies").iter().filter_map(name));
}
