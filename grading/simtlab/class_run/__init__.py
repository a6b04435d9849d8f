"""Grading a class: what is left to do, who does it, and how far it is."""
