//! Recognizes types that a build generates: by name, by schema, or by the build file.

use pathfinder_literals::Tree;
use pathfinder_literals::path::{ancestors, join, parent};
use rustc_hash::FxHashSet;

/// Returns whether a type has a name that generators use.
pub(super) fn is_generated_name(name: &str) -> bool {
    const NAMES: [&str; 10] =
        ["R", "BR", "BuildConfig", "Res", "BuildInfo", "Manifest", "Version", "Tables", "Keys", "GitProperties"];
    const PREFIXES: [&str; 8] =
        ["Dagger", "AutoValue", "AutoParcel", "Hilt_", "Immutable", "Generated", "Moshi", "Glide"];
    const SUFFIXES: [&str; 24] = [
        "_",
        "$",
        "Grpc",
        "GrpcKt",
        "Proto",
        "Protos",
        "OuterClass",
        "Binding",
        "Directions",
        "Args",
        "_Factory",
        "_Impl",
        "Impl",
        "Parser",
        "Lexer",
        "Listener",
        "Visitor",
        "Mapper",
        "Builder",
        "JsonAdapter",
        "Database",
        "Query",
        "Mutation",
        "Generated",
    ];
    // Querydsl.
    let mut letters = name.chars();
    let is_query = letters.next() == Some('Q') && letters.next().is_some_and(char::is_uppercase);
    is_query
        || NAMES.contains(&name)
        || PREFIXES.iter().any(|part| name.starts_with(part))
        || SUFFIXES.iter().any(|part| name.ends_with(part))
}

/// Returns whether people write types of this generator's name as often. Other marks are added to the name of a type that is there (`User_`).
pub(super) fn is_common_name(name: &str) -> bool {
    const SUFFIXES: [&str; 7] = ["Impl", "Parser", "Listener", "Visitor", "Mapper", "Builder", "Query"];
    SUFFIXES.iter().any(|part| name.strip_suffix(part).is_some_and(|stem| !stem.ends_with('_')))
}

/// The schemas that types are generated from: their names, and the words in them.
#[derive(Debug, Default)]
pub(super) struct Schemas {
    /// The file names without extensions, folded.
    stems: FxHashSet<String>,
    words: FxHashSet<String>,
}

impl Schemas {
    /// Adds the schema in a file of this name.
    pub(super) fn add(&mut self, name: &str, text: &str) {
        self.stems.insert(fold(name.split('.').next().unwrap_or_default()));
        for word in text.split(|c: char| !is_word_part(c)).filter(|word| !word.is_empty()) {
            if !self.words.contains(word) {
                self.words.insert(word.to_owned());
            }
        }
    }

    /// Returns whether a schema names a type, with its first letter in any case, or its file has the name.
    pub(super) fn name_type(&self, name: &str) -> bool {
        // Kotlin's extension functions of a message.
        let name = name.strip_suffix("Kt").unwrap_or(name);
        let mut letters = name.chars();
        let small = letters.next().map(|first| first.to_lowercase().chain(letters).collect::<String>());
        self.stems.contains(&fold(name))
            || self.words.contains(name)
            || small.is_some_and(|small| self.words.contains(&small))
    }
}

/// A name as generators compare it: lower-case letters and digits only.
fn fold(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The build file that generates sources for the module of a path: it registers such a task, or its output is a source
/// directory.
pub(super) fn generating_build(tree: &dyn Tree, path: &str) -> Option<String> {
    const BUILD_FILES: [&str; 4] = ["build.gradle.kts", "build.gradle", "pom.xml", "build.sbt"];
    const GENERATOR_MARKS: [&str; 7] = [
        "<phase>generate-sources",
        "build/generated",
        "generated-sources",
        "generated/source",
        "registerJavaGeneratingTask",
        "sourceGenerators",
        "sourceManaged",
    ];
    let modules = ancestors(parent(path));
    // Only the nearest module counts: the root build file speaks for all modules.
    let build = modules
        .flat_map(|at| BUILD_FILES.map(|file| join(at, file)))
        .flatten()
        .find(|path| tree.kind(path).is_some())?;
    let text = tree.read_shared(&build)?;
    GENERATOR_MARKS.iter().any(|word| text.contains(word)).then_some(build)
}

#[cfg(test)]
mod tests {
    use super::{Schemas, is_common_name, is_generated_name};

    #[test]
    fn recognizes_generated_names() {
        for name in ["User_", "DaggerAppComponent", "QUser", "GreeterGrpc", "R", "BuildConfig", "ActivityMainBinding"] {
            assert!(is_generated_name(name), "{name}");
        }
        for name in ["Query1", "Quick", "Retrofit", "Call", "Response"] {
            assert!(!is_generated_name(name), "{name}");
        }
    }

    #[test]
    fn recognizes_names_that_people_choose() {
        let check = |name: &str, expect: bool| assert_eq!(is_common_name(name), expect, "{name}");
        check("UserMapper", true);
        check("Listener", true);
        check("User_", false);
        check("UserDao_Impl", false);
        check("ActivityMainBinding", false);
    }

    #[test]
    fn matches_schemas() {
        let mut all = Schemas::default();
        all.add("address_book.proto", "option java_package = \"a.b\"; message User {}");
        for name in ["User", "UserKt", "AddressBook", "Message"] {
            assert!(all.name_type(name), "{name}");
        }
        for name in ["Use", "Elsewhere", "Users"] {
            assert!(!all.name_type(name), "{name}");
        }
    }
}
