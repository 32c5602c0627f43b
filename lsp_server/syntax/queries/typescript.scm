; What the TypeScript grammars have beside JavaScript

; Definitions

(export_statement decorator: (decorator) declaration: [(class_declaration) (abstract_class_declaration)]) @def.class
(abstract_class_declaration name: (_) @name body: (class_body) @body) @def.class
(interface_declaration name: (type_identifier) @name body: (_) @body) @def.interface
(type_alias_declaration name: (type_identifier) @name value: (_) @body) @def.type
(enum_declaration name: (identifier) @name body: (enum_body) @body) @def.enum
(enum_body (property_identifier) @name @def.enum_member)
(enum_assignment name: (property_identifier) @name) @def.enum_member
(internal_module name: (_) @name body: (statement_block) @body) @def.namespace
(module name: [(string (string_fragment) @name) (identifier) @name (nested_identifier) @name] body: (statement_block) @body) @def.module
(function_signature name: (identifier) @name) @def.function
(method_signature name: [(property_identifier) (private_property_identifier)] @name) @def.method
(abstract_method_signature name: [(property_identifier) (private_property_identifier)] @name) @def.method
(interface_body (property_signature name: (property_identifier) @name) @def.field)
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name) @def.field
((public_field_definition name: [(property_identifier) (private_property_identifier)] value: [
  (_ "=>" body: (_) @body)
  (function_expression body: (_) @body)
]) @def.method (#whole? @body))
(ambient_declaration [
  (lexical_declaration (variable_declarator name: (identifier) @name) @def.constant)
  (variable_declaration (variable_declarator name: (identifier) @name) @def.variable)
])

; Uses

(type_identifier) @ref.type
(nested_type_identifier module: (identifier) @ref.read)
(type_query [(identifier) @ref.type (_ property: (property_identifier) @ref.type)])
(extends_clause value: [(identifier) @ref.inherit (_ property: (property_identifier) @ref.inherit)])
((extends_clause value: (_ function: (_) arguments: (_ (identifier) @ref.inherit))) (#whole? @ref.inherit))
((implements_clause [
  (type_identifier) @ref.inherit
  (_ name: [(type_identifier) @ref.inherit (_ name: (type_identifier) @ref.inherit)])
]) (#whole? @ref.inherit))
((extends_type_clause type: [
  (type_identifier) @ref.inherit
  (_ name: [(type_identifier) @ref.inherit (_ name: (type_identifier) @ref.inherit)])
]) (#whole? @ref.inherit))
(index_signature name: (identifier) @skip)

; Locals

(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(type_parameter name: (type_identifier) @local)
(function_type) @scope

; Types of variables

((required_parameter pattern: (identifier) @bind.name type: (_ [(type_identifier) @bind.type (_ name: (type_identifier) @bind.type) (_ . (type_identifier) @bind.type "|" @_or)])) @bind
  (#whole? @bind.type @_or))
((optional_parameter pattern: (identifier) @bind.name type: (_ [(type_identifier) @bind.type (_ name: (type_identifier) @bind.type) (_ . (type_identifier) @bind.type "|" @_or)])) @bind
  (#whole? @bind.type @_or))
((variable_declarator name: (identifier) @bind.name type: (_ [(type_identifier) @bind.type (_ name: (type_identifier) @bind.type) (_ . (type_identifier) @bind.type "|" @_or)])) @bind
  (#whole? @bind.type @_or))
((public_field_definition name: [(property_identifier) (private_property_identifier)] @bind.name [
  type: (_ [(type_identifier) @bind.type (_ name: (type_identifier) @bind.type) (_ . (type_identifier) @bind.type "|" @_or)])
  value: (_ constructor: [(identifier) @bind.type (_ property: (property_identifier) @bind.type)])
]) @bind (#whole? @bind.type @_or))
((property_signature name: (property_identifier) @bind.name type: (_ [(type_identifier) @bind.type (_ name: (type_identifier) @bind.type) (_ . (type_identifier) @bind.type "|" @_or)])) @bind
  (#whole? @bind.type @_or))

; Results of functions: a binding of the function's own name in its own scope

([
  (function_declaration name: (identifier) @bind.name return_type: (_ [
    (type_identifier) @bind.type
    (this_type) @bind.type
    (_ name: (type_identifier) @bind.type)
    (_ . (type_identifier) @bind.type "|" @_or)
  ]))
  (function_signature name: (identifier) @bind.name return_type: (_ [
    (type_identifier) @bind.type
    (_ name: (type_identifier) @bind.type)
    (_ . (type_identifier) @bind.type "|" @_or)
  ]))
  (method_definition name: (property_identifier) @bind.name return_type: (_ [
    (type_identifier) @bind.type
    (this_type) @bind.type
    (_ name: (type_identifier) @bind.type)
    (_ . (type_identifier) @bind.type "|" @_or)
  ]))
  (method_signature name: (property_identifier) @bind.name return_type: (_ [
    (type_identifier) @bind.type
    (this_type) @bind.type
    (_ name: (type_identifier) @bind.type)
    (_ . (type_identifier) @bind.type "|" @_or)
  ]))
  (variable_declarator name: (identifier) @bind.name value: (arrow_function return_type: (_ [
    (type_identifier) @bind.type
    (_ name: (type_identifier) @bind.type)
    (_ . (type_identifier) @bind.type "|" @_or)
  ])))
] @bind (#whole? @bind.type @_or))
