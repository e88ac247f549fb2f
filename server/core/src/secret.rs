//! `is_secret_name`: recognises, by name alone, files that hold credentials.
//!
//! Hooks and servers act on a guess, or before the user was asked. They never show such a file's contents, redirect a
//! call to it, or act on an answer that leads there. The table covers names given by tools and conventions; ignore
//! files, which are checked too, cover the rest. A wrong entry costs one suggestion, a missing one costs the secret, so
//! doubtful names count as secret.

/// Names of files, in small letters. Each is where a widely used tool keeps a password, a token or a private key.
const NAMES: [&str; 31] = [
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    "pgpass.conf",
    ".my.cnf",
    ".mylogin.cnf",
    ".git-credentials",
    ".gitcookies",
    ".htpasswd",
    ".htdigest",
    ".dockercfg",
    ".dockerconfigjson",
    "kubeconfig",
    ".kubeconfig",
    ".s3cfg",
    ".boto",
    ".vault-token",
    ".vault_pass",
    ".vault-password",
    ".terraformrc",
    "terraform.rc",
    ".dev.vars",
    ".bash_history",
    ".zsh_history",
    ".psql_history",
    ".mysql_history",
    ".node_repl_history",
    ".python_history",
    "auth.json",
];

/// Beginnings of names, in small letters.
const PREFIXES: [&str; 4] = [".env", ".netrc.", ".npmrc.", ".dev.vars."];

/// Extensions of keys, key stores, password stores and files that hold them, in small letters. They count anywhere
/// behind the first dot, so that `server.key.bak` counts too.
const EXTENSIONS: [&str; 24] = [
    "env",
    "pem",
    "key",
    "p8",
    "p12",
    "pfx",
    "pk8",
    "pkcs8",
    "pkcs12",
    "der",
    "ppk",
    "jks",
    "jceks",
    "bks",
    "keystore",
    "keychain",
    "kdb",
    "kdbx",
    "agekey",
    "ovpn",
    "tfvars",
    "tfstate",
    "kubeconfig",
    "htpasswd",
];

/// Stems that are secret with any extension, source code included: `secrets.py` and `secrets.h` are where small projects keep them.
const STEMS: [&str; 4] = ["credential", "credentials", "secret", "secrets"];

/// Words that make a name secret, unless its extension is that of source code or prose, where they are the subject.
const WORDS: [&str; 7] = ["credential", "credentials", "secret", "secrets", "passwd", "password", "passwords"];

/// Beginnings of names with that effect: `id_ed25519`, `credentialsbackup`, `service-account-prod.json`.
const WORD_PREFIXES: [&str; 4] = ["id_", "credentials", "service-account", "service_account"];

/// Directories below which everything is secret, in small letters.
const SECRET_DIRECTORIES: [&str; 10] =
    [".env", ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".gcloud", ".password-store", ".secrets"];

/// Directories below which everything but source code and prose is secret: mounted secrets, but also packages with that
/// name.
const WORD_DIRECTORIES: [&str; 4] = ["credential", "credentials", "secret", "secrets"];

/// Extensions of source code, pages, styles, pictures and prose: `reset_password.tsx` is about a secret and holds none.
/// `pub` is the public half of a key pair.
const PUBLISHED: [&str; 73] = [
    "pub", "rs", "go", "py", "pyi", "rb", "erb", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte",
    "astro", "java", "kt", "kts", "scala", "groovy", "clj", "cljs", "c", "h", "cc", "cpp", "cxx", "hh", "hpp", "m",
    "mm", "swift", "cs", "fs", "vb", "php", "pl", "pm", "lua", "r", "jl", "ex", "exs", "erl", "hs", "ml", "mli", "nim",
    "zig", "dart", "sol", "proto", "graphql", "html", "htm", "hbs", "css", "scss", "less", "md", "mdx", "rst", "adoc",
    "svg", "png", "jpg", "jpeg", "gif", "webp", "tf",
];

/// Words at the end of a name that mark its values as made up: `.env.example`.
const PLACEHOLDERS: [&str; 9] =
    ["example", "examples", "sample", "template", "tmpl", "tpl", "dist", "skel", "placeholder"];

/// Extensions that may follow such a word: `secrets.example.yml`. Extensions of keys are absent: `example.pem` may be a
/// real key.
const PLACEHOLDER_EXTENSIONS: [&str; 7] = ["env", "yml", "yaml", "json", "toml", "ini", "properties"];

/// Returns whether a path (bytes, `/` or `\` between segments) conventionally holds credentials, or lies in a directory
/// of such files. Names are compared ignoring case, as on case-insensitive file systems. The disk is not read: check a
/// link's target as well.
pub fn is_secret_name(path: &[u8]) -> bool {
    let path = String::from_utf8_lossy(path);
    let mut segments: Vec<PathSegment> =
        path.split(['/', '\\']).filter(|segment| !segment.is_empty()).map(PathSegment::parse).collect();
    let Some(last) = segments.pop() else { return false };
    let is_below = |directories: &[&str]| segments.iter().any(|segment| directories.contains(&segment.lower.as_str()));
    SECRET_DIRECTORIES.contains(&last.lower.as_str())
        || is_below(&SECRET_DIRECTORIES)
        || last.is_secret()
        || is_below(&WORD_DIRECTORIES) && !last.is_open()
}

/// One segment of a path, in the forms that the tables are compared with.
struct PathSegment {
    /// The segment in small letters.
    lower: String,
    /// Its words in small letters, split at other characters than letters and digits, and before a capital after a
    /// small letter.
    words: Vec<String>,
}

impl PathSegment {
    fn parse(segment: &str) -> Self {
        // Strips what editors put around copies, and what Windows drops or parses as a stream's name.
        let segment = segment.split(':').next().unwrap_or_default();
        let segment = segment.trim_matches(['#', '~', ' ']).trim_end_matches(['.', ' ']);
        let mut words = vec![String::new()];
        let mut after_small = false;
        for character in segment.chars() {
            if !character.is_alphanumeric() || after_small && character.is_uppercase() {
                words.push(String::new());
            }
            if character.is_alphanumeric() {
                words.last_mut().into_iter().for_each(|word| word.extend(character.to_lowercase()));
            }
            after_small = character.is_lowercase() || character.is_numeric();
        }
        words.retain(|word| !word.is_empty());
        Self { lower: segment.to_lowercase(), words }
    }

    /// Returns whether the name itself is one of a secret.
    fn is_secret(&self) -> bool {
        if self.is_placeholder() {
            return false;
        }
        let name = self.lower.as_str();
        let stem = name.trim_start_matches('.').split('.').next().unwrap_or_default();
        if NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || STEMS.contains(&stem) {
            return true;
        }
        !self.is_published()
            && (name.split('.').skip(1).any(|extension| EXTENSIONS.contains(&extension))
                || WORD_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
                || self.words.iter().any(|word| WORDS.contains(&word.as_str())))
    }

    /// Returns whether a file of this name may be shown although its directory holds secrets.
    fn is_open(&self) -> bool {
        self.is_published() || self.is_placeholder()
    }

    fn is_published(&self) -> bool {
        self.lower.rsplit_once('.').is_some_and(|(_, extension)| PUBLISHED.contains(&extension))
    }

    /// Returns whether the name marks its values as made up. A name of one word is no such marker.
    fn is_placeholder(&self) -> bool {
        let mut words = self.words.iter().rev().map(String::as_str).peekable();
        words.next_if(|last| PLACEHOLDER_EXTENSIONS.contains(last));
        self.words.len() > 1 && words.next().is_some_and(|word| PLACEHOLDERS.contains(&word))
    }
}

#[cfg(test)]
mod tests {
    use super::is_secret_name;

    #[track_caller]
    fn check(paths: &[&str], expect: bool) {
        for path in paths {
            assert_eq!(is_secret_name(path.as_bytes()), expect, "{path}");
        }
    }

    #[test]
    fn hides_names_of_secrets() {
        check(
            &[".env", ".env.local", "web/.env.production", ".envrc", "prod.env", ".ENV", ".env~", "#.env#", ".env."],
            true,
        );
        check(&[".env::$DATA", "a\\.env", "a/./.env", ".env/lib/x"], true);
        check(
            &["server.pem", "tls/server.key", "server.key.bak", "SERVER.KEY~", "a.p12", "a.pfx", "a.jks", "a.keystore"],
            true,
        );
        check(&["id_rsa", "keys/id_ed25519", "id_ecdsa_sk", "id_rsa.bak", "id_deploy"], true);
        check(
            &["credentials", "credentials.json", ".aws/credentials", ".cargo/credentials.toml", "Credentials.PY"],
            true,
        );
        check(
            &["gcp-credentials.json", "client_secret_1.json", "clientSecret.json", "secrets.yml", "secrets.py"],
            true,
        );
        check(&[".netrc", ".npmrc", ".npmrc.bak", ".pypirc", ".git-credentials", ".htpasswd", "passwords.txt"], true);
        check(&["example.com.key", "example.pem", "sample.p12", "example.com.env", ".env.example.local"], true);
        check(
            &[".kube/config", "kubeconfig", "prod.kubeconfig", ".docker/config.json", ".ssh/known_hosts", ".ssh"],
            true,
        );
        check(&["secrets/db", "run/secrets/db.txt", "config/credentials/production.yml.enc"], true);
        check(&["terraform.tfvars", "terraform.tfstate.backup", "service-account-prod.json", ".dev.vars"], true);
    }

    #[test]
    fn leaves_other_names() {
        check(&["", ".", "src/main.rs", "README.md", "environment.yml", "env.py", "key.rs", "src/keys.go"], false);
        check(
            &[".env.example", ".env.sample", ".env.template", ".env.local.example", "example.env", ".env.dist"],
            false,
        );
        check(&["secrets.example.yml", "credentials.json.sample"], false);
        check(&["keys/id_ed25519.pub", "id_map.rs", "src/id_generator.py", "idle"], false);
        check(&["src/CredentialsProvider.java", "reset_password.tsx", "docs/secret-management.md"], false);
        check(&["internal/secrets/manager.go", "secrets/README.md", "locale/de/messages.po", "monkey.txt"], false);
    }

    #[test]
    fn accepts_invalid_utf8() {
        assert!(is_secret_name(b"\xff/.env"));
        assert!(is_secret_name(b".env\xff"));
        assert!(!is_secret_name(b"\xff"));
    }
}
