; What JavaScript, TypeScript and TSX have in common
;
; Compiling looks through the grammar for every named node with children, once for each, and that is nearly all of its
; time. So some patterns with one root are one, and a node within a pattern is `_` where fields or tokens tell it as surely
; (`=>` and a body: an arrow function) and few other nodes are entered in vain: at the values of variables and pairs more
; walking costs what is saved. What is in a `_` counts as certain, and what was captured before would be told although the
; rest may not match; `#whole?`, which tests nothing, names captures that are not certain. Each branch in a `_` needs one.

; Definitions

(function_declaration name: (identifier) @name body: (statement_block) @body) @def.function
(generator_function_declaration name: (identifier) @name body: (statement_block) @body) @def.function
(class_declaration name: (_) @name body: (class_body) @body) @def.class
(method_definition
  name: [(property_identifier) @name (private_property_identifier) @name (string (string_fragment) @name)]
  body: (statement_block) @body) @def.method

; Functions and classes by assignment
(variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
]) @def.function
((variable_declarator name: (identifier) @name value: (call_expression arguments: (arguments . [
  (_ "=>" body: (_) @body)
  (function_expression body: (_) @body)
]))) @def.function (#whole? @body))
(variable_declarator name: (identifier) @name value: (class body: (class_body) @body)) @def.class
(pair key: [(property_identifier) @name (string (string_fragment) @name)] value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
]) @def.method
((assignment_expression
  left: (_ property: (property_identifier) @name)
  right: [(_ "=>" body: (_) @body) (function_expression body: (_) @body)]) @def.function (#whole? @body))
((assignment_expression
  left: (_
    object: (_ object: (identifier) @owner property: (property_identifier) @_prototype))
  right: [(arrow_function) (function_expression)])
  (#eq? @_prototype "prototype"))
((assignment_expression
  left: (_ object: (identifier) @owner property: (_))
  right: [(arrow_function) (function_expression)])
  (#not-match? @owner "^(module|exports|window|globalThis)$"))

; Default exports without a name of their own are named `default`
((export_statement "default" @name value: [
  (_ "=>" body: (_) @body)
  (function_expression !name body: (_) @body)
]) @def.function (#whole? @body))
((export_statement "default" @name value: (_ !name body: (class_body) @body)) @def.class (#whole? @body))
(export_statement "default" @name value: [(object) (call_expression) (new_expression) (array)]) @def.constant

; Module constants and variables
(program (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @def.constant))
(program (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @def.variable))
(program (variable_declaration (variable_declarator name: (identifier) @name) @def.variable))
(export_statement declaration: [
  (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @def.constant)
  (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @def.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @def.variable)
  (lexical_declaration (variable_declarator
    name: (object_pattern (shorthand_property_identifier_pattern) @name)) @def.constant)
])

; Tests: a title and a function; what a test runner is named by is spelled out, so that a call of a function that
; holds the whole file is not followed to its end
((call_expression
  function: [
    (identifier)
    (member_expression object: [(identifier) (member_expression)])
    (call_expression function: [(identifier) (member_expression)])
    (subscript_expression object: (identifier))
  ] @_runner
  arguments: (arguments
    . [(string (string_fragment) @name) (template_string . (string_fragment) @name)]
    . [(_ "=>" body: (_) @body) (function_expression body: (_) @body)])) @def.function @test
  (#whole? @body)
  (#match? @_runner "^(describe|it|test|suite|context|specify|bench|fdescribe|fit|ftest|xdescribe|xit|xtest)\\b"))

; Uses

(identifier) @ref.read
(shorthand_property_identifier) @ref.read
(member_expression property: [(property_identifier) (private_property_identifier)] @ref.attribute)
(call_expression function: [
  (identifier) @ref.call
  (_ property: [(property_identifier) (private_property_identifier)] @ref.call)
])
(new_expression constructor: [
  (identifier) @ref.call
  (_ property: (property_identifier) @ref.call)
])
(decorator [
  (identifier) @ref.decorator
  (_ property: (property_identifier) @ref.decorator)
  (_ function: [
    (identifier) @ref.decorator
    (_ property: (property_identifier) @ref.decorator)
  ])
])

; Brackets of calls on whose result something is used

((member_expression object: (_ arguments: (arguments) @result)) (#whole? @result))

; Locals

[(arrow_function) (function_expression) (generator_function)] @scope
(arrow_function parameter: (identifier) @local)
(function_expression name: (identifier) @local)
(variable_declarator name: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement left: (identifier) @local)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(rest_pattern (identifier) @local)
(assignment_pattern left: (identifier) @local)

; Types of variables

((variable_declarator name: (identifier) @bind.name value: [
  (new_expression constructor: [(identifier) @bind.type (_ property: (property_identifier) @bind.type)])
  (call_expression function: [(identifier) @bind.type (_ property: (property_identifier) @bind.type)])
  (await_expression (_
    function: [(identifier) @bind.type (_ property: (property_identifier) @bind.type)]
    arguments: (_) @_arguments))
]) @bind (#whole? @bind.type @_arguments))
((assignment_expression
  left: [(identifier) @bind.name (_ object: (this) property: [(property_identifier) (private_property_identifier)] @bind.name)]
  right: [
    (_ constructor: [(identifier) @bind.type (_ property: (property_identifier) @bind.type)])
    (_
      function: [(identifier) @bind.type (_ property: (property_identifier) @bind.type)]
      arguments: (_) @_arguments)
  ]) @bind (#whole? @bind.type @_arguments))

; Imports and exports

(import_statement) @import
(export_statement source: (string)) @import
(export_statement (export_clause) !source) @export
(export_statement value: (identifier)) @export
(export_statement "default" declaration: (_ name: (_))) @export
((variable_declarator value: (call_expression
  function: (identifier) @_require
  arguments: (arguments . (string)))) @import
  (#eq? @_require "require"))
((variable_declarator value: (_ object: (_
  function: (identifier) @_require
  arguments: (_ . (string) @_module)))) @import
  (#eq? @_require "require") (#whole? @_module))
((variable_declarator value: (await_expression (_ function: (import) @_import))) @import (#whole? @_import))
; the anchor keeps a statement that holds the whole file from being followed to its end
((expression_statement . (call_expression
  function: (identifier) @_require
  arguments: (_ . (string) @_module))) @import
  (#eq? @_require "require") (#whole? @_module))
((call_expression function: (import) arguments: (_ . (string) @_module)) @import (#whole? @_module))
((assignment_expression
  left: (_ object: (identifier) @_module property: (property_identifier) @_exports)
  right: [(identifier) (object) (call_expression)]) @export
  (#eq? @_module "module") (#eq? @_exports "exports"))
((assignment_expression
  left: (_ object: (identifier) @_exports property: (property_identifier))
  right: (identifier)) @export
  (#eq? @_exports "exports"))
