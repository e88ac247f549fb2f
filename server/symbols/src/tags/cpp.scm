; Read before the patterns of C: constructors have the name of their type.
(field_declaration_list (function_definition declarator: (function_declarator declarator: (identifier) @none)))
(field_declaration_list (declaration declarator: (function_declarator declarator: (identifier) @none)))
(function_definition declarator: (function_declarator declarator: (field_identifier) @method))
(function_definition declarator: (pointer_declarator declarator: (function_declarator
  declarator: (field_identifier) @method)))
(function_definition declarator: (reference_declarator (function_declarator declarator: (field_identifier) @method)))
(function_definition declarator: (reference_declarator (function_declarator declarator: (identifier) @function)))
(field_declaration declarator: (function_declarator declarator: (field_identifier) @prototype))
(field_declaration declarator: (pointer_declarator declarator: (function_declarator
  declarator: (field_identifier) @prototype)))
(field_declaration declarator: (reference_declarator (function_declarator declarator: (field_identifier) @prototype)))
(declaration declarator: (reference_declarator (function_declarator declarator: (identifier) @prototype)))
(function_definition declarator: (function_declarator declarator: (qualified_identifier) @qualified))
(function_definition declarator: (pointer_declarator declarator: (function_declarator
  declarator: (qualified_identifier) @qualified)))
(function_definition declarator: (reference_declarator (function_declarator
  declarator: (qualified_identifier) @qualified)))
(class_specifier name: (type_identifier) @class body: (_))
(namespace_definition name: (namespace_identifier) @module)
(alias_declaration name: (type_identifier) @type)
(concept_definition name: (identifier) @type)
