"""Predict, then measure: how many of a student's answers about fixed snippets are right."""
