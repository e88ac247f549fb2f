//! Recognizes types that a build generates: by name, by schema, or by the build file.

use pathfinder_literals::Tree;
use pathfinder_literals::path::{ancestors, join, parent};

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

/// A schema that types are generated from.
#[derive(Debug)]
pub(super) struct Schema {
    /// The file name without extensions, folded.
    pub(super) stem: String,
    pub(super) text: String,
}

impl Schema {
    /// The schema in a file of this name.
    pub(super) fn new(name: &str, text: String) -> Self {
        Self { stem: fold(name.split('.').next().unwrap_or_default()), text }
    }
}

/// A name as generators compare it: lower-case letters and digits only.
fn fold(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

/// Returns whether a schema names a type, with its first letter in any case, or its file has the name.
pub(super) fn is_named_by_schema(schemas: &[Schema], name: &str) -> bool {
    // Kotlin's extension functions of a message.
    let name = name.strip_suffix("Kt").unwrap_or(name);
    let stem = fold(name);
    let mut letters = name.chars();
    let small = letters.next().map(|first| first.to_lowercase().chain(letters).collect::<String>()).unwrap_or_default();
    schemas.iter().any(|schema| schema.stem == stem || has_word(&schema.text, name) || has_word(&schema.text, &small))
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
    let text = tree.read(&build)?;
    GENERATOR_MARKS.iter().any(|word| text.contains(word)).then_some(build)
}

/// Returns whether a text contains a whole word.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    !word.is_empty()
        && text
            .match_indices(word)
            .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
}

#[cfg(test)]
mod tests {
    use super::{Schema, is_generated_name, is_named_by_schema};

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
    fn matches_schemas() {
        let all = [Schema::new("address_book.proto", "option java_package = \"a.b\"; message User {}".to_owned())];
        for name in ["User", "UserKt", "AddressBook", "Message"] {
            assert!(is_named_by_schema(&all, name), "{name}");
        }
        for name in ["Use", "Elsewhere", "Users"] {
            assert!(!is_named_by_schema(&all, name), "{name}");
        }
    }
}
