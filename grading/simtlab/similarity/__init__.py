"""Which submissions have text in common that the course did not give out: a help for people, never a verdict."""
