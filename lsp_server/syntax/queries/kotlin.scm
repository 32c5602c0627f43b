; Kotlin. Captures: see docs/how-to/add-a-language.md.

(package_header
  (qualified_identifier) @package)

(import) @import

; --- definitions

(class_declaration
  "class"
  name: (identifier) @name
  [
    (class_body)
    (enum_class_body)
  ]? @body) @def.class

(class_declaration
  "interface"
  name: (identifier) @name
  (class_body)? @body) @def.interface

(class_declaration
  (modifiers
    (class_modifier
      "enum"))
  name: (identifier) @name) @def.enum

(object_declaration
  name: (identifier) @name
  (class_body)? @body) @def.class

(enum_entry
  (identifier) @name) @def.enum_member

(type_alias
  type: (identifier) @name) @def.type

(function_declaration
  name: (identifier) @name
  (function_body)? @body) @def.function

(secondary_constructor
  "constructor" @name
  (block)? @body) @def.constructor

(source_file
  (property_declaration
    (variable_declaration
      .
      (identifier) @name)) @def.variable)

(class_body
  (property_declaration
    (variable_declaration
      .
      (identifier) @name)) @def.property)

(enum_class_body
  (property_declaration
    (variable_declaration
      .
      (identifier) @name)) @def.property)

(class_parameter
  [
    "val"
    "var"
  ]
  (identifier) @name) @def.property

; Extensions stand outside of their type.
(function_declaration
  [
    (user_type
      .
      (identifier) @owner)
    (nullable_type
      (user_type
        .
        (identifier) @owner))
  ]
  "."
  name: (identifier))

(property_declaration
  [
    (user_type
      .
      (identifier) @owner)
    (nullable_type
      (user_type
        .
        (identifier) @owner))
  ]
  "."
  (variable_declaration))

; --- tests

(function_declaration
  (modifiers
    (annotation
      [
        (user_type
          (identifier) @_mark)
        (constructor_invocation
          (user_type
            (identifier) @_mark))
      ]))
  (#any-of? @_mark "Test" "ParameterizedTest" "RepeatedTest" "TestFactory" "Property")) @test

; --- uses

(call_expression
  .
  (identifier) @ref.call)

(call_expression
  .
  (navigation_expression
    (identifier) @ref.call .))

(infix_expression
  (_)
  .
  (identifier) @ref.call
  .
  (_))

(constructor_invocation
  (user_type
    (identifier) @ref.call .))

(delegation_specifier
  [
    (user_type
      .
      (identifier) @ref.inherit)
    (constructor_invocation
      (user_type
        .
        (identifier) @ref.inherit))
    (explicit_delegation
      (user_type
        .
        (identifier) @ref.inherit))
  ])

(annotation
  [
    (user_type
      (identifier) @ref.decorator)
    (constructor_invocation
      (user_type
        (identifier) @ref.decorator))
  ])

(file_annotation
  [
    (user_type
      (identifier) @ref.decorator)
    (constructor_invocation
      (user_type
        (identifier) @ref.decorator))
  ])

(user_type
  (identifier) @ref.type)

(navigation_expression
  (_)
  (identifier) @ref.attribute .)

; Brackets of calls on whose result something is used

(navigation_expression
  .
  (call_expression
    (value_arguments) @result))

((navigation_expression
  .
  (identifier) @ref.type)
  (#match? @ref.type "^[A-Z]"))

(identifier) @ref.read

; Names of arguments, parameters of a constructor and the name of a companion are no uses.
(class_parameter
  (identifier) @skip
  .
  ":")

(companion_object
  name: (identifier) @skip)

(value_argument
  .
  (identifier) @skip
  .
  "=")

((identifier) @skip
  (#any-of? @skip "it" "field" "true" "false"))

; --- locals

(type_parameter
  (identifier) @local)

(parameter
  .
  (identifier) @local)

(variable_declaration
  .
  (identifier) @local)

(catch_block
  .
  (identifier) @local)

(setter
  .
  (identifier) @local)

(lambda_literal) @scope

(class_declaration) @scope

(anonymous_initializer) @scope

(getter) @scope

(setter) @scope

; --- types of variables

[
  (parameter
    .
    (identifier) @bind.name
    [
      (user_type
        .
        (identifier) @bind.type)
      (nullable_type
        (user_type
          .
          (identifier) @bind.type))
    ])
  (variable_declaration
    .
    (identifier) @bind.name
    [
      (user_type
        .
        (identifier) @bind.type)
      (nullable_type
        (user_type
          .
          (identifier) @bind.type))
    ])
  (class_parameter
    (identifier) @bind.name
    .
    [
      (user_type
        .
        (identifier) @bind.type)
      (nullable_type
        (user_type
          .
          (identifier) @bind.type))
    ])
  (catch_block
    .
    (identifier) @bind.name
    (user_type
      .
      (identifier) @bind.type))
] @bind

; `val x = Foo()`, `val x = Foo.of()`
(property_declaration
  (variable_declaration
    .
    (identifier) @bind.name .)
  (call_expression
    .
    [
      (identifier) @bind.type
      (navigation_expression
        .
        (identifier) @bind.type)
    ])) @bind

; Results of functions: a binding of the function's own name in its own scope

(function_declaration
  name: (identifier) @bind.name
  (function_value_parameters)
  .
  [
    (user_type
      .
      (identifier) @bind.type)
    (nullable_type
      (user_type
        .
        (identifier) @bind.type))
  ]) @bind

; Values that are calls of members: the member, whose written result counts

(property_declaration
  (variable_declaration
    .
    (identifier) @bind.name
    .)
  (call_expression
    (navigation_expression
      (identifier) @bind.type .))) @bind
