; What names a module, in JavaScript and in TypeScript alike. The tests of names are made in `scan.rs`.
(import_statement source: (string) @import)

(export_statement source: (string) @import)

(call_expression
  function: (import)
  arguments: (arguments . [(string) (template_string)] @dynamic))

(call_expression
  function: (identifier) @function
  arguments: (arguments . [(string) (template_string)] @string)
  (#eq? @function "require"))

(call_expression
  function: (member_expression
    object: (_) @object
    property: (property_identifier) @method)
  arguments: (arguments . [(string) (template_string)] @string)
  (#any-of? @method
    "resolve" "mock" "doMock" "unmock" "dontMock" "doUnmock" "deepUnmock" "setMock" "requireActual" "requireMock"
    "importActual" "importMock" "createMockFromModule"))

(new_expression
  constructor: (identifier) @constructor
  arguments: (arguments . [(string) (template_string)] @string . (member_expression) @base)
  (#eq? @constructor "URL"))
