; Rust. Captures: see docs/how-to/add-a-language.md.

; --- definitions

(function_item
  name: (identifier) @name
  body: (block) @body) @def.function

(function_signature_item
  name: (identifier) @name) @def.function

(struct_item
  name: (type_identifier) @name
  body: (_)? @body) @def.struct

(union_item
  name: (type_identifier) @name
  body: (_) @body) @def.struct

(enum_item
  name: (type_identifier) @name
  body: (_) @body) @def.enum

(enum_variant
  name: (identifier) @name) @def.enum_member

(trait_item
  name: (type_identifier) @name
  body: (_) @body) @def.trait

(impl_item
  type: [
    (type_identifier) @owner
    (generic_type
      type: [
        (type_identifier) @owner
        (scoped_type_identifier
          name: (type_identifier) @owner)
      ])
    (scoped_type_identifier
      name: (type_identifier) @owner)
    (reference_type
      type: [
        (type_identifier) @owner
        (generic_type
          type: (type_identifier) @owner)
      ])
    (primitive_type) @owner
    (dynamic_type
      trait: (type_identifier) @owner)
  ]
  body: (_) @body) @def.impl

(type_item
  name: (type_identifier) @name) @def.type

(associated_type
  name: (type_identifier) @name) @def.type

(mod_item
  name: (identifier) @name
  body: (_) @body) @def.module

(const_item
  name: (identifier) @name) @def.constant

(static_item
  name: (identifier) @name) @def.variable

(field_declaration
  name: (field_identifier) @name) @def.field

(macro_definition
  name: (identifier) @name) @def.macro

; --- tests

((attribute_item
  (attribute
    [
      (identifier) @_mark
      (scoped_identifier
        name: (identifier) @_mark)
    ]))
  .
  [
    (attribute_item)
    (line_comment)
    (block_comment)
  ]*
  .
  (function_item) @test
  (#any-of? @_mark
    "test" "rstest" "test_case" "test_matrix" "quickcheck" "bench" "wasm_bindgen_test" "proptest"))

((attribute_item
  (attribute
    (identifier) @_mark
    arguments: (token_tree
      .
      (identifier) @_what)))
  .
  (attribute_item)*
  .
  (mod_item) @test
  (#eq? @_mark "cfg")
  (#eq? @_what "test"))

; --- calls

(call_expression
  function: [
    (identifier) @ref.call
    (scoped_identifier
      name: (identifier) @ref.call)
    (field_expression
      field: (field_identifier) @ref.call)
    (generic_function
      function: [
        (identifier) @ref.call
        (scoped_identifier
          name: (identifier) @ref.call)
        (field_expression
          field: (field_identifier) @ref.call)
      ])
  ])

(macro_invocation
  macro: [
    (identifier) @ref.call
    (scoped_identifier
      name: (identifier) @ref.call)
  ])

(struct_expression
  name: [
    (type_identifier) @ref.call
    (scoped_type_identifier
      name: (type_identifier) @ref.call)
    (generic_type_with_turbofish
      type: (type_identifier) @ref.call)
  ])

; The arguments of a macro are tokens, not a tree: a name before brackets is a call there.
(token_tree
  (identifier) @ref.call
  .
  (token_tree
    "("))

; Brackets of calls on whose result something is used

(field_expression
  value: [
    (call_expression
      arguments: (arguments) @result)
    (try_expression
      (call_expression
        arguments: (arguments) @result))
    (await_expression
      (call_expression
        arguments: (arguments) @result))
    (try_expression
      (await_expression
        (call_expression
          arguments: (arguments) @result)))
  ])

(token_tree
  (token_tree
    "(") @result)

; --- other uses

(impl_item
  trait: [
    (type_identifier) @ref.inherit
    (scoped_type_identifier
      name: (type_identifier) @ref.inherit)
    (generic_type
      type: [
        (type_identifier) @ref.inherit
        (scoped_type_identifier
          name: (type_identifier) @ref.inherit)
      ])
  ])

(trait_item
  bounds: (trait_bounds
    [
      (type_identifier) @ref.inherit
      (generic_type
        type: (type_identifier) @ref.inherit)
      (scoped_type_identifier
        name: (type_identifier) @ref.inherit)
    ]))

(attribute
  [
    (identifier) @ref.decorator
    (scoped_identifier
      name: (identifier) @ref.decorator)
  ])

; Attributes of the language itself, and those that testing crates made common, are no macros of the workspace.
((attribute
  [
    (identifier) @skip
    (scoped_identifier
      name: (identifier) @skip)
  ])
  (#any-of? @skip
    "test" "bench" "cfg" "cfg_attr" "allow" "warn" "deny" "forbid" "expect" "derive" "doc" "inline" "cold" "must_use"
    "repr" "non_exhaustive" "deprecated" "ignore" "should_panic" "macro_use" "macro_export" "path" "track_caller"
    "automatically_derived" "feature" "no_mangle" "link" "target_feature" "rstest" "proptest"))

((attribute
  (identifier) @_derive
  arguments: (token_tree
    (identifier) @ref.type))
  (#eq? @_derive "derive"))

((attribute
  (identifier) @_other
  arguments: (token_tree
    (identifier) @skip))
  (#any-of? @_other "cfg" "cfg_attr" "allow" "warn" "deny" "repr" "doc" "inline" "serde"))

((scoped_identifier
  path: (identifier) @ref.type)
  (#match? @ref.type "^[A-Z]"))

(type_identifier) @ref.type

(field_expression
  field: (field_identifier) @ref.attribute)

(field_initializer
  field: (field_identifier) @ref.attribute)

(field_pattern
  name: (field_identifier) @ref.attribute)

(identifier) @ref.read

(lifetime
  (identifier) @skip)

; `Self` is the enclosing type.
((scoped_identifier
  path: (identifier) @skip)
  (#eq? @skip "Self"))

((scoped_type_identifier
  path: (identifier) @skip)
  (#eq? @skip "Self"))

((type_identifier) @skip
  (#eq? @skip "Self"))

; --- locals

(type_parameter
  name: (type_identifier) @local)

(const_parameter
  name: (identifier) @local)

(parameter
  pattern: (identifier) @local)

(closure_parameters
  (identifier) @local)

(let_declaration
  pattern: (identifier) @local)

(let_condition
  pattern: (identifier) @local)

(for_expression
  pattern: (identifier) @local)

[
  (tuple_pattern (identifier) @local)
  (slice_pattern (identifier) @local)
  (ref_pattern (identifier) @local)
  (mut_pattern (identifier) @local)
  (reference_pattern (identifier) @local)
  (captured_pattern . (identifier) @local)
  (field_pattern name: (shorthand_field_identifier) @local)
]

; A lower-case name in a pattern binds; a capitalised one is a constant or a variant.
((tuple_struct_pattern
  type: (_)
  (identifier) @local)
  (#match? @local "^[a-z_]"))

((match_pattern
  .
  (identifier) @local)
  (#match? @local "^[a-z_]"))

((or_pattern
  (identifier) @local)
  (#match? @local "^[a-z_]"))

((field_pattern
  pattern: (identifier) @local)
  (#match? @local "^[a-z_]"))

[
  (impl_item)
  (struct_item)
  (enum_item)
  (trait_item)
  (type_item)
] @scope

; --- types of variables

(parameter
  pattern: (identifier) @bind.name
  type: [
    (type_identifier) @bind.type
    (scoped_type_identifier
      name: (type_identifier) @bind.type)
    (reference_type
      type: [
        (type_identifier) @bind.type
        (scoped_type_identifier
          name: (type_identifier) @bind.type)
        (generic_type
          type: (type_identifier) @bind.type)
        (dynamic_type
          trait: (type_identifier) @bind.type)
      ])
    (abstract_type
      trait: (type_identifier) @bind.type)
    (generic_type
      type: (type_identifier) @bind.type)
  ]) @bind

; A value of a generic type has the members of the type's bound.
(type_parameter
  name: (type_identifier) @bind.name
  bounds: (trait_bounds
    .
    [
      (type_identifier) @bind.type
      (scoped_type_identifier
        name: (type_identifier) @bind.type)
      (generic_type
        type: (type_identifier) @bind.type)
    ])) @bind

(where_predicate
  left: (type_identifier) @bind.name
  bounds: (trait_bounds
    .
    [
      (type_identifier) @bind.type
      (scoped_type_identifier
        name: (type_identifier) @bind.type)
      (generic_type
        type: (type_identifier) @bind.type)
    ])) @bind

(let_declaration
  pattern: (identifier) @bind.name
  type: [
    (type_identifier) @bind.type
    (scoped_type_identifier
      name: (type_identifier) @bind.type)
    (reference_type
      type: (type_identifier) @bind.type)
    (generic_type
      type: (type_identifier) @bind.type)
  ]) @bind

(field_declaration
  name: (field_identifier) @bind.name
  type: [
    (type_identifier) @bind.type
    (scoped_type_identifier
      name: (type_identifier) @bind.type)
    (reference_type
      type: (type_identifier) @bind.type)
  ]) @bind

[
  (const_item
    name: (identifier) @bind.name
    type: (type_identifier) @bind.type)
  (static_item
    name: (identifier) @bind.name
    type: (type_identifier) @bind.type)
] @bind

((field_declaration
  name: (field_identifier) @bind.name
  type: (generic_type
    type: (type_identifier) @bind.type))
  (#not-match? @bind.type "^(Box|Rc|Arc|Option|RefCell|Cell|Mutex|RwLock)$")) @bind

; What a pointer or a cell holds is what its methods are called on.
((field_declaration
  name: (field_identifier) @bind.name
  type: (generic_type
    type: (type_identifier) @_holder
    type_arguments: (type_arguments
      .
      [
        (type_identifier) @bind.type
        (generic_type
          type: (type_identifier) @bind.type)
        (dynamic_type
          trait: (type_identifier) @bind.type)
      ])))
  (#any-of? @_holder "Box" "Rc" "Arc" "Option" "RefCell" "Cell" "Mutex" "RwLock")) @bind

; `let x = Foo::new(…)`, also with `?`, `.await` or `&`.
(let_declaration
  pattern: (identifier) @bind.name
  !type
  value: [
    (call_expression
      function: [
        (scoped_identifier
          path: [
            (identifier) @bind.type
            (scoped_identifier
              name: (identifier) @bind.type)
            (generic_type
              type: (type_identifier) @bind.type)
          ])
        (identifier) @bind.type
      ])
    (struct_expression
      name: [
        (type_identifier) @bind.type
        (scoped_type_identifier
          name: (type_identifier) @bind.type)
      ])
    (try_expression
      (call_expression
        function: [
          (scoped_identifier
            path: [
              (identifier) @bind.type
              (scoped_identifier
                name: (identifier) @bind.type)
            ])
          (identifier) @bind.type
        ]))
    (await_expression
      (call_expression
        function: [
          (scoped_identifier
            path: (identifier) @bind.type)
          (identifier) @bind.type
        ]))
    (reference_expression
      value: (struct_expression
        name: (type_identifier) @bind.type))
    (reference_expression
      value: (call_expression
        function: [
          (scoped_identifier
            path: (identifier) @bind.type)
          (identifier) @bind.type
        ]))
    (identifier) @bind.type
    (reference_expression
      value: (identifier) @bind.type)
  ]) @bind

; --- imports

(use_declaration) @import

(extern_crate_declaration) @import

(mod_item
  !body) @import

; Results of functions: a binding of the function's own name in its own scope

[
  (function_item
    name: (identifier) @bind.name
    return_type: [
      (type_identifier) @bind.type
      (scoped_type_identifier
        name: (type_identifier) @bind.type)
      (reference_type
        type: [
          (type_identifier) @bind.type
          (scoped_type_identifier
            name: (type_identifier) @bind.type)
          (generic_type
            type: (type_identifier) @bind.type)
          (dynamic_type
            trait: (type_identifier) @bind.type)
        ])
      (abstract_type
        trait: (type_identifier) @bind.type)
    ])
  (function_signature_item
    name: (identifier) @bind.name
    return_type: [
      (type_identifier) @bind.type
      (scoped_type_identifier
        name: (type_identifier) @bind.type)
      (reference_type
        type: [
          (type_identifier) @bind.type
          (dynamic_type
            trait: (type_identifier) @bind.type)
        ])
    ])
] @bind

; An iterator gives what it goes through.
(function_item
  name: (identifier) @bind.name
  return_type: (abstract_type
    trait: (generic_type
      type_arguments: (type_arguments
        (type_binding
          type: [
            (type_identifier) @bind.type
            (generic_type
              type: (type_identifier) @bind.type)
            (reference_type
              type: [
                (type_identifier) @bind.type
                (generic_type
                  type: (type_identifier) @bind.type)
              ])
          ]))))) @bind

((function_item
  name: (identifier) @bind.name
  return_type: (generic_type
    type: (type_identifier) @bind.type)) @bind
  (#not-match? @bind.type "^(Box|Rc|Arc|Option|\\w*Result|RefCell|Cell|Mutex|RwLock|Vec|Cow|Pin)$"))

; Many crates call their own alias of `Result` after themselves.
([
  (function_item
    name: (identifier) @bind.name
    return_type: (generic_type
      type: [
        (type_identifier) @_holder
        (scoped_type_identifier
          name: (type_identifier) @_holder)
      ]
      type_arguments: (type_arguments
        .
        [
          (type_identifier) @bind.type
          (scoped_type_identifier
            name: (type_identifier) @bind.type)
          (generic_type
            type: (type_identifier) @bind.type)
          (reference_type
            type: [
              (type_identifier) @bind.type
              (generic_type
                type: (type_identifier) @bind.type)
              (dynamic_type
                trait: (type_identifier) @bind.type)
            ])
          (dynamic_type
            trait: (type_identifier) @bind.type)
        ])))
  (function_signature_item
    name: (identifier) @bind.name
    return_type: (generic_type
      type: [
        (type_identifier) @_holder
        (scoped_type_identifier
          name: (type_identifier) @_holder)
      ]
      type_arguments: (type_arguments
        .
        [
          (type_identifier) @bind.type
          (generic_type
            type: (type_identifier) @bind.type)
          (reference_type
            type: (type_identifier) @bind.type)
        ])))
] @bind
  (#match? @_holder "^(Box|Rc|Arc|Option|\\w*Result)$"))

; What a function fails with: a binding of the error's type to its own name, in the function's scope

([
  (function_item
    return_type: (generic_type
      type: [
        (type_identifier) @_holder
        (scoped_type_identifier
          name: (type_identifier) @_holder)
      ]
      type_arguments: (type_arguments
        (_)
        .
        [
          (type_identifier) @bind @bind.name @bind.type
          (scoped_type_identifier
            name: (type_identifier) @bind @bind.name @bind.type)
          (generic_type
            type: (type_identifier) @bind @bind.name @bind.type)
        ])))
  (function_signature_item
    return_type: (generic_type
      type: (type_identifier) @_holder
      type_arguments: (type_arguments
        (_)
        .
        [
          (type_identifier) @bind @bind.name @bind.type
          (scoped_type_identifier
            name: (type_identifier) @bind @bind.name @bind.type)
        ])))
]
  (#match? @_holder "Result$"))

; … and where a result has another name

((type_item
  name: (type_identifier) @bind.name
  type: (generic_type
    type_arguments: (type_arguments
      (_)
      .
      [
        (type_identifier) @bind.type
        (scoped_type_identifier
          name: (type_identifier) @bind.type)
      ]))) @bind
  (#match? @bind.name "Result$"))

((type_item
  name: (type_identifier) @bind.name
  type_parameters: (type_parameters
    (type_parameter
      default_type: [
        (type_identifier) @bind.type
        (scoped_type_identifier
          name: (type_identifier) @bind.type)
      ]))) @bind
  (#match? @bind.name "Result$"))

; Values that are calls of members: the member, whose written result counts

(let_declaration
  pattern: (identifier) @bind.name
  !type
  value: [
    (call_expression
      function: (field_expression
        field: (field_identifier) @bind.type))
    (try_expression
      (call_expression
        function: (field_expression
          field: (field_identifier) @bind.type)))
    (await_expression
      (call_expression
        function: (field_expression
          field: (field_identifier) @bind.type)))
    (reference_expression
      value: [
        (field_expression
          field: (field_identifier) @bind.type)
        (call_expression
          function: (field_expression
            field: (field_identifier) @bind.type))
      ])
    (field_expression
      field: (field_identifier) @bind.type)
  ]) @bind

; What `if let Some(x) = …`, `while let Some(x) = …` and `let Some(x) = … else` take out of a wrapper
([
  (let_condition
    pattern: (tuple_struct_pattern
      type: (identifier) @_holder
      .
      (identifier) @bind.name)
    value: [
      (call_expression
        function: (field_expression
          field: (field_identifier) @bind.type))
      (call_expression
        function: (scoped_identifier
          path: (identifier) @bind.type))
      (call_expression
        function: (identifier) @bind.type)
      (field_expression
        field: (field_identifier) @bind.type)
      (reference_expression
        value: (field_expression
          field: (field_identifier) @bind.type))
      (identifier) @bind.type
    ])
  (let_declaration
    pattern: (tuple_struct_pattern
      type: (identifier) @_holder
      .
      (identifier) @bind.name)
    value: [
      (call_expression
        function: (field_expression
          field: (field_identifier) @bind.type))
      (call_expression
        function: (scoped_identifier
          path: (identifier) @bind.type))
      (call_expression
        function: (identifier) @bind.type)
      (identifier) @bind.type
    ])
] @bind
  (#any-of? @_holder "Some" "Ok"))

; What a loop goes through
(for_expression
  pattern: (identifier) @bind.name
  value: [
    (call_expression
      function: (field_expression
        field: (field_identifier) @bind.type))
    (call_expression
      function: (identifier) @bind.type)
  ]) @bind
