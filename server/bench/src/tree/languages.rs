//! The languages and words that generated trees are made of.

/// The style that joins the words of a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum NameStyle {
    Kebab,
    Snake,
    Pascal,
}

impl NameStyle {
    pub(super) fn join(self, words: &[&str]) -> String {
        match self {
            Self::Kebab => words.join("-"),
            Self::Snake => words.join("_"),
            Self::Pascal => {
                words.iter().flat_map(|word| [word[..1].to_ascii_uppercase(), word[1..].to_owned()]).collect()
            }
        }
    }
}

/// The shape of modules in one language.
pub(super) struct Language {
    /// Directory of all modules of the language.
    pub(super) area: &'static str,
    /// Relative number of modules.
    pub(super) share: usize,
    /// Files at the top of a module.
    pub(super) marks: &'static [&'static str],
    /// Directory of a module's sources.
    pub(super) source: &'static str,
    /// Files in every source directory.
    pub(super) everywhere: &'static [&'static str],
    pub(super) endings: &'static [&'static str],
    pub(super) style: NameStyle,
    /// Ignored directory of outputs.
    pub(super) output_directory: &'static str,
}

pub(super) const LANGUAGES: [Language; 6] = [
    Language {
        area: "packages",
        share: 4,
        marks: &["package.json", "tsconfig.json", "README.md"],
        source: "src",
        everywhere: &["index.ts"],
        endings: &[".ts", ".tsx", ".test.ts", ".module.css"],
        style: NameStyle::Kebab,
        output_directory: "node_modules",
    },
    Language {
        area: "services",
        share: 3,
        marks: &["go.mod", "BUILD", "README.md"],
        source: "internal",
        everywhere: &["doc.go", "BUILD"],
        endings: &[".go", ".go", "_test.go"],
        style: NameStyle::Snake,
        output_directory: "dist",
    },
    Language {
        area: "libs",
        share: 3,
        marks: &["pyproject.toml", "BUILD"],
        source: "src",
        everywhere: &["__init__.py"],
        endings: &[".py"],
        style: NameStyle::Snake,
        output_directory: "__pycache__",
    },
    Language {
        area: "crates",
        share: 2,
        marks: &["Cargo.toml", "README.md"],
        source: "src",
        everywhere: &["mod.rs"],
        endings: &[".rs"],
        style: NameStyle::Snake,
        output_directory: "target",
    },
    Language {
        area: "apps",
        share: 2,
        marks: &["pom.xml", "BUILD"],
        source: "src/main/java/com/acme",
        everywhere: &["package-info.java", "BUILD"],
        endings: &[".java", ".java", "Test.java"],
        style: NameStyle::Pascal,
        output_directory: "target",
    },
    Language {
        area: "docs",
        share: 1,
        marks: &["mkdocs.yml"],
        source: "guide",
        everywhere: &["index.md"],
        endings: &[".md", ".md", ".yaml"],
        style: NameStyle::Kebab,
        output_directory: "dist",
    },
];

/// Team directories above modules.
pub(super) const GROUPS: [&str; 8] =
    ["billing", "growth", "identity", "infra", "logistics", "media", "platform", "search"];

/// Words that names are made of. As in real trees, some contain or resemble others.
pub(super) const WORDS: [&str; 96] = [
    "access",
    "account",
    "action",
    "adapter",
    "address",
    "agent",
    "alert",
    "archive",
    "asset",
    "audit",
    "backend",
    "balance",
    "batch",
    "binary",
    "board",
    "bridge",
    "broker",
    "bucket",
    "buffer",
    "builder",
    "button",
    "cache",
    "cart",
    "catalog",
    "channel",
    "chart",
    "check",
    "client",
    "cluster",
    "codec",
    "command",
    "config",
    "context",
    "control",
    "cursor",
    "dialog",
    "digest",
    "dispatch",
    "driver",
    "editor",
    "encoder",
    "engine",
    "error",
    "event",
    "export",
    "fetch",
    "field",
    "filter",
    "format",
    "gateway",
    "handler",
    "header",
    "helper",
    "import",
    "index",
    "invoice",
    "job",
    "label",
    "layout",
    "ledger",
    "link",
    "list",
    "loader",
    "log",
    "manager",
    "map",
    "message",
    "metric",
    "migration",
    "model",
    "monitor",
    "node",
    "order",
    "parser",
    "payment",
    "policy",
    "pool",
    "price",
    "proxy",
    "query",
    "queue",
    "render",
    "report",
    "request",
    "resolver",
    "retry",
    "route",
    "schema",
    "server",
    "session",
    "shard",
    "signal",
    "storage",
    "stream",
    "token",
    "worker",
];
