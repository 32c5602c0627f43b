; C#. Captures: see docs/how-to/add-a-language.md.

(using_directive) @import

(file_scoped_namespace_declaration
  name: (_) @package)

(compilation_unit
  (namespace_declaration
    name: (_) @package))

; --- definitions

(namespace_declaration
  name: [
    (identifier) @name
    (qualified_name) @name
  ]
  body: (_) @body) @def.namespace

(class_declaration
  name: (identifier) @name
  body: (_)? @body) @def.class

(record_declaration
  name: (identifier) @name
  body: (_)? @body) @def.class

(struct_declaration
  name: (identifier) @name
  body: (_)? @body) @def.struct

(interface_declaration
  name: (identifier) @name
  body: (_)? @body) @def.interface

(enum_declaration
  name: (identifier) @name
  body: (_)? @body) @def.enum

(enum_member_declaration
  name: (identifier) @name) @def.enum_member

(delegate_declaration
  name: (identifier) @name) @def.type

(method_declaration
  name: (identifier) @name
  body: (_)? @body) @def.method

(local_function_statement
  name: (identifier) @name
  body: (_)? @body) @def.function

(constructor_declaration
  name: (identifier) @name
  body: (_)? @body) @def.constructor

(destructor_declaration
  "~" @name
  body: (_)? @body) @def.method

(operator_declaration
  "operator" @name
  body: (_)? @body) @def.method

(conversion_operator_declaration
  "operator" @name
  body: (_)? @body) @def.method

(indexer_declaration
  "this" @name) @def.property

(property_declaration
  name: (identifier) @name) @def.property

(record_declaration
  (parameter_list
    (parameter
      name: (identifier) @name) @def.property))

(field_declaration
  (variable_declaration
    (variable_declarator
      name: (identifier) @name))) @def.field

(event_field_declaration
  (variable_declaration
    (variable_declarator
      name: (identifier) @name))) @def.field

(event_declaration
  name: (identifier) @name) @def.property

; An extension method belongs to the type of its first parameter.
(method_declaration
  parameters: (parameter_list
    .
    (parameter
      (modifier) @_this
      type: [
        (identifier) @owner
        (predefined_type) @owner
        (generic_name
          .
          (identifier) @owner)
        (qualified_name
          name: (identifier) @owner)
      ]))
  (#eq? @_this "this"))

; --- tests

(method_declaration
  (attribute_list
    (attribute
      name: [
        (identifier) @_mark
        (qualified_name
          name: (identifier) @_mark)
      ]))
  (#any-of? @_mark
    "Test" "TestCase" "TestCaseSource" "Fact" "Theory" "TestMethod" "DataTestMethod" "Benchmark")) @test

(class_declaration
  (attribute_list
    (attribute
      name: (identifier) @_mark))
  (#any-of? @_mark "TestFixture" "TestClass")) @test

; --- uses

(invocation_expression
  function: [
    (identifier) @ref.call
    (generic_name
      .
      (identifier) @ref.call)
    (member_access_expression
      name: [
        (identifier) @ref.call
        (generic_name
          .
          (identifier) @ref.call)
      ])
    (conditional_access_expression
      (member_binding_expression
        name: [
          (identifier) @ref.call
          (generic_name
            .
            (identifier) @ref.call)
        ]))
  ])

(object_creation_expression
  type: [
    (identifier) @ref.call
    (generic_name
      .
      (identifier) @ref.call)
    (qualified_name
      name: [
        (identifier) @ref.call
        (generic_name
          .
          (identifier) @ref.call)
      ])
  ])

(base_list
  [
    (identifier) @ref.inherit
    (generic_name
      .
      (identifier) @ref.inherit)
    (qualified_name
      name: [
        (identifier) @ref.inherit
        (generic_name
          .
          (identifier) @ref.inherit)
      ])
    (primary_constructor_base_type
      [
        (identifier) @ref.inherit
        (generic_name
          .
          (identifier) @ref.inherit)
      ])
  ])

(attribute
  name: [
    (identifier) @ref.decorator
    (qualified_name
      name: (identifier) @ref.decorator)
    (generic_name
      .
      (identifier) @ref.decorator)
  ])

; Brackets of calls on whose result something is used

(member_access_expression
  expression: [
    (invocation_expression
      arguments: (argument_list) @result)
    (object_creation_expression
      arguments: (argument_list) @result)
    (postfix_unary_expression
      (invocation_expression
        arguments: (argument_list) @result))
  ])

(conditional_access_expression
  condition: (invocation_expression
    arguments: (argument_list) @result))

(member_access_expression
  name: (identifier) @ref.attribute)

(member_binding_expression
  name: (identifier) @ref.attribute)

(_
  type: [
    (identifier) @ref.type
    (nullable_type
      type: (identifier) @ref.type)
    (array_type
      type: (identifier) @ref.type)
  ])

(_
  returns: [
    (identifier) @ref.type
    (nullable_type
      type: (identifier) @ref.type)
  ])

(generic_name
  .
  (identifier) @ref.type)

(type_argument_list
  (identifier) @ref.type)

(type_parameter_constraints_clause
  (identifier) @ref.type)

(identifier) @ref.read

; --- locals

(type_parameter
  name: (identifier) @local)

(parameter
  name: (identifier) @local)

(implicit_parameter) @local

(local_declaration_statement
  (variable_declaration
    (variable_declarator
      name: (identifier) @local)))

(using_statement
  (variable_declaration
    (variable_declarator
      name: (identifier) @local)))

(for_statement
  (variable_declaration
    (variable_declarator
      name: (identifier) @local)))

(foreach_statement
  left: (identifier) @local)

(declaration_expression
  name: (identifier) @local)

(declaration_pattern
  name: (identifier) @local)

(var_pattern
  name: (identifier) @local)

(recursive_pattern
  name: (identifier) @local)

(tuple_pattern
  name: (identifier) @local)

(catch_declaration
  name: (identifier) @local)

(from_clause
  name: (identifier) @local)

(let_clause
  .
  (identifier) @local)

[
  (class_declaration)
  (struct_declaration)
  (interface_declaration)
  (record_declaration)
  (property_declaration)
  (indexer_declaration)
  (accessor_declaration)
  (lambda_expression)
  (anonymous_method_expression)
] @scope

(destructor_declaration
  name: (identifier) @skip)

; Names of arguments and of the parts of a tuple are no uses.
(argument
  name: (identifier) @skip)

; --- types of variables

(parameter
  type: [
    (identifier) @bind.type
    (generic_name
      .
      (identifier) @bind.type)
    (nullable_type
      type: (identifier) @bind.type)
    (array_type
      type: (identifier) @bind.type)
    (qualified_name
      name: (identifier) @bind.type)
  ]
  name: (identifier) @bind.name) @bind

(variable_declaration
  type: [
    (identifier) @bind.type
    (generic_name
      .
      (identifier) @bind.type)
    (nullable_type
      type: (identifier) @bind.type)
    (array_type
      type: (identifier) @bind.type)
    (qualified_name
      name: (identifier) @bind.type)
  ]
  (variable_declarator
    name: (identifier) @bind.name)) @bind

(property_declaration
  type: [
    (identifier) @bind.type
    (generic_name
      .
      (identifier) @bind.type)
    (nullable_type
      type: (identifier) @bind.type)
    (qualified_name
      name: (identifier) @bind.type)
  ]
  name: (identifier) @bind.name) @bind

[
  (foreach_statement
    type: (identifier) @bind.type
    left: (identifier) @bind.name)
  (declaration_pattern
    type: (identifier) @bind.type
    name: (identifier) @bind.name)
  (declaration_expression
    type: (identifier) @bind.type
    name: (identifier) @bind.name)
  (catch_declaration
    type: (identifier) @bind.type
    name: (identifier) @bind.name)
] @bind

; `var x = new Foo()`, `var x = Foo.Create()`, `var x = MakeFoo()`
(variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (identifier) @bind.name
    [
      (object_creation_expression
        type: [
          (identifier) @bind.type
          (generic_name
            .
            (identifier) @bind.type)
        ])
      (invocation_expression
        function: [
          (identifier) @bind.type
          (member_access_expression
            expression: (identifier) @bind.type)
        ])
      (await_expression
        (invocation_expression
          function: (identifier) @bind.type))
      (cast_expression
        type: (identifier) @bind.type)
      (as_expression
        right: (identifier) @bind.type)
    ])) @bind

; Results of functions: a binding of the function's own name in its own scope

[
  (method_declaration
    returns: [
      (identifier) @bind.type
      (qualified_name
        name: (identifier) @bind.type)
      (generic_name
        (identifier) @bind.type)
      (nullable_type
        (identifier) @bind.type)
    ]
    name: (identifier) @bind.name)
  (local_function_statement
    type: [
      (identifier) @bind.type
      (generic_name
        (identifier) @bind.type)
    ]
    name: (identifier) @bind.name)
] @bind

; Values that are calls of members: the member, whose written result counts

(variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (identifier) @bind.name
    [
      (invocation_expression
        function: (member_access_expression
          name: (identifier) @bind.type))
      (await_expression
        (invocation_expression
          function: (member_access_expression
            name: (identifier) @bind.type)))
      (await_expression
        (invocation_expression
          function: (identifier) @bind.type))
    ])) @bind
