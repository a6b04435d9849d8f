"""Where student code is compiled and run: the launcher, its layers, and what it is told."""
