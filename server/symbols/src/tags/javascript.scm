((method_definition name: (property_identifier) @none) (#eq? @none "constructor"))
(method_definition name: [(property_identifier) (private_property_identifier)] @method)
(class_declaration name: (identifier) @class)
(function_declaration name: (identifier) @function)
(generator_function_declaration name: (identifier) @function)
(field_definition property: [(property_identifier) (private_property_identifier)] @method
  value: [(arrow_function) (function_expression)])
