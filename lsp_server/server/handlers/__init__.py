"""One small file a method: wire values in, core values out. Loaded when a method is first called."""
