; What can name a module, in JavaScript and in TypeScript alike. `scan.rs` looks at the parts.
(import_statement) @node
(export_statement) @node
(call_expression) @node
(new_expression) @node
