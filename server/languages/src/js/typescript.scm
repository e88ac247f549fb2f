; What only TypeScript has.
(import_require_clause source: (string) @require)

; A block that adds to another module.
(module name: (string) @module)
