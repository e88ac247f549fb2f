; What only TypeScript has: an import of a module by `require`, and a block that adds to another module.
(import_require_clause) @node
(module) @node
