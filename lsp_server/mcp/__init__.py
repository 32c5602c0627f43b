"""The MCP protocol shell."""
