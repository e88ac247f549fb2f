//! Tests of the YAML checker: resolved, missing and undecidable paths.

use proptest::prelude::*;

use crate::testing::{check, severities};

const CI: &str = ".github/workflows/ci.yml";

#[test]
fn checks_used_actions() {
    let tree = ".github/workflows/a.yml\n.github/actions/x/action.yml\n.github/actions/docker/Dockerfile\nempty/file";
    check(
        tree,
        CI,
        "on: push\njobs:\n  a:\n    uses: ./.github/workflows/a.yml\n  b:\n    uses: ./.github/workflows/gone.yml\n  c:\n    uses: o/r/.github/workflows/x.yml@main\n  d:\n    steps:\n    - uses: actions/checkout@v4\n    - uses: ./.github/actions/x\n    - uses: ./.github/actions/docker/\n    - uses: ./.github/actions/gone\n    - uses: ./empty\n    - uses: ./${{ matrix.x }}\n    - uses: docker://alpine\n",
        "yaml.actions.uses ./.github/workflows/a.yml → .github/workflows/a.yml
         yaml.actions.uses ./.github/workflows/gone.yml → missing
         yaml.actions.uses ./.github/actions/x → .github/actions/x/action.yml
         yaml.actions.uses ./.github/actions/docker/ → .github/actions/docker/Dockerfile
         yaml.actions.uses ./.github/actions/gone → missing
         yaml.actions.uses ./empty → missing
         yaml.actions.uses ./${{ matrix.x }} → unknown dynamic",
    );
}

/// A table of contents leaves extensions out, whichever they are.
#[test]
fn completes_pages_of_contents() {
    check(
        "docs/a.md\ndocs/more/b.Rmd",
        "docs/_toc.yml",
        "format: jb-book\nroot: a\nchapters:\n- file: more/b\n- file: more/c\n",
        "yaml.toc.file a → docs/a.md
         yaml.toc.file more/b → docs/more/b.Rmd
         yaml.toc.file more/c → missing",
    );
}

/// actionlint#25, #40: a checkout with `path:` creates the action at run time.
#[test]
fn accepts_actions_of_checkouts() {
    let steps = |with: &str| {
        format!(
            "jobs:\n  a:\n    steps:\n    - uses: actions/checkout@v4\n      with:\n        {with}\n    - uses: ./tools/x\n    - run: ./scripts/gone.sh\n"
        )
    };
    let tree = "x/action.yml";
    let unknown =
        "yaml.actions.uses ./tools/x → unknown produced\nyaml.actions.run ./scripts/gone.sh → unknown undecided";
    let made = "yaml.actions.with tools → unknown produced\n";
    check(tree, CI, &steps("{path: tools, repository: o/r}"), &format!("{made}{unknown}"));
    check(tree, CI, &steps("repository: o/r"), unknown);
    check(tree, CI, &steps("path: ${{ x }}"), unknown);
    // A typo is none of a checkout.
    let mistyped = "jobs: {a: {steps: [{uses: actions/checkout@v4, with: {repository: o/r}}, {uses: ./tools/buld}]}}";
    check("tools/build/action.yml", CI, mistyped, "yaml.actions.uses ./tools/buld → missing");
    // This commit, below `tools`.
    check(
        tree,
        CI,
        &steps("path: tools"),
        &format!("{made}yaml.actions.uses ./tools/x → x/action.yml\nyaml.actions.run ./scripts/gone.sh → missing"),
    );
    check(
        tree,
        CI,
        &steps("fetch-depth: 0"),
        "yaml.actions.uses ./tools/x → missing\nyaml.actions.run ./scripts/gone.sh → missing",
    );
}

#[test]
fn checks_commands_and_path_filters() {
    check(
        "ci/test\nsrc/a\nconf/phpcs.xml\nsub/x.sh",
        CI,
        "on:\n  push:\n    paths:\n    - '.github/workflows/ci.yml'\n    - .github/workflows/old.yml\n    - 'src/**'\n    - '!docs/x.md'\n  pull_request:\n    paths-ignore: [docs/gone.md]\njobs:\n  a:\n    steps:\n    - run: ci/test\n    - run: ci/test_gone --flag\n    - run: ./windows/test.bash\n    - run: ./target/release/app\n    - run: ./configure\n    - run: ./x.sh\n      working-directory: sub\n    - run: npm test\n    - run: |\n        ./gone.sh\n        cd x\n    - uses: php-actions/phpcs@v1\n      with: {standard: phpcs.xml}\n    - uses: actions/setup-go@v5\n      with: {go-version-file: go.mod}\n    - run: curl -o dl.sh https://x\n    - run: ./dl.sh\n    - run: ./${{ x }}.sh\n",
        "yaml.actions.paths .github/workflows/ci.yml → .github/workflows/ci.yml
         yaml.actions.paths .github/workflows/old.yml → missing
         yaml.actions.paths-ignore docs/gone.md → missing
         yaml.actions.run ci/test → ci/test
         yaml.actions.run ci/test_gone → missing
         yaml.actions.run ./windows/test.bash → missing
         yaml.actions.run ./target/release/app → unknown produced
         yaml.actions.run ./configure → unknown produced
         yaml.actions.run ./x.sh → sub/x.sh
         yaml.actions.working-directory sub → sub
         yaml.actions.with phpcs.xml → missing
         yaml.actions.with go.mod → missing
         yaml.actions.run ./dl.sh → unknown produced",
    );
    // An action of the repository, used by another one of it where the caller has checked it out.
    check(
        ".github/actions/x/action.yml",
        ".github/actions/y/action.yml",
        "runs:\n  using: composite\n  steps:\n  - uses: ./me/.github/actions/x\n  - uses: ./me/.github/actions/gone\n",
        "yaml.actions.uses ./me/.github/actions/x → unknown produced\nyaml.actions.uses ./me/.github/actions/gone → missing",
    );
    // A checkout below the root is made by the job.
    check(
        "src/a.ts\nmoved me src",
        CI,
        "jobs:\n  a:\n    steps:\n    - uses: actions/checkout@v4\n      with: {path: ./me}\n    - run: x\n      working-directory: ./me\n    \
         - run: y\n      working-directory: ./other\n",
        "yaml.actions.with ./me → unknown produced\nyaml.actions.working-directory ./me → unknown produced\nyaml.actions.working-directory ./other → missing",
    );
    // The daemon looks for the Dockerfile in the part of the commit that is the context.
    check(
        "sub/a.Dockerfile\nb.Dockerfile",
        CI,
        "jobs:\n  a:\n    steps:\n    - uses: docker/build-push-action@v6\n      with: {context: '{{defaultContext}}:sub', file: a.Dockerfile}\n    \
         - uses: docker/build-push-action@v6\n      with: {context: sub, file: a.Dockerfile}\n",
        "yaml.actions.with a.Dockerfile → sub/a.Dockerfile\nyaml.actions.with a.Dockerfile → missing",
    );
    // A script that a program runs is followed when it moves; that it is missing says too little.
    check(
        "scripts/lint/dco.py\nscripts/a.sh\nmoved scripts/dco.py scripts/lint/dco.py",
        CI,
        "jobs:\n  a:\n    steps:\n    - run: python3 scripts/dco.py -b main\n    - run: bash scripts/a.sh\n    - run: python scripts/gone.py\n    \
         - run: python -m scripts/dco.py\n    - run: node scripts/dco\n",
        "yaml.actions.run scripts/dco.py → moved
         yaml.actions.run scripts/a.sh → scripts/a.sh
         yaml.actions.run scripts/gone.py → unknown undecided
         yaml.value scripts/dco.py → moved",
    );
    check(
        ".github/actions/a/dist/other.js",
        ".github/actions/a/action.yml",
        "runs:\n  using: node20\n  main: dist/index.js\n  post: build/post.js\n",
        "yaml.action.main dist/index.js → missing\nyaml.action.main build/post.js → unknown produced",
    );
}

/// An action that names the directory, or one of others for an unknown purpose, can make it.
#[test]
fn leaves_directories_to_actions() {
    let check_action = |uses: &str, expect: &[&str]| {
        let steps =
            format!("jobs:\n  a:\n    steps:\n    - uses: {uses}\n    - run: x\n      working-directory: gone\n");
        let tree = ".github/actions/make-gone/action.yml\nnew\nmoved gone new";
        assert_eq!(severities(tree, CI, &steps), *expect, "{uses}");
    };
    check_action("actions/x@v1\n      with: {repo: b/gone}", &[]);
    check_action("./.github/actions/make-gone", &[]);
    check_action("a/clean-project@v1", &[]);
    check_action("actions/download-artifact@v1\n      with: {path: ./gone/x}", &[]);
    check_action("a/setup-x@v1", &["warning"]);
    check_action("actions/setup-go@v1", &["warning"]);
}

#[test]
fn checks_compose() {
    check(
        "web/Dockerfile\nweb/Dockerfile.dev\ncommon.yml\nconfig/web.env.example",
        "docker-compose.yml",
        "services:\n  a:\n    build: ./web\n    env_file: .env\n    volumes: ['./data:/data', './gone.conf:/x']\n  b:\n    build:\n      context: web\n      dockerfile: Dockerfile.dev\n    env_file:\n    - config/web.env\n    - path: other.env\n      required: false\n    - ./third.env\n  c:\n    build:\n      context: web\n      dockerfile: Dockerfile.gone\n    extends:\n      file: gone.yml\n      service: x\n  d:\n    build: https://github.com/a/b.git\n  e:\n    build: ./${DIR}\n  f:\n    build: ./gone\nsecrets:\n  s:\n    file: ./secret.txt\ninclude:\n- common.yml\n- path: gone2.yml\n",
        "yaml.compose.build ./web → web
         yaml.compose.env-file .env → unknown produced
         yaml.compose.build web → web
         yaml.compose.dockerfile Dockerfile.dev → web/Dockerfile.dev
         yaml.compose.env-file config/web.env → unknown produced
         yaml.compose.env-file other.env → unknown optional
         yaml.compose.env-file ./third.env → missing
         yaml.compose.build web → web
         yaml.compose.dockerfile Dockerfile.gone → missing
         yaml.compose.extends gone.yml → missing
         yaml.compose.build https://github.com/a/b.git → unknown elsewhere
         yaml.compose.build ./${DIR} → unknown dynamic
         yaml.compose.build ./gone → missing
         yaml.compose.secrets ./secret.txt → missing
         yaml.compose.include common.yml → common.yml
         yaml.compose.include gone2.yml → missing",
    );
    // The root has no directory above.
    check(
        "dev/Dockerfile",
        "dev/compose.yaml",
        "services:\n  a:\n    build:\n      context: ..\n      dockerfile: dev/Dockefile\n",
        "yaml.compose.build .. → .\nyaml.compose.dockerfile dev/Dockefile → missing",
    );
    // A container has other paths.
    check(
        "docker/run.sh\ntests/a.sh\nmoved bin/run.sh docker/run.sh",
        "docker-compose.yml",
        "x-test: ['bin/run.sh']\nservices:\n  a:\n    entrypoint: ['bin/run.sh']\n    command: bin/run.sh\n",
        "yaml.value bin/run.sh → moved",
    );
    // The runtime makes what a volume lacks, so that only a move says that it is meant to be there.
    check(
        "conf/web/a.conf\ndata/x\nmoved a.conf conf/web/a.conf\nmoved gone data",
        "docker-compose.yml",
        "services:\n  a:\n    volumes:\n    - ./a.conf:/etc/a.conf:ro\n    - ./data:/data\n    - ./gone:/x\n    - web:/y\n    - type: bind\n      source: ./a.conf\n      target: /z\n",
        "yaml.compose.volumes ./a.conf → moved
         yaml.compose.volumes ./data → data
         yaml.compose.volumes ./a.conf → moved",
    );
    // Relative to the first file of the command line, which is above this one.
    check(
        "app/Dockerfile",
        "deploy/compose.dev.yaml",
        "services:\n  a:\n    build: &b ./app\n  b:\n    build: *b\n",
        "yaml.compose.build ./app → app",
    );
}

#[test]
fn checks_mkdocs() {
    check(
        "docs/index.md\ndocs/a/b.md\ndocs/css/x.css\nover/y.css\nbase.yml = docs_dir: docs",
        "mkdocs.yml",
        "INHERIT: base.yml\nsite_name: é\ntheme:\n  custom_dir: over\nextra_css: [css/x.css, css/gone.css, 'https://a/b.css', y.css]\nhooks: [hooks.py]\nnav:\n- index.md\n- Über: a/b.md\n- T:\n  - 'x/gone.md'\n  - Blog: https://a/b\n  - a/\n  - Anchor: a/b.md#x\nplugins:\n- search\n",
        "yaml.mkdocs.inherit base.yml → base.yml
         yaml.mkdocs.custom-dir over → over
         yaml.mkdocs.extra css/x.css → docs/css/x.css
         yaml.mkdocs.extra css/gone.css → missing
         yaml.mkdocs.extra https://a/b.css → unknown elsewhere
         yaml.mkdocs.extra y.css → over/y.css
         yaml.mkdocs.hooks hooks.py → missing
         yaml.mkdocs.nav index.md → docs/index.md
         yaml.mkdocs.nav a/b.md → docs/a/b.md
         yaml.mkdocs.nav x/gone.md → missing
         yaml.mkdocs.nav https://a/b → unknown elsewhere
         yaml.mkdocs.nav a/ → unknown undecided
         yaml.mkdocs.nav a/b.md#x → docs/a/b.md",
    );
    check(
        "docs/index.md",
        "mkdocs.yml",
        "plugins:\n- gen-files:\n    scripts: [a.py]\nnav:\n- api/gone.md\n- '*.md'\n- index.md\n",
        "yaml.mkdocs.nav api/gone.md → unknown produced
         yaml.mkdocs.nav *.md → unknown elsewhere
         yaml.mkdocs.nav index.md → docs/index.md",
    );
    // All documents are generated.
    check("", "mkdocs.yml", "nav:\n- index.md\n", "");
}

#[test]
fn checks_ci_services() {
    check(
        "ci/a.yml",
        ".gitlab-ci.yml",
        "include:\n- local: /ci/a.yml\n- local: ci/gone.yml\n- ci/gone2.yml\n- project: a/b\n  file: /x.yml\n- remote: https://a/b.yml\n- template: X.yml\n- local: ci/$X.yml\n- local: ci/maybe.yml\n  rules: [{exists: [ci/maybe.yml]}]\n- local: ci/none/*.yml\njob:\n  script: [./gone.sh]\n",
        "yaml.gitlab.include /ci/a.yml → ci/a.yml
         yaml.gitlab.include ci/gone.yml → missing
         yaml.gitlab.include ci/gone2.yml → missing
         yaml.gitlab.include ci/$X.yml → unknown dynamic
         yaml.gitlab.include ci/maybe.yml → unknown optional
         yaml.gitlab.include ci/none/*.yml → missing",
    );
    check(
        "scripts/a.sh",
        ".circleci/config.yml",
        "jobs:\n  a:\n    steps:\n    - checkout\n    - run: ./scripts/a.sh\n    - run: ./scripts/gone.sh\n    - run: {command: ./scripts/gone2.sh, working_directory: x}\n",
        "yaml.circleci.run ./scripts/a.sh → scripts/a.sh
         yaml.circleci.run ./scripts/gone.sh → missing
         yaml.circleci.run ./scripts/gone2.sh → unknown undecided",
    );
    // Files that an earlier job left elsewhere.
    for (at, verdict) in [("/home/x", "unknown undecided"), (".", "missing")] {
        check(
            "scripts/a.sh",
            ".circleci/config.yml",
            &format!("jobs:\n  a:\n    steps:\n    - attach_workspace:\n        at: {at}\n    - run: ./gone.sh\n"),
            &format!("yaml.circleci.run ./gone.sh → {verdict}"),
        );
    }
    // A copy of another repository has its own configuration.
    check(
        "lib/x/scripts/a.sh",
        "lib/x/.circleci/config.yml",
        "jobs:\n  a:\n    steps:\n    - run: ./scripts/a.sh\n    - run: ./scripts/gone.sh\n",
        "yaml.circleci.run ./scripts/a.sh → lib/x/scripts/a.sh\nyaml.circleci.run ./scripts/gone.sh → missing",
    );
}

#[test]
fn checks_commands_of_jobs() {
    let tree = "ci/build.sh\nci/test\nmoved bin/check ci/test";
    check(
        tree,
        ".travis.yml",
        "install: ci/build.sh\njobs:\n  include:\n  - script: ci/test\n  - script: ci/gone --fast\n  - script: [cd ci, ci/after, bin/check]\n",
        "yaml.travis.script ci/build.sh → ci/build.sh
         yaml.travis.script ci/test → ci/test
         yaml.travis.script ci/gone → missing
         yaml.travis.script ci/after → unknown produced
         yaml.travis.script bin/check → moved",
    );
    // A download makes no script of the repository, unless it names it.
    let check_after = |step: &str, script: &str, expect: &str| {
        let text = format!("install: {step}\nscript: {script}\n");
        check(
            "ci/x.sh\ntools/check-everything",
            ".travis.yml",
            &text,
            &format!("yaml.travis.script {script} → {expect}"),
        );
    };
    check_after("curl -O https://a.b/c", "ci/gone", "missing");
    check_after("curl -o ci/gone https://a.b/c", "ci/gone", "unknown produced");
    check_after("curl -O https://a.b/c", "old/gone", "unknown produced");
    check_after("curl -O https://a.b/c", "old/check-everything", "missing");
    check_after("cd ci", "ci/gone", "unknown produced");
    check(
        tree,
        "azure-pipelines.yml",
        "jobs:\n- job: a\n  steps:\n  - bash: ./ci/build.sh\n  - script: ./ci/gone.sh\n  - script: ./ci/x.sh\n    workingDirectory: web\n  - task: Bash@3\n    inputs: {targetType: filePath, filePath: ./ci/gone2.sh}\n  - task: PythonScript@0\n    inputs: {scriptPath: $(Agent.TempDirectory)/a.py}\n  - task: Other@1\n    inputs: {filePath: gone.sh}\n",
        "yaml.azure.script ./ci/build.sh → ci/build.sh
         yaml.azure.script ./ci/gone.sh → missing
         yaml.azure.script ./ci/x.sh → unknown undecided
         yaml.azure.script ./ci/gone2.sh → missing",
    );
}

#[test]
fn checks_kustomize() {
    check(
        "base/kustomization.yaml\na.yaml\nempty/x\nconf/x.txt",
        "kustomization.yaml",
        "resources:\n- a.yaml\n- base\n- gone.yaml\n- empty\n- https://a/b.yaml\n- github.com/a/b//c?ref=v1\n- example.com/a/b\npatches:\n- path: gone.yaml\n- patch: |-\n    x\npatchesStrategicMerge:\n- |-\n  kind: X\nconfigMapGenerator:\n- files: [conf/x.txt, k=conf/x.txt, k=conf/gone.txt]\n",
        "yaml.kustomize.resources a.yaml → a.yaml
         yaml.kustomize.resources base → base/kustomization.yaml
         yaml.kustomize.resources gone.yaml → missing
         yaml.kustomize.resources empty → missing
         yaml.kustomize.resources https://a/b.yaml → unknown elsewhere
         yaml.kustomize.resources github.com/a/b//c?ref=v1 → unknown elsewhere
         yaml.kustomize.resources example.com/a/b → unknown elsewhere
         yaml.kustomize.patches gone.yaml → missing
         yaml.kustomize.files conf/x.txt → conf/x.txt
         yaml.kustomize.files conf/x.txt → conf/x.txt
         yaml.kustomize.files conf/gone.txt → missing",
    );
}

#[test]
fn checks_tools() {
    check(
        "internal/a.rb\nother.yml",
        ".rubocop.yml",
        "inherit_from: .rubocop_todo.yml\nrequire:\n- ./internal/a\n- ./gone.rb\n- rubocop-rails\n",
        "yaml.rubocop.inherit-from .rubocop_todo.yml → missing
         yaml.rubocop.require ./internal/a → internal/a.rb
         yaml.rubocop.require ./gone.rb → missing",
    );
    check(
        "private/pkg/a.go",
        ".golangci.yml",
        "issues:\n  exclude-rules:\n  - path: private/pkg/a.go\n  - path: private/gone/a.go\n  - path: _test\\.go\n  - path: (.+)/x.go\nlinters:\n  exclusions:\n    rules:\n    - path: pkg/a\\.go\n",
        "yaml.golangci.path private/pkg/a.go → private/pkg/a.go
         yaml.golangci.path private/gone/a.go → missing
         yaml.golangci.path _test\\.go → unknown dynamic
         yaml.golangci.path (.+)/x.go → unknown dynamic
         yaml.golangci.path pkg/a\\.go → private/pkg/a.go",
    );
    check(
        "docs/requirements.txt",
        ".readthedocs.yaml",
        "python:\n  install:\n  - requirements: docs/requirements.txt\n  - requirements: requirements-docs.txt\n  - method: pip\n    path: .\n  - path: .[docs]\n",
        "yaml.readthedocs.requirements docs/requirements.txt → docs/requirements.txt
         yaml.readthedocs.requirements requirements-docs.txt → missing
         yaml.readthedocs.path . → .",
    );
    // Another repository lies in this one.
    check(
        "libs/x/docs/conf.py",
        "libs/x/docs/.readthedocs.yaml",
        "sphinx: {configuration: docs/conf.py}\n",
        "yaml.readthedocs.configuration docs/conf.py → libs/x/docs/conf.py",
    );
    check(
        ".yarn/releases/yarn-4.0.0.cjs\n.yarn/plugins/a.cjs",
        ".yarnrc.yml",
        "yarnPath: .yarn/releases/yarn-3.6.0.cjs\nplugins:\n- path: .yarn/plugins/a.cjs\n- .yarn/plugins/gone.cjs\n- '@yarnpkg/plugin-typescript'\n",
        "yaml.yarn.path .yarn/releases/yarn-3.6.0.cjs → missing
         yaml.yarn.path .yarn/plugins/a.cjs → .yarn/plugins/a.cjs
         yaml.yarn.path .yarn/plugins/gone.cjs → missing",
    );
    check(
        "patches/a.patch",
        "pnpm-workspace.yaml",
        "patchedDependencies:\n  a@1: patches/a.patch\n  b@1: patches/b.patch\n",
        "yaml.pnpm.patched-dependencies patches/a.patch → patches/a.patch
         yaml.pnpm.patched-dependencies patches/b.patch → missing",
    );
    check(
        "patches/a.patch",
        "pnpm-lock.yaml",
        "lockfileVersion: '9.0'\npatchedDependencies:\n  a@1:\n    hash: x\n    path: patches/a.patch\n  b@1:\n    path: patches/b.patch\nimporters:\n  .:\n    path: patches/c.patch\n",
        "yaml.pnpm.patched-dependencies patches/a.patch → patches/a.patch
         yaml.pnpm.patched-dependencies patches/b.patch → missing",
    );
    check("", "x/unit.yml", "rule_files: [gone.yml]\ntests: []\n", "yaml.promtool.rule-files gone.yml → missing");
    check("", "x/prometheus.yml", "rule_files: [gone.yml]\nscrape_configs: []\n", "");
    check(
        "x/a.yaml",
        "x/api.yaml",
        "a:\n  $ref: a.yaml#/x\nb:\n  $ref: './gone.yaml'\nc:\n  $ref: '#/x'\n",
        "yaml.ref a.yaml#/x → x/a.yaml\nyaml.ref ./gone.yaml → missing",
    );
    check(
        "web/x",
        ".github/dependabot.yml",
        "updates:\n- directory: /\n- directory: /web\n- directory: /gone\n- directories: ['/x/*']\n",
        "yaml.dependabot.directory / → .
         yaml.dependabot.directory /web → web
         yaml.dependabot.directory /gone → missing
         yaml.dependabot.directory /x/* → missing",
    );
}

/// A build runs in the directory that it names, or that an alias brings.
#[test]
fn checks_builds_of_goreleaser() {
    check(
        "cmd/a/main.go\nsdk/cmd/b/main.go",
        ".goreleaser.yml",
        "x: &x {dir: sdk}\nbuilds:\n- main: ./cmd/a\n- {dir: sdk, main: ./cmd/b}\n- {dir: sdk, main: ./cmd/a}\n- <<: *x\n  main: ./cmd/b\n",
        "yaml.goreleaser.main ./cmd/a → cmd/a
        yaml.goreleaser.main ./cmd/b → sdk/cmd/b
        yaml.goreleaser.main ./cmd/a → missing
        yaml.goreleaser.main ./cmd/b → unknown dynamic",
    );
}

#[test]
fn skips_templates_and_broken_files() {
    check("", "charts/templates/kustomization.yaml", "resources:\n- {{ .Values.x }}\n- gone.yaml\n", "");
    check("", "docker-compose.yml", "{% if x %}\nservices:\n  a: {build: ./gone}\n{% endif %}\n", "");
    check("", "values.yaml", "path: ./gone.yaml\nfile: gone.txt\n", "");
    check("", "docker-compose.yml", "services: [\n", "");
}

#[test]
fn gives_hints_for_uncertain_paths() {
    let check = |path: &str, contents: &str, expect: &[&str]| {
        assert_eq!(severities("src/a.ts", path, contents), expect, "{path} {contents}");
    };
    // prometheus/prometheus: a workflow that many repositories share.
    check(CI, "on:\n  push:\n    paths: [README-containers.md, .github/workflows/old.yml]\n", &["hint", "warning"]);
    check(CI, "on:\n  push:\n    paths-ignore: [docs/old.md]\n", &["hint"]);
    // bufbuild/buf: test data.
    check("buf.yaml", "modules: [{path: proto}]\n", &["error"]);
    check("cmd/testdata/workspace/fail/buf.yaml", "modules: [{path: other}]\n", &["hint"]);
    check("cmd/testdata/workspace/fail/buf.yaml", "modules: [{path: notexist}]\n", &[]);
    check("compose.yml", "secrets: {a: {file: ./key}}\nconfigs: {a: {file: ./conf}}\n", &["hint", "warning"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn accepts_any_text(text in r#"([\[\]{}"':,\\/\r\n*&!|>.$ #?%@`\t-]|- |: |\n  |nav:|jobs:|steps:|run: |uses: \./x|services:|build:|resources:|\$ref: |include:|<<: |--- |é|a/b\.md|x){0,40}"#) {
        for path in ["mkdocs.yml", ".github/workflows/a.yml", "a/compose.yml", "kustomization.yaml", "x.yaml", ".gitlab-ci.yml", ".golangci.yml"] {
            crate::testing::assert_ranges_valid(path, &text);
        }
    }

    /// Well-formed text reaches the checks.
    #[test]
    fn accepts_any_value(value in r#"[a-zé/.*{}$:#?!@&= ,'"|>-]{0,12}"#) {
        for (path, text) in [
            ("mkdocs.yml", format!("docs_dir: a\nnav:\n- {value}\n- x: {value}\n- '{value}'\n- \"{value}\"\nextra_css: [{value}]\n")),
            (".github/workflows/a.yml", format!("jobs:\n  a:\n    uses: ./{value}\n    steps:\n    - uses: ./{value}\n    - run: {value}\n    - run: ./{value} x\n    - uses: actions/checkout@v4\n      with: {{path: {value}}}\n    - uses: &a ./{value}\n")),
            ("a/compose.yml", format!("services:\n  a:\n    build:\n      context: {value}\n      dockerfile: {value}\n    env_file: [{value}]\n")),
            ("kustomization.yaml", format!("resources:\n- {value}\nconfigMapGenerator:\n- files: [\"k={value}\", {value}]\n")),
            ("x.yaml", format!("a:\n  $ref: {value}\nb:\n  $ref: '{value}.yaml#/x'\n")),
            (".golangci.yml", format!("issues:\n  exclude-rules:\n  - path: a/{value}.go\n")),
        ] {
            crate::testing::assert_ranges_valid(path, &text);
        }
    }
}

/// Checking takes little time for any text, even on one long line.
#[test]
fn checks_large_and_deep_text() {
    crate::testing::assert_ranges_valid("mkdocs.yml", &format!("nav: [{}x]", "gone/a.md, ".repeat(30_000)));
    crate::testing::assert_ranges_valid("mkdocs.yml", &format!("nav: [{}x]", "é/gone.md, ".repeat(30_000)));
    crate::testing::assert_ranges_valid("mkdocs.yml", &format!("nav: {}", "[".repeat(100_000)));
    crate::testing::assert_ranges_valid("mkdocs.yml", &format!("nav:\n{}", "- ".repeat(20_000)));
    crate::testing::assert_ranges_valid("mkdocs.yml", &format!("nav: \"{}", "x".repeat(1_000_000)));
    crate::testing::assert_ranges_valid(".travis.yml", &format!("script:\n{}", "- ./a.sh\n".repeat(20_000)));
    let steps = "    - run: ./gone.sh\n".repeat(20_000);
    crate::testing::assert_ranges_valid(".github/workflows/a.yml", &format!("jobs:\n  a:\n    steps:\n{steps}"));
}

/// Directories of another branch are not looked up in this one.
#[test]
fn skips_dependabot_of_another_branch() {
    check(
        "a/b",
        ".github/dependabot.yml",
        "updates:\n- directory: /tools\n  target-branch: release\n- directory: /gone\n",
        "yaml.dependabot.directory /tools → unknown undecided
         yaml.dependabot.directory /gone → missing",
    );
}
