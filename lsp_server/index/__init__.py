"""Facts of all files: snapshots, search, name resolution, graphs, the facts store."""
