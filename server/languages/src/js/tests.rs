//! Tests of the JavaScript checker, as rows of script, literal and verdict.

use crate::testing::{assert_ranges_valid, check, severities};

mod learned;
mod silent;

const TREE: &str = "src/b.ts\nsrc/c/index.tsx\nsrc/d.js\nsrc/style.css\nsrc/e.vue\nsrc/f.d.ts\nsrc/g.ios.js\nsrc/node.mts\n\
                    src/data.json\nsrc/h/x.txt";

#[test]
fn leaves_branches_of_other_loaders_alone() {
    let wrapper = "(function(mod) { if (typeof exports == 'object') mod(require('../../src/gone'));\n\
                   else if (typeof define == 'function' && define.amd) define(['../../src/gone'], mod);\nelse mod(Gone); })(f)";
    let expect = "js.require ../../src/gone → unknown optional\njs.require ../../src/gone → unknown optional";
    check(TREE, "src/js/x.js", wrapper, expect);
    check(TREE, "src/js/x.js", "mod(require('../../src/gone'));", "js.require ../../src/gone → missing");
    // A wrapper that requires a file which is there was not copied without its files.
    let own =
        "if (typeof define === 'function' && define.amd) {} else factory(exports, require('./d'), require('./gone'));";
    check(TREE, "src/a.js", own, "js.require ./d → src/d.js\njs.require ./gone → missing");
}

#[test]
fn reads_modules_that_define_declares() {
    let (found, missing) = ("js.require ./d → src/d.js", "js.require ./gone → missing");
    let both = format!("{found}\n{missing}");
    check(TREE, "src/a.js", "define(['./d', /* './e' */ 'b/c', // ']\n'./gone'], function (d) {});", &both);
    check(TREE, "src/a.js", "define(function (require) { require('./d'); require('./gone'); require('b'); });", &both);
    check(TREE, "src/a.js", "define(['text!./h/x.txt'], function (x) {});", "js.require ./h/x.txt → src/h/x.txt");
    // A module with a name, another function, a comment, and a list that does not end.
    check(TREE, "src/a.js", "define('x/y', ['./gone'], function (require) { require('./gone'); });", "");
    check(TREE, "src/a.js", "run(function (require) { require('./gone'); }); predefine(['./gone']);", "");
    check(TREE, "src/a.js", "// define(['./gone']);\n/*\n * define(['./gone']);\n */\nrequire;", "");
    check(TREE, "src/a.js", "define(['./gone', './d", missing);
}

#[test]
fn reads_paths_after_loaders() {
    check(TREE, "src/a.ts", "import '!!raw-loader!./gone.txt';", "ts.import ./gone.txt → missing");
    check(TREE, "src/a.ts", "import '!!raw-loader!./h/x.txt';", "ts.import ./h/x.txt → src/h/x.txt");
}

#[test]
fn reports_extensions_that_node_does_not_add() {
    let tree = "src/x.mjs\nsrc/y.mjs\nmoved src/x.js src/x.mjs";
    check(
        tree,
        "src/a.js",
        "require('./x'); require('./y'); require('./x.mjs')",
        "js.require ./x → moved\njs.require ./y → src/y.mjs\njs.require ./x.mjs → src/x.mjs",
    );
    check(tree, "src/a.mjs", "import './x';", "js.import ./x → moved");
    // A bundler may add them.
    check(tree, "src/a.js", "import './x';", "js.import ./x → src/x.mjs");
}

#[test]
fn reads_comments_among_names() {
    check(
        TREE,
        "src/a.js",
        "const t = 'a lazy import.';\nexport {\n  a, // such as: b.\n  c,\n} from './gone';\nimport { // d: e.\n  f\n} from './b';\n\
         import g // h: i.\n  from './d';\nimport { \"a-b\" as e } from './none';\n",
        "js.import ./gone → missing\njs.import ./b → src/b.ts\njs.import ./d → src/d.js\njs.import ./none → missing",
    );
}

#[test]
fn resolves_relative_imports() {
    check(
        TREE,
        "src/a.ts",
        "/// <reference path=\"./f.d.ts\" />\n/// <reference path='gone.d.ts' />\n/// <reference types=\"node\" />\n\
         import b from './b.js';\nimport type { C } from './c';\nexport * from \"./gone\";\nimport './style.css';\n\
         import x = require('./d');\nexport { e } from './e.vue';\nimport './g';\nimport './node.mjs';\nimport './b?raw';\n\
         import './style.css?inline#x';\nimport './h';\ntype T = import('./gone').T;\ndeclare module './b' {}\n\
         import './B';\nimport '../../x';\nimport '..';\nimport type { B } from './b.d.ts';\n",
        "ts.reference ./f.d.ts → src/f.d.ts
         ts.reference gone.d.ts → missing
         ts.import ./b.js → src/b.ts
         ts.import ./c → src/c/index.tsx
         ts.import ./gone → missing
         ts.import ./style.css → src/style.css
         ts.require ./d → src/d.js
         ts.import ./e.vue → src/e.vue
         ts.import ./g → src/g.ios.js
         ts.import ./node.mjs → src/node.mts
         ts.import ./b?raw → src/b.ts
         ts.import ./style.css?inline#x → src/style.css
         ts.import ./h → missing
         ts.dynamic_import ./gone → missing
         ts.module ./b → src/b.ts
         ts.import ./B → case-mismatch
         ts.import ../../x → unknown outside
         ts.import .. → missing
         ts.import ./b.d.ts → src/b.ts",
    );
}

/// Most modules begin with all their imports, and have samples in their documentation.
#[test]
fn reads_the_head_of_a_script() {
    let rest = "/**\n * import './none';\n *\n * const a = require('./none');\n */\n// import './none';\n\
                export function f() { module.from('./none'); return 'import'; }\n"
        .repeat(9);
    let head = "import b from './b.js';\nexport { e } from './gone';\n";
    let expect = "ts.import ./b.js → src/b.ts\n         ts.import ./gone → missing";
    check(TREE, "src/a.ts", &format!("{head}{rest}"), expect);
    check(TREE, "src/a.ts", &rest, "");
    // Code can look like a line of a comment.
    let rest =
        "/* a */\nexport\n* from './gone';\nconst c = `\n// ${require('./d')}\n/*\n * ${require('./gone')}\n`;\n";
    check(
        TREE,
        "src/a.ts",
        &format!("/*\n*/ import './b';\n{rest}"),
        "ts.import ./b → src/b.ts
         ts.import ./gone → missing
         ts.require ./d → src/d.js
         ts.require ./gone → missing",
    );
}

#[test]
fn resolves_calls() {
    check(
        TREE,
        "src/a.js",
        "const a = require('./d'), b = require.resolve(\"./gone\");\nimport(`./data.json`);\nimport(`./${a}`);\n\
         jest.mock('./gone', () => ({}));\nvi.importActual('./b.ts');\njest.genMockFromModule('./d');\nother.mock('./gone');\n\
         new URL('./style.css', import.meta.url);\nnew URL('./gone.png', import.meta.url);\nnew URL('.', import.meta.url);\n\
         new URL('./out', import.meta.url);\nnew URL('./gone.png', base);\nload('./gone');\n'require(\"./gone\")';\n\
         // require('./gone')\nimport.meta.resolve('./gone');\n",
        "js.require ./d → src/d.js
         js.require ./gone → missing
         js.dynamic_import ./data.json → src/data.json
         js.mock ./gone → missing
         js.mock ./b.ts → src/b.ts
         js.mock ./d → src/d.js
         js.url ./style.css → src/style.css
         js.url ./gone.png → missing
         js.url . → src
         js.url ./out → unknown undecided
         js.dynamic_import ./gone → missing",
    );
}

#[test]
fn reads_older_and_typed_scripts() {
    check(
        TREE,
        "src/a.js",
        "// @flow\nimport type { A } from './gone';\nconst b: ?A = (null: any);\n",
        "js.import ./gone → missing",
    );
    check(
        TREE,
        "src/a.js",
        "export b from './gone'\nexport c from './d'\n",
        "js.import ./gone → missing\njs.import ./d → src/d.js",
    );
    check(
        TREE,
        "src/a.tsx",
        "import g from './gone';\nconst b = <A<string> c=\"./no\" />;\n",
        "ts.import ./gone → missing",
    );
}

#[test]
fn checks_components() {
    check(
        TREE,
        "src/a.vue",
        "<!-- <script>import './no'</script> -->\n<template>\n <img src=\"./gone.png\"><img src=\"/x.png\" :src=\"'./no'\">\n\
         </template>\n<script setup lang=\"ts\">\nimport './gone'\n</script>\n<script>import './d'</script>\n\
         <script src=\"./gone.js\"></script><style src='./style.css'></style>",
        "vue.src ./gone.png → missing
         ts.import ./gone → missing
         js.import ./d → src/d.js
         vue.src ./gone.js → missing
         vue.src ./style.css → src/style.css",
    );
    check(
        TREE,
        "src/a.svelte",
        "<script context=\"module\" generics=\"T extends A<B>\">import './gone'</script>\n{#if a < b}<img src=\"./no.png\">{/if}\n\
         <svelte:head><script type=\"text/template\">import './no'</script></svelte:head>",
        "js.import ./gone → missing",
    );
    check(
        TREE,
        "src/a.astro",
        "---\nimport './gone';\nconst a = '<script>';\n---\n<p>x</p><script>import './d'</script><script is:inline>import './no'</script>",
        "ts.import ./gone → missing\nts.import ./d → src/d.js",
    );
}

#[test]
fn resolves_aliases_of_typescript() {
    let tree = "tsconfig.json = {\"extends\": \"@x/not-installed\", \"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"@/*\": [\"./src/*\"], // x\\n \"*\": [\"types/*\"]}}}\n\
                src/b.ts\nsrc/util/c.ts\nother/tsconfig.json = {\"extends\": \"../base/tsconfig\"}\n\
                base/tsconfig.json = {\"compilerOptions\": {\"paths\": {\"~lib/*\": [\"../src/util/*\"]}}}\nother/x.ts\n\
                src/ambient.d.ts = declare module '@/made' {}\\ndeclare module '*.svg';";
    check(
        tree,
        "src/a.ts",
        "import '@/b';\nimport '@/gone';\nimport 'src/util/c';\nimport 'src/gone';\nimport '@/made';\nimport '@/gone.svg';\nimport '~lib/c';\nimport 'lib/gone';",
        "ts.import @/b → src/b.ts
         ts.import @/gone → missing
         ts.import src/util/c → src/util/c.ts
         ts.import src/gone → missing
         ts.import @/made → unknown elsewhere
         ts.import @/gone.svg → missing
         ts.import ~lib/c → unknown not-installed
         ts.import lib/gone → unknown not-installed",
    );
    check(
        tree,
        "other/a.ts",
        "import '~lib/c';\nimport '~lib/gone';",
        "ts.import ~lib/c → src/util/c.ts\nts.import ~lib/gone → missing",
    );
    // The base of one build has the name of a package that is installed.
    check(
        "package.json = {\"dependencies\": {\"cookie\": \"1\"}}\ntsconfig.esm.json = {\"compilerOptions\": {\"baseUrl\": \"src\"}}\n\
         src/cookie.ts\nsrc/own.ts",
        "src/a.ts",
        "import 'cookie';\nimport 'own';",
        "ts.import cookie → unknown not-installed\nts.import own → src/own.ts",
    );
    // A template of another place.
    check(
        "tools/tsconfig_for_x.json = {\"compilerOptions\": {\"paths\": {\"@a/b\": [\"./b/mod.ts\"]}}}\nb/mod.ts\ntools/x.ts",
        "tools/a.ts",
        "import '@a/b';",
        "ts.import @a/b → unknown not-installed",
    );
}

/// A declaration of all modules below an alias gives them types, and the bundler needs their files.
#[test]
fn ignores_declarations_of_whole_aliases() {
    let tree = "tsconfig.json = {\"compilerOptions\": {\"paths\": {\"@/*\": [\"./src/*\"]}}}\nsrc/b.ts\n\
                src/types.d.ts = declare module '@/*';\\ndeclare module '@/made/*';\\ndeclare module '@/*.svg';\\ndeclare module '@/one';";
    check(
        tree,
        "src/a.ts",
        "import '@/b';\nimport '@/gone';\nimport '@/made/c';\nimport '@/gone.svg';\nimport '@/one';",
        "ts.import @/b → src/b.ts
         ts.import @/gone → missing
         ts.import @/made/c → unknown elsewhere
         ts.import @/gone.svg → unknown elsewhere
         ts.import @/one → unknown elsewhere",
    );
}

#[test]
fn resolves_aliases_of_bundlers() {
    let vite = "vite.config.ts = export default defineConfig({ resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)), \
                lib: path.resolve(__dirname, 'src', 'lib'), made: make('x') } }, test: { alias: [{ find: '#x', replacement: '/src/lib' }] } })\n\
                src/b.ts\nsrc/lib/c.ts";
    check(
        vite,
        "src/a.ts",
        "import '@/b';\nimport '@/gone';\nimport 'lib/c';\nimport 'lib';\nimport 'made/c';\nimport '#x/c';",
        "ts.import @/b → src/b.ts
         ts.import @/gone → missing
         ts.import lib/c → src/lib/c.ts
         ts.import lib → missing
         ts.import made/c → unknown not-installed
         ts.import #x/c → src/lib/c.ts",
    );
    let named = "src/b.js\nshared/c.js\npackage.json = {\"_moduleAliases\": {\"@root\": \".\", \"@shared\": \"shared\", \"@made\": \"dist\"}}\n\
                 .babelrc = {\"plugins\": [[\"module-resolver\", {\"alias\": {\"@own\": \"./src\", \"_\": \"lodash\", \"^x(.+)\": \"./src\"}}]]}";
    check(
        named,
        "src/a.js",
        "require('@shared/c'); require('@shared/gone'); require('@root/shared/c'); require('@made/c'); import '@own/b'; import '_/b';",
        "js.require @shared/c → shared/c.js
         js.require @shared/gone → missing
         js.require @root/shared/c → shared/c.js
         js.require @made/c → unknown not-installed
         js.import @own/b → src/b.js
         js.import _/b → unknown not-installed",
    );
    let jest =
        "jest.config.js = module.exports = { moduleNameMapper: { '^@app/(.*)$': '<rootDir>/src/$1' } }\nsrc/b.js";
    check(
        jest,
        "src/a.js",
        "require('@app/b'); require('@app/gone')",
        "js.require @app/b → src/b.js\njs.require @app/gone → unknown not-installed",
    );
    let kit = "svelte.config.js = export default {}\nsrc/lib/b.ts";
    check(
        kit,
        "src/routes/+page.ts",
        "import '$lib/b'; import '$lib/gone'; import '$app/stores'; import './$types'; import '$env/static/private';",
        "ts.import $lib/b → src/lib/b.ts
         ts.import $lib/gone → missing
         ts.import $app/stores → unknown not-installed
         ts.import ./$types → unknown produced
         ts.import $env/static/private → unknown not-installed",
    );
}

/// Yarn's Plug'n'Play has no `node_modules`. The project's own packages resolve by name, installed ones are never
/// missing, and a removed file is missing all the same.
#[test]
fn resolves_with_plug_and_play() {
    let tree = "package.json = {\"workspaces\": [\"packages/*\"], \"dependencies\": {\"lodash\": \"4\"}}\n\
                .pnp.cjs\n.yarnrc.yml = nodeLinker: pnp\n\
                packages/b/package.json = {\"name\": \"@x/b\", \"main\": \"./src/index.ts\"}\npackages/b/src/index.ts";
    check(
        tree,
        "packages/a/src/a.ts",
        "import 'lodash'; import 'lodash/fp'; import '@x/b'; import '@x/b/src/gone'; import './gone';",
        "ts.import lodash → unknown not-installed
         ts.import lodash/fp → unknown not-installed
         ts.import @x/b → packages/b/src/index.ts
         ts.import @x/b/src/gone → missing
         ts.import ./gone → missing",
    );
}

#[test]
fn leaves_sources_of_other_languages() {
    let tree = "a/button.ec\na/card.md\na/list.spec.ec";
    let expect = "ts.import ./button → unknown undecided\nts.import ./card → missing\nts.import ./list → missing";
    check(tree, "a/x.ts", "import './button'; import './card'; import './list';", expect);
}

#[test]
fn reads_components_of_ember() {
    let text = "import A from './b';\nimport C from './gone';\n<template>\n  {{#if @x}}<A @y={{1}} />{{else}}it's{{/if}}\n</template>\n";
    check("a/b.gts", "a/x.gts", text, "ts.import ./b → a/b.gts\nts.import ./gone → missing");
    check("a/b.gts", "a/x.gjs", text, "js.import ./b → a/b.gts\njs.import ./gone → missing");
    check("a/b.ts", "a/x.svelte", "<script type=\"ts\">\nimport './b';\n</script>\n", "ts.import ./b → a/b.ts");
}

/// A build can have its sources in any directory of the package.
#[test]
fn finds_sources_of_entries_in_any_directory() {
    let tree = "p/package.json = {\"name\": \"@x/p\", \"exports\": {\"./schema\": \"./dist/schema.mjs\", \"./client\": \"./dist/client.mjs\"}}\n\
                p/lib/schema.ts\nq/client.ts\nmoved p/schema.ts p/lib/schema.ts\nmoved p/client.ts q/client.ts";
    let expect = "ts.import @x/p/schema → p/lib/schema.ts\nts.import @x/p/client → moved";
    check(tree, "q/c.ts", "import '@x/p/schema'; import '@x/p/client';", expect);
    // Node refuses a path that `exports` lacks, so an edit must not write one.
    check(tree, "q/c.ts", "import '@x/p/lib/schema';", "ts.import @x/p/lib/schema → unknown produced");
}

#[test]
fn resolves_packages_of_the_project() {
    let tree = "package.json = {\"workspaces\": [\"packages/*\"]}\n\
                packages/b/package.json = {\"name\": \"@x/b\", \"main\": \"./dist/index.js\", \"exports\": {\".\": \"./dist/index.js\", \"./sub/*\": {\"import\": \"./dist/esm/sub/*.mjs\"}, \"./made\": \"./dist/made.js\"}, \"imports\": {\"#in/*\": \"./src/*.ts\"}}\n\
                packages/b/src/index.ts\npackages/b/src/sub/c.ts\npackages/d/package.json = {\"name\": \"d\", \"types\": \"lib/d.d.ts\"}\npackages/d/src/d.ts\npackages/d/style/x.css";
    check(
        tree,
        "packages/b/src/a.ts",
        "import '@x/b'; import '@x/b/sub/c'; import '@x/b/made'; import 'd'; import 'd/style/x.css'; import 'd/style/gone.css';\n\
         import '#in/index'; import '#in/gone'; import '#imports'; import '@x/other'; import 'fs';",
        "ts.import @x/b → packages/b/src/index.ts
         ts.import @x/b/sub/c → packages/b/src/sub/c.ts
         ts.import @x/b/made → unknown produced
         ts.import d → packages/d/src/d.ts
         ts.import d/style/x.css → packages/d/style/x.css
         ts.import d/style/gone.css → missing
         ts.import #in/index → packages/b/src/index.ts
         ts.import #in/gone → missing
         ts.import #imports → unknown not-installed
         ts.import @x/other → unknown not-installed
         ts.import fs → unknown not-installed",
    );
}

#[test]
fn reports_too_many_parent_steps() {
    check(
        "src/b.js\n.git/HEAD",
        "test/a.js",
        "require('../../src/b'); require('../../other/c')",
        "js.require ../../src/b → missing\njs.require ../../other/c → unknown outside",
    );
    // Relative to the compiled file.
    check("src/b.js\n.git/HEAD", "test/a.ts", "require('../../src/b')", "ts.require ../../src/b → unknown outside");
}

#[test]
fn accepts_modules_named_like_an_output() {
    check(
        "src/b.js\npackage.json",
        "src/a.ts",
        "import './codegen'; import '../build'; import './generated'; import './build/x'; import './x.codegen'; import './release'",
        "ts.import ./codegen → missing
         ts.import ../build → unknown produced
         ts.import ./generated → unknown produced
         ts.import ./build/x → unknown produced
         ts.import ./x.codegen → unknown produced
         ts.import ./release → missing",
    );
}

#[test]
fn grades_severity() {
    let check = |path: &str, text: &str, expect: &[&str]| assert_eq!(severities("x.txt", path, text), expect, "{path}");
    check("src/a.ts", "import './gone'", &["error"]);
    check("src/__tests__/a.test.ts", "import './gone'; vi.mock('./gone')", &["error", "warning"]);
    check("src/__fixtures__/a.ts", "import './gone'", &["hint"]);
    check("create-x/template-vue/a.ts", "import './gone'", &["hint"]);
    check("src/parser/tests/js_test_suite/a.js", "import './gone'", &["hint"]);
    check("src/a.test.ts", "new URL('./gone.md', import.meta.url); import './gone'", &["hint", "error"]);
    check("test/Input.svelte", "<script>import './no.png'</script>", &["hint"]);
}

#[test]
fn accepts_broken_text() {
    for path in ["a.ts", "a.js", "a.tsx", "a.vue", "a.svelte", "a.astro"] {
        assert_ranges_valid(path, "import x from './é");
        assert_ranges_valid(path, "---\nimport './é';\n<script lang=ts>import 'é.ts'</script><img src=\"./é");
        assert_ranges_valid(
            path,
            "<script>require('\\'); import(`é${'a'}`); export é from './x'\n///<reference path=\"é",
        );
        assert_ranges_valid(
            path,
            "import '#'; import ''; import './'; import '/'; import '?'; import '@'; import '\u{1}#/../..'; import '...'",
        );
    }
}

/// A call that sets the directories of the lookup is not decided by its literal alone.
#[test]
fn accepts_calls_with_search_paths() {
    check(
        "dir/mod.js",
        "t/x.js",
        "require.resolve('./mod.js', {paths: ['../dir']});\nrequire.resolve('./mod.js');\n\
         try { require('./a'); } catch { require('./b'); }\ntry { f(); } catch { require('./c'); }\n",
        "js.require ./mod.js → unknown optional
         js.require ./mod.js → missing
         js.require ./a → unknown optional
         js.require ./b → unknown optional
         js.require ./c → missing",
    );
}

/// A style sheet resolves from the directory of the compiled script.
#[test]
fn resolves_style_sheets_from_the_output() {
    check(
        "p/package.json = {}\np/src/test/a.css",
        "p/src/test/x.ts",
        "import '../src/test/a.css';\nimport './a.css';\nimport '../src/test/b.css';\n",
        "ts.import ../src/test/a.css → unknown undecided
         ts.import ./a.css → p/src/test/a.css
         ts.import ../src/test/b.css → missing",
    );
}
