"""Tree-sitter: one file's text in, its facts out."""
