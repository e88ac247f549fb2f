//! Reads names of modules, classes and namespaces, written with dots, `::` or backslashes, as paths.

use super::context::QueryContext;
use super::cost;

/// A module's name read as a path.
#[derive(Debug)]
pub(super) struct ModuleReading {
    pub(super) segments: Vec<String>,
    /// The root, where the name is relative to a file in one.
    pub(super) root: Option<usize>,
    /// True if the first segment is known to stand at the root.
    pub(super) is_anchored: bool,
    pub(super) cost: f32,
}

/// Known extensions: a name that ends in one is a file before it is a module.
const EXTENSIONS: &str = "\
    7z adoc astro avif bash bat bin bmp bz2 c cc cfg cjs clj cljs cmake cmd conf cpp cs csh csproj css csv cts \
    cu cxx d dart db diff doc dockerfile docx ejs elm env epub erb erl ex exe exs fish flac fs gif go gql \
    gradle graphql groovy gz h hbs hcl heic hh hpp hs htm html hxx ico ics ini ipynb jar java jinja jpeg jpg js \
    json json5 jsonc jsonl jsx key kt kts less lisp lock log lua m map markdown md mdx mjs mk mkv ml mm mov mp3 \
    mp4 mts nim nix odp ods odt ogg onnx otf out parquet pas patch pdf pem php pl plist pm png po ppt pptx \
    properties proto ps1 psd py pyi r rar rb rego rs rst rtf s safetensors sass scala scm scss sh snap so sol \
    sql sqlite styl sum svelte svg swift tar tex tf tfvars tgz tmpl toml tpl ts tsv tsx ttf txt v vcf vim vue \
    wasm wat wav webm webp woff woff2 xls xlsx xml xsd xz yaml yml zig zip zsh zst";

/// Extensions of languages with dotted module names.
const DOTTED_LANGUAGES: &[&str] =
    &["py", "pyi", "java", "kt", "kts", "scala", "groovy", "clj", "cs", "fs", "ex", "exs", "hs", "elm", "lua", "ml"];

/// First parts of package names that are reversed domains: such a name is never a file.
const DOMAINS: &[&str] = &["com", "org", "net", "io", "dev", "edu", "gov", "de", "fr", "jp", "uk", "cn", "ru", "javax"];

/// Every way to read the text as a module's name. `namespace`: its separators were backslashes.
pub(super) fn read_module_name(text: &str, namespace: bool, context: &QueryContext<'_>) -> Vec<ModuleReading> {
    if text.contains('/') {
        let classes = text.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        let classy = |part: &String| part.starts_with(|c: char| c.is_ascii_uppercase()) && is_name(part);
        if namespace && classes.len() > 1 && classes.iter().all(classy) {
            return vec![ModuleReading { segments: classes, root: None, is_anchored: false, cost: cost::MODULE_SURE }];
        }
        return Vec::new();
    }
    if text.contains("::") {
        return read_colons(text, context);
    }
    if text.starts_with('.') {
        return read_relative(text, context).into_iter().collect();
    }
    read_dotted(text, context).into_iter().collect()
}

/// Reads `crate::a::b`, `super::a` or `A::B`.
fn read_colons(text: &str, context: &QueryContext<'_>) -> Vec<ModuleReading> {
    // Generics, calls and groups end the name.
    let end = text.find(|c: char| !(c.is_alphanumeric() || "_:$".contains(c))).unwrap_or(text.len());
    let (name, after) = text.split_at(end);
    // `x.py::test` is a file and a name inside it.
    if after.starts_with(['.', '\\']) {
        return Vec::new();
    }
    let mut parts = name.split("::").filter(|part| !part.is_empty()).peekable();
    let krate = parts.next_if_eq(&"crate").is_some();
    let own = !krate && parts.next_if_eq(&"self").is_some();
    let mut climbs = 0;
    while !krate && parts.next_if_eq(&"super").is_some() {
        climbs += 1;
    }
    let parts: Vec<String> = parts.map(str::to_owned).collect();
    if parts.is_empty() || !parts.iter().all(|part| is_name(part)) {
        return Vec::new();
    }
    let mut forms =
        vec![ModuleReading { segments: parts.clone(), root: None, is_anchored: false, cost: cost::MODULE_SURE }];
    if krate {
        let segments = [vec!["src".to_owned()], parts].concat();
        forms.push(ModuleReading {
            segments,
            root: None,
            is_anchored: false,
            cost: cost::MODULE_SURE + cost::MODULE_SOURCE,
        });
    } else if (own || climbs > 0)
        && let Some((root, mut module)) = module_of_file(context)
        && let Some(kept) = module.len().checked_sub(climbs)
    {
        module.truncate(kept);
        module.extend(parts);
        forms.push(ModuleReading { segments: module, root, is_anchored: true, cost: cost::MODULE_SOURCE });
    }
    forms
}

/// The segments under which the children of the file's own Rust module lie.
fn module_of_file(context: &QueryContext<'_>) -> Option<(Option<usize>, Vec<String>)> {
    let file = context.file.as_ref()?;
    let (name, directory) = file.segments.split_last()?;
    let stem = name.strip_suffix(".rs")?;
    let mut module = directory.to_vec();
    if !matches!(stem, "mod" | "lib" | "main") {
        module.push(stem.to_owned());
    }
    Some((file.root, module))
}

/// Reads Python's `.mod` and `..pkg.mod`.
fn read_relative(text: &str, context: &QueryContext<'_>) -> Option<ModuleReading> {
    let name = text.trim_start_matches('.');
    let dots = text.len() - name.len();
    let parts: Vec<String> = name.split('.').map(str::to_owned).collect();
    if !parts.iter().all(|part| is_name(part)) {
        return None;
    }
    let base = extension_of_file(context).filter(|extension| extension.starts_with("py")).and(context.file_directory());
    if let Some(base) = base {
        let kept = base.segments.len().checked_sub(dots - 1)?;
        let segments = [&base.segments[..kept], &parts].concat();
        return Some(ModuleReading { segments, root: base.root, is_anchored: true, cost: cost::MODULE_SURE });
    }
    // `.name` alone is a hidden file.
    (dots > 1).then_some(ModuleReading { segments: parts, root: None, is_anchored: false, cost: cost::MODULE_LIKELY })
}

/// Reads `pkg.mod.name`, `com.acme.Foo` or `pkg.mod:func`.
fn read_dotted(text: &str, context: &QueryContext<'_>) -> Option<ModuleReading> {
    let text = text.split_once('(').map_or(text, |(name, _)| name);
    let (name, callable) = match text.split_once(':') {
        Some((name, symbol)) if is_name(symbol) => (name, true),
        Some(_) => return None,
        None => (text, false),
    };
    // An inner class lives in the file of the outer one.
    let name = name.split_once('$').map_or(name, |(outer, _)| outer);
    let (_, last) = name.rsplit_once('.')?;
    let parts: Vec<&str> = name.split('.').collect();
    if !parts.iter().all(|part| is_name(part)) {
        return None;
    }
    let cost = if parts.len() > 2 && DOMAINS.contains(&parts[0]) {
        cost::MODULE_SURE
    } else if EXTENSIONS.split(' ').any(|known| known.eq_ignore_ascii_case(last)) || last.len() < 3 {
        // `name.ext` is a file and nothing else.
        if parts.len() == 2 {
            return None;
        }
        cost::MODULE_UNLIKELY
    } else if callable {
        cost::MODULE_SURE
    } else if parts.len() > 2 || extension_of_file(context).is_some_and(|known| DOTTED_LANGUAGES.contains(&known)) {
        cost::MODULE_LIKELY
    } else {
        cost::MODULE_SHORT
    };
    Some(ModuleReading {
        segments: parts.into_iter().map(str::to_owned).collect(),
        root: None,
        is_anchored: false,
        cost,
    })
}

fn extension_of_file<'a>(context: &'a QueryContext<'_>) -> Option<&'a str> {
    Some(context.file.as_ref()?.segments.last()?.rsplit_once('.')?.1)
}

/// Returns whether the text can be an identifier. Dashes are allowed, because file names have them for underscores.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}
