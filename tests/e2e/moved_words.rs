//! Literals that a recent commit broke in constructs without rules of their own: strings, words, lists of pages, modules.

use crate::probability::{history, rows};

/// Each row: what makes the file and the literal, the commit that moves its target, and the finding with its fix.
const MOVES: [(&str, &str, &str); 67] = [
    // A resource of a class, a file that a block of code loads, and a post of Jekyll.
    (
        "mkdir -p src/main/kotlin src/main/resources; seq 9 > src/main/resources/schema.json; echo 'val a = load(\"/schema.json\")' > src/main/kotlin/A.kt",
        "git mv src/main/resources/schema.json src/main/resources/schema-v2.json",
        "src/main/kotlin/A.kt /schema.json → /schema-v2.json?",
    ),
    (
        "mkdir -p docs code/ts/use; seq 9 > code/ts/use/a.ts; printf '```ts\nCODE_LOAD::ts/use/a.ts#part\n```\n' > docs/a.md",
        "mkdir code/ts/more; git mv code/ts/use/a.ts code/ts/more/a.ts",
        "docs/a.md ts/use/a.ts → ts/more/a.ts!",
    ),
    (
        "mkdir -p _posts/php; touch _config.yml; seq 9 > _posts/php/2015-01-02-start.md; echo '[s]({% post_url php/2015-01-02-start %})' > _posts/php/2016-01-02-b.md",
        "mkdir _posts/ruby; git mv _posts/php/2015-01-02-start.md _posts/ruby/2015-01-02-start.md",
        "_posts/php/2016-01-02-b.md php/2015-01-02-start → ruby/2015-01-02-start!",
    ),
    // Addresses of pages in programs, ids of documents, what stands below a variable or an attribute, and a picture that left what a site serves.
    (
        "mkdir -p docs/start docs/guides src; touch docusaurus.config.js; seq 9 > docs/start/setup.md; \
         echo '<a href=\"/docs/start/setup\" />;' > src/a.jsx",
        "git mv docs/start/setup.md docs/guides/setup.md",
        "src/a.jsx /docs/start/setup → /docs/guides/setup!",
    ),
    (
        "mkdir -p docs/api; echo \"export default { items: [{ docId: 'intro' }] };\" > docusaurus.config.js; seq 9 > docs/intro.md; seq 3 > docs/api/a.md",
        "git mv docs/intro.md docs/api/intro.md",
        "docusaurus.config.js intro → api/intro?",
    ),
    (
        "mkdir lib; for n in one two three four five six seven eight; do echo $n | sed p > lib/$n; echo '. $APP_HOME/'$n > run-$n.sh; done",
        "git mv lib/one lib/first",
        "run-one.sh $APP_HOME/one → $APP_HOME/first!",
    ),
    (
        "mkdir -p src/java docs; for n in A B C D E F G H; do seq 9 | sed s/^/$n/ > src/java/$n.java; echo \"include::{code}/$n.java[]\" > docs/$n.adoc; done",
        "git mv src/java/A.java src/java/First.java",
        "docs/A.adoc {code}/A.java → {code}/First.java!",
    ),
    (
        "mkdir -p static/img docs; touch docusaurus.config.js; seq 9 > static/img/a.png; echo '![a](/img/a.png)' > docs/x.md",
        "git mv static/img/a.png docs/a.png",
        "docs/x.md /img/a.png → ./a.png!",
    ),
    // A file of a project of Xcode, a directory that a configuration in JavaScript joins, and a package of Haskell whose modules got a name above.
    (
        "mkdir -p ios/App ios/A.xcodeproj; seq 9 > ios/App/Main.swift; printf '{ objects = { R = { isa = PBXProject; mainGroup = M; }; \
         M = { isa = PBXGroup; children = (F); path = App; sourceTree = \"<group>\"; }; \
         F = { isa = PBXFileReference; path = Main.swift; sourceTree = \"<group>\"; }; }; }' > ios/A.xcodeproj/project.pbxproj",
        "mkdir ios/App/Views; git mv ios/App/Main.swift ios/App/Views/",
        "ios/A.xcodeproj/project.pbxproj Main.swift → Views/Main.swift!",
    ),
    (
        "mkdir -p web/assets; seq 9 > web/assets/a.txt; echo \"x(path.resolve(__dirname, 'assets'))\" > web/x.js",
        "mkdir shared; git mv web/assets shared/assets",
        "web/x.js assets → ../shared/assets!",
    ),
    (
        "mkdir -p src/Parse app; printf 'library:\n  source-dirs: src\nexecutables:\n  x:\n    source-dirs: app\n' > package.yaml; \
         seq 9 > src/Parse/Text.hs; printf 'module Main where\nimport Parse.Text\n' > app/Main.hs",
        "mkdir -p src/Kit/Parse; git mv src/Parse/Text.hs src/Kit/Parse/Text.hs",
        "app/Main.hs Parse.Text → Kit.Parse.Text!",
    ),
    // A module that the code of a document imports, with its uses, and a script that a command of one runs.
    (
        "mkdir -p shop docs; touch shop/__init__.py; seq 9 > shop/cart.py; \
         printf '```python\nimport shop.cart\n\nshop.cart.run()\n```\n' > docs/a.md",
        "git mv shop/cart.py shop/basket.py",
        "docs/a.md shop.cart → shop.basket!",
    ),
    (
        "mkdir -p tools docs; seq 9 > tools/run.py; printf '```sh\npython tools/run.py --all\n```\n' > docs/a.md",
        "mkdir scripts; git mv tools/run.py scripts/run.py",
        "docs/a.md tools/run.py → scripts/run.py!",
    ),
    // A package of a directory that is a package too, as an old commit had it in the root; modules that were merged into another project.
    (
        "mkdir -p shop/sub; touch shop/__init__.py shop/sub/__init__.py; seq 9 > shop/sub/cart.py; echo 'from shop.sub.cart import x' > shop/a.py; \
         git add .; git -c user.name=a -c user.email=a@b.c commit -qm a; mkdir kit; git mv shop kit/shop; touch kit/__init__.py kit/setup.py",
        "git mv kit/shop/sub/cart.py kit/shop/cart.py",
        "kit/shop/a.py shop.sub.cart → shop.cart!",
    ),
    // A package of the workspace whose directory has another name, mistyped.
    (
        "mkdir -p packages/parts/core kit; echo '{\"workspaces\":[\"packages/*/*\",\"kit\"]}' > package.json; \
         echo '{\"name\":\"@x/mosaic-core\",\"main\":\"a.js\"}' > packages/parts/core/package.json; seq 9 > packages/parts/core/a.js; \
         echo '{\"dependencies\":{\"@x/mosaic-core\":\"*\"}}' > kit/package.json; \
         for n in a b c; do echo \"import x from '@x/mosaic-core'\" > kit/$n.js; done",
        "echo \"import x from '@x/mosai-core'\" > kit/d.js",
        "kit/d.js @x/mosai-core → @x/mosaic-core!",
    ),
    // A call of a language without rules of its own, whose names others show; a project of Gradle, written with colons.
    (
        "mkdir -p lib/ui; for n in a b c d e f old; do seq 9 | sed s/^/$n/ > lib/ui/$n.lua; echo \"include('game/lib/ui/$n')\" >> lib/all.lua; done",
        "git mv lib/ui/old.lua lib/ui/new.lua",
        "lib/all.lua game/lib/ui/old → game/lib/ui/new!",
    ),
    (
        "mkdir -p app/core app/ui; seq 9 > app/core/build.gradle; seq 8 > app/ui/build.gradle; \
         printf \"include ':app:core'\\ninclude ':app:ui'\\n\" > settings.gradle",
        "mkdir -p parts; git mv app/core parts/core",
        "settings.gradle :app:core → :parts:core!",
    ),
    // A script that others run where the project is installed.
    (
        "mkdir bin; for n in a b c d e f g; do seq 9 | sed s/^/#$n/ > bin/$n.sh; echo /opt/app/bin/$n.sh x >> run.sh; done",
        "mkdir lib; git mv bin/g.sh lib/g.sh",
        "run.sh bin/g.sh → lib/g.sh!",
    ),
    // A package of Python that was renamed, and of which its own manifest asks for more parts.
    (
        "mkdir -p shop/kit; touch shop/__init__.py shop/kit/__init__.py; seq 9 > shop/kit/list.py; mkdir tests; \
         printf '[project]\\nname = \"shop\"\\n[project.optional-dependencies]\\nall = [\"shop[dev]\"]\\n' > pyproject.toml; \
         echo 'from shop.kit.list import x' > tests/a.py",
        "git mv shop store",
        "tests/a.py shop.kit.list → store.kit.list!",
    ),
    // A header that is only included where a feature is on.
    (
        "mkdir -p video app; seq 9 > video/coder.hpp; printf '#ifdef HAVE_CODER\\n#include \"coder.hpp\"\\n#endif\\n' > app/m.cpp",
        "git mv video/coder.hpp video/coder_encode.hpp",
        "app/m.cpp coder.hpp → ../video/coder_encode.hpp!",
    ),
    // Names in angle brackets among others of the project, and a copy of another project in which a header was renamed.
    (
        "mkdir src; echo 'include_directories(src)' > CMakeLists.txt; for n in a b c; do echo $n > src/$n.h; done; seq 9 > src/old_name.h; \
         printf '#include <a.h>\n#include <b.h>\n#include <old_name.h>\n' > src/m.cpp",
        "git mv src/old_name.h src/new_name.h",
        "src/m.cpp old_name.h → new_name.h!",
    ),
    (
        "mkdir -p vendor/lib; seq 9 > vendor/lib/shape.h; seq 8 > vendor/lib/face.h; \
         printf '#include \"face.h\"\n#include \"shape.h\"\n' > vendor/lib/m.c",
        "git mv vendor/lib/shape.h vendor/lib/shaper.h",
        "vendor/lib/m.c shape.h → shaper.h!",
    ),
    // A part of a list of the build, which runs where that is.
    (
        "mkdir -p src/view; echo 'include(view/view.cmake)' > src/CMakeLists.txt; seq 9 > src/view/old.cpp; seq 8 > src/view/b.cpp; \
         echo 'target_sources(x PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/view/b.cpp ${CMAKE_CURRENT_SOURCE_DIR}/view/old.cpp)' > src/view/view.cmake",
        "git mv src/view/old.cpp src/view/new.cpp",
        "src/view/view.cmake ${CMAKE_CURRENT_SOURCE_DIR}/view/old.cpp → ${CMAKE_CURRENT_SOURCE_DIR}/view/new.cpp!",
    ),
    // A template that left the directory from which its readers name it.
    (
        "mkdir -p templates/pages app/Pages; seq 9 > templates/pages/likes.html; echo '<?php return view(\"/pages/likes.html\");' > app/Pages/a.php",
        "mkdir app/Pages/parts; git mv templates/pages/likes.html app/Pages/parts/",
        "app/Pages/a.php pages/likes.html → parts/likes.html?",
    ),
    // A name from the root does not lead there from the directory that was searched.
    (
        "mkdir -p include/lib; seq 9 > include/lib/lib.hpp; printf '# A\n\n```cpp\n#include \"lib/lib.hpp\"\n```\n' > README.md",
        "git mv include/lib/lib.hpp include/lib.hpp",
        "README.md lib/lib.hpp → lib.hpp!",
    ),
    // A function of Kotlin whose package has another name.
    (
        "mkdir -p src/main/kotlin/me/p src/test/kotlin; printf 'package me.p\nfun assist() {}\n' > src/main/kotlin/me/p/Help.kt; \
         printf 'package q\nimport me.p.assist\nval x = assist()\n' > src/test/kotlin/X.kt",
        "mkdir src/main/kotlin/p; git mv src/main/kotlin/me/p/Help.kt src/main/kotlin/p/; sed -i 's/me.p/p/' src/main/kotlin/p/Help.kt",
        "src/test/kotlin/X.kt me.p.assist → p.assist!",
    ),
    // A path of a script that a commit moved deeper, so that the new one ends as the old one.
    (
        "mkdir -p scripts app/sender; printf '#!/bin/sh\ngo run app/sender/main.go &\n' > scripts/run.sh; seq 20 > app/sender/main.go",
        "mkdir cmd; git mv app cmd/",
        "scripts/run.sh app/sender/main.go → cmd/app/sender/main.go?",
    ),
    // A header that left the directory of the file for one that nothing searches, or moved below the directory around both.
    (
        "mkdir -p src/ui/prefs src/mod; printf '#include \"prefs/page.h\"\n#include \"other.h\"\n' > src/ui/dialog.cpp; \
         seq 9 > src/ui/prefs/page.h; seq 8 > src/ui/other.h; seq 7 > src/mod/a.cpp",
        "git mv src/ui/prefs src/mod/prefs",
        "src/ui/dialog.cpp prefs/page.h → ../mod/prefs/page.h!",
    ),
    (
        "mkdir -p lib/tools lib/common; printf '#include \"tools/painter.h\"\n' > lib/common/a.cpp; seq 9 > lib/tools/painter.h; seq 8 > lib/common/b.h",
        "git mv lib/tools/painter.h lib/common/",
        "lib/common/a.cpp tools/painter.h → common/painter.h!",
    ),
    // The other sources say from which directory the image is built, though another has the path too.
    (
        "mkdir -p docker deploy/docker; printf 'FROM x\nCOPY deploy/docker/a.conf /a\nCOPY package.json /b\nCOPY docker/nginx.conf /c\n' > deploy/docker/x.Dockerfile; \
         seq 9 > docker/nginx.conf; seq 8 > deploy/docker/a.conf; seq 7 > package.json",
        "git mv docker/nginx.conf deploy/docker/",
        "deploy/docker/x.Dockerfile docker/nginx.conf → deploy/docker/nginx.conf!",
    ),
    (
        "mkdir -p .github/workflows; printf 'a:\n  with:\n    assets: |\n      a.desktop\n' > .github/workflows/a.yml; seq 9 > a.desktop",
        "mkdir packaging; git mv a.desktop packaging/",
        ".github/workflows/a.yml a.desktop → packaging/a.desktop?",
    ),
    (
        "mkdir -p src/x; for n in a b c d e; do echo $n > src/x/$n.scss; done; seq 9 > src/x/f.scss; \
         echo '{\"a\": \"x/a.scss\", \"b\": \"x/b.scss\", \"c\": \"x/c.scss\", \"d\": \"x/d.scss\", \"e\": \"x/e.scss\", \"f\": \"x/f.scss\"}' > blocks.json",
        "mkdir src/x/old; git mv src/x/f.scss src/x/old/",
        "blocks.json x/f.scss → x/old/f.scss?",
    ),
    // A page of a server that prints its links.
    (
        "seq 40 > app/help.php; echo \"<?php f(); ?><a href='help.php'>x</a>\" > app/m.php",
        "git mv app/help.php app/about.php",
        "app/m.php help.php → about.php!",
    ),
    (
        "printf '*.html' > .gitignore; printf '![a](./docs/a.png)' > README.md; mkdir docs; seq 9 > docs/a.png",
        "mkdir docs/images; git mv docs/a.png docs/images/",
        "README.md ./docs/a.png → ./docs/images/a.png!",
    ),
    (
        "mkdir -p x; printf '<script src=\"<?php echo ROOT; ?>x/js/a.js\"></script>' > m.php; mkdir -p x/js; seq 9 > x/js/a.js",
        "git mv x/js js",
        "m.php x/js/a.js → js/a.js?",
    ),
    (
        "mkdir -p v/all/f v/b; for p in 1 2 3 4; do seq $p 9 > v/b/p$p.php; done; seq 9 > v/all/f/q.php; \
         printf '<?php t(\"b/p1\"); t(\"b/p2\"); t(\"b/p3\"); t(\"all/f/q\");' > m.php",
        "mkdir v/one; git mv v/all/f v/one/f",
        "m.php all/f/q → one/f/q?",
    ),
    (
        "mkdir -p core/src/one app/src; echo '{\"workspaces\": [\"core\", \"app\"]}' > package.json; \
         echo '{\"name\": \"@x/core\", \"main\": \"build/src/index.js\"}' > core/package.json; echo '{\"name\": \"@x/app\"}' > app/package.json; \
         printf 'import { a } from \"@x/core/build/src/one/spans\"' > app/src/m.ts; seq 9 > core/src/one/spans.ts; seq 8 > core/src/index.ts",
        "mkdir core/src/two; git mv core/src/one/spans.ts core/src/two/",
        "app/src/m.ts @x/core/build/src/one/spans → @x/core/build/src/two/spans!",
    ),
    (
        "mkdir -p a/d; printf 'FROM x\nCOPY . /opt/x\nRUN pip install -r /opt/x/a/d/base.txt\n' > Dockerfile; seq 9 > a/d/base.txt",
        "mkdir a/e; git mv a/d/base.txt a/e/",
        "Dockerfile /opt/x/a/d/base.txt → /opt/x/a/e/base.txt!",
    ),
    (
        "mkdir -p .github/workflows d; printf 'on: push\njobs:\n  a:\n    steps:\n      - run: docker build -f d/cpu.Dockerfile .\n' > .github/workflows/a.yml; \
         seq 9 > d/cpu.Dockerfile",
        "git mv d/cpu.Dockerfile d/Dockerfile.cpu",
        ".github/workflows/a.yml d/cpu.Dockerfile → d/Dockerfile.cpu?",
    ),
    (
        "mkdir -p src/gl src/own/include/own; printf '#include \"view.h\"\n' > src/gl/view.cpp; seq 9 > src/gl/view.h; seq 8 > src/own/include/own/b.h",
        "git mv src/gl/view.h src/own/include/own/; git mv src/gl/view.cpp src/own/",
        "src/own/view.cpp view.h → own/view.h!",
    ),
    (
        "printf 'open(\"a.png\")' > app/m.py; seq 9 > app/a.png",
        "mkdir app/res; git mv app/a.png app/res/",
        "app/m.py a.png → res/a.png?",
    ),
    (
        "printf 'open(\"../a.png\")' > app/m.py; seq 9 > a.png",
        "mkdir res; git mv a.png res/",
        "app/m.py ../a.png → ../res/a.png?",
    ),
    (
        "printf '<a>\\n<b>x/a.png</b></a>' > app/m.xml; mkdir x; seq 9 > x/a.png",
        "git mv x y",
        "app/m.xml x/a.png → y/a.png?",
    ),
    (
        "printf 'x {\"x/a.lua\"}' > m.lua; mkdir x; seq 9 > x/a.lua",
        "mkdir src; git mv x src/",
        "m.lua x/a.lua → src/x/a.lua?",
    ),
    ("printf 'a: bash x/a.sh' > a.yml; mkdir x; seq 9 > x/a.sh", "git mv x/a.sh a.sh", "a.yml x/a.sh → ./a.sh?"),
    (
        "mkdir -p .github/actions/x x; printf 'a: bash x/a.sh' > .github/actions/x/action.yml; seq 9 > x/a.sh",
        "git mv x .github/x",
        ".github/actions/x/action.yml x/a.sh → .github/x/a.sh?",
    ),
    ("printf 'data-files: x/a.txt' > a.cabal; mkdir x; seq 9 > x/a.txt", "git mv x y", "a.cabal x/a.txt → y/a.txt!"),
    (
        "printf 'define([\"./a\"], f)' > app/m.js; seq 9 > app/a.js",
        "mkdir app/x; git mv app/a.js app/x/",
        "app/m.js ./a → ./x/a!",
    ),
    (
        "printf 'define(function (require) { require(\"./a\") })' > app/m.js; seq 9 > app/a.js",
        "mkdir app/x; git mv app/a.js app/x/",
        "app/m.js ./a → ./x/a!",
    ),
    (
        "mkdir -p docs/a; for p in 1 2 3 4 5; do seq $p 9 > docs/a/p$p.md; done; printf 'x = [\"a/p1\", \"a/p2\", \"a/p3\", \"a/p4\", \"/a/p5\"]' > sidebars.js",
        "mkdir docs/b; git mv docs/a/p5.md docs/b/",
        "sidebars.js a/p5 → b/p5?",
    ),
    (
        "printf '#!/usr/bin/env node\nrequire(\"./a\")' > app/run; seq 9 > app/a.js",
        "mkdir app/x; git mv app/a.js app/x/",
        "app/run ./a → ./x/a!",
    ),
    (
        "printf '#!/usr/bin/python3\nfrom pkg.a import b\n' > run; mkdir pkg; touch pkg/__init__.py; seq 9 > pkg/a.py",
        "git mv pkg/a.py pkg/c.py",
        "run pkg.a → pkg.c!",
    ),
    ("printf 'Read `x/a.rs` first.' > README.md; mkdir x; seq 9 > x/a.rs", "git mv x y", "README.md x/a.rs → y/a.rs!"),
    ("printf '@x/a.md' > CLAUDE.md; mkdir x; seq 9 > x/a.md", "git mv x y", "CLAUDE.md x/a.md → y/a.md!"),
    (
        "printf 'SOURCES += a.cpp\n' > app/x.pro; seq 9 > app/a.cpp",
        "mkdir app/ui; git mv app/a.cpp app/ui/",
        "app/x.pro a.cpp → ui/a.cpp!",
    ),
    (
        "printf '<?php\nopen(\"$base/x/a.txt\");' > app/m.php; mkdir x; seq 9 > x/a.txt",
        "git mv x y",
        "app/m.php x/a.txt → y/a.txt?",
    ),
    (
        "printf 'x = \"../../../x/a.txt\"' > app/m.cpp; mkdir x; seq 9 > x/a.txt",
        "git mv x y",
        "app/m.cpp ../../../x/a.txt → ../../../y/a.txt?",
    ),
    (
        "mkdir -p app/web/templates app/web/static/js; seq 9 > app/web/static/js/a.js; \
         echo '<script src=\"{{ static(\"js/a.js\") }}\">' | tr '\\042' '\\047' > app/web/templates/a.html",
        "mkdir app/web/static/js/x; git mv app/web/static/js/a.js app/web/static/js/x/",
        "app/web/templates/a.html js/a.js → js/x/a.js!",
    ),
    (
        "mkdir docs; echo '{\"pages\": [\"a/setup\", \"b\"]}' > docs/docs.json; mkdir docs/a; seq 9 > docs/a/setup.mdx; \
         echo '[a](/a/setup)' > docs/b.mdx",
        "mkdir docs/c; git mv docs/a/setup.mdx docs/c/; sed -i s,a/setup,c/setup, docs/docs.json",
        "docs/b.mdx /a/setup → /c/setup!",
    ),
    (
        "for m in a b; do mkdir -p $m/src/main/java/p; echo 'package p; public class C {}' > $m/src/main/java/p/C.java; done; \
         seq 9 >> a/src/main/java/p/C.java; printf 'package p.y;\nimport p.C;\n' > a/src/main/java/D.java",
        "mkdir a/src/main/java/p/x; git mv a/src/main/java/p/C.java a/src/main/java/p/x/",
        "a/src/main/java/D.java p.C → p.x.C!",
    ),
    // A module has a type of the new name already, and the directories above the source root are no part of it.
    (
        "mkdir -p a/src/test/java/p/a b/src/test/java/p c; echo 'package p.a;' > a/src/test/java/p/a/M.kt; seq 9 >> a/src/test/java/p/a/M.kt; \
         echo 'package p;' > b/src/test/java/p/M.kt; seq 30 >> b/src/test/java/p/M.kt; printf 'package p.a\nimport p.a.M\n' > a/src/test/java/p/a/D.kt",
        "mkdir -p c/src/main/java/p; git mv a/src/test/java/p/a/M.kt c/src/main/java/p/; sed -i 's/^package p.a/package p/' c/src/main/java/p/M.kt",
        "a/src/test/java/p/a/D.kt p.a.M → p.M!",
    ),
    // A module moved to another place than the one above it.
    (
        "mkdir -p src/net2; touch Cargo.toml; printf 'mod net; mod net2; mod user;' > src/lib.rs; echo 'pub mod end;' > src/net.rs; \
         printf 'pub mod tls;' > src/net2.rs; seq 9 >> src/net2.rs; seq 30 > src/net2/tls.rs; mkdir src/net; seq 50 > src/net/end.rs; \
         echo 'use crate::net2::tls::Tls;' > src/user.rs",
        "git mv src/net2.rs src/net/socket.rs; git mv src/net2/tls.rs src/net/tls.rs; printf 'pub mod end; pub mod socket; pub mod tls;' > src/net.rs; \
         printf 'mod net; mod user;' > src/lib.rs; sed -i '1s/pub mod tls;//' src/net/socket.rs",
        "src/user.rs crate::net2::tls → crate::net::tls!",
    ),
    // A file is put away, so that its readers do without it, and two files are made of one.
    (
        "printf '[x](x/a.yml)' > a.md; mkdir x; seq 9 > x/a.yml",
        "git mv x/a.yml x/a.yml.off",
        "a.md x/a.yml → x/a.yml.off?",
    ),
    (
        "printf '[x](x/a.yml)' > a.md; mkdir x; seq 9 > x/a.yml",
        "mkdir -p y/v1 y/v2; git mv x/a.yml y/v1/; seq 50 70 > y/v2/a.yml",
        "a.md x/a.yml → y/v1/a.yml?",
    ),
    // The other one was beside it before.
    (
        "printf '[x](y/v1/a.yml)' > a.md; mkdir -p y/v1 y/v2; seq 9 > y/v1/a.yml; seq 50 70 > y/v2/a.yml",
        "mkdir y/v3; git mv y/v1/a.yml y/v3/",
        "a.md y/v1/a.yml → y/v3/a.yml!",
    ),
    // A rule for directories says nothing of a file.
    (
        "mkdir z; echo 'const a = @import(\"old.zig\");' > z/a.zig; seq 9 > z/old.zig; echo '*zig*/' > .gitignore",
        "git mv z/old.zig z/new.zig",
        "z/a.zig old.zig → new.zig!",
    ),
    // A file in a directory of a build's name was kept, as the one that it became.
    (
        "mkdir -p z/data/target; echo 'b.B(\"./data/target/old.cue\")' > z/a.go; seq 9 > z/data/target/old.cue",
        "git mv z/data/target/old.cue z/data/target/new.cue",
        "z/a.go ./data/target/old.cue → ./data/target/new.cue?",
    ),
];

#[test]
fn follows_moves_of_what_no_rule_names() {
    for (files, moved, expect) in MOVES {
        let files = format!("mkdir app; seq 20 > app/x.txt; {files}");
        let tree = history(&[(1, files.as_str()), (2, moved)]);
        assert_eq!(rows(&tree, &[]), [expect], "{files}");
    }
}

/// A fix of `import a.b` edits what the file does with `a.b`; where it does something else with `a`, there is none.
#[test]
fn edits_the_uses_of_a_renamed_package() {
    let check = |text: &str, expect: &str| {
        let files = format!(
            "mkdir shop; (seq 9 | sed 's/^/# /'; echo x = 1) > shop/__init__.py; seq 8 > shop/kit.py; printf '{text}' > a.py"
        );
        let tree = history(&[(1, files.as_str()), (2, "git mv shop store")]);
        tree.plan(&["fix"]).run();
        let fixed = std::fs::read_to_string(tree.root().join("a.py")).expect("a file");
        assert_eq!(fixed, expect, "{text}");
    };
    check("import shop\nprint(shop, \"shop\")\n", "import store\nprint(store, \"shop\")\n");
    check("import shop.kit\nshop.kit.run(shop=1)\n", "import store.kit\nstore.kit.run(shop=1)\n");
    check("from shop import x\nshop = x\n", "from store import x\nshop = x\n");
    check("import shop.kit\nprint(shop)\n", "import shop.kit\nprint(shop)\n");
}

/// A module whose source root and package moved, and whose types have new names.
#[test]
fn follows_packages_of_modules_that_moved() {
    let files = "mkdir -p old/src/main/java/a/b/old core/src/main/java/a/b; \
                 { echo 'package a.b.old;'; echo 'public class Old {}'; seq 20; } > old/src/main/java/a/b/old/Old.java; \
                 { echo 'package a.b.old;'; seq 20 50; } > old/src/main/java/a/b/old/Two.java; \
                 printf 'package a.b;\\nimport a.b.old.Old;\\nimport a.b.old.*;\\n' > core/src/main/java/a/b/Core.java";
    let moved = "mkdir -p new/src/main/java/a/b; git mv old/src/main/java/a/b/old new/src/main/java/a/b/new; \
                 cd new/src/main/java/a/b/new; git mv Old.java New.java; sed -i s/b.old/b.new/ *.java";
    let tree = history(&[(1, files), (2, moved)]);
    let core = "core/src/main/java/a/b/Core.java";
    let expect = [format!("{core} a.b.old.Old → a.b.new.New!"), format!("{core} a.b.old → a.b.new!")];
    assert_eq!(rows(&tree, &[]), expect);
}

/// A directory whose files all went to another one, most of them under its name.
#[test]
fn follows_packages_whose_files_have_their_name() {
    let files = "mkdir -p in/old; echo 'module x.org/m' > go.mod; echo 'package old' > in/old/a.go; seq 20 > in/old/old.go; \
                 seq 30 50 > in/old/old_test.go; printf 'package m\\nimport \"x.org/m/in/old\"\\n' > m.go";
    let moved = "git mv in/old in/new; cd in/new; git mv old.go new.go; git mv old_test.go new_test.go";
    let tree = history(&[(1, files), (2, moved)]);
    assert_eq!(rows(&tree, &[]), ["m.go x.org/m/in/old → x.org/m/in/new!"]);
}

/// A word that has stood for long after the move is read from where the file is now.
#[test]
fn leaves_words_that_outlived_the_move() {
    let run = "echo 'run:' > justfile; echo \"  remote './manage.py x'\" >> justfile; seq 9 > manage.py";
    let moved = "mkdir web; git mv manage.py web/";
    let later = (60, "echo x > x.txt");
    assert_eq!(rows(&history(&[(1, run), (2, moved)]), &[]), ["justfile ./manage.py → ./web/manage.py?"]);
    assert_eq!(rows(&history(&[(1, run), (2, moved), later]), &[]), [""; 0]);
    // Another ending, and both names in one file.
    let files = "mkdir x; seq 9 > x/a.c; seq 30 50 > x/b.c; echo 'a = x/a.c' > a.ini; echo 'a = x/b.c' > b.ini; \
                 seq 9 >> b.ini; echo 'b = y/b.c' >> b.ini";
    let moved = "git mv x/a.c x/a.cpp; mkdir y; git mv x/b.c y/b.c";
    let expect = ["a.ini x/a.c → x/a.cpp!", "b.ini x/b.c → y/b.c?"];
    assert_eq!(rows(&history(&[(1, files), (2, moved)]), &[]), expect);
    assert_eq!(rows(&history(&[(1, files), (2, moved), later]), &[]), [""; 0]);
    // A module that took the name of the directory in which it was.
    let files =
        "mkdir -p t/engine; seq 9 > t/engine/run.nim; seq 20 40 > t/engine/b.nim; echo 'import ./engine' > t/all.nim";
    let moved = "git mv t/engine/run.nim t/engine.nim; git mv t/engine/b.nim t/b.nim";
    assert_eq!(rows(&history(&[(1, files), (2, moved)]), &[]), [""; 0]);
}

/// The commit that moved the file edited the program, and left its string.
#[test]
fn leaves_strings_that_the_move_left() {
    let files = "mkdir data t; seq 50 > data/list.txt; echo 'x = open(\"data/list.txt\")' > t/a.py";
    let moved = "git mv data/list.txt data/names.txt";
    let edited = format!("{moved}; echo >> t/a.py");
    let expect = ["t/a.py data/list.txt → data/names.txt?"];
    assert_eq!(rows(&history(&[(1, files), (2, moved)]), &[]), expect);
    assert_eq!(rows(&history(&[(1, files), (2, edited.as_str())]), &[]), [""; 0]);
}

/// A page that another address leads to, and a commit that moves more files than are followed.
#[test]
fn leaves_addresses_and_follows_the_newest_moves() {
    let page =
        "mkdir -p docs/a; echo '{}' > docs/docs.json; seq 9 > docs/a/setup.mdx; echo '[a](/a/setup)' > docs/b.mdx";
    let redirect = "mkdir docs/c; git mv docs/a/setup.mdx docs/c/; \
                    echo '{\"redirects\": [{\"source\": \"/a/setup\", \"destination\": \"/c/setup\"}]}' > docs/docs.json";
    assert_eq!(rows(&history(&[(1, page), (2, redirect)]), &[]), [""; 0]);
    // The other module has the type since it moved.
    let file = "src/main/java/p";
    let types = format!(
        "mkdir -p a/{file}; {{ echo 'package p; public class C {{}}'; seq 9; }} > a/{file}/C.java; \
         printf 'package p.y;\nimport p.C;\n' > a/src/main/java/D.java"
    );
    let split = format!(
        "mkdir -p b/{file} c/src/main/java/q; cp a/{file}/C.java b/{file}/; echo >> b/{file}/C.java; \
         git mv a/{file}/C.java c/src/main/java/q/"
    );
    assert_eq!(rows(&history(&[(1, types.as_str()), (2, split.as_str())]), &[]), [""; 0]);
    let many = "mkdir old; for i in $(seq 600); do echo $i file number $i > old/$i.txt; done; \
                mkdir x; seq 9 > x/a.txt; echo 'a: bash x/a.txt' > a.yml";
    let tree = history(&[(1, many), (2, "git mv old new"), (3, "git mv x y")]);
    assert_eq!(rows(&tree, &[]), ["a.yml x/a.txt → y/a.txt!"]);
}
