"""The disk: roots, discovery, ignore rules, decoding, privacy, git."""
