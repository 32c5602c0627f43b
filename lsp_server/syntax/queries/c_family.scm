; C and C++. Captures: see docs/how-to/add-a-language.md.

(preproc_include) @import

; --- definitions

(function_definition
  declarator: [
    (function_declarator
      declarator: (identifier) @name)
    (pointer_declarator
      declarator: [
        (function_declarator
          declarator: (identifier) @name)
        (pointer_declarator
          declarator: (function_declarator
            declarator: (identifier) @name))
      ])
  ]
  body: (_) @body
  (#not-match? @name "^(TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|BOOST_AUTO_TEST_CASE|BOOST_FIXTURE_TEST_CASE)$")) @def.function

; Prototypes and variables; those in a function are locals (see below).
(declaration
  declarator: [
    (function_declarator
      declarator: (identifier) @name)
    (pointer_declarator
      declarator: [
        (function_declarator
          declarator: (identifier) @name)
        (pointer_declarator
          declarator: (function_declarator
            declarator: (identifier) @name))
      ])
  ]) @def.function

(declaration
  declarator: [
    (identifier) @name
    (init_declarator
      declarator: [
        (identifier) @name
        (array_declarator
          declarator: (identifier) @name)
        (pointer_declarator
          declarator: [
            (identifier) @name
            (array_declarator
              declarator: (identifier) @name)
          ])
      ])
    (array_declarator
      declarator: [
        (identifier) @name
        (array_declarator
          declarator: (identifier) @name)
      ])
    (pointer_declarator
      declarator: [
        (identifier) @name
        (array_declarator
          declarator: (identifier) @name)
        (pointer_declarator
          declarator: (identifier) @name)
      ])
    (function_declarator
      declarator: (parenthesized_declarator
        (pointer_declarator
          declarator: (identifier) @name)))
  ]) @def.variable

(struct_specifier
  name: (type_identifier) @name
  body: (_) @body) @def.struct

(union_specifier
  name: (type_identifier) @name
  body: (_) @body) @def.struct

(enum_specifier
  name: (type_identifier) @name
  body: (_) @body) @def.enum

(enumerator
  name: (identifier) @name) @def.enum_member

; `typedef struct { … } name;` names the structure itself.
(type_definition
  type: [
    (struct_specifier
      !name
      body: (_) @body)
    (union_specifier
      !name
      body: (_) @body)
  ]
  declarator: (type_identifier) @name) @def.struct

(type_definition
  type: (enum_specifier
    !name
    body: (_) @body)
  declarator: (type_identifier) @name) @def.enum

(type_definition
  type: [
    (primitive_type)
    (sized_type_specifier)
    (type_identifier)
    (struct_specifier
      name: (_))
    (union_specifier
      name: (_))
    (enum_specifier
      name: (_))
  ]
  declarator: [
    (type_identifier) @name
    (pointer_declarator
      declarator: (type_identifier) @name)
    (array_declarator
      declarator: (type_identifier) @name)
    (function_declarator
      declarator: [
        (type_identifier) @name
        (parenthesized_declarator
          (pointer_declarator
            declarator: (type_identifier) @name))
      ])
    (pointer_declarator
      declarator: (function_declarator
        declarator: (parenthesized_declarator
          (pointer_declarator
            declarator: (type_identifier) @name))))
  ]) @def.type

(field_declaration
  declarator: [
    (field_identifier) @name
    (array_declarator
      declarator: [
        (field_identifier) @name
        (array_declarator
          declarator: (field_identifier) @name)
      ])
    (pointer_declarator
      declarator: [
        (field_identifier) @name
        (array_declarator
          declarator: (field_identifier) @name)
        (pointer_declarator
          declarator: (field_identifier) @name)
        (function_declarator
          declarator: (parenthesized_declarator
            (pointer_declarator
              declarator: (field_identifier) @name)))
      ])
    (function_declarator
      declarator: (parenthesized_declarator
        (pointer_declarator
          declarator: (field_identifier) @name)))
  ]) @def.field

(preproc_function_def
  name: (identifier) @name) @def.macro

; Without a value it is a guard or a switch.
(preproc_def
  name: (identifier) @name
  value: (_)) @def.constant

; --- tests

; GoogleTest and Unity: TEST(Suite, Name) { … }
((function_definition
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list
      .
      (parameter_declaration
        type: (type_identifier) @owner)
      .
      (parameter_declaration
        type: (type_identifier) @name)))
  body: (_) @body) @def.function @test
  (#any-of? @_macro "TEST" "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P"))

; Boost: BOOST_AUTO_TEST_CASE(name) { … }
((function_definition
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list
      .
      (parameter_declaration
        type: (type_identifier) @name)))
  body: (_) @body) @def.function @test
  (#any-of? @_macro "BOOST_AUTO_TEST_CASE" "BOOST_FIXTURE_TEST_CASE"))

; Catch2 and doctest: TEST_CASE("name") { … } reads as a call and a block.
((expression_statement
  (call_expression
    function: (identifier) @_macro
    arguments: (argument_list
      .
      (string_literal
        (string_content) @name)))) @def.function @test
  .
  (compound_statement) @tail
  (#any-of? @_macro "TEST_CASE" "SCENARIO" "TEST_CASE_FIXTURE" "TEST_CASE_METHOD" "SUBCASE" "SECTION"))

; Check: START_TEST(name) { … } END_TEST
((function_definition
  type: (type_identifier) @_macro
  declarator: (parenthesized_declarator
    (identifier) @name)
  body: (_) @body) @def.function @test
  (#eq? @_macro "START_TEST"))

; --- uses

(call_expression
  function: [
    (identifier) @ref.call
    (field_expression
      field: (field_identifier) @ref.call)
  ])

(type_identifier) @ref.type

(field_expression
  field: (field_identifier) @ref.attribute)

(field_designator
  (field_identifier) @ref.attribute)

(identifier) @ref.read

; --- locals

(parameter_declaration
  declarator: (identifier) @local)

(declaration
  declarator: (identifier) @local)

(init_declarator
  declarator: (identifier) @local)

(pointer_declarator
  declarator: (identifier) @local)

(array_declarator
  declarator: (identifier) @local)

; `Foo x(y);` in a function reads as a prototype.
(compound_statement
  (declaration
    declarator: (function_declarator
      declarator: (identifier) @local)))

; The parameters of a macro.
(preproc_params
  (identifier) @local)

; --- types of variables

(parameter_declaration
  type: [
    (type_identifier) @bind.type
    (struct_specifier
      name: (type_identifier) @bind.type)
    (union_specifier
      name: (type_identifier) @bind.type)
  ]
  declarator: [
    (identifier) @bind.name
    (pointer_declarator
      declarator: [
        (identifier) @bind.name
        (pointer_declarator
          declarator: (identifier) @bind.name)
      ])
    (array_declarator
      declarator: (identifier) @bind.name)
  ]) @bind

(declaration
  type: [
    (type_identifier) @bind.type
    (struct_specifier
      name: (type_identifier) @bind.type)
    (union_specifier
      name: (type_identifier) @bind.type)
  ]
  declarator: [
    (identifier) @bind.name
    (pointer_declarator
      declarator: [
        (identifier) @bind.name
        (pointer_declarator
          declarator: (identifier) @bind.name)
      ])
    (array_declarator
      declarator: (identifier) @bind.name)
    (init_declarator
      declarator: [
        (identifier) @bind.name
        (pointer_declarator
          declarator: (identifier) @bind.name)
        (array_declarator
          declarator: (identifier) @bind.name)
      ])
  ]) @bind

(field_declaration
  type: [
    (type_identifier) @bind.type
    (struct_specifier
      name: (type_identifier) @bind.type)
    (union_specifier
      name: (type_identifier) @bind.type)
  ]
  declarator: [
    (field_identifier) @bind.name
    (pointer_declarator
      declarator: [
        (field_identifier) @bind.name
        (pointer_declarator
          declarator: (field_identifier) @bind.name)
      ])
    (array_declarator
      declarator: (field_identifier) @bind.name)
  ]) @bind

; Results of functions: a binding of the function's own name in its own scope

(function_definition
  type: [
    (type_identifier) @bind.type
    (struct_specifier
      name: (type_identifier) @bind.type
      !body)
  ]
  declarator: [
    (function_declarator
      declarator: (identifier) @bind.name)
    (pointer_declarator
      declarator: (function_declarator
        declarator: (identifier) @bind.name))
  ]) @bind

(declaration
  type: [
    (type_identifier) @bind.type
    (struct_specifier
      name: (type_identifier) @bind.type
      !body)
  ]
  declarator: [
    (function_declarator
      declarator: (identifier) @bind.name)
    (pointer_declarator
      declarator: (function_declarator
        declarator: (identifier) @bind.name))
  ]) @bind
