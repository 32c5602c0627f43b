; Components are called by their tags; lower-case tags are the platform's own

(jsx_opening_element name: [(identifier) @ref.call (_ property: (property_identifier) @ref.call)])
(jsx_self_closing_element name: [(identifier) @ref.call (_ property: (property_identifier) @ref.call)])
((jsx_opening_element name: (identifier) @skip) (#match? @skip "^[a-z]"))
((jsx_self_closing_element name: (identifier) @skip) (#match? @skip "^[a-z]"))
(jsx_closing_element name: (identifier) @skip)
(jsx_closing_element name: (member_expression [(identifier) (property_identifier)] @skip))
