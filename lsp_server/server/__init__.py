"""The language server's protocol shell."""
