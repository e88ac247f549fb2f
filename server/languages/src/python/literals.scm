; What can be a path with literals behind `__file__`.
(binary_operator right: (string)) @path
(call function: (attribute attribute: (identifier) @join) (#eq? @join "join")) @path
