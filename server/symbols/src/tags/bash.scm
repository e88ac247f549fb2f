(function_definition name: (word) @function)
(program (variable_assignment name: (variable_name) @variable))
(program (declaration_command "readonly" (variable_assignment name: (variable_name) @constant)))
