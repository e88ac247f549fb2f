//! Reads the last components of what a file imports: enough to see which files others lean on.

/// Imports of one file that are kept.
const MAX_IMPORTS: usize = 64;
/// Lines of a file in which imports are looked for.
const MAX_LINES: usize = 400;

/// Returns the names, in lower case, one a line, each once.
pub(crate) fn imported_names(extension: &str, text: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    for line in text.lines().take(MAX_LINES) {
        let Some(target) = import_target(extension, line.trim()) else { continue };
        let Some(name) = last_component(target) else { continue };
        if !names.contains(&name) {
            names.push(name);
            if names.len() == MAX_IMPORTS {
                break;
            }
        }
    }
    names.join("\n")
}

/// Returns the imported thing as it is written.
fn import_target<'t>(extension: &str, line: &'t str) -> Option<&'t str> {
    let quoted = |line: &'t str| {
        let start = line.find(['"', '\'', '`', '<'])?;
        let end = match line.as_bytes()[start] {
            b'<' => '>',
            quote => char::from(quote),
        };
        line[start + 1..].split(end).next()
    };
    match extension {
        "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "m" | "mm" | "inl" => {
            line.strip_prefix("#include").or_else(|| line.strip_prefix("#import")).and_then(quoted)
        }
        "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "vue" | "svelte" => {
            let from = line.rfind(" from ").map(|at| &line[at..]);
            let plain = line.strip_prefix("import ").filter(|rest| rest.starts_with(['"', '\'']));
            let require = line.find("require(").map(|at| &line[at..]);
            from.or(plain).or(require).and_then(quoted)
        }
        "py" | "pyi" => {
            let module = line.strip_prefix("from ").or_else(|| line.strip_prefix("import "))?;
            module.split_whitespace().next()
        }
        "rb" => line.strip_prefix("require").and_then(quoted),
        "php" => {
            let required = ["include", "require"].iter().any(|word| line.trim_start_matches('@').starts_with(word));
            if required { quoted(line) } else { line.strip_prefix("use ").map(|rest| rest.trim_end_matches(';')) }
        }
        "rs" => {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            let path = line.strip_prefix("use ").or_else(|| line.strip_prefix("mod "))?;
            // The module, not the item: `use crate::index::Layer` leans on `index`.
            let path = path.split('{').next()?.trim_end_matches([';', ':', ' ']);
            let item = path.rsplit("::").next()?;
            if item.starts_with(char::is_uppercase) {
                path.rsplit_once("::").map(|(module, _)| module)
            } else {
                Some(path)
            }
        }
        "java" | "kt" | "kts" | "scala" | "groovy" => {
            line.strip_prefix("import ").map(|rest| rest.trim_end_matches(';'))
        }
        "hs" => {
            let rest = line.strip_prefix("import ")?.trim_start();
            rest.strip_prefix("qualified ").unwrap_or(rest).split_whitespace().next()
        }
        "ex" | "exs" => {
            let names = ["alias ", "import ", "use ", "require "];
            names.iter().find_map(|word| line.strip_prefix(word))?.split([',', ' ']).next()
        }
        "lua" => line.find("require").map(|at| &line[at..]).and_then(quoted),
        "sh" | "bash" => line.strip_prefix("source ").or_else(|| line.strip_prefix(". ")),
        "zig" => line.find("@import(").map(|at| &line[at..]).and_then(quoted),
        "dart" => line.strip_prefix("import ").and_then(quoted),
        _ => None,
    }
}

/// Returns the last component of an import in lower case, without its extension.
fn last_component(target: &str) -> Option<String> {
    let target = target.trim().trim_matches(['"', '\'', ';']);
    let name = target.rsplit(['/', '\\']).next()?;
    let name = name.rsplit("::").next()?;
    // A file name ends in an extension, a module path in a component.
    let name = match name.rsplit_once('.') {
        Some((stem, extension)) if target.contains('/') || is_source_extension(extension) => stem,
        Some((_, last)) => last,
        None => name,
    };
    let is_name = !name.is_empty() && name.len() <= 64 && name.chars().any(char::is_alphanumeric);
    is_name.then(|| name.to_lowercase())
}

fn is_source_extension(extension: &str) -> bool {
    matches!(
        extension,
        "h" | "hpp" | "hh" | "js" | "jsx" | "ts" | "tsx" | "mjs" | "vue" | "php" | "rb" | "zig" | "sh" | "dart" | "lua"
    )
}

#[cfg(test)]
mod tests {
    use super::imported_names;

    #[test]
    fn reads_last_components() {
        for (extension, text, names) in [
            ("c", "#include <a/store.h>\n#include \"b.h\"", "store\nb"),
            ("ts", "import { a } from './router'\nexport * from \"../x/y.ts\"", "router\ny"),
            ("py", "from a.b import c\nimport d.e", "b\ne"),
            ("rs", "use crate::index::Layer;\nmod words;\nuse super::{a, b};", "index\nwords\nsuper"),
            ("java", "import a.b.Store;", "store"),
            ("hs", "import qualified Data.Map as M", "map"),
            ("go", "import \"fmt\"", ""),
        ] {
            assert_eq!(imported_names(extension, text), names, "{text}");
        }
    }
}
