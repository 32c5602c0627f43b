; Scala. Captures: see docs/how-to/add-a-language.md.

(package_clause
  name: (package_identifier) @package)

[
  (import_declaration)
  (export_declaration)
] @import

; --- definitions

(class_definition
  name: (identifier) @name
  body: (_)? @body) @def.class

(object_definition
  name: (identifier) @name
  body: (_)? @body) @def.class

(package_object
  name: (identifier) @name
  body: (_)? @body) @def.module

(trait_definition
  name: (identifier) @name
  body: (_)? @body) @def.trait

(enum_definition
  name: (identifier) @name
  body: (_) @body) @def.enum

(simple_enum_case
  name: (identifier) @name) @def.enum_member

(full_enum_case
  name: (identifier) @name) @def.enum_member

(type_definition
  name: (type_identifier) @name) @def.type

(given_definition
  name: (identifier) @name
  body: (_)? @body) @def.class

; An extension holds more members of its type.
(extension_definition
  parameters: (parameters
    (parameter
      type: [
        (type_identifier) @owner
        (generic_type
          type: (type_identifier) @owner)
      ]))) @def.impl

(function_definition
  name: [
    (identifier) @name
    (operator_identifier) @name
  ]
  body: (_) @body) @def.function

((function_definition
  name: (identifier) @name) @def.constructor
  (#eq? @name "this"))

(function_declaration
  name: [
    (identifier) @name
    (operator_identifier) @name
  ]) @def.function

[
  (template_body
    [
      (val_definition
        pattern: (identifier) @name)
      (var_definition
        pattern: (identifier) @name)
      (val_declaration
        name: (identifier) @name)
      (var_declaration
        name: (identifier) @name)
    ] @def.property)
  (with_template_body
    (val_definition
      pattern: (identifier) @name) @def.property)
  (compilation_unit
    [
      (val_definition
        pattern: (identifier) @name)
      (var_definition
        pattern: (identifier) @name)
    ] @def.variable)
]

(class_parameter
  name: (identifier) @name) @def.property

; --- tests

(function_definition
  (annotation
    name: (type_identifier) @_mark)
  (#any-of? @_mark "Test" "ParameterizedTest" "Property")) @test

; `test("name") { … }`
((call_expression
  function: (call_expression
    function: (identifier) @_test
    arguments: (arguments
      .
      (string) @name))
  arguments: (_) @body) @def.function @test
  (#any-of? @_test "test" "it" "describe" "property" "scenario" "feature"))

; `"name" should "do" in { … }`
((infix_expression
  left: (_) @name
  operator: (identifier) @_in
  right: (block) @body) @def.function @test
  (#eq? @_in "in"))

; --- uses

(call_expression
  function: [
    (identifier) @ref.call
    (field_expression
      field: (identifier) @ref.call)
    (generic_function
      function: [
        (identifier) @ref.call
        (field_expression
          field: (identifier) @ref.call)
      ])
  ])

(infix_expression
  operator: (identifier) @ref.call)

(instance_expression
  [
    (type_identifier) @ref.call
    (generic_type
      type: (type_identifier) @ref.call)
    (stable_type_identifier
      (type_identifier) @ref.call)
  ])

(case_class_pattern
  type: (type_identifier) @ref.call)

(extends_clause
  [
    (type_identifier) @ref.inherit
    (generic_type
      type: [
        (type_identifier) @ref.inherit
        (stable_type_identifier
          (type_identifier) @ref.inherit)
      ])
    (stable_type_identifier
      (type_identifier) @ref.inherit)
    (compound_type
      (type_identifier) @ref.inherit)
    (compound_type
      (generic_type
        type: (type_identifier) @ref.inherit))
  ])

(annotation
  name: (type_identifier) @ref.decorator)

(type_identifier) @ref.type

(field_expression
  field: (identifier) @ref.attribute)

((field_expression
  value: (identifier) @ref.type)
  (#match? @ref.type "^[A-Z]"))

(identifier) @ref.read

(interpolated_string_expression
  interpolator: (identifier) @skip)

((identifier) @skip
  (#any-of? @skip "this" "super"))

; --- locals

(type_parameters
  name: (identifier) @local)

(parameter
  name: (identifier) @local)

(binding
  name: (identifier) @local)

(lambda_expression
  parameters: (identifier) @local)

(val_definition
  pattern: (identifier) @local)

(var_definition
  pattern: (identifier) @local)

(tuple_pattern
  (identifier) @local)

(enumerator
  .
  (identifier) @local)

(typed_pattern
  pattern: (identifier) @local)

(capture_pattern
  name: (identifier) @local)

; A lower-case name in a pattern binds.
((case_clause
  pattern: (identifier) @local)
  (#match? @local "^[a-z_]"))

((case_class_pattern
  (identifier) @local)
  (#match? @local "^[a-z_]"))

[
  (class_definition)
  (trait_definition)
  (enum_definition)
  (extension_definition)
  (lambda_expression)
  (for_expression)
  (case_clause)
] @scope

; --- types of variables

[
  (parameter
    name: (identifier) @bind.name
    type: [
      (type_identifier) @bind.type
      (generic_type
        type: (type_identifier) @bind.type)
      (stable_type_identifier
        (type_identifier) @bind.type)
    ])
  (class_parameter
    name: (identifier) @bind.name
    type: [
      (type_identifier) @bind.type
      (generic_type
        type: (type_identifier) @bind.type)
      (stable_type_identifier
        (type_identifier) @bind.type)
    ])
  (binding
    name: (identifier) @bind.name
    type: (type_identifier) @bind.type)
  (typed_pattern
    pattern: (identifier) @bind.name
    type: (type_identifier) @bind.type)
  (val_definition
    pattern: (identifier) @bind.name
    type: [
      (type_identifier) @bind.type
      (generic_type
        type: (type_identifier) @bind.type)
    ])
  (var_definition
    pattern: (identifier) @bind.name
    type: [
      (type_identifier) @bind.type
      (generic_type
        type: (type_identifier) @bind.type)
    ])
] @bind

; `val x = new Foo(…)`, `val x = Foo(…)`, `val x = Foo.of(…)`
(val_definition
  pattern: (identifier) @bind.name
  !type
  value: [
    (instance_expression
      [
        (type_identifier) @bind.type
        (generic_type
          type: (type_identifier) @bind.type)
      ])
    (call_expression
      function: [
        (identifier) @bind.type
        (field_expression
          value: (identifier) @bind.type)
      ])
  ]) @bind

(var_definition
  pattern: (identifier) @bind.name
  !type
  value: [
    (instance_expression
      (type_identifier) @bind.type)
    (call_expression
      function: (identifier) @bind.type)
  ]) @bind

; Results of functions: a binding of the function's own name in its own scope

[
  (function_definition
    name: (identifier) @bind.name
    return_type: [
      (type_identifier) @bind.type
      (generic_type
        type: (type_identifier) @bind.type)
    ])
  (function_declaration
    name: (identifier) @bind.name
    return_type: [
      (type_identifier) @bind.type
      (generic_type
        type: (type_identifier) @bind.type)
    ])
] @bind
