; Definitions

(package_clause (package_identifier) @package)
(import_declaration) @import

(function_declaration name: (identifier) @name body: (block)? @body) @def.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (generic_type type: (type_identifier) @owner)
    (pointer_type [(type_identifier) @owner (generic_type type: (type_identifier) @owner)])
  ]))
  name: (field_identifier) @name
  body: (block)? @body) @def.method

(type_spec name: (type_identifier) @name) @def.type
(type_spec type: (struct_type (field_declaration_list) @body)) @def.struct
(type_spec type: (interface_type) @body) @def.interface
(type_alias name: (type_identifier) @name) @def.type

(field_declaration name: (field_identifier) @name) @def.field
(method_elem name: (field_identifier) @name) @def.method

(source_file (const_declaration (const_spec (identifier) @name) @def.constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @def.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @def.variable)))

; Subtests: t.Run("title", func(t *testing.T) {…})
((call_expression
  function: (selector_expression operand: (identifier) @_t field: (field_identifier) @_run)
  arguments: (argument_list
    . (interpreted_string_literal (interpreted_string_literal_content) @name)
    . (func_literal body: (block) @body))) @def.function @test
  (#eq? @_run "Run") (#any-of? @_t "t" "b" "f" "tt" "s"))

; Uses

(identifier) @ref.read
(type_identifier) @ref.type
(field_identifier) @ref.attribute
(keyed_element key: (literal_element (identifier) @ref.attribute))
; calls are told by the parenthesis behind them, but for those with type arguments
(call_expression function: (type_instantiation_expression type: (type_identifier) @ref.call))
(call_expression function: [(identifier) @ref.call (selector_expression field: (field_identifier) @ref.call)]
  type_arguments: (_))
(field_declaration !name type: [
  (type_identifier) @ref.inherit
  (qualified_type name: (type_identifier) @ref.inherit)
  (generic_type type: (type_identifier) @ref.inherit)
])
(interface_type (type_elem . [
  (type_identifier) @ref.inherit
  (qualified_type name: (type_identifier) @ref.inherit)
] .))

; Brackets of calls on whose result something is used

(selector_expression operand: (call_expression arguments: (argument_list) @result))

; Locals

(func_literal) @scope
(parameter_declaration name: (identifier) @local)
(variadic_parameter_declaration name: (identifier) @local)
(type_parameter_declaration name: (identifier) @local)
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @local)))
  (pointer_type (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @local))))
])))
(short_var_declaration left: (expression_list (identifier) @local))
(var_spec name: (identifier) @local)
(const_spec (identifier) @local)
(range_clause left: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))
(type_switch_statement alias: (expression_list (identifier) @local))

; Types of variables

(parameter_declaration name: (identifier) @bind.name type: [
  (type_identifier) @bind.type
  (qualified_type name: (type_identifier) @bind.type)
  (generic_type type: (type_identifier) @bind.type)
  (pointer_type [
    (type_identifier) @bind.type
    (qualified_type name: (type_identifier) @bind.type)
    (generic_type type: (type_identifier) @bind.type)
  ])
]) @bind
(field_declaration name: (field_identifier) @bind.name type: [
  (type_identifier) @bind.type
  (qualified_type name: (type_identifier) @bind.type)
  (generic_type type: (type_identifier) @bind.type)
  (pointer_type [
    (type_identifier) @bind.type
    (qualified_type name: (type_identifier) @bind.type)
    (generic_type type: (type_identifier) @bind.type)
  ])
]) @bind
(var_spec name: (identifier) @bind.name type: [
  (type_identifier) @bind.type
  (qualified_type name: (type_identifier) @bind.type)
  (pointer_type [(type_identifier) @bind.type (qualified_type name: (type_identifier) @bind.type)])
]) @bind
(var_spec name: (identifier) @bind.name value: (expression_list . [
  (call_expression function: [(identifier) @bind.type (selector_expression field: (field_identifier) @bind.type)])
  (composite_literal type: [(type_identifier) @bind.type (qualified_type name: (type_identifier) @bind.type)])
  (unary_expression operand: (composite_literal type: [
    (type_identifier) @bind.type
    (qualified_type name: (type_identifier) @bind.type)
  ]))
])) @bind
(short_var_declaration
  left: (expression_list . (identifier) @bind.name)
  right: (expression_list . [
    (call_expression function: [(identifier) @bind.type (selector_expression field: (field_identifier) @bind.type)])
    (composite_literal type: [(type_identifier) @bind.type (qualified_type name: (type_identifier) @bind.type)])
    (unary_expression operand: (composite_literal type: [
      (type_identifier) @bind.type
      (qualified_type name: (type_identifier) @bind.type)
    ]))
    (type_assertion_expression type: [
      (type_identifier) @bind.type
      (pointer_type (type_identifier) @bind.type)
      (qualified_type name: (type_identifier) @bind.type)
    ])
  ])) @bind

; Results of functions: a binding of the function's own name in its own scope

(function_declaration name: (identifier) @bind.name result: [
  (type_identifier) @bind.type
  (qualified_type name: (type_identifier) @bind.type)
  (generic_type type: (type_identifier) @bind.type)
  (pointer_type [
    (type_identifier) @bind.type
    (qualified_type name: (type_identifier) @bind.type)
    (generic_type type: (type_identifier) @bind.type)
  ])
  (parameter_list . (parameter_declaration !name type: [
    (type_identifier) @bind.type
    (qualified_type name: (type_identifier) @bind.type)
    (pointer_type [(type_identifier) @bind.type (qualified_type name: (type_identifier) @bind.type)])
  ]))
]) @bind
[
  (method_declaration name: (field_identifier) @bind.name result: [
    (type_identifier) @bind.type
    (qualified_type name: (type_identifier) @bind.type)
    (generic_type type: (type_identifier) @bind.type)
    (pointer_type [
      (type_identifier) @bind.type
      (qualified_type name: (type_identifier) @bind.type)
      (generic_type type: (type_identifier) @bind.type)
    ])
    (parameter_list . (parameter_declaration !name type: [
      (type_identifier) @bind.type
      (qualified_type name: (type_identifier) @bind.type)
      (pointer_type [(type_identifier) @bind.type (qualified_type name: (type_identifier) @bind.type)])
    ]))
  ])
  (method_elem name: (field_identifier) @bind.name result: [
    (type_identifier) @bind.type
    (qualified_type name: (type_identifier) @bind.type)
    (pointer_type [(type_identifier) @bind.type (qualified_type name: (type_identifier) @bind.type)])
    (parameter_list . (parameter_declaration !name type: [
      (type_identifier) @bind.type
      (qualified_type name: (type_identifier) @bind.type)
      (pointer_type [(type_identifier) @bind.type (qualified_type name: (type_identifier) @bind.type)])
    ]))
  ])
] @bind
