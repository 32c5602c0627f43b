; Swift. Captures: see docs/how-to/add-a-language.md.

(import_declaration) @import

; --- definitions

(class_declaration
  declaration_kind: [
    "class"
    "actor"
  ]
  name: (type_identifier) @name
  body: (_) @body) @def.class

(class_declaration
  declaration_kind: "struct"
  name: (type_identifier) @name
  body: (_) @body) @def.struct

(class_declaration
  declaration_kind: "enum"
  name: (type_identifier) @name
  body: (_) @body) @def.enum

; An extension holds more members of its type.
(class_declaration
  declaration_kind: "extension"
  name: (user_type
    (type_identifier) @owner .)
  body: (_) @body) @def.impl

(protocol_declaration
  name: (type_identifier) @name
  body: (_) @body) @def.interface

(enum_entry
  name: (simple_identifier) @name) @def.enum_member

(typealias_declaration
  name: (type_identifier) @name) @def.type

(associatedtype_declaration
  name: (type_identifier) @name) @def.type

; The name may be an operator.
(function_declaration
  "func"
  .
  _ @name
  body: (_)? @body) @def.function

(protocol_function_declaration
  name: (simple_identifier) @name
  body: (_)? @body) @def.method

(init_declaration
  "init" @name
  body: (_)? @body) @def.constructor

(deinit_declaration
  "deinit" @name
  body: (_)? @body) @def.method

(subscript_declaration
  "subscript" @name
  (computed_property)? @body) @def.method

(source_file
  (property_declaration
    name: (pattern
      bound_identifier: (simple_identifier) @name)) @def.variable)

(class_body
  (property_declaration
    name: (pattern
      bound_identifier: (simple_identifier) @name)) @def.property)

(enum_class_body
  (property_declaration
    name: (pattern
      bound_identifier: (simple_identifier) @name)) @def.property)

(protocol_property_declaration
  name: (pattern
    bound_identifier: (simple_identifier) @name)) @def.property

; --- tests

(function_declaration
  (modifiers
    (attribute
      (user_type
        (type_identifier) @_mark)))
  (#eq? @_mark "Test")) @test

; --- uses

(call_expression
  .
  (simple_identifier) @ref.call)

(call_expression
  .
  (navigation_expression
    suffix: (navigation_suffix
      suffix: (simple_identifier) @ref.call)))

(call_expression
  .
  (prefix_expression
    target: (simple_identifier) @ref.call))

(macro_invocation
  (simple_identifier) @ref.call)

(inheritance_specifier
  inherits_from: (user_type
    (type_identifier) @ref.inherit))

(attribute
  (user_type
    (type_identifier) @ref.decorator))

(type_identifier) @ref.type

(navigation_suffix
  suffix: (simple_identifier) @ref.attribute)

; `.home` is a member of the expected type.
(prefix_expression
  operation: "."
  target: (simple_identifier) @ref.attribute)

(pattern
  .
  "."
  .
  (simple_identifier) @ref.attribute)

((navigation_expression
  target: (simple_identifier) @ref.type)
  (#match? @ref.type "^[A-Z]"))

(simple_identifier) @ref.read

; Labels of arguments and parameters are no uses, nor are `$0` and `_`.
(value_argument_label
  (simple_identifier) @skip)

(parameter
  external_name: (simple_identifier) @skip)

(enum_type_parameters
  (simple_identifier) @skip)

((simple_identifier) @skip
  (#match? @skip "^[$_]"))

; --- locals

(type_parameter
  (type_identifier) @local)

(parameter
  name: (simple_identifier) @local)

(lambda_parameter
  name: (simple_identifier) @local)

(_
  bound_identifier: (simple_identifier) @local)

(pattern
  (pattern
    .
    (simple_identifier) @local .))

(lambda_literal) @scope

[
  (class_declaration)
  (protocol_declaration)
  (computed_property)
  (willset_didset_block)
] @scope

; --- types of variables

(parameter
  name: (simple_identifier) @bind.name
  [
    (user_type
      (type_identifier) @bind.type)
    (optional_type
      wrapped: (user_type
        (type_identifier) @bind.type))
  ]) @bind

(property_declaration
  name: (pattern
    bound_identifier: (simple_identifier) @bind.name)
  (type_annotation
    [
      (user_type
        (type_identifier) @bind.type)
      (optional_type
        wrapped: (user_type
          (type_identifier) @bind.type))
    ])) @bind

; `let x = Foo()`, `let x = Foo.make()`
((_
  name: (pattern
    bound_identifier: (simple_identifier) @bind.name)
  value: [
    (call_expression
      .
      (simple_identifier) @bind.type)
    (call_expression
      .
      (navigation_expression
        target: (simple_identifier) @bind.type))
    (try_expression
      expr: (call_expression
        .
        (simple_identifier) @bind.type))
    (await_expression
      (call_expression
        .
        (simple_identifier) @bind.type))
  ]) @bind
  (#match? @bind.type "^[A-Z]"))

((_
  bound_identifier: (simple_identifier) @bind.name
  condition: (call_expression
    .
    (simple_identifier) @bind.type)) @bind
  (#match? @bind.type "^[A-Z]"))

(catch_block
  error: (pattern
    (pattern
      bound_identifier: (simple_identifier) @bind.name)
    (user_type
      (type_identifier) @bind.type))) @bind

; Results of functions: a binding of the function's own name in its own scope
; (the body tells a function as surely as its node, through which compiling would take a third of the whole)

(_
  name: (simple_identifier) @bind.name
  name: [
    (user_type
      .
      (type_identifier) @bind.type)
    (optional_type
      wrapped: (user_type
        .
        (type_identifier) @bind.type))
  ]
  body: (function_body)) @bind

; Values that are calls of members: the member, whose written result counts

(_
  name: (pattern
    bound_identifier: (simple_identifier) @bind.name)
  value: [
    (call_expression
      (simple_identifier) @bind.type)
    (call_expression
      (navigation_expression
        suffix: (navigation_suffix
          suffix: (simple_identifier) @bind.type)))
    (try_expression
      expr: (call_expression
        (navigation_expression
          suffix: (navigation_suffix
            suffix: (simple_identifier) @bind.type))))
    (try_expression
      expr: (call_expression
        (simple_identifier) @bind.type))
    (await_expression
      expr: (call_expression
        (navigation_expression
          suffix: (navigation_suffix
            suffix: (simple_identifier) @bind.type))))
  ]) @bind
