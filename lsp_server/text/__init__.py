"""Pure text work: line tables, positions, words, token counts."""
