; Java. Captures: see docs/how-to/add-a-language.md.

(package_declaration
  [
    (scoped_identifier)
    (identifier)
  ] @package)

(import_declaration) @import

; --- definitions

(class_declaration
  name: (identifier) @name
  body: (_) @body) @def.class

(record_declaration
  name: (identifier) @name
  body: (_) @body) @def.class

(interface_declaration
  name: (identifier) @name
  body: (_) @body) @def.interface

(annotation_type_declaration
  name: (identifier) @name
  body: (_) @body) @def.interface

(enum_declaration
  name: (identifier) @name
  body: (_) @body) @def.enum

(enum_constant
  name: (identifier) @name) @def.enum_member

(method_declaration
  name: (identifier) @name
  body: (_)? @body) @def.method

(annotation_type_element_declaration
  name: (identifier) @name) @def.method

(constructor_declaration
  name: (identifier) @name
  body: (_) @body) @def.constructor

(compact_constructor_declaration
  name: (identifier) @name
  body: (_) @body) @def.constructor

(record_declaration
  parameters: (formal_parameters
    (formal_parameter
      name: (identifier) @name) @def.field))

(field_declaration
  declarator: (variable_declarator
    name: (identifier) @name)) @def.field

(constant_declaration
  declarator: (variable_declarator
    name: (identifier) @name)) @def.constant

; --- tests

((method_declaration
  (modifiers
    [
      (marker_annotation
        name: (identifier) @_mark)
      (annotation
        name: (identifier) @_mark)
    ])) @test
  (#any-of? @_mark
    "Test" "ParameterizedTest" "RepeatedTest" "TestFactory" "TestTemplate" "Property" "Theory"))

; --- uses

(method_invocation
  name: (identifier) @ref.call)

(object_creation_expression
  type: [
    (type_identifier) @ref.call
    (generic_type
      [
        (type_identifier) @ref.call
        (scoped_type_identifier
          (type_identifier) @ref.call .)
      ])
    (scoped_type_identifier
      (type_identifier) @ref.call .)
  ])

; Brackets of calls on whose result something is used

[
  (method_invocation
    object: (_
      arguments: (argument_list) @result))
  (field_access
    object: (_
      arguments: (argument_list) @result))
]

(method_reference
  (_)
  (identifier) @ref.call .)

(superclass
  [
    (type_identifier) @ref.inherit
    (generic_type
      (type_identifier) @ref.inherit)
    (scoped_type_identifier
      (type_identifier) @ref.inherit .)
  ])

(super_interfaces
  (type_list
    [
      (type_identifier) @ref.inherit
      (generic_type
        .
        (type_identifier) @ref.inherit)
      (scoped_type_identifier
        (type_identifier) @ref.inherit .)
    ]))

(extends_interfaces
  (type_list
    [
      (type_identifier) @ref.inherit
      (generic_type
        .
        (type_identifier) @ref.inherit)
      (scoped_type_identifier
        (type_identifier) @ref.inherit .)
    ]))

(marker_annotation
  name: [
    (identifier) @ref.decorator
    (scoped_identifier
      name: (identifier) @ref.decorator)
  ])

(annotation
  name: [
    (identifier) @ref.decorator
    (scoped_identifier
      name: (identifier) @ref.decorator)
  ])

(field_access
  field: (identifier) @ref.attribute)

((field_access
  object: (identifier) @ref.type)
  (#match? @ref.type "^[A-Z][A-Za-z0-9]*[a-z]"))

((method_invocation
  object: (identifier) @ref.type)
  (#match? @ref.type "^[A-Z][A-Za-z0-9]*[a-z]"))

((method_reference
  .
  (identifier) @ref.type)
  (#match? @ref.type "^[A-Z][A-Za-z0-9]*[a-z]"))

((type_identifier) @ref.type
  (#not-eq? @ref.type "var"))

(identifier) @ref.read

; Names of an annotation's arguments are no uses.
(element_value_pair
  key: (identifier) @skip)

; --- locals

(type_parameter
  (type_identifier) @local)

(formal_parameter
  name: (identifier) @local)

(spread_parameter
  (variable_declarator
    name: (identifier) @local))

(catch_formal_parameter
  name: (identifier) @local)

(local_variable_declaration
  declarator: (variable_declarator
    name: (identifier) @local))

(enhanced_for_statement
  name: (identifier) @local)

(resource
  name: (identifier) @local)

(instanceof_expression
  name: (identifier) @local)

(type_pattern
  (identifier) @local)

(record_pattern_component
  (identifier) @local)

(lambda_expression
  parameters: (identifier) @local)

(inferred_parameters
  (identifier) @local)

[
  (class_declaration)
  (interface_declaration)
  (record_declaration)
  (lambda_expression)
  (static_initializer)
] @scope

; --- types of variables

[
  (formal_parameter
    type: [
      (type_identifier) @bind.type
      (generic_type
        .
        (type_identifier) @bind.type)
      (array_type
        element: (type_identifier) @bind.type)
      (scoped_type_identifier
        (type_identifier) @bind.type .)
    ]
    name: (identifier) @bind.name)
  (enhanced_for_statement
    type: [
      (type_identifier) @bind.type
      (generic_type
        .
        (type_identifier) @bind.type)
    ]
    name: (identifier) @bind.name)
  (instanceof_expression
    right: (type_identifier) @bind.type
    name: (identifier) @bind.name)
  (catch_formal_parameter
    (catch_type
      (type_identifier) @bind.type)
    name: (identifier) @bind.name)
] @bind

(field_declaration
  type: [
    (type_identifier) @bind.type
    (generic_type
      .
      (type_identifier) @bind.type)
    (array_type
      element: (type_identifier) @bind.type)
    (scoped_type_identifier
      (type_identifier) @bind.type .)
  ]
  declarator: (variable_declarator
    name: (identifier) @bind.name)) @bind

((local_variable_declaration
  type: [
    (type_identifier) @bind.type
    (generic_type
      .
      (type_identifier) @bind.type)
    (array_type
      element: (type_identifier) @bind.type)
    (scoped_type_identifier
      (type_identifier) @bind.type .)
  ]
  declarator: (variable_declarator
    name: (identifier) @bind.name)) @bind
  (#not-eq? @bind.type "var"))

; `var x = new Foo()`, `var x = Foo.of()`, `var x = makeFoo()`
((local_variable_declaration
  type: (type_identifier) @_var
  declarator: (variable_declarator
    name: (identifier) @bind.name
    value: [
      (object_creation_expression
        type: [
          (type_identifier) @bind.type
          (generic_type
            .
            (type_identifier) @bind.type)
        ])
      (method_invocation
        !object
        name: (identifier) @bind.type)
      (method_invocation
        object: (identifier) @bind.type)
      (cast_expression
        type: (type_identifier) @bind.type)
    ])) @bind
  (#eq? @_var "var"))

((resource
  type: (type_identifier) @_var
  name: (identifier) @bind.name
  value: [
    (object_creation_expression
      type: (type_identifier) @bind.type)
    (method_invocation
      object: (identifier) @bind.type)
  ]) @bind
  (#eq? @_var "var"))

((resource
  type: (type_identifier) @bind.type
  name: (identifier) @bind.name) @bind
  (#not-eq? @bind.type "var"))

; Results of functions: a binding of the function's own name in its own scope

(method_declaration
  type: [
    (type_identifier) @bind.type
    (generic_type
      .
      (type_identifier) @bind.type)
    (scoped_type_identifier
      (type_identifier) @bind.type .)
  ]
  name: (identifier) @bind.name) @bind

; Values that are calls of members: the member, whose written result counts

((local_variable_declaration
  type: (type_identifier) @_var
  declarator: (variable_declarator
    name: (identifier) @bind.name
    value: (method_invocation
      name: (identifier) @bind.type))) @bind
  (#eq? @_var "var"))
