//! The literal kinds of JavaScript, TypeScript and Vue.

pathfinder_literals::literal_kinds! {
    /// Module of a type in a comment: `@type {import('./a').A}`.
    JS_COMMENT_TYPE = "js.comment_type";
    /// Module of `import()`.
    JS_DYNAMIC_IMPORT = "js.dynamic_import";
    /// Module of `import` or `export from`.
    JS_IMPORT = "js.import";
    /// Module of `jest.mock` and the like.
    JS_MOCK = "js.mock";
    /// Path from the directory of the script: `path.join(__dirname, 'a.txt')`.
    JS_PATH = "js.path";
    /// File of `/// <reference path>`.
    JS_REFERENCE = "js.reference";
    /// Module of `require` or `require.resolve`.
    JS_REQUIRE = "js.require";
    /// File of `new URL(…, import.meta.url)`.
    JS_URL = "js.url";
    /// File that a string of a configuration in JavaScript or TypeScript names.
    JS_VALUE = "js.value";
    /// Template or style sheet of a component of Angular.
    TS_COMPONENT_FILE = "ts.component_file";
    /// Module of `import()` in TypeScript.
    TS_DYNAMIC_IMPORT = "ts.dynamic_import";
    /// Module of `import` or `export from` in TypeScript.
    TS_IMPORT = "ts.import";
    /// Module of `jest.mock` and the like in TypeScript.
    TS_MOCK = "ts.mock";
    /// Module of `declare module`.
    TS_MODULE = "ts.module";
    /// Path from the directory of the script, in TypeScript.
    TS_PATH = "ts.path";
    /// File of `/// <reference path>` in TypeScript.
    TS_REFERENCE = "ts.reference";
    /// Module of `require` in TypeScript.
    TS_REQUIRE = "ts.require";
    /// File of `new URL(…, import.meta.url)` in TypeScript.
    TS_URL = "ts.url";
    /// `src` of a block of a component.
    VUE_SRC = "vue.src";
}
