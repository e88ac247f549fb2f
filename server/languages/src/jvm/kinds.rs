//! The literal kinds of the JVM languages.

pathfinder_literals::literal_kinds! {
    /// Class of `import`.
    GROOVY_IMPORT = "groovy.import";
    /// Class of `import`.
    JAVA_IMPORT = "java.import";
    /// Class, function or property of `import`.
    KOTLIN_IMPORT = "kotlin.import";
    /// Class or object of `import`.
    SCALA_IMPORT = "scala.import";
}
