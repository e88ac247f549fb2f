//! Reads symbols of Haskell, Elm and `PureScript`: lines at the margin, and signatures within classes.
//!
//! Not their tree-sitter grammars: several megabytes of tables, where the margin says as much.

use crate::{Symbol, SymbolKind};

/// Reads the symbols of a text.
pub(crate) fn read_symbols(text: &str) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = Vec::new();
    let mut in_class = false;
    let mut comment = 0_usize;
    let mut pending: Option<(&str, usize)> = None;
    for (number, line) in text.lines().enumerate() {
        let inside = comment > 0;
        comment = (comment + line.matches("{-").count()).saturating_sub(line.matches("-}").count());
        let trimmed = line.trim();
        if inside || trimmed.is_empty() || trimmed.starts_with("--") || trimmed.starts_with("{-") {
            continue;
        }
        let mut add = |name: &str, kind, number: usize| {
            if is_name(name) {
                symbols.push(Symbol { name: name.into(), kind, line: number as u32 + 1 });
            }
        };
        if line.starts_with([' ', '\t']) {
            // A signature on the line after the name.
            if let Some((name, number)) = pending.take().filter(|_| trimmed.starts_with("::")) {
                add(name, SymbolKind::Function, number);
            } else if in_class {
                for name in names_before_signature(trimmed).into_iter().flatten() {
                    add(name, SymbolKind::Prototype, number);
                }
            }
            continue;
        }
        pending = is_name(trimmed).then_some((trimmed, number));
        in_class = false;
        let (word, rest) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
        let rest = ["family ", "instance ", "alias "]
            .iter()
            .fold(rest.trim_start(), |rest, word| rest.strip_prefix(word).unwrap_or(rest).trim_start());
        match word {
            "data" | "newtype" | "type" => add(declared_name(rest), SymbolKind::Type, number),
            "class" => {
                in_class = true;
                add(declared_name(rest), SymbolKind::Trait, number);
            }
            "instance" => add(declared_name(rest), SymbolKind::Implementation, number),
            "module" | "import" | "where" | "infixl" | "infixr" | "infix" | "deriving" | "default" => {}
            "port" => add(declared_name(rest), SymbolKind::Function, number),
            _ => {
                for name in names_before_signature(trimmed).into_iter().flatten() {
                    add(name, SymbolKind::Function, number);
                }
            }
        }
    }
    symbols
}

/// The names before `::` (`:` in Elm), if the line is a signature.
fn names_before_signature(line: &str) -> Option<impl Iterator<Item = &str>> {
    let (names, _) = line.split_once("::").or_else(|| line.split_once(" : "))?;
    let all = names.split(',').map(str::trim);
    all.clone().all(|name| is_name(name) || name.starts_with('(')).then_some(all)
}

/// The name at the head of a declaration, behind its constraints: `(Eq a) => Name a`.
fn declared_name(text: &str) -> &str {
    let text = text.split(" where").next().unwrap_or(text).split(" = ").next().unwrap_or(text);
    let text = text.rsplit("=> ").next().unwrap_or(text).trim_start_matches(['(', ' ']);
    let name = text.split(|letter: char| !letter.is_alphanumeric() && !"_'.".contains(letter)).next().unwrap_or("");
    name.rsplit('.').next().unwrap_or(name)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '\'')
}
