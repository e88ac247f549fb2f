//! Reads targets and macros of makefiles, and recipes of justfiles.
//!
//! Not `makefile-lossless`: it knows no justfiles, and a target is the beginning of a line.

use crate::{Symbol, SymbolKind};

/// Reads the targets and macros of a makefile.
pub(crate) fn read_makefile(text: &str) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    // A continuation line is not a rule of its own.
    let mut goes_on = false;
    let mut in_macro = false;
    for (number, line) in text.lines().enumerate() {
        let continued = std::mem::replace(&mut goes_on, line.ends_with('\\'));
        let mut add = |name: &str, kind| symbols.push(Symbol { name: name.into(), kind, line: number as u32 + 1 });
        if in_macro {
            in_macro = line.trim() != "endef";
        } else if let Some(name) = line.strip_prefix("define ") {
            in_macro = true;
            add(name.trim().trim_end_matches('=').trim(), SymbolKind::Macro);
        } else if !continued && !line.starts_with(['\t', ' ', '#', '.']) {
            for target in rule_targets(line) {
                add(target, SymbolKind::Target);
            }
        }
    }
    symbols
}

/// The targets of a rule: plain names before a colon that is not an assignment.
fn rule_targets(line: &str) -> impl Iterator<Item = &str> {
    let rule = line.split_once(':').filter(|(names, rest)| {
        let assigned = rest.starts_with('=') || rest.starts_with(":=") || names.contains(['=', '"', '\'', '#']);
        !assigned && !names.is_empty()
    });
    let names = rule.map_or("", |(names, _)| names).split_whitespace();
    names.filter(|name| name.chars().all(|letter| letter.is_alphanumeric() || "_-./".contains(letter)))
}

/// Reads the recipes of a justfile.
pub(crate) fn read_justfile(text: &str) -> Vec<Symbol> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with([' ', '\t', '#', '[']));
    let recipes = lines.filter_map(|(number, line)| {
        let (head, rest) = line.split_once(':')?;
        let name = head.split_whitespace().next()?.trim_start_matches('@');
        let plain = name.chars().all(|letter| letter.is_alphanumeric() || "_-".contains(letter));
        let keyword = ["set", "export", "alias", "import", "mod"].contains(&name);
        (plain && !name.is_empty() && !rest.starts_with('=') && !keyword).then(|| Symbol {
            name: name.into(),
            kind: SymbolKind::Target,
            line: number as u32 + 1,
        })
    });
    recipes.collect()
}
