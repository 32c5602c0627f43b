; TSX has no node of its own beside typescript.scm and jsx.scm
