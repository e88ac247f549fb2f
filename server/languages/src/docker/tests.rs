//! Fixtures of Docker: found, missing and unknown sources.

use proptest::prelude::*;

use crate::testing::check;

#[test]
fn resolves_sources_in_the_context() {
    // The context is the Dockerfile's directory or one above it.
    check(
        "img/start.sh\napp/main.py\nimg/conf/a.conf",
        "img/Dockerfile",
        "FROM x\nCOPY start.sh app/main.py /x/\nADD --chown=1 gone.py /x\nCOPY conf/*.conf conf/*.yml /x\nCOPY conf/*.yml /x\nCOPY . /y\n",
        "docker.copy start.sh → img/start.sh
         docker.copy app/main.py → app/main.py
         docker.add gone.py → missing
         docker.copy conf/*.conf → img/conf/a.conf
         docker.copy conf/*.yml → unknown optional
         docker.copy conf/*.yml → missing
         docker.copy . → unknown elsewhere",
    );
    // A compose file names another directory as the context.
    check(
        "web/index.html\ndocker-compose.yml = services:\\n  a:\\n    build:\\n      context: ./web\\n      dockerfile: ../docker/Dockerfile",
        "docker/Dockerfile",
        "FROM x\nCOPY index.html /\nCOPY other.html /\n",
        "docker.copy index.html → web/index.html\ndocker.copy other.html → missing",
    );
}

#[test]
fn reports_nothing_undecidable() {
    check(
        "Makefile = all:\\n\\tcp ../x/made.txt .\npkg/a.go",
        "Dockerfile",
        "FROM x AS y\nARG V=1\nCOPY --from=y /a/b /c\nCOPY app-$V.txt ${X}/y.txt /c\nADD https://a/b.txt /c\nADD git@github.com:a/b.git /c\n\
         COPY target/app.jar server made.txt dist/ /c\nONBUILD COPY package.json /c\nCOPY <<EOF /d\nx\nEOF\nCOPY {a,b}.txt /c\n",
        "docker.copy app-$V.txt → unknown dynamic
         docker.copy ${X}/y.txt → unknown dynamic
         docker.add https://a/b.txt → unknown elsewhere
         docker.add git@github.com:a/b.git → unknown elsewhere
         docker.copy target/app.jar → unknown produced
         docker.copy server → unknown produced
         docker.copy made.txt → unknown produced
         docker.copy dist/ → unknown produced
         docker.copy {a,b}.txt → unknown produced",
    );
    // But a typo is none of a build.
    let written = "FROM x\nCOPY conifg /c\nCOPY server /c\n";
    check("config/a.txt", "Dockerfile", written, "docker.copy conifg → missing\ndocker.copy server → unknown produced");
    check("", "Dockerfile.j2", "FROM x\nCOPY gone.txt /\n", "");
    check("", "Dockerfile", "FROM x\n{% if a %}\nCOPY gone.txt /\n{% endif %}\n", "");
}

#[test]
fn applies_dockerignore() {
    check(
        ".dockerignore = *.md\\n!README.md\\nsecret/\\n# x\\n\na.md\nREADME.md\nsecret/key.txt\nb.txt",
        "Dockerfile",
        "FROM x\nCOPY a.md README.md b.txt secret/key.txt secret /x\n",
        "docker.copy a.md → docker-ignored-target
         docker.copy README.md → README.md
         docker.copy b.txt → b.txt
         docker.copy secret/key.txt → docker-ignored-target
         docker.copy secret → docker-ignored-target",
    );
    // moby/buildkit#6512: everything is excluded, and one file re-included.
    check(
        ".dockerignore = *\\n!x\\n!d/e\nx\nd/e/f.txt\nd/g.txt",
        "Dockerfile",
        "FROM y\nCOPY . /\nCOPY x /\nCOPY d /\nCOPY d/e/f.txt d/g.txt /\n",
        "docker.copy . → unknown elsewhere
         docker.copy x → x
         docker.copy d → d
         docker.copy d/e/f.txt → d/e/f.txt
         docker.copy d/g.txt → docker-ignored-target",
    );
    // The Dockerfile's own ignore file precedes the context's; one context that includes the file is enough.
    check(
        ".dockerignore = a.txt\nDockerfile.dockerignore = b.txt\na.txt\nb.txt\nsub/.dockerignore = c.txt\nsub/c.txt\nc.txt",
        "Dockerfile",
        "FROM y\nCOPY a.txt b.txt /\n",
        "docker.copy a.txt → a.txt\ndocker.copy b.txt → docker-ignored-target",
    );
    check(
        "sub/.dockerignore = c.txt\nsub/c.txt\nc.txt",
        "sub/Dockerfile",
        "FROM y\nCOPY c.txt /\n",
        "docker.copy c.txt → sub/c.txt",
    );
}

#[test]
fn maps_paths_in_the_image_to_the_context() {
    let tree = "app/req/base.txt\napp/new.txt\nweb/start.sh\nmoved app/old.txt app/new.txt\nDockerfile";
    let run = |command: &str, expect: &str| {
        let text = format!("FROM x\nCOPY . /opt/x\nCOPY web /srv/web\nWORKDIR /opt/x\n{command}\n");
        let sources = "docker.copy . → unknown elsewhere\ndocker.copy web → web";
        let expect = if expect.is_empty() { sources.to_owned() } else { format!("{sources}\n{expect}") };
        check(tree, "Dockerfile", &text, &expect);
    };
    run("RUN pip install -r /opt/x/app/req/base.txt", "docker.command /opt/x/app/req/base.txt → app/req/base.txt");
    run("RUN pip install -r /opt/x/app/old.txt", "docker.command /opt/x/app/old.txt → moved");
    run("RUN pip install -r app/old.txt", "docker.command app/old.txt → moved");
    run("RUN cd /tmp && pip install -r app/old.txt", "words.path app/old.txt → moved");
    run("RUN pip --file=/opt/x/app/old.txt;", "docker.command /opt/x/app/old.txt → moved");
    run("CMD [\"sh\", \"/srv/web/start.sh\"]", "docker.command /srv/web/start.sh → web/start.sh");
    // Nothing is known of what a command can have made, or of another stage.
    run("RUN sh /opt/x/app/gone.txt", "");
    run("RUN sh /opt/x/app/$V/old.txt", "");
    run("FROM y\nRUN sh /opt/x/app/old.txt", "");
    // One letter is a typo, unless the command writes the file.
    run("RUN sh /srv/web/strat.sh", "docker.command /srv/web/strat.sh → missing");
    run("RUN cp /tmp/a /srv/web/strat.sh", "");
    let stages = "FROM x AS one\nCOPY web /w\nFROM one\nRUN sh /w/start.sh\n";
    check(tree, "Dockerfile", stages, "docker.copy web → web\ndocker.command /w/start.sh → web/start.sh");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn accepts_any_text(text in r#"([\[\]{}"'=,\\/\r\n*.# <`$-]|COPY |ADD |RUN |--from=|--chown=|<<EOF|\nEOF\n|"x/y"|é|a/b\.txt|# escape=`\n|\\\n){0,40}"#) {
        crate::testing::assert_ranges_valid("a/Dockerfile", &text);
    }
}

/// Long lines take linear time.
#[test]
fn takes_linear_time() {
    crate::testing::assert_ranges_valid("Dockerfile", &format!("COPY {}x /y", "gone.txt ".repeat(20_000)));
    crate::testing::assert_ranges_valid("Dockerfile", &format!("COPY {}", "\\\n".repeat(300_000)));
    crate::testing::assert_ranges_valid("Dockerfile", &"RUN <<A\n".repeat(20_000));
    crate::testing::assert_ranges_valid("Dockerfile", &format!("COPY [{}", "\"".repeat(500_000)));
}
