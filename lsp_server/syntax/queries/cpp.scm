; C++ alone, after c_family.scm.

(using_declaration) @import

; --- definitions

(namespace_definition
  name: (namespace_identifier) @name
  body: (_) @body) @def.namespace

; Its last part names `namespace a::b { … }`.
(namespace_definition
  name: (nested_namespace_specifier
    (namespace_identifier) @name .)
  body: (_) @body) @def.namespace

(class_specifier
  name: [
    (type_identifier) @name
    (template_type
      name: (type_identifier) @name)
    (qualified_identifier
      name: [
        (type_identifier) @name
        (template_type
          name: (type_identifier) @name)
        (qualified_identifier
          name: [
            (type_identifier) @name
            (template_type
              name: (type_identifier) @name)
          ])
      ])
  ]
  body: (_) @body) @def.class

(struct_specifier
  name: [
    (template_type
      name: (type_identifier) @name)
    (qualified_identifier
      name: [
        (type_identifier) @name
        (template_type
          name: (type_identifier) @name)
        (qualified_identifier
          name: [
            (type_identifier) @name
            (template_type
              name: (type_identifier) @name)
          ])
      ])
  ]
  body: (_) @body) @def.struct

(alias_declaration
  name: (type_identifier) @name) @def.type

(concept_definition
  name: (identifier) @name) @def.type

; Functions in a class, operators, and what returns a reference.
(function_definition
  declarator: [
    (function_declarator
      declarator: [
        (field_identifier) @name
        (destructor_name) @name
        (operator_name) @name
        (template_function
          name: (identifier) @name)
      ])
    (pointer_declarator
      declarator: (function_declarator
        declarator: [
        (field_identifier) @name
        (destructor_name) @name
        (operator_name) @name
        (template_function
          name: (identifier) @name)
        ]))
    (reference_declarator
      (function_declarator
        declarator: [
        (field_identifier) @name
        (destructor_name) @name
        (operator_name) @name
        (template_function
          name: (identifier) @name)
        ]))
  ]
  [
    (compound_statement)
    (try_statement)
    (default_method_clause)
    (delete_method_clause)
  ] @body) @def.function

(function_definition
  declarator: (reference_declarator
    (function_declarator
      declarator: (identifier) @name))
  body: (_) @body) @def.function

(function_definition
  declarator: (operator_cast
    "operator" @name)
  body: (_) @body) @def.function

; `Foo::bar`, `Foo<T>::bar`, `ns::Foo::bar`
(function_definition
  declarator: [
    (function_declarator
      declarator: [
        (qualified_identifier
          scope: [
            (namespace_identifier) @owner
            (template_type
              name: (type_identifier) @owner)
          ]
          name: [
            (identifier) @name
            (destructor_name) @name
            (operator_name) @name
            (template_function
              name: (identifier) @name)
            (operator_cast
              "operator" @name)
          ])
        (qualified_identifier
          name: (qualified_identifier
            scope: [
              (namespace_identifier) @owner
              (template_type
                name: (type_identifier) @owner)
            ]
            name: [
              (identifier) @name
              (destructor_name) @name
              (operator_name) @name
            ]))
        (qualified_identifier
          name: (qualified_identifier
            name: (qualified_identifier
              scope: [
                (namespace_identifier) @owner
                (template_type
                  name: (type_identifier) @owner)
              ]
              name: [
                (identifier) @name
                (destructor_name) @name
                (operator_name) @name
              ])))
      ])
    (pointer_declarator
      declarator: (function_declarator
        declarator: [
        (qualified_identifier
          scope: [
            (namespace_identifier) @owner
            (template_type
              name: (type_identifier) @owner)
          ]
          name: [
            (identifier) @name
            (destructor_name) @name
            (operator_name) @name
            (template_function
              name: (identifier) @name)
            (operator_cast
              "operator" @name)
          ])
        (qualified_identifier
          name: (qualified_identifier
            scope: [
              (namespace_identifier) @owner
              (template_type
                name: (type_identifier) @owner)
            ]
            name: [
              (identifier) @name
              (destructor_name) @name
              (operator_name) @name
            ]))
        (qualified_identifier
          name: (qualified_identifier
            name: (qualified_identifier
              scope: [
                (namespace_identifier) @owner
                (template_type
                  name: (type_identifier) @owner)
              ]
              name: [
                (identifier) @name
                (destructor_name) @name
                (operator_name) @name
              ])))
        ]))
    (reference_declarator
      (function_declarator
        declarator: [
        (qualified_identifier
          scope: [
            (namespace_identifier) @owner
            (template_type
              name: (type_identifier) @owner)
          ]
          name: [
            (identifier) @name
            (destructor_name) @name
            (operator_name) @name
            (template_function
              name: (identifier) @name)
            (operator_cast
              "operator" @name)
          ])
        (qualified_identifier
          name: (qualified_identifier
            scope: [
              (namespace_identifier) @owner
              (template_type
                name: (type_identifier) @owner)
            ]
            name: [
              (identifier) @name
              (destructor_name) @name
              (operator_name) @name
            ]))
        (qualified_identifier
          name: (qualified_identifier
            name: (qualified_identifier
              scope: [
                (namespace_identifier) @owner
                (template_type
                  name: (type_identifier) @owner)
              ]
              name: [
                (identifier) @name
                (destructor_name) @name
                (operator_name) @name
              ])))
        ]))
  ]
  body: (_)? @body) @def.method

(function_definition
  declarator: (qualified_identifier
    scope: (namespace_identifier) @owner
    name: (operator_cast
      "operator" @name))
  body: (_) @body) @def.method

; Prototypes in a class; those without a return type are constructors and destructors.
(field_declaration
  declarator: [
    (function_declarator
      declarator: [
        (field_identifier) @name
        (destructor_name) @name
        (operator_name) @name
      ])
    (pointer_declarator
      declarator: (function_declarator
        declarator: [
        (field_identifier) @name
        (destructor_name) @name
        (operator_name) @name
        ]))
    (reference_declarator
      (function_declarator
        declarator: [
        (field_identifier) @name
        (destructor_name) @name
        (operator_name) @name
        ]))
  ]) @def.method

(field_declaration_list
  [
    (declaration
      declarator: [
        (function_declarator
          declarator: [
            (identifier) @name
            (destructor_name) @name
            (operator_name) @name
          ])
        (reference_declarator
          (function_declarator
            declarator: (operator_name) @name))
        (operator_cast
          "operator" @name)
      ]) @def.method
  ])

(field_declaration
  declarator: (reference_declarator
    (field_identifier) @name)) @def.field

; A template is one definition with what it is a template of.
(template_declaration
  [
    (class_specifier
      body: (_))
    (struct_specifier
      body: (_))
    (alias_declaration)
    (concept_definition)
    (function_definition)
    (template_declaration)
  ]) @def.type

; Prototypes of function templates outside of classes.
(template_declaration
  (declaration
    declarator: [
      (function_declarator
        declarator: (identifier) @name)
      (pointer_declarator
        declarator: (function_declarator
          declarator: (identifier) @name))
      (reference_declarator
        (function_declarator
          declarator: (identifier) @name))
    ])) @def.function

; `int Foo::count = 0;`
(declaration
  declarator: [
    (init_declarator
      declarator: (qualified_identifier
        scope: (namespace_identifier) @owner
        name: (identifier) @name))
    (qualified_identifier
      scope: (namespace_identifier) @owner
      name: (identifier) @name)
  ]) @def.variable

; --- uses

(call_expression
  function: [
    (qualified_identifier
      name: [
        (identifier) @ref.call
        (template_function
          name: (identifier) @ref.call)
        (qualified_identifier
          name: [
            (identifier) @ref.call
            (template_function
              name: (identifier) @ref.call)
            (qualified_identifier
              name: (identifier) @ref.call)
          ])
      ])
    (template_function
      name: (identifier) @ref.call)
    (field_expression
      field: (template_method
        name: (field_identifier) @ref.call))
  ])

(new_expression
  type: [
    (type_identifier) @ref.call
    (template_type
      name: (type_identifier) @ref.call)
    (qualified_identifier
      name: [
        (type_identifier) @ref.call
        (template_type
          name: (type_identifier) @ref.call)
      ])
  ])

(compound_literal_expression
  type: (type_identifier) @ref.call)

(base_class_clause
  [
    (type_identifier) @ref.inherit
    (template_type
      name: (type_identifier) @ref.inherit)
    (qualified_identifier
      name: [
        (type_identifier) @ref.inherit
        (template_type
          name: (type_identifier) @ref.inherit)
        (qualified_identifier
          name: [
            (type_identifier) @ref.inherit
            (template_type
              name: (type_identifier) @ref.inherit)
          ])
      ])
  ])

(field_initializer
  (field_identifier) @ref.attribute)

((namespace_identifier) @ref.type
  (#match? @ref.type "^[A-Z]"))

((namespace_identifier) @ref.read
  (#not-eq? @ref.read "std"))

((template_function
  name: (identifier) @skip)
  (#any-of? @skip "static_cast" "dynamic_cast" "const_cast" "reinterpret_cast"))

; The name in `~Foo` is part of the destructor's.
(destructor_name
  (identifier) @skip)

; --- locals

(type_parameter_declaration
  (type_identifier) @local)

(variadic_type_parameter_declaration
  (type_identifier) @local)

(optional_type_parameter_declaration
  name: (type_identifier) @local)

(optional_parameter_declaration
  declarator: (identifier) @local)

(reference_declarator
  (identifier) @local)

(variadic_declarator
  (identifier) @local)

(structured_binding_declarator
  (identifier) @local)

(for_range_loop
  declarator: (identifier) @local)

[
  (template_declaration)
  (lambda_expression)
] @scope

; --- types of variables

(parameter_declaration
  type: [
    (template_type
      name: (type_identifier) @bind.type)
    (qualified_identifier
      name: [
        (type_identifier) @bind.type
        (qualified_identifier
          name: (type_identifier) @bind.type)
      ])
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
    (reference_declarator
      (identifier) @bind.name)
  ]) @bind

(parameter_declaration
  type: (type_identifier) @bind.type
  declarator: (reference_declarator
    (identifier) @bind.name)) @bind

(optional_parameter_declaration
  type: [
    (type_identifier) @bind.type
    (template_type
      name: (type_identifier) @bind.type)
    (qualified_identifier
      name: [
        (type_identifier) @bind.type
        (qualified_identifier
          name: (type_identifier) @bind.type)
      ])
  ]
  declarator: [
    (identifier) @bind.name
    (pointer_declarator
      declarator: (identifier) @bind.name)
    (reference_declarator
      (identifier) @bind.name)
  ]) @bind

(declaration
  type: [
    (template_type
      name: (type_identifier) @bind.type)
    (qualified_identifier
      name: [
        (type_identifier) @bind.type
        (qualified_identifier
          name: (type_identifier) @bind.type)
      ])
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

(declaration
  type: (type_identifier) @bind.type
  declarator: (init_declarator
    declarator: (reference_declarator
      (identifier) @bind.name))) @bind

(for_range_loop
  type: [
    (type_identifier) @bind.type
    (template_type
      name: (type_identifier) @bind.type)
    (qualified_identifier
      name: [
        (type_identifier) @bind.type
        (qualified_identifier
          name: (type_identifier) @bind.type)
      ])
  ]
  declarator: [
    (identifier) @bind.name
    (reference_declarator
      (identifier) @bind.name)
  ]) @bind

(field_declaration
  type: [
    (template_type
      name: (type_identifier) @bind.type)
    (qualified_identifier
      name: [
        (type_identifier) @bind.type
        (qualified_identifier
          name: (type_identifier) @bind.type)
      ])
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
    (reference_declarator
      (field_identifier) @bind.name)
  ]) @bind

; What a smart pointer holds is what `->` reaches.
((field_declaration
  type: [
    (template_type
        name: (type_identifier) @_holder
        arguments: (template_argument_list
          .
          (type_descriptor
            type: [
              (type_identifier) @bind.type
              (qualified_identifier
                name: (type_identifier) @bind.type)
            ])))
    (qualified_identifier
      name: (template_type
        name: (type_identifier) @_holder
        arguments: (template_argument_list
          .
          (type_descriptor
            type: [
              (type_identifier) @bind.type
              (qualified_identifier
                name: (type_identifier) @bind.type)
            ]))))
  ]
  declarator: (field_identifier) @bind.name) @bind
  (#any-of? @_holder "unique_ptr" "shared_ptr" "weak_ptr" "optional" "reference_wrapper"))

((declaration
  type: [
    (template_type
        name: (type_identifier) @_holder
        arguments: (template_argument_list
          .
          (type_descriptor
            type: [
              (type_identifier) @bind.type
              (qualified_identifier
                name: (type_identifier) @bind.type)
            ])))
    (qualified_identifier
      name: (template_type
        name: (type_identifier) @_holder
        arguments: (template_argument_list
          .
          (type_descriptor
            type: [
              (type_identifier) @bind.type
              (qualified_identifier
                name: (type_identifier) @bind.type)
            ]))))
  ]
  declarator: [
    (identifier) @bind.name
    (init_declarator
      declarator: (identifier) @bind.name)
  ]) @bind
  (#any-of? @_holder "unique_ptr" "shared_ptr" "weak_ptr" "optional" "reference_wrapper"))

; `auto x = …`
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [
      (identifier) @bind.name
      (pointer_declarator
        declarator: (identifier) @bind.name)
      (reference_declarator
        (identifier) @bind.name)
    ]
    value: [
      (new_expression
        type: (type_identifier) @bind.type)
      (compound_literal_expression
        type: (type_identifier) @bind.type)
      (call_expression
        function: [
          (identifier) @bind.type
          (qualified_identifier
            scope: (namespace_identifier) @bind.type
            name: (identifier))
          (qualified_identifier
            name: (template_function
              arguments: (template_argument_list
                .
                (type_descriptor
                  type: (type_identifier) @bind.type))))
          (template_function
            arguments: (template_argument_list
              .
              (type_descriptor
                type: (type_identifier) @bind.type)))
        ])
    ])) @bind

; Results of functions: a binding of the function's own name in its own scope

(function_definition
  type: [
    (type_identifier) @bind.type
    (qualified_identifier
      name: (type_identifier) @bind.type)
    (template_type
      name: (type_identifier) @bind.type)
  ]
  declarator: [
    (function_declarator
      declarator: [
        (field_identifier) @bind.name
        (qualified_identifier
          name: (identifier) @bind.name)
      ])
    (pointer_declarator
      declarator: (function_declarator
        declarator: [
          (field_identifier) @bind.name
          (qualified_identifier
            name: (identifier) @bind.name)
        ]))
    (reference_declarator
      (function_declarator
        declarator: [
          (identifier) @bind.name
          (field_identifier) @bind.name
          (qualified_identifier
            name: (identifier) @bind.name)
        ]))
  ]) @bind

(field_declaration
  type: [
    (type_identifier) @bind.type
    (qualified_identifier
      name: (type_identifier) @bind.type)
  ]
  declarator: [
    (function_declarator
      declarator: (field_identifier) @bind.name)
    (pointer_declarator
      declarator: (function_declarator
        declarator: (field_identifier) @bind.name))
    (reference_declarator
      (function_declarator
        declarator: (field_identifier) @bind.name))
  ]) @bind

; Values that are calls of members: the member, whose written result counts

(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [
      (identifier) @bind.name
      (pointer_declarator
        declarator: (identifier) @bind.name)
      (reference_declarator
        (identifier) @bind.name)
    ]
    value: (call_expression
      function: [
        (field_expression
          field: (field_identifier) @bind.type)
        (qualified_identifier
          name: (identifier) @bind.type)
        (qualified_identifier
          name: (qualified_identifier
            name: (identifier) @bind.type))
      ]))) @bind
