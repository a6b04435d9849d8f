"""A grading watched while it runs: on a terminal, and on a page that only this machine sees."""
