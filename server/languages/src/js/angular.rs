//! Templates and style sheets that a component of Angular names in its decorator: `templateUrl: './a.component.html'`.
//!
//! Angular's compiler reads them relative to the component's own file. The keys are searched as words: the grammar, which reads the
//! imports of most files only from their first lines, would have to parse each component for them.

use std::ops::Range;

use memchr::memmem;
use pathfinder_literals::path::{extension, has_scheme, is_dynamic, join};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{Kind, Lookup, Reason, Report, Resolution, Severity, Want};

use super::kinds;
use crate::keyword_hits::line_before;

/// The keys, of which the last has a list as well.
const KEYS: [&str; 3] = ["templateUrl", "styleUrl", "styleUrls"];
/// Keys of one file. A file has one component, or some in examples.
const MAX_KEYS: usize = 100;
/// Bytes of a list of style sheets. Components have a few.
const MAX_LIST_BYTES: usize = 2 << 10;
/// Languages that a build turns into style sheets.
const STYLES: [&str; 4] = ["scss", "sass", "less", "styl"];

/// Adds the files of components in a script.
pub(super) fn check(report: &mut Report<'_>) {
    let text = report.source.text();
    // Components of AngularJS have such keys too, with addresses.
    if memmem::find(text.as_bytes(), b"@Component").is_none() {
        return;
    }
    let mut all: Vec<Range<usize>> = KEYS.iter().flat_map(|key| values(text, key)).collect();
    all.sort_by_key(|range| range.start);
    for range in all.into_iter().filter(|range| report.source.wants(range)) {
        let outcome = resolve(report, &text[range.clone()]);
        report.add(kinds::TS_COMPONENT_FILE, range.start, range.len(), outcome);
    }
}

/// The verdict on a file of a component.
fn resolve(report: &Report<'_>, written: &str) -> Resolution {
    if is_dynamic(written) || written.contains("${") || written.contains('?') {
        return unknown(Reason::Dynamic);
    }
    if has_scheme(written) || written.starts_with('/') {
        return unknown(Reason::Elsewhere);
    }
    let (tree, here) = (report.project.tree(), report.source.directory());
    let Some(path) = join(here, written) else { return unknown(Reason::Outside) };
    let stem = path.strip_suffix("css").filter(|_| extension(&path) == "css");
    if stem.is_some_and(|stem| STYLES.iter().any(|end| tree.kind(&format!("{stem}{end}")) == Some(Kind::File))) {
        return unknown(Reason::Produced("a compiler of style sheets".to_owned()));
    }
    Lookup::new(report.project, Want::File).verdict(severity_in(report.source.path(), Severity::Error), [Some(path)])
}

/// The byte ranges of the strings at a key.
fn values<'t>(text: &'t str, key: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let is_code = |at: &usize| {
        let line = line_before(text, *at).unwrap_or_default().trim_start();
        let is_word = !text[..*at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'));
        is_word && !line.starts_with("//") && !line.starts_with('*')
    };
    memmem::find_iter(text.as_bytes(), key).take(MAX_KEYS).filter(is_code).flat_map(move |at| {
        let rest = text[at + key.len()..].trim_start_matches(['"', '\'', ' ']);
        let value = rest.strip_prefix(':').map(str::trim_start).unwrap_or_default();
        let start = text.len() - value.len();
        let mut strings = Vec::new();
        if value.starts_with('[') {
            let list = pathfinder_literals::path::head(value, MAX_LIST_BYTES);
            let list = &list[..list.find(']').unwrap_or_default()];
            let mut from = 0;
            while let Some(string) = list.get(from..).and_then(first_string) {
                strings.push(start + from + string.start..start + from + string.end);
                from += string.end + 1;
            }
        } else if value.starts_with(['"', '\'', '`']) {
            strings.extend(first_string(value).map(|string| start + string.start..start + string.end));
        }
        strings
    })
}

/// The byte range of the content of the first string of a text, which is in one line.
fn first_string(text: &str) -> Option<Range<usize>> {
    let start = text.find(['"', '\'', '`'])?;
    let quote = text[start..].chars().next()?;
    let line = text[start + 1..].lines().next()?;
    line.find(quote).filter(|length| *length > 0).map(|length| start + 1..start + 1 + length)
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_ranges_valid, check};

    const TREE: &str = "app/a.component.html\napp/a.component.scss\napp/b.component.scss\napp/new.html\nmoved app/old.html app/new.html";

    #[test]
    fn resolves_files_of_components() {
        let check = |inside: &str, expect: &str| {
            check(TREE, "app/a.component.ts", &format!("@Component({{\n  selector: 'a',\n{inside}\n}})\n"), expect);
        };
        check("templateUrl: './a.component.html',", "ts.component_file ./a.component.html → app/a.component.html");
        check("templateUrl: 'a.component.html',", "ts.component_file a.component.html → app/a.component.html");
        check("templateUrl: './a.componet.html',", "ts.component_file ./a.componet.html → missing");
        check("templateUrl: `./old.html`", "ts.component_file ./old.html → moved");
        check("styleUrl: \"./a.component.scss\"", "ts.component_file ./a.component.scss → app/a.component.scss");
        check(
            "styleUrls: [\n    './a.component.scss', \"./gone.scss\",\n    './b.component.css']",
            "ts.component_file ./a.component.scss → app/a.component.scss
             ts.component_file ./gone.scss → missing
             ts.component_file ./b.component.css → unknown produced",
        );
        check("templateUrl: '/a/b.html', styleUrls: []", "ts.component_file /a/b.html → unknown elsewhere");
        check("templateUrl: `./${x}.html`", "ts.component_file ./${x}.html → unknown dynamic");
        check("// templateUrl: './gone.html'\n* styleUrl: './gone.css'", "");
        check("templateUrl: name,\nx: './gone.html'", "");
        check("templateUrlOf: './gone.html'", "");
    }

    #[test]
    fn leaves_other_scripts() {
        check(TREE, "app/a.js", "module.component('a', { templateUrl: './gone.html' })\n", "");
        assert_ranges_valid("app/a.ts", "@Component({ styleUrls: ['é");
        assert_ranges_valid("app/a.ts", "@Component({ templateUrl: \"");
    }
}
