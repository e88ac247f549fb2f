; A call that loads a file.
(call
  !receiver
  method: (identifier) @name
  arguments: (argument_list) @list
  (#any-of? @name "require" "require_relative" "load" "autoload"))

; What fails here is caught, or is for some systems only.
(begin (rescue)) @optional
(body_statement (rescue)) @optional
(rescue_modifier) @optional
(if condition: (_) @condition (#match? @condition "RUBY_|platform|Platform|defined|windows|jruby|exist|file\\?|mac|linux|OS")) @optional
(unless condition: (_) @condition (#match? @condition "RUBY_|platform|Platform|defined|windows|jruby|exist|file\\?|mac|linux|OS")) @optional
(if_modifier condition: (_) @condition (#match? @condition "RUBY_|platform|Platform|defined|windows|jruby|exist|file\\?|mac|linux|OS")) @optional
(unless_modifier condition: (_) @condition (#match? @condition "RUBY_|platform|Platform|defined|windows|jruby|exist|file\\?|mac|linux|OS")) @optional
