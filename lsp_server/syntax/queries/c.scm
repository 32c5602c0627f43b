; C alone, after c_family.scm.

((function_definition
  declarator: (function_declarator
    declarator: (identifier) @_name)) @test
  (#match? @_name "^test_"))
