//! Types that are generated while a project is built, by their names.

/// Whether a type's name is one that generators give.
pub(super) fn by_name(name: &str) -> bool {
    const WHOLE: [&str; 10] =
        ["R", "BR", "BuildConfig", "Res", "BuildInfo", "Manifest", "Version", "Tables", "Keys", "GitProperties"];
    const BEFORE: [&str; 8] =
        ["Dagger", "AutoValue", "AutoParcel", "Hilt_", "Immutable", "Generated", "Moshi", "Glide"];
    const BEHIND: [&str; 24] = [
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
        || WHOLE.contains(&name)
        || BEFORE.iter().any(|part| name.starts_with(part))
        || BEHIND.iter().any(|part| name.ends_with(part))
}

/// Whether a schema names a type, or the package that it is in.
pub(super) fn by_schema(schemas: &[String], package: &str, name: &str) -> bool {
    let quoted = format!("\"{package}\"");
    schemas.iter().any(|text| text.contains(&quoted) || has_word(text, name))
}

/// Whether a text has a word, and not only as a part of another one.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    !word.is_empty()
        && text
            .match_indices(word)
            .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
}

#[cfg(test)]
mod tests {
    use super::{by_name, by_schema};

    #[test]
    fn names() {
        for name in ["User_", "DaggerAppComponent", "QUser", "GreeterGrpc", "R", "BuildConfig", "ActivityMainBinding"] {
            assert!(by_name(name), "{name}");
        }
        for name in ["Query1", "Quick", "Retrofit", "Call", "Response"] {
            assert!(!by_name(name), "{name}");
        }
    }

    #[test]
    fn schemas() {
        let text = ["option java_package = \"a.b\"; message User {}".to_owned()];
        assert!(by_schema(&text, "a.b", "X"));
        assert!(by_schema(&text, "c", "User"));
        assert!(!by_schema(&text, "c", "Use"));
        assert!(!by_schema(&text, "a", "X"));
    }
}
