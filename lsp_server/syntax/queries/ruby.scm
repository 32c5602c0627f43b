; Ruby. Captures: see docs/how-to/add-a-language.md.

; --- definitions

(module
  name: [
    (constant) @name
    (scope_resolution
      name: (constant) @name)
  ]
  body: (_)? @body) @def.module

(class
  name: [
    (constant) @name
    (scope_resolution
      name: (constant) @name)
  ]
  body: (_)? @body) @def.class

(method
  name: [
    (identifier) @name
    (constant) @name
    (operator) @name
    (setter) @name
  ]
  body: (_)? @body) @def.function

(singleton_method
  name: [
    (identifier) @name
    (constant) @name
    (operator) @name
    (setter) @name
  ]
  body: (_)? @body) @def.function

(alias
  name: (identifier) @name
  alias: (_) @body) @def.function

; `attr_accessor :a, :b`
((call
  method: (identifier) @_attribute
  arguments: (argument_list
    (simple_symbol) @name @def.property))
  (#any-of? @_attribute
    "attr_accessor" "attr_reader" "attr_writer" "cattr_accessor" "mattr_accessor" "class_attribute" "attribute"))

((call
  method: (identifier) @_define
  arguments: (argument_list
    .
    (simple_symbol) @name)
  block: (_) @body) @def.function
  (#any-of? @_define "define_method" "define_singleton_method" "let" "let!" "subject" "scope" "task"))

((call
  method: (identifier) @_define
  arguments: (argument_list
    .
    (simple_symbol) @name
    .
    (_) @body)) @def.function
  (#any-of? @_define "alias_method" "scope"))

(program
  (assignment
    left: (constant) @name) @def.constant)

(body_statement
  (assignment
    left: (constant) @name) @def.constant)

; `Letter = Struct.new(…) do … end` makes a class.
((assignment
  left: (constant) @name
  right: (call
    receiver: (constant) @_maker
    method: (identifier) @_new
    block: (_
      body: (_) @body))) @def.class
  (#any-of? @_maker "Struct" "Class" "Data" "Module")
  (#any-of? @_new "new" "define"))

; --- tests

; RSpec and Minitest specs: groups are containers, examples are functions.
((call
  method: (identifier) @_group
  arguments: (argument_list
    .
    [
      (constant) @name
      (scope_resolution) @name
      (string
        (string_content) @name)
    ])
  block: (_) @body) @def.class @test
  (#any-of? @_group
    "describe" "context" "feature" "shared_examples" "shared_examples_for" "shared_context" "xdescribe"))

((call
  method: (identifier) @_example
  arguments: (argument_list
    .
    (string
      (string_content) @name))
  block: (_) @body) @def.function @test
  (#any-of? @_example "it" "specify" "scenario" "test" "should" "example" "xit" "fit"))

; --- imports

((call
  !receiver
  method: (identifier) @_require) @import
  (#any-of? @_require "require" "require_relative" "autoload" "load"))

; --- uses

(call
  method: [
    (identifier) @ref.call
    (constant) @ref.call
  ])

(superclass
  [
    (constant) @ref.inherit
    (scope_resolution
      name: (constant) @ref.inherit)
  ])

((call
  !receiver
  method: (identifier) @_mixin
  arguments: (argument_list
    [
      (constant) @ref.inherit
      (scope_resolution
        name: (constant) @ref.inherit)
    ]))
  (#any-of? @_mixin "include" "extend" "prepend"))

(constant) @ref.type

; What is no local variable is a call without brackets.
(identifier) @ref.call

; Methods named by a symbol: callbacks, delegation, aliases.
((call
  !receiver
  method: (identifier) @_by_symbol
  arguments: (argument_list
    (simple_symbol) @ref.call))
  (#match? @_by_symbol
    "^(before|after|around|skip)_|^(validate|helper_method|delegate|send|public_send|method|alias_method|rescue_from|private|public|protected|private_class_method|module_function)$"))

(block_argument
  (simple_symbol) @ref.call)

; --- locals

(method_parameters
  (identifier) @local)

(block_parameters
  (identifier) @local)

(lambda_parameters
  (identifier) @local)

(destructured_parameter
  (identifier) @local)

[
  (optional_parameter
    name: (identifier) @local)
  (keyword_parameter
    name: (identifier) @local)
  (splat_parameter
    name: (identifier) @local)
  (hash_splat_parameter
    name: (identifier) @local)
  (block_parameter
    name: (identifier) @local)
  (exception_variable
    (identifier) @local)
  (assignment
    left: (identifier) @local)
  (operator_assignment
    left: (identifier) @local)
  (left_assignment_list
    (identifier) @local)
  (for
    pattern: (identifier) @local)
  (as_pattern
    name: (identifier) @local)
  (array_pattern
    (identifier) @local)
  (keyword_pattern
    value: (identifier) @local)
]

; --- types of variables

(assignment
  left: [
    (identifier) @bind.name
    (instance_variable) @bind.name
    (class_variable) @bind.name
    (constant) @bind.name
  ]
  right: (call
    receiver: [
      (constant) @bind.type
      (scope_resolution
        name: (constant) @bind.type)
    ])) @bind

(operator_assignment
  left: [
    (identifier) @bind.name
    (instance_variable) @bind.name
  ]
  right: (call
    receiver: [
      (constant) @bind.type
      (scope_resolution
        name: (constant) @bind.type)
    ])) @bind

(rescue
  exceptions: (exceptions
    [
      (constant) @bind.type
      (scope_resolution
        name: (constant) @bind.type)
    ])
  variable: (exception_variable
    (identifier) @bind.name)) @bind

; `let(:x) { Foo.new }`
((call
  method: (identifier) @_let
  arguments: (argument_list
    .
    (simple_symbol) @bind.name)
  block: (_
    body: (_
      .
      (call
        receiver: [
          (constant) @bind.type
          (scope_resolution
            name: (constant) @bind.type)
        ])))) @bind
  (#any-of? @_let "let" "let!" "subject"))
