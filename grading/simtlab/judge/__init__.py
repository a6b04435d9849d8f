"""Starting the judge of a lab and reading its facts."""
