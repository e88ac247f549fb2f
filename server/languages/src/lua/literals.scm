; A module by its name. What `pcall` calls may fail, and has another form.
(function_call
  name: (identifier) @name
  arguments: (arguments . (string) @string .)
  (#eq? @name "require"))
