; attributes and calls are told from other reads by the bytes around them
(identifier) @ref.read
