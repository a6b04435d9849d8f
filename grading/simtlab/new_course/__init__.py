"""Writes a course's repository: labs, a policy, a sample class, and the version of simtlab that grades it."""
