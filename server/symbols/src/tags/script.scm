; Patterns for JavaScript and TypeScript.
((variable_declarator name: (identifier) @none value: (call_expression function: (identifier) @_require))
  (#eq? @_require "require"))
(program (lexical_declaration (variable_declarator name: (identifier) @function
  value: [(arrow_function) (function_expression) (generator_function)])))
(program (variable_declaration (variable_declarator name: (identifier) @function
  value: [(arrow_function) (function_expression) (generator_function)])))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @function
  value: [(arrow_function) (function_expression) (generator_function)]))))
(program (lexical_declaration "const" (variable_declarator name: (identifier) @class value: (class))))
(program (export_statement (lexical_declaration "const" (variable_declarator name: (identifier) @class value: (class)))))
(program (lexical_declaration "const" (variable_declarator name: (identifier) @constant)))
(program (lexical_declaration "let" (variable_declarator name: (identifier) @variable)))
(program (variable_declaration (variable_declarator name: (identifier) @variable)))
(export_statement (lexical_declaration "const" (variable_declarator name: (identifier) @constant)))
(export_statement (lexical_declaration "let" (variable_declarator name: (identifier) @variable)))
(assignment_expression left: (member_expression property: (property_identifier) @none)
  right: [(arrow_function) (function_expression)] (#match? @none "^(exports|on[a-z]+)$"))
(assignment_expression left: (member_expression property: (property_identifier) @method)
  right: [(arrow_function) (function_expression)])
(pair key: (property_identifier) @method value: [(arrow_function) (function_expression)])
