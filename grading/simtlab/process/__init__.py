"""Starting compilers and judges with limits, and ending them for certain."""
