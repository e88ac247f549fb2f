//! Tests that specifiers with no certain verdict are not reported. Each case was a false report of some tool.

use crate::testing::check;

const TREE: &str = "package.json = {\"name\": \"x\", \"scripts\": {\"build\": \"gen > src/version.ts\"}}\nsrc/b.ts\nignore src/ignored";

#[test]
fn accepts_virtual_modules() {
    check(
        TREE,
        "src/a.ts",
        "import 'virtual:pwa'; import '~icons/x/y'; import '$env/static/public'; import 'astro:content'; import 'node:fs';\n\
         import 'bun:test'; import 'cloudflare:workers'; import '@theme/Layout'; import 'x:v'; import '#imports'; import 'npm:x';\n\
         import 'jsr:@std/x'; import 'https://x/y.ts'; import '!!raw-loader!x.txt'; import '@theme';",
        "ts.import virtual:pwa → unknown elsewhere
         ts.import ~icons/x/y → unknown not-installed
         ts.import $env/static/public → unknown not-installed
         ts.import astro:content → unknown elsewhere
         ts.import node:fs → unknown elsewhere
         ts.import bun:test → unknown elsewhere
         ts.import cloudflare:workers → unknown elsewhere
         ts.import @theme/Layout → unknown not-installed
         ts.import x:v → unknown elsewhere
         ts.import #imports → unknown not-installed
         ts.import npm:x → unknown elsewhere
         ts.import jsr:@std/x → unknown elsewhere
         ts.import https://x/y.ts → unknown elsewhere
         ts.import !!raw-loader!x.txt → unknown elsewhere
         ts.import @theme → unknown not-installed",
    );
}

#[test]
fn accepts_generated_modules() {
    check(
        TREE,
        "src/a.ts",
        "import './+types/root'; import './routeTree.gen'; import './$types'; import '../.svelte-kit/x'; import '../.velite';\n\
         import './__generated__/q.graphql'; import './x.generated'; import './x_pb'; import '../dist/x.js'; import '../lib/x';\n\
         import './ignored/x'; import './version'; import './x_bg.wasm'; import '../.next/types/x'; import './generated/x';",
        "ts.import ./+types/root → unknown produced
         ts.import ./routeTree.gen → unknown produced
         ts.import ./$types → unknown produced
         ts.import ../.svelte-kit/x → unknown produced
         ts.import ../.velite → unknown produced
         ts.import ./__generated__/q.graphql → unknown produced
         ts.import ./x.generated → unknown produced
         ts.import ./x_pb → unknown produced
         ts.import ../dist/x.js → unknown produced
         ts.import ../lib/x → unknown produced
         ts.import ./ignored/x → unknown ignored
         ts.import ./version → unknown produced
         ts.import ./x_bg.wasm → unknown produced
         ts.import ../.next/types/x → unknown produced
         ts.import ./generated/x → unknown produced",
    );
    check(
        "src/parser.pegjs\nsrc/a.scss",
        "src/a.js",
        "require('./parser'); require('./a.css')",
        "js.require ./parser → unknown produced\njs.require ./a.css → unknown produced",
    );
    check("w/BUILD = outs = [\"types.ts\"]", "w/a.ts", "import './types'", "ts.import ./types → unknown produced");
}

#[test]
fn accepts_invented_urls() {
    check(
        TREE,
        "src/a.ts",
        "new URL('./content/docs/x.md', import.meta.url)",
        "ts.url ./content/docs/x.md → unknown undecided",
    );
    let writes = "writeFileSync(new URL('./x.md', import.meta.url), '')";
    check(TREE, "src/a.ts", writes, "ts.url ./x.md → unknown undecided");
}

#[test]
fn accepts_calls_from_the_output() {
    check(
        "p/package.json",
        "p/cli/run.ts",
        "require('../../package.json'); import '../../package.json'; require('./umd/x.production.min.js')",
        "ts.require ../../package.json → unknown undecided
         ts.import ../../package.json → missing
         ts.require ./umd/x.production.min.js → unknown produced",
    );
}

#[test]
fn accepts_packages_that_are_not_built() {
    let tree = "package.json = {\"main\": \"dist/x.js\"}\nsrc/b.ts\nsub/package.json = {\"main\": \"lib/x.js\"}";
    check(
        tree,
        "test/a.js",
        "require('..'); require('../sub')",
        "js.require .. → unknown produced\njs.require ../sub → unknown produced",
    );
}

#[test]
fn accepts_guarded_imports() {
    check(
        TREE,
        "src/a.js",
        "try { require('./gone') } catch {}\ntry { require('./gone1') } catch (e) { throw e }\n\
         if (fs.existsSync(x)) require('./gone2');\nimport('./gone3').catch(() => {});\n\
         expect(() => require('./gone4')).toThrow();\nrequire('./does-not-exist');\n",
        "js.require ./gone → unknown optional
         js.require ./gone1 → missing
         js.require ./gone2 → unknown optional
         js.dynamic_import ./gone3 → unknown optional
         js.require ./gone4 → unknown optional
         js.require ./does-not-exist → unknown optional",
    );
}

#[test]
fn skips_samples_and_bundles() {
    // A bundle has its own `require`.
    check(TREE, "src/a.js", "({1:[function(require,module,exports){ require('./gone') }]})", "");
    check(TREE, "src/a.mjs", "const require = createRequire('/other/x.js'); require('./gone');", "");
    check(TREE, "src/a.min.js", "require('./gone')", "");
    check(TREE, "src/a.js", &format!("require('./gone');{}", "a;".repeat(20_000)), "");
    check(TREE, "src/a.js", "const t = `import x from './gone'`; const u = \"require('./gone')\";", "");
    check(
        TREE,
        "src/a.ts",
        "import './{{name}}'; import './<%= x %>';",
        "ts.import ./{{name}} → unknown dynamic\nts.import ./<%= x %> → unknown dynamic",
    );
}

#[test]
fn accepts_paths_from_the_server_root() {
    check(
        "public/x.css\nsrc/b.ts",
        "src/a.js",
        "import '/x.css'; import '/gone.css'",
        "js.import /x.css → public/x.css\njs.import /gone.css → unknown undecided",
    );
}

/// Jest creates modules without a file, in the test and in the modules that the test imports.
#[test]
fn accepts_virtual_mocks() {
    check(
        "package.json = {\"devDependencies\": {\"jest\": \"1\"}}\nsrc/a.test.js = jest.mock('./made', () => 1, {virtual: true}); jest.mock('./gone')",
        "src/b.js",
        "import './made'; import './gone';",
        "js.import ./made → unknown optional\njs.import ./gone → missing",
    );
    check(
        "package.json",
        "src/a.ts",
        "jest.mock('./made', () => 1, {virtual: true}); import './made';",
        "ts.mock ./made → unknown optional\nts.import ./made → unknown optional",
    );
}

/// A script names a declaration by the name of the script it would be.
#[test]
fn accepts_declarations_without_scripts() {
    check(
        "package.json\nsrc/x.d.ts",
        "src/a.ts",
        "import './x.ts'; import './y.ts';",
        "ts.import ./x.ts → src/x.d.ts\nts.import ./y.ts → missing",
    );
}

/// Compiled files beside their sources are ignored, which proves nothing about a source.
#[test]
fn accepts_compiled_siblings() {
    check(
        "package.json\nsrc/b.ts\nignore *.js",
        "src/a.ts",
        "import './b.js'; import './gone.js';",
        "ts.import ./b.js → src/b.ts\nts.import ./gone.js → missing",
    );
    // A rule for the compiled `index.js` is none for a directory `gone.js`.
    check(
        "package.json\nsrc/b.ts\nignore *index.js\nignore src/made.js",
        "src/a.ts",
        "import './gone.js'; import './index.js'; import './made.js';",
        "ts.import ./gone.js → missing\nts.import ./index.js → unknown ignored\nts.import ./made.js → unknown ignored",
    );
}

/// A file does not import itself: a specifier that differs only in case names another file, which is missing.
#[test]
fn ignores_itself_in_another_case() {
    check("", "src/input.js", "import Input from './Input.js'", "js.import ./Input.js → unknown elsewhere");
}
