//! Tests of `Symbols` through its public functions.

use proptest::prelude::*;

use super::{LOCATIONS_MAX, Symbol, SymbolChange, SymbolKind, SymbolLocation, Symbols};
use crate::distance::Pattern;
use crate::words::{squash, words};

/// Symbols of files written as `path: name name`, one file a line; each name stands on its own line of the file.
fn symbols(text: &str) -> Symbols {
    Symbols::default().apply(&text.lines().map(read).collect::<Vec<_>>())
}

fn read(line: &str) -> SymbolChange {
    let (file, names) = line.trim().split_once(':').unwrap_or((line, ""));
    let symbol = |(at, name): (usize, &str)| Symbol { name: name.into(), kind: SymbolKind::Class, line: at as u32 + 1 };
    SymbolChange::Read {
        file: file.into(),
        stamp: names.len() as u64,
        symbols: names.split_whitespace().enumerate().map(symbol).collect(),
    }
}

fn text(places: &[SymbolLocation<'_>]) -> String {
    let one = |place: &SymbolLocation<'_>| format!("{}:{} {}", place.file, place.symbol.line, place.symbol.name);
    places.iter().map(one).collect::<Vec<_>>().join(", ")
}

const FILES: &str = "b/router.rs: CommandRouter new command_router
    a/other.rs: CommandRooter command-router RouterCommand
    a/empty.rs:
    c/cache.rs: ÜberCache httpServer HTTPServerV2 x";

#[test]
fn finds_names_in_any_style() {
    let symbols = symbols(FILES);
    let check = |name: &str, expected: &str| assert_eq!(text(&symbols.find_by_name(name)), expected, "{name}");
    check("CommandRouter", "a/other.rs:2 command-router, b/router.rs:1 CommandRouter, b/router.rs:3 command_router");
    check("COMMAND.ROUTER", "a/other.rs:2 command-router, b/router.rs:1 CommandRouter, b/router.rs:3 command_router");
    check("übercache", "c/cache.rs:1 ÜberCache");
    check("Command", "");
    check("--", "");
    check("", "");
}

#[test]
fn finds_names_with_typos() {
    let symbols = symbols(FILES);
    let check = |name: &str, edits, expected: &str| {
        assert_eq!(text(&symbols.find_similar(name, edits)), expected, "{name} {edits}");
    };
    check("httpservr", 1, "c/cache.rs:2 httpServer");
    check("httpservr", 3, "c/cache.rs:2 httpServer, c/cache.rs:3 HTTPServerV2");
    check("httpserver", 0, "c/cache.rs:2 httpServer");
    check("RuoterCommand", 1, "a/other.rs:3 RouterCommand");
    check("nothingalike", 3, "");
    check("", 3, "");
}

#[test]
fn finds_names_by_words() {
    let symbols = symbols(FILES);
    let check =
        |wanted: &[&str], expected: &str| assert_eq!(text(&symbols.find_by_words(wanted)), expected, "{wanted:?}");
    check(&["router", "command"], &text(&symbols.find_by_words(&["command", "router"])));
    check(&["SERVER"], "c/cache.rs:2 httpServer, c/cache.rs:3 HTTPServerV2");
    check(&["server", "v"], "c/cache.rs:3 HTTPServerV2");
    check(&["server", "none"], "");
    check(&[], "");
    assert_eq!(symbols.find_by_words(&["command", "router"]).len(), 4);
    assert_eq!(symbols.names_with_word("router"), 4);
}

#[test]
fn applies_changes_to_a_copy() {
    let before = symbols(FILES).with_total(9);
    let after = before.apply(&[
        read("b/router.rs: Moved"),
        SymbolChange::Removed("c".into()),
        read("c/new.rs: CommandRouter"),
        read("a/late.rs: Late"),
        SymbolChange::Removed("a/late.rs".into()),
    ]);
    assert_eq!(text(&before.find_by_name("commandrouter")).matches("router.rs").count(), 2, "as it was");
    assert_eq!(text(&after.find_by_name("commandrouter")), "a/other.rs:2 command-router, c/new.rs:1 CommandRouter");
    assert_eq!(text(&after.find_by_name("moved")), "b/router.rs:1 Moved");
    assert_eq!(
        (text(&after.find_by_name("late")), text(&after.find_by_name("httpserver"))),
        (String::new(), String::new())
    );
    assert_eq!((before.progress(), after.progress()), ((4, 9), (4, 9)));
    assert_eq!((after.stamp("a/empty.rs"), after.stamp("c/cache.rs")), (Some(0), None));
    assert_eq!(after.in_file("a/other.rs").len(), 3);
    let compact = after.compact();
    assert_eq!(text(&compact.locations().collect::<Vec<_>>()).matches(',').count(), 4);
    assert_eq!(compact.progress(), (4, 9));
}

#[test]
fn truncates_common_names() {
    let lines: Vec<String> = (0..3000).map(|at| format!("f{at:04}.rs: new newer")).collect();
    let symbols = symbols(&lines.join("\n"));
    let found = symbols.find_by_name("new");
    assert_eq!(found.len(), LOCATIONS_MAX);
    assert_eq!((found[0].file, found[255].file), ("f0000.rs", "f0255.rs"));
    // The exact name wins, although other paths sort before its own.
    assert!(symbols.find_similar("new", 2).iter().all(|place| place.symbol.name == "new"));
    assert_eq!(symbols.find_by_words(&["new"]).len(), LOCATIONS_MAX);
}

/// A step of a history: files that are read, with the names that they declare, and files that are removed.
fn step() -> impl Strategy<Value = Vec<SymbolChange>> {
    let name = "[a-c]{1,3}(_[a-c]{1,2})?";
    let one = ("[a-c]/[a-c]", proptest::collection::vec(name, 0..4), 0..4);
    let change = one.prop_map(|(file, names, action)| match action {
        0 => SymbolChange::Removed(file.into()),
        1 => SymbolChange::Removed(file[..1].into()),
        _ => read(&format!("{file}: {}", names.join(" "))),
    });
    proptest::collection::vec(change, 0..6)
}

proptest! {
    /// For any history and any layers: every look-up equals a scan of each name.
    #[test]
    fn lookups_equal_a_scan(steps in proptest::collection::vec(step(), 0..8), asked in "[a-c]{1,3}", edits in 0_usize..3) {
        let mut known = Symbols::default();
        let mut plain: std::collections::BTreeMap<String, Vec<Symbol>> = std::collections::BTreeMap::new();
        for changes in &steps {
            known = known.apply(changes);
            for change in changes {
                match change {
                    SymbolChange::Read { file, symbols, .. } => _ = plain.insert(file.to_string(), symbols.clone()),
                    SymbolChange::Removed(path) => {
                        let below = format!("{path}/");
                        plain.retain(|file, _| **file != **path && !file.starts_with(&below));
                    }
                }
            }
        }
        prop_assert_eq!(known.progress().0, plain.len());
        let expected = |wanted: &dyn Fn(&str) -> bool| {
            let all = plain.iter().flat_map(|(file, symbols)| symbols.iter().map(move |symbol| (file, symbol)));
            let found = all.filter(|(_, symbol)| wanted(&symbol.name));
            found.map(|(file, symbol)| format!("{file}:{} {}", symbol.line, symbol.name)).collect::<Vec<_>>().join(", ")
        };
        let key = |name: &str| squash(name.as_bytes());
        prop_assert_eq!(text(&known.find_by_name(&asked)), expected(&|name| key(name) == key(&asked)));
        let near = |name: &str| Pattern::new(&key(&asked)).distance(&key(name)) <= edits;
        prop_assert_eq!(text(&known.find_similar(&asked, edits)), expected(&near));
        let worded = |name: &str| words(name.as_bytes()).contains(&asked);
        prop_assert_eq!(text(&known.find_by_words(&[&asked])), expected(&worded));
        prop_assert_eq!(text(&known.compact().find_by_name(&asked)), text(&known.find_by_name(&asked)));
    }
}

/// A deserialised index answers like the original, with any layers and removed files.
#[test]
fn images_round_trip() {
    let built = symbols(FILES).apply(&[read("d/late.rs: CommandRouter ÜberCache"), SymbolChange::Removed("a".into())]);
    for symbols in [built, Symbols::default(), symbols("a/empty.rs:")] {
        let again = Symbols::from_image(&symbols.to_image()).expect("an image");
        let mut stamps: Vec<_> = symbols.stamps().collect();
        let mut others: Vec<_> = again.stamps().collect();
        stamps.sort_unstable();
        others.sort_unstable();
        assert_eq!(stamps, others);
        for name in ["commandrouter", "übercache", "x", "none"] {
            assert_eq!(text(&symbols.find_by_name(name)), text(&again.find_by_name(name)));
            assert_eq!(text(&symbols.find_similar(name, 2)), text(&again.find_similar(name, 2)));
        }
        assert_eq!(text(&symbols.find_by_words(&["router"])), text(&again.find_by_words(&["router"])));
    }
}

proptest! {
    /// Wrong bytes give no symbols, or symbols that are safe to search.
    #[test]
    fn invalid_images_are_safe(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut image = symbols(FILES).to_image();
        for (at, byte) in edits {
            let at = at.index(image.len());
            image[at] = byte;
        }
        image.truncate(cut.map_or(image.len(), |cut| cut.index(image.len())));
        if let Some(symbols) = Symbols::from_image(&image) {
            symbols.find_by_name("commandrouter");
            symbols.find_similar("httpserver", 3);
            symbols.find_by_words(&["router", "command"]);
            let moved = symbols.apply(&[read("b/router.rs: Moved")]).compact();
            prop_assert_eq!(text(&moved.find_by_name("moved")), "b/router.rs:1 Moved");
            prop_assert_eq!(symbols.locations().count(), symbols.stats().symbols);
            symbols.in_file("b/router.rs");
        }
    }
}
