//! Tests of templates, as rows of template, name and verdict.

use crate::testing::{assert_ranges_valid, check};

#[test]
fn reports_names_of_the_own_directory_with_a_typo() {
    let tree = "app/templates/pages/pages_base.html\nshop/templates/shop/cart.html";
    let text = "{% extends \"pages_bse.html\" %}{% include \"other.html\" %}";
    let expect = "template.include pages_bse.html → missing\ntemplate.include other.html → unknown elsewhere";
    check(tree, "app/templates/pages/welcome.html", text, expect);
}

#[test]
fn resolves_names_below_the_roots() {
    check(
        "app/templates/app/base.html
         app/templates/app/parts/row.html
         shop/templates/shop/cart.html
         shop/templates/mail/cart.txt
         one/templates/both.html
         two/templates/both.html
         moved app/templates/app/old.html app/templates/app/parts/row.html",
        "app/templates/app/page.html",
        "{% extends \"app/base.html\" %}
         {% include 'app/parts/row.html' with a=b %}{% include \"shop/cart.html\" %}
         {% include \"app/parts/rows.html\" %}{% include \"app/parts/gone.html\" ignore missing %}
         {% include \"app/old.html\" %}{% include \"both.html\" %}{% include \"admin/base.html\" %}
         {% include \"app/{{ x }}.html\" %}{% include \"@App/x.html\" %}{% include template.html %}",
        "template.include app/base.html → app/templates/app/base.html
         template.include app/parts/row.html → app/templates/app/parts/row.html
         template.include shop/cart.html → shop/templates/shop/cart.html
         template.include app/parts/rows.html → missing
         template.include app/parts/gone.html → unknown optional
         template.include app/old.html → moved
         template.include both.html → unknown undecided
         template.include admin/base.html → unknown elsewhere
         template.include app/{{ x }}.html → unknown dynamic
         template.include @App/x.html → unknown dynamic",
    );
}

#[test]
fn resolves_relative_and_bare_names() {
    check(
        "src/layouts/main.njk\nsrc/pages/part.njk",
        "src/pages/a.njk",
        "{% extends \"../layouts/main.njk\" %}{% include \"./part.njk\" %}{% include \"./gone.njk\" %}{% include \"part.njk\" %}",
        "template.include ../layouts/main.njk → src/layouts/main.njk
         template.include ./part.njk → src/pages/part.njk
         template.include ./gone.njk → missing
         template.include part.njk → src/pages/part.njk",
    );
    check(
        "a/templates/x.html\nb/templates/y.html",
        "a/templates/z.html",
        "{% extends \"../../b/templates/y.html\" %}{% extends \"!layout.html\" %}",
        "template.include ../../b/templates/y.html → unknown outside
         template.include !layout.html → unknown dynamic",
    );
    check(
        "site/_includes/head.html\nsite/_includes/nav/top.html",
        "site/_layouts/page.html",
        "{% include head.html x=y %}{% include nav/top.html %}{% include gone.html %}",
        "template.include head.html → site/_includes/head.html
         template.include nav/top.html → site/_includes/nav/top.html
         template.include gone.html → unknown elsewhere",
    );
}

#[test]
fn follows_templates_that_moved_down() {
    let tree = "a/templates/parts/row.html\nb/templates/parts/templates/end.html\nmoved a/templates/row.html a/templates/parts/row.html\n\
                moved b/templates/end.html b/templates/parts/templates/end.html";
    let text = "{% include 'row.html' %}{% include 'end.html' %}";
    check(
        tree,
        "a/templates/x.html",
        text,
        "template.include row.html → moved\ntemplate.include end.html → b/templates/parts/templates/end.html",
    );
}

#[test]
fn resolves_names_of_liquid() {
    check(
        "docs/templates/shared/_head.liquid\nsnippets/price.liquid\nsections/price.liquid\nsnippets/card.liquid\ndocs/templates/both.liquid\n\
         docs/templates/_both.liquid",
        "docs/templates/index.liquid",
        "{% include \"shared/head\" %}{% render 'price' with a %}{%- render 'gone' -%}{% include 'both' %}{% include x %}",
        "template.include shared/head → docs/templates/shared/_head.liquid
         template.include price → snippets/price.liquid
         template.include gone → unknown elsewhere
         template.include both → unknown undecided",
    );
    check("templates/head.html", "templates/a.html", "{% include 'head' %}", "template.include head → unknown dynamic");
}

#[test]
fn accepts_any_text() {
    for text in ["{%", "{% include", "{% include \"", "{% include 'é", "{{ include('", "{%é include 'a.html' %}"] {
        assert_ranges_valid("templates/a.html", text);
    }
}
