//! The literal kinds of plain strings.

pathfinder_literals::literal_kinds! {
    /// String in C and C++ that looks like a path (hints only).
    C_STRING = "c.string";
    /// String in Dart that looks like a path (hints only).
    DART_STRING = "dart.string";
    /// String in Go that looks like a path (hints only).
    GO_STRING = "go.string";
    /// String in Groovy that looks like a path (hints only).
    GROOVY_STRING = "groovy.string";
    /// String in Java that looks like a path (hints only).
    JAVA_STRING = "java.string";
    /// String in JavaScript that looks like a path (hints only).
    JS_STRING = "js.string";
    /// String in Kotlin that looks like a path (hints only).
    KOTLIN_STRING = "kotlin.string";
    /// String in PHP that looks like a path (hints only).
    PHP_STRING = "php.string";
    /// String in Python that looks like a path (hints only).
    PY_STRING = "py.string";
    /// String in Ruby that looks like a path (hints only).
    RUBY_STRING = "ruby.string";
    /// String in Rust that looks like a path (hints only).
    RUST_STRING = "rust.string";
    /// String in Scala that looks like a path (hints only).
    SCALA_STRING = "scala.string";
    /// String in TypeScript that looks like a path (hints only).
    TS_STRING = "ts.string";
    /// String in Zig that looks like a path (hints only).
    ZIG_STRING = "zig.string";
}
