//! Tells modules of Maven that are built with another version of a module than the one in the tree: what such a module imports lies in
//! an artifact.

use parking_lot::Mutex;
use pathfinder_literals::path::{ancestors, join, parent};
use pathfinder_literals::{Project, ProjectIndex};
use pathfinder_syntax::xml::for_each_text;
use rustc_hash::FxHashMap;

/// Pairs of build files, the importing module's first, with whether the first asks for another version of the second.
pub(crate) struct OtherVersions {
    known: Mutex<FxHashMap<(String, String), bool>>,
}

impl ProjectIndex for OtherVersions {
    fn build(_: &Project) -> Self {
        Self { known: Mutex::default() }
    }
}

/// The build file of the module of `file`, if it asks for another version of the module that would hold `target`.
pub(super) fn build_with_other_version(project: &Project, file: &str, target: &str) -> Option<String> {
    let build = |path: &str| {
        // Packages are deep; Maven keeps the code of a module in `src` beside its build file.
        let module = path.split_once("/src/").map_or(parent(path), |(module, _)| module);
        let mut builds = ancestors(module).filter_map(|at| join(at, "pom.xml"));
        builds.find(|path| project.tree().kind(path).is_some())
    };
    let pair = (build(file)?, build(target)?);
    let versions = project.index::<OtherVersions>();
    let known = versions.known.lock().get(&pair).copied();
    let differs = known.unwrap_or_else(|| {
        let read = |path: &str| project.tree().read_shared(path).unwrap_or_default();
        let differs = pair.0 != pair.1 && asks_for_other_version(&read(&pair.0), &read(&pair.1));
        versions.known.lock().insert(pair.clone(), differs);
        differs
    });
    differs.then_some(pair.0)
}

/// Returns whether the first build file depends on the artifact of the second in another version. Versions with properties are not
/// compared.
fn asks_for_other_version(own: &str, other: &str) -> bool {
    let (mut artifact, mut version) = (None, None);
    for_each_text(other, |open, range| match open {
        ["project", "artifactId"] => artifact = Some(&other[range]),
        ["project", "version"] => version = Some(&other[range]),
        // A module without a version of its own has its parent's.
        ["project", "parent", "version"] => _ = version.get_or_insert(&other[range]),
        _ => {}
    });
    let (Some(artifact), Some(version)) = (artifact, version.filter(|version| !version.contains('$'))) else {
        return false;
    };
    let (mut is_of_artifact, mut differs) = (false, false);
    for_each_text(own, |open, range| match open {
        ["project", "dependencies", "dependency", "artifactId"] => is_of_artifact = own[range] == *artifact,
        ["project", "dependencies", "dependency", "version"] => {
            let asked = &own[range];
            differs |= is_of_artifact && asked != version && !asked.contains('$');
        }
        _ => {}
    });
    differs
}

#[cfg(test)]
mod tests {
    use super::asks_for_other_version;

    #[test]
    fn compares_versions_of_modules() {
        let asks = |version: &str| {
            format!(
                "<project><artifactId>app</artifactId><version>9</version><dependencies><dependency><groupId>g</groupId>\
                 <artifactId>core</artifactId>{version}</dependency><dependency><artifactId>junit</artifactId>\
                 <version>4</version></dependency></dependencies></project>"
            )
        };
        let own = "<project><artifactId>core</artifactId><version>2</version></project>";
        let of_parent = "<project><parent><artifactId>all</artifactId><version>2</version></parent><artifactId>core</artifactId></project>";
        for other in [own, of_parent] {
            assert!(asks_for_other_version(&asks("<version>1</version>"), other));
            for same in ["<version>2</version>", "<version>${project.version}</version>", ""] {
                assert!(!asks_for_other_version(&asks(same), other), "{same}");
            }
        }
        assert!(!asks_for_other_version(&asks("<version>1</version>"), "<project></project>"));
    }
}
