; A definition without a type is a macro call: `TEST(name) {`.
(function_definition type: (_) declarator: (function_declarator declarator: (identifier) @function))
(function_definition declarator: (pointer_declarator declarator: (function_declarator
  declarator: (identifier) @function)))
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator
  declarator: (identifier) @function))))
(declaration declarator: (function_declarator declarator: (identifier) @prototype))
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @prototype)))
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator
  declarator: (identifier) @prototype))))
(struct_specifier name: (type_identifier) @struct body: (_))
(union_specifier name: (type_identifier) @union body: (_))
(enum_specifier name: (type_identifier) @enum body: (_))
(type_definition declarator: (type_identifier) @type)
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @type))
(type_definition declarator: (array_declarator declarator: (type_identifier) @type))
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator
  (pointer_declarator declarator: (type_identifier) @type))))
(preproc_def name: (identifier) @macro value: (_))
(preproc_function_def name: (identifier) @macro)
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @variable)))
(translation_unit (declaration declarator: (init_declarator declarator: (array_declarator
  declarator: (identifier) @variable))))
