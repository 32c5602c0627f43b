; PHP. Captures: see docs/how-to/add-a-language.md.

(namespace_definition
  name: (namespace_name) @package)

(namespace_use_declaration) @import

[
  (require_expression)
  (require_once_expression)
  (include_expression)
  (include_once_expression)
] @import

; --- definitions

(class_declaration
  name: (name) @name
  body: (_) @body) @def.class

(interface_declaration
  name: (name) @name
  body: (_) @body) @def.interface

(trait_declaration
  name: (name) @name
  body: (_) @body) @def.trait

(enum_declaration
  name: (name) @name
  body: (_) @body) @def.enum

(enum_case
  name: (name) @name) @def.enum_member

(function_definition
  name: (name) @name
  body: (_) @body) @def.function

(method_declaration
  name: (name) @name
  body: (_)? @body) @def.method

((method_declaration
  name: (name) @name) @def.constructor
  (#eq? @name "__construct"))

(property_declaration
  (property_element
    name: (variable_name
      (name) @name))) @def.property

(property_promotion_parameter
  name: (variable_name
    (name) @name)) @def.property

(const_declaration
  (const_element
    .
    (name) @name)) @def.constant

((function_call_expression
  function: (name) @_define
  arguments: (arguments
    .
    (argument
      (string
        (string_content) @name)))) @def.constant
  (#eq? @_define "define"))

; --- tests

(method_declaration
  attributes: (attribute_list
    (attribute_group
      (attribute
        (name) @_mark)))
  (#eq? @_mark "Test")) @test

((comment) @_doc
  .
  (method_declaration) @test
  (#match? @_doc "@test\\b"))

; --- uses

(function_call_expression
  function: [
    (name) @ref.call
    (qualified_name
      (name) @ref.call .)
  ])

(member_call_expression
  name: (name) @ref.call)

(nullsafe_member_call_expression
  name: (name) @ref.call)

(scoped_call_expression
  name: (name) @ref.call)

(object_creation_expression
  [
    (name) @ref.call
    (qualified_name
      (name) @ref.call .)
  ])

(base_clause
  [
    (name) @ref.inherit
    (qualified_name
      (name) @ref.inherit .)
  ])

(class_interface_clause
  [
    (name) @ref.inherit
    (qualified_name
      (name) @ref.inherit .)
  ])

(use_declaration
  [
    (name) @ref.inherit
    (qualified_name
      (name) @ref.inherit .)
  ])

(attribute
  [
    (name) @ref.decorator
    (qualified_name
      (name) @ref.decorator .)
  ])

(named_type
  [
    (name) @ref.type
    (qualified_name
      (name) @ref.type .)
  ])

(scoped_call_expression
  scope: [
    (name) @ref.type
    (qualified_name
      (name) @ref.type .)
  ])

(class_constant_access_expression
  .
  [
    (name) @ref.type
    (qualified_name
      (name) @ref.type .)
  ])

(class_constant_access_expression
  (_)
  .
  (name) @ref.attribute)

(scoped_property_access_expression
  scope: [
    (name) @ref.type
    (qualified_name
      (name) @ref.type .)
  ]
  name: (variable_name
    (name) @ref.attribute))

(scoped_property_access_expression
  name: (variable_name
    (name) @ref.attribute))

; Brackets of calls on whose result something is used

[
  (member_call_expression
    object: (_
      arguments: (arguments) @result))
  (nullsafe_member_call_expression
    object: (_
      arguments: (arguments) @result))
  (member_access_expression
    object: (_
      arguments: (arguments) @result))
]

(member_access_expression
  name: (name) @ref.attribute)

(nullsafe_member_access_expression
  name: (name) @ref.attribute)

; `$x instanceof Foo`
(binary_expression
  operator: "instanceof"
  right: [
    (name) @ref.type
    (qualified_name
      (name) @ref.type .)
  ])

; Constants. Variables are local to their function, so they are no uses.
(argument
  (name) @ref.read)

(binary_expression
  left: (name) @ref.read)

(binary_expression
  right: (name) @ref.read)

(assignment_expression
  right: (name) @ref.read)

(return_statement
  (name) @ref.read)

(array_element_initializer
  (name) @ref.read)

(argument
  name: (name) @skip)

((name) @skip
  (#any-of? @skip "self" "static" "parent"))

; --- types of variables; their names are as written, as receivers are

[
  (simple_parameter
    type: [
      (named_type
        [
          (name) @bind.type
          (qualified_name
            (name) @bind.type .)
        ])
      (optional_type
        (named_type
          [
            (name) @bind.type
            (qualified_name
              (name) @bind.type .)
          ]))
      (union_type
        .
        (named_type
          (name) @bind.type))
    ]
    name: (variable_name) @bind.name)
  (catch_clause
    type: (type_list
      .
      (named_type
        [
          (name) @bind.type
          (qualified_name
            (name) @bind.type .)
        ]))
    name: (variable_name) @bind.name)
] @bind

; A promoted parameter is a property as well.
(property_promotion_parameter
  type: [
    (named_type
      [
        (name) @bind.type
        (qualified_name
          (name) @bind.type .)
      ])
    (optional_type
      (named_type
        (name) @bind.type))
  ]
  name: (variable_name
    (name) @bind.name) @bind.name) @bind

(property_declaration
  type: [
    (named_type
      [
        (name) @bind.type
        (qualified_name
          (name) @bind.type .)
      ])
    (optional_type
      (named_type
        [
          (name) @bind.type
          (qualified_name
            (name) @bind.type .)
        ]))
  ]
  (property_element
    name: (variable_name
      (name) @bind.name))) @bind

(assignment_expression
  left: [
    (variable_name) @bind.name
    (member_access_expression
      object: (variable_name)
      name: (name) @bind.name)
  ]
  right: [
    (object_creation_expression
      [
        (name) @bind.type
        (qualified_name
          (name) @bind.type .)
      ])
    (scoped_call_expression
      scope: [
        (name) @bind.type
        (qualified_name
          (name) @bind.type .)
      ])
    (function_call_expression
      function: (name) @bind.type)
  ]) @bind

; Results of functions: a binding of the function's own name in its own scope

[
  (method_declaration
    name: (name) @bind.name
    return_type: [
      (named_type
        (name) @bind.type)
      (named_type
        (qualified_name
          (name) @bind.type))
      (optional_type
        (named_type
          (name) @bind.type))
      (primitive_type) @bind.type
    ])
  (function_definition
    name: (name) @bind.name
    return_type: [
      (named_type
        (name) @bind.type)
      (named_type
        (qualified_name
          (name) @bind.type))
      (optional_type
        (named_type
          (name) @bind.type))
    ])
] @bind

; Values that are calls of members: the member, whose written result counts

(assignment_expression
  left: [
    (variable_name) @bind.name
    (member_access_expression
      object: (variable_name)
      name: (name) @bind.name)
  ]
  right: [
    (scoped_call_expression
      name: (name) @bind.type)
    (member_call_expression
      name: (name) @bind.type)
  ]) @bind
