; What tells which words are identifiers (see identifier_words)
[(string) (comment) (type_conversion) (format_specifier)] @text
[(interpolation) (format_expression)] @code
["print" "exec" "async" "await" "match" "case" "type" "_" "__future__"] @keyword
