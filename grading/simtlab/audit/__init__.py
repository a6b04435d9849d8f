"""Reads a submission before anything of it runs: what its source says, and what its object file refers to."""
