//! Checks settings from every source.

use super::{Key, Overrides, Settings};
use std::ffi::OsString;
use std::path::Path;

/// Loads settings from flags, environment and file. Compares `value (source)` of one setting, or the beginning of the
/// error, without the directory.
#[track_caller]
fn check(flags: &[(Key, &str)], environment: &[(&str, &str)], file: Option<&str>, name: &str, expect: &str) {
    let root = tempfile::tempdir().unwrap();
    if let Some(text) = file {
        std::fs::write(root.path().join("pathfinder.toml"), text).unwrap();
    }
    let mut given = Overrides::default();
    for &(key, value) in flags {
        given.set(key, value.into());
    }
    let variable = |asked: &str| environment.iter().find(|(name, _)| *name == asked).map(|(_, v)| OsString::from(v));
    let actual = match Settings::load(&given, &variable, root.path()) {
        Ok(settings) => {
            let (_, value, source) = settings.shown().find(|(setting, ..)| setting.name == name).unwrap();
            format!("{value} ({})", within(&source.to_string(), root.path()))
        }
        Err(error) => format!("error: {}", within(&error.to_string(), root.path())),
    };
    assert!(actual.starts_with(expect), "{actual}\nshould start with\n{expect}");
}

fn within(text: &str, root: &Path) -> String {
    text.replace(&format!("{}{}", root.display(), std::path::MAIN_SEPARATOR), "")
}

#[test]
fn flag_wins_over_environment_over_file_over_default() {
    let file = Some("topk = 40");
    check(&[(Key::Topk, "20")], &[("RESOLVE_TOPK", "30")], file, "topk", "20 (--topk)");
    check(&[], &[("RESOLVE_TOPK", "30")], file, "topk", "30 (RESOLVE_TOPK)");
    check(&[], &[], file, "topk", "40 (pathfinder.toml)");
    check(&[], &[], None, "topk", "10 (default)");
    check(&[], &[("RESOLVE_TOPK", "")], None, "topk", "10 (default)");
}

#[test]
fn parses_values_of_every_kind() {
    check(&[], &[("INCLUDE_DIRS", " target/, dist ,")], None, "include_dirs", "target,dist (INCLUDE_DIRS)");
    check(&[], &[], Some("include_dirs = ['a', 'b']"), "include_dirs", "a,b (pathfinder.toml)");
    check(&[], &[("RESOLVE_RERANK", "OFF")], None, "rerank", "off (RESOLVE_RERANK)");
    check(&[], &[], Some("rerank = false"), "rerank", "off (pathfinder.toml)");
    check(&[], &[("RESOLVE_MODEL_PRECISION", "fp32")], None, "model_precision", "fp32");
    check(&[], &[("RESOLVE_MODEL_DIR", "/")], None, "model_dir", "/ (RESOLVE_MODEL_DIR)");
    // A missing model is only reported when one is needed.
    check(&[], &[("RESOLVE_MODEL_DIR", "/no/such/place")], None, "model_dir", "/no/such/place");
    check(&[], &[], None, "ort_library", "auto (default)");
    check(&[], &[("RESOLVE_ORT_LIBRARY", "off")], None, "ort_library", "off (RESOLVE_ORT_LIBRARY)");
    check(&[(Key::OrtLibrary, "/l.so")], &[], None, "ort_library", "/l.so (--ort-library)");
    check(&[], &[("RESOLVE_VECTOR_CACHE_MB", "0")], None, "vector_cache_mb", "0");
    check(&[(Key::CacheDir, "/c")], &[("HOME", "/h")], None, "cache_dir", "/c (--cache-dir)");
}

#[test]
#[cfg(target_os = "linux")]
fn defaults_to_the_users_cache_directory() {
    check(&[], &[("HOME", "/h")], None, "cache_dir", "/h/.cache/pathfinder (default)");
    check(&[], &[("HOME", "/h"), ("XDG_CACHE_HOME", "/x")], None, "cache_dir", "/x/pathfinder (default)");
    check(&[], &[("HOME", "/h"), ("XDG_CACHE_HOME", "x")], None, "cache_dir", "/h/.cache/pathfinder (default)");
    check(&[], &[], None, "cache_dir", "none (default)");
}

#[test]
fn refuses_bad_values_and_names_valid_ones() {
    let bad = |variable, value, expect: &str| check(&[], &[(variable, value)], None, "topk", expect);
    bad("RESOLVE_TOPK", "0", "error: RESOLVE_TOPK: topk is \"0\", but must be a number from 1 to 200");
    bad("RESOLVE_TOPK", "201", "error: RESOLVE_TOPK: topk");
    bad("RESOLVE_TOPK", "many", "error: RESOLVE_TOPK: topk is \"many\"");
    bad("RESOLVE_RERANK", "perhaps", "error: RESOLVE_RERANK: rerank is \"perhaps\", but must be on or off");
    bad("RESOLVE_MODEL_PRECISION", "int4", "error: RESOLVE_MODEL_PRECISION: model_precision is \"int4\"");
    bad("RESOLVE_VECTOR_CACHE_MB", "4096", "error: RESOLVE_VECTOR_CACHE_MB: vector_cache_mb is \"4096\", but must be");
    bad("INCLUDE_DIRS", "../up", "error: INCLUDE_DIRS: include_dirs is \"../up\"");
    bad("INCLUDE_DIRS", "/etc", "error: INCLUDE_DIRS: include_dirs is \"/etc\"");
}

#[test]
fn refuses_a_bad_file() {
    let bad = |text, expect: &str| check(&[], &[], Some(text), "topk", expect);
    bad("topk = ", "error: pathfinder.toml: TOML parse error at line 1");
    bad("topq = 3", "error: pathfinder.toml: unknown setting \"topq\"; a project can set include_dirs, topk");
    bad("topk = 1.5", "error: pathfinder.toml: topk must be a string, number");
    bad("topk = 999", "error: pathfinder.toml: topk is \"999\"");
    bad("cache_dir = '/tmp/x'", "error: pathfinder.toml: a project cannot set cache_dir; use --cache-dir");
}
