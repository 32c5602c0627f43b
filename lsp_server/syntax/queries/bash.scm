; Bash and its relatives. Captures: see docs/how-to/add-a-language.md.

((command
  name: (command_name
    (word) @_source)) @import
  (#any-of? @_source "." "source" "load" "bats_load_library"))

; --- definitions

(function_definition
  name: (word) @name
  body: (_) @body) @def.function

(program
  [
    (variable_assignment
      name: (variable_name) @name)
    (declaration_command
      (variable_assignment
        name: (variable_name) @name))
    (declaration_command
      (variable_name) @name)
  ] @def.variable)

; --- uses

((command_name
  (word) @ref.call)
  (#match? @ref.call "^[A-Za-z_]"))

; A function may be handed to another command: `trap cleanup EXIT`, `retry 3 push`.
((command
  argument: (word) @ref.read)
  (#match? @ref.read "^[A-Za-z_][A-Za-z0-9_:-]*$"))

(simple_expansion
  (variable_name) @ref.read)

(expansion
  (variable_name) @ref.read)

(subscript
  name: (variable_name) @ref.read)

(variable_assignment
  name: (variable_name) @ref.read)

((variable_name) @skip
  (#match? @skip "^[0-9]"))

; --- locals

(declaration_command
  [
    "local"
    "declare"
    "typeset"
  ]
  [
    (variable_name) @local
    (variable_assignment
      name: (variable_name) @local)
  ])

(for_statement
  variable: (variable_name) @local)
