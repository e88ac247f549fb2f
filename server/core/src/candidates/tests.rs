//! Tables of entries that each generator must and must not propose.

use std::fmt::Write;

use crate::request::{CANDIDATES_MAX, Op};
use crate::testing::Tree;
use crate::{Candidate, Request};

/// A project with names that are similar in every way that a generator looks for.
const PROJECT: &str = "
    README.md
    Makefile
    docs/setup guide.md
    internal/billing/client.go
    internal/billing/invoice_writer.go
    internal/billing/invoice_writer_test.go
    internal/shipping/client.go
    internal/shipping/label.go
    internal/shipping/labels/
    pkg/configuration/loader.go
    web/src/UserCard.tsx
    web/src/user-list.tsx
    web/src/pages/caf\u{e9}.tsx
    web/src/pages/index.tsx
    current -> internal
";

/// Returns all candidates for a request over a tree.
fn candidates(tree: &Tree, request: Request) -> Vec<Candidate> {
    tree.ask(&Request { limit: CANDIDATES_MAX, explain: true, ..request }).candidates
}

/// Checks rows of a failed path, an entry, and whether this generator must propose it.
#[track_caller]
fn check(generator: &str, rows: &[(&str, &str, bool)]) {
    check_with("", generator, rows);
}

/// Checks rows as [`check`] does, for requests with an intent.
#[track_caller]
fn check_with(intent: &str, generator: &str, rows: &[(&str, &str, bool)]) {
    let tree = Tree::new(PROJECT);
    let mut wrong = String::new();
    for &(failed, entry, wanted) in rows {
        let all = candidates(&tree, Request { intent_text: intent.to_owned(), ..Request::new(failed) });
        let candidate = all.iter().find(|candidate| candidate.path.text() == entry);
        let generators = candidate.map_or(&[][..], |candidate| &candidate.generators);
        if generators.contains(&generator) != wanted {
            writeln!(wrong, "{failed} → {entry}: proposed by {generators:?}").expect("writing to a String succeeds");
        }
    }
    assert!(wrong.is_empty(), "{generator}:\n{wrong}");
}

#[test]
fn proposes_by_path() {
    check(
        "path",
        &[
            // Leading segments that are unknown in this tree are dropped one by one.
            ("/srv/build/app/internal/billing/client.go", "internal/billing/client.go", true),
            ("old/web/src/pages/", "web/src/pages", true),
            ("x/Makefile", "Makefile", true),
            ("x/current", "current", true),
            ("billing/client.go", "internal/billing/client.go", false),
            ("internal/billing/shipping/client.go", "internal/shipping/client.go", false),
            ("x/internal/billing/clent.go", "internal/billing/client.go", false),
        ],
    );
}

#[test]
fn proposes_by_name() {
    check(
        "name",
        &[
            ("client.go", "internal/billing/client.go", true),
            ("client.go", "internal/shipping/client.go", true),
            ("nowhere/at/all/label.go", "internal/shipping/label.go", true),
            ("labels/", "internal/shipping/labels", true),
            ("x/configuration", "pkg/configuration", true),
            ("x/index.tsx", "web/src/pages/index.tsx", true),
            ("x/Index.tsx", "web/src/pages/index.tsx", false),
            ("x/label", "internal/shipping/label.go", false),
        ],
    );
}

#[test]
fn proposes_by_stem() {
    check(
        "stem",
        &[
            ("web/src/user-card.tsx", "web/src/UserCard.tsx", true),
            ("web/src/user_card.jsx", "web/src/UserCard.tsx", true),
            ("web/src/UserList.tsx", "web/src/user-list.tsx", true),
            ("readme", "README.md", true),
            ("docs/setup-guide.html", "docs/setup guide.md", true),
            ("internal/shipping/label.rs", "internal/shipping/label.go", true),
            ("web/src/pages/cafe\u{301}.tsx", "web/src/pages/caf\u{e9}.tsx", true),
            ("web/src/pages/CAF\u{c9}.tsx", "web/src/pages/caf\u{e9}.tsx", true),
            // Accents are missing or wrong.
            ("web/src/pages/cafe.tsx", "web/src/pages/caf\u{e9}.tsx", true),
            ("web/src/pages/caf\u{eb}.tsx", "web/src/pages/caf\u{e9}.tsx", true),
            ("web/src/user-cards.tsx", "web/src/UserCard.tsx", false),
        ],
    );
}

#[test]
fn proposes_by_typo() {
    check(
        "typo",
        &[
            ("internal/billing/clinet.go", "internal/billing/client.go", true),
            ("internal/billing/clent.go", "internal/billing/client.go", true),
            ("internal/billing/cliennt.go", "internal/billing/client.go", true),
            ("internal/billing/cliemt.go", "internal/billing/client.go", true),
            ("internal/billing/lcient.go", "internal/shipping/client.go", true),
            ("pkg/confguration/", "pkg/configuration", true),
            ("pkg/cofniguratoin/", "pkg/configuration", true),
            ("web/src/UsrCard.jsx", "web/src/UserCard.tsx", true),
            ("x/Makefiel", "Makefile", true),
            ("x/curent", "current", true),
            // Three edits are too many for six letters.
            ("internal/billing/clxyzt.go", "internal/billing/client.go", false),
            ("internal/billing/server.go", "internal/billing/client.go", false),
        ],
    );
}

#[test]
fn proposes_by_words() {
    check(
        "words",
        &[
            ("internal/billing/writer_of_invoices.go", "internal/billing/invoice_writer.go", true),
            ("billing/invoice.go", "internal/billing/invoice_writer.go", true),
            ("billing/invoices.go", "internal/billing/invoice_writer_test.go", true),
            ("web/card.tsx", "web/src/UserCard.tsx", true),
            ("web/UserListItem.tsx", "web/src/user-list.tsx", true),
            ("pkg/config/loading.go", "pkg/configuration/loader.go", true),
            ("guide.md", "docs/setup guide.md", true),
            ("web/cardinal.rs", "docs/setup guide.md", false),
        ],
    );
}

#[test]
fn proposes_by_directory() {
    check(
        "place",
        &[
            // The right directory, another name.
            ("pkg/configuration/reader.go", "pkg/configuration/loader.go", true),
            ("configuration/reader.go", "pkg/configuration/loader.go", true),
            // A directory too many, and one too few.
            ("internal/shipping/labels/sheet.go", "internal/shipping/label.go", true),
            ("web/src/home.tsx", "web/src/pages/index.tsx", true),
            // The directory itself.
            ("pkg/configuration.go", "pkg/configuration", true),
            ("pkg/configuration/x.go", "pkg/configuration", true),
            ("zzz.md", "README.md", true),
            ("internal/billing/x.go", "docs/setup guide.md", false),
        ],
    );
}

#[test]
fn proposes_by_intent() {
    check_with(
        "print the shipping labels of a user",
        "intent",
        &[
            // Matches a directory, an entry's own name, and a directory itself if the request may mean one.
            ("gone/parcels.go", "internal/shipping/client.go", true),
            ("gone/parcels.go", "internal/shipping/label.go", true),
            ("gone/parcels", "internal/shipping/labels", true),
            ("gone/profile.tsx", "web/src/user-list.tsx", true),
            // Entries with another extension are not proposed, however well their names fit.
            ("gone/parcels.go", "web/src/user-list.tsx", false),
            ("gone/parcels.go", "internal/billing/client.go", false),
        ],
    );
    check("intent", &[("internal/shipping/label.go", "internal/shipping/client.go", false)]);
}

/// Entries that left the disk since the walk, and the root itself, are never proposed.
#[test]
fn never_proposes_missing_entries() {
    let tree = Tree::new("src/lib.rs\nsrc/main.rs");
    let mut disk = tree.clone();
    disk.remove(b"src/lib.rs");
    for failed in ["src/lbi.rs", "lib.rs", "x/src", ".", "src/.."] {
        let request = Request { limit: 100, ..Request::new(failed) };
        let answer = tree.engine().resolve(&request, &disk).expect("a good request");
        let gone = |path: &str| path.is_empty() || path == "src/lib.rs";
        assert!(answer.candidates.iter().all(|candidate| !gone(&candidate.path.text())), "{failed}: {answer:?}");
    }
}

/// Entries in directories that the request mentions win over thousands of others with the name.
#[test]
fn narrows_common_names_by_context() {
    let mut text = String::new();
    for at in 0..3000 {
        writeln!(text, "packages/part{at}/src/index.ts").expect("writing to a String succeeds");
    }
    text.push_str("packages/zulu/src/index.ts\npackages/zulu/src/other.ts\npackages/yankee/deep/down/index.ts");
    let tree = Tree::new(&text);
    let check = |request: Request, wanted: &str| {
        let answer = tree.ask(&request);
        let first = answer.path.map(|(_, path)| path).or_else(|| Some(answer.candidates.first()?.path.clone()));
        assert_eq!(first.expect("an answer").text(), wanted, "{request:?}");
    };
    check(Request::new("zulu/index.ts"), "packages/zulu/src/index.ts");
    check(Request::new("yankee/index.ts"), "packages/yankee/deep/down/index.ts");
    check(
        Request { intent_text: "change what zulu exports".to_owned(), ..Request::new("index.ts") },
        "packages/zulu/src/index.ts",
    );
    check(
        Request { history: vec!["packages/zulu/src/other.ts".to_owned()], ..Request::new("index.ts") },
        "packages/zulu/src/index.ts",
    );
    check(
        Request { root_hint: Some("packages/yankee".to_owned()), ..Request::new("index.ts") },
        "packages/yankee/deep/down/index.ts",
    );
    check(
        Request { from_file: Some("packages/zulu/src/other.ts".to_owned()), ..Request::new("lib/index.ts") },
        "packages/zulu/src/index.ts",
    );
}

#[test]
fn returns_at_most_candidates_max() {
    let text: String = (0..500).fold(String::new(), |text, at| text + &format!("d{at}/report.csv\n"));
    let tree = Tree::new(&text);
    for op in [Op::Read, Op::List, Op::Write] {
        let request = Request { op, limit: CANDIDATES_MAX, ..Request::new("x/report.csv") };
        assert_eq!(tree.ask(&request).candidates.len(), CANDIDATES_MAX, "{op:?}");
    }
}
