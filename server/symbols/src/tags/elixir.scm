(call target: (identifier) @_word (arguments . (alias) @module) (#eq? @_word "defmodule"))
(call target: (identifier) @_word (arguments . (alias) @interface) (#eq? @_word "defprotocol"))
(call target: (identifier) @_word (arguments . (alias) @implementation) (#eq? @_word "defimpl"))
(call target: (identifier) @_word (arguments . [
    (identifier) @macro
    (call target: (identifier) @macro)
    (binary_operator left: (call target: (identifier) @macro) operator: "when")])
  (#any-of? @_word "defmacro" "defmacrop" "defguard" "defguardp"))
(call target: (identifier) @_word (arguments . [
    (identifier) @function
    (call target: (identifier) @function)
    (binary_operator left: (call target: (identifier) @function) operator: "when")])
  (#any-of? @_word "def" "defp" "defdelegate" "defn" "defnp"))
