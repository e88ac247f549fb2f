; A built-in function that names a file.
(builtin_function
  (builtin_identifier) @name
  (arguments . (string) @string)
  (#any-of? @name "@import" "@embedFile"))
