; What is included.
[(include_expression) (include_once_expression) (require_expression) (require_once_expression)] @include

; A path that begins with the file's own place.
(binary_expression left: (_) right: [(string) (encapsed_string)]) @path

; What is asked for first, or caught.
(if_statement condition: (_) @condition (#match? @condition "file_exists|is_file|is_readable|is_dir|PHP_|class_exists|extension_loaded|stream_resolve")) @optional
(conditional_expression condition: (_) @condition (#match? @condition "file_exists|is_file|is_readable")) @optional
(binary_expression left: (_) @condition operator: "&&" (#match? @condition "file_exists|is_file|is_readable")) @optional
