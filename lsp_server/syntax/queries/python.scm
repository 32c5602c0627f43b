; Definitions

(function_definition name: (identifier) @name body: (block) @body) @def.function
(class_definition name: (identifier) @name body: (block) @body) @def.class
(decorated_definition definition: (function_definition)) @def.function
(decorated_definition definition: (class_definition)) @def.class

; Module constants and variables, also under `if` and `try`
(module (expression_statement (assignment left: (identifier) @name) @def.variable))
(module (expression_statement (assignment left: (pattern_list (identifier) @name)) @def.variable))
(module (if_statement (block (expression_statement (assignment left: (identifier) @name) @def.variable))))
(module (if_statement (else_clause (block (expression_statement (assignment left: (identifier) @name) @def.variable)))))
(module (try_statement (block (expression_statement (assignment left: (identifier) @name) @def.variable))))
(module (try_statement (except_clause (block (expression_statement (assignment left: (identifier) @name) @def.variable)))))
(type_alias_statement left: (type (identifier) @name)) @def.type

; Class attributes and annotated (dataclass) fields
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @def.field)))
(class_definition body: (block (expression_statement (assignment left: (pattern_list (identifier) @name)) @def.field)))

; Uses

(decorator [
  (identifier) @ref.decorator
  (attribute attribute: (identifier) @ref.decorator)
  (call function: [(identifier) @ref.decorator (attribute attribute: (identifier) @ref.decorator)])
])
(class_definition superclasses: (argument_list [
  (identifier) @ref.inherit
  (attribute attribute: (identifier) @ref.inherit)
  (subscript value: [(identifier) @ref.inherit (attribute attribute: (identifier) @ref.inherit)])
]))
(type [
  (identifier) @ref.type
  (attribute attribute: (identifier) @ref.type)
  (generic_type (identifier) @ref.type)
  (subscript value: [(identifier) @ref.type (attribute attribute: (identifier) @ref.type)])
  (subscript subscript: [(identifier) @ref.type (attribute attribute: (identifier) @ref.type)])
  (binary_operator [(identifier) @ref.type (attribute attribute: (identifier) @ref.type)])
])
(keyword_argument name: (identifier) @skip)

; Brackets of calls on whose result something is used

(attribute object: (call arguments: (argument_list) @result))

; Locals

(parameters [
  (identifier) @local
  (default_parameter name: (identifier) @local)
  (typed_parameter [
    (identifier) @local
    (list_splat_pattern (identifier) @local)
    (dictionary_splat_pattern (identifier) @local)
  ])
  (typed_default_parameter name: (identifier) @local)
  (list_splat_pattern (identifier) @local)
  (dictionary_splat_pattern (identifier) @local)
])
(lambda) @scope
(lambda_parameters [
  (identifier) @local
  (default_parameter name: (identifier) @local)
  (list_splat_pattern (identifier) @local)
  (dictionary_splat_pattern (identifier) @local)
])
(assignment left: (identifier) @local)
(assignment left: (pattern_list [
  (identifier) @local
  (list_splat_pattern (identifier) @local)
  (tuple_pattern (identifier) @local)
]))
(assignment left: (tuple_pattern (identifier) @local))
(augmented_assignment left: (identifier) @local)
(named_expression name: (identifier) @local)
(for_statement left: [
  (identifier) @local
  (pattern_list [(identifier) @local (tuple_pattern (identifier) @local) (list_splat_pattern (identifier) @local)])
  (tuple_pattern [(identifier) @local (tuple_pattern (identifier) @local)])
])
[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope
(for_in_clause left: [
  (identifier) @local
  (pattern_list [(identifier) @local (tuple_pattern (identifier) @local)])
  (tuple_pattern [(identifier) @local (tuple_pattern (identifier) @local)])
])
(as_pattern_target (identifier) @local)
(as_pattern_target (tuple (identifier) @local))
(case_pattern (dotted_name . (identifier) @local .))
(case_pattern (as_pattern (identifier) @local))
(keyword_pattern . (identifier) @skip)
(keyword_pattern (dotted_name . (identifier) @local .))
(splat_pattern (identifier) @local)
(global_statement (identifier) @nonlocal)
(nonlocal_statement (identifier) @nonlocal)

; Types of variables

(typed_parameter (identifier) @bind.name type: (type [
  (identifier) @bind.type
  (attribute attribute: (identifier) @bind.type)
  (generic_type (type_parameter (type (identifier) @bind.type)))
  (generic_type (identifier) @bind.type)
  (binary_operator left: (identifier) @bind.type)
])) @bind
(typed_default_parameter name: (identifier) @bind.name type: (type [
  (identifier) @bind.type
  (attribute attribute: (identifier) @bind.type)
  (generic_type (type_parameter (type (identifier) @bind.type)))
  (generic_type (identifier) @bind.type)
  (binary_operator left: (identifier) @bind.type)
])) @bind
(assignment
  left: [(identifier) @bind.name (attribute object: (identifier) attribute: (identifier) @bind.name)]
  type: (type [
    (identifier) @bind.type
    (attribute attribute: (identifier) @bind.type)
    (generic_type (type_parameter (type (identifier) @bind.type)))
    (generic_type (identifier) @bind.type)
    (binary_operator left: (identifier) @bind.type)
  ])) @bind
(assignment
  left: [(identifier) @bind.name (attribute object: (identifier) attribute: (identifier) @bind.name)]
  right: [
    (call function: [(identifier) @bind.type (attribute attribute: (identifier) @bind.type)])
    (await (call function: [(identifier) @bind.type (attribute attribute: (identifier) @bind.type)]))
    (boolean_operator right: (call function: [(identifier) @bind.type (attribute attribute: (identifier) @bind.type)]))
    (conditional_expression (call function: (identifier) @bind.type))
  ]) @bind
(as_pattern
  (call function: [(identifier) @bind.type (attribute attribute: (identifier) @bind.type)])
  alias: (as_pattern_target (identifier) @bind.name)) @bind

; Imports

[(import_statement) (import_from_statement) (future_import_statement)] @import

; Results of functions: a binding of the function's own name in its own scope

(function_definition name: (identifier) @bind.name return_type: (type [
  (identifier) @bind.type
  (attribute attribute: (identifier) @bind.type)
  (generic_type (identifier) @bind.type)
  (binary_operator left: (identifier) @bind.type)
])) @bind
(assignment
  left: [(identifier) @bind.name (attribute object: (identifier) attribute: (identifier) @bind.name)]
  right: [(identifier) @bind.type (attribute attribute: (identifier) @bind.type)]) @bind
