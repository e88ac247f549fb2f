; A call, which may load a file. `ruby.rs` looks at the parts.
(call) @call

; What fails here may be caught, or be for some systems only.
[(begin) (body_statement)] @block
(rescue_modifier) @optional
[(if) (unless) (if_modifier) (unless_modifier)] @if
