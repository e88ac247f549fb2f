//! Tests of templates: names in the project's own directories, in those of packages, and tags that name nothing.

use proptest::prelude::*;

use crate::testing::{assert_ranges_valid, check, severities};

const TREE: &str = "
    shop/__init__.py
    shop/templates/shop/base.html
    shop/templates/shop/parts/card.html
    shop/templates/shop/parts/row.html
    blog/templates/blog/post.html
    site/templates/admin/base_site.html
    site/templates/base.html
";

#[test]
fn resolves_names_in_template_directories() {
    check(
        TREE,
        "blog/templates/blog/list.html",
        r#"{% extends "shop/base.html" %}{% include 'shop/parts/card.html' with a=b %}{%- include "blog/post.html" -%}
{% include "shop/parts/gone.html" %}{% include "blog/old/x.html" %}{% include "other/x.html" %}{% include "x.html" %}
{% include "./post.html" %}{% include "../gone/a.html" %}{% from "shop/parts/row.html" import x %}{% import 'shop/row.html' as y %}"#,
        "template.include shop/base.html → shop/templates/shop/base.html
        template.include shop/parts/card.html → shop/templates/shop/parts/card.html
        template.include blog/post.html → blog/templates/blog/post.html
        template.include shop/parts/gone.html → missing
        template.include blog/old/x.html → missing
        template.include other/x.html → unknown elsewhere
        template.include x.html → unknown elsewhere
        template.include ./post.html → blog/templates/blog/post.html
        template.include ../gone/a.html → missing
        template.include shop/parts/row.html → shop/templates/shop/parts/row.html
        template.include shop/row.html → missing",
    );
}

#[test]
fn leaves_templates_of_packages_alone() {
    let overriding = r#"{% extends "admin/base_site.html" %}{% include "admin/filter.html" %}"#;
    let unknown = "template.include admin/base_site.html → unknown elsewhere
        template.include admin/filter.html → unknown elsewhere";
    check(TREE, "site/templates/admin/base_site.html", overriding, unknown);
    // Django itself has the application.
    let django = "contrib/admin/templates/admin/base.html\ncontrib/admin/templates/admin/base_site.html";
    let own = "template.include admin/base_site.html → contrib/admin/templates/admin/base_site.html
        template.include admin/filter.html → missing";
    check(django, "contrib/admin/templates/admin/list.html", overriding, own);
    // The application has another name than its templates, or than those that it had.
    let labelled = "cms/admin/apps.py = label = \"wagtailadmin\"\ncms/admin/templates/wagtailadmin/a.html";
    let gone = r#"{% include "wagtailadmin/gone.html" %}"#;
    check(
        labelled,
        "cms/admin/templates/wagtailadmin/x.html",
        gone,
        "template.include wagtailadmin/gone.html → missing",
    );
    check(
        "a/picks/templates/promos/b.html",
        "a/picks/templates/promos/x.html",
        r#"{% include "picks/b.html" %}"#,
        "template.include picks/b.html → missing",
    );
}

#[test]
fn skips_computed_names_and_comments() {
    check(
        TREE,
        "shop/templates/shop/x.html",
        r#"{# {% include "shop/a.html" %} #}{% comment %}{% include "shop/b.html" %}{% endcomment %}{% include name %}
{% raw %}{% include "shop/c.html" %}{% endraw %}{% include "shop/" ~ x %}{% include "shop/d.html" ignore missing %}
{% include "shop/"|add:x %}{% include "@Shop/e.html" %}{% include "!layout.html" %}"#,
        "template.include shop/d.html → unknown optional
        template.include @Shop/e.html → unknown elsewhere
        template.include !layout.html → unknown elsewhere",
    );
    check(TREE, "shop/pages/x.html", r#"{% include "shop/gone.html" %}"#, "");
    check(TREE, "{{app}}/templates/shop/x.html", r#"{% include "shop/gone.html" %}"#, "");
    let gone = r#"{% include "shop/gone.html" %}"#;
    assert_eq!(severities(TREE, "shop/templates/shop/x.html", gone), ["warning"]);
    assert_eq!(severities(TREE, "tests/fixtures/templates/shop/x.html", gone), ["hint"]);
}

proptest! {
    #[test]
    fn accepts_any_text(text in "([\\PC\n]|\\{%|%\\}|\\{#|#\\}| include | raw |\"|'|-|é){0,40}") {
        assert_ranges_valid("a/templates/x.html", &text);
    }
}
