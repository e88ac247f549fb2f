//! Fuzz targets of the engine: serialised snapshots and symbols, and requests.

#[path = "../../../tests/fuzz/driver.rs"]
mod driver;

use std::sync::LazyLock;

use crate::index::{Change, Snapshot};
use crate::probe::{Kind, Presence, Probe as _};
use crate::request::Op;
use crate::symbols::Symbols;
use crate::testing::{Tree, engine};
use crate::{Engine, Request};

/// A small project with repeated names, and names that slips resemble.
const PROJECT: &str = "
    Cargo.toml
    README.md
    docs/guide.md
    src/lib.rs
    src/net/client.rs
    src/net/mod.rs
    src/store/client.rs
    tests/client_test.rs
    ui/package.json
    ui/src/Button.tsx
    ui/src/components/index.ts
    -e1emake
    package @acme/ui = ui
";

/// A deserialised image answers requests like any other snapshot.
#[test]
fn images() {
    let snapshot = Tree::new(PROJECT).snapshot();
    let changed = snapshot.apply(&[Change::Removed("docs".into()), Change::Added("src/new.rs".into(), Kind::File)]);
    let tagged = |tag: u8, image: Vec<u8>| [vec![tag], image].concat();
    let seeds = vec![
        tagged(0, snapshot.to_image()),
        tagged(0, changed.to_image()),
        tagged(0, Tree::new("a").snapshot().to_image()),
        tagged(1, Symbols::default().to_image()),
    ];
    driver::run("images", seeds, |input| match input.split_first() {
        Some((0, image)) => {
            let Some(snapshot) = Snapshot::from_image(image) else { return };
            let entries = snapshot.entries();
            assert!(entries.iter().all(|(path, _)| snapshot.get(path).is_some()), "an entry that cannot be found");
            _ = snapshot.apply(&[Change::Removed("src".into())]).entries();
            let nothing_exists = Tree::new("");
            let answer = engine(snapshot).resolve(&Request::new("src/net/cleint.rs"), &nothing_exists);
            assert!(answer.is_ok_and(|answer| answer.candidates.is_empty()), "a path that does not exist");
        }
        Some((_, image)) => {
            let Some(symbols) = Symbols::from_image(image) else { return };
            _ = (
                symbols.find_by_name("main").len(),
                symbols.find_similar("cleint", 2).len(),
                symbols.find_by_words(&["client"]).len(),
            );
            _ = symbols.stats();
        }
        None => {}
    });
}

/// For any request, every path of the answer exists, and a write is never resolved.
#[test]
fn requests() {
    static TREE: LazyLock<Tree> = LazyLock::new(|| Tree::new(PROJECT));
    static ENGINE: LazyLock<Engine> = LazyLock::new(|| TREE.engine());
    driver::run("requests", Vec::new(), |input| {
        let text = String::from_utf8_lossy(input);
        let (failed_path, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let (intent, history) = rest.split_once('\n').unwrap_or((rest, ""));
        let op = [Op::Read, Op::List, Op::Edit, Op::Write][input.len() % 4];
        let request = Request {
            intent_text: intent.to_owned(),
            history: history.lines().map(str::to_owned).collect(),
            op,
            ..Request::new(failed_path)
        };
        let Ok(answer) = ENGINE.resolve(&request, &*TREE) else { return };
        for candidate in &answer.candidates {
            let presence = TREE.presence(0, candidate.path.as_bytes());
            assert!(matches!(presence, Presence::Present(_)), "{:?} does not exist", candidate.path);
            assert!((0.0..=100.0).contains(&candidate.score), "score {}", candidate.score);
        }
        assert!((0.0..=1.0).contains(&answer.confidence), "confidence {}", answer.confidence);
        assert!(op != Op::Write || answer.status != crate::Status::Resolved, "a write was resolved");
    });
}
