"""Typical mistakes, and what a student's terminal says of each."""
