use crate::testing::{check, holds};

#[test]
fn relative() {
    check(
        "src/b.ts\nsrc/c/index.tsx",
        "src/a.ts",
        "import b from './b.js';\nimport type { C } from './c';\nexport * from \"./gone\";\nimport x from 'react';\n",
        "ts.import ./b.js → src/b.ts
         ts.import ./c → src/c/index.tsx
         ts.import ./gone → missing
         ts.import react → unknown not-installed",
    );
}

#[test]
fn broken_text() {
    holds("a.ts", "import x from './é");
    holds("a.vue", "<script lang=ts>import 'é.ts'</script><img src=\"./é");
}
