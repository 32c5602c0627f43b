; What only the JavaScript grammar has

(field_definition property: [(property_identifier) (private_property_identifier)] @name) @def.field
(field_definition property: [(property_identifier) (private_property_identifier)] value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
]) @def.method
(class_heritage [(identifier) @ref.inherit (_ property: (property_identifier) @ref.inherit)])
(class_heritage (call_expression arguments: (arguments (identifier) @ref.inherit)))
(formal_parameters (identifier) @local)
(field_definition property: [(property_identifier) (private_property_identifier)] @bind.name value: (new_expression
  constructor: [(identifier) @bind.type (_ property: (property_identifier) @bind.type)])) @bind
